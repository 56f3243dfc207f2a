/* Calls as records. */
#include "trace/dumpi_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/dumpi_comms.h"
#include "trace/dumpi_types.h"
#include "trace/names.h"
#include "trace/requests.h"

/* Keys of requests that the trace has no handles of, which have 32 bits and a sign. */
static const int64_t key_in = (int64_t)1 << 40, key_out = (int64_t)2 << 40,
                     key_freed = (int64_t)3 << 40;

/* A request that can be started again. */
struct persistent {
    int64_t handle;
    struct record record;
};

struct dumpi_records {
    struct recording *to;
    uint32_t me;
    bool begun;             /* MPI_Init() was called, and MPI_Finalize() was not */
    enum dumpi_clock clock; /* of the last call, */
    int64_t left_ns;        /* and when it ended */
    struct trace_requests requests;
    struct persistent *persistent;
    size_t persistents, persistent_room;
    struct dumpi_types types;
    struct dumpi_comms comms;
};

static void put(struct dumpi_records *r, const struct record *e)
{
    recording_put(r->to, r->me, e);
}

/* ---- sizes ---- */

static weft_status refuse_size(const struct dumpi_call *c)
{
    return dumpi_call_refuse(c, NULL, "has more than 2147483647 bytes");
}

static weft_status take_size(const struct dumpi_records *r, const struct dumpi_call *c,
                             enum dumpi_argument count, enum dumpi_argument type, uint64_t *bytes)
{
    int64_t n = 0;
    uint64_t each = 1;
    uint16_t number;
    weft_status status = dumpi_call_take(c, count, 0, INT32_MAX, &n);
    if (status == WEFT_OK)
        status = dumpi_types_take(&r->types, c, type, &each, &number);
    *bytes = (uint64_t)n * each;
    return status == WEFT_OK && *bytes > INT32_MAX ? refuse_size(c) : status;
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
    const struct dumpi_value *tag = dumpi_call_find(c, ends->tag);
    *e = (struct record){.kind = receives ? RECORD_RECEIVE : RECORD_SEND};
    weft_status status = take_size(r, c, ends->count, ends->type, &e->bytes);
    if (status == WEFT_OK)
        status = dumpi_comms_take(&r->comms, c, DUMPI_COMM, &e->comm);
    if (status == WEFT_OK)
        status = dumpi_call_take(c, ends->peer, INT32_MIN, INT32_MAX, &who);
    *nobody = who < -1 || (who == -1 && !receives);
    if (status == WEFT_OK && !*nobody && who >= (int64_t)r->to->ranks)
        status = dumpi_call_refuse(c, dumpi_call_find(c, ends->peer),
                                   "names a rank that does not exist");
    bool any = receives && tag && tag->value == -1;
    if (status == WEFT_OK && !any && !*nobody)
        status = dumpi_call_take(c, ends->tag, 0, INT32_MAX, &which);
    e->peer = (int32_t)who;
    e->tag = any ? TAG_ANY : (uint32_t)which;
    e->flags = e->comm >= COMM_FIRST ? RECORD_LOCAL : 0;
    return status;
}

static void start(struct dumpi_records *r, struct record *e, uint64_t key)
{
    bool receives = e->kind == RECORD_RECEIVE || e->kind == RECORD_START_RECEIVE;
    e->kind = receives ? RECORD_START_RECEIVE : RECORD_START_SEND;
    e->slot = requests_add(&r->requests, key, 0);
    put(r, e);
}

static struct persistent *find_persistent(struct dumpi_records *r, int64_t handle)
{
    for (size_t i = r->persistents; i-- > 0;)
        if (r->persistent[i].handle == handle)
            return &r->persistent[i];
    return NULL;
}

