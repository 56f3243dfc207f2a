/* What is believed of a binary trace: nothing, until it has been looked at here. */
#include <stdlib.h>

#include "base/memory.h"
#include "trace/goal/compile.h"

struct check {
    const char *name;
    struct goal *goal;
    uint32_t rank;
    uint32_t *left, *queue; /* [op]: what it waits for; those that wait for nothing more */
    uint32_t room;
};

#define REFUSE(C, AT, WHAT)                                                                        \
    BAD_PLACE(("%s: byte %llu", (C)->name, (unsigned long long)((AT) - (C)->goal->map)), WHAT,     \
              ("make it again, by txt2bin or `weft goal --convert`"))

/* ---- where ranks are ---- */

static weft_status check_head(struct check *c)
{
    struct goal *g = c->goal;
    const unsigned char *m = g->map;
    if (g->size < GOAL_TABLE)
        return REFUSE(c, m + g->size, ("the file ends within its head"));
    g->ranks = goal_read_u32(m + GOAL_BASE);
    if (!g->ranks || g->ranks > GOAL_RANKS_MOST)
        return REFUSE(c, m + GOAL_BASE, ("%u ranks, not 1 to %d", g->ranks, GOAL_RANKS_MOST));
    if ((g->size - GOAL_TABLE) / GOAL_TABLE_ENTRY < g->ranks)
        return REFUSE(c, m + g->size, ("the file ends within the table of %u ranks", g->ranks));
    return WEFT_OK;
}

/* The parts of a rank lie within it, and it within the file. */
static weft_status check_place(struct check *c, struct goal_rank *rank, uint64_t *list_count)
{
    const struct goal *g = c->goal;
    const unsigned char *entry = g->map + GOAL_TABLE + (size_t)c->rank * GOAL_TABLE_ENTRY;
    uint64_t start = goal_read_u64(entry), end = goal_read_u64(entry + 8),
             most = g->size - GOAL_BASE;
    uint64_t least = GOAL_TABLE - GOAL_BASE + (uint64_t)g->ranks * GOAL_TABLE_ENTRY;
    if (start < least || end > most || end < start || end - start < GOAL_RANK_HEAD)
        return REFUSE(c, entry, ("rank %u lies outside of the file, or on its head", c->rank));
    *rank = goal_rank(g, c->rank);
    uint64_t room = end - start - GOAL_RANK_HEAD;
    uint64_t need = (uint64_t)rank->op_count * GOAL_OP_BYTES + 4 * (uint64_t)rank->root_count;
    if (need > room || rank->root_count > rank->op_count || rank->op_count == GOAL_NONE)
        return REFUSE(c, g->map + GOAL_BASE + start,
                      ("rank %u has no room for %u operations, %u of them roots", c->rank,
                       rank->op_count, rank->root_count));
    *list_count = (room - need) / 4;
    return WEFT_OK;
}

/* ---- operations ---- */

static weft_status check_op(const struct check *c, const unsigned char *at,
                            const struct goal_op *op)
{
    bool receives = op->kind == GOAL_RECEIVE;
    if (op->kind != GOAL_SEND && op->kind != GOAL_CALC && !receives)
        return REFUSE(c, at + 4, ("an operation of kind %u, not 1, 2 or 3", op->kind));
    if (op->kind == GOAL_CALC ? op->size > INT64_MAX
                              : op->peer >= c->goal->ranks && !(receives && op->peer == GOAL_ANY))
        return REFUSE(c, at + 5,
                      ("rank %u names rank %u of %u, or a calc is too long", c->rank, op->peer,
                       c->goal->ranks));
    if (op->size > INT64_MAX || (op->kind == GOAL_SEND && op->tag == GOAL_ANY))
        return REFUSE(c, at + 9, ("a message is too long, or is sent with any tag"));
    return WEFT_OK;
}

static void count_op(struct goal_totals *t, const struct goal_op *op)
{
    bool sends = op->kind == GOAL_SEND;
    t->ops++;
    t->sends += sends;
    t->cpus = op->cpu >= t->cpus ? op->cpu + 1u : t->cpus;
    if (op->kind == GOAL_CALC)
        return;
    t->bytes += sends ? op->size : 0;
    t->largest = op->size > t->largest ? op->size : t->largest;
    t->tagged = t->tagged || op->tag;
}

/* Counts, for each of a list, that it waits. */
static weft_status count_list(struct check *c, const struct goal_rank *rank,
                              const unsigned char *at, uint64_t list_count)
{
    uint64_t count = goal_read_u32(at), first = goal_read_u32(at + 4);
    if (count && first + count > list_count)
        return REFUSE(
            c, at,
            ("a list of %llu operations ends outside of its rank", (unsigned long long)count));
    for (uint64_t i = 0; i < count; i++) {
        const unsigned char *item = rank->lists + 4 * (first + i);
        uint32_t op = goal_read_u32(item);
        if (op >= rank->op_count)
            return REFUSE(c, item, ("operation %u of %u waits", op, rank->op_count));
        c->left[op]++;
    }
    return WEFT_OK;
}

