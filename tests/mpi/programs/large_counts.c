/* Functions with large counts: MPI_Send_c() and the like, lists of large counts and displacements, and
 * types of more than 2^31 elements. */
#include "check.h"

/* A type of 2^32 + 2 bytes, of which three integers are there: at the ends and in the middle. */
static MPI_Datatype wide(MPI_Count *extent)
{
    const MPI_Count lengths[3] = {1, 1, 1}, displs[3] = {0, 1ll << 30, 1ll << 31};
    MPI_Datatype type;
    MPI_Count low;
    MPI_Type_indexed_c(3, lengths, displs, MPI_SHORT, &type);
    MPI_Type_commit(&type);
    MPI_Type_get_extent_c(type, &low, extent);
    return type;
}

static void check_types(void)
{
    MPI_Count extent, size, of[4], large[7];
    int small, integers[7], combiner;
    MPI_Aint addresses[1];
    MPI_Datatype type = wide(&extent), huge, old[1];
    expect("extent", (1ll << 32) + 2, extent);
    MPI_Type_size_c(type, &size);
    expect("size", 6, size);
    MPI_Type_get_envelope_c(type, &of[0], &of[1], &of[2], &of[3], &combiner);
    expect("combiner", MPI_COMBINER_INDEXED, combiner);
    expect("integers", 0, of[0]);
    expect("large counts", 7, of[2]);
    MPI_Type_get_contents_c(type, 0, 0, 7, 1, integers, addresses, large, old);
    expect("number of blocks", 3, large[0]);
    expect("last displacement", 1ll << 31, large[6]);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect_class("contents by integers", MPI_ERR_TYPE,
                 MPI_Type_get_contents(type, 7, 0, 1, integers, addresses, old));
    MPI_Type_contiguous_c(3ll << 30, MPI_INT, &huge);
    MPI_Type_size_c(huge, &size);
    expect("large size", 12ll << 30, size);
    MPI_Type_size(huge, &small);
    expect("size that is no int", MPI_UNDEFINED, small);
    MPI_Type_free(&huge);
    MPI_Type_free(&type);
}

static void add(void *in, void *inout, MPI_Count *count, MPI_Datatype *type)
{
    (void)type;
    for (MPI_Count i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void check_messages(void)
{
    int out[5], in[5], to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Status status;
    MPI_Count count;
    fill(out, 5, rank);
    MPI_Irecv_c(in, 5, MPI_INT, from, 7, MPI_COMM_WORLD, &request);
    MPI_Send_c(out, 5, MPI_INT, to, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    MPI_Get_count_c(&status, MPI_INT, &count);
    expect("count", 5, count);
    expect_pattern("message", in, 5, from);
    MPI_Count position = 0;
    MPI_Pack_c(out, 5, MPI_INT, in, sizeof(in), &position, MPI_COMM_WORLD);
    expect("position", sizeof(in), position);
}

/* Rank i gives i + 1 numbers; they arrive in the opposite order. */
static void check_collective(void)
{
    MPI_Count *counts = allocate((size_t)size * sizeof(*counts));
    MPI_Aint *displs = allocate((size_t)size * sizeof(*displs));
    int all = size * (size + 1) / 2, at = all, sum = rank, total, total_of_ranks = size * (size - 1) / 2;
    int *out = allocate((size_t)size * sizeof(*out)), *in = allocate((size_t)all * sizeof(*in));
    MPI_Request request;
    MPI_Op op;
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        displs[i] = at -= i + 1;
    }
    fill(out, rank + 1, rank);
    MPI_Iallgatherv_c(out, rank + 1, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; i++)
        expect_pattern("gathered", in + displs[i], i + 1, i);
    MPI_Op_create_c(add, 1, &op);
    MPI_Allreduce_c(&sum, &total, 1, MPI_INT, op, MPI_COMM_WORLD);
    expect("sum", total_of_ranks, total);
    MPI_Op_free(&op);
    free(counts);
    free(displs);
    free(out);
    free(in);
}

static void check_window_and_file(void)
{
    int *memory, value = rank + 1, got = 0, next = (rank + 1) % size;
    MPI_Win window;
    MPI_File file;
    MPI_Status status;
    MPI_Count count;
    char name[32];
    MPI_Win_allocate_c(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Win_fence(0, window);
    MPI_Put_c(&value, 1, MPI_INT, next, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    expect("put", (rank + size - 1) % size + 1, *memory);
    MPI_Win_free(&window);
    snprintf(name, sizeof(name), "large_counts.own%d", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at_c(file, 8, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at_c(file, 8, &got, 1, MPI_INT, &status);
    MPI_Get_count_c(&status, MPI_INT, &count);
    expect("read", value, got);
    expect("count of a file", 1, count);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    check_window_and_file();
    check_types();
    check_messages();
    check_collective();
    return finish("large_counts");
}
