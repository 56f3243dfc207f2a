/* Names, and what stands in for them. */
#define _GNU_SOURCE
#include <string.h>

#include "image/thread.h"
#include "posix/parts.h"

#define SAME(NAME)                                                                                 \
    {                                                                                              \
#NAME, (void (*)(void))rank_##NAME                                                         \
    }
#define NAMED(NAME, FUNCTION)                                                                      \
    {                                                                                              \
        NAME, (void (*)(void))FUNCTION                                                             \
    }

static const struct {
    const char *name;
    void (*function)(void);
} functions[] = {
    NAMED("__libc_start_main", rank_libc_start_main),
    NAMED("__tls_get_addr", thread_address),
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    NAMED("_dl_find_object", rank_dl_find_object),
#endif
    SAME(dl_iterate_phdr),
    SAME(exit),
    NAMED("_exit", rank_exit_now),
    NAMED("_Exit", rank_exit_now),
    NAMED("quick_exit", rank_exit_now),
    SAME(abort),
    SAME(atexit),
    NAMED("__cxa_atexit", rank_cxa_atexit),
    NAMED("__cxa_thread_atexit", rank_cxa_thread_atexit),
    NAMED("__cxa_thread_atexit_impl", rank_cxa_thread_atexit),
    NAMED("__cxa_finalize", rank_cxa_finalize),
    NAMED("__stack_chk_fail", rank_stack_chk_fail),
    NAMED("__assert_fail", rank_assert_fail),
    SAME(on_exit),
    SAME(psignal),
    SAME(warn),
    SAME(warnx),
    SAME(vwarn),
    SAME(vwarnx),
    SAME(err),
    SAME(errx),
    SAME(verr),
    SAME(verrx),
    SAME(error),
    SAME(error_at_line),
    SAME(clock_gettime),
    SAME(clock_getres),
    SAME(gettimeofday),
    SAME(time),
    SAME(clock),
    SAME(times),
    SAME(getrusage),
    SAME(sleep),
    SAME(usleep),
    SAME(nanosleep),
    SAME(clock_nanosleep),
    SAME(pthread_create),
    SAME(thrd_create),
    SAME(pthread_exit),
    SAME(thrd_exit),
    SAME(pthread_key_create),
    NAMED("__pthread_key_create", rank_pthread_key_create),
    SAME(pthread_key_delete),
    SAME(pthread_getspecific),
    SAME(pthread_setspecific),
    SAME(tss_create),
    SAME(tss_delete),
    NAMED("tss_get", rank_pthread_getspecific),
    SAME(tss_set),
    SAME(sched_yield),
    NAMED("thrd_yield", rank_sched_yield),
    SAME(thrd_sleep),
    SAME(timespec_get),
    SAME(clock_getcpuclockid),
    SAME(select),
    SAME(poll),
    SAME(rand),
    SAME(srand),
    SAME(random),
    NAMED("srandom", rank_srand),
    SAME(initstate),
    SAME(setstate),
    SAME(erand48),
    SAME(nrand48),
    SAME(jrand48),
    SAME(drand48),
    SAME(lrand48),
    SAME(mrand48),
    SAME(srand48),
    SAME(seed48),
    SAME(lcong48),
    SAME(getrandom),
    SAME(getentropy),
    NAMED("arc4random_buf", rank_getrandom),
    SAME(arc4random),
    SAME(arc4random_uniform),
    SAME(getopt),
    SAME(getopt_long),
    SAME(getopt_long_only),
    NAMED("__posix_getopt", rank_getopt),
    SAME(printf),
    SAME(vprintf),
    NAMED("__printf_chk", rank_printf_chk),
    NAMED("__vprintf_chk", rank_vprintf_chk),
    SAME(dprintf),
    SAME(vdprintf),
    NAMED("__dprintf_chk", rank_dprintf_chk),
    NAMED("__vdprintf_chk", rank_vdprintf_chk),
    SAME(scanf),
    SAME(vscanf),
    NAMED("__isoc99_scanf", rank_scanf),
    NAMED("__isoc99_vscanf", rank_vscanf),
    NAMED("__isoc23_scanf", rank_scanf),
    NAMED("__isoc23_vscanf", rank_vscanf),
    SAME(getchar),
    NAMED("getchar_unlocked", rank_getchar),
    SAME(vfwprintf),
    SAME(fwprintf),
    SAME(vwprintf),
    SAME(wprintf),
    SAME(fputws),
    SAME(fputwc),
    NAMED("putwc", rank_fputwc),
    SAME(putwchar),
    SAME(fgetwc),
    NAMED("getwc", rank_fgetwc),
    SAME(getwchar),
    SAME(fgetws),
    SAME(vfwscanf),
    SAME(fwscanf),
    NAMED("__isoc99_vfwscanf", rank_vfwscanf),
    NAMED("__isoc99_fwscanf", rank_fwscanf),
    SAME(vwscanf),
    SAME(wscanf),
    NAMED("__isoc99_vwscanf", rank_vwscanf),
    NAMED("__isoc99_wscanf", rank_wscanf),
    SAME(puts),
    SAME(putchar),
    NAMED("putchar_unlocked", rank_putchar),
    SAME(perror),
    SAME(fflush),
    NAMED("fflush_unlocked", rank_fflush),
    SAME(fcloseall),
    SAME(fclose),
    SAME(freopen),
    NAMED("freopen64", rank_freopen),
    SAME(fileno),
    SAME(write),
    SAME(writev),
    SAME(read),
    SAME(readv),
    SAME(close),
    SAME(isatty),
    SAME(fstat),
    NAMED("fstat64", rank_fstat), /* the same structure */
    SAME(getenv),
    NAMED("secure_getenv", rank_getenv),
    SAME(setenv),
    SAME(unsetenv),
    SAME(putenv),
    SAME(clearenv),
    SAME(gethostname),
    SAME(uname),
    SAME(getpid),
    SAME(getppid),
    SAME(gethostid),
    SAME(get_nprocs),
    NAMED("get_nprocs_conf", rank_get_nprocs),
    SAME(sysconf),
    NAMED("__sysconf", rank_sysconf),
    SAME(syscall),
    SAME(sched_getcpu),
    SAME(sched_getaffinity),
    SAME(sched_setaffinity),
    SAME(pthread_getaffinity_np),
    SAME(pthread_setaffinity_np),
    SAME(signal),
    NAMED("__sysv_signal", rank_sysv_signal), /* strict C's name of it */
    NAMED("sysv_signal", rank_sysv_signal),
    NAMED("bsd_signal", rank_signal),
    SAME(sigaction),
    SAME(raise),
    NAMED("gsignal", rank_raise),
    SAME(kill),
    SAME(pthread_kill),
    SAME(pthread_sigmask),
    SAME(sigprocmask),
    SAME(sigpending),
    SAME(strtok),
    SAME(localtime),
    SAME(gmtime),
    SAME(asctime),
    SAME(ctime),
    SAME(hcreate),
    SAME(hdestroy),
    SAME(hsearch),
};

