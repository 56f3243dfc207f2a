/* Reading and writing files. */
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/collective/series.h"
#include "mpi/object/file.h"
#include "mpi/object/request.h"

/* ---- checks ---- */

static int check_mode(struct rank *r, struct file *f, int how)
{
    int mode = f->at->mode;
    if (how & FILE_READS && mode & MPI_MODE_WRONLY)
        return error_raise_file(r, f, MPI_ERR_ACCESS, "the file was opened to be written only");
    if (how & FILE_WRITES && mode & MPI_MODE_RDONLY)
        return error_raise_file(r, f, MPI_ERR_READ_ONLY, "the file was opened to be read only");
    if (how & (FILE_AT | FILE_OWN) && mode & MPI_MODE_SEQUENTIAL)
        return error_raise_file(r, f, MPI_ERR_UNSUPPORTED_OPERATION,
                                "a file that was opened with MPI_MODE_SEQUENTIAL has a shared "
                                "pointer only");
    if (how & (FILE_ALL | FILE_ORDERED) && f->split)
        return error_raise_file(r, f, MPI_ERR_IO, "a split collective operation is under way");
    return MPI_SUCCESS;
}

static int check_data(struct rank *r, struct file *f, MPI_Offset offset, const struct block *b)
{
    int64_t each = f->view.etype->size;
    if (offset < 0 || offset > (1ll << 60) / each)
        return error_raise_file(r, f, MPI_ERR_ARG, "the offset is %lld", (long long)offset);
    if (block_length(b) % (uint64_t)each)
        return error_raise_file(r, f, MPI_ERR_IO,
                                "%llu bytes are not whole elements of %lld bytes (the etype)",
                                (unsigned long long)block_length(b), (long long)each);
    if (f->view.external && !type_keeps_sizes(b->type))
        return error_raise_file(r, f, MPI_ERR_UNSUPPORTED_DATAREP,
                                "the datatype has another size in external32");
    return MPI_SUCCESS;
}

/* ---- an access ---- */

static struct access *new_access(struct rank *r, struct file *f, int how, const struct block *b)
{
    struct access *a = memory_alloc(1, sizeof(*a));
    uint64_t bytes = block_length(b);
    *a = (struct access){.kind = how & FILE_READS ? ACCESS_READ : ACCESS_WRITE,
                         .file = f->at,
                         .owner = f,
                         .view = f->view,
                         .shared = how & FILE_SHARED,
                         .etypes = (int64_t)bytes / f->view.etype->size,
                         .bytes = bytes};
    type_hold(a->view.etype);
    type_hold(a->view.filetype);
    f->under_way++;
    a->data = memory_alloc(bytes ? bytes : 1, 1);
    if (how & FILE_READS)
        return a;
    if (!b->type->dense)
        rank_copy(r, bytes);
    block_pack(b, bytes, a->data);
    if (f->view.external)
        type_convert_data(b->type, b->count, a->data, a->data, true);
    return a;
}

/* Elements of all members before each one, and in all. */
static void *add_up(const struct meeting *m, void *arg)
{
    int64_t *before = memory_alloc(m->members + 1ull, sizeof(*before));
    (void)arg;
    for (uint32_t i = 0; i < m->members; i++)
        before[i + 1] = before[i] + *meeting_words(m, i);
    return before;
}

/* Where a member's elements begin, behind those of the members before it. */
static int64_t ordered_offset(struct rank *r, struct file *f, int64_t etypes)
{
    struct comm *c = f->comm;
    struct meeting *m = file_meet(r, c, &etypes, 1);
    const int64_t *before = meeting_make(&r->world->meetings, m, add_up, NULL);
    int64_t mine = before[c->rank];
    struct access all = {.kind = ACCESS_MOVE, .file = f->at, .etypes = before[c->group->size]};
    meeting_go(&r->world->meetings, m, free);
    if (c->rank == 0)
        access_perform(r, &all);
    file_tell(r, c, &all.offset, sizeof(all.offset));
    return all.offset + mine;
}

/* Members of a collective operation meet; those of a nonblocking one need not wait for each other.
 */
static void meet(struct rank *r, struct file *f, bool wait)
{
    struct operands none = {.root = 0};
    struct agreement what = {
        .call = (int64_t)r->call, .context = f->comm->context, .bytes = -1, .empty = true};
    if (wait)
        request_run(r, f->comm, &none, start_barrier);
    else
        comm_check_agreement(r, f->comm, f->comm->operations++, &what);
}

static int finish(struct rank *r, struct file *f, struct mpi_request *q, MPI_Status *status)
{
    request_wait_all(r, &q, 1);
    result_to_status(&q->result, status);
    int error = file_raise(r, f, q->access);
    request_drop(r, q);
    return error;
}

int file_access(struct rank *r, struct file *f, int how, MPI_Offset offset, const void *buf,
                MPI_Count count, MPI_Datatype type, MPI_Request *request, MPI_Status *status)
{
    struct block b = {(void *)buf, count, NULL};
    if (count < 0)
        return error_raise_file(r, f, MPI_ERR_COUNT, "the count is %lld", (long long)count);
    TRY_MPI(find_data(r, NULL, count, type, &b.type));
    TRY_MPI(check_mode(r, f, how));
    TRY_MPI(check_data(r, f, offset, &b));
    if (how & FILE_ALL)
        meet(r, f, !request);
    struct access *a = new_access(r, f, how, &b);
    a->offset = offset;
    if (how & FILE_OWN) {
        a->offset = f->position;
        f->position += a->etypes;
    } else if (how & FILE_ORDERED) {
        a->offset = ordered_offset(r, f, a->etypes);
    }
    struct mpi_request *q = request_new(r, REQUEST_FILE, &(struct mpi_message){.data = b});
    q->access = a;
    q->active = true;
    q->result = (struct result){.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    access_ask(r, a);
    if (request) {
        *request = request_give(r, q);
        return MPI_SUCCESS;
    }
    if (!(how & FILE_BEGINS))
        return finish(r, f, q, status);
    f->split = q;
    f->split_how = how & ~FILE_BEGINS;
    return MPI_SUCCESS;
}

int file_end(struct rank *r, struct file *f, int how, const void *buf, MPI_Status *status)
{
    struct mpi_request *q = f->split;
    if (!q || f->split_how != how || q->message.data.at != buf)
        return error_raise_file(r, f, MPI_ERR_IO, "no such operation has begun with this buffer");
    f->split = NULL;
    return finish(r, f, q, status);
}
