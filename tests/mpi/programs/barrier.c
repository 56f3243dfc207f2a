/* Barrier: nobody leaves before the last has come, on the world and on parts of it. */
#include "check.h"

enum { TOKEN = 5 };

/* The late process enters only when all others have said that they are about to enter. A message
   that it sends before it enters must be there when the others have left. */
static void one_comes_late(int late)
{
    int value = -1;
    MPI_Request request;
    if (rank == late) {
        for (int i = 1; i < size; i++)
            MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, TOKEN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < size; i++)
            if (i != late)
                MPI_Ssend(&late, 1, MPI_INT, i, TOKEN, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        return;
    }
    int flag;
    MPI_Irecv(&value, 1, MPI_INT, late, TOKEN, MPI_COMM_WORLD, &request);
    MPI_Send(NULL, 0, MPI_INT, late, TOKEN, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    for (int tries = 0; !flag && tries < 1000; tries++)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    expect("message of the late one", 1, flag);
    if (!flag)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("late one", late, value);
}

static void parts(void)
{
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 3, rank, &part);
    for (int i = 0; i <= rank % 3; i++) /* parts have different numbers of barriers */
        MPI_Barrier(part);
    MPI_Comm_free(&part);
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    one_comes_late(0);
    one_comes_late(size / 2);
    one_comes_late(size - 1);
    parts();
    MPI_Barrier(MPI_COMM_WORLD);
    return finish("barrier");
}
