/*
 * Signals that a rank raises: its handlers are called, or it ends. Others never reach it: faults
 * end it, and what is sent to the simulator is the simulator's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "posix/internal.h"

/* What is to be done about a signal. */
struct posix_signal {
    struct posix_signal *next; /* first: memory_free_list() */
    int number;
    struct sigaction action;
};

static struct posix_rank *owner(void)
{
    return threads_master(posix_current());
}

static bool is_signal(int number)
{
    if (number > 0 && number < NSIG)
        return true;
    errno = EINVAL;
    return false;
}

/* ---- actions ---- */

static struct posix_signal *find(const struct posix_rank *r, int number)
{
    struct posix_signal *s = r->signals;
    while (s && s->number != number)
        s = s->next;
    return s;
}

static struct posix_signal *find_or_add(struct posix_rank *r, int number)
{
    struct posix_signal *s = find(r, number);
    if (s)
        return s;
    s = memory_alloc(1, sizeof(*s));
    *s = (struct posix_signal){.next = r->signals, .number = number};
    return r->signals = s;
}

static int rank_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    struct posix_rank *r = owner();
    if (!is_signal(number))
        return -1;
    const struct posix_signal *known = find(r, number);
    struct sigaction before = {.sa_handler = SIG_DFL};
    if (known)
        before = known->action;
    if (action && (number == SIGKILL || number == SIGSTOP)) {
        errno = EINVAL;
        return -1;
    }
    if (action)
        find_or_add(r, number)->action = *action;
    if (old)
        *old = before;
    return 0;
}

static void (*set_handler(int number, void (*handler)(int), int flags))(int)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    return rank_sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

static void (*rank_signal(int number, void (*handler)(int)))(int)
{
    return set_handler(number, handler, SA_RESTART);
}

static void (*rank_sysv_signal(int number, void (*handler)(int)))(int)
{
    return set_handler(number, handler, (int)SA_RESETHAND | SA_NODEFER);
}

/* ---- raising ---- */

static void call(const struct sigaction *action, int number)
{
    siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
    info.si_pid = rank_getpid();
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, &info, NULL);
    else
        action->sa_handler(number);
}

static void deliver(struct posix_rank *r, int number)
{
    struct posix_signal *s = find(r, number);
    struct sigaction action = {.sa_handler = SIG_DFL};
    if (s)
        action = s->action;
    if (action.sa_handler == SIG_IGN)
        return;
    if (action.sa_handler == SIG_DFL) {
        if (number != SIGCHLD && number != SIGCONT && number != SIGURG && number != SIGWINCH)
            rank_abort_by(number);
        return;
    }
    if (action.sa_flags & (int)SA_RESETHAND)
        s->action.sa_handler = SIG_DFL;
    call(&action, number);
}

static uint64_t bit(int number)
{
    return 1ull << (number - 1);
}

int rank_raise(int number)
{
    struct posix_rank *r = owner();
    if (!number)
        return 0;
    if (!is_signal(number))
        return -1;
    if (r->blocked & bit(number))
        r->pending |= bit(number);
    else
        deliver(r, number);
    return 0;
}

bool posix_signal(int number)
{
    const struct posix_rank *r = posix_current();
    if (!r || life_is_child(r))
        return false;
    rank_raise(number);
    return true;
}

static int rank_kill(pid_t process, int number)
{
    if (process == rank_getpid() || process == 0)
        return rank_raise(number);
    if (children_has(owner(), process))
        return kill(process, number);
    errno = EPERM;
    return -1;
}

/* Threads of a rank raise signals for all of it. */
static int rank_pthread_kill(pthread_t thread, int number)
{
    if (number && !pthread_equal(thread, pthread_self()))
        return EPERM;
    return rank_raise(number) == 0 ? 0 : EINVAL;
}

_Noreturn void rank_abort(void)
{
    const struct posix_signal *s = find(owner(), SIGABRT);
    if (s && s->action.sa_handler != SIG_DFL && s->action.sa_handler != SIG_IGN)
        call(&s->action, SIGABRT);
    rank_abort_by(SIGABRT);
}

/* ---- blocking ---- */

static uint64_t bits(const sigset_t *set)
{
    uint64_t bits;
    memcpy(&bits, set, sizeof(bits));
    return bits & ~(bit(SIGKILL) | bit(SIGSTOP));
}

static void set_bits(sigset_t *set, uint64_t bits)
{
    memset(set, 0, sizeof(*set));
    memcpy(set, &bits, sizeof(bits));
}

static int rank_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    struct posix_rank *r = owner();
    uint64_t now = r->blocked;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (set)
        r->blocked = how == SIG_BLOCK     ? now | bits(set)
                     : how == SIG_UNBLOCK ? now & ~bits(set)
                                          : bits(set);
    if (old)
        set_bits(old, now);
    for (int number = 1; number < NSIG; number++)
        if (r->pending & ~r->blocked & bit(number)) {
            r->pending &= ~bit(number);
            deliver(r, number);
        }
    return 0;
}

static int rank_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    int code = rank_pthread_sigmask(how, set, old);
    if (code)
        errno = code;
    return code ? -1 : 0;
}

static int rank_sigpending(sigset_t *set)
{
    set_bits(set, owner()->pending);
    return 0;
}

const struct posix_function signals_functions[] = {
    FUNCTION(abort),
    FUNCTION_AS("signal bsd_signal", rank_signal),
    FUNCTION_AS("__sysv_signal sysv_signal", rank_sysv_signal), /* strict C's name of it */
    FUNCTION(sigaction),
    FUNCTION_AS("raise gsignal", rank_raise),
    FUNCTION(kill),
    FUNCTION(pthread_kill),
    FUNCTION(pthread_sigmask),
    FUNCTION(sigprocmask),
    FUNCTION(sigpending),
    {NULL, NULL},
};
