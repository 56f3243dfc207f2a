/* Calls as records. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "mpi/call.h"
#include "trace/dumpi/dumpi.h"

/* Keys of requests that the trace has no handles of, which have 32 bits and a sign. */
static const int64_t key_in = (int64_t)1 << 40, key_out = (int64_t)2 << 40,
                     key_freed = (int64_t)3 << 40;

static void put(struct dumpi_records *r, const struct record *e)
{
    recording_put(r->to, r->comms.me, e);
}

/* ---- messages ---- */

struct ends {
    enum dumpi_argument count, type, peer, tag;
};

/* *nobody: it is MPI_PROC_NULL, which is below all others. */
static weft_status take_message(const struct dumpi_records *r, const struct dumpi_call *c,
                                bool receives, const struct ends *ends, struct record *e,
                                bool *nobody)
{
    int64_t who = 0, which = 0;
    *e = (struct record){.kind = receives ? RECORD_RECEIVE : RECORD_SEND};
    TRY(dumpi_types_size(&r->types, c, ends->count, ends->type, &e->bytes));
    TRY(dumpi_comms_take(&r->comms, c, DUMPI_COMM, &e->comm));
    TRY(dumpi_call_take(c, ends->peer, INT32_MIN, INT32_MAX, &who));
    *nobody = who < -1 || (who == -1 && !receives);
    if (!*nobody && who >= (int64_t)r->to->ranks)
        return dumpi_call_refuse(c, dumpi_call_find(c, ends->peer),
                                 "names a rank that does not exist");
    bool any = receives && dumpi_call_number(c, ends->tag, 0) == -1;
    if (!any && !*nobody)
        TRY(dumpi_call_take(c, ends->tag, 0, INT32_MAX, &which));
    e->peer = (int32_t)who;
    e->tag = any ? TAG_ANY : (uint32_t)which;
    e->flags = e->comm >= COMM_FIRST ? RECORD_LOCAL : 0;
    return WEFT_OK;
}

static void start(struct dumpi_records *r, struct record *e, uint64_t key)
{
    bool receives = e->kind == RECORD_RECEIVE || e->kind == RECORD_START_RECEIVE;
    e->kind = receives ? RECORD_START_RECEIVE : RECORD_START_SEND;
    e->slot = requests_add(&r->requests, key, 0);
    put(r, e);
}

static struct dumpi_persistent *find_persistent(struct dumpi_records *r, int64_t handle)
{
    for (size_t i = r->persistents; i-- > 0;)
        if (r->persistent[i].handle == handle)
            return &r->persistent[i];
    return NULL;
}

static weft_status do_message(struct dumpi_records *r, const struct dumpi_call *c,
                              const struct message_call *m)
{
    const struct ends ends = {DUMPI_COUNT, DUMPI_DATATYPE, m->receives ? DUMPI_SOURCE : DUMPI_DEST,
                              DUMPI_TAG};
    struct record e;
    bool nobody;
    int64_t handle = 0;
    TRY(take_message(r, c, m->receives, &ends, &e, &nobody));
    if (m->way != MESSAGE_BLOCKING)
        TRY(dumpi_call_take(c, DUMPI_REQUEST, INT32_MIN, INT32_MAX, &handle));
    if (nobody)
        return WEFT_OK;
    e.mode = (uint8_t)m->mode;
    if (m->way == MESSAGE_PERSISTENT) {
        struct dumpi_persistent *p = find_persistent(r, handle);
        p = p ? p : LIST_ADD(r->persistent, r->persistents, r->persistent_room);
        *p = (struct dumpi_persistent){handle, e};
    } else if (m->way == MESSAGE_NONBLOCKING) {
        start(r, &e, (uint64_t)handle);
    } else {
        put(r, &e);
    }
    return WEFT_OK;
}

/* ---- requests ---- */

/* The handles of a call, whether it has one or several. */
static const int64_t *handles_of(const struct dumpi_call *c, size_t *count)
{
    const struct dumpi_value *all = dumpi_call_find(c, DUMPI_REQUESTS);
    const struct dumpi_value *one = dumpi_call_find(c, DUMPI_REQUEST);
    *count = all ? all->count : one ? 1 : 0;
    return !*count ? NULL : all ? c->number + all->first : &one->value;
}

