#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* Operations of MPI_COMM_WORLD, of a part of it and of a part of that, in one order, with messages
 * between them: whose packets come before their operation must not matter. */
enum { COUNT = 700, ROUNDS = 4 };
static void check(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s is wrong\n", what);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}
int main(int argc, char **argv)
{
    MPI_Comm half, quarter;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2 ? 0 : MPI_UNDEFINED, rank, &half);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 4 ? 0 : MPI_UNDEFINED, rank, &quarter);
    static int data[COUNT];
    static double real[COUNT];
    for (int round = 0; round < ROUNDS; round++) {
        if (half != MPI_COMM_NULL) {
            int n, me;
            MPI_Comm_size(half, &n);
            MPI_Comm_rank(half, &me);
            for (int i = 0; i < COUNT; i++)
                data[i] = me + i, real[i] = me * 0.5;
            MPI_Allreduce(MPI_IN_PLACE, data, COUNT, MPI_INT, MPI_SUM, half);
            check(data[COUNT - 1] == n * (n - 1) / 2 + n * (COUNT - 1), "a sum");
            MPI_Allreduce(MPI_IN_PLACE, real, COUNT, MPI_DOUBLE, MPI_SUM, half);
            check(real[0] == n * (n - 1) / 4.0, "a sum of doubles");
        }
        if (quarter != MPI_COMM_NULL) {
            int root = round % (size / 4), value[COUNT], out[COUNT], me;
            MPI_Comm_rank(quarter, &me);
            for (int i = 0; i < COUNT; i++)
                value[i] = me == root ? round * 1000 + i : -1;
            MPI_Bcast(value, COUNT, MPI_INT, root, quarter);
            check(value[COUNT - 1] == round * 1000 + COUNT - 1, "a broadcast");
            for (int i = 0; i < COUNT; i++)
                value[i] = me, out[i] = -7;
            MPI_Reduce(value, out, COUNT, MPI_INT, MPI_MAX, root, quarter);
            check(me == root ? out[5] == size / 4 - 1 : out[5] == -7, "a maximum");
        }
        int word[COUNT] = {0};
        for (int i = 0; i < COUNT; i++)
            word[i] = rank == size - 1 ? round + i : 0;
        MPI_Bcast(word, COUNT, MPI_INT, size - 1, MPI_COMM_WORLD);
        check(word[COUNT - 1] == round + COUNT - 1, "a broadcast to all");
        int next = (rank + 1) % size, last = (rank + size - 1) % size, got;
        MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &got, 1, MPI_INT, last, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        check(got == last, "a message");
    }
    if (half != MPI_COMM_NULL)
        MPI_Comm_free(&half);
    if (quarter != MPI_COMM_NULL)
        MPI_Comm_free(&quarter);
    if (rank == 0)
        printf("all right\n");
    MPI_Finalize();
    return 0;
}