void *posix_find(const char *name)
{
    void *found = NULL;
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]) && !found; i++)
        if (strcmp(functions[i].name, name) == 0)
            memcpy(&found, &functions[i].function, sizeof(found));
    return found;
}

/* ---- variables ---- */

static const int one = 1, question = '?';
static void *const nothing = NULL;

enum {
    OPTARG,
    OPTIND,
    OPTERR,
    OPTOPT,
    OUT,
    ERR,
    IN,
    ENVIRON,
    NAME,
    NAME_OLD,
    PATH,
    PATH_OLD,
    VARIABLES
};

#define POINTER(NAME)                                                                              \
    {                                                                                              \
        .name = NAME, .initial = &nothing, .bytes = sizeof(nothing)                                \
    }

static struct image_variable variables[VARIABLES] = {
    [OPTARG] = POINTER("optarg"),
    [OPTIND] = {.name = "optind", .initial = &one, .bytes = sizeof(one)},
    [OPTERR] = {.name = "opterr", .initial = &one, .bytes = sizeof(one)},
    [OPTOPT] = {.name = "optopt", .initial = &question, .bytes = sizeof(question)},
    [OUT] = POINTER("stdout"),
    [ERR] = POINTER("stderr"),
    [IN] = POINTER("stdin"),
    [ENVIRON] = POINTER("environ"),
    [NAME] = POINTER("program_invocation_short_name"),
    [NAME_OLD] = POINTER("__progname"),
    [PATH] = POINTER("program_invocation_name"),
    [PATH_OLD] = POINTER("__progname_full"),
};

struct image_variable *posix_variables(size_t *count)
{
    *count = VARIABLES;
    return variables;
}

struct posix_variables posix_places(void)
{
    return (struct posix_variables){.optarg = variables[OPTARG].at,
                                    .optind = variables[OPTIND].at,
                                    .opterr = variables[OPTERR].at,
                                    .optopt = variables[OPTOPT].at,
                                    .out = variables[OUT].at,
                                    .err = variables[ERR].at,
                                    .in = variables[IN].at,
                                    .program_name = variables[NAME].at,
                                    .program_name_old = variables[NAME_OLD].at,
                                    .program_path = variables[PATH].at,
                                    .program_path_old = variables[PATH_OLD].at,
                                    .environment = variables[ENVIRON].at};
}

/* ---- doubts ---- */

#define COPIES     "which copies the simulator, not the rank alone"
#define REPLACES   "which replaces the simulator"
#define NO_TIME    "which takes no simulated time"
#define THREADS    "whose threads take no simulated time, and must not call MPI"
#define REAL_TIME  "which goes by the computer's time, not by simulated time"
#define SIGNALS    "which waits for signals of the computer"
#define REAL_CLOCK "which sets the computer's clock"
#define ALL(WHAT)  "which changes " WHAT " of all ranks"

static const struct {
    const char *name, *doubt;
} doubts[] = {
    {"fork", COPIES},
    {"vfork", COPIES},
    {"execv", REPLACES},
    {"execve", REPLACES},
    {"execvp", REPLACES},
    {"execl", REPLACES},
    {"execlp", REPLACES},
    {"system", NO_TIME},
    {"popen", NO_TIME},
    {"pthread_create", THREADS},
    {"thrd_create", THREADS},
    {"chdir", ALL("the folder")},
    {"umask", ALL("the file mode mask")},
    {"setlocale", ALL("the language")},
    {"mallopt", ALL("the memory")},
    {"dup2", ALL("files, and perhaps the standard output,")},
    {"setrlimit", "which limits the simulator"},
    {"alarm", REAL_TIME},
    {"ualarm", REAL_TIME},
    {"setitimer", REAL_TIME},
    {"timer_create", REAL_TIME},
    {"timerfd_create", REAL_TIME},
    {"sigaltstack", "which changes the stack of the simulator's own handlers"},
    {"getcontext", "which leaves the rank's stack"},
    {"pause", SIGNALS},
    {"sigsuspend", SIGNALS},
    {"sigwait", SIGNALS},
    {"sigwaitinfo", SIGNALS},
    {"sigtimedwait", SIGNALS},
    {"settimeofday", REAL_CLOCK},
    {"clock_settime", REAL_CLOCK},
    {"dlopen", "which loads one copy for all ranks"},
};

const char *posix_doubt(const char *name)
{
    for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++)
        if (strcmp(doubts[i].name, name) == 0)
            return doubts[i].doubt;
    return NULL;
}
