/* What the arguments of collective operations mean. */
#include "trace/dumpi/operations.h"

#include "base/memory.h"
#include "trace/names.h"

/* What a rank knows. */
struct sight {
    const struct dumpi_types *types;
    const struct dumpi_comms *comms;
    uint32_t ranks;
};

static const struct {
    enum dumpi_function function;
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

enum record_operation dumpi_operation_of(enum dumpi_function function)
{
    for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
        if (operations[i].function == function)
            return operations[i].operation;
    return OPERATIONS;
}

/* ---- arguments ---- */

/* Bytes for each member, by counts and one type, or one of each. */
static weft_status take_sizes(const struct sight *s, const struct dumpi_call *c, struct record *e,
                              enum dumpi_argument counts, enum dumpi_argument type,
                              uint32_t members)
{
    const struct dumpi_value *n = dumpi_call_find(c, counts), *t = dumpi_call_find(c, type);
    bool each = type == DUMPI_SENDTYPES || type == DUMPI_RECVTYPES;
    uint64_t size = 1, sum = 0;
    uint16_t number;
    weft_status status = WEFT_OK;
    e->list = memory_grow(e->list, e->listed + members + 1, sizeof(*e->list));
    if (!each && n && n->count)
        status = dumpi_types_take(s->types, c, type, &size, &number);
    for (uint32_t i = 0; i < members; i++) {
        int64_t count = n && i < n->count ? c->number[n->first + i] : 0;
        if (each && count > 0 && status == WEFT_OK)
            status = t && i < t->count
                         ? dumpi_types_find(s->types, c, t, c->number[t->first + i], &size, &number)
                         : dumpi_call_refuse(c, t, "has too few datatypes");
        uint64_t bytes = count > 0 && count <= INT32_MAX ? (uint64_t)count * size : 0;
        e->list[e->listed++] = bytes;
        sum += bytes;
    }
    return status == WEFT_OK && sum > INT32_MAX ? dumpi_types_refuse(c) : status;
}

/* In the order of DUMPI's numbers. */
static const char *const ops[] = {"",    "max", "min",  "sum",  "prod",   "land",   "band",
                                  "lor", "bor", "lxor", "bxor", "minloc", "maxloc", "replace"};

/* A type that the program did not make, with an operation of MPI's, is one of Fortran's, or a newer
 * one of C's, of which only the size is known. It is taken for a real one where it can be
 * (assumed), and for an integer otherwise. */
static const char *likely_type(int64_t op, uint64_t bytes)
{
    enum { LAND = 5, BXOR = 10, MINLOC = 11, MAXLOC = 12 };
    static const struct {
        uint8_t bytes;
        const char *real, *integer, *pair;
    } likely[] = {
        {1, "integer1", "integer1", NULL},     {2, "integer2", "integer2", NULL},
        {4, "real", "integer", NULL},          {8, "double_precision", "integer8", "2integer"},
        {16, NULL, NULL, "2double_precision"},
    };
    for (unsigned i = 0; i < sizeof(likely) / sizeof(likely[0]); i++)
        if (likely[i].bytes == bytes)
            return op == MINLOC || op == MAXLOC ? likely[i].pair
                   : op >= LAND && op <= BXOR   ? likely[i].integer
                                                : likely[i].real;
    return NULL;
}

static weft_status take_combining(const struct sight *s, const struct dumpi_call *c,
                                  struct record *e)
{
    uint64_t bytes;
    const struct dumpi_value *op = dumpi_call_find(c, DUMPI_OP);
    const struct dumpi_value *type = dumpi_call_find(c, DUMPI_DATATYPE);
    weft_status status = dumpi_types_take(s->types, c, DUMPI_DATATYPE, &bytes, &e->type);
    bool known = op && op->value > 0 && op->value < (int64_t)(sizeof(ops) / sizeof(ops[0]));
    e->op = known ? (uint8_t)op_by_name(ops[op->value]) : RECORD_OP_OWN;
    bool made = type && map_find(&s->types->own, (uint64_t)type->value);
    const char *likely = e->type || !known || made ? NULL : likely_type(op->value, bytes);
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
static uint32_t members_of(const struct sight *s, const struct dumpi_call *c, uint32_t comm)
{
    const struct dumpi_value *size = dumpi_call_find(c, DUMPI_COMMSIZE);
    if (comm == COMM_SELF)
        return 1;
    if (comm == COMM_WORLD)
        return s->ranks;
    return size && size->value > 0 && size->value <= s->ranks ? (uint32_t)size->value : 1;
}

static weft_status take_out(const struct sight *s, const struct dumpi_call *c, uint64_t *bytes)
{
    return dumpi_types_size(s->types, c, DUMPI_SENDCOUNT, DUMPI_SENDTYPE, bytes);
}

static weft_status take_in(const struct sight *s, const struct dumpi_call *c, uint64_t *bytes)
{
    return dumpi_types_size(s->types, c, DUMPI_RECVCOUNT, DUMPI_RECVTYPE, bytes);
}

/* A trace does not say MPI_IN_PLACE; but the rank's own part then has another size than what it
 * gives, whose arguments do not count. `own`: its true size. */
static void fit(struct record *e, uint64_t *bytes, uint64_t own)
{
    e->flags |= *bytes != own ? RECORD_IN_PLACE : 0;
    *bytes = own;
}

static void fit_listed(const struct sight *s, struct record *e)
{
    const uint32_t *place = map_find(&s->comms->places, e->comm);
    if (place && *place < e->listed)
        fit(e, &e->bytes, e->list[*place]);
}

/* What only the root has is nothing elsewhere. */
static weft_status fill_rooted(const struct sight *s, const struct dumpi_call *c, struct record *e)
{
    const struct dumpi_value *here = dumpi_call_find(c, DUMPI_COMMRANK);
    bool root = !here || here->value == e->peer;
    bool gathers = e->operation == OPERATION_GATHER || e->operation == OPERATION_GATHERV;
    bool listed = e->operation == OPERATION_GATHERV || e->operation == OPERATION_SCATTERV;
    uint64_t *given = gathers || listed ? &e->bytes : &e->other; /* by every member */
    uint64_t *rooted = gathers ? &e->other : &e->bytes;
    weft_status status = (gathers ? take_out : take_in)(s, c, given);
    if (status == WEFT_OK && listed)
        status = take_sizes(s, c, e, gathers ? DUMPI_RECVCOUNTS : DUMPI_SENDCOUNTS,
                            gathers ? DUMPI_RECVTYPE : DUMPI_SENDTYPE, members_of(s, c, e->comm));
    else if (status == WEFT_OK && root)
        status = (gathers ? take_in : take_out)(s, c, rooted);
    if (status == WEFT_OK && root && listed && (uint32_t)e->peer < e->listed)
        fit(e, given, e->list[e->peer]);
    else if (status == WEFT_OK && root && !listed)
        fit(e, given, *rooted);
    return status;
}

static weft_status fill_all_to_all(const struct sight *s, const struct dumpi_call *c,
                                   struct record *e)
{
    bool each = c->function == DUMPI_Alltoallw;
    uint32_t members = members_of(s, c, e->comm);
    weft_status status =
        take_sizes(s, c, e, DUMPI_SENDCOUNTS, each ? DUMPI_SENDTYPES : DUMPI_SENDTYPE, members);
    return status == WEFT_OK ? take_sizes(s, c, e, DUMPI_RECVCOUNTS,
                                          each ? DUMPI_RECVTYPES : DUMPI_RECVTYPE, members)
                             : status;
}

static weft_status fill_reduction(const struct sight *s, const struct dumpi_call *c,
                                  struct record *e)
{
    TRY(take_combining(s, c, e));
    if (e->operation == OPERATION_REDUCE_SCATTER)
        return take_sizes(s, c, e, DUMPI_RECVCOUNTS, DUMPI_DATATYPE, members_of(s, c, e->comm));
    return dumpi_types_size(s->types, c, DUMPI_COUNT, DUMPI_DATATYPE, &e->bytes);
}

static weft_status fill_operation(const struct sight *s, const struct dumpi_call *c,
                                  struct record *e)
{
    weft_status status;
    switch (e->operation) {
    case OPERATION_BARRIER:
        return WEFT_OK;
    case OPERATION_BCAST:
        return dumpi_types_size(s->types, c, DUMPI_COUNT, DUMPI_DATATYPE, &e->bytes);
    case OPERATION_GATHER:
    case OPERATION_GATHERV:
    case OPERATION_SCATTER:
    case OPERATION_SCATTERV:
        return fill_rooted(s, c, e);
    case OPERATION_ALLGATHER:
    case OPERATION_ALLTOALL:
        status = take_out(s, c, &e->bytes);
        if (status == WEFT_OK)
            status = take_in(s, c, &e->other);
        fit(e, &e->bytes, e->other);
        return status;
    case OPERATION_ALLGATHERV:
        status = take_out(s, c, &e->bytes);
        if (status == WEFT_OK)
            status =
                take_sizes(s, c, e, DUMPI_RECVCOUNTS, DUMPI_RECVTYPE, members_of(s, c, e->comm));
        fit_listed(s, e);
        return status;
    case OPERATION_ALLTOALLV:
        return fill_all_to_all(s, c, e);
    default:
        return fill_reduction(s, c, e);
    }
}

weft_status dumpi_operation_fill(const struct dumpi_types *types, const struct dumpi_comms *comms,
                                 uint32_t ranks, const struct dumpi_call *c, struct record *e)
{
    const struct sight s = {types, comms, ranks};
    int64_t root = 0;
    weft_status status = dumpi_comms_take(comms, c, DUMPI_COMM, &e->comm);
    if (status == WEFT_OK && dumpi_call_has(c, DUMPI_ROOT))
        status = dumpi_call_take(c, DUMPI_ROOT, 0, ranks - 1, &root);
    e->peer = (int32_t)root;
    return status == WEFT_OK ? fill_operation(&s, c, e) : status;
}
