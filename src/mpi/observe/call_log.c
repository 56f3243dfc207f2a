/* Entries of a call log. */
#include "mpi/observe/call_log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/output.h"
#include "base/list.h"
#include "base/map.h"
#include "base/text/text.h"
#include "message/task.h"
#include "mpi/collective/collective.h"
#include "mpi/object/message.h"
#include "mpi/object/type.h"

size_t call_log_add(struct call_log *d, const struct logged_call *entry)
{
    LIST_RESERVE(d->entry, d->count + 1, d->room);
    d->entry[d->count] = *entry;
    d->entry[d->count].first = !d->calls || d->count == d->call_began;
    return d->count++;
}

void call_log_compute(struct call_log *d, double cycles, bool calls)
{
    struct logged_call *last = d->count ? &d->entry[d->count - 1] : NULL;
    if (last && last->kind == LOGGED_COMPUTE && last->calls == calls)
        last->cycles += cycles;
    else
        call_log_add(
            d, &(struct logged_call){.kind = LOGGED_COMPUTE, .calls = calls, .cycles = cycles});
}

void call_log_size(struct call_log *d, uint64_t bytes)
{
    *LIST_ADD(d->size, d->sizes, d->size_room) = bytes;
}

void call_log_comm(struct call_log *d, const struct logged_comm *comm)
{
    LIST_RESERVE(d->comm, d->comms + 1, d->comm_room);
    call_log_add(d, &(struct logged_call){.kind = LOGGED_COMM, .comm = d->comms});
    d->comm[d->comms++] = *comm;
}

void call_log_drop(struct call_log *d, struct groups *groups)
{
    for (size_t i = 0; i < d->comms; i++) {
        group_release(groups, d->comm[i].group);
        group_release(groups, d->comm[i].remote);
    }
    free(d->entry);
    free(d->comm);
    free(d->size);
}

/* ---- the file: a time-independent trace ---- */

/* Communicators are numbered as the file mentions them: their contexts may differ from run to run,
 * and those of one call have the same. */
struct call_log_file {
    struct writer *writer;
    struct map number;          /* of a context and the first member of its group */
    struct map here;            /* of a context, in the rank that is written */
    const struct group **group; /* [number] */
    uint32_t groups, room, ranks;
    uint32_t rank; /* whose log is written */
    const struct call_log *log;
    uint32_t open; /* messages that it has not yet waited for */
};

/* SimGrid's number of MPI_BYTE. */
#define BYTES "6"

/* ---- communicators ---- */

static bool is_wait(const struct logged_call *d)
{
    return d->kind == LOGGED_END_SEND || d->kind == LOGGED_END_RECEIVE;
}

static uint32_t number_of(const struct call_log_file *f, uint32_t context)
{
    return *map_find(&f->here, context);
}

/* The number of a communicator that this rank makes: both sides have to find the same one. */
static uint32_t take_number(struct call_log_file *f, const struct logged_comm *c)
{
    uint32_t here = group_at(c->group, 0), there = c->remote ? group_at(c->remote, 0) : here;
    uint64_t key = (uint64_t)c->context << 32 | (here < there ? here : there);
    uint32_t number = *map_add(&f->number, key, f->groups);
    *map_add(&f->here, c->context, number) = number;
    if (number < f->groups)
        return number;
    *LIST_ADD(f->group, f->groups, f->room) = c->group;
    return number;
}

static void put_members(struct writer *w, const struct group *g)
{
    if (!g->list) {
        writer_put(w, " %u-%u/%u", g->first, group_at(g, g->size - 1), g->stride);
        return;
    }
    for (uint32_t i = 0; i < g->size; i++)
        writer_put(w, "%c%u", i ? ',' : ' ', g->list[i]);
}

static void put_comm(struct call_log_file *f, const struct logged_comm *c, bool first)
{
    uint32_t known = f->groups, number = take_number(f, c);
    writer_put(f->writer, "%u comm_split %u", f->rank, number);
    if (number == known)
        put_members(f->writer, c->group);
    if (number == known && c->remote)
        put_members(f->writer, c->remote);
    writer_put(f->writer, first ? "\n" : " more\n");
}

/* ---- ends of lines ---- */

/* "MPI_Comm_split": comm_split */
static void put_small(struct call_log_file *f, const char *name)
{
    char text[128];
    size_t length = 0;
    for (const char *c = strchr(name, '_') + 1; *c && length + 1 < sizeof(text); c++)
        text[length++] = (char)tolower((unsigned char)*c);
    text[length] = '\0';
    writer_put(f->writer, " %s", text);
}

/* Whether the action says which call it was, as far as that matters. */
static bool is_usual(const struct logged_call *d)
{
    enum chapter chapter = call_chapter((enum call)d->call);
    return !d->mode && (chapter == CHAPTER_MESSAGES || chapter == CHAPTER_REQUESTS);
}

