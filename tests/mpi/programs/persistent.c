/* Persistent requests of every mode, started again and again, one by one and all together. */
#include "check.h"

enum { MODES = 4, COUNT = 64, ROUNDS = 5 };

static int out[MODES][COUNT], in[MODES][COUNT];

static void create(MPI_Request *requests)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i < MODES; i++)
        MPI_Recv_init(in[i], COUNT, MPI_INT, last, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Send_init(out[0], COUNT, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[4]);
    MPI_Bsend_init(out[1], COUNT, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[5]);
    MPI_Ssend_init(out[2], COUNT, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[6]);
    MPI_Rsend_init(out[3], COUNT, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[7]);
}

static void play(MPI_Request *requests, int round)
{
    int last = (rank + size - 1) % size;
    for (int i = 0; i < MODES; i++)
        fill(out[i], COUNT, rank + i + 100 * round);
    MPI_Startall(MODES, requests);
    MPI_Barrier(MPI_COMM_WORLD);
    if (round % 2)
        MPI_Startall(MODES, requests + MODES);
    else
        for (int i = 2 * MODES - 1; i >= MODES; i--)
            MPI_Start(&requests[i]);
    MPI_Waitall(2 * MODES, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MODES; i++)
        expect_pattern("data", in[i], COUNT, last + i + 100 * round);
}

int main(int argc, char **argv)
{
    MPI_Request requests[2 * MODES];
    begin(&argc, &argv);
    int bytes = 2 * (COUNT * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
    void *buffer = allocate(bytes);
    MPI_Buffer_attach(buffer, bytes);
    create(requests);
    for (int round = 0; round < ROUNDS; round++)
        play(requests, round);
    for (int i = 0; i < 2 * MODES; i++) {
        expect("request stays", 1, requests[i] != MPI_REQUEST_NULL);
        MPI_Request_free(&requests[i]);
        expect("request is freed", 1, requests[i] == MPI_REQUEST_NULL);
    }
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    return finish("persistent");
}
