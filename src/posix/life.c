/* A rank from its first instruction to its last. */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/memory.h"
#include "image/thread.h"
#include "posix/internal.h"

/* way.S */
void way_run(void **way, void (*body)(void *arg), void *arg);
_Noreturn void way_take(void *way);

/*
 * ---- floating-point exceptions ----
 *
 * Those that a rank has raised are flags of the thread, which it shares with others. Rounding and
 * traps are the fiber's (base/fiber_switch.S).
 */

bool posix_has_floats(const struct image *image)
{
    static const char *const names[] = {"fetestexcept",    "feraiseexcept",   "feclearexcept",
                                        "fegetexceptflag", "fesetexceptflag", "fegetenv",
                                        "fesetenv",        "feholdexcept",    "feupdateenv"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (image_uses(image, names[i]))
            return true;
    return false;
}

/* ---- the rank of a thread ---- */

static _Thread_local struct posix_rank *current;

/* Never inlined: a rank may be on another thread after each call that waits, and a compiler that
 * sees a thread's variable on both sides of one may take its address only once. */
__attribute__((noinline)) struct posix_rank *posix_current(void)
{
    __asm__ volatile("");
    return current;
}

__attribute__((noinline)) void posix_switch(struct posix_rank *rank)
{
    fexcept_t flags;
    __asm__ volatile("");
    if (current)
        current->error = errno;
    if (current && current->floats && fegetexceptflag(&flags, FE_ALL_EXCEPT) == 0)
        current->float_flags = flags;
    current = rank;
    flags = rank ? (fexcept_t)rank->float_flags : 0;
    if (rank && rank->floats)
        fesetexceptflag(&flags, FE_ALL_EXCEPT);
    folder_enter(rank);
    if (rank)
        errno = rank->error;
}

/* ---- the end ---- */

bool life_is_child(const struct posix_rank *r)
{
    return r->process && r->process != getpid();
}

/* A thread of a rank has ended all of it. */
static _Noreturn void fail_helper(const struct posix_rank *r, enum posix_end how, int code)
{
    char place[IMAGE_PLACE], what[IMAGE_PLACE + 64];
    bool known = r->where && image_describe(r->image, r->where, place);
    if (how == POSIX_EXITED)
        snprintf(what, sizeof(what), "exit(%d)", code);
    else
        snprintf(what, sizeof(what), "%s%s%s", strsignal(code), known ? ", in " : "",
                 known ? place : "");
    threads_fail(r, what);
}

static _Noreturn void end(enum posix_end how, int code)
{
    struct posix_rank *r = posix_current();
    while (life_is_child(r)) { /* the simulator goes on in its own process, and must not end here */
        if (how == POSIX_ABORTED)
            kill(getpid(), code);
        syscall(SYS_exit_group, how == POSIX_ABORTED ? 128 + code : code);
    }
    if (threads_is_helper(r))
        fail_helper(r, how, code);
    r->how = how;
    r->code = code;
    way_take(r->end);
}

void posix_fault(int signal, const void *address)
{
    struct posix_rank *r = posix_current();
    if (!r)
        return;
    if (r->failing)
        end(POSIX_ABORTED, r->failing);
    r->fault = address;
    unwind_look(r, signal);
    end(POSIX_ABORTED, signal);
}

_Noreturn void posix_refuse(const char *call)
{
    const struct posix_rank *r = posix_current();
    while (life_is_child(r)) {
        dprintf(STDERR_FILENO, "weft: rank %u: %s is called by a child process, which is no rank\n",
                r->number, call);
        syscall(SYS_exit_group, 1);
    }
    char what[128];
    snprintf(what, sizeof(what), "%s is called, which only its own thread may do", call);
    threads_fail(r, what);
}

static bool is_inside(const struct posix_rank *r, const void *at)
{
    return r && r->image && !threads_is_helper(r) &&
           (uintptr_t)at - (uintptr_t)r->copy < r->image->bytes;
}

void posix_stop(const void *at)
{
    if (is_inside(posix_current(), at))
        end(POSIX_STOPPED, 0);
}

void posix_tick(const void *at)
{
    const struct posix_rank *r = posix_current();
    if (r && r->host->tick && !life_is_child(r))
        r->host->tick(r->owner, is_inside(r, at), (uint64_t)((uintptr_t)at - (uintptr_t)r->copy));
}

static void run_handlers(struct posix_rank *r, int code)
{
    for (struct posix_handler *h; (h = r->handlers);) {
        r->handlers = h->next;
        struct posix_handler now = *h;
        free(h);
        if (now.function)
            now.function(now.arg);
        else
            now.function_of_code(code, now.arg);
    }
}

_Noreturn void rank_exit(int code)
{
    struct posix_rank *r = posix_current();
    run_handlers(r, code);
    end_program(r->image, r->copy);
    if (life_is_child(r))
        streams_end(r);
    end(POSIX_EXITED, code & 0xff);
}

static _Noreturn void rank_exit_now(int code)
{
    end(POSIX_EXITED, code & 0xff);
}

/* What is called past the C library; arguments that a call has not are ignored. */
static long rank_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (number == SYS_exit || number == SYS_exit_group)
        rank_exit_now((int)a);
    return syscall(number, a, b, c, d, e, f);
}