static struct trace_request *open_request(struct dumpi_records *r, int64_t handle)
{
    return requests_find(&r->requests, (uint64_t)handle, (uint64_t)handle, 0);
}

static void do_start(struct dumpi_records *r, const struct dumpi_call *c)
{
    size_t count;
    const int64_t *handle = handles_of(c, &count);
    for (size_t i = 0; i < count; i++) {
        const struct dumpi_persistent *p = find_persistent(r, handle[i]);
        if (!p)
            continue; /* with nobody */
        struct record e = p->record;
        e.flags |= i > 0 ? RECORD_MORE : 0;
        start(r, &e, (uint64_t)handle[i]);
    }
}

static void wait_for(struct dumpi_records *r, const int64_t *handle, size_t count)
{
    uint64_t few[8], *list = count <= 8 ? few : memory_alloc(count, sizeof(*list));
    struct record e = {.kind = RECORD_WAIT, .list = list};
    for (size_t i = 0; i < count; i++) {
        struct trace_request *q = open_request(r, handle[i]);
        if (!q)
            continue; /* it was over, or with nobody */
        list[e.listed++] = q->slot;
        requests_end(&r->requests, q);
    }
    if (e.listed)
        put(r, &e);
    if (list != few)
        free(list);
}

static weft_status do_exchange(struct dumpi_records *r, const struct dumpi_call *c)
{
    bool replaces = c->function == DUMPI_Sendrecv_replace, none[2];
    const struct ends from = {replaces ? DUMPI_COUNT : DUMPI_RECVCOUNT,
                              replaces ? DUMPI_DATATYPE : DUMPI_RECVTYPE, DUMPI_SOURCE,
                              DUMPI_RECVTAG};
    const struct ends to = {replaces ? DUMPI_COUNT : DUMPI_SENDCOUNT,
                            replaces ? DUMPI_DATATYPE : DUMPI_SENDTYPE, DUMPI_DEST, DUMPI_SENDTAG};
    const int64_t keys[2] = {key_in, key_out};
    struct record in, out;
    TRY(take_message(r, c, true, &from, &in, &none[0]));
    TRY(take_message(r, c, false, &to, &out, &none[1]));
    if (!none[0])
        start(r, &in, (uint64_t)key_in);
    out.flags |= none[0] ? 0 : RECORD_MORE;
    if (!none[1])
        start(r, &out, (uint64_t)key_out);
    wait_for(r, keys, 2);
    return WEFT_OK;
}

/* Wait, Waitall, Waitany, Waitsome and tests that have found something. */
static void do_wait(struct dumpi_records *r, const struct dumpi_call *c)
{
    const struct dumpi_value *index = dumpi_call_find(c, DUMPI_INDEX);
    const struct dumpi_value *indices = dumpi_call_find(c, DUMPI_INDICES);
    size_t count;
    const int64_t *handle = handles_of(c, &count);
    if (!dumpi_call_number(c, DUMPI_FLAG, 1))
        return;
    if (index && index->value >= 0 && (uint64_t)index->value < count)
        wait_for(r, &handle[index->value], 1);
    for (size_t i = 0; indices && i < indices->count; i++) {
        int64_t at = c->number[indices->first + i];
        if (at >= 0 && (uint64_t)at < count)
            wait_for(r, &handle[at], 1);
    }
    if (!index && !indices && count)
        wait_for(r, handle, count);
}

/* MPI_Cancel(), or MPI_Request_free(): nobody will wait for it any more. */
static void do_abandon(struct dumpi_records *r, const struct dumpi_call *c)
{
    size_t count;
    const int64_t *handle = handles_of(c, &count);
    struct trace_request *q = count ? open_request(r, *handle) : NULL;
    if (q && c->function == DUMPI_Cancel)
        put(r, &(struct record){.kind = RECORD_CANCEL, .slot = q->slot});
    if (!count || c->function == DUMPI_Cancel)
        return;
    struct dumpi_persistent *p = find_persistent(r, *handle);
    if (q) {
        q->key = (uint64_t)key_freed;
        q->tested = true;
    }
    if (p)
        *p = r->persistent[--r->persistents];
}

/* ---- collective operations ---- */

static weft_status do_operation(struct dumpi_records *r, const struct dumpi_call *c,
                                const struct collective_kind *kind)
{
    struct record e = {.kind = RECORD_OPERATION};
    weft_status status = dumpi_operation_fill(r, c, kind, &e);
    if (status == WEFT_OK)
        put(r, &e);
    free(e.list);
    return status;
}

