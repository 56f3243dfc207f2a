/* Waiting for files, messages and buffers at once; what nobody waits for; races for a name, and errors of windows that a
 * program handles. */
#include "check.h"

enum { COUNT = 2000 };

/* A message comes while a file is looked at. */
static void check_file_and_message(void)
{
    int out[4], in[4], data[COUNT], to = (rank + 1) % size, from = (rank + size - 1) % size;
    char name[40];
    MPI_File file;
    MPI_Request request[3];
    snprintf(name, sizeof(name), "mixed_waits.own%d", rank);
    fill(data, COUNT, rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_iwrite_at(file, 0, data, COUNT, MPI_INT, &request[0]);
    MPI_Request_free(&request[0]); /* what follows comes after it */
    memset(data, 0, sizeof(data));
    fill(out, 4, rank);
    MPI_Irecv(in, 4, MPI_INT, from, 0, MPI_COMM_WORLD, &request[0]);
    MPI_File_iread_at(file, 0, data, COUNT, MPI_INT, &request[1]);
    MPIX_Compute(2e6 * (rank % 3));
    MPI_Isend(out, 4, MPI_INT, to, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    expect_pattern("message", in, 4, from);
    MPI_File_read_at(file, 0, data, COUNT, MPI_INT, MPI_STATUS_IGNORE);
    expect_class("a view of no type", MPI_ERR_TYPE,
                 MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL));
    MPI_File_close(&file);
}

static void check_buffers(void)
{
    static char memory[2 * (64 + MPI_BSEND_OVERHEAD)];
    MPI_Request request[2];
    void *at;
    int value = rank, got, bytes;
    MPI_Buffer_attach(memory, sizeof(memory));
    MPI_Bsend(&value, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Buffer_iflush(&request[0]);
    MPI_Buffer_iflush(&request[1]);
    MPI_Recv(&got, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Buffer_detach(&at, &bytes);
    expect("buffered", rank, got);
}

/* One of all creates the file; which one is the same on any number of threads. */
static void check_race(void)
{
    const int mode = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY;
    MPI_File file;
    int won = MPI_File_open(MPI_COMM_SELF, "mixed_waits.race", mode, MPI_INFO_NULL, &file) == MPI_SUCCESS, winners, who = -1;
    int mine = won ? rank : -1;
    if (won)
        MPI_File_close(&file);
    MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &who, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect("winners", 1, winners);
    if (rank == 0)
        printf("rank %d of %d creates the file\n", who, size);
    int gone = MPI_File_delete("mixed_waits.race", MPI_INFO_NULL) == MPI_SUCCESS, deleters;
    MPI_Allreduce(&gone, &deleters, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("deleters", 1, deleters);
}

static void check_window(void)
{
    int *memory, value = 7;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    expect_class("a lock of nobody", MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, size, 0, window));
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    expect_class("a second lock", MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window));
    expect_class("a large displacement", MPI_ERR_RMA_RANGE,
                 MPI_Put(&value, 1, MPI_INT, 0, INT64_MAX, 1, MPI_INT, window));
    expect_class("no lock of MPI_PROC_NULL", MPI_ERR_RMA_SYNC, MPI_Win_unlock(MPI_PROC_NULL, window));
    MPI_Win_unlock(0, window);
    MPI_Win_fence(0, window); /* it is not locked any more */
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    check_file_and_message();
    check_buffers();
    check_race();
    check_window();
    return finish("mixed_waits");
}