/* Whether a signal means that the program is wrong, and not that somebody wants it to end. */
static bool is_failure(int signal)
{
    return signal == SIGABRT || signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE ||
           signal == SIGILL || signal == SIGTRAP;
}

_Noreturn void rank_abort_by(int signal)
{
    struct posix_rank *r = posix_current();
    if (r->host->aborts && !life_is_child(r))
        r->host->aborts(r->owner, signal);
    if (is_failure(signal))
        unwind_look(r, signal);
    end(POSIX_ABORTED, signal);
}

/* ---- handlers ---- */

static int add_handler(const struct posix_handler *handler)
{
    struct posix_rank *r = posix_current();
    struct posix_handler *h = memory_alloc(1, sizeof(*h));
    *h = *handler;
    h->next = r->handlers;
    r->handlers = h;
    return 0;
}

int rank_cxa_atexit(void (*function)(void *arg), void *arg, void *object)
{
    (void)object;
    return add_handler(&(struct posix_handler){.function = function, .arg = arg});
}

static int rank_on_exit(void (*function)(int code, void *arg), void *arg)
{
    return add_handler(&(struct posix_handler){.function_of_code = function, .arg = arg});
}

static int rank_atexit(void (*function)(void))
{
    void (*handler)(void *);
    memcpy(&handler, &function, sizeof(handler)); /* which ignores its argument */
    return rank_cxa_atexit(handler, NULL, NULL);
}

/* Handlers have been run by then, and a rank's libraries stay for its whole life. */
static void rank_cxa_finalize(void *object)
{
    (void)object;
}

/* ---- the beginning ---- */

/* What the program's first instructions call. */
static int rank_libc_start_main(int (*main)(int, char **, char **), int argc, char **argv)
{
    struct posix_rank *r = posix_current();
    (void)argc;
    (void)argv;
    begin_main(r->image, r->copy, &r->words);
    rank_exit(main(r->words.argc, r->words.argv, r->words.environment));
}

static void begin(void *arg)
{
    const struct posix_rank *r = arg;
    begin_program(r->image, r->copy, &r->words);
}

void posix_run(struct posix_rank *rank)
{
    rank->how = POSIX_RUNS;
    rank->process = getpid();
    streams_begin(rank);
    print_begin(rank);
    way_run(&rank->end, begin, rank);
    streams_end(rank);
}

void posix_drop(struct posix_rank *rank)
{
    streams_drop(rank);
    folder_drop(rank);
    children_drop(rank);
    threads_drop(rank); /* they may look at what follows */
    memory_free_list(rank->handlers);
    memory_free_list(rank->signals);
    free(rank->keys);
    free(rank->values);
    for (char **e = rank->environment; e && *e; e++)
        free(*e);
    free(rank->environment);
    free(rank->chance);
    context_drop_table(rank);
}

const struct posix_function life_functions[] = {
    FUNCTION_AS("__libc_start_main", rank_libc_start_main),
    FUNCTION_AS("__tls_get_addr", thread_address),
    FUNCTION(exit),
    FUNCTION_AS("_exit _Exit quick_exit", rank_exit_now),
    FUNCTION(syscall),
    FUNCTION(atexit),
    FUNCTION_AS("__cxa_atexit", rank_cxa_atexit),
    FUNCTION_AS("__cxa_finalize", rank_cxa_finalize),
    FUNCTION(on_exit),
    {NULL, NULL},
};
