/* Comm_dup, Comm_dup_with_info and Comm_idup: same processes and order, but messages apart. */
#include "check.h"

static void check(const char *what, MPI_Comm comm)
{
    int me, count, relation, sum;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &count);
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    expect(what, rank, me);
    expect(what, size, count);
    expect(what, MPI_CONGRUENT, relation);
    expect(what, size * (size - 1) / 2, sum);
}

static void nonblocking(void)
{
    MPI_Comm copies[3];
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++)
        MPI_Comm_idup(MPI_COMM_WORLD, &copies[i], &requests[i]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++)
        check("idup", copies[i]);
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&copies[i]);
}

static void apart(MPI_Comm copy)
{
    int in = -1, flag, next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, last, 0, copy, &request);
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &flag, 1, MPI_INT, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect("message of the world", last, flag);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (size == 1) /* else a neighbour may already be past this point */
        expect("message of the copy", 0, flag);
    MPI_Send(&next, 1, MPI_INT, next, 0, copy);
    if (request != MPI_REQUEST_NULL)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("message", rank, in);
}

int main(int argc, char **argv)
{
    MPI_Comm copy, second;
    MPI_Info info;
    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    check("dup", copy);
    apart(copy);
    MPI_Comm_dup(copy, &second);
    MPI_Comm_free(&copy);
    expect("freed handle", 1, copy == MPI_COMM_NULL);
    check("dup of a dup", second);
    MPI_Comm_free(&second);
    MPI_Info_create(&info);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &copy);
    MPI_Info_free(&info);
    check("dup with info", copy);
    MPI_Comm_free(&copy);
    nonblocking();
    return finish("comm_dup");
}