static weft_status check_ops(struct check *c, const struct goal_rank *rank, uint64_t list_count)
{
    enum { LISTS = 23, LIST = 8 }; /* within an operation */
    struct goal_node node;
    for (uint32_t i = 0; i < rank->op_count; i++) {
        const unsigned char *at = rank->ops + (size_t)i * GOAL_OP_BYTES;
        goal_node(rank, i, &node);
        count_op(&c->goal->totals, &node.op);
        TRY(check_op(c, at, &node.op));
        TRY(count_list(c, rank, at + LISTS, list_count));
        TRY(count_list(c, rank, at + LISTS + LIST, list_count));
    }
    for (uint32_t i = 0; i < rank->op_count; i++)
        if (goal_needs(rank, i) != c->left[i])
            return REFUSE(c, rank->ops + (size_t)i * GOAL_OP_BYTES,
                          ("operation %u of rank %u waits for %u others, and is in %u lists", i,
                           c->rank, goal_needs(rank, i), c->left[i]));
    return WEFT_OK;
}

/* Those that wait for nothing, each once; they begin the queue. */
static weft_status check_roots(struct check *c, const struct goal_rank *rank)
{
    uint32_t free_ops = 0;
    for (uint32_t i = 0; i < rank->op_count; i++)
        free_ops += !c->left[i];
    for (uint32_t i = 0; i < rank->root_count; i++) {
        uint32_t op = goal_root(rank, i);
        if (op >= rank->op_count || c->left[op])
            return REFUSE(c, rank->roots + 4 * (size_t)i,
                          ("operation %u of rank %u is no root, or comes again", op, c->rank));
        c->left[op] = GOAL_NONE; /* for now, so that it comes once */
        c->queue[i] = op;
    }
    if (free_ops != rank->root_count)
        return REFUSE(c, rank->roots - 4,
                      ("rank %u has %u roots, not %u", c->rank, free_ops, rank->root_count));
    for (uint32_t i = 0; i < rank->root_count; i++)
        c->left[c->queue[i]] = 0;
    return WEFT_OK;
}

static void release(struct check *c, const struct goal_list *list, uint32_t *end)
{
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t op = goal_list_at(list, i);
        if (!--c->left[op])
            c->queue[(*end)++] = op;
    }
}

/* Does everything in an order that is allowed; what is left waits for itself. */
static weft_status check_order(struct check *c, const struct goal_rank *rank,
                               struct goal_spot *circle)
{
    uint32_t end = rank->root_count, at = 0;
    struct goal_node node;
    for (; at < end; at++) {
        goal_node(rank, c->queue[at], &node);
        release(c, &node.after, &end);
        release(c, &node.with, &end);
    }
    if (end == rank->op_count)
        return WEFT_OK;
    for (at = 0; !c->left[at];)
        at++;
    *circle = (struct goal_spot){.rank = c->rank, .op = at};
    return REFUSE(c, rank->ops + (size_t)at * GOAL_OP_BYTES,
                  ("operation %u of rank %u waits for itself, through others", at, c->rank));
}

static weft_status check_rank(struct check *c, struct goal_spot *circle)
{
    struct goal_rank rank;
    uint64_t list_count = 0;
    TRY(check_place(c, &rank, &list_count));
    if (rank.op_count > c->room) {
        c->room = rank.op_count;
        c->left = memory_grow(c->left, c->room, sizeof(*c->left));
        c->queue = memory_grow(c->queue, c->room, sizeof(*c->queue));
    }
    for (uint32_t i = 0; i < rank.op_count; i++)
        c->left[i] = 0;
    TRY(check_ops(c, &rank, list_count));
    TRY(check_roots(c, &rank));
    return check_order(c, &rank, circle);
}

weft_status goal_check(const char *name, struct goal *goal, struct goal_spot *circle)
{
    enum { OFTEN = 1 << 17 };
    struct check c = {.name = name, .goal = goal};
    uint64_t since = 0;
    *circle = (struct goal_spot){.op = GOAL_NONE};
    goal->totals = (struct goal_totals){0};
    weft_status status = check_head(&c);
    for (; status == WEFT_OK && c.rank < goal->ranks; c.rank++) {
        status = check_rank(&c, circle);
        if (status == WEFT_OK && goal->totals.ops - since > OFTEN) {
            since = goal->totals.ops;
            goal_forget(goal);
            protected_call_poll();
        }
    }
    free(c.left);
    free(c.queue);
    return status;
}
