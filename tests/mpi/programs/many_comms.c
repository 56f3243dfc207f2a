/* Dozens of communicators, made and freed again, ten of them alive at the same time. */
#include "check.h"

enum { ALIVE = 10, ROUNDS = 20 };

int main(int argc, char **argv)
{
    MPI_Comm comms[ALIVE];
    begin(&argc, &argv);
    for (int i = 0; i < ALIVE; i++)
        comms[i] = MPI_COMM_NULL;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < ALIVE; i++) {
            if (comms[i] != MPI_COMM_NULL && (i + round) % 3)
                continue;
            if (comms[i] != MPI_COMM_NULL)
                MPI_Comm_free(&comms[i]);
            if ((i + round) % 2)
                MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
            else
                MPI_Comm_split(MPI_COMM_WORLD, rank % (i + 1), rank, &comms[i]);
        }
        int which = round % ALIVE, count, sum, one = 1;
        MPI_Comm_size(comms[which], &count);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[which]);
        expect("number of processes", count, sum);
    }
    for (int i = 0; i < ALIVE; i++)
        MPI_Comm_free(&comms[i]);
    return finish("many_comms");
}
