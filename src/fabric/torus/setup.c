/* Building a torus network: partitions, routers, wires, tokens. */
#include "fabric/torus/queue.h"
#include "fabric/torus/link.h"

#include <string.h>

#include "base/memory.h"

/* Events a node can have pending: transfers, packets and acknowledgments on its wires, sources. */
enum { EVENTS_PER_NODE = 1024 };

/* The most packets a node can hold, if all are one chunk long; address space only. */
static uint64_t packets_per_node(const struct torus_params *p, const struct torus_derived *d)
{
    uint64_t chunks = 0;
    for (unsigned v = 0; v < d->vcs; v++)
        chunks += d->capacity[v];
    /* A buffer's packets are in it or on its wire. For unbounded FIFOs it is where they start. */
    uint64_t fifo = p->injection_fifo_bytes ? p->injection_fifo_bytes / TORUS_CHUNK_BYTES : 4;
    return chunks * TORUS_PORTS + fifo * TORUS_FIFOS;
}

uint64_t torus_network_memory(const struct torus_params *params, uint64_t nodes)
{
    uint64_t received = params->dynamic_vcs + 1 + (params->escape == ESCAPE_DATELINE) + 2;
    uint64_t queues = TORUS_PORTS * received + TORUS_FIFOS;
    /* Router, queues, keys and lists, and about one packet per VC. */
    uint64_t link = sizeof(struct torus_link_sender) + sizeof(struct torus_link_receiver);
    return nodes * (sizeof(struct torus_router) + queues * sizeof(struct torus_queue) + 64 +
                    TORUS_PORTS * received * sizeof(struct torus_packet) +
                    (params->link.protocol ? TORUS_PORTS * link : 0));
}

static void init_masks(struct torus_part *p)
{
    const struct torus_derived *d = p->derived;
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        p->receiver_queues[port] = ((1ull << d->receiver_queues) - 1)
                                   << (port * d->receiver_queues);
        p->bypass_queues |= 1ull << (port * d->receiver_queues + d->receiver_queues - 1);
        if (p->params->vc_transfers > 1)
            p->shared_queues |= p->receiver_queues[port] & ~p->bypass_queues;
        p->high_queues |= 1ull << (port * d->receiver_queues + d->high_vc);
    }
    unsigned first = TORUS_PORTS * d->receiver_queues;
    for (unsigned q = 0; q < d->queues; q++) {
        p->queue_receiver[q] = (uint8_t)(q < first ? q / d->receiver_queues : TORUS_PORTS);
        p->queue_vc[q] = (uint8_t)(q % d->receiver_queues);
    }
    p->injection_queues = ((1ull << TORUS_FIFOS) - 1) << first;
    p->high_queues |= ((1ull << TORUS_HIGH_FIFOS) - 1) << (first + TORUS_NORMAL_FIFOS);
}

static uint32_t neighbour(const struct network *base, uint32_t node, unsigned port)
{
    const struct torus_network *n = (const struct torus_network *)base;
    return port < 2 * n->torus->dims ? faults_neighbour(&n->faults, n->torus, node, port)
                                     : TORUS_NO_NODE;
}

static void wire(struct network *base, struct network_part *base_part, uint32_t local)
{
    struct torus_network *n = (struct torus_network *)base;
    struct torus_part *p = (struct torus_part *)base_part;
    struct torus_router *r = &p->router[local];
    r->node = p->base.members[local];
    uint64_t key = random_key(n->seed, wiring_number(n->torus, r->node), RANDOM_ARBITRATION);
    r->slq_phase = (uint16_t)((uint32_t)key % n->params.slq_period_cycles);
    r->links = r->datelines = 0;
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        uint32_t to = neighbour(base, r->node, port);
        r->port[port].neighbour = 0;
        if (to == TORUS_NO_NODE)
            continue;
        r->links |= (uint8_t)(1u << port);
        if (torus_crosses_dateline(n->torus, &n->params, r->node, port))
            r->datelines |= (uint8_t)(1u << port);
        r->port[port].neighbour = network_end(base, base_part, to);
    }
}

/* Before the first packet all tokens are there. */
static void give_tokens(const struct torus_derived *d, struct torus_router *r)
{
    for (unsigned ports = r->links; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctz(ports);
        for (unsigned v = 0; v < d->vcs; v++) {
            r->port[port].tokens[v] = (uint8_t)d->capacity[v];
            set_room(d, r, port, v);
        }
    }
}

