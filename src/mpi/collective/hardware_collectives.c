/* When the machine's own networks apply, and what they are given. */
#include "mpi/collective/series.h"

#include <stdlib.h>

#include "base/memory.h"
#include "message/collect.h"
#include "message/reduce.h"
#include "mpi/observe/record.h"
#include "mpi/observe/stats.h"

/* ---- conditions ---- */

/* All processes of the program, in their order. A program that has nonblocking operations uses none
 * of this: they would not go on while a processor is in an operation of the machine. */
static bool is_everybody(const struct rank *r, const struct comm *c, enum task_offer offer)
{
    return (task_offers(r->task) & offer) && r->world->blocks_only && !c->remote &&
           c->group == r->world->everybody && c->group->size > 1;
}

/* Some processes of the program that are all processes of a class's nodes: the class of the tree's
 * packets that they use; 0: there is none. */
static unsigned class_of(struct rank *r, struct comm *c)
{
    const struct group *g = c->group;
    if (!r->world->blocks_only || c->remote || g->size < 2)
        return 0;
    if (!c->tree_class) {
        struct members members = {
            .size = g->size, .first = g->first, .stride = g->stride, .list = g->list};
        c->tree_class = 1 + task_tree_class(r->task, &members);
    }
    return c->tree_class - 1;
}

/* Whether packets go from each process to each; all members come to the same. */
static bool is_each(const struct rank *r, const struct comm *c)
{
    return (task_offers(r->task) & TASK_EACH) && r->world->blocks_only && !c->remote &&
           c->group->size > 1 && c->context < CONTEXTS_MOST;
}

static struct agreement begin_some(struct rank *r, struct comm *c, const struct operands *o,
                                   int root, uint64_t bytes)
{
    struct agreement what = {.call = r->call,
                             .context = c->context,
                             .root = root,
                             .op = operands_op(o),
                             .bytes = (int64_t)bytes};
    record_operation(r, c, r->call, o);
    r->machine_comm = c;
    comm_check_agreement(r, c, c->operations++, &what);
    return what;
}

/* An operation that knows no communicators, but maybe a class. */
static void begin(struct rank *r, struct comm *c, const struct operands *o, int root,
                  uint64_t bytes, unsigned class)
{
    struct agreement what = begin_some(r, c, o, root, bytes);
    if (!class)
        comm_check_order(r, &what);
}

static void note(struct rank *r, enum algorithm_used used, double since)
{
    r->machine_comm = NULL;
    stats_add(&r->stats, r->call, used, task_reached(r->task) - since);
}

/* ---- types and operations that the tree knows ---- */

static bool tree_type(const struct type *t, weft_type *type)
{
    static const struct {
        enum basic basic;
        int64_t size;
        weft_type type;
    } known[] = {{BASIC_FLOAT, 8, WEFT_DOUBLE},
                 {BASIC_SIGNED, 4, WEFT_INT32},
                 {BASIC_SIGNED, 8, WEFT_INT64},
                 {BASIC_UNSIGNED, 4, WEFT_UINT32},
                 {BASIC_UNSIGNED, 8, WEFT_UINT64}};
    const struct type *b = type_basic(t);
    for (size_t i = 0; b && t->dense && i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].basic == b->basic && known[i].size == b->size) {
            *type = known[i].type;
            return true;
        }
    return false;
}

static bool tree_operation(const struct op *op, weft_type type, weft_operation *operation)
{
    static const struct {
        enum op_kind kind;
        weft_operation operation;
        bool of_bits;
    } known[] = {{OP_SUM, WEFT_SUM, false}, {OP_MAX, WEFT_MAX, false}, {OP_MIN, WEFT_MIN, false},
                 {OP_BAND, WEFT_AND, true}, {OP_BOR, WEFT_OR, true},   {OP_BXOR, WEFT_XOR, true}};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].kind == (enum op_kind)op->kind) {
            *operation = known[i].operation;
            return !known[i].of_bits || type != WEFT_DOUBLE;
        }
    return false;
}

/* ---- operations ---- */

