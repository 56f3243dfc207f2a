/* Accesses in the order of simulated time. */
#define _GNU_SOURCE
#include "mpi/object/storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/list.h"
#include "base/memory.h"
#include "mpi/object/type.h"

/* ---- files ---- */

void storage_init(struct storage *s)
{
    *s = (struct storage){.count = 0};
    pthread_mutex_init(&s->lock, NULL);
}

static void drop_file(struct stored_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->path);
    free(file);
}

void storage_fini(struct storage *s)
{
    for (struct stored_file *next; s->files; s->files = next) {
        next = s->files->next;
        drop_file(s->files);
    }
    free(s->waiting);
    free(s->server);
    pthread_mutex_destroy(&s->lock);
}

void storage_keep(struct storage *s, struct stored_file *file)
{
    pthread_mutex_lock(&s->lock);
    file->next = s->files;
    s->files = file;
    pthread_mutex_unlock(&s->lock);
}

void storage_let_go(struct storage *s, struct stored_file *file)
{
    pthread_mutex_lock(&s->lock);
    if (--file->holders == 0) {
        struct stored_file **link = &s->files;
        while (*link != file)
            link = &(*link)->next;
        *link = file->next;
        drop_file(file);
    }
    pthread_mutex_unlock(&s->lock);
}

/* ---- data ---- */

/* What moves between a file and packed data; pieces that follow each other move at once. */
struct transfer {
    struct access *a;
    int64_t at;
    uint64_t bytes; /* of the piece so far */
    bool ended;     /* by an error, or the end of the file */
};

static void move_piece(struct transfer *t)
{
    struct access *a = t->a;
    while (t->bytes && !t->ended) {
        unsigned char *data = a->data + a->done;
        ssize_t moved = a->kind == ACCESS_WRITE ? pwrite(a->file->descriptor, data, t->bytes, t->at)
                                                : pread(a->file->descriptor, data, t->bytes, t->at);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved < 0)
            a->error = errno;
        t->ended = moved <= 0;
        a->done += moved > 0 ? (uint64_t)moved : 0;
        t->at += moved;
        t->bytes -= moved > 0 ? (uint64_t)moved : 0;
    }
}

static void take_piece(void *transfer, uintptr_t at, uint64_t bytes)
{
    struct transfer *t = transfer;
    if ((int64_t)at != t->at + (int64_t)t->bytes) {
        move_piece(t);
        t->at = (int64_t)at;
        t->bytes = 0;
    }
    t->bytes += bytes;
}

static void move_data(struct access *a)
{
    struct transfer t = {.a = a};
    struct type_range range = {.at = a->view.displacement,
                               .skip = (uint64_t)(a->offset * a->view.etype->size),
                               .bytes = a->bytes};
    type_tile(a->view.filetype, &range, take_piece, &t);
    move_piece(&t);
}

/* ---- performing ---- */

static int64_t size_of(const struct access *a)
{
    struct stat status = {.st_size = 0};
    return fstat(a->file->descriptor, &status) == 0 ? status.st_size : 0;
}

static int resize(const struct access *a)
{
    int64_t bytes = (int64_t)a->bytes;
    if (a->kind == ACCESS_RESERVE && bytes <= size_of(a))
        return 0;
    return ftruncate(a->file->descriptor, bytes) == 0 ? 0 : errno;
}

static void open_file(struct access *a)
{
    struct stat status;
    a->descriptor = open(a->path, a->flags, 0666);
    if (a->descriptor < 0 || fstat(a->descriptor, &status) != 0) {
        a->error = errno;
        return;
    }
    a->done = (uint64_t)status.st_size;
    a->error = S_ISDIR(status.st_mode) ? EISDIR : 0;
}

/* What an access does to its file, or to a name. */
static void perform(struct access *a)
{
    struct stored_file *file = a->file;
    if (a->kind == ACCESS_OPEN)
        open_file(a);
    else if (a->kind == ACCESS_DELETE)
        a->error = unlink(a->path) == 0 ? 0 : errno;
    if (!file)
        return;
    if (a->shared || a->kind == ACCESS_MOVE) {
        a->offset = file->pointer;
        file->pointer += a->etypes;
    }
    switch (a->kind) {
    case ACCESS_READ:
    case ACCESS_WRITE:
        move_data(a);
        break;
    case ACCESS_SEEK:
        file->pointer = a->offset;
        break;
    case ACCESS_SIZE:
        a->done = (uint64_t)size_of(a);
        break;
    case ACCESS_RESIZE:
    case ACCESS_RESERVE:
        a->error = resize(a);
        break;
    case ACCESS_SYNC:
        a->error = fdatasync(file->descriptor) == 0 || errno == EINVAL ? 0 : errno; /* a device */
        break;
    default:
        break;
    }
}

/* When it is over: its I/O node makes the call, then its data pass, each behind others. */
static void take_time(struct storage *s, struct access *a)
{
    LIST_ZERO(s->server, a->server + 1u, s->servers);
    struct io_server *server = &s->server[a->server];
    bool moves = a->kind == ACCESS_READ || a->kind == ACCESS_WRITE;
    fine_t *wire = &server->wire[a->kind == ACCESS_READ];
    server->processor = fine_max(server->processor, a->turn.asked) + a->call;
    a->end = server->processor;
    if (moves && a->done)
        a->end = *wire = fine_max(*wire, a->end) + (fine_t)(a->byte * (double)a->done);
}

/* ---- turns ---- */

static bool is_before(const struct access *x, const struct access *y)
{
    const struct turn *a = &x->turn, *b = &y->turn;
    if (a->asked != b->asked)
        return a->asked < b->asked;
    return a->rank != b->rank ? a->rank < b->rank : a->number < b->number;
}

/* Those that are waiting are a heap: none is before the one at half its place. */
static void put(struct storage *s, size_t at, struct access *a)
{
    for (; at > 1 && is_before(a, s->waiting[at / 2]); at /= 2)
        s->waiting[at] = s->waiting[at / 2];
    s->waiting[at] = a;
}

static struct access *take_first(struct storage *s)
{
    struct access *first = s->waiting[1], *last = s->waiting[s->count--];
    size_t at = 1;
    for (size_t child = 2; child <= s->count; at = child, child *= 2) {
        child += child < s->count && is_before(s->waiting[child + 1], s->waiting[child]);
        s->waiting[at] = s->waiting[child];
    }
    put(s, at, last);
    return first;
}

/* Performs all that are waiting, up to one of them: no other one can come before it any more. */
static void perform_until(struct storage *s, const struct access *last)
{
    for (struct access *next = NULL; next != last;) {
        next = take_first(s);
        WEFT_CHECK(next->turn.asked >= s->done_until, "rank %u accesses a file before its turn",
                   next->turn.rank);
        perform(next);
        take_time(s, next);
        next->performed = true;
        s->done_until = next->turn.asked;
    }
}

void storage_add(struct storage *s, struct access *a)
{
    pthread_mutex_lock(&s->lock);
    LIST_RESERVE(s->waiting, s->count + 2, s->room);
    put(s, ++s->count, a);
    pthread_mutex_unlock(&s->lock);
}

void storage_perform(struct storage *s, const struct access *a)
{
    pthread_mutex_lock(&s->lock);
    if (!a->performed)
        perform_until(s, a);
    pthread_mutex_unlock(&s->lock);
}
