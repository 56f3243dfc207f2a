/* What ranks wait for, when none of them goes on. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "mpi/object/request.h"
#include "mpi/object/window.h"
#include "mpi/collective/series.h"
#include "mpi/world.h"

/* What one rank waits for. Ranks whose reasons are alike are one class. */
struct reason {
    const char *call;
    const char *what;        /* "for a message from", "a send to"; NULL: there is no message */
    const char *operation;   /* that it waits for, if that is not the call; NULL: none */
    const struct comm *comm; /* of either; NULL: none */
    int peer, tag; /* a rank of MPI_COMM_WORLD; MPI_ANY_SOURCE, MPI_ANY_TAG; MPI_UNDEFINED: it has
                      no tag */
    bool left;     /* the rank has ended, and left it under way */
    uint32_t rank;
};

static int peer_of(const struct comm *c, int peer)
{
    return peer == MPI_ANY_SOURCE ? peer : (int)group_at(comm_peer_group(c), (uint32_t)peer);
}

static struct reason reason_of_message(const struct mpi_request *q, bool left)
{
    static const char *const what[2][2] = {{"for a message from", "for a receive at"},
                                           {"a receive from", "a send to"}};
    const struct mpi_message *m = &q->message;
    return (struct reason){.what = what[left][q->kind == REQUEST_SEND],
                           .comm = m->comm,
                           .peer = peer_of(m->comm, m->peer),
                           .tag = m->tag,
                           .left = left};
}

/* What a window waits for; NULL: it is no message or access of one. */
static const char *wait_of_window(const struct mpi_request *q)
{
    static const char *const posts[] = {
        [TAG_POST] = "for MPI_Win_post of", [TAG_COMPLETE] = "for MPI_Win_complete of"};
    if (q->kind == REQUEST_ACCESS)
        return q->window_access->kind == ACCESS_LOCK ? "for the lock of" : "for an access to";
    return q->kind == REQUEST_RECEIVE && q->message.comm->window ? posts[q->message.tag] : NULL;
}

/* The first of its requests that is not over. */
static struct reason reason_of_requests(const struct rank *r)
{
    for (size_t i = 0; r->waits && i < r->wait_count; i++) {
        const struct mpi_request *q = r->waits[i];
        if (!q || !q->active || q->over)
            continue;
        if (q->kind == REQUEST_BOTH)
            q = q->half[0]->over ? q->half[1] : q->half[0];
        const char *window = wait_of_window(q);
        if (window)
            return (struct reason){.what = window,
                                   .comm = q->message.comm,
                                   .peer = peer_of(q->message.comm, q->message.peer),
                                   .tag = MPI_UNDEFINED};
        if (q->kind == REQUEST_SEND || q->kind == REQUEST_RECEIVE)
            return reason_of_message(q, false);
        const struct series *s = q->series;
        if (q->kind == REQUEST_SERIES)
            return (struct reason){.operation = s->call == r->call ? NULL : call_name(s->call),
                                   .comm = s->comm};
    }
    return (struct reason){.what = NULL};
}

static struct reason reason_of(const struct rank *r)
{
    const struct envelope_wanted *p = &r->probes;
    struct reason reason = reason_of_requests(r);
    if (p->comm)
        reason = (struct reason){.what = "for a message from",
                                 .comm = p->comm,
                                 .peer = peer_of(p->comm, p->source),
                                 .tag = p->tag};
    if (!reason.comm)
        reason.comm = r->machine_comm;
    reason.call = call_name(r->call);
    reason.rank = r->task->rank;
    return reason;
}

