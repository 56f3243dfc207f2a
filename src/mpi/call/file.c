/* Files: opened, closed, and what concerns them as a whole. */
#define _GNU_SOURCE
#include "mpi/object/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/collective/series.h"
#include "mpi/object/request.h"

int find_file(struct rank *r, MPI_File handle, struct file **f)
{
    *f = handle_object(&r->handles, HANDLE_FILE, (uintptr_t)handle);
    if (*f) {
        r->judge = (struct judge){true, (*f)->errors, (*f)->handle};
        return MPI_SUCCESS;
    }
    return error_raise_file(r, NULL, MPI_ERR_FILE,
                            handle == MPI_FILE_NULL ? "the file is MPI_FILE_NULL"
                                                    : "the file is not open, or was closed");
}

/* ---- errors ---- */

int file_class(int error)
{
    static const struct {
        int error, class;
    } classes[] = {{0, MPI_SUCCESS},
                   {ENOENT, MPI_ERR_NO_SUCH_FILE},
                   {EEXIST, MPI_ERR_FILE_EXISTS},
                   {EACCES, MPI_ERR_ACCESS},
                   {EPERM, MPI_ERR_ACCESS},
                   {EROFS, MPI_ERR_READ_ONLY},
                   {ENOSPC, MPI_ERR_NO_SPACE},
                   {EFBIG, MPI_ERR_NO_SPACE},
                   {EDQUOT, MPI_ERR_QUOTA},
                   {EISDIR, MPI_ERR_BAD_FILE},
                   {ENOTDIR, MPI_ERR_BAD_FILE},
                   {ENAMETOOLONG, MPI_ERR_BAD_FILE},
                   {ELOOP, MPI_ERR_BAD_FILE},
                   {EBUSY, MPI_ERR_FILE_IN_USE},
                   {ETXTBSY, MPI_ERR_FILE_IN_USE}};
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
        if (classes[i].error == error)
            return classes[i].class;
    return MPI_ERR_IO;
}

int file_raise(struct rank *r, struct file *f, const struct access *a)
{
    if (!a->error)
        return MPI_SUCCESS;
    return error_raise_file(r, f, file_class(a->error), "%s", strerror(a->error));
}

/* ---- operations of all members ---- */

struct meeting *file_meet(struct rank *r, struct comm *c, const int64_t *word, unsigned words)
{
    struct operands none = {.root = 0};
    struct meeting *m = comm_meet(r, c, word, words);
    struct series *s = series_new(r, c, r->call, &none);
    start_silent_gather(s, words * sizeof(*word));
    request_perform(r, s, NULL);
    return m;
}

/* Whether all say the same, as an address. */
static void *compare(const struct meeting *m, void *arg)
{
    static char same, different;
    bool equal = true;
    (void)arg;
    for (uint32_t i = 1; i < m->members && equal; i++)
        equal = memcmp(meeting_words(m, i), m->word, m->words * sizeof(*m->word)) == 0;
    return equal ? &same : &different;
}

int file_agree(struct rank *r, struct file *f, const int64_t *word, unsigned words)
{
    struct meeting *m = file_meet(r, f->comm, word, words);
    void *outcome = meeting_make(&r->world->meetings, m, compare, NULL);
    bool same = outcome == compare(&(struct meeting){.members = 1}, NULL);
    meeting_go(&r->world->meetings, m, NULL);
    return same ? MPI_SUCCESS
                : error_raise_file(r, f, MPI_ERR_NOT_SAME, "the ranks give different arguments");
}

void file_tell(struct rank *r, struct comm *c, void *data, int64_t bytes)
{
    struct type *byte = basics_find((unsigned)(uintptr_t)MPI_BYTE);
    struct operands o = {.in = {.layout = LAYOUT_ONE, .at = data, .count = bytes, .type = byte}};
    request_run(r, c, &o, start_broadcast);
}

/* The first member performs an access; all learn what came of it. */
static int perform_by_first(struct rank *r, struct file *f, struct access *a)
{
    if (f->comm->rank == 0)
        access_perform(r, a);
    file_tell(r, f->comm, &a->error, sizeof(a->error));
    return file_raise(r, f, a);
}

