/* The profiling interface: the program's own MPI_Send and MPI_Barrier call PMPI_Send and so on. */
#include "check.h"

static int sends, barriers;
static long long elements;

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    sends++;
    elements += count;
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}

int main(int argc, char **argv)
{
    int data[10], all = 0;
    begin(&argc, &argv);
    int partner = rank ^ 1;
    for (int i = 0; i < 10 && partner < size; i++) {
        fill(data, i, rank);
        if (rank < partner) {
            MPI_Send(data, i, MPI_INT, partner, i, MPI_COMM_WORLD);
            PMPI_Recv(data, 10, MPI_INT, partner, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(data, 10, MPI_INT, partner, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            expect_pattern("data", data, i, partner);
            PMPI_Send(data, i, MPI_INT, partner, i, MPI_COMM_WORLD);
        }
        expect_pattern("data", data, i, rank < partner ? rank : partner);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    PMPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    int wrapped = partner < size && rank < partner;
    expect("sends", wrapped ? 10 : 0, sends);
    expect("elements", wrapped ? 45 : 0, elements);
    expect("barriers", 1, barriers);
    PMPI_Allreduce(&sends, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("sends of all", size / 2 * 10, all);
    return finish("pmpi");
}
