/* Collective operations: checks arguments, looks up operands, and starts the operation. */
#define _GNU_SOURCE
#include "mpi/collective/collective.h"

#include "mpi/collective/perform.h"
#include "mpi/object/op.h"
#include "mpi/object/topology.h"

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

static bool allows_in_place(const struct collective_kind *kind, const struct comm *c, int root)
{
    return !kind->neighbours && !c->remote && (!kind->root || is_root(c, root));
}

static int check(struct rank *r, struct comm *c, const struct collective_kind *kind,
                 const struct collective_arguments *a)
{
    if (kind->neighbours && !c->topology)
        return error_raise(r, c, MPI_ERR_TOPOLOGY, "the communicator has no topology");
    if (kind->prefix && c->remote)
        return error_raise(r, c, MPI_ERR_COMM, "the communicator has two sides");
    int error = kind->root ? check_root(r, c, a->root) : MPI_SUCCESS;
    if (!error && is_in_place(kind, a) && !allows_in_place(kind, c, a->root))
        return error_raise(r, c, MPI_ERR_BUFFER, "MPI_IN_PLACE is not possible here");
    return error;
}

/* ---- operands ---- */

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

/* Blocks that come in: with LAYOUT_VECTOR, processes of this side share what the others give. */
static uint32_t blocks_in(const struct collective_kind *kind, const struct comm *c)
{
    if (kind->neighbours)
        return c->topology->ins;
    return kind->out == LAYOUT_VECTOR ? c->group->size : comm_peer_group(c)->size;
}

static uint32_t blocks_out(const struct collective_kind *kind, const struct comm *c)
{
    return kind->neighbours ? c->topology->outs : comm_peer_group(c)->size;
}

/* All processes know the layouts, even those whose arguments do not say them. */
static int take_sides(struct rank *r, struct comm *c, const struct collective_kind *kind,
                      const struct collective_arguments *a, struct operands *o)
{
    bool in_place = is_in_place(kind, a), scatters = kind->root == ROOT_SENDS;
    int error = MPI_SUCCESS;
    *o = (struct operands){
        .out.layout = kind->out, .in.layout = kind->in, .in_place = in_place, .root = a->root};
    if (gives(kind, c, a->root) && (scatters || !in_place))
        error = side_take(r, c, &o->out, &a->out, blocks_out(kind, c));
    if (!error && gets(kind, c, a->root) && !(scatters && in_place))
        error = side_take(r, c, &o->in, &a->in, blocks_in(kind, c));
    const struct type *t = o->in.type ? o->in.type : o->out.type;
    return !error && kind->combines && t ? find_op(r, c, a->op, t, &o->op) : error;
}

static int perform(struct rank *r, enum call call, const struct collective_arguments *a)
{
    const struct collective_kind *kind = collective_of(call);
    struct operands o;
    struct comm *c;
    int error = find_comm(r, a->comm, &c);
    if (!error)
        error = check(r, c, kind, a);
    if (error)
        return error;
    error = take_sides(r, c, kind, a, &o);
    if (error || (!a->request && kind->machine && kind->machine(r, c, &o))) {
        side_drop(&o.out);
        side_drop(&o.in);
        return error;
    }
    struct series *s = series_new(r, c, call, &o);
    kind->start(s);
    return series_perform(r, s, a->request);
}

int collective_call(enum call call, const struct collective_arguments *a)
{
    struct rank *r = call_begin(call);
    return call_end(r, perform(r, call, a));
}

/* call_Barrier() and so on. */
#include "mpi_collectives.h"
