/* Isend, Ibsend, Issend and Irsend around a ring, all under way at once. */
#include "check.h"

enum { MODES = 4, COUNT = 500 };

typedef int sender(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

int main(int argc, char **argv)
{
    static sender *const senders[MODES] = {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend};
    static int out[MODES][COUNT], in[MODES][COUNT];
    MPI_Request requests[2 * MODES];
    MPI_Status statuses[2 * MODES];
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    int bytes = COUNT * (int)sizeof(int) + MPI_BSEND_OVERHEAD;
    void *buffer = allocate(bytes);
    MPI_Buffer_attach(buffer, bytes);
    for (int i = 0; i < MODES; i++)
        MPI_Irecv(in[i], COUNT, MPI_INT, last, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD); /* all receives are posted: sends in ready mode are allowed */
    for (int i = 0; i < MODES; i++) {
        fill(out[i], COUNT - i, rank * MODES + i);
        senders[i](out[i], COUNT - i, MPI_INT, next, i, MPI_COMM_WORLD, &requests[MODES + i]);
    }
    MPI_Waitall(2 * MODES, requests, statuses);
    for (int i = 0; i < MODES; i++) {
        int count;
        MPI_Get_count(&statuses[i], MPI_INT, &count);
        expect("count", COUNT - i, count);
        expect("source", last, statuses[i].MPI_SOURCE);
        expect("tag", i, statuses[i].MPI_TAG);
        expect_pattern("data", in[i], COUNT - i, last * MODES + i);
    }
    for (int i = 0; i < 2 * MODES; i++)
        expect("request is null", 1, requests[i] == MPI_REQUEST_NULL);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    return finish("isend_modes");
}
