/* Messages of a time-independent trace, and waiting for them. */
#include "trace/ti/ti.h"

#include <string.h>

#include "base/list.h"
#include "base/text/number.h"

/* ---- records ---- */

/* What a rank has waited for in one call is one record. */
void ti_put_waits(struct ti *t, uint32_t rank)
{
    struct ti_rank *r = &t->rank[rank];
    if (!r->wait_count)
        return;
    struct record e = {
        .kind = RECORD_WAIT, .flags = r->wait_flags, .list = r->waits, .listed = r->wait_count};
    recording_put(t->to, rank, &e);
    r->wait_count = 0;
}

weft_status ti_put(struct ti *t)
{
    ti_put_waits(t, t->me);
    recording_put(t->to, t->me, &t->e);
    return WEFT_OK;
}

static void add_wait(struct ti *t, struct trace_request *q)
{
    struct ti_rank *r = &t->rank[t->me];
    if (!(t->e.flags & RECORD_MORE))
        ti_put_waits(t, t->me);
    if (!r->wait_count)
        r->wait_flags = t->e.flags & RECORD_MORE;
    *LIST_ADD(r->waits, r->wait_count, r->wait_room) = q->slot;
    requests_end(&r->requests, q);
    t->e.flags |= RECORD_MORE;
}

/* ---- messages ---- */

/* What describes a request: a message to or from a process, or an operation. */
uint64_t ti_key_of(enum request_sort sort, uint32_t comm, int32_t peer)
{
    return (uint64_t)sort << 62 | (uint64_t)comm << 32 | (uint32_t)peer;
}

/* "PEER TAG SIZE [TYPE]" or, if the trace is old, "PEER SIZE [TYPE]" */
static weft_status read_message(struct ti *t, bool receives)
{
    const struct type *type;
    if (t->numbers == 2)
        t->old = true;
    uint32_t size = t->old ? 1 : 2;
    TRY(ti_peer_at(t, 0, receives, &t->e.peer));
    if (!t->old)
        TRY(ti_tag_at(t, 1, receives, &t->e.tag));
    TRY(ti_type_at(t, size + 1, &type));
    if (!receives || size >= t->numbers || t->w.field[2 + size][0] != '-')
        return ti_size_at(t, size, type, &t->e.bytes);
    t->e.bytes = BYTES_UNKNOWN;
    return WEFT_OK;
}

weft_status ti_message(struct ti *t)
{
    enum record_kind kind = t->e.kind;
    bool receives = kind == RECORD_RECEIVE || kind == RECORD_START_RECEIVE;
    bool later = kind == RECORD_START_SEND || kind == RECORD_START_RECEIVE;
    TRY(read_message(t, receives));
    if (ti_is_null(t->e.peer))
        return WEFT_OK;
    if (later)
        t->e.slot = requests_add(
            &t->rank[t->me].requests,
            ti_key_of(receives ? SORT_RECEIVE : SORT_SEND, t->e.comm, t->e.peer), t->e.tag);
    return ti_put(t);
}

/* Key of a request that its own call waits for, and nothing else. */
static uint64_t own_key(bool receives)
{
    return ti_key_of(receives ? SORT_RECEIVE : SORT_SEND, UINT32_MAX >> 2, 0);
}

/* One half of "sendRecv SENDCOUNT TO RECVCOUNT FROM [SENDTYPE RECVTYPE]": all have tag 0. */
static weft_status do_half(struct ti *t, bool receives)
{
    const struct type *type;
    TRY(ti_type_at(t, receives ? 5 : 4, &type));
    TRY(ti_size_at(t, receives ? 2 : 0, type, &t->e.bytes));
    TRY(ti_peer_at(t, receives ? 3 : 1, receives, &t->e.peer));
    if (ti_is_null(t->e.peer))
        return WEFT_OK;
    t->e.kind = receives ? RECORD_START_RECEIVE : RECORD_START_SEND;
    t->e.slot = requests_add(&t->rank[t->me].requests, own_key(receives), 0);
    ti_put(t);
    t->e.flags |= RECORD_MORE;
    return WEFT_OK;
}

