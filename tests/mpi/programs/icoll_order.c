/* Nonblocking operations that are under way while others block: what ranks start before a blocking
 * operation, others start behind it. */
#include "check.h"

static void barriers(MPI_Comm other)
{
    MPI_Request request;
    if (rank % 2 == 0)
        MPI_Ibarrier(other, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2)
        MPI_Ibarrier(other, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void broadcasts(MPI_Comm other)
{
    MPI_Request request;
    int late = rank ? 0 : 7, early = rank ? 0 : 8;
    if (rank % 2 == 0)
        MPI_Ibcast(&late, 1, MPI_INT, 0, other, &request);
    MPI_Bcast(&early, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank % 2)
        MPI_Ibcast(&late, 1, MPI_INT, 0, other, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("blocking broadcast", 8, early);
    expect("nonblocking broadcast", 7, late);
}

static void sums(MPI_Comm other)
{
    MPI_Request request;
    int one = 1, late = 0, early = 0;
    if (rank % 2 == 0)
        MPI_Iallreduce(&one, &late, 1, MPI_INT, MPI_SUM, other, &request);
    MPI_Allreduce(&one, &early, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank % 2)
        MPI_Iallreduce(&one, &late, 1, MPI_INT, MPI_SUM, other, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("blocking sum", size, early);
    expect("nonblocking sum", size, late);
}

int main(int argc, char **argv)
{
    MPI_Comm other;
    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    barriers(other);
    broadcasts(other);
    sums(other);
    MPI_Comm_free(&other);
    return finish("icoll_order");
}