/* All members of the old one tell each other where they belong. */
static weft_status do_comm(struct dumpi_records *r, const struct dumpi_call *c)
{
    uint32_t parent, made;
    TRY(dumpi_comms_make(&r->comms, c, &parent, &made));
    struct record e = {.kind = RECORD_OPERATION,
                       .operation = CALL_Allgather,
                       .comm = parent,
                       .bytes = 8,
                       .other = 8};
    put(r, &e);
    e = (struct record){.kind = RECORD_COMM, .comm = made, .flags = RECORD_MORE};
    if (made)
        put(r, &e);
    return WEFT_OK;
}

/* ---- calls ---- */

static weft_status do_call(struct dumpi_records *r, const struct dumpi_call *c)
{
    enum call call = r->call[c->function];
    const struct collective_kind *kind = collective_of(call);
    struct message_call message;
    if (kind)
        return do_operation(r, c, kind);
    if (message_call_find(call, &message))
        return do_message(r, c, &message);
    switch (c->function) {
    case DUMPI_Sendrecv:
    case DUMPI_Sendrecv_replace:
        return do_exchange(r, c);
    case DUMPI_Comm_split:
    case DUMPI_Comm_dup:
    case DUMPI_Comm_create:
    case DUMPI_Cart_create:
    case DUMPI_Cart_sub:
    case DUMPI_Graph_create:
        return do_comm(r, c);
    case DUMPI_Wait:
    case DUMPI_Waitall:
    case DUMPI_Waitany:
    case DUMPI_Waitsome:
    case DUMPI_Test:
    case DUMPI_Testall:
    case DUMPI_Testany:
    case DUMPI_Testsome:
        do_wait(r, c);
        break;
    case DUMPI_Start:
    case DUMPI_Startall:
        do_start(r, c);
        break;
    case DUMPI_Cancel:
    case DUMPI_Request_free:
        do_abandon(r, c);
        break;
    case DUMPI_Comm_rank:
        dumpi_comms_tell(&r->comms, c);
        break;
    default:
        if (strncmp(c->name, "MPI_Type_", 9) == 0)
            dumpi_types_do(&r->types, c);
    }
    return WEFT_OK;
}

/* What lies between two calls, by the same clock, is computation. */
static weft_status add_call(struct dumpi_records *r, const struct dumpi_call *c)
{
    if (r->begun && c->clock != DUMPI_CLOCK_NONE && c->clock == r->clock &&
        c->entered_ns > r->left_ns)
        put(r, &(struct record){.kind = RECORD_SLEEP,
                                .amount = (double)(c->entered_ns - r->left_ns) / 1e9});
    r->clock = c->clock;
    r->left_ns = c->left_ns;
    r->begun = r->begun || c->function == DUMPI_Init || c->function == DUMPI_Init_thread;
    weft_status status = do_call(r, c);
    if (c->function == DUMPI_Finalize)
        r->begun = false;
    return status;
}

/* ---- ranks ---- */

void dumpi_records_init(struct dumpi_records *r, struct recording *to)
{
    *r = (struct dumpi_records){.to = to};
    for (enum dumpi_function i = 0; i < DUMPI_OTHER; i++)
        r->call[i] = call_named(dumpi_function_name(i) + strlen("MPI_"));
    r->call[DUMPI_OTHER] = CALLS;
}

static void forget_rank(struct dumpi_records *r)
{
    requests_drop(&r->requests);
    r->persistents = 0;
    dumpi_types_fini(&r->types);
}

void dumpi_records_fini(struct dumpi_records *r)
{
    forget_rank(r);
    free(r->persistent);
    dumpi_comms_fini(&r->comms);
}

weft_status dumpi_records_read(struct dumpi_records *r, uint32_t rank, struct dumpi_reader *in)
{
    forget_rank(r);
    r->types.size = in->type_size;
    r->types.sizes = in->type_sizes;
    r->begun = false;
    r->clock = DUMPI_CLOCK_NONE;
    dumpi_comms_begin(&r->comms, rank);
    TRY(in->next(in));
    while (in->call.function != DUMPI_END) {
        protected_call_poll();
        TRY(add_call(r, &in->call));
        TRY(in->next(in));
    }
    return WEFT_OK;
}