bool machine_barrier(struct rank *r, struct comm *c, const struct operands *o)
{
    bool tree = is_everybody(r, c, TASK_TREE);
    if (!tree && !is_everybody(r, c, TASK_GATES))
        return false;
    begin(r, c, o, 0, 0, 0);
    double since = task_reached(r->task);
    collect_barrier(r->task);
    note(r, tree ? USED_INTERRUPT : USED_GATES, since);
    return true;
}

/* Whether data are in one piece may differ from rank to rank; those that are not go by way of one.
 */
bool machine_broadcast(struct rank *r, struct comm *c, const struct operands *o)
{
    unsigned class = 0;
    bool spread = is_everybody(r, c, TASK_FLOOD);
    bool tree = is_everybody(r, c, TASK_TREE) || (class = class_of(r, c));
    if (!tree && !spread)
        return false;
    struct block block = side_block(&o->in, 0);
    uint64_t bytes = block_length(&block);
    begin(r, c, o, o->root, bytes, class);
    double since = task_reached(r->task);
    bool dense = block.type->dense, root = c->rank == (uint32_t)o->root;
    bool silent = rank_is_silent(r);
    void *data = silent ? NULL : dense ? block.at : memory_alloc(bytes + 1, 1);
    if (!silent && !dense && root)
        block_pack(&block, bytes, data);
    if (!dense)
        task_work_through(r->task, bytes);
    if (class)
        collect_class_broadcast(r->task, class, group_at(c->group, (uint32_t)o->root), data, bytes);
    else
        collect_broadcast(r->task, (uint32_t)o->root, data, bytes);
    if (!silent && !dense && !root)
        block_unpack(&block, bytes, data);
    if (!silent && !dense)
        free(data);
    note(r, tree ? USED_TREE : USED_DEPOSIT, since);
    return true;
}

/* Elements that the tree, or gates, see. */
static size_t elements(const struct side *side)
{
    return (size_t)(side->count * side->type->size / type_basic(side->type)->size);
}

/* Whether the machine combines this, for all ranks or for one; *used: what does. To one rank,
 * messages are quicker than gates. */
static bool can_combine(const struct rank *r, const struct comm *c, const struct operands *o,
                        bool all, unsigned class, weft_type *type, weft_operation *operation,
                        enum algorithm_used *used)
{
    const struct side *side = o->in_place ? &o->in : &o->out;
    bool tree = class || is_everybody(r, c, TASK_TREE);
    if ((!tree && !is_everybody(r, c, TASK_GATES)) || !tree_type(side->type, type) ||
        !tree_operation(o->op, *type, operation))
        return false;
    *used = tree ? USED_TREE : USED_GATES;
    return tree || (all && collect_gates(r->task, elements(side)));
}

/* All members of a class get the result; those that are not to have it get a copy. */
static void combine_class(struct rank *r, const struct comm *c, unsigned class, bool gets,
                          void *data, size_t count, weft_type type, weft_operation operation)
{
    size_t bytes = count * (size_t)reduce_size(type);
    void *result = gets ? data : task_alloc(r->task, bytes);
    if (!gets)
        task_copy(r->task, result, data, bytes);
    collect_class_allreduce(r->task, class, c->group->size, result, count, type, operation);
    if (!gets)
        task_release(r->task, result);
}

/* To all ranks, or to the root; elsewhere the vector does not change. */
static bool combine(struct rank *r, struct comm *c, const struct operands *o, bool all)
{
    weft_type type;
    weft_operation operation;
    enum algorithm_used used;
    unsigned class = class_of(r, c);
    if (!can_combine(r, c, o, all, class, &type, &operation, &used))
        return false;
    const struct side *mine = o->in_place ? &o->in : &o->out;
    uint64_t bytes = (uint64_t)(mine->count * mine->type->size);
    begin(r, c, o, all ? 0 : o->root, bytes, class);
    double since = task_reached(r->task);
    bool gets = all || c->rank == (uint32_t)o->root, copies = gets && !o->in_place;
    /* The machine combines real operands: of ranks that have none, zeros. */
    bool silent = rank_is_silent(r);
    void *data = silent ? memory_alloc(bytes + 1, 1) : gets ? o->in.at : mine->at;
    if (copies && silent)
        task_work_through(r->task, bytes);
    else if (copies && bytes)
        task_copy(r->task, data, o->out.at, bytes);
    if (class)
        combine_class(r, c, class, gets, data, elements(mine), type, operation);
    else if (all)
        collect_allreduce(r->task, data, elements(mine), type, operation);
    else
        collect_reduce(r->task, (uint32_t)o->root, data, elements(mine), type, operation);
    if (silent)
        free(data);
    note(r, used, since);
    return true;
}

