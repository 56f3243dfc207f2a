/* A master hands out tasks one by one to whoever asks; each task is done exactly once. */
#include "check.h"

enum { TASKS = 100, WORK = 1, STOP = 2, RESULT = 3 };

/* The number of steps of the Collatz sequence. */
static int collatz(int number)
{
    int steps = 0;
    for (long n = number; n != 1; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}

static void give(int *next, int to)
{
    if (*next <= TASKS)
        MPI_Send(next, 1, MPI_INT, to, WORK, MPI_COMM_WORLD);
    else
        MPI_Send(NULL, 0, MPI_INT, to, STOP, MPI_COMM_WORLD);
    ++*next;
}

static long master(void)
{
    int next = 1, done[TASKS + 1] = {0}, answer[2];
    long total = 0;
    MPI_Status status;
    for (int worker = 1; worker < size; worker++)
        give(&next, worker);
    for (int i = 0; i < TASKS; i++) {
        MPI_Recv(answer, 2, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        give(&next, status.MPI_SOURCE);
        done[answer[0]]++;
        total += answer[1];
    }
    for (int task = 1; task <= TASKS; task++)
        expect("times done", 1, done[task]);
    return total;
}

static void worker(void)
{
    int answer[2];
    MPI_Status status;
    for (;;) {
        MPI_Recv(answer, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        answer[1] = collatz(answer[0]);
        MPI_Send(answer, 2, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    long total = 0, right = 0;
    begin(&argc, &argv);
    for (int task = 1; task <= TASKS; task++)
        right += collatz(task);
    if (rank > 0)
        worker();
    else
        total = size > 1 ? master() : right;
    if (rank == 0) {
        expect("total", right, total);
        printf("total: %ld\n", total);
    }
    return finish("master_worker");
}
