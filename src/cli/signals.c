/*
 * Signals. The first one that asks to stop is noted, and runs end between two windows. A rank of a
 * program may compute for ever, though: if the simulation still runs a moment later, the rank is
 * stopped wherever its own code is, and if it never gets there, the simulator ends without it. A
 * timer on each thread finds ranks that compute for long.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/fiber.h"
#include "cli/cli.h"
#include "posix/posix.h"

/* ---- threads that run ranks ---- */

enum { THREADS_MOST = 1024 };

static pid_t thread[THREADS_MOST];
static atomic_uint threads;

/* A signal about a stack needs another one, on every thread. They end with the process. */
static void make_signal_stack(void)
{
    enum { SIGNAL_STACK = 1 << 20 }; /* libdw takes some */
    void *memory =
        mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_STACK};
    if (memory != MAP_FAILED)
        sigaltstack(&stack, NULL);
}

/* A signal for each stretch of this thread's time. */
static void make_timer(void)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGVTALRM};
    struct timespec tick = {.tv_nsec = POSIX_TICK_MS * 1000000l};
    event._sigev_un._tid = gettid();
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0)
        timer_settime(timer, 0, &(struct itimerspec){tick, tick}, NULL);
}

static void prepare_thread(void)
{
    unsigned index = atomic_fetch_add(&threads, 1);
    make_signal_stack();
    make_timer();
    if (index < THREADS_MOST)
        thread[index] = gettid();
}

/* ---- stopping ---- */

enum { PATIENCE_US = 200000, TICK_US = 20000, TICKS_MOST = 100 };

static volatile sig_atomic_t asked_to_stop, ticks;

/* Ends the process: a rank waits for the computer, or is never seen in its own code. */
static void give_up(void)
{
    const struct posix_rank *rank = posix_current();
    char text[80];
    if (!rank)
        return;
    int length =
        snprintf(text, sizeof(text), "weft: interrupted while rank %u was busy\n", rank->number);
    _exit(write(STDERR_FILENO, text, (size_t)length) < 0 ? 2 : 1);
}

static const void *interrupted_at(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const void *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return (const void *)(uintptr_t)context->uc_mcontext.pc;
#endif
}

/* The timer's signals go to one thread, which passes them on to those that run ranks. */
static void on_tick(int number, siginfo_t *info, void *context)
{
    unsigned count = atomic_load(&threads);
    bool from_timer = info->si_code != SI_TKILL;
    ticks += from_timer;
    for (unsigned i = 0; from_timer && i < count && i < THREADS_MOST; i++)
        if (thread[i] && thread[i] != gettid())
            syscall(SYS_tgkill, getpid(), thread[i], number);
    if (ticks > TICKS_MOST)
        give_up();
    posix_stop(interrupted_at(context));
}

static void start_ticking(void)
{
    struct sigaction tick = {.sa_sigaction = on_tick,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    struct itimerval time = {.it_interval = {.tv_usec = TICK_US},
                             .it_value = {.tv_usec = PATIENCE_US}};
    sigaction(SIGALRM, &tick, NULL);
    setitimer(ITIMER_REAL, &time, NULL);
}

/* One signal may come twice at once, to the process and to its group; a second one later means that
 * the first was of no use. */
static void on_stop(int number)
{
    if (!asked_to_stop)
        start_ticking();
    asked_to_stop = 1;
    if (ticks) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

bool cli_interrupted(void *arg)
{
    (void)arg;
    return asked_to_stop;
}

/* ---- ranks that compute for long ---- */

static void on_used_time(int number, siginfo_t *info, void *context)
{
    int error = errno;
    (void)number, (void)info;
    posix_tick(interrupted_at(context));
    errno = error;
}

/* ---- faults ---- */

static void on_fault(int number, siginfo_t *info, void *context)
{
    static const char text[] = "weft: a process of the program has overrun its stack; give it more "
                               "with workload.stack_bytes\n";
    (void)context;
    guarded_copy_fault(number, info->si_addr);
    posix_fault(number, info->si_addr);
    if (fiber_is_guard(info->si_addr)) {
        ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
        _exit(written < 0 ? 2 : 1);
    }
    signal(number, SIG_DFL); /* the instruction is tried again */
}

/* Nobody reads any more what a rank has written, which is its own affair, or what Weft has. */
static void on_pipe(int number)
{
    if (posix_signal(number))
        return;
    signal(number, SIG_DFL);
    raise(number);
}

/* The C library found that a rank has overrun a buffer, or Weft's own mistake: after either,
 * nothing is to be trusted. */
static void on_abort(int number)
{
    const struct posix_rank *rank = posix_current();
    char text[64];
    int length =
        rank ? snprintf(text, sizeof(text), "weft: rank %u: it ended by abort()\n", rank->number)
             : 0;
    if (length > 0 && write(STDERR_FILENO, text, (size_t)length) == length)
        _exit(1);
    signal(number, SIG_DFL);
    raise(number);
}

void cli_catch_signals(void)
{
    /* A handler that is left by a jump does not unblock its signal. */
    struct sigaction fault = {.sa_sigaction = on_fault,
                              .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    struct sigaction stop = {.sa_handler = on_stop}, ignore = {.sa_handler = SIG_IGN},
                     as_usual = {.sa_handler = SIG_DFL}, abortion = {.sa_handler = on_abort},
                     used_time = {.sa_sigaction = on_used_time,
                                  .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART},
                     pipe = {.sa_handler = on_pipe, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    sigaction(SIGHUP, &stop, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); /* write() says so itself */
    sigaction(SIGVTALRM, &used_time, NULL);
    fibers_prepare_threads(prepare_thread);
    sigaction(SIGSEGV, &fault, NULL);
    sigaction(SIGBUS, &fault, NULL);
    sigaction(SIGFPE, &fault, NULL);
    sigaction(SIGILL, &fault, NULL);
    sigaction(SIGTRAP, &fault, NULL); /* __builtin_trap(); gdb keeps its own to itself */
    sigaction(SIGABRT, &abortion, NULL);
    sigaction(SIGPIPE, &pipe, NULL);
    /* Whoever started us may ignore it; then no child could be waited for. */
    sigaction(SIGCHLD, &as_usual, NULL);
}

weft_status cli_protected_call(weft_status (*body)(void *), void *arg, const char *left)
{
    protected_call_watch(cli_interrupted, NULL);
    weft_status status = protected_call(body, arg);
    protected_call_watch(NULL, NULL);
    bool interrupted = status == WEFT_FAILED && cli_interrupted(NULL);
    return interrupted ? RUN_FAILED(("interrupted"), ("%s", left)) : status;
}
