/*
 * For tests/random: put before a program by LD_PRELOAD, it makes `weft run --checkpoint` write a
 * checkpoint after every window, and ends the process right behind the one that CUT_AFTER counts.
 * So a run of a few milliseconds is cut at a moment that can be repeated.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STEP_NS = 200000000, NS = 1000000000, CUT_STATUS = 77 };

/* Each look at the clock comes a fifth of a second after the last one, from the look on that
 * CUT_SKIP counts. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
    static _Atomic long long looks;
    const char *skip = getenv("CUT_SKIP");
    long code = syscall(SYS_clock_gettime, clock, time);
    if (code == 0 && clock == CLOCK_MONOTONIC && ++looks > (skip ? atoi(skip) : 0)) {
        long long ahead = time->tv_nsec + looks * STEP_NS;
        time->tv_sec += (time_t)(ahead / NS);
        time->tv_nsec = (long)(ahead % NS);
    }
    return (int)code;
}

/* A file that was written appears under its name. */
int rename(const char *from, const char *to)
{
    static _Atomic int states;
    int code = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    const char *name = strrchr(to, '/'), *after = getenv("CUT_AFTER");
    if (code == 0 && strcmp(name ? name + 1 : to, "state") == 0 && after && ++states == atoi(after))
        _exit(CUT_STATUS);
    return code;
}
