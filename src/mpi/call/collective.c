/* Collective operations: checks arguments, looks up operands, and starts the operation. */
#include "mpi/collective/collective.h"

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/collective/series.h"
#include "mpi/object/request.h"

/* ---- checks ---- */

static int check_root(struct rank *r, struct comm *c, int root)
{
    bool inter = c->remote;
    if ((inter && (root == MPI_ROOT || root == MPI_PROC_NULL)) ||
        (root >= 0 && (uint32_t)root < comm_peer_group(c)->size))
        return MPI_SUCCESS;
    return error_raise(r, c, MPI_ERR_ROOT, "root %d, of a communicator with %u", root,
                       comm_peer_group(c)->size);
}

static bool is_root(const struct comm *c, int root)
{
    return c->remote ? root == MPI_ROOT : root == (int)c->rank;
}

/* Whether the operation is between the root and this process; the root is one itself, unless the
 * communicator has two sides. */
static bool is_other(const struct comm *c, int root)
{
    return c->remote ? root >= 0 : true;
}

/* What a process would send may be where it receives, or the other way round at a root that sends.
 */
static bool is_in_place(const struct collective_kind *kind, const struct collective_arguments *a)
{
    return (kind->root == ROOT_SENDS ? a->in.at : a->out.at) == MPI_IN_PLACE;
}

static int check(struct rank *r, struct comm *c, const struct collective_kind *kind,
                 const struct collective_arguments *a)
{
    if (kind->neighbours && !c->topology)
        return error_raise(r, c, MPI_ERR_TOPOLOGY, "the communicator has no topology");
    if (kind->prefix)
        TRY_MPI(check_sides(r, c, 1));
    if (kind->root)
        TRY_MPI(check_root(r, c, a->root));
    bool allowed = !kind->neighbours && !c->remote && (!kind->root || is_root(c, a->root));
    if (is_in_place(kind, a) && !allowed)
        return error_raise(r, c, MPI_ERR_BUFFER, "MPI_IN_PLACE is not possible here");
    return MPI_SUCCESS;
}

/* ---- operands ---- */

/* One type for each block; they may be freed before the operation is over. */
static int take_types(struct rank *r, struct comm *c, struct side *side, uint32_t blocks,
                      const MPI_Datatype types[])
{
    int error = MPI_SUCCESS;
    side->types = memory_alloc(blocks, sizeof(struct type *));
    for (uint32_t i = 0; i < blocks && !error; i++) {
        struct type *t;
        error = find_data(r, c, number_at(side->counts, i), types[i], &t);
        if (!error)
            side->types[side->blocks++] = type_hold(t);
    }
    return error;
}

/* A side by the arguments of a call, for so many blocks; its layout is set. Types of single blocks
 * are held, until side_drop(). */
static int take_side(struct rank *r, struct comm *c, struct side *side,
                     const struct buffer_arguments *a, uint32_t blocks)
{
    side->at = (void *)a->at;
    if (side->layout == LAYOUT_NONE || side->layout == LAYOUT_VECTOR)
        return MPI_SUCCESS;
    if (!layout_is_listed(side->layout)) {
        side->count = a->count;
        return find_data(r, c, a->count, a->type, &side->type);
    }
    side->counts = a->counts;
    side->displacements = a->displs;
    for (uint32_t i = 0; i < blocks; i++)
        if (number_at(a->counts, i) < 0)
            return error_raise(r, c, MPI_ERR_COUNT, "count %lld of rank %u",
                               (long long)number_at(a->counts, i), i);
    return side->layout == LAYOUT_LISTED ? find_data(r, c, 0, a->type, &side->type)
                                         : take_types(r, c, side, blocks, a->types);
}

/* Whether what this process gives matters, and what it gets. */
static bool gives(const struct collective_kind *kind, const struct comm *c, int root)
{
    if (kind->root == ROOT_SENDS)
        return is_root(c, root);
    return kind->root != ROOT_RECEIVES || is_other(c, root);
}

