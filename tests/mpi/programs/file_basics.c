/* Files: opened in all ways, written and read at offsets and by the rank's own pointer, sizes, and
 * what went wrong. What was written is read again by the C library. */
#include "check.h"

#include <unistd.h>

static const char name[] = "file_basics.data";

/* Byte for byte what the ranks should have written, as the first one sees it. */
static void expect_content(const char *what, int count)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *file = fopen(name, "rb");
        int *data = allocate((size_t)count * sizeof(int) + 1);
        size_t bytes = file ? fread(data, 1, (size_t)count * sizeof(int) + 1, file) : 0;
        expect(what, (long long)(count * sizeof(int)), (long long)bytes);
        for (int i = 0; i < size; i++)
            expect_pattern(what, data + i * (count / size), count / size, i);
        if (file)
            fclose(file);
        free(data);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void test_offsets(void)
{
    enum { COUNT = 1000 };
    int out[COUNT], in[COUNT], count;
    int from = (rank + 1) % size;
    MPI_Offset bytes, place = (MPI_Offset)rank * COUNT * (MPI_Offset)sizeof(int);
    MPI_Status status;
    MPI_File file;
    expect(
        "open", MPI_SUCCESS,
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    expect("set_size", MPI_SUCCESS, MPI_File_set_size(file, 0));
    fill(out, COUNT, rank);
    expect("write_at", MPI_SUCCESS, MPI_File_write_at(file, place, out, COUNT, MPI_INT, &status));
    MPI_Get_count(&status, MPI_INT, &count);
    expect("written", COUNT, count);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &bytes);
    expect("size", (long long)size * COUNT * (long long)sizeof(int), bytes);
    place = (MPI_Offset)from * COUNT * (MPI_Offset)sizeof(int);
    expect("read_at_all", MPI_SUCCESS,
           MPI_File_read_at_all(file, place, in, COUNT, MPI_INT, &status));
    expect_pattern("read_at_all", in, COUNT, from);
    /* Half of the last rank's is beyond the end. */
    place = bytes - COUNT / 2 * (MPI_Offset)sizeof(int);
    memset(in, 0, sizeof(in));
    MPI_File_read_at(file, place, in, COUNT, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect("read to the end", COUNT / 2, count);
    expect("last of it", pattern(size - 1, COUNT - 1), in[COUNT / 2 - 1]);
    expect("nothing more", 0, in[COUNT / 2]);
    MPI_File_close(&file);
    expect("closed", 1, file == MPI_FILE_NULL);
    expect_content("offsets", COUNT * size);
}

static void test_own_pointer(void)
{
    enum { COUNT = 50, TIMES = 4 };
    int out[COUNT * TIMES], in[COUNT * TIMES];
    MPI_Offset place;
    MPI_Request request[2];
    MPI_Status status[2];
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, (MPI_Offset)rank * (MPI_Offset)sizeof(out), MPI_INT, MPI_INT, "native",
                      MPI_INFO_NULL);
    fill(out, COUNT * TIMES, rank);
    MPI_File_write(file, out, COUNT, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_position(file, &place);
    expect("position", COUNT, place);
    MPI_File_iwrite(file, out + COUNT, COUNT, MPI_INT, &request[0]);
    MPI_File_iwrite_at(file, 2 * COUNT, out + 2 * COUNT, COUNT, MPI_INT, &request[1]);
    MPI_Waitall(2, request, status);
    MPI_File_seek(file, COUNT, MPI_SEEK_CUR);
    MPI_File_write_all(file, out + 3 * COUNT, COUNT, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, in, 2 * COUNT, MPI_INT);
    MPI_File_read_all_end(file, in, MPI_STATUS_IGNORE);
    MPI_File_iread_all(file, in + 2 * COUNT, COUNT, MPI_INT, &request[0]);
    MPI_File_iread(file, in + 3 * COUNT, COUNT, MPI_INT, &request[1]);
    int flag = 0, count;
    while (!flag)
        MPI_Testall(2, request, &flag, status);
    MPI_Get_count(&status[1], MPI_INT, &count);
    expect("count of a request", COUNT, count);
    expect_pattern("own pointer", in, COUNT * TIMES, rank);
    MPI_File_get_byte_offset(file, 3, &place);
    expect("byte offset", (long long)rank * (long long)sizeof(out) + 12, place);
    MPI_File_close(&file);
    expect_content("own pointer", COUNT * TIMES * size);
}

/* Several accesses under way, of ranks that begin at slightly different times. */
static void test_many_requests(void)
{
    enum { COUNT = 8, REQUESTS = 6 };
    int out[REQUESTS][COUNT], in[REQUESTS][COUNT];
    MPI_Request request[REQUESTS];
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    fill(out[0], COUNT * REQUESTS, rank);
    for (int turn = 0; turn < 20; turn++) {
        for (int i = 0; i < REQUESTS; i++)
            MPI_File_iwrite_at(file, (rank * REQUESTS + i) * COUNT, out[i], COUNT, MPI_INT,
                               &request[i]);
        for (int i = 0; i < REQUESTS; i++)
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        for (int i = 0; i < REQUESTS; i++)
            MPI_File_iread_at(file, (rank * REQUESTS + i) * COUNT, in[i], COUNT, MPI_INT,
                              &request[i]);
        MPI_Waitall(REQUESTS, request, MPI_STATUSES_IGNORE);
        expect_pattern("of a request", in[0], COUNT * REQUESTS, rank);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_File_close(&file);
    expect_content("many requests", COUNT * REQUESTS * size);
}

static void test_sizes(void)
{
    MPI_Offset bytes;
    MPI_File file;
    MPI_Group all, of_file;
    MPI_Info hints, used;
    char value[MPI_MAX_INFO_VAL];
    int mode, flag, same;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "striping_factor", "4");
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, hints, &file);
    MPI_Info_free(&hints);
    MPI_File_get_info(file, &used);
    MPI_Info_get(used, "striping_factor", MPI_MAX_INFO_VAL - 1, value, &flag);
    expect_text("hint", "4", flag ? value : "");
    MPI_Info_free(&used);
    MPI_File_set_size(file, 1234);
    MPI_File_preallocate(file, 1000);
    MPI_File_get_size(file, &bytes);
    expect("size", 1234, bytes);
    MPI_File_preallocate(file, 5000);
    MPI_File_get_size(file, &bytes);
    expect("more room", 5000, bytes);
    MPI_File_get_amode(file, &mode);
    expect("mode", MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, mode);
    MPI_File_get_group(file, &of_file);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_compare(all, of_file, &same);
    expect("group", MPI_IDENT, same);
    MPI_Group_free(&all);
    MPI_Group_free(&of_file);
    MPI_File_set_atomicity(file, 1);
    MPI_File_get_atomicity(file, &flag);
    expect("atomic", 1, flag != 0);
    MPI_File_close(&file);
    expect("deleted", -1, access(name, F_OK));
}

