/* MPI_COMM_SELF: one process, on which all operations work and end at once. */
#include "check.h"

int main(int argc, char **argv)
{
    int me = -1, count = -1, in = 0, all = 0, value = 7, color;
    MPI_Comm copy, part, grid;
    MPI_Request request;
    begin(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_SELF, &me);
    MPI_Comm_size(MPI_COMM_SELF, &count);
    expect("rank", 0, me);
    expect("size", 1, count);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    expect("allreduce", rank, all);
    MPI_Gather(&rank, 1, MPI_INT, &in, 1, MPI_INT, 0, MPI_COMM_SELF);
    expect("gather", rank, in);
    MPI_Alltoall(&value, 1, MPI_INT, &in, 1, MPI_INT, MPI_COMM_SELF);
    expect("alltoall", 7, in);
    MPI_Scan(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    expect("scan", rank, all);
    MPI_Iallgather(&value, 1, MPI_INT, &all, 1, MPI_INT, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("iallgather", 7, all);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    color = rank;
    MPI_Comm_split(copy, color, 0, &part);
    MPI_Comm_size(part, &count);
    expect("size of a split", 1, count);
    int one = 1, periodic = 1, source, dest;
    MPI_Cart_create(part, 1, &one, &periodic, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &source, &dest);
    expect("own neighbour", 0, source + dest);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
    return finish("comm_self");
}
