/*
 * Simulated time. Clocks begin when the program does, dates at one that the host chooses. Asking
 * for the time takes time, which the host counts. A clock of nanoseconds or microseconds shows
 * another time at each read, or programs that measure what takes no time would divide by zero; a
 * read waits for the next tick if it must. Coarser clocks move after some reads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <string.h>

#include "posix/internal.h"

enum { TICKS = 100 };

double clocks_seconds(void)
{
    struct posix_rank *r = posix_current();
    double now = r->now = r->host->seconds(r->owner);
    if (r->timers && !threads_is_helper(r))
        posix_look_at_timers(r, now);
    return now;
}

static time_t epoch(void)
{
    return posix_current()->epoch;
}

static struct timespec as_timespec(double time)
{
    struct timespec t = {.tv_sec = (time_t)floor(time)};
    t.tv_nsec = (long)((time - (double)t.tv_sec) * 1e9);
    return t;
}

enum { GIGA = 1000000000, MEGA = 1000000 };

/* The ticks of a clock with so many in a second, which no read before has shown. */
static int64_t read_ticks(enum posix_clock clock, int64_t per_second)
{
    struct posix_rank *r = posix_current();
    double now = clocks_seconds();
    struct timespec t = as_timespec(now);
    int64_t ticks = t.tv_sec * per_second + t.tv_nsec / (GIGA / per_second);
    if (ticks < r->next_tick[clock]) {
        ticks = r->next_tick[clock];
        r->host->sleep(r->owner, fmax((double)ticks / (double)per_second - now, 0));
    }
    r->next_tick[clock] = ticks + 1;
    return ticks;
}

static struct timeval read_timeval(void)
{
    int64_t us = read_ticks(POSIX_MICROSECONDS, MEGA);
    return (struct timeval){us / MEGA, us % MEGA};
}

static int rank_clock_gettime(clockid_t clock, struct timespec *time)
{
    int64_t ns = read_ticks(POSIX_NANOSECONDS, GIGA);
    *time = (struct timespec){ns / GIGA, ns % GIGA};
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        time->tv_sec += epoch();
    return 0;
}

static int rank_clock_getres(clockid_t clock, struct timespec *time)
{
    (void)clock;
    if (time)
        *time = (struct timespec){0, 1};
    return 0;
}

static int rank_gettimeofday(struct timeval *time, void *zone)
{
    if (zone)
        memset(zone, 0, sizeof(struct timezone));
    if (time) {
        *time = read_timeval();
        time->tv_sec += epoch();
    }
    return 0;
}

static time_t rank_time(time_t *time)
{
    time_t now = epoch() + (time_t)clocks_seconds();
    if (time)
        *time = now;
    return now;
}

static clock_t rank_clock(void)
{
    return read_ticks(POSIX_MICROSECONDS, CLOCKS_PER_SEC);
}

static clock_t rank_times(struct tms *times)
{
    clock_t now = (clock_t)(clocks_seconds() * TICKS);
    if (times)
        *times = (struct tms){.tms_utime = now};
    return now;
}

static int rank_getrusage(int who, struct rusage *usage)
{
    memset(usage, 0, sizeof(*usage));
    if (who != RUSAGE_CHILDREN)
        usage->ru_utime = read_timeval();
    return 0;
}

static int rank_timespec_get(struct timespec *time, int base)
{
    if (base != TIME_UTC)
        return 0;
    rank_clock_gettime(CLOCK_REALTIME, time);
    return base;
}

/* All clocks but that of dates are one. */
static int rank_clock_getcpuclockid(pid_t process, clockid_t *clock)
{
    (void)process;
    *clock = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}

/* ---- sleep ---- */

/* Returns what is left of the time: nothing, unless a timer has run out. */
static double rest(double time)
{
    struct posix_rank *r = posix_current();
    if (r->timers && !threads_is_helper(r)) {
        double now = clocks_seconds(), next = timers_next(r) - now;
        if (next < time) {
            r->host->sleep(r->owner, fmax(next, 0));
            posix_look_at_timers(r, now + next);
            errno = EINTR;
            return fmax(time - next, 1e-9);
        }
    }
    if (time > 0)
        r->host->sleep(r->owner, time);
    return 0;
}

static unsigned rank_sleep(unsigned time)
{
    return (unsigned)lround(rest(time)); /* as glibc does */
}

static int rank_usleep(useconds_t us)
{
    return rest(us * 1e-6) > 0 ? -1 : 0;
}

static int rank_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                                struct timespec *left)
{
    struct timespec now = {0, 0};
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= 1000000000)
        return EINVAL;
    if (flags & TIMER_ABSTIME)
        rank_clock_gettime(clock, &now);
    double rests =
        rest((double)(time->tv_sec - now.tv_sec) + (double)(time->tv_nsec - now.tv_nsec) * 1e-9);
    if (left && !(flags & TIMER_ABSTIME)) /* it may be the same record as the time */
        *left = as_timespec(rests);
    return rests > 0 ? EINTR : 0;
}

static int rank_nanosleep(const struct timespec *time, struct timespec *left)
{
    int code = rank_clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    errno = code ? code : errno;
    return code ? -1 : 0;
}

/* Until a timer runs out. Without one it would be for a signal of the computer. */
static int rank_pause(void)
{
    return posix_current()->timers ? (rest(INFINITY), -1) : pause();
}

/* Lets time pass, as the calls of an operating system do. */
static int rank_sched_yield(void)
{
    (void)clocks_seconds();
    return 0;
}

/* ---- waiting for no file is sleep, too ---- */

static int rank_select(int files, fd_set *in, fd_set *out, fd_set *other, struct timeval *time)
{
    if (files || !time)
        return select(files, in, out, other, time);
    return rest((double)time->tv_sec + (double)time->tv_usec * 1e-6) > 0 ? -1 : 0;
}

static int rank_poll(struct pollfd *file, nfds_t files, int ms)
{
    if (files || ms < 0)
        return poll(file, files, ms);
    return rest(ms * 1e-3) > 0 ? -1 : 0;
}

const struct posix_function clocks_functions[] = {
    FUNCTION(clock_gettime),
    FUNCTION(clock_getres),
    FUNCTION(gettimeofday),
    FUNCTION(time),
    FUNCTION(clock),
    FUNCTION(times),
    FUNCTION(getrusage),
    FUNCTION(sleep),
    FUNCTION(usleep),
    FUNCTION(pause),
    FUNCTION_AS("nanosleep thrd_sleep", rank_nanosleep),
    FUNCTION(clock_nanosleep),
    FUNCTION_AS("sched_yield thrd_yield", rank_sched_yield),
    FUNCTION(timespec_get),
    FUNCTION(clock_getcpuclockid),
    FUNCTION(select),
    FUNCTION(poll),
    {NULL, NULL},
};
