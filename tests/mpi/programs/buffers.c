/* Buffers for messages of one communicator or session; flushing them; statuses by functions. */
#include "check.h"

enum { COUNT = 100, BYTES = 4 * (COUNT * sizeof(int) + MPI_BSEND_OVERHEAD) };

/* Sends to the next rank from a buffer, and receives what the one before sent. */
static void exchange(MPI_Comm comm, int tag)
{
    int out[COUNT], in[COUNT], to = (rank + 1) % size, from = (rank + size - 1) % size;
    fill(out, COUNT, rank + tag);
    MPI_Bsend(out, COUNT, MPI_INT, to, tag, comm);
    MPI_Recv(in, COUNT, MPI_INT, from, tag, comm, MPI_STATUS_IGNORE);
    expect_pattern("buffered", in, COUNT, from + tag);
}

static void check_comm(void *memory)
{
    MPI_Comm comm;
    MPI_Request request;
    void *back;
    int bytes, flag;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_attach_buffer(comm, memory, BYTES);
    exchange(comm, 1);
    MPI_Comm_flush_buffer(comm);
    exchange(comm, 2);
    MPI_Comm_iflush_buffer(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_detach_buffer(comm, &back, &bytes);
    expect("memory", 1, back == memory);
    expect("bytes", BYTES, bytes);
    MPI_Buffer_attach(memory, BYTES); /* all other communicators */
    exchange(comm, 3);
    MPI_Buffer_iflush(&request);
    for (flag = 0; !flag;)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Buffer_flush();
    MPI_Buffer_detach(&back, &bytes);
    MPI_Comm_disconnect(&comm);
    expect("disconnected", 1, comm == MPI_COMM_NULL);
}

static void check_statuses(void)
{
    MPI_Request request[3];
    MPI_Status status[3];
    int in[3], index, flag, done, indices[3], value;
    for (int i = 0; i < 3; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &request[i]);
    MPI_Request_get_status_any(3, request, &index, &flag, &status[0]);
    expect("none has come", 0, flag);
    value = 5;
    MPI_Send(&value, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        MPI_Request_get_status_any(3, request, &index, &flag, &status[0]);
    expect("which has come", 1, index);
    MPI_Status_get_tag(&status[0], &value);
    expect("tag", 1, value);
    MPI_Status_get_source(&status[0], &value);
    expect("source", rank, value);
    MPI_Request_get_status_some(3, request, &done, indices, status);
    expect("how many have come", 1, done);
    MPI_Request_get_status_all(3, request, &flag, status);
    expect("all have come", 0, flag);
    MPI_Send(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, rank, 2, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        MPI_Request_get_status_all(3, request, &flag, status);
    MPI_Status_set_error(&status[2], MPI_ERR_OTHER);
    MPI_Status_get_error(&status[2], &value);
    expect("error", MPI_ERR_OTHER, value);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    expect("data", 5, in[1]);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    void *memory = allocate(BYTES);
    check_comm(memory);
    check_statuses();
    free(memory);
    return finish("buffers");
}