/* Of a rank that has ended; false: it has left nothing under way. */
static bool reason_of_ended(const struct rank *r, struct reason *reason)
{
    const struct mpi_request *q = unfinished_message(r);
    if (q)
        *reason = reason_of_message(q, true);
    else if (r->series)
        *reason = (struct reason){
            .operation = call_name(r->series->call), .comm = r->series->comm, .left = true};
    reason->call = call_name(CALL_Finalize);
    reason->rank = r->task->rank;
    return q || r->series;
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_comms(const struct comm *a, const struct comm *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    int order = strcmp(a->name, b->name);
    return order ? order : (a->group->size > b->group->size) - (a->group->size < b->group->size);
}

static int compare(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    int order = compare_texts(x->call, y->call);
    order = order ? order : compare_texts(x->what, y->what);
    order = order ? order : compare_texts(x->operation, y->operation);
    order = order ? order : x->left - y->left;
    order = order ? order : compare_comms(x->comm, y->comm);
    return order ? order : (x->tag > y->tag) - (x->tag < y->tag);
}

static int by_class(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    int order = compare(a, b);
    return order ? order : x->rank < y->rank ? -1 : 1;
}

/* "ranks 0-3, 7, 9, ..." */
static size_t list_ranks(const struct reason *r, size_t count, char *text, size_t size, size_t at)
{
    enum { SHOWN = 6 };
    unsigned shown = 0;
    at = text_append(text, size, at, "  %s ", count == 1 ? "rank" : "ranks");
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && r[end].rank == r[end - 1].rank + 1;)
            end++;
        if (shown++ == SHOWN)
            return text_append(text, size, at, ", ... (%zu in all)", count);
        at = text_append(text, size, at, "%s%u", i ? ", " : "", r[i].rank);
        if (end - i > 1)
            at = text_append(text, size, at, "%s%u", end - i > 2 ? "-" : ", ", r[end - 1].rank);
    }
    return at;
}

/* "rank 3, tag 7", by ranks of MPI_COMM_WORLD */
static size_t tell_peer(const struct reason *r, size_t count, char *text, size_t size, size_t at)
{
    bool one = true;
    for (size_t i = 1; i < count; i++)
        one &= r[i].peer == r[0].peer;
    at = !one ? text_append(text, size, at, "others (rank %u: rank %d)", r->rank, r->peer)
         : r->peer == MPI_ANY_SOURCE ? text_append(text, size, at, "anybody")
                                     : text_append(text, size, at, "rank %d", r->peer);
    if (r->tag == MPI_UNDEFINED)
        return at;
    return r->tag == MPI_ANY_TAG ? text_append(text, size, at, ", any tag")
                                 : text_append(text, size, at, ", tag %d", r->tag);
}

static size_t tell_class(const struct reason *r, size_t count, char *text, size_t size, size_t at)
{
    const struct comm *c = r->comm;
    at = list_ranks(r, count, text, size, at);
    at = text_append(text, size, at, ": %s", r->call ? r->call : "outside of MPI");
    if (r->what || r->operation)
        at = text_append(text, size, at, "%s", r->left ? ": " : " waits ");
    if (r->what) {
        at = text_append(text, size, at, "%s ", r->what);
        at = tell_peer(r, count, text, size, at);
    } else if (r->operation) {
        at = text_append(text, size, at, "%s%s", r->left ? "" : "for ", r->operation);
    }
    if (c && c->context != CONTEXT_WORLD)
        at = c->name[0] ? text_append(text, size, at, ", in %.60s", c->name)
                        : text_append(text, size, at, ", in a %s of %u",
                                      c->window ? "window" : "communicator", c->group->size);
    return text_append(text, size, at, "%s\n", r->left ? ", is still under way" : "");
}

/* The reasons of all ranks that have not ended as they should; returns how many. */
static size_t find_reasons(const struct world *w, struct reason *all)
{
    size_t count = 0;
    for (uint32_t i = 0; i < w->o.processes; i++) {
        const struct rank *r = &w->rank[i];
        if (r->task && r->posix.how == POSIX_RUNS)
            all[count++] = reason_of(r);
        else if (r->task)
            count += reason_of_ended(r, &all[count]);
    }
    return count;
}

size_t world_explain(const struct world *w, char *text, size_t size)
{
    enum { CLASSES = 12 };
    struct reason *all = memory_alloc(w->o.processes, sizeof(*all));
    size_t count = find_reasons(w, all), at = 0;
    unsigned classes = 0;
    qsort(all, count, sizeof(*all), by_class);
    for (size_t i = 0, end; i < count && classes++ < CLASSES; i = end) {
        for (end = i + 1; end < count && !compare(&all[i], &all[end]);)
            end++;
        at = tell_class(&all[i], end - i, text, size, at);
    }
    free(all);
    return at;
}