static void put_combining(struct call_log_file *f, const struct logged_call *d)
{
    const struct type *t = basics_find(d->type);
    if (!d->op)
        return;
    writer_put(f->writer, " op %s",
               d->op == LOGGED_OP_OWN       ? "own"
               : d->op == LOGGED_OP_ORDERED ? "ordered"
                                            : op_name((enum op_kind)d->op));
    put_small(f, t->name);
    if (d->element)
        writer_put(f->writer, " %u", d->element);
}

static void put_end(struct call_log_file *f, const struct logged_call *d)
{
    uint32_t context = d->context;
    if (d->strided)
        writer_put(f->writer, " strided");
    if (d->in_place)
        writer_put(f->writer, " in_place");
    put_combining(f, d);
    if (!d->first)
        writer_put(f->writer, " more");
    if (d->kind != LOGGED_OPERATION && (d->first || d->mode) && !is_usual(d) && !is_wait(d)) {
        writer_put(f->writer, " by");
        put_small(f, call_name(d->mode ? send_call((enum send_mode)d->mode, d->kind != LOGGED_SEND)
                                       : (enum call)d->call));
    }
    if (context == CONTEXT_SELF)
        writer_put(f->writer, " comm self");
    else if (context != CONTEXT_WORLD)
        writer_put(f->writer, " comm %u", number_of(f, context));
    writer_put(f->writer, "\n");
}

/* ---- messages ---- */

static void put_message(struct call_log_file *f, const struct logged_call *d)
{
    static const char *const action[] = {[LOGGED_SEND] = "send",
                                         [LOGGED_RECEIVE] = "recv",
                                         [LOGGED_START_SEND] = "isend",
                                         [LOGGED_START_RECEIVE] = "irecv"};
    f->open += d->kind == LOGGED_START_SEND || d->kind == LOGGED_START_RECEIVE;
    writer_put(f->writer, "%u %s %d %u %llu " BYTES, f->rank, action[d->kind], d->peer, d->tag,
               (unsigned long long)d->bytes);
    put_end(f, d);
}

/* Messages that one call has waited for, beginning with the ith entry; returns how many. Those of a
 * call that has waited for all that there were need no list. */
static size_t put_waits(struct call_log_file *f, size_t i)
{
    const struct call_log *all = f->log;
    size_t n = 1;
    while (i + n < all->count && is_wait(&all->entry[i + n]) && !all->entry[i + n].first)
        n++;
    f->open -= (uint32_t)n;
    if (n > 1 && !f->open) {
        writer_put(f->writer, "%u waitall%s\n", f->rank, all->entry[i].first ? "" : " more");
        return n;
    }
    for (size_t k = i; k < i + n; k++) {
        const struct logged_call *d = &all->entry[k];
        unsigned from = d->kind == LOGGED_END_SEND ? f->rank : (unsigned)d->peer;
        unsigned to = d->kind == LOGGED_END_SEND ? (unsigned)d->peer : f->rank;
        struct logged_call end = {.kind = d->kind, .first = d->first, .context = d->context};
        writer_put(f->writer, "%u wait %u %u %u", f->rank, from, to, d->tag);
        put_end(f, &end);
    }
    return n;
}

/* -1: any */
static void put_probe(struct call_log_file *f, const struct logged_call *d)
{
    writer_put(f->writer, "%u %s %d", f->rank, d->waits ? "probe" : "iprobe",
               (uint32_t)d->peer == WEFT_ANY ? -1 : d->peer);
    if (d->tag == WEFT_ANY)
        writer_put(f->writer, " -1");
    else
        writer_put(f->writer, " %u", d->tag);
    put_end(f, d);
}

/* ---- collective operations ---- */

/* Sizes of one side of an operation. */
struct sizes {
    uint64_t count;
    const uint64_t *each;
};

static struct sizes sizes_at(const struct call_log *d, uint64_t at)
{
    return (struct sizes){d->size[at], &d->size[at + 1]};
}

/* One size for each member; those that this rank was not told are 0. */
static void put_sizes(struct call_log_file *f, const struct sizes *s, uint32_t members)
{
    for (uint32_t i = 0; i < members; i++)
        writer_put(f->writer, " %llu",
                   s->count ? (unsigned long long)s->each[s->count > 1 ? i : 0] : 0);
}

/* What one side has for each member; where the layouts are of one sort, a side that is in place is
 * as the other. */
static void put_side(struct call_log_file *f, enum layout layout, const struct sizes *s,
                     const struct sizes *other, bool alike, uint32_t members)
{
    bool listed = layout_is_listed(layout);
    uint64_t sum = 0;
    if (!s->count && alike)
        s = other;
    for (uint64_t i = 0; i < s->count; i++)
        sum += s->each[i];
    if (listed && alike)
        writer_put(f->writer, " %llu", (unsigned long long)sum);
    put_sizes(f, s, listed ? members : 1);
}