static void add_persistent(struct dumpi_records *r, int64_t handle, const struct record *e)
{
    struct persistent *p = find_persistent(r, handle);
    if (!p && r->persistents == r->persistent_room) {
        r->persistent_room = r->persistent_room ? 2 * r->persistent_room : 8;
        r->persistent = memory_grow(r->persistent, r->persistent_room, sizeof(*r->persistent));
    }
    p = p ? p : &r->persistent[r->persistents++];
    *p = (struct persistent){handle, *e};
}

enum way { AT_ONCE, AS_REQUEST, AGAIN };

static weft_status do_message(struct dumpi_records *r, const struct dumpi_call *c, bool receives,
                              enum record_mode mode, enum way way)
{
    const struct ends ends = {DUMPI_COUNT, DUMPI_DATATYPE, receives ? DUMPI_SOURCE : DUMPI_DEST,
                              DUMPI_TAG};
    struct record e;
    bool nobody;
    int64_t handle = 0;
    weft_status status = take_message(r, c, receives, &ends, &e, &nobody);
    if (status == WEFT_OK && way != AT_ONCE)
        status = dumpi_call_take(c, DUMPI_REQUEST, INT32_MIN, INT32_MAX, &handle);
    if (status != WEFT_OK || nobody)
        return status;
    e.mode = (uint8_t)mode;
    if (way == AGAIN)
        add_persistent(r, handle, &e);
    else if (way == AS_REQUEST)
        start(r, &e, (uint64_t)handle);
    else
        put(r, &e);
    return WEFT_OK;
}

/* ---- requests ---- */

/* The handles of a call, whether it has one or several. */
static const int64_t *handles_of(const struct dumpi_call *c, size_t *count)
{
    const struct dumpi_value *all = dumpi_call_find(c, DUMPI_REQUESTS);
    const struct dumpi_value *one = dumpi_call_find(c, DUMPI_REQUEST);
    *count = all ? all->count : one ? 1 : 0;
    return all ? c->number + all->first : one ? &one->value : NULL;
}

