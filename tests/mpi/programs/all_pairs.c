/* Every process exchanges a message of its own length with every other, all at once. */
#include "check.h"

static int length_of(int from, int to)
{
    return (from * 5 + to * 3) % 64;
}

static int sender_of(int from, int to)
{
    return from * 1000 + to;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int(*out)[64] = allocate(size * sizeof(*out)), (*in)[64] = allocate(size * sizeof(*in));
    MPI_Request *requests = allocate(2 * size * sizeof(MPI_Request));
    MPI_Status *statuses = allocate(2 * size * sizeof(MPI_Status));
    for (int from = 0; from < size; from++)
        MPI_Irecv(in[from], 64, MPI_INT, from, 0, MPI_COMM_WORLD, &requests[from]);
    for (int i = 0; i < size; i++) {
        int to = (rank + i) % size;
        fill(out[to], length_of(rank, to), sender_of(rank, to));
        MPI_Isend(out[to], length_of(rank, to), MPI_INT, to, 0, MPI_COMM_WORLD,
                  &requests[size + i]);
    }
    MPI_Waitall(2 * size, requests, statuses);
    for (int from = 0; from < size; from++) {
        int count;
        MPI_Get_count(&statuses[from], MPI_INT, &count);
        expect("source", from, statuses[from].MPI_SOURCE);
        expect("count", length_of(from, rank), count);
        expect_pattern("data", in[from], length_of(from, rank), sender_of(from, rank));
    }
    free(out);
    free(in);
    free(requests);
    free(statuses);
    return finish("all_pairs");
}