bool machine_allreduce(struct rank *r, struct comm *c, const struct operands *o)
{
    return combine(r, c, o, true);
}

bool machine_reduce(struct rank *r, struct comm *c, const struct operands *o)
{
    return combine(r, c, o, false);
}

/* The blocks for, or from, each process, one after the other in one piece. */
struct pack_buffer {
    weft_parts face;
    uint64_t *bytes, *first, total;
};

static void make_buffer(struct pack_buffer *p, const struct side *side, uint32_t n)
{
    *p = (struct pack_buffer){.bytes = memory_alloc(2 * (size_t)n, sizeof(*p->bytes))};
    p->first = p->bytes + n;
    for (uint32_t i = 0; i < n; i++) {
        struct block b = side_block(side, i);
        p->first[i] = p->total;
        p->bytes[i] = block_length(&b);
        p->total += p->bytes[i];
    }
    p->face = (weft_parts){memory_alloc(p->total + 1, 1), p->bytes, p->first};
}

static void drop_buffer(struct pack_buffer *p)
{
    free(p->face.at);
    free(p->bytes);
}

static void copy_blocks(struct pack_buffer *p, const struct side *side, uint32_t n, bool out)
{
    for (uint32_t i = 0; i < n; i++) {
        struct block b = side_block(side, i);
        unsigned char *at = (unsigned char *)p->face.at + p->first[i];
        if (out)
            block_pack(&b, p->bytes[i], at);
        else
            block_unpack(&b, p->bytes[i], at);
    }
}

/* Members that this one exchanges something with; half of one that only gives or only gets. */
static double count_partners(const struct pack_buffer *out, const struct pack_buffer *in,
                             uint32_t n)
{
    uint32_t halves = 0;
    for (uint32_t i = 0; i < n; i++)
        halves += (out->bytes[i] > 0) + (in->bytes[i] > 0);
    return halves / 2.0;
}

/* Equal blocks of one piece of memory are where they are: copying them takes no simulated time. */
static bool is_one_piece(const struct side *side)
{
    return !side->types && side->type->dense;
}

bool machine_alltoall(struct rank *r, struct comm *c, const struct operands *o)
{
    const struct group *g = c->group;
    const struct mpi_params *cost = &r->world->o.cost;
    uint32_t n = g->size;
    struct pack_buffer out, in;
    if (!is_each(r, c))
        return false;
    const struct side *from = o->in_place ? &o->in : &o->out;
    uint32_t *turns = group_turns(g, c->rank, task_order(r->task));
    struct members members = {.size = n,
                              .me = c->rank,
                              .first = g->first,
                              .stride = g->stride,
                              .list = g->list,
                              .turns = turns,
                              .context = c->context,
                              .number = c->operations};
    begin_some(r, c, o, 0, 0);
    double since = task_reached(r->task);
    make_buffer(&out, from, n);
    make_buffer(&in, &o->in, n);
    task_owe(r->task, cost->alltoall_cycles + count_partners(&out, &in, n) * cost->each_cycles);
    if (!rank_is_silent(r))
        copy_blocks(&out, from, n, true);
    if (!is_one_piece(from) || o->in_place)
        task_work_through(r->task, out.total);
    collect_each(r->task, &members, &out.face, &in.face);
    if (!rank_is_silent(r))
        copy_blocks(&in, &o->in, n, false);
    if (!is_one_piece(&o->in))
        task_work_through(r->task, in.total);
    drop_buffer(&out);
    drop_buffer(&in);
    free(turns);
    note(r, USED_PACKETS, since);
    return true;
}
