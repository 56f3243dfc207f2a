/* Questions that all fabrics answer the same way: sums over partitions and ranks. */
#include "fabric/network.h"

#include <stdlib.h>
#include <string.h>

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

static void prepare(void *network, uint32_t partition)
{
    struct network *n = network;
    struct network_part *p = network_part(n, partition);
    struct detail *d = &p->detail;
    wheel_init(&p->wheel, (size_t)p->nodes * n->kind->events_per_node);
    measure_init(&p->measure, n->plan.from, n->plan.to, n->plan.interval);
    measure_follow(&p->measure, 0, n->plan.bin_width);
    measure_divide(&p->measure, n->classes);
    p->free_packet = NO_PACKET;
    p->wake = n->kind->wake;
    if (!measure_is_whole(&n->plan))
        p->sent = part_table(p, &p->sent, p->nodes, sizeof(*p->sent), PART_SAVED);
    if (n->plan.detail) {
        size_t flows = (size_t)p->member_count * n->slots * (n->vcs + 1);
        d->slots = p->member_count * n->slots;
        d->flows = n->vcs + 1;
        d->most_bytes = memory_physical() / 2 / (n->engine.end - n->engine.first);
        d->flow = part_table(p, &d->flow, flows, sizeof(*d->flow), PART_SAVED);
        d->node = part_table(p, &d->node, p->nodes, sizeof(*d->node), PART_SAVED);
    }
    n->kind->prepare(n, p);
}

struct part_pool network_pool(const struct network_part *p)
{
    const struct network_kind *k = p->kind;
    struct part_pool pool = {.size = k->packet_size, .next_at = k->next_at};
    memcpy(&pool.packet, (const char *)p + k->pool_at, sizeof(pool.packet));
    if (k->cargo_at)
        memcpy(&pool.cargo, (const char *)p + k->cargo_at, sizeof(pool.cargo));
    return pool;
}

static void receive(void *network, uint32_t partition, const struct channel_buffer *messages)
{
    struct network_part *p = network_part(network, partition);
    const unsigned char *body = messages->body;
    if (p->kind->receive) {
        p->kind->receive(p, messages);
        return;
    }
    for (uint32_t i = 0; i < messages->count; i++) {
        event_t e = messages->message[i].event;
        if (network_event_brings(p->kind, e)) {
            if (p->pool_grows)
                part_make_room(p);
            e = part_unpack(p, e, &body, network_pool(p));
        }
        wheel_push(&p->wheel, messages->message[i].time, e);
    }
}

static cycle_t now(void *network, uint32_t partition)
{
    return network_part(network, partition)->wheel.now;
}

static void advance(void *network, uint32_t partition, cycle_t until)
{
    struct network_part *p = network_part(network, partition);
    p->kind->advance(p, until);
}

void network_init(struct network *n, const struct network_kind *kind, uint32_t partitions,
                  cycle_t lookahead, bool cargoes)
{
    struct engine_model model = {.ctx = n,
                                 .body_size = part_body_bytes(kind->packet_size, cargoes),
                                 .now = now,
                                 .account = account,
                                 .prepare = prepare,
                                 .receive = receive,
                                 .advance = advance};
    n->kind = kind;
    engine_init(&n->engine, &model, partitions, lookahead);
    n->part = memory_alloc_lines(partitions, kind->part_size);
    for (uint32_t i = 0; i < partitions; i++) {
        network_part(n, i)->index = i;
        network_part(n, i)->lookahead = lookahead;
        network_part(n, i)->kind = kind;
    }
}

/* ---- places ---- */

/* Channels both ways between partitions that a link joins, as far as this rank has one of them. */
static void connect(struct network *n)
{
    for (uint32_t node = 0; n->engine.partitions > 1 && node < n->routers; node++)
        for (unsigned port = 0; port < n->ports; port++) {
            uint32_t to = n->kind->neighbour(n, node, port);
            if (to >= n->routers || n->partition[to] == n->partition[node] ||
                !(network_is_here(n, node) || network_is_here(n, to)))
                continue;
            engine_connect(&n->engine, n->partition[node], n->partition[to]);
            engine_connect(&n->engine, n->partition[to], n->partition[node]);
        }
}

/* Once the partition of each router, and its number there, are known. */
static void take_places(struct network *n)
{
    for (uint32_t node = 0; node < n->routers; node++)
        network_part(n, n->partition[node])->member_count++;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        struct network_part *p = network_part(n, i);
        p->members = memory_alloc(p->member_count, sizeof(*p->members));
        p->nodes = p->member_count;
        WEFT_CHECK(p->nodes < EVENT_MAX_NODES, "partition %u is too large", i);
    }
    for (uint32_t node = 0; node < n->routers; node++)
        if (network_is_here(n, node))
            network_part(n, n->partition[node])->members[n->local[node]] = node;
    connect(n);
}

