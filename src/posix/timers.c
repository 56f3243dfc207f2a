/*
 * Alarms and interval timers, which go by simulated time. A rank notices that one has run out when
 * it looks at a clock, sleeps or comes back from a call of its host; and then raises its signal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>

#include "posix/internal.h"

static const int signal_of[POSIX_TIMERS] = {
    [ITIMER_REAL] = SIGALRM, [ITIMER_VIRTUAL] = SIGVTALRM, [ITIMER_PROF] = SIGPROF};

static double as_seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static struct timeval as_timeval(double seconds)
{
    struct timeval t = {.tv_sec = (time_t)floor(seconds)};
    t.tv_usec = (suseconds_t)((seconds - (double)t.tv_sec) * 1e6);
    return t;
}

void posix_look_at_timers(struct posix_rank *r, double now)
{
    for (unsigned i = 0; r->timers && i < POSIX_TIMERS; i++) {
        struct posix_timer *t = &r->timer[i];
        if (!(r->timers >> i & 1) || now < t->due)
            continue;
        if (t->period > 0)
            t->due += t->period * (floor((now - t->due) / t->period) + 1);
        else
            r->timers &= ~(1u << i);
        rank_raise(signal_of[i]);
    }
}

double timers_next(const struct posix_rank *r)
{
    double next = INFINITY;
    for (unsigned i = 0; i < POSIX_TIMERS; i++)
        if (r->timers >> i & 1)
            next = fmin(next, r->timer[i].due);
    return next;
}

/* ---- setting them ---- */

static struct posix_rank *owner(void)
{
    return threads_master(posix_current());
}

static void get(const struct posix_rank *r, unsigned which, double now, struct itimerval *value)
{
    const struct posix_timer *t = &r->timer[which];
    *value = (struct itimerval){.it_interval = {0, 0}};
    if (r->timers >> which & 1) {
        value->it_value = as_timeval(fmax(t->due - now, 1e-6));
        value->it_interval = as_timeval(t->period);
    }
}

static void set(struct posix_rank *r, unsigned which, double now, double time, double period)
{
    r->timer[which] = (struct posix_timer){now + time, period};
    r->timers &= ~(1u << which);
    if (time > 0)
        r->timers |= 1u << which;
}

static bool is_time(const struct timeval *t)
{
    return t->tv_sec >= 0 && t->tv_usec >= 0 && t->tv_usec < 1000000;
}

static int rank_getitimer(int which, struct itimerval *value)
{
    if (which < 0 || which >= POSIX_TIMERS) {
        errno = EINVAL;
        return -1;
    }
    get(owner(), (unsigned)which, clocks_seconds(), value);
    return 0;
}

static int rank_setitimer(int which, const struct itimerval *value, struct itimerval *old)
{
    double now = clocks_seconds();
    struct itimerval none = {.it_interval = {0, 0}}, before;
    value = value ? value : &none;
    if (which < 0 || which >= POSIX_TIMERS || !is_time(&value->it_value) ||
        !is_time(&value->it_interval)) {
        errno = EINVAL;
        return -1;
    }
    get(owner(), (unsigned)which, now, &before);
    set(owner(), (unsigned)which, now, as_seconds(value->it_value), as_seconds(value->it_interval));
    if (old)
        *old = before;
    return 0;
}

/* In seconds, rounded up: what was left of the one before. */
static unsigned rank_alarm(unsigned time)
{
    double now = clocks_seconds();
    struct itimerval before;
    get(owner(), ITIMER_REAL, now, &before);
    set(owner(), ITIMER_REAL, now, time, 0);
    return (unsigned)ceil(as_seconds(before.it_value));
}

static useconds_t rank_ualarm(useconds_t time, useconds_t period)
{
    double now = clocks_seconds();
    struct itimerval before;
    get(owner(), ITIMER_REAL, now, &before);
    set(owner(), ITIMER_REAL, now, time * 1e-6, period * 1e-6);
    return (useconds_t)(as_seconds(before.it_value) * 1e6);
}

const struct posix_function timers_functions[] = {
    FUNCTION(alarm), FUNCTION(ualarm), FUNCTION(getitimer), FUNCTION(setitimer), {NULL, NULL},
};
