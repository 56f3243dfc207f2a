/*
 * What ranks of one process have apart, and how they end: alarms, folders, dates, signals. The
 * first word says which.
 */
#include <mpi.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int rung;

static void on_alarm(int number)
{
    (void)number;
    rung++;
}

/* Two seconds of simulated time, then every half of one. */
static void alarms(int me)
{
    struct itimerval every = {{0, 500000}, {0, 500000}};
    signal(SIGALRM, on_alarm);
    alarm(2);
    unsigned left = sleep(10);
    printf("%d: %d rung, %u left, %.1f s\n", me, rung, left, MPI_Wtime());
    setitimer(ITIMER_REAL, &every, NULL);
    while (rung < 5)
        pause();
    printf("%d: %d rung, %.1f s\n", me, rung, MPI_Wtime());
}

static void write_to_nobody(int me)
{
    int ends[2];
    if (pipe(ends) == 0)
        close(ends[0]);
    ssize_t written = write(ends[1], "x", 1);
    printf("%d: %d, %s\n", me, (int)written, errno == EPIPE ? "EPIPE" : strerror(errno));
}

/* Each in a folder of its own, while others run. */
static void folders(int me)
{
    char name[32], here[4096];
    snprintf(name, sizeof(name), "folder%d", me);
    mkdir(name, 0777);
    if (chdir(name) != 0)
        perror("chdir");
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        FILE *f = fopen("ranks", "a");
        fprintf(f, "%d\n", me);
        fclose(f);
    }
    printf("%d: %s\n", me, strrchr(getcwd(here, sizeof(here)), '/') + 1);
}

/* Two ways to fail, at the same time. */
static void fail(int me)
{
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d: before\n", me);
    if (me % 3 == 1)
        abort();
    if (me % 3 == 2)
        MPI_Abort(MPI_COMM_WORLD, 10 + me);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    char text[64];
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const char *what = argc > 1 ? argv[1] : "";
    time_t now = time(NULL);
    if (strcmp(what, "alarms") == 0)
        alarms(me);
    if (strcmp(what, "alarm") == 0) {
        alarm(1);
        sleep(5);
    }
    if (strcmp(what, "ignored") == 0)
        signal(SIGPIPE, SIG_IGN);
    if (strcmp(what, "ignored") == 0 || strcmp(what, "pipe") == 0)
        write_to_nobody(me);
    if (strcmp(what, "exit") == 0 && me == 1)
        syscall(SYS_exit_group, 7);
    if (strcmp(what, "folders") == 0)
        folders(me);
    if (strcmp(what, "date") == 0 && strftime(text, sizeof(text), "%F %T", gmtime(&now)))
        printf("%d: %s\n", me, text);
    if (strcmp(what, "fail") == 0)
        fail(me);
    MPI_Finalize();
    return 0;
}
