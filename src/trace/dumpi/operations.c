/* What the arguments of collective operations mean. */
#include "trace/dumpi/dumpi.h"

#include "base/memory.h"

/* ---- arguments ---- */

/* Bytes for each member, by counts and one type, or one of each. */
static weft_status take_sizes(const struct dumpi_records *r, const struct dumpi_call *c,
                              struct record *e, enum dumpi_argument counts,
                              enum dumpi_argument type, uint32_t members)
{
    const struct dumpi_value *n = dumpi_call_find(c, counts), *t = dumpi_call_find(c, type);
    bool each = type == DUMPI_SENDTYPES || type == DUMPI_RECVTYPES;
    struct dumpi_element element = {.bytes = 1};
    uint64_t sum = 0;
    weft_status status = WEFT_OK;
    e->list = memory_grow(e->list, e->listed + members + 1, sizeof(*e->list));
    if (!each && n && n->count)
        status = dumpi_types_take(&r->types, c, type, &element);
    for (uint32_t i = 0; i < members; i++) {
        int64_t count = n && i < n->count ? c->number[n->first + i] : 0;
        if (each && count > 0 && status == WEFT_OK)
            status = t && i < t->count
                         ? dumpi_types_find(&r->types, c, t, c->number[t->first + i], &element)
                         : dumpi_call_refuse(c, t, "has too few datatypes");
        uint64_t bytes = count > 0 && count <= INT32_MAX ? (uint64_t)count * element.bytes : 0;
        e->list[e->listed++] = bytes;
        sum += bytes;
    }
    return status == WEFT_OK && sum > INT32_MAX ? dumpi_types_refuse(c) : status;
}

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

static weft_status take_combining(const struct dumpi_records *r, const struct dumpi_call *c,
                                  struct record *e)
{
    struct dumpi_element element;
    int64_t op = dumpi_call_number(c, DUMPI_OP, 0);
    TRY(dumpi_types_take(&r->types, c, DUMPI_DATATYPE, &element));
    const char *known = dumpi_op_name(op);
    bool made = map_find(&r->types.own, (uint64_t)dumpi_call_number(c, DUMPI_DATATYPE, 0));
    const char *likely = element.number || !known || made ? NULL : likely_type(op, element.bytes);
    e->op = known ? (uint8_t)reduction_named(known) : RECORD_OP_OWN;
    e->type = likely ? (uint16_t)datatype_named(likely)->handle : element.number;
    if (!e->type) { /* elements of the program's own */
        e->type = (uint16_t)datatype_named("byte")->handle;
        e->element = element.bytes > 1 && element.bytes <= UINT16_MAX ? (uint16_t)element.bytes : 0;
        e->op = RECORD_OP_OWN;
    }
    return WEFT_OK;
}

/* Members of a communicator that was made: as the call says, since others are not read yet. */
static uint32_t members_of(const struct dumpi_records *r, const struct dumpi_call *c, uint32_t comm)
{
    int64_t size = dumpi_call_number(c, DUMPI_COMMSIZE, 0);
    if (comm < COMM_FIRST)
        return recording_members(r->to, comm, 0);
    return size > 0 && size <= r->to->ranks ? (uint32_t)size : 1;
}

/* ---- operations ---- */

/* What goes out, or comes in: bytes of each member, or those of one. What only the root has is
 * nothing elsewhere. */
static weft_status take_side(const struct dumpi_records *r, const struct dumpi_call *c,
                             const struct collective_kind *kind, bool out, bool root,
                             struct record *e)
{
    enum layout layout = out ? kind->out : kind->in;
    bool each = layout == LAYOUT_TYPED;
    enum dumpi_argument type =
        out ? (each ? DUMPI_SENDTYPES : DUMPI_SENDTYPE) : (each ? DUMPI_RECVTYPES : DUMPI_RECVTYPE);
    if (layout_is_listed(layout))
        return take_sizes(r, c, e, out ? DUMPI_SENDCOUNTS : DUMPI_RECVCOUNTS, type,
                          members_of(r, c, e->comm));
    if (!root && kind->root == (out ? ROOT_SENDS : ROOT_RECEIVES))
        return WEFT_OK;
    return dumpi_types_size(&r->types, c, out ? DUMPI_SENDCOUNT : DUMPI_RECVCOUNT, type,
                            out || layout_is_listed(kind->out) ? &e->bytes : &e->other);
}

/* A trace does not say MPI_IN_PLACE; but the rank's own block then has another size than what it
 * gives, whose arguments do not count. `own`: its true size. */
static void fit(struct record *e, uint64_t *bytes, uint64_t own)
{
    e->flags |= *bytes != own ? RECORD_IN_PLACE : 0;
    *bytes = own;
}

static void fit_own(const struct dumpi_records *r, const struct collective_kind *kind,
                    struct record *e)
{
    const uint32_t *known = map_find(&r->comms.own_rank, e->comm);
    uint32_t rank = kind->root ? (uint32_t)e->peer : known ? *known : UINT32_MAX;
    bool scatters = kind->root == ROOT_SENDS;
    if (!collective_is_listed(kind))
        fit(e, scatters ? &e->other : &e->bytes, scatters ? e->bytes : e->other);
    else if (rank < e->listed)
        fit(e, &e->bytes, e->list[rank]);
}

static weft_status fill_sides(const struct dumpi_records *r, const struct dumpi_call *c,
                              const struct collective_kind *kind, struct record *e)
{
    bool root = !kind->root || dumpi_call_number(c, DUMPI_COMMRANK, e->peer) == e->peer;
    bool scatters = kind->root == ROOT_SENDS;
    TRY(take_side(r, c, kind, !scatters, root, e));
    TRY(take_side(r, c, kind, scatters, root, e));
    if (root && !(layout_is_listed(kind->out) && layout_is_listed(kind->in)))
        fit_own(r, kind, e);
    return WEFT_OK;
}

weft_status dumpi_operation_fill(const struct dumpi_records *r, const struct dumpi_call *c,
                                 const struct collective_kind *kind, struct record *e)
{
    int64_t root = 0;
    TRY(dumpi_comms_take(&r->comms, c, DUMPI_COMM, &e->comm));
    if (dumpi_call_find(c, DUMPI_ROOT))
        TRY(dumpi_call_take(c, DUMPI_ROOT, 0, r->to->ranks - 1, &root));
    e->operation = (uint16_t)collective_replayed(kind);
    e->peer = (int32_t)root;
    if (kind->combines)
        TRY(take_combining(r, c, e));
    if (kind->out == LAYOUT_VECTOR)
        return take_sizes(r, c, e, DUMPI_RECVCOUNTS, DUMPI_DATATYPE, members_of(r, c, e->comm));
    if (kind->combines || kind->root == ROOT_CASTS)
        return dumpi_types_size(&r->types, c, DUMPI_COUNT, DUMPI_DATATYPE, &e->bytes);
    return kind->out ? fill_sides(r, c, kind, e) : WEFT_OK;
}
