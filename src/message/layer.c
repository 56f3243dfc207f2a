/* What processes go through. */
#include "message/layer.h"

#include "base/random.h"

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

/* Who, with whom, what, and when. */
static void record(struct self *me, bool received, uint32_t other, uint64_t bytes, fine_t when)
{
    uint64_t hash = random_mix((uint64_t)self_number(me) << 32 | other);
    hash = random_mix(hash ^ (2 * bytes + received));
    nic_record(me->all->nic, me->at.partition, random_mix(hash + when));
}

void process_sent(struct self *me, uint32_t to, uint64_t bytes, fine_t when)
{
    me->p->sends--;
    me->p->reached = fine_max(me->p->reached, when);
    record(me, false, to, bytes, when);
}

void process_received(struct self *me, uint32_t from, uint64_t bytes, uint64_t expected,
                      fine_t when)
{
    WEFT_CHECK(bytes == expected, "process %u was sent %llu bytes but expects %llu",
               self_number(me), (unsigned long long)bytes, (unsigned long long)expected);
    me->p->receives--;
    me->p->messages++;
    me->p->reached = fine_max(me->p->reached, when);
    record(me, true, from, bytes, when);
}
