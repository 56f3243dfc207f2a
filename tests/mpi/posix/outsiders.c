/* What is no rank calls MPI, or a rank would become what is none, as the first word says. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *arg)
{
    int rank;
    if (strcmp(arg, "thread") == 0)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(arg, "fault") == 0)
        *(volatile int *)NULL = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, status = 0;
    pthread_t thread;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "exec") == 0 && rank == 1)
        execl("/bin/true", "true", (char *)NULL);
    if (strcmp(argv[1], "child") == 0 && rank == 1) {
        pid_t child = fork();
        if (child == 0) {
            MPI_Barrier(MPI_COMM_WORLD);
            printf("a child in MPI\n");
            exit(0);
        }
        waitpid(child, &status, 0);
        printf("its child has ended with code %d\n", WEXITSTATUS(status));
    }
    if (rank == 1 && pthread_create(&thread, NULL, work, argv[1]) == 0)
        pthread_join(thread, NULL);
    return MPI_Finalize();
}