static int handled, handled_class;

static void handle(MPI_File *file, int *code, ...)
{
    handled += *file == MPI_FILE_NULL ? 1 : 100;
    MPI_Error_class(*code, &handled_class);
}

static void test_errors(void)
{
    int data = 1;
    MPI_File file;
    MPI_Errhandler handler;
    MPI_Comm self = MPI_COMM_SELF;
    char own[64];
    snprintf(own, sizeof(own), "file_basics.own%d", rank);
    MPI_File_get_errhandler(MPI_FILE_NULL, &handler);
    expect("default", 1, handler == MPI_ERRORS_RETURN);
    expect_class("no file", MPI_ERR_NO_SUCH_FILE,
                 MPI_File_open(self, own, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    expect("not open", 1, file == MPI_FILE_NULL);
    expect_class("no mode", MPI_ERR_AMODE,
                 MPI_File_open(self, own, MPI_MODE_CREATE, MPI_INFO_NULL, &file));
    expect_class("two modes", MPI_ERR_AMODE,
                 MPI_File_open(self, own, MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    expect_class("to be created and read", MPI_ERR_AMODE,
                 MPI_File_open(self, own, MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
    expect_class("delete", MPI_ERR_NO_SUCH_FILE, MPI_File_delete(own, MPI_INFO_NULL));
    expect_class("close", MPI_ERR_FILE, MPI_File_close(&file));
    int mode = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY;
    expect_class("create", MPI_SUCCESS, MPI_File_open(self, own, mode, MPI_INFO_NULL, &file));
    expect_class("read", MPI_ERR_ACCESS, MPI_File_read(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MPI_File_write(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_File_create_errhandler(handle, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    expect_class("exists", MPI_ERR_FILE_EXISTS,
                 MPI_File_open(self, own, mode, MPI_INFO_NULL, &file));
    expect("handled", 1, handled);
    expect("class", MPI_ERR_FILE_EXISTS, handled_class);
    MPI_File_open(self, own, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    expect_class("write", MPI_ERR_READ_ONLY,
                 MPI_File_write(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    expect("handled by the file's", 101, handled);
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    expect_class("seek", MPI_ERR_ARG, MPI_File_seek(file, -1, MPI_SEEK_SET));
    expect_class("whole elements", MPI_SUCCESS,
                 MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    expect_class("part of an element", MPI_ERR_IO,
                 MPI_File_read(file, &data, 1, MPI_CHAR, MPI_STATUS_IGNORE));
    expect_class("form", MPI_ERR_UNSUPPORTED_DATAREP,
                 MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "roman", MPI_INFO_NULL));
    MPI_File_close(&file);
    expect_class("delete", MPI_SUCCESS, MPI_File_delete(own, MPI_INFO_NULL));
}

/* What goes wrong later is in the status. */
static void test_full_device(void)
{
    int data = 1;
    MPI_Request request[2];
    MPI_Status status[2];
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    expect_class("write", MPI_ERR_NO_SPACE,
                 MPI_File_write_at(file, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MPI_File_iwrite_at(file, 0, &data, 1, MPI_INT, &request[0]);
    expect_class("wait", MPI_ERR_NO_SPACE, MPI_Wait(&request[0], &status[0]));
    MPI_File_iwrite_at(file, 0, &data, 0, MPI_INT, &request[0]);
    MPI_File_iwrite_at(file, 0, &data, 1, MPI_INT, &request[1]);
    expect_class("wait for both", MPI_ERR_IN_STATUS, MPI_Waitall(2, request, status));
    expect_class("nothing", MPI_SUCCESS, status[0].MPI_ERROR);
    expect_class("something", MPI_ERR_NO_SPACE, status[1].MPI_ERROR);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    test_offsets();
    test_own_pointer();
    test_many_requests();
    test_sizes();
    test_errors();
    test_full_device();
    return finish("file_basics");
}
