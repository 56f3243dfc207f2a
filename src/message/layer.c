/* What processes go through. */
#include "message/layer.h"

#include "base/random.h"

/* Tells a process that probes what it finds. */
static void find_probed(struct self *me, struct action *action)
{
    struct envelope found;
    action->parts = 0;
    if (!me->p->probes)
        return;
    me->p->probes = false;
    uint32_t value = match_probe(&me->s->match, &me->p->probe, &found);
    if (value == MATCH_NONE)
        return;
    uint32_t attachment = me->all->carrier->attachment(me, value);
    action->parts = ACTION_PROBE;
    action->from = found.source;
    action->tag = found.tag;
    action->from_bytes = attachment_at(me->all->attachments, attachment)->bytes;
}

void process_next(struct self *me, struct action *action)
{
    const struct runner *runner = &me->all->runner;
    struct process *p = me->p;
    struct seat seat = {me->at.partition, self_index(me), self_number(me)};
    WEFT_CHECK(seat.rank < me->all->o.processes, "node %u has no process %u", me->at.node,
               me->slot);
    find_probed(me, action);
    if (runner->timely) /* a program that looks again and again is no deadlock */
        nic_record(me->all->nic, me->at.partition, 0);
    p->deadline = 0;
    runner->next(runner->ctx, &seat, p->busy, action);
    p->watched = action->watched; /* from now on, even if it does something else before it waits */
    bool end = action->parts & ACTION_END;
    if (!end && !p->active) {
        p->active = true;
        p->rank = seat.rank;
        nic_await(me->all->nic, me->at.partition, 1);
    }
    if (!end)
        return;
    p->done = true;
    p->ended = p->busy;
    if (runner->timely || runner->late) /* it may have worked after its last message */
        nic_record(me->all->nic, me->at.partition, random_mix(random_mix(seat.rank) + p->ended));
    if (p->active)
        nic_await(me->all->nic, me->at.partition, -1);
}

void process_count(struct self *me, uint64_t bytes, fine_t when)
{
    cycle_t at = when >> FRACTION_BITS;
    if (at >= me->all->o.measure_from && at < me->all->o.measure_to)
        me->p->bytes += bytes;
}

void process_probe(struct self *me, const struct action *a)
{
    me->p->probes = a->parts & ACTION_PROBE;
    me->p->probe = (struct envelope){
        .process = self_index(me), .context = a->context, .source = a->from, .tag = a->tag};
}

/* A receive that is looked for by its request. */
struct wanted {
    const struct self *me;
    uint32_t request;
};

static bool is_wanted(void *arg, uint32_t value)
{
    const struct wanted *w = arg;
    return w->me->all->carrier->request(w->me, value) == w->request;
}

void process_cancel(struct self *me, const struct action *a)
{
    const struct runner *runner = &me->all->runner;
    struct envelope e = {
        .process = self_index(me), .context = a->context, .source = a->from, .tag = a->tag};
    struct wanted w = {me, a->from_request};
    uint32_t value = match_take_back(&me->s->match, &e, is_wanted, &w);
    if (value == MATCH_NONE)
        return;
    me->all->carrier->take_back(me, value);
    me->p->receives--;
    struct seat seat = {me->at.partition, self_index(me), self_number(me)};
    struct outcome_of outcome = {
        .peer = a->from, .attachment = ATTACHMENT_NONE, .when = me->p->busy, .cancelled = true};
    runner->complete(runner->ctx, &seat, a->from_request, &outcome);
}

void process_wait(struct self *me, const struct action *a)
{
    struct process *p = me->p;
    p->waiting = true;
    p->sends_left = a->sends_left;
    p->receives_left = a->receives_left;
    p->deadline = a->watched ? a->deadline : 0;
    p->reached = fine_max(p->reached, a->until);
    p->sleep = a->sleep;
}

/* Who, with whom, what, and when. */
static void record(struct self *me, bool received, const struct completion *c)
{
    uint64_t hash = random_mix((uint64_t)self_number(me) << 32 | c->peer);
    hash = random_mix(hash ^ (2 * c->bytes + received));
    nic_record(me->all->nic, me->at.partition, random_mix(hash + c->when));
}

/* Tells whoever asked for it. Without a request, the process waits for all of its messages. */
static void tell(struct self *me, const struct completion *c)
{
    const struct runner *runner = &me->all->runner;
    struct process *p = me->p;
    bool watched = c->request == NO_REQUEST;
    if (!watched) {
        WEFT_CHECK(runner->complete, "process %u has a request, which no script makes",
                   self_number(me));
        struct seat seat = {me->at.partition, self_index(me), self_number(me)};
        struct outcome_of outcome = {
            .peer = c->peer, .bytes = c->bytes, .attachment = c->attachment, .when = c->when};
        watched = runner->complete(runner->ctx, &seat, c->request, &outcome);
        p->watched -= watched && p->watched; /* it may wait for one of several */
    }
    if (watched)
        p->reached = fine_max(p->reached, c->when);
}

void process_sent(struct self *me, const struct completion *c)
{
    me->p->sends--;
    record(me, false, c);
    tell(me, c);
}

void process_received(struct self *me, const struct completion *c)
{
    WEFT_CHECK(c->request != NO_REQUEST || c->bytes == c->expected,
               "process %u was sent %llu bytes but expects %llu", self_number(me),
               (unsigned long long)c->bytes, (unsigned long long)c->expected);
    me->p->receives--;
    me->p->messages++;
    record(me, true, c);
    tell(me, c);
    if (c->attachment != ATTACHMENT_NONE)
        attachment_free(me->all->attachments, c->attachment);
}