weft_status ti_exchange(struct ti *t)
{
    TRY(do_half(t, true));
    TRY(do_half(t, false));
    for (unsigned receives = 0; receives < 2; receives++) {
        uint64_t key = own_key(receives);
        struct trace_request *q = requests_find(&t->rank[t->me].requests, key, key, 0);
        if (q)
            add_wait(t, q);
    }
    return WEFT_OK;
}

weft_status ti_probe(struct ti *t)
{
    TRY(ti_peer_at(t, 0, true, &t->e.peer));
    TRY(ti_tag_at(t, 1, true, &t->e.tag));
    return ti_is_null(t->e.peer) ? WEFT_OK : ti_put(t);
}

/* ---- waiting ---- */

static weft_status find_message(struct ti *t, struct trace_request **found)
{
    struct trace_requests *q = &t->rank[t->me].requests;
    int32_t from, to;
    uint32_t tag;
    TRY(ti_peer_at(t, 0, true, &from));
    TRY(ti_peer_at(t, 1, false, &to));
    TRY(ti_tag_at(t, 2, true, &tag));
    bool mine = from == (int32_t)t->me || to == (int32_t)t->me;
    uint64_t sent = ti_key_of(SORT_SEND, t->e.comm, to),
             got = ti_key_of(SORT_RECEIVE, t->e.comm, from);
    if (from != (int32_t)t->me)
        sent = got;
    if (to != (int32_t)t->me)
        got = sent;
    *found = mine ? requests_find(q, sent, got, tag) : NULL;
    uint64_t anybody = ti_key_of(SORT_RECEIVE, t->e.comm, PEER_ANY);
    if (mine && !*found)
        *found = requests_find(q, anybody, anybody, tag);
    if (mine && !*found)
        *found = requests_find(q, anybody, got, TAG_ANY);
    if (*found || ti_is_null(from) || ti_is_null(to))
        return WEFT_OK;
    return LINE_REFUSE(&t->w, 1, ("rank %u has started no such message before", t->me),
                       ("isend or irecv must come first"));
}

static weft_status find_operation(struct ti *t, struct trace_request **found)
{
    struct trace_requests *q = &t->rank[t->me].requests;
    uint64_t key = ti_key_of(SORT_OPERATION, 0, 0);
    int64_t number = -1;
    *found = t->w.count > 3 && number_integer(t->w.field[3], &number) && number >= 0
                 ? requests_find(q, key, key, (uint64_t)number)
                 : NULL;
    t->options = 4;
    if (*found)
        return WEFT_OK;
    return LINE_REFUSE(&t->w, 1, ("rank %u has started no such operation before", t->me),
                       ("a nonblocking operation must come first"));
}

/* Which request a line means: an old one, that was started last. *found NULL: none is needed. */
static weft_status find_request(struct ti *t, struct trace_request **found)
{
    struct trace_requests *q = &t->rank[t->me].requests;
    if (t->w.count > 2 && strcmp(t->w.field[2], "operation") == 0)
        return find_operation(t, found);
    if (t->numbers)
        return find_message(t, found);
    *found = requests_open(q) ? &q->open[q->end - 1] : NULL;
    if (!*found)
        return LINE_REFUSE(&t->w, 1, ("rank %u has started nothing before", t->me),
                           ("isend or irecv must come first"));
    return WEFT_OK;
}

weft_status ti_wait(struct ti *t)
{
    struct trace_request *found = NULL;
    TRY(find_request(t, &found));
    if (found)
        add_wait(t, found);
    return WEFT_OK;
}

weft_status ti_test(struct ti *t)
{
    struct trace_request *found = NULL;
    TRY(find_request(t, &found));
    if (!found)
        return WEFT_OK;
    found->tested = true;
    t->e.slot = found->slot;
    return ti_put(t);
}

/* All messages; operations are waited for by their numbers. */
weft_status ti_wait_all(struct ti *t)
{
    struct trace_requests *q = &t->rank[t->me].requests;
    for (size_t i = q->first; i < q->end;) {
        if (q->open[i].key >> 62 == SORT_OPERATION) {
            i++;
            continue;
        }
        size_t first = q->first;
        add_wait(t, &q->open[i]);
        i += q->first - first;
    }
    return WEFT_OK;
}
