/* The functions that stand in for others, as table.c lists them, and what they have in common. */
#ifndef WEFT_POSIX_PARTS_H
#define WEFT_POSIX_PARTS_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE first"
#endif

#include <dlfcn.h>
#include <getopt.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <threads.h>
#include <unistd.h>
#include <wchar.h>

#include "posix/posix.h"

/* ---- life.c ---- */
int rank_libc_start_main(int (*main)(int, char **, char **), int argc, char **argv);
bool life_is_child(const struct posix_rank *rank); /* it is one, made by fork() */
_Noreturn void rank_exit(int code);
_Noreturn void rank_exit_now(int code);
_Noreturn void rank_abort_by(int signal);
int rank_atexit(void (*function)(void));
int rank_cxa_atexit(void (*function)(void *arg), void *arg, void *object);
void rank_cxa_finalize(void *object);
int rank_on_exit(void (*function)(int code, void *arg), void *arg);

/* ---- messages.c ---- */

/* Gives the program its name. */
void messages_begin(struct posix_rank *rank);

void rank_perror(const char *text);
void rank_psignal(int number, const char *text);
_Noreturn void rank_stack_chk_fail(void);
_Noreturn void rank_assert_fail(const char *what, const char *file, unsigned line,
                                const char *function);
void rank_vwarn(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
void rank_vwarnx(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
_Noreturn void rank_verr(int status, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
_Noreturn void rank_verrx(int status, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
void rank_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void rank_warnx(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void rank_err(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void rank_errx(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rank_error(int status, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void rank_error_at_line(int status, int code, const char *file, unsigned line, const char *format,
                        ...) __attribute__((format(printf, 5, 6)));

/* ---- clocks.c ---- */
int rank_clock_gettime(clockid_t clock, struct timespec *time);
int rank_clock_getres(clockid_t clock, struct timespec *time);
int rank_gettimeofday(struct timeval *time, void *zone);
time_t rank_time(time_t *time);
clock_t rank_clock(void);
clock_t rank_times(struct tms *times);
int rank_getrusage(int who, struct rusage *usage);
unsigned rank_sleep(unsigned seconds);
int rank_usleep(useconds_t us);
int rank_nanosleep(const struct timespec *time, struct timespec *left);
int rank_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                         struct timespec *left);
int rank_sched_yield(void);
int rank_timespec_get(struct timespec *time, int base);
int rank_clock_getcpuclockid(pid_t process, clockid_t *clock);
int rank_thrd_sleep(const struct timespec *time, struct timespec *left);
int rank_select(int files, fd_set *in, fd_set *out, fd_set *other, struct timeval *time);
int rank_poll(struct pollfd *file, nfds_t files, int ms);

/* ---- threads.c ---- */

/* Whether this stands for a rank in a thread that the rank has made; and how that ends if it cannot
 * go on. */
bool threads_is_helper(const struct posix_rank *rank);
struct posix_rank *threads_master(struct posix_rank *rank); /* itself, if it is no helper */
_Noreturn void threads_fail(const struct posix_rank *helper);
void threads_drop(struct posix_rank *rank); /* those that are left end */

int rank_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*function)(void *arg), void *arg);
int rank_thrd_create(thrd_t *thread, thrd_start_t function, void *arg);
_Noreturn void rank_pthread_exit(void *result);
_Noreturn void rank_thrd_exit(int result);
int rank_cxa_thread_atexit(void (*function)(void *arg), void *arg, void *object);

/* ---- keys.c ---- */
void keys_end_thread(struct posix_rank *helper);
void keys_drop(struct posix_rank *rank);

int rank_pthread_key_create(pthread_key_t *key, void (*destructor)(void *value));
int rank_pthread_key_delete(pthread_key_t key);
void *rank_pthread_getspecific(pthread_key_t key);
int rank_pthread_setspecific(pthread_key_t key, const void *value);
int rank_tss_create(tss_t *key, void (*destructor)(void *value));
void rank_tss_delete(tss_t key);
int rank_tss_set(tss_t key, void *value);

/* ---- random.c ---- */
int rank_rand(void);
void rank_srand(unsigned seed);
long rank_random(void);
char *rank_initstate(unsigned seed, char *state, size_t bytes);
char *rank_setstate(char *state);
double rank_erand48(unsigned short from[3]);
long rank_nrand48(unsigned short from[3]);
long rank_jrand48(unsigned short from[3]);
double rank_drand48(void);
long rank_lrand48(void);
long rank_mrand48(void);
void rank_srand48(long seed);
unsigned short *rank_seed48(unsigned short seed[3]);
void rank_lcong48(unsigned short parameters[7]);
ssize_t rank_getrandom(void *to, size_t bytes, unsigned flags);
int rank_getentropy(void *to, size_t bytes);
uint32_t rank_arc4random(void);
uint32_t rank_arc4random_uniform(uint32_t bound);

/* ---- options.c ---- */
int rank_getopt(int argc, char *const *argv, const char *letters);
int rank_getopt_long(int argc, char *const *argv, const char *letters, const struct option *longs,
                     int *index);
int rank_getopt_long_only(int argc, char *const *argv, const char *letters,
                          const struct option *longs, int *index);

/* ---- streams.c ---- */

/* A rank's own stream, made when it is first used or asked for. */
FILE *streams_get(struct posix_rank *rank, enum posix_stream stream);
void streams_begin(struct posix_rank *rank);

/* The number of a file, if the stream is one of this rank's own; -1: it is not. */
int streams_file(const FILE *stream);
void streams_end(struct posix_rank *rank);
void streams_drop(struct posix_rank *rank);

int rank_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int rank_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
int rank_printf_chk(int flag, const char *format, ...) __attribute__((format(printf, 2, 3)));
int rank_vprintf_chk(int flag, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
int rank_vdprintf(int file, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
int rank_dprintf(int file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int rank_vdprintf_chk(int file, int flag, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
int rank_dprintf_chk(int file, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int rank_puts(const char *text);
int rank_putchar(int letter);
int rank_getchar(void);
int rank_vscanf(const char *format, va_list args) __attribute__((format(scanf, 1, 0)));
int rank_scanf(const char *format, ...) __attribute__((format(scanf, 1, 2)));
int rank_fflush(FILE *stream);
int rank_fcloseall(void);
int rank_fclose(FILE *stream);
FILE *rank_freopen(const char *path, const char *mode, FILE *stream);
int rank_fileno(FILE *stream);
ssize_t rank_write(int file, const void *bytes, size_t count);
ssize_t rank_writev(int file, const struct iovec *part, int parts);
ssize_t rank_read(int file, void *to, size_t bytes);
ssize_t rank_readv(int file, const struct iovec *part, int parts);
int rank_close(int file);
int rank_isatty(int file);
int rank_fstat(int file, struct stat *what);

/* ---- wide.c ---- */
int rank_vfwprintf(FILE *stream, const wchar_t *format, va_list args);
int rank_fwprintf(FILE *stream, const wchar_t *format, ...);
int rank_vwprintf(const wchar_t *format, va_list args);
int rank_wprintf(const wchar_t *format, ...);
int rank_fputws(const wchar_t *text, FILE *stream);
wint_t rank_fputwc(wchar_t letter, FILE *stream);
wint_t rank_putwchar(wchar_t letter);
wint_t rank_fgetwc(FILE *stream);
wint_t rank_getwchar(void);
wchar_t *rank_fgetws(wchar_t *text, int letters, FILE *stream);
int rank_vfwscanf(FILE *stream, const wchar_t *format, va_list args);
int rank_fwscanf(FILE *stream, const wchar_t *format, ...);
int rank_vwscanf(const wchar_t *format, va_list args);
int rank_wscanf(const wchar_t *format, ...);

/* ---- node.c ---- */
int rank_gethostname(char *name, size_t size);
int rank_uname(struct utsname *name);
pid_t rank_getpid(void);
pid_t rank_getppid(void);
long rank_gethostid(void);
int rank_get_nprocs(void);
long rank_sysconf(int name);
int rank_sched_getcpu(void);
int rank_sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set);
int rank_sched_setaffinity(pid_t process, size_t bytes, const cpu_set_t *set);
int rank_pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set);
int rank_pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set);

long rank_syscall(long number, ...);

/* ---- signals.c ---- */
void signals_drop(struct posix_rank *rank);
_Noreturn void rank_abort(void);
void (*rank_signal(int number, void (*handler)(int)))(int);
int rank_sigaction(int number, const struct sigaction *action, struct sigaction *old);
void (*rank_sysv_signal(int number, void (*handler)(int)))(int);
int rank_raise(int number);
int rank_kill(pid_t process, int number);
int rank_pthread_kill(pthread_t thread, int number);
int rank_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int rank_sigprocmask(int how, const sigset_t *set, sigset_t *old);
int rank_sigpending(sigset_t *set);

/* ---- floats.c ---- */
void floats_leave(struct posix_rank *rank);
void floats_enter(const struct posix_rank *rank);

/* ---- context.c ---- */
char *rank_getenv(const char *name);
int rank_setenv(const char *name, const char *value, int overwrite);
int rank_unsetenv(const char *name);
int rank_putenv(char *assignment);
int rank_clearenv(void);
char *rank_strtok(char *text, const char *delimiters);
struct tm *rank_localtime(const time_t *time);
struct tm *rank_gmtime(const time_t *time);
char *rank_asctime(const struct tm *date);
char *rank_ctime(const time_t *time);
int rank_hcreate(size_t entries);
void context_drop_table(struct posix_rank *rank);
void rank_hdestroy(void);
ENTRY *rank_hsearch(ENTRY entry, ACTION action);

/* ---- unwind.c ---- */
#ifdef DLFO_STRUCT_HAS_EH_DBASE
int rank_dl_find_object(void *address, struct dl_find_object *result);
#endif
int rank_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *info, size_t size, void *arg),
                         void *arg);

#endif
