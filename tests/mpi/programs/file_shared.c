/* Shared pointers of files: records that each rank appends, those in the order of ranks, files
 * that are read in turns, and sequential ones. */
#include "check.h"

static const char name[] = "file_shared.data";

enum { RECORD = 4, TIMES = 5 };

/* The shared pointer hands out each record once. */
static void test_shared(void)
{
    int record[RECORD], *seen = allocate((size_t)(size * TIMES) * sizeof(int));
    int *all = allocate((size_t)(size * TIMES) * sizeof(int));
    MPI_Offset place;
    MPI_Request request;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    for (int i = 0; i < TIMES; i++) {
        fill(record, RECORD, rank * TIMES + i);
        record[0] = rank * TIMES + i;
        if (i % 2) {
            MPI_File_write_shared(file, record, RECORD, MPI_INT, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_File_iwrite_shared(file, record, RECORD, MPI_INT, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &place);
    expect("shared pointer", RECORD * TIMES * size, place);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    for (int i = 0; i < TIMES; i++) {
        MPI_File_read_shared(file, record, RECORD, MPI_INT, MPI_STATUS_IGNORE);
        int number = record[0] >= 0 && record[0] < size * TIMES ? record[0] : 0;
        seen[number]++;
        for (int k = 1; k < RECORD; k++)
            expect("record", pattern(number, k), record[k]);
    }
    MPI_Reduce(seen, all, size * TIMES, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size * TIMES; i++)
        expect("each record once", 1, all[i]);
    MPI_File_close(&file);
    free(seen);
    free(all);
}

/* Ranks write records of different lengths one behind the other. */
static void test_ordered(void)
{
    int out[64 + 2], in[64 + 2], length = rank % 64 + 1, before = 0, total = 0;
    MPI_Offset place, bytes;
    MPI_Status status;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_INFO_NULL, &file);
    MPI_File_get_position_shared(file, &place);
    MPI_File_get_position(file, &bytes);
    expect("appends", place, bytes);
    MPI_Exscan(&length, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&length, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    fill(out, length, rank);
    MPI_File_write_ordered(file, out, length, MPI_INT, &status);
    MPI_File_write_ordered_begin(file, out, length, MPI_INT);
    MPI_File_write_ordered_end(file, out, &status);
    MPI_Get_count(&status, MPI_INT, &length);
    expect("count", rank % 64 + 1, length);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, place + before * (MPI_Offset)sizeof(int), in, length, MPI_INT, &status);
    expect_pattern("in order", in, length, rank);
    MPI_File_seek_shared(file, -total * (MPI_Offset)sizeof(int), MPI_SEEK_END);
    MPI_File_read_ordered(file, in, length, MPI_INT, &status);
    expect_pattern("read in order", in, length, rank);
    MPI_File_get_size(file, &bytes);
    expect("size", place + 2 * total * (long long)sizeof(int), bytes);
    MPI_File_close(&file);
}

/* All write to one place at once: who is last does not depend on threads. */
static void test_one_place(void)
{
    int number;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < 10; i++) {
        number = i * size + rank;
        MPI_File_write_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("the last was rank %d\n", number % size);
    expect("its last", 9, number / size);
    number = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void test_sequential(void)
{
    int number = rank;
    char form[MPI_MAX_DATAREP_STRING];
    MPI_Datatype etype, filetype;
    MPI_Offset place;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name,
                  MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    expect_class("no place of its own", MPI_ERR_UNSUPPORTED_OPERATION,
                 MPI_File_read_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    MPI_File_read_ordered(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == 0)
        expect("first record", 1, number >= 0 && number < size * TIMES);
    MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_get_view(file, &place, &etype, &filetype, form);
    expect("goes on there", size * (long long)sizeof(int), place);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    test_shared();
    test_ordered();
    test_one_place();
    test_sequential();
    return finish("file_shared");
}
