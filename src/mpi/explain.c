/* What ranks wait for, when none of them goes on. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "mpi/request.h"
#include "mpi/world.h"

/* What one rank waits for. Ranks whose reasons are alike are one class. */
struct reason {
    const char *call;
    const char *what; /* "a message from", "a receive at" */
    int peer, tag;    /* of the communicator; MPI_ANY_SOURCE, MPI_ANY_TAG; peer < -1: none */
    bool plain;       /* nothing but the call */
    uint32_t rank;
};

static struct reason reason_of_message(const struct mpi_request *q)
{
    bool sends = q->kind == REQUEST_SEND;
    return (struct reason){.what = sends ? "for a receive at" : "for a message from",
                           .peer = q->message.peer,
                           .tag = q->message.tag};
}

/* The first of its requests that is not over. */
static struct reason reason_of(const struct rank *r)
{
    struct reason reason = {.plain = true};
    if (r->probes.comm)
        reason = (struct reason){
            .what = "for a message from", .peer = r->probes.source, .tag = r->probes.tag};
    for (size_t i = 0; r->waits && i < r->wait_count && reason.plain; i++) {
        const struct mpi_request *q = r->waits[i];
        if (!q || !q->active || q->over)
            continue;
        if (q->kind == REQUEST_BOTH)
            q = q->part[0]->over ? q->part[1] : q->part[0];
        if (q->kind == REQUEST_SEND || q->kind == REQUEST_RECEIVE)
            reason = reason_of_message(q);
    }
    reason.call = call_name(r->call);
    reason.rank = r->task->rank;
    return reason;
}

static int compare(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    int order = strcmp(x->call ? x->call : "", y->call ? y->call : "");
    if (!order)
        order = strcmp(x->what ? x->what : "", y->what ? y->what : "");
    if (!order)
        order = x->tag < y->tag ? -1 : x->tag > y->tag;
    return order;
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

static size_t tell_class(const struct reason *r, size_t count, char *text, size_t size, size_t at)
{
    bool one = true;
    for (size_t i = 1; i < count; i++)
        one &= r[i].peer == r[0].peer;
    at = list_ranks(r, count, text, size, at);
    at = text_append(text, size, at, ": %s", r->call ? r->call : "outside of MPI");
    if (!r->plain) {
        at = text_append(text, size, at, " waits %s ", r->what);
        at = !one ? text_append(text, size, at, "others (rank %u: rank %d)", r->rank, r->peer)
             : r->peer == MPI_ANY_SOURCE ? text_append(text, size, at, "anybody")
                                         : text_append(text, size, at, "rank %d", r->peer);
        at = r->tag == MPI_ANY_TAG ? text_append(text, size, at, ", any tag")
                                   : text_append(text, size, at, ", tag %d", r->tag);
    }
    return text_append(text, size, at, "\n");
}

size_t world_explain(const struct world *w, char *text, size_t size)
{
    enum { CLASSES = 12 };
    struct reason *all = memory_alloc(w->o.processes, sizeof(*all));
    size_t count = 0, at = 0;
    unsigned classes = 0;
    for (uint32_t i = 0; i < w->o.processes; i++)
        if (w->rank[i].task && w->rank[i].posix.how == POSIX_RUNS)
            all[count++] = reason_of(&w->rank[i]);
    qsort(all, count, sizeof(*all), by_class);
    for (size_t i = 0, end; i < count && classes++ < CLASSES; i = end) {
        for (end = i + 1; end < count && !compare(&all[i], &all[end]);)
            end++;
        at = tell_class(&all[i], end - i, text, size, at);
    }
    free(all);
    return at;
}
