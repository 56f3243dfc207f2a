/* What processes go through. */
#include "message/layer.h"

void process_next(struct self *me, struct action *action)
{
    const struct runner *runner = &me->all->runner;
    struct process *p = me->p;
    struct seat seat = {me->at.partition, self_index(me), self_number(me)};
    WEFT_CHECK(seat.rank < me->all->o.processes, "node %u has no process %u", me->at.node,
               me->slot);
    runner->next(runner->ctx, &seat, p->busy, action);
    bool end = action->parts & ACTION_END;
    if (!end && !p->active) {
        p->active = true;
        nic_await(me->all->nic, me->at.partition, 1);
    }
    if (!end)
        return;
    p->done = true;
    p->ended = p->busy;
    if (p->active)
        nic_await(me->all->nic, me->at.partition, -1);
}

void process_count(struct self *me, uint64_t bytes, fine_t when)
{
    cycle_t at = when >> FRACTION_BITS;
    if (at >= me->all->o.measure_from && at < me->all->o.measure_to)
        me->p->bytes += bytes;
}

void process_sent(struct self *me, fine_t when)
{
    me->p->sends--;
    me->p->reached = fine_max(me->p->reached, when);
}

void process_received(struct self *me, uint64_t bytes, uint64_t expected, fine_t when)
{
    WEFT_CHECK(bytes == expected, "process %u was sent %llu bytes but expects %llu",
               self_number(me), (unsigned long long)bytes, (unsigned long long)expected);
    me->p->receives--;
    me->p->messages++;
    me->p->reached = fine_max(me->p->reached, when);
}
