/* Questions that all fabrics answer the same way: sums over partitions and ranks. */
#include "fabric/network.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/ranks.h"

static void account(void *network, uint32_t partition, struct engine_account *a)
{
    const struct network_part *p = network_part(network, partition);
    *a =
        (struct engine_account){.next = wheel_next(&p->wheel),
                                .progress = p->measure.moves,
                                .cut_independent_events = p->wheel.events - p->cut_dependent_events,
                                .delivered = p->measure.delivered,
                                .work = p->wheel.events};
}

static void prepare_detail(const struct network *n, struct network_part *p)
{
    struct detail_size size = n->kind->detail(p);
    struct detail *d = &p->detail;
    d->slots = size.slots;
    d->lanes = size.vcs + 1;
    d->most_bytes = memory_physical() / 2 / (n->engine.end - n->engine.first);
    d->lane = part_table(p, &d->lane, (size_t)d->slots * d->lanes, sizeof(*d->lane), PART_SAVED);
    d->node = part_table(p, &d->node, p->nodes, sizeof(*d->node), PART_SAVED);
}

static void prepare(void *network, uint32_t partition)
{
    struct network *n = network;
    struct network_part *p = network_part(n, partition);
    wheel_init(&p->wheel, (size_t)p->nodes * n->kind->events_per_node);
    measure_init(&p->measure, n->plan.from, n->plan.to, n->plan.interval);
    measure_divide(&p->measure, n->classes);
    p->free_packet = NO_PACKET;
    p->wake = n->kind->wake;
    if (n->plan.to != CYCLE_NEVER)
        p->sent = part_table(p, &p->sent, p->nodes, sizeof(*p->sent), PART_SAVED);
    if (n->plan.detail)
        prepare_detail(n, p);
    n->kind->prepare(n, p);
}

struct engine_model network_engine_model(struct network *n, uint32_t body_size)
{
    return (struct engine_model){
        .ctx = n, .body_size = body_size, .account = account, .prepare = prepare};
}

void network_init(struct network *n, const struct network_kind *kind,
                  const struct engine_model *model, uint32_t partitions, cycle_t lookahead)
{
    n->kind = kind;
    engine_init(&n->engine, model, partitions, lookahead);
    n->part = memory_alloc_lines(partitions, kind->part_size);
    for (uint32_t i = 0; i < partitions; i++)
        network_part(n, i)->index = i;
}

void network_destroy(struct network *n)
{
    if (!n)
        return;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++)
        part_fini(network_part(n, i)); /* whose tables may belong to what the kind releases */
    if (n->kind->release)
        n->kind->release(n);
    engine_fini(&n->engine);
    free(n->part);
    free(n);
}

void network_archive(struct network *n, struct archive *a)
{
    engine_archive(&n->engine, a);
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        part_archive(network_part(n, i), a);
        if (n->kind->archive)
            n->kind->archive(network_part(n, i), a);
    }
    if (archive_has_read(a))
        archive_sound(a, network_flaw(n));
}

/* ---- whether a state can be one ---- */

static const char *check_part(const struct network *n, const struct network_part *p)
{
    struct visited packets;
    const char *flaw = part_flaw(p, n->kind->pool(p), &packets);
    cycle_t now = n->engine.now;
    if (!flaw && (p->wheel.now > now || wheel_next(&p->wheel) < now))
        flaw = "a partition stands at another cycle";
    if (!flaw)
        flaw = n->kind->flaw(p, &packets);
    if (!flaw && !visited_is_full(&packets))
        flaw = "a packet is in no place";
    visited_fini(&packets);
    return flaw;
}

static const char *check_messages(const struct network *n, const struct channel *channel,
                                  const struct channel_buffer *b)
{
    const struct network_part *to = network_part(n, channel->to);
    const unsigned char *body = b->body;
    const char *flaw = NULL;
    uint32_t bodies = 0;
    for (uint32_t m = 0; m < b->count && !flaw; m++) {
        bool brings = n->kind->brings(b->message[m].event);
        if (brings && bodies++ == b->body_count)
            return "a message between partitions lacks its packet";
        flaw = n->kind->message_flaw(to, b->message[m].event, body);
        if (brings)
            body += channel->body_size;
    }
    return flaw || bodies == b->body_count ? flaw : "a packet between partitions is nobody's";
}

