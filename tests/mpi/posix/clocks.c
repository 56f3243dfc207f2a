/* Clocks move between two reads, though computing takes no time: programs calibrate by them. With a
 * word, only those that are fine. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static double of_mpi(void)
{
    return MPI_Wtime();
}

static double of_posix(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double of_day(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double of_c(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static double of_usage(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

static double of_times(void)
{
    struct tms t;
    return (double)times(&t);
}

static double of_date(void)
{
    return (double)time(NULL);
}

static int wrong;

/* Fine clocks move at each read, coarse ones after some. */
static void check(const char *name, double (*clock)(void), long most)
{
    double before = clock();
    for (int i = 0; i < 5; i++) {
        double now = before;
        for (long reads = 0; now <= before && reads < most; reads++)
            now = clock();
        if (now <= before && !wrong++)
            printf("%s stands still\n", name);
        before = now;
    }
}

static void *check_all(void *arg)
{
    check("clock_gettime", of_posix, 1);
    check("gettimeofday", of_day, 1);
    check("clock", of_c, 1);
    check("getrusage", of_usage, 1);
    if (!arg)
        check("times", of_times, 100000000);
    return arg;
}

int main(int argc, char **argv)
{
    int rank;
    pthread_t thread;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check("MPI_Wtime", of_mpi, 1);
    check_all(argv[1]);
    if (rank == 0 && argc == 1)
        check("time", of_date, 1000000000);
    if (pthread_create(&thread, NULL, check_all, argv[1]) == 0)
        pthread_join(thread, NULL);
    if (rank == 0 && !wrong)
        printf("ok\n");
    return MPI_Finalize();
}
