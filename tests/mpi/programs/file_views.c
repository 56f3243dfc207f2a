/* Files as ranks see them by filetypes: vectors, sub-arrays, blocks of an array; collective and
 * independent accesses, positions, external32. */
#include "check.h"

static const char name[] = "file_views.data";

static MPI_File open_new(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    return file;
}

/* All of the file, as bytes. */
static void read_whole(void *data, size_t bytes)
{
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *file = fopen(name, "rb");
    expect("bytes", (long long)bytes, file ? (long long)fread(data, 1, bytes, file) : 0);
    expect("end", EOF, file ? fgetc(file) : 0);
    if (file)
        fclose(file);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Ranks write every size-th pair of numbers, behind a header. */
static void test_interleaved(void)
{
    enum { PAIRS = 40, HEADER = 3 };
    int out[2 * PAIRS], in[2 * PAIRS],
        *all = allocate((size_t)(HEADER + 2 * PAIRS * size) * sizeof(int));
    MPI_File file = open_new();
    MPI_Datatype pair, pairs, etype, filetype;
    MPI_Offset place;
    char form[MPI_MAX_DATAREP_STRING];
    MPI_Aint low, extent;
    if (rank == 0)
        MPI_File_write(file, "header......", HEADER * (int)sizeof(int), MPI_CHAR,
                       MPI_STATUS_IGNORE);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 2 * size * (MPI_Aint)sizeof(int), &pairs);
    MPI_Type_commit(&pairs);
    MPI_Type_free(&pair);
    place = (HEADER + 2 * rank) * (MPI_Offset)sizeof(int);
    MPI_File_set_view(file, place, MPI_INT, pairs, "native", MPI_INFO_NULL);
    MPI_Type_free(&pairs);
    fill(out, 2 * PAIRS, rank);
    MPI_File_write_all(file, out, PAIRS + 1, MPI_INT, MPI_STATUS_IGNORE); /* ends within a pair */
    MPI_File_write_all(file, out + PAIRS + 1, PAIRS - 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_position(file, &place);
    expect("position", 2 * PAIRS, place);
    MPI_File_get_byte_offset(file, 5, &place);
    expect("byte offset", (HEADER + 2 * rank + 2 * 2 * size + 1) * (long long)sizeof(int), place);
    read_whole(all, (size_t)(HEADER + 2 * PAIRS * size) * sizeof(int));
    expect("header", 0, memcmp(all, "header......", HEADER * sizeof(int)));
    for (int i = 0; i < 2 * PAIRS * size; i++)
        expect("interleaved", pattern(i / 2 % size, i / 2 / size * 2 + i % 2), all[HEADER + i]);
    MPI_File_seek(file, -3, MPI_SEEK_END);
    MPI_File_get_position(file, &place);
    MPI_File_seek(file, 2, MPI_SEEK_SET);
    MPI_File_read(file, in, 2 * PAIRS - 2, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2 * PAIRS - 2; i++)
        expect("read", pattern(rank, i + 2), in[i]);
    MPI_File_get_view(file, &place, &etype, &filetype, form);
    expect("displacement", (HEADER + 2 * rank) * (long long)sizeof(int), place);
    expect("etype", 1, etype == MPI_INT);
    MPI_Type_get_extent(filetype, &low, &extent);
    expect("extent", 2 * size * (long long)sizeof(int), extent);
    expect_text("form", "native", form);
    MPI_Type_free(&filetype);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    free(all);
}

/* A matrix whose columns of blocks belong to ranks, from memory with a border around. */
static void test_subarray(void)
{
    enum { ROWS = 12, COLUMNS = 5, BORDER = 1 };
    int own[ROWS + 2 * BORDER][COLUMNS + 2 * BORDER], back[ROWS * COLUMNS];
    int sizes[2] = {ROWS, COLUMNS * size}, part[2] = {ROWS, COLUMNS},
        first[2] = {0, COLUMNS * rank};
    int mine[2] = {ROWS + 2 * BORDER, COLUMNS + 2 * BORDER}, border[2] = {BORDER, BORDER};
    int *all = allocate((size_t)(ROWS * COLUMNS * size) * sizeof(int));
    MPI_Datatype inside, share;
    MPI_Request request;
    MPI_File file = open_new();
    MPI_Type_create_subarray(2, sizes, part, first, MPI_ORDER_C, MPI_INT, &share);
    MPI_Type_create_subarray(2, mine, part, border, MPI_ORDER_C, MPI_INT, &inside);
    MPI_Type_commit(&share);
    MPI_Type_commit(&inside);
    memset(own, 0, sizeof(own));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        own[i / COLUMNS + BORDER][i % COLUMNS + BORDER] = pattern(rank, i);
    MPI_File_set_view(file, 0, MPI_INT, share, "native", MPI_INFO_NULL);
    MPI_File_iwrite_at_all(file, 0, own, 1, inside, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    read_whole(all, (size_t)(ROWS * COLUMNS * size) * sizeof(int));
    for (int i = 0; i < ROWS * COLUMNS * size; i++) {
        int row = i / (COLUMNS * size), column = i % (COLUMNS * size);
        expect("matrix", pattern(column / COLUMNS, row * COLUMNS + column % COLUMNS), all[i]);
    }
    MPI_File_read_at_all_begin(file, 0, back, ROWS * COLUMNS, MPI_INT);
    MPI_File_read_at_all_end(file, back, MPI_STATUS_IGNORE);
    expect_pattern("share", back, ROWS * COLUMNS, rank);
    MPI_Type_free(&share);
    MPI_Type_free(&inside);
    MPI_File_close(&file);
    free(all);
}

/* A block-cyclic array. */
static void test_darray(void)
{
    enum { COUNT = 6 };
    int all_size = COUNT * size, cyclic = MPI_DISTRIBUTE_CYCLIC, argument = 2, out[COUNT];
    int *all = allocate((size_t)all_size * sizeof(int));
    MPI_Datatype share;
    MPI_File file = open_new();
    MPI_Type_create_darray(size, rank, 1, &all_size, &cyclic, &argument, &size, MPI_ORDER_C,
                           MPI_INT, &share);
    MPI_Type_commit(&share);
    MPI_File_set_view(file, 0, MPI_INT, share, "internal", MPI_INFO_NULL);
    fill(out, COUNT, rank);
    MPI_File_write_at(file, 0, out, COUNT, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Type_free(&share);
    read_whole(all, (size_t)all_size * sizeof(int));
    for (int i = 0; i < all_size; i++)
        expect("cyclic", pattern(i / 2 % size, i / (2 * size) * 2 + i % 2), all[i]);
    MPI_File_close(&file);
    free(all);
}

static void test_external(void)
{
    double out[3] = {rank, 1.5, -2}, in[3] = {0};
    unsigned char *all = allocate((size_t)(24 * size));
    MPI_File file = open_new();
    MPI_Aint extent;
    MPI_File_set_view(file, 24 * rank, MPI_DOUBLE, MPI_DOUBLE, "external32", MPI_INFO_NULL);
    MPI_File_get_type_extent(file, MPI_DOUBLE, &extent);
    expect("extent", 8, extent);
    MPI_File_write_all(file, out, 3, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 0, in, 3, MPI_DOUBLE, MPI_STATUS_IGNORE);
    expect("converted", 0, memcmp(in, out, sizeof(in)));
    read_whole(all, (size_t)(24 * size));
    expect("1.5 in external32", 0, memcmp(all + 24 * rank + 8, "\x3f\xf8\0\0\0\0\0\0", 8));
    MPI_File_close(&file);
    free(all);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        expect("delete", MPI_SUCCESS, MPI_File_delete(name, MPI_INFO_NULL));
}

/* What filetypes may be like: the last rank sees nothing of the file. */
static void test_filetypes(void)
{
    int lengths[2] = {1, 1}, places[2] = {3, 0}, number = rank;
    MPI_Datatype descending, overlapping, negative, own;
    MPI_File file = open_new();
    MPI_Type_indexed(2, lengths, places, MPI_INT, &descending);
    places[0] = 0, lengths[0] = 2, places[1] = 1;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &overlapping);
    places[0] = -2;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &negative);
    MPI_Type_commit(&descending);
    MPI_Type_commit(&overlapping);
    MPI_Type_commit(&negative);
    expect_class("descending", MPI_ERR_IO,
                 MPI_File_set_view(file, 0, MPI_INT, descending, "native", MPI_INFO_NULL));
    expect_class("overlapping", MPI_ERR_IO,
                 MPI_File_set_view(file, 0, MPI_INT, overlapping, "native", MPI_INFO_NULL));
    expect_class("negative", MPI_ERR_IO,
                 MPI_File_set_view(file, 0, negative, negative, "native", MPI_INFO_NULL));
    expect_class("of half elements", MPI_ERR_ARG,
                 MPI_File_set_view(file, 0, MPI_INT, MPI_SHORT, "native", MPI_INFO_NULL));
    MPI_Type_free(&descending);
    MPI_Type_free(&overlapping);
    MPI_Type_free(&negative);
    int sees = rank < size - 1;
    MPI_Type_contiguous(sees, MPI_INT, &own);
    MPI_Type_commit(&own);
    MPI_File_set_view(file, rank * (MPI_Offset)sizeof(int), MPI_INT, own, "native", MPI_INFO_NULL);
    expect_class("write", MPI_SUCCESS,
                 MPI_File_write_all(file, &number, sees, MPI_INT, MPI_STATUS_IGNORE));
    MPI_Type_free(&own);
    int *all = allocate((size_t)size * sizeof(int));
    read_whole(all, (size_t)(size - 1) * sizeof(int));
    for (int i = 0; i < size - 1; i++)
        expect("of each rank", i, all[i]);
    MPI_File_close(&file);
    free(all);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    test_interleaved();
    test_subarray();
    test_darray();
    test_filetypes();
    test_external();
    return finish("file_views");
}