const char *network_flaw(const struct network *n)
{
    const struct engine *e = &n->engine;
    const char *flaw = engine_flaw(e);
    for (uint32_t i = e->first; i < e->end && !flaw; i++)
        flaw = check_part(n, network_part(n, i));
    for (uint32_t c = 0; c < 2 * e->channels && !flaw; c++)
        if (engine_rank(e, e->channel[c / 2].to) == ranks_me())
            flaw = check_messages(n, &e->channel[c / 2], &e->channel[c / 2].buffer[c % 2]);
    return flaw;
}

weft_status network_check(struct network *n)
{
    /* A run that has ended stands at no cycle. */
    const char *flaw = n->engine.now == CYCLE_NEVER ? NULL : network_flaw(n);
    if (flaw)
        return RUN_FAILED(("invariant broken: %s", flaw), NO_REMEDY);
    return n->kind->check ? n->kind->check(n) : WEFT_OK;
}

void network_settle(struct network *n, cycle_t until)
{
    for (uint32_t i = n->engine.first; n->kind->settle && i < n->engine.end; i++)
        n->kind->settle(network_part(n, i), until);
}

/* The last delivery anywhere. */
static cycle_t last_delivery(const struct network *n)
{
    cycle_t last = 0;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        cycle_t here = network_part(n, i)->measure.last_delivery;
        last = here > last ? here : last;
    }
    return ranks_max(last);
}

void network_measure(struct network *n, cycle_t end, struct measure *m)
{
    cycle_t until = n->plan.to == CYCLE_NEVER ? last_delivery(n) : CYCLE_NEVER;
    measure_init(m, n->plan.from, n->plan.to, n->plan.interval);
    measure_divide(m, n->classes);
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        struct network_part *p = network_part(n, i);
        if (n->kind->close)
            n->kind->close(p, until);
        measure_close(&p->measure, end);
        detail_close(&p->detail, &p->measure, end);
        measure_merge(m, &p->measure);
    }
    if (ranks_count() > 1)
        measure_collect(m);
}

const struct detail *network_detail(const struct network *n, uint32_t partition)
{
    bool ours = engine_rank(&n->engine, partition) == ranks_me();
    return ours ? &network_part(n, partition)->detail : NULL;
}

uint64_t network_slot_busy(const struct network *n, uint32_t partition, uint32_t slot)
{
    const struct detail *d = network_detail(n, partition);
    uint64_t busy = 0;
    for (uint32_t lane = 0; d && lane < d->lanes; lane++)
        busy += detail_lane_at(d, slot, lane)->busy;
    return busy;
}

/* The sum over all partitions of all ranks. */
static uint64_t sum_parts(const struct network *n, uint64_t (*amount)(const struct network_part *))
{
    uint64_t sum = 0;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++)
        sum += amount(network_part(n, i));
    ranks_sum(&sum, 1);
    return sum;
}

static uint64_t packets_of(const struct network_part *p)
{
    return p->packets;
}

static uint64_t events_of(const struct network_part *p)
{
    return p->wheel.events;
}

static uint64_t hops_of(const struct network_part *p)
{
    return p->measure.hops;
}

uint64_t network_pending(const struct network *n)
{
    return sum_parts(n, packets_of) + (n->kind->kept ? sum_parts(n, n->kind->kept) : 0);
}

static uint64_t awaited_of(const struct network_part *p)
{
    return p->awaited;
}

uint64_t network_awaited(const struct network *n)
{
    return sum_parts(n, awaited_of);
}

uint64_t network_events(const struct network *n)
{
    return sum_parts(n, events_of);
}

uint64_t network_hops(const struct network *n)
{
    return sum_parts(n, hops_of);
}

cycle_t network_now(const struct network *n)
{
    cycle_t now = 0;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++)
        if (network_part(n, i)->wheel.now > now)
            now = network_part(n, i)->wheel.now;
    return ranks_max(now);
}

char *link_report_add(struct link_report *r, bool differs)
{
    r->differing += differs;
    r->links_given_up += !differs;
    if (r->named == sizeof(r->first) / sizeof(r->first[0]))
        return NULL;
    r->first[r->named].differs = differs;
    return r->first[r->named++].name;
}