static void make_places(struct network *n, uint32_t routers)
{
    n->routers = routers;
    n->partition = memory_alloc(routers, sizeof(*n->partition));
    n->local = memory_alloc(routers, sizeof(*n->local));
}

void network_place(struct network *n, uint32_t routers, const uint32_t *partition)
{
    uint32_t *count = memory_alloc(n->engine.partitions, sizeof(*count));
    make_places(n, routers);
    for (uint32_t node = 0; node < routers; node++) {
        n->partition[node] = partition[node];
        n->local[node] = count[partition[node]]++;
    }
    free(count);
    take_places(n);
}

void network_place_bricks(struct network *n, const struct bricks *bricks)
{
    make_places(n, bricks->torus->nodes);
    for (uint32_t node = 0; node < n->routers; node++)
        bricks_find(bricks, node, &n->partition[node], &n->local[node]);
    take_places(n);
}

uint32_t network_end(struct network *n, struct network_part *p, uint32_t node)
{
    uint32_t there = n->partition[node];
    if (there == p->index)
        return n->local[node];
    return part_far(p, engine_connect(&n->engine, p->index, there), n->local[node]);
}

bool network_is_here(const struct network *n, uint32_t node)
{
    return n->partition[node] >= n->engine.first && n->partition[node] < n->engine.end;
}

weft_status network_blame_key(weft_status status, const char *key)
{
    if (status != WEFT_OK && !error_last()->place[0]) {
        error_keys(key);
        error_prefix("%s: ", key);
    }
    return status;
}

void network_locate(const struct network *n, uint32_t node, uint32_t *partition, uint32_t *local)
{
    *partition = n->partition[node];
    *local = n->local[node];
}

/* ---- life cycle ---- */

void network_destroy(struct network *n)
{
    if (!n)
        return;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        if (n->kind->release)
            n->kind->release(network_part(n, i));
        part_fini(network_part(n, i));
    }
    engine_fini(&n->engine);
    free(n->partition);
    free(n->local);
    free(n->part);
    free(n);
}

void network_archive(struct network *n, struct archive *a)
{
    engine_archive(&n->engine, a);
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        struct network_part *p = network_part(n, i);
        part_archive(p, a);
        if (n->kind->archive)
            n->kind->archive(p, a);
        if (!archive_has_read(a))
            continue;
        p->far_count = 0;
        for (uint32_t local = 0; n->kind->wire && local < p->member_count; local++)
            n->kind->wire(n, p, local);
    }
    if (archive_has_read(a))
        archive_sound(a, network_flaw(n));
}

void network_settle(struct network *n, cycle_t until)
{
    for (uint32_t i = n->engine.first; n->kind->settle && i < n->engine.end; i++)
        n->kind->settle(network_part(n, i), until);
}

/* ---- a window that is found ---- */

void network_follow(struct network *n, cycle_t start, cycle_t width)
{
    for (uint32_t i = n->engine.first; i < n->engine.end; i++)
        measure_follow(&network_part(n, i)->measure, start, width);
}

void network_widen_bins(struct network *n)
{
    for (uint32_t i = n->engine.first; i < n->engine.end; i++)
        measure_widen_bins(&network_part(n, i)->measure);
}

void network_bins(const struct network *n, struct measure_bin bin[MEASURE_BINS])
{
    memset(bin, 0, MEASURE_BINS * sizeof(*bin));
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        const struct measure *m = &network_part(n, i)->measure;
        for (unsigned b = 0; b < MEASURE_BINS; b++) {
            bin[b].count += m->bin[b].count;
            bin[b].sum += m->bin[b].sum;
            bin[b].withheld += m->bin[b].withheld;
        }
    }
    ranks_sum(&bin->count, MEASURE_BINS * sizeof(*bin) / sizeof(uint64_t));
}

cycle_t network_latest(const struct network *n)
{
    cycle_t latest = 0;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        cycle_t here = network_part(n, i)->measure.latest;
        latest = here > latest ? here : latest;
    }
    return ranks_max(latest);
}

void network_open_window(struct network *n, cycle_t from, cycle_t to)
{
    n->plan.from = from;
    n->plan.to = to;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        struct network_part *p = network_part(n, i);
        measure_open_window(&p->measure, from, to);
        detail_open_window(&p->detail, &p->measure);
    }
}

