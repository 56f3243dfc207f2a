/*
 * Simulated time. Clocks begin when the program does, dates on the first day of 2005, when Blue
 * Gene/L's papers appeared. Asking for the time takes time, which the host counts.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <string.h>

#include "posix/internal.h"

enum { FIRST_DAY = 1104537600, TICKS = 100 };

static double seconds(void)
{
    struct posix_rank *r = posix_current();
    return r->now = r->host->seconds(r->owner);
}

static struct timespec as_timespec(double time)
{
    struct timespec t = {.tv_sec = (time_t)floor(time)};
    t.tv_nsec = (long)((time - (double)t.tv_sec) * 1e9);
    return t;
}

static struct timeval as_timeval(double time)
{
    struct timespec t = as_timespec(time);
    return (struct timeval){t.tv_sec, t.tv_nsec / 1000};
}

static int rank_clock_gettime(clockid_t clock, struct timespec *time)
{
    *time = as_timespec(seconds());
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        time->tv_sec += FIRST_DAY;
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
        *time = as_timeval(seconds());
        time->tv_sec += FIRST_DAY;
    }
    return 0;
}

static time_t rank_time(time_t *time)
{
    time_t now = FIRST_DAY + (time_t)seconds();
    if (time)
        *time = now;
    return now;
}

static clock_t rank_clock(void)
{
    return (clock_t)(seconds() * CLOCKS_PER_SEC);
}

static clock_t rank_times(struct tms *times)
{
    clock_t now = (clock_t)(seconds() * TICKS);
    if (times)
        *times = (struct tms){.tms_utime = now};
    return now;
}

static int rank_getrusage(int who, struct rusage *usage)
{
    memset(usage, 0, sizeof(*usage));
    if (who != RUSAGE_CHILDREN)
        usage->ru_utime = as_timeval(seconds());
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

static void rest(double time)
{
    const struct posix_rank *r = posix_current();
    if (time > 0)
        r->host->sleep(r->owner, time);
}

static unsigned rank_sleep(unsigned time)
{
    rest(time);
    return 0;
}

static int rank_usleep(useconds_t us)
{
    rest(us * 1e-6);
    return 0;
}

static int rank_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                                struct timespec *left)
{
    struct timespec now = {0, 0};
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= 1000000000)
        return EINVAL;
    if (flags & TIMER_ABSTIME)
        rank_clock_gettime(clock, &now);
    rest((double)(time->tv_sec - now.tv_sec) + (double)(time->tv_nsec - now.tv_nsec) * 1e-9);
    if (left && !(flags & TIMER_ABSTIME)) /* it may be the same record as the time */
        *left = (struct timespec){0, 0};
    return 0;
}

static int rank_nanosleep(const struct timespec *time, struct timespec *left)
{
    int code = rank_clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    errno = code ? code : errno;
    return code ? -1 : 0;
}

/* Lets time pass, as the calls of an operating system do. */
static int rank_sched_yield(void)
{
    (void)seconds();
    return 0;
}

/* ---- waiting for no file is sleep, too ---- */

static int rank_select(int files, fd_set *in, fd_set *out, fd_set *other, struct timeval *time)
{
    if (files || !time)
        return select(files, in, out, other, time);
    rest((double)time->tv_sec + (double)time->tv_usec * 1e-6);
    return 0;
}

static int rank_poll(struct pollfd *file, nfds_t files, int ms)
{
    if (files || ms < 0)
        return poll(file, files, ms);
    rest(ms * 1e-3);
    return 0;
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
    FUNCTION_AS("nanosleep thrd_sleep", rank_nanosleep),
    FUNCTION(clock_nanosleep),
    FUNCTION_AS("sched_yield thrd_yield", rank_sched_yield),
    FUNCTION(timespec_get),
    FUNCTION(clock_getcpuclockid),
    FUNCTION(select),
    FUNCTION(poll),
    {NULL, NULL},
};