bool torus_crosses_dateline(const struct torus *t, const struct torus_params *p, uint32_t node,
                            unsigned port)
{
    uint32_t c[TORUS_MAX_DIMS];
    unsigned d = port / 2;
    if (p->dateline[d] < 0)
        return false;
    const struct torus *home = wiring_home(t, node, c);
    uint32_t size = home->size[d], before = port & 1 ? (c[d] + size - 1) % size : c[d];
    return home->wrap[d] && (int32_t)before == torus_dateline(t, home, p, d);
}

/* The large part of the setup, on the thread that will use it. */
static void prepare(struct network *base, struct network_part *base_part)
{
    struct torus_network *n = (struct torus_network *)base;
    struct torus_part *p = (struct torus_part *)base_part;
    const struct torus_derived *d = &n->derived;
    uint32_t nodes = p->base.nodes;
    size_t queues = (size_t)nodes * d->queues;
    bool full = n->stages || n->params.vc_transfers > 1;
    p->network = n;
    p->params = &n->params;
    p->derived = d;
    p->step = n->params.link.protocol ? torus_step_lossy : full ? torus_step_full : torus_step;
    p->fetches = n->fetches;
    init_masks(p);
    p->base.pool_packets = (uint32_t)(nodes * packets_per_node(&n->params, d));
    p->base.pool_grows = !n->params.injection_fifo_bytes;
    PART_TABLE(p, &p->router, nodes, PART_SAVED);
    PART_TABLE(p, &p->queue, queues, PART_SAVED);
    PART_TABLE(p, &p->link_busy, (size_t)nodes * TORUS_PORTS, PART_SAVED);
    PART_TABLE(p, &p->link_end, (size_t)nodes * TORUS_PORTS, PART_SAVED);
    PART_TABLE(p, &p->pool, p->base.pool_packets, PART_PACKETS);
    if (n->client.cargoes)
        PART_TABLE(p, &p->cargo, p->base.pool_packets, PART_PACKETS);
    for (unsigned i = 0; i < 2; i++)
        PART_TABLE(p, &p->dirty[i].node, nodes, PART_SCRATCH);
    if (n->params.arbitration_gap)
        PART_TABLE(p, &p->unavailable, nodes, PART_SAVED);
    if (n->params.vc_transfers > 1)
        PART_TABLE(p, &p->leaving, queues, PART_SAVED);
    if (n->params.reception_fifo_bytes && !n->client.at_once) {
        size_t fifos = (size_t)nodes * TORUS_RECEPTION_FIFOS;
        PART_TABLE(p, &p->reception_room, fifos, PART_SAVED);
        memset(p->reception_room, (int)(n->params.reception_fifo_bytes / TORUS_CHUNK_BYTES), fifos);
    }
    p->software_header_bytes = n->software_header_bytes;
    for (size_t q = 0; q < queues; q++)
        p->queue[q].head = NO_PACKET;
    n->client.prepare(n->client.ctx, &p->base);
    for (uint32_t local = 0; local < nodes; local++) {
        struct torus_router *r = &p->router[local];
        wire(base, base_part, local);
        r->random = random_key(n->seed, wiring_number(n->torus, r->node), RANDOM_ARBITRATION);
        give_tokens(d, r);
        for (unsigned fifo = 0; fifo < TORUS_FIFOS; fifo++)
            torus_wake(&p->base, local, fifo, 0);
    }
    if (n->params.link.protocol)
        torus_links_prepare(p);
}

static void archive(struct network_part *base, struct archive *a)
{
    struct torus_part *p = (struct torus_part *)base;
    archive_bytes(a, &p->swept, sizeof(p->swept));
}

static void settle_part(struct network_part *base, cycle_t until)
{
    struct torus_part *p = (struct torus_part *)base;
    cycle_t near = base->wheel.now;
    for (uint32_t local = 0; local < p->base.nodes; local++)
        for (unsigned port = 0; port < TORUS_PORTS; port++) {
            cycle_t last = settle_acks(p, &p->router[local], local, port, near, until - 1);
            base->wheel.now = last > base->wheel.now ? last : base->wheel.now;
        }
}

/* A link may be busy after the last delivery with what is left of its last packet, and with an
 * acknowledgment, for which it may wait idle. */
static struct network_link link(struct network_part *base, uint32_t local, unsigned port,
                                cycle_t until)
{
    struct torus_part *p = (struct torus_part *)base;
    struct torus_router *r = &p->router[local];
    cycle_t now = base->wheel.now;
    int64_t ahead = (int32_t)(r->link_free[port] - (uint32_t)now);
    bool idle = r->link_free[port] == torus_swept(p); /* since before the last sweep */
    cycle_t free_at = p->links ? torus_sender_at(p, local, port)->busy_until
                      : idle   ? p->link_end[torus_slot(local, port)]
                               : (cycle_t)((int64_t)now + ahead);
    cycle_t most = until + p->params->ack_bytes + p->derived->tail_cycles;
    uint64_t *busy = &p->link_busy[torus_slot(local, port)];
    *busy += r->port[port].link_busy;
    r->port[port].link_busy = 0;
    return (struct network_link){
        .busy = busy, .free_at = free_at < most ? free_at : most, .port = port};
}