void network_double_window(struct network *n)
{
    n->plan.to += n->plan.to - n->plan.from;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++)
        measure_double_window(&network_part(n, i)->measure);
}

/* ---- the end ---- */

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

/* Adds up the busy times of links, without what lies after the end. */
static void close_links(const struct network *n, struct network_part *p, cycle_t until)
{
    for (uint32_t local = 0; local < p->member_count; local++)
        for (unsigned port = 0; port < n->ports; port++) {
            struct network_link link = n->kind->link(p, local, port, until);
            if (!link.busy)
                continue;
            uint64_t over = link.free_at > until ? link.free_at - until : 0;
            *link.busy -= over < *link.busy ? over : *link.busy;
            p->measure.busy[link.port] += *link.busy;
        }
}

void network_measure(struct network *n, cycle_t end, struct measure *m)
{
    cycle_t until = measure_is_whole(&n->plan) ? last_delivery(n) : CYCLE_NEVER;
    measure_init(m, n->plan.from, n->plan.to, n->plan.interval);
    measure_divide(m, n->classes);
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        struct network_part *p = network_part(n, i);
        close_links(n, p, until);
        if (n->kind->close)
            n->kind->close(p);
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

uint64_t network_link_busy(const struct network *n, uint32_t node, unsigned port)
{
    if (!network_is_here(n, node))
        return 0;
    struct network_part *p = network_part(n, n->partition[node]);
    return *n->kind->link(p, n->local[node], port, CYCLE_NEVER).busy;
}

uint64_t network_slot_busy(const struct network *n, uint32_t partition, uint32_t slot)
{
    const struct detail *d = network_detail(n, partition);
    uint64_t busy = 0;
    for (uint32_t flow = 0; d && flow < d->flows; flow++)
        busy += detail_flow_at(d, slot, flow)->busy;
    return busy;
}

/* Packets on their way to partitions of this rank, which are in no pool. */
static uint64_t packets_between(const struct network *n)
{
    const struct engine *e = &n->engine;
    uint64_t packets = 0;
    for (uint32_t c = 0; c < 2 * e->channels; c++)
        if (engine_rank(e, e->channel[c / 2].to) == ranks_me())
            packets += e->channel[c / 2].buffer[c % 2].body_count;
    return packets;
}

struct network_totals network_totals(const struct network *n)
{
    struct network_totals sum = {.pending = packets_between(n)};
    for (uint32_t i = n->engine.first; i < n->engine.end; i++) {
        const struct network_part *p = network_part(n, i);
        sum.pending += p->packets;
        for (uint32_t link = 0; n->kind->sender && link < p->member_count * n->ports; link++)
            sum.kept += n->kind->sender(p, link / n->ports, link % n->ports).kept;
        sum.awaited += p->awaited;
        sum.events += p->wheel.events;
        sum.hops += p->measure.hops;
    }
    sum.pending += sum.kept;
    ranks_sum(&sum.pending, sizeof(sum) / sizeof(sum.pending));
    return sum;
}

cycle_t network_now(const struct network *n)
{
    cycle_t now = 0;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++)
        if (network_part(n, i)->wheel.now > now)
            now = network_part(n, i)->wheel.now;
    return ranks_max(now);
}

/* ---- links that make errors ---- */

void link_report_add(struct link_report *r, const struct network *n, uint32_t node, unsigned port,
                     bool differs)
{
    r->differing += differs;
    r->links_given_up += !differs;
    if (r->named == sizeof(r->first) / sizeof(r->first[0]))
        return;
    r->first[r->named].differs = differs;
    n->kind->name_link(n, node, port, r->first[r->named++].name);
}

void network_report_in_vain(const struct network *n, struct link_report *report)
{
    enum { CYCLES_IN_VAIN = 1 << 16 }; /* without an acknowledgment */
    size_t links = (size_t)n->routers * n->ports;
    uint32_t *vain = memory_alloc(links, sizeof(*vain));
    cycle_t now = network_now(n);
    for (uint32_t node = 0; node < n->routers; node++)
        for (unsigned port = 0; network_is_here(n, node) && port < n->ports; port++) {
            const struct network_part *p = network_part(n, n->partition[node]);
            struct network_sender s = n->kind->sender(p, n->local[node], port);
            vain[(size_t)node * n->ports + port] = s.kept && now > s.waits_since + CYCLES_IN_VAIN;
        }
    ranks_sum_32(vain, links);
    for (size_t link = 0; link < links; link++)
        if (vain[link])
            link_report_add(report, n, (uint32_t)(link / n->ports), link % n->ports, false);
    free(vain);
}