/* The same, once all have come. */
static int perform_for_all(struct rank *r, struct file *f, struct access *a, const int64_t *word,
                           unsigned words)
{
    TRY_MPI(file_agree(r, f, word, words));
    return perform_by_first(r, f, a);
}

/* ---- opening ---- */

static int check_mode(struct rank *r, int mode)
{
    const int all = MPI_MODE_APPEND | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_EXCL |
                    MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL | MPI_MODE_UNIQUE_OPEN |
                    MPI_MODE_WRONLY;
    int ways = mode & (MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY);
    if (mode & ~all)
        return error_raise_file(r, NULL, MPI_ERR_AMODE, "mode %d is unknown", mode);
    if (!ways || ways & (ways - 1))
        return error_raise_file(r, NULL, MPI_ERR_AMODE,
                                "the mode must have one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and "
                                "MPI_MODE_RDWR");
    if (ways == MPI_MODE_RDONLY && mode & (MPI_MODE_CREATE | MPI_MODE_EXCL))
        return error_raise_file(r, NULL, MPI_ERR_AMODE,
                                "MPI_MODE_CREATE and MPI_MODE_EXCL need a file that is written");
    if (ways == MPI_MODE_RDWR && mode & MPI_MODE_SEQUENTIAL)
        return error_raise_file(r, NULL, MPI_ERR_AMODE,
                                "MPI_MODE_SEQUENTIAL and MPI_MODE_RDWR exclude each other");
    return MPI_SUCCESS;
}

static int check_storage(struct rank *r)
{
    return r->world->o.io.nodes_per
               ? MPI_SUCCESS
               : error_raise_file(r, NULL, MPI_ERR_UNSUPPORTED_OPERATION,
                                  "the machine has no I/O nodes; set machine.io.nodes_per");
}

/* What the first member says of the file that it has opened. */
enum { SAYS_MODE, SAYS_DESCRIPTOR, SAYS_ERROR, SAYS_SIZE, SAYS_PATH, OPENING_WORDS };