/* Acknowledgments that have not arrived do not count. */
static void close_part(struct network_part *base)
{
    const struct torus_part *p = (const struct torus_part *)base;
    for (uint32_t local = 0; local < base->nodes; local++)
        for (unsigned port = 0; port < TORUS_PORTS; port++)
            for (uint64_t notes = p->router[local].port[port].notes; notes; notes >>= 32)
                base->measure.acks--;
}

static void name_link(const struct network *base, uint32_t node, unsigned port, char *text)
{
    faults_link_text(((const struct torus_network *)base)->torus, node, port, text);
}

static const struct network_kind kind = {
    .part_size = sizeof(struct torus_part),
    .packet_size = sizeof(struct torus_packet),
    .next_at = offsetof(struct torus_packet, next),
    .pool_at = offsetof(struct torus_part, pool),
    .cargo_at = offsetof(struct torus_part, cargo),
    .events_per_node = EVENTS_PER_NODE,
    .wake = (event_t)TORUS_EVENT_SOURCE << EVENT_KIND_SHIFT | TORUS_WAKE_FIFO << EVENT_PORT_SHIFT,
    .brings = 1 << TORUS_EVENT_ARRIVE | 1 << TORUS_EVENT_FRAME,
    .travels = 1 << TORUS_EVENT_ARRIVE | 1 << TORUS_EVENT_ACK | 1 << TORUS_EVENT_FRAME |
               1 << TORUS_EVENT_ACK_FRAME | 1 << TORUS_EVENT_OTHER,
    .advance = torus_advance,
    .receive = torus_receive,
    .neighbour = neighbour,
    .prepare = prepare,
    .wire = wire,
    .archive = archive,
    .settle = settle_part,
    .link = link,
    .close = close_part,
    .sender = torus_link_sender,
    .name_link = name_link,
    .checks = &torus_checks,
    .stuck = "packets wait for a reception FIFO that is not emptied"};

weft_status torus_network_create(const struct torus_network_options *o,
                                 struct torus_network **network)
{
    struct torus_derived derived;
    TRY(torus_params_derive(o->params, &derived));
    struct torus_network *n = memory_alloc(1, sizeof(*n));
    n->params = *o->params;
    n->derived = derived;
    n->torus = o->torus;
    if (o->faults)
        n->faults = *o->faults;
    n->client = o->client;
    n->seed = o->seed;
    n->software_header_bytes = o->software_header_bytes;
    n->stages = o->stages;
    /* A third of a thread's share is used often; if its core's cache holds that, fetching gains
     * nothing. */
    uint64_t share = torus_network_memory(o->params, o->torus->nodes) / (o->threads + !o->threads);
    n->fetches = share / 3 > memory_core_cache();
    uint32_t lookahead =
        derived.hop_cycles < derived.ack_cycles ? derived.hop_cycles : derived.ack_cycles;
    if (o->least_other_cycles && o->least_other_cycles < lookahead)
        lookahead = o->least_other_cycles;
    n->base.plan = o->plan;
    n->base.ports = n->base.slots = TORUS_PORTS;
    n->base.vcs = derived.vcs;
    n->base.buffers = TORUS_PORTS * derived.vcs;
    network_init(&n->base, &kind, o->bricks.count, lookahead, n->client.cargoes);
    network_place_bricks(&n->base, &o->bricks);
    *network = n;
    return WEFT_OK;
}

const char *const torus_stage_names[TORUS_STAGE_COUNT + 1] = {
    [TORUS_STAGE_ENGINE] = "engine",     [TORUS_STAGE_EVENTS] = "events",
    [TORUS_STAGE_FETCH] = "fetch",       [TORUS_STAGE_TOKENS] = "tokens",
    [TORUS_STAGE_FINISH] = "finish",     [TORUS_STAGE_REFILL] = "refill",
    [TORUS_STAGE_ARRIVALS] = "arrivals", [TORUS_STAGE_RECEPTION] = "reception",
    [TORUS_STAGE_REQUESTS] = "requests", [TORUS_STAGE_ARBITRATION] = "arbitration",
    [TORUS_STAGE_GRANT] = "grant",       [TORUS_STAGE_LEFTOVERS] = "leftovers",
};