static void put_arguments(struct call_log_file *f, const struct logged_call *d,
                          const struct collective_kind *kind, const struct sizes *out,
                          const struct sizes *in, uint32_t members)
{
    bool alike = layout_is_listed(kind->out) == layout_is_listed(kind->in);
    bool sends = kind->out && !kind->combines, shares = kind->out == LAYOUT_VECTOR;
    if (kind->combines) { /* "SIZE AMOUNT [ROOT] TYPE"; of shares, "SIZE SIZE ... AMOUNT TYPE" */
        put_sizes(f, shares || !out->count ? in : out, shares ? members : 1);
        writer_put(f->writer, " 0");
    }
    if (sends)
        put_side(f, kind->out, out, in, alike, members);
    if (kind->in && !kind->combines)
        put_side(f, kind->in, in, out, alike, members);
    if (kind->root)
        writer_put(f->writer, " %d", d->peer);
    if (kind->in)
        writer_put(f->writer, sends ? " " BYTES " " BYTES : " " BYTES);
}

static void put_operation(struct call_log_file *f, const struct logged_call *d)
{
    struct sizes out = sizes_at(f->log, d->sizes);
    struct sizes in = sizes_at(f->log, d->sizes + 1 + out.count);
    const struct collective_kind *kind = collective_of((enum call)d->call);
    uint32_t members = d->context == CONTEXT_WORLD  ? f->ranks
                       : d->context == CONTEXT_SELF ? 1
                                                    : f->group[number_of(f, d->context)]->size;
    writer_put(f->writer, "%u %s%s", f->rank, d->call == kind->nonblocking ? "i" : "",
               kind->action);
    put_arguments(f, d, kind, &out, &in, members);
    put_end(f, d);
}

/* ---- ranks ---- */

static void put_entry(struct call_log_file *f, const struct logged_call *d)
{
    switch ((enum logged_kind)d->kind) {
    case LOGGED_COMPUTE:
        writer_put(f->writer, "%u compute %.17g%s%s\n", f->rank, d->cycles,
                   d->calls ? " calls" : "", d->first ? "" : " more");
        break;
    case LOGGED_SEND:
    case LOGGED_RECEIVE:
    case LOGGED_START_SEND:
    case LOGGED_START_RECEIVE:
        put_message(f, d);
        break;
    case LOGGED_OPERATION:
        put_operation(f, d);
        break;
    case LOGGED_END_OPERATION:
        writer_put(f->writer, "%u wait operation %u%s\n", f->rank, d->tag, d->first ? "" : " more");
        break;
    case LOGGED_COPY:
    case LOGGED_COMBINE:
        writer_put(f->writer, "%u %s %llu%s\n", f->rank,
                   d->kind == LOGGED_COPY ? "copy" : "combine", (unsigned long long)d->bytes,
                   d->first ? "" : " more");
        break;
    case LOGGED_POLL:
        writer_put(f->writer, "%u poll%s\n", f->rank, d->first ? "" : " more");
        break;
    case LOGGED_PROBE:
        put_probe(f, d);
        break;
    case LOGGED_COMM:
        put_comm(f, &f->log->comm[d->comm], d->first);
        break;
    case LOGGED_END_SEND: /* put_waits() */
    case LOGGED_END_RECEIVE:
    case LOGGED_NOTHING:
        break;
    }
}

static void put_rank(struct call_log_file *f, uint32_t rank, const struct call_log *d)
{
    f->rank = rank;
    f->log = d;
    f->open = 0;
    map_fini(&f->here);
    f->here = (struct map){.entry = NULL};
    if (d->begun)
        writer_put(f->writer, "%u init\n", rank);
    for (size_t i = 0; i < d->count;) {
        if (is_wait(&d->entry[i]))
            i += put_waits(f, i);
        else
            put_entry(f, &d->entry[i++]);
    }
    if (d->ended)
        writer_put(f->writer, "%u finalize\n", rank);
}

bool call_log_path(const char *timeline, char path[CALL_LOG_PATH])
{
    struct stat there;
    size_t length = strlen(timeline) - (text_ends(timeline, ".json") ? strlen(".json") : 0);
    snprintf(path, CALL_LOG_PATH, "%.*s.ti", (int)length, timeline);
    return stat(timeline, &there) != 0 || S_ISREG(there.st_mode);
}

weft_status call_log_write(const char *path, uint32_t ranks,
                           const struct call_log *(*of)(const void *arg, uint32_t rank),
                           const void *arg)
{
    struct call_log_file f = {.ranks = ranks};
    TRY(writer_open(&f.writer, path));
    for (uint32_t rank = 0; rank < ranks; rank++)
        put_rank(&f, rank, of(arg, rank));
    map_fini(&f.number);
    map_fini(&f.here);
    free(f.group);
    return writer_close(f.writer);
}
