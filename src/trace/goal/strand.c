/* Strands of operations. */
#include "trace/goal/strand.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/memory.h"

static void add(struct strand_list *l, uint32_t op)
{
    *LIST_ADD(l->op, l->count, l->room) = op;
}

void strand_init(struct strand *s, struct goal_writer *w)
{
    *s = (struct strand){.w = w};
}

void strand_fini(struct strand *s)
{
    free(s->before.op);
    free(s->started.op);
}

void strand_clear(struct strand *s)
{
    s->before.count = s->started.count = 0;
}

/* An operation that waits for what the strand has joined. */
static uint32_t start(struct strand *s, const struct goal_op *op)
{
    uint32_t number = goal_write_op(s->w, op);
    for (uint32_t i = 0; i < s->before.count; i++)
        goal_write_requires(s->w, number, s->before.op[i]);
    return number;
}

void strand_send(struct strand *s, uint32_t to, uint64_t bytes)
{
    add(&s->started,
        start(s, &(struct goal_op){.kind = GOAL_SEND, .peer = to, .size = bytes, .tag = s->tag}));
}

void strand_send_aside(struct strand *s, uint32_t to, uint64_t bytes)
{
    start(s, &(struct goal_op){.kind = GOAL_SEND, .peer = to, .size = bytes, .tag = s->tag});
}

void strand_receive(struct strand *s, uint32_t from, uint64_t bytes)
{
    add(&s->started,
        start(s,
              &(struct goal_op){.kind = GOAL_RECEIVE, .peer = from, .size = bytes, .tag = s->tag}));
}

/* What was started takes the place of what was joined before, which it waits for. */
static void swap(struct strand *s)
{
    struct strand_list started = s->started;
    s->started = s->before;
    s->before = started;
    s->started.count = 0;
}

/* Of several operations, one that does nothing stands for all: or each that follows would have to
 * name each of them. */
void strand_join(struct strand *s)
{
    enum { FEW = 2 };
    if (!s->started.count)
        return;
    swap(s);
    if (s->before.count <= FEW)
        return;
    uint32_t all = start(s, &(struct goal_op){.kind = GOAL_CALC});
    s->before.count = 0;
    add(&s->before, all);
}

void strand_calc(struct strand *s, uint64_t ns)
{
    if (s->started.count)
        swap(s);
    uint32_t calc = start(s, &(struct goal_op){.kind = GOAL_CALC, .size = ns});
    s->before.count = 0;
    add(&s->before, calc);
}

void strand_follow(struct strand *s, const struct strand *other)
{
    strand_join(s);
    for (uint32_t i = 0; i < other->before.count; i++)
        add(&s->before, other->before.op[i]);
}
