/* A communicator that some members make and a copy that all do, in either order. Then with one tag, again and again. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Group everybody;
    MPI_Comm group_comm, copy;
    MPI_Request request;
    int one = 1, sum = 0;
    begin(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    for (int tag = 0; tag < 4; tag++) {
        if (rank % 2)
            MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
        MPI_Comm_create_group(MPI_COMM_WORLD, everybody, tag, &group_comm);
        if (rank % 2 == 0)
            MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
        expect("members of the copy", size, sum);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, group_comm);
        expect("members of the group", size, sum);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&group_comm);
    }
    for (int i = 0; i < 8; i++) {
        MPI_Comm_create_group(MPI_COMM_WORLD, everybody, 0, &group_comm);
        MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, group_comm);
        if (rank == 0)
            expect("members of the group, again", size, sum);
        MPI_Comm_free(&group_comm);
    }
    MPI_Group_free(&everybody);
    return finish("create_group_idup");
}