static bool gets(const struct collective_kind *kind, const struct comm *c, int root)
{
    if (kind->root == ROOT_RECEIVES)
        return is_root(c, root);
    return !kind->root || is_other(c, root) || (kind->root == ROOT_CASTS && is_root(c, root));
}

/* All processes know the layouts, even those whose arguments do not say them. */
static int take_sides(struct rank *r, struct comm *c, const struct collective_kind *kind,
                      const struct collective_arguments *a, struct operands *o)
{
    bool in_place = is_in_place(kind, a), scatters = kind->root == ROOT_SENDS;
    int error = MPI_SUCCESS;
    uint32_t outs = kind->neighbours ? c->topology->outs : comm_peer_group(c)->size;
    uint32_t ins = kind->neighbours ? c->topology->ins : outs;
    if (kind->out == LAYOUT_VECTOR) /* processes of this side share what the others give */
        ins = c->group->size;
    *o = (struct operands){
        .out.layout = kind->out, .in.layout = kind->in, .in_place = in_place, .root = a->root};
    if (gives(kind, c, a->root) && (scatters || !in_place))
        error = take_side(r, c, &o->out, &a->out, outs);
    if (!error && gets(kind, c, a->root) && !(scatters && in_place))
        error = take_side(r, c, &o->in, &a->in, ins);
    const struct type *t = o->in.type ? o->in.type : o->out.type;
    return !error && kind->combines && t ? find_op(r, c, a->op, t, &o->op) : error;
}

/* On the machine's own networks, by messages, or whenever the program wants it. */
static int start(struct rank *r, struct comm *c, enum call call, const struct operands *o,
                 MPI_Request *request)
{
    const struct collective_kind *kind = collective_of(call);
    if (!request && kind->machine && kind->machine(r, c, o))
        return MPI_SUCCESS;
    if (call == kind->persistent)
        return request_repeat(r, c, kind, o, request);
    struct series *s = series_new(r, c, call, o);
    kind->start(s);
    return request_perform(r, s, request);
}

static int perform(struct rank *r, enum call call, const struct collective_arguments *a)
{
    const struct collective_kind *kind = collective_of(call);
    struct operands o;
    struct comm *c;
    TRY_MPI(find_comm(r, a->comm, &c));
    TRY_MPI(check(r, c, kind, a));
    int error = take_sides(r, c, kind, a, &o);
    if (!error)
        error = start(r, c, call, &o, a->request);
    side_drop(&o.out);
    side_drop(&o.in);
    return error;
}

int collective_call(enum call call, const struct collective_arguments *a)
{
    struct rank *r = call_begin(call);
    return call_end(r, perform(r, call, a));
}

/* call_Barrier() and so on. */
#include "mpi_collectives.h"

/* ---- operations of reductions ---- */

int op_create(struct rank *r, MPI_User_function *function, MPI_User_function_c *large, int commute,
              MPI_Op *op)
{
    struct op *own = memory_alloc(1, sizeof(*own));
    *own =
        (struct op){.holders = 1, .commutes = commute != 0, .function = function, .large = large};
    own->handle = handle_new(&r->handles, HANDLE_OP, own);
    *op = (MPI_Op)own->handle;
    return MPI_SUCCESS;
}

int mpi_Op_free(struct rank *r, struct op *op, MPI_Op *handle)
{
    if (op->predefined)
        return error_raise(r, NULL, MPI_ERR_OP, "the operation is predefined");
    handle_drop(&r->handles, op->handle);
    op_release(op);
    *handle = MPI_OP_NULL;
    return MPI_SUCCESS;
}

MPI_ANSWER(Op_commutative, int, op->commutes, struct rank *r, struct op *op)

int mpi_Reduce_local(struct rank *r, const void *in, void *inout, MPI_Count count,
                     MPI_Datatype type, MPI_Op handle)
{
    struct type *t;
    struct op *op;
    TRY_MPI(find_data(r, NULL, count, type, &t));
    TRY_MPI(find_op(r, NULL, handle, t, &op));
    if (!count)
        return MPI_SUCCESS;
    rank_combine(r, (uint64_t)(count * t->size));
    op_combine(op, t, in, inout, count);
    return MPI_SUCCESS;
}