static void do_start(struct dumpi_records *r, const struct dumpi_call *c)
{
    size_t count;
    const int64_t *handle = handles_of(c, &count);
    for (size_t i = 0; i < count; i++) {
        const struct persistent *p = find_persistent(r, handle[i]);
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
        uint64_t key = (uint64_t)handle[i];
        struct trace_request *q = requests_find(&r->requests, key, key, 0);
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
    weft_status status = take_message(r, c, true, &from, &in, &none[0]);
    if (status == WEFT_OK)
        status = take_message(r, c, false, &to, &out, &none[1]);
    if (status != WEFT_OK)
        return status;
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
    const struct dumpi_value *flag = dumpi_call_find(c, DUMPI_FLAG);
    const struct dumpi_value *index = dumpi_call_find(c, DUMPI_INDEX);
    const struct dumpi_value *indices = dumpi_call_find(c, DUMPI_INDICES);
    size_t count;
    const int64_t *handle = handles_of(c, &count);
    if (flag && !flag->value)
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

/* Nobody will wait for it: it was freed, or a receive is not wanted any more. */
static void do_forget(struct dumpi_records *r, const struct dumpi_call *c)
{
    size_t count;
    const int64_t *handle = handles_of(c, &count);
    if (!count)
        return;
    uint64_t key = (uint64_t)*handle;
    struct trace_request *q = requests_find(&r->requests, key, key, 0);
    struct persistent *p = c->function == DUMPI_Request_free ? find_persistent(r, *handle) : NULL;
    if (q) {
        q->key = (uint64_t)key_freed;
        q->tested = true;
    }
    if (p)
        *p = r->persistent[--r->persistents];
}

/* ---- collective operations ---- */

/* Bytes for each member, by counts and one type, or one of each. */
static weft_status take_sizes(const struct dumpi_records *r, const struct dumpi_call *c,
                              struct record *e, enum dumpi_argument counts,
                              enum dumpi_argument type, uint32_t members)
{
    const struct dumpi_value *n = dumpi_call_find(c, counts), *t = dumpi_call_find(c, type);
    bool each = type == DUMPI_SENDTYPES || type == DUMPI_RECVTYPES;
    uint64_t size = 1, sum = 0;
    uint16_t number;
    weft_status status = WEFT_OK;
    e->list = memory_grow(e->list, e->listed + members + 1, sizeof(*e->list));
    if (!each && n && n->count)
        status = dumpi_types_take(&r->types, c, type, &size, &number);
    for (uint32_t i = 0; i < members; i++) {
        int64_t count = n && i < n->count ? c->number[n->first + i] : 0;
        if (each && count > 0 && status == WEFT_OK)
            status = t && i < t->count ? dumpi_types_find(&r->types, c, t, c->number[t->first + i],
                                                          &size, &number)
                                       : dumpi_call_refuse(c, t, "has too few datatypes");
        uint64_t bytes = count > 0 && count <= INT32_MAX ? (uint64_t)count * size : 0;
        e->list[e->listed++] = bytes;
        sum += bytes;
    }
    return status == WEFT_OK && sum > INT32_MAX ? refuse_size(c) : status;
}

/* In the order of DUMPI's numbers. */
static const char *const ops[] = {"",    "max", "min",  "sum",  "prod",   "land",   "band",
                                  "lor", "bor", "lxor", "bxor", "minloc", "maxloc", "replace"};

/* A type that the program did not make, with an operation of MPI's, is one of Fortran's, or a newer
 * one of C's; of which only the size is known. Reals are taken for what it is (assumed). */
static const char *likely_type(unsigned op, uint64_t bytes)
{
    bool pair = op == op_by_name("minloc") || op == op_by_name("maxloc");
    return pair          ? (bytes == 16  ? "2double_precision"
                            : bytes == 8 ? "2integer"
                                         : NULL)
           : bytes == 4  ? "real"
           : bytes == 8  ? "double_precision"
           : bytes == 16 ? "double_complex"
                         : NULL;
}

static weft_status take_combining(const struct dumpi_records *r, const struct dumpi_call *c,
                                  struct record *e)
{
    uint64_t bytes;
    const struct dumpi_value *op = dumpi_call_find(c, DUMPI_OP);
    const struct dumpi_value *type = dumpi_call_find(c, DUMPI_DATATYPE);
    weft_status status = dumpi_types_take(&r->types, c, DUMPI_DATATYPE, &bytes, &e->type);
    bool known = op && op->value > 0 && op->value < (int64_t)(sizeof(ops) / sizeof(ops[0]));
    e->op = known ? (uint8_t)op_by_name(ops[op->value]) : RECORD_OP_OWN;
    const char *likely =
        e->type || !known || !type || map_find(&r->types.own, (uint64_t)type->value)
            ? NULL
            : likely_type(e->op, bytes);
    if (likely)
        e->type = type_by_name(likely)->number;
    if (!e->type) { /* elements of the program's own */
        e->type = type_by_name("byte")->number;
        e->element = bytes > 1 && bytes <= UINT16_MAX ? (uint16_t)bytes : 0;
        e->op = RECORD_OP_OWN;
    }
    return status;
}

/* Members of a communicator that was made: as the call says, since others are not read yet. */
static uint32_t members_of(const struct dumpi_records *r, const struct dumpi_call *c, uint32_t comm)
{
    const struct dumpi_value *size = dumpi_call_find(c, DUMPI_COMMSIZE);
    if (comm == COMM_SELF)
        return 1;
    if (comm == COMM_WORLD)
        return r->to->ranks;
    return size && size->value > 0 && size->value <= r->to->ranks ? (uint32_t)size->value : 1;
}

static weft_status take_out(const struct dumpi_records *r, const struct dumpi_call *c,
                            uint64_t *bytes)
{
    return take_size(r, c, DUMPI_SENDCOUNT, DUMPI_SENDTYPE, bytes);
}

static weft_status take_in(const struct dumpi_records *r, const struct dumpi_call *c,
                           uint64_t *bytes)
{
    return take_size(r, c, DUMPI_RECVCOUNT, DUMPI_RECVTYPE, bytes);
}

/* What only the root has is nothing elsewhere. */
static weft_status fill_rooted(const struct dumpi_records *r, const struct dumpi_call *c,
                               struct record *e)
{
    const struct dumpi_value *here = dumpi_call_find(c, DUMPI_COMMRANK);
    bool root = !here || here->value == e->peer;
    uint32_t members = members_of(r, c, e->comm);
    weft_status status;
    switch (e->operation) {
    case OPERATION_GATHER:
        status = take_out(r, c, &e->bytes);
        return status == WEFT_OK && root ? take_in(r, c, &e->other) : status;
    case OPERATION_SCATTER:
        status = take_in(r, c, &e->other);
        return status == WEFT_OK && root ? take_out(r, c, &e->bytes) : status;
    case OPERATION_GATHERV:
        status = take_out(r, c, &e->bytes);
        return status == WEFT_OK ? take_sizes(r, c, e, DUMPI_RECVCOUNTS, DUMPI_RECVTYPE, members)
                                 : status;
    default:
        status = take_in(r, c, &e->bytes);
        return status == WEFT_OK ? take_sizes(r, c, e, DUMPI_SENDCOUNTS, DUMPI_SENDTYPE, members)
                                 : status;
    }
}

static weft_status fill_all_to_all(const struct dumpi_records *r, const struct dumpi_call *c,
                                   struct record *e)
{
    bool each = c->function == DUMPI_Alltoallw;
    uint32_t members = members_of(r, c, e->comm);
    weft_status status =
        take_sizes(r, c, e, DUMPI_SENDCOUNTS, each ? DUMPI_SENDTYPES : DUMPI_SENDTYPE, members);
    return status == WEFT_OK ? take_sizes(r, c, e, DUMPI_RECVCOUNTS,
                                          each ? DUMPI_RECVTYPES : DUMPI_RECVTYPE, members)
                             : status;
}

static weft_status fill_reduction(const struct dumpi_records *r, const struct dumpi_call *c,
                                  struct record *e)
{
    weft_status status = take_combining(r, c, e);
    if (status != WEFT_OK)
        return status;
    if (e->operation == OPERATION_REDUCE_SCATTER)
        return take_sizes(r, c, e, DUMPI_RECVCOUNTS, DUMPI_DATATYPE, members_of(r, c, e->comm));
    return take_size(r, c, DUMPI_COUNT, DUMPI_DATATYPE, &e->bytes);
}

static weft_status fill_operation(const struct dumpi_records *r, const struct dumpi_call *c,
                                  struct record *e)
{
    weft_status status;
    switch (e->operation) {
    case OPERATION_BARRIER:
        return WEFT_OK;
    case OPERATION_BCAST:
        return take_size(r, c, DUMPI_COUNT, DUMPI_DATATYPE, &e->bytes);
    case OPERATION_GATHER:
    case OPERATION_GATHERV:
    case OPERATION_SCATTER:
    case OPERATION_SCATTERV:
        return fill_rooted(r, c, e);
    case OPERATION_ALLGATHER:
    case OPERATION_ALLTOALL:
        status = take_out(r, c, &e->bytes);
        return status == WEFT_OK ? take_in(r, c, &e->other) : status;
    case OPERATION_ALLGATHERV:
        status = take_out(r, c, &e->bytes);
        return status == WEFT_OK ? take_sizes(r, c, e, DUMPI_RECVCOUNTS, DUMPI_RECVTYPE,
                                              members_of(r, c, e->comm))
                                 : status;
    case OPERATION_ALLTOALLV:
        return fill_all_to_all(r, c, e);
    default:
        return fill_reduction(r, c, e);
    }
}

static weft_status do_operation(struct dumpi_records *r, const struct dumpi_call *c,
                                enum record_operation o)
{
    struct record e = {.kind = RECORD_OPERATION, .operation = (uint8_t)o};
    int64_t root = 0;
    weft_status status = dumpi_comms_take(&r->comms, c, DUMPI_COMM, &e.comm);
    if (status == WEFT_OK && dumpi_call_has(c, DUMPI_ROOT))
        status = dumpi_call_take(c, DUMPI_ROOT, 0, r->to->ranks - 1, &root);
    e.peer = (int32_t)root;
    if (status == WEFT_OK)
        status = fill_operation(r, c, &e);
    if (status == WEFT_OK)
        put(r, &e);
    free(e.list);
    return status;
}

/* All members of the old one tell each other where they belong. */
static weft_status do_comm(struct dumpi_records *r, const struct dumpi_call *c)
{
    uint32_t parent, made;
    weft_status status = dumpi_comms_make(&r->comms, c, &parent, &made);
    if (status != WEFT_OK)
        return status;
    struct record e = {.kind = RECORD_OPERATION,
                       .operation = OPERATION_ALLGATHER,
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

static weft_status do_send(struct dumpi_records *r, const struct dumpi_call *c)
{
    switch (c->function) {
    case DUMPI_Send:
        return do_message(r, c, false, MODE_STANDARD, AT_ONCE);
    case DUMPI_Bsend:
        return do_message(r, c, false, MODE_BUFFERED, AT_ONCE);
    case DUMPI_Ssend:
        return do_message(r, c, false, MODE_SYNCHRONOUS, AT_ONCE);
    case DUMPI_Rsend:
        return do_message(r, c, false, MODE_READY, AT_ONCE);
    case DUMPI_Isend:
        return do_message(r, c, false, MODE_STANDARD, AS_REQUEST);
    case DUMPI_Ibsend:
        return do_message(r, c, false, MODE_BUFFERED, AS_REQUEST);
    case DUMPI_Issend:
        return do_message(r, c, false, MODE_SYNCHRONOUS, AS_REQUEST);
    case DUMPI_Irsend:
        return do_message(r, c, false, MODE_READY, AS_REQUEST);
    case DUMPI_Send_init:
        return do_message(r, c, false, MODE_STANDARD, AGAIN);
    case DUMPI_Bsend_init:
        return do_message(r, c, false, MODE_BUFFERED, AGAIN);
    case DUMPI_Ssend_init:
        return do_message(r, c, false, MODE_SYNCHRONOUS, AGAIN);
    default:
        return do_message(r, c, false, MODE_READY, AGAIN);
    }
}

static const struct {
    enum dumpi_function call;
    enum record_operation operation;
} operations[] = {
    {DUMPI_Barrier, OPERATION_BARRIER},     {DUMPI_Bcast, OPERATION_BCAST},
    {DUMPI_Gather, OPERATION_GATHER},       {DUMPI_Gatherv, OPERATION_GATHERV},
    {DUMPI_Scatter, OPERATION_SCATTER},     {DUMPI_Scatterv, OPERATION_SCATTERV},
    {DUMPI_Allgather, OPERATION_ALLGATHER}, {DUMPI_Allgatherv, OPERATION_ALLGATHERV},
    {DUMPI_Alltoall, OPERATION_ALLTOALL},   {DUMPI_Alltoallv, OPERATION_ALLTOALLV},
    {DUMPI_Alltoallw, OPERATION_ALLTOALLV}, {DUMPI_Reduce, OPERATION_REDUCE},
    {DUMPI_Allreduce, OPERATION_ALLREDUCE}, {DUMPI_Reduce_scatter, OPERATION_REDUCE_SCATTER},
    {DUMPI_Scan, OPERATION_SCAN},           {DUMPI_Exscan, OPERATION_EXSCAN},
};

/* Operations, types, and what has no meaning here. */
static weft_status do_other(struct dumpi_records *r, const struct dumpi_call *c)
{
    for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
        if (c->function == operations[i].call)
            return do_operation(r, c, operations[i].operation);
    if (strncmp(c->name, "MPI_Type_", 9) == 0)
        dumpi_types_do(&r->types, c);
    return WEFT_OK;
}

static weft_status do_call(struct dumpi_records *r, const struct dumpi_call *c)
{
    switch (c->function) {
    case DUMPI_Send:
    case DUMPI_Bsend:
    case DUMPI_Ssend:
    case DUMPI_Rsend:
    case DUMPI_Isend:
    case DUMPI_Ibsend:
    case DUMPI_Issend:
    case DUMPI_Irsend:
    case DUMPI_Send_init:
    case DUMPI_Bsend_init:
    case DUMPI_Ssend_init:
    case DUMPI_Rsend_init:
        return do_send(r, c);
    case DUMPI_Recv:
        return do_message(r, c, true, MODE_STANDARD, AT_ONCE);
    case DUMPI_Irecv:
        return do_message(r, c, true, MODE_STANDARD, AS_REQUEST);
    case DUMPI_Recv_init:
        return do_message(r, c, true, MODE_STANDARD, AGAIN);
    case DUMPI_Sendrecv:
    case DUMPI_Sendrecv_replace:
        return do_exchange(r, c);
    case DUMPI_Wait:
    case DUMPI_Waitall:
    case DUMPI_Waitany:
    case DUMPI_Waitsome:
    case DUMPI_Test:
    case DUMPI_Testall:
    case DUMPI_Testany:
    case DUMPI_Testsome:
        do_wait(r, c);
        return WEFT_OK;
    case DUMPI_Start:
    case DUMPI_Startall:
        do_start(r, c);
        return WEFT_OK;
    case DUMPI_Request_free:
    case DUMPI_Cancel:
        do_forget(r, c);
        return WEFT_OK;
    case DUMPI_Comm_split:
    case DUMPI_Comm_dup:
    case DUMPI_Comm_create:
    case DUMPI_Cart_create:
    case DUMPI_Cart_sub:
    case DUMPI_Graph_create:
        return do_comm(r, c);
    case DUMPI_Comm_rank:
        dumpi_comms_tell(&r->comms, c);
        return WEFT_OK;
    default:
        return do_other(r, c);
    }
}

/* ---- ranks ---- */

struct dumpi_records *dumpi_records_create(struct recording *to)
{
    struct dumpi_records *r = memory_alloc(1, sizeof(*r));
    r->to = to;
    return r;
}

static void forget_rank(struct dumpi_records *r)
{
    requests_drop(&r->requests);
    r->persistents = 0;
    dumpi_types_fini(&r->types);
}

void dumpi_records_begin(struct dumpi_records *r, uint32_t rank)
{
    forget_rank(r);
    r->me = rank;
    r->begun = false;
    r->clock = DUMPI_CLOCK_NONE;
    dumpi_comms_begin(&r->comms, rank);
}

void dumpi_records_end(struct dumpi_records *r)
{
    dumpi_comms_settle(&r->comms, r->to);
}

void dumpi_records_destroy(struct dumpi_records *r)
{
    forget_rank(r);
    free(r->persistent);
    dumpi_comms_fini(&r->comms);
    free(r);
}

/* What lies between two calls, by the same clock, is computation. */
weft_status dumpi_records_add(struct dumpi_records *r, const struct dumpi_call *c)
{
    if (r->begun && c->clock != DUMPI_CLOCK_NONE && c->clock == r->clock &&
        c->entered_ns > r->left_ns)
        put(r, &(struct record){.kind = RECORD_SLEEP,
                                .amount = (double)(c->entered_ns - r->left_ns) * 1e-9});
    r->clock = c->clock;
    r->left_ns = c->left_ns;
    r->begun = r->begun || c->function == DUMPI_Init || c->function == DUMPI_Init_thread;
    weft_status status = do_call(r, c);
    if (c->function == DUMPI_Finalize)
        r->begun = false;
    return status;
}