/* A name as it is in any folder: an access may be performed while another rank runs, in its own. */
static char *whole_path(const char *name)
{
    char *folder = name[0] == '/' ? NULL : getcwd(NULL, 0);
    size_t size = strlen(name) + (folder ? strlen(folder) : 0) + 2;
    char *path = memory_alloc(size, 1);
    snprintf(path, size, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    free(folder);
    return path;
}

static void open_file(struct rank *r, const char *name, int mode, int64_t word[OPENING_WORDS])
{
    int flags = mode & MPI_MODE_RDONLY ? O_RDONLY : mode & MPI_MODE_WRONLY ? O_WRONLY : O_RDWR;
    char *path = whole_path(name);
    flags |= mode & MPI_MODE_CREATE ? O_CREAT : 0;
    flags |= mode & MPI_MODE_EXCL ? O_EXCL : 0;
    struct access a = {.kind = ACCESS_OPEN, .path = path, .flags = flags | O_CLOEXEC};
    access_perform(r, &a);
    word[SAYS_DESCRIPTOR] = a.descriptor;
    word[SAYS_ERROR] = file_class(a.error);
    word[SAYS_SIZE] = (int64_t)a.done;
    word[SAYS_PATH] = (int64_t)(intptr_t)path;
}

/* The file of all, from what they say. */
static void *make_file(const struct meeting *m, void *world)
{
    struct world *w = world;
    struct stored_file *at = memory_alloc(1, sizeof(*at));
    const int64_t *first = meeting_words(m, 0);
    *at = (struct stored_file){.mode = (int)first[SAYS_MODE],
                               .descriptor = (int)first[SAYS_DESCRIPTOR],
                               .error = (int)first[SAYS_ERROR],
                               .context = world_new_context(w),
                               .holders = m->members,
                               .size = first[SAYS_SIZE],
                               .path = (char *)(intptr_t)first[SAYS_PATH]};
    for (uint32_t i = 1; i < m->members && !at->error; i++)
        if (meeting_words(m, i)[SAYS_MODE] != at->mode)
            at->error = MPI_ERR_NOT_SAME;
    at->pointer = at->mode & MPI_MODE_APPEND ? at->size : 0;
    storage_keep(&w->storage, at);
    return at;
}

static void set_bytes(struct file_view *v)
{
    *v = (struct file_view){.etype = basics_find((unsigned)(uintptr_t)MPI_BYTE)};
    v->filetype = v->etype;
}

int mpi_File_open(struct rank *r, struct comm *c, const char *filename, int amode, MPI_Info info,
                  MPI_File *fh)
{
    int64_t word[OPENING_WORDS] = {amode, -1};
    struct info *hints = NULL;
    *fh = MPI_FILE_NULL;
    if (info != MPI_INFO_NULL)
        TRY_MPI(find_info(r, info, &hints));
    TRY_MPI(check_storage(r));
    TRY_MPI(check_mode(r, amode));
    if (c->rank == 0)
        open_file(r, filename, amode, word);
    struct meeting *m = file_meet(r, c, word, OPENING_WORDS);
    struct stored_file *at = meeting_make(&r->world->meetings, m, make_file, r->world);
    meeting_go(&r->world->meetings, m, NULL);
    if (at->error) {
        int class = at->error;
        storage_let_go(&r->world->storage, at);
        return error_raise_file(r, NULL, class, "'%.200s' cannot be opened: %s", filename,
                                error_meaning(class));
    }
    struct file *f = memory_alloc(1, sizeof(*f));
    *f = (struct file){.at = at,
                       .comm = comm_new(r, at->context, group_hold(c->group), NULL, true),
                       .errors = errhandler_hold(r->file_errors),
                       .info = info_copy(hints),
                       .position = at->mode & MPI_MODE_APPEND ? at->size : 0};
    handle_drop(&r->handles, f->comm->handle);
    f->comm->handle = 0;
    set_bytes(&f->view);
    f->handle = handle_new(&r->handles, HANDLE_FILE, f);
    *fh = (MPI_File)f->handle;
    return MPI_SUCCESS;
}

/* ---- closing, deleting ---- */

/* Nobody leaves before the file is deleted. */
int mpi_File_close(struct rank *r, struct file *f, MPI_File *fh)
{
    bool deletes = f->at->mode & MPI_MODE_DELETE_ON_CLOSE;
    struct access a = {.kind = deletes ? ACCESS_DELETE : ACCESS_CALL, .path = f->at->path};
    request_settle_files(r, f);
    if (f->under_way)
        return error_raise_file(r, f, MPI_ERR_FILE, "an access to the file is still under way");
    TRY_MPI(file_agree(r, f, &(int64_t){0}, 1));
    int error = perform_by_first(r, f, &a);
    handle_drop(&r->handles, f->handle);
    storage_let_go(&r->world->storage, f->at);
    comm_release(r, f->comm);
    errhandler_release(f->errors);
    info_drop(f->info);
    type_release(f->view.etype);
    type_release(f->view.filetype);
    free(f);
    *fh = MPI_FILE_NULL;
    return error;
}

int mpi_File_delete(struct rank *r, const char *filename, MPI_Info info)
{
    (void)info;
    TRY_MPI(check_storage(r));
    char *path = whole_path(filename);
    struct access a = {.kind = ACCESS_DELETE, .path = path};
    access_perform(r, &a);
    free(path);
    if (!a.error)
        return MPI_SUCCESS;
    return error_raise_file(r, NULL, file_class(a.error), "'%.200s' cannot be deleted: %s",
                            filename, strerror(a.error));
}

/* ---- sizes ---- */

int file_resize(struct rank *r, struct file *f, bool reserve, MPI_Offset size)
{
    struct access a = {
        .kind = reserve ? ACCESS_RESERVE : ACCESS_RESIZE, .file = f->at, .bytes = (uint64_t)size};
    if (size < 0)
        return error_raise_file(r, f, MPI_ERR_ARG, "the size is %lld", (long long)size);
    if (f->at->mode & MPI_MODE_RDONLY)
        return error_raise_file(r, f, MPI_ERR_READ_ONLY, "the file was opened to be read");
    return perform_for_all(r, f, &a, &(int64_t){size}, 1);
}

int mpi_File_get_size(struct rank *r, struct file *f, MPI_Offset *size)
{
    struct access a = {.kind = ACCESS_SIZE, .file = f->at};
    access_perform(r, &a);
    *size = (MPI_Offset)a.done;
    return MPI_SUCCESS;
}

int mpi_File_sync(struct rank *r, struct file *f)
{
    struct access a = {.kind = ACCESS_SYNC, .file = f->at};
    if (f->at->mode & MPI_MODE_RDONLY)
        a.kind = ACCESS_CALL;
    return perform_for_all(r, f, &a, &(int64_t){0}, 1);
}

/* ---- asking ---- */

MPI_ANSWER(File_get_amode, int, f->at->mode, struct rank *r, struct file *f)
MPI_ANSWER(File_get_group, MPI_Group, give_group(r, group_hold(f->comm->group)), struct rank *r,
           struct file *f)
MPI_ANSWER(File_get_atomicity, int, f->atomic, struct rank *r, struct file *f)
MPI_ANSWER(File_get_info, MPI_Info,
           (MPI_Info)handle_new(&r->handles, HANDLE_INFO,
                                f->info ? info_copy(f->info) : info_new()),
           struct rank *r, struct file *f)

int mpi_File_set_info(struct rank *r, struct file *f, MPI_Info handle)
{
    struct info *info = NULL;
    if (handle != MPI_INFO_NULL)
        TRY_MPI(find_info(r, handle, &info));
    TRY_MPI(file_agree(r, f, &(int64_t){0}, 1));
    info_drop(f->info);
    f->info = info_copy(info);
    return MPI_SUCCESS;
}

/* Accesses are performed one after the other, whatever the mode. */
int mpi_File_set_atomicity(struct rank *r, struct file *f, int flag)
{
    TRY_MPI(file_agree(r, f, &(int64_t){flag != 0}, 1));
    f->atomic = flag != 0;
    return MPI_SUCCESS;
}

/* ---- error handlers ---- */

int mpi_File_create_errhandler(struct rank *r, MPI_File_errhandler_function *function,
                               MPI_Errhandler *handler)
{
    return mpi_Comm_create_errhandler(r, (MPI_Comm_errhandler_function *)(void (*)(void))function,
                                      handler);
}

/* Where the handler of a file is kept; MPI_FILE_NULL's is that of files that are opened later. */
static int find_handler(struct rank *r, MPI_File handle, struct errhandler ***h)
{
    struct file *f;
    *h = &r->file_errors;
    if (handle == MPI_FILE_NULL)
        return MPI_SUCCESS;
    TRY_MPI(find_file(r, handle, &f));
    *h = &f->errors;
    return MPI_SUCCESS;
}

int mpi_File_set_errhandler(struct rank *r, MPI_File file, MPI_Errhandler handler)
{
    struct errhandler **kept, *h;
    TRY_MPI(find_handler(r, file, &kept));
    TRY_MPI(find_errhandler(r, NULL, handler, &h));
    errhandler_keep(kept, h);
    return MPI_SUCCESS;
}

int mpi_File_get_errhandler(struct rank *r, MPI_File file, MPI_Errhandler *handler)
{
    struct errhandler **kept;
    TRY_MPI(find_handler(r, file, &kept));
    *handler = give_errhandler(r, *kept);
    return MPI_SUCCESS;
}

int mpi_File_call_errhandler(struct rank *r, MPI_File file, int code)
{
    struct file *f = NULL;
    if (file != MPI_FILE_NULL)
        TRY_MPI(find_file(r, file, &f));
    error_pass_on_file(r, f, code);
    return MPI_SUCCESS;
}
