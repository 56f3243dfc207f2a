/*
 * The network's account of itself while it rests: invariants (--check), and who waits for whom
 * when nothing moves any more.
 */
#include "fabric/torus/ack.h"
#include "fabric/torus/head.h"
#include "fabric/torus/link.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/ranks.h"
#include "fabric/waiting.h"

/* ---- invariants ---- */

/* Chunks accounted for each buffer, by receiving node, port and VC. */
struct account {
    const struct torus_network *network;
    const struct torus_part *part; /* whose wheel is being read */
    uint32_t *chunks;
    uint64_t packets; /* found in the part's wheel */
};

static uint32_t *buffer_at(struct account *a, uint32_t receiver, unsigned port, unsigned vc)
{
    return &a->chunks[((size_t)receiver * TORUS_PORTS + port) * TORUS_VCS + vc];
}

static void account_flight(struct account *a, uint32_t node, event_t e,
                           const struct torus_packet *packet)
{
    unsigned port = event_port(e), vc = event_vc(e);
    if (event_kind(e) == TORUS_EVENT_ARRIVE)
        *buffer_at(a, node, port, vc) += vc_tokens(&a->network->derived, vc, packet);
    else if (event_kind(e) == TORUS_EVENT_ACK)
        *buffer_at(a, torus_neighbour(a->network->torus, node, port), port, vc) += event_payload(e);
}

static void account_event(void *arg, cycle_t time, event_t e)
{
    struct account *a = arg;
    (void)time;
    bool arrives = event_kind(e) == TORUS_EVENT_ARRIVE;
    a->packets += arrives || event_kind(e) == TORUS_EVENT_FRAME;
    account_flight(a, a->part->router[event_node(e)].node, e,
                   arrives ? &a->part->pool[event_payload(e)] : NULL);
}

static void account_messages(struct account *a)
{
    const struct engine *engine = &a->network->base.engine;
    for (uint32_t c = 0; c < engine->channels; c++) {
        if (engine_rank(engine, engine->channel[c].to) != ranks_me())
            continue; /* on its way to another rank, or there */
        const struct torus_part *to = torus_part_at(a->network, engine->channel[c].to);
        for (int i = 0; i < 2; i++) {
            const struct channel_buffer *b = &engine->channel[c].buffer[i];
            const unsigned char *body = b->body;
            for (uint32_t m = 0; m < b->count; m++) {
                event_t e = b->message[m].event;
                bool arrives = event_kind(e) == TORUS_EVENT_ARRIVE;
                struct torus_packet packet = {.birth = 0};
                if (arrives) {
                    memcpy(&packet, body, sizeof(packet));
                    body += part_body_bytes(torus_pool(to), to->cargo);
                }
                account_flight(a, to->router[event_node(e)].node, e, &packet);
            }
        }
    }
}

/* With the link protocol: packets that the receiver has not taken yet, and chunks that it freed and
 * of which the sender does not know. */
static void account_link(struct account *a, const struct torus_part *p, uint32_t local,
                         unsigned port)
{
    const struct torus_network *n = a->network;
    uint32_t to = torus_neighbour(n->torus, p->router[local].node, port), brick, there;
    bricks_find(&n->bricks, to, &brick, &there);
    const struct torus_link_sender *s = &p->links->sender[(size_t)local * TORUS_PORTS + port];
    const struct torus_link_receiver *x =
        &torus_part_at(n, brick)->links->receiver[(size_t)there * TORUS_PORTS + port];
    for (uint32_t i = 0; i < s->count; i++) {
        const struct torus_packet *packet = &s->frame[(s->first + i) % LINK_FRAMES].packet;
        if ((uint8_t)((uint8_t)packet->next - x->expected) < 128)
            *buffer_at(a, to, port, packet->vc) += vc_tokens(p->derived, packet->vc, packet);
    }
    for (unsigned vc = 0; vc < p->derived->vcs; vc++)
        *buffer_at(a, to, port, vc) += (uint16_t)(x->freed[vc] - s->freed[vc]);
}

/* Tokens at the senders, or on their way there, and chunks in the VC FIFOs of a part. */
static void account_routers(struct account *a, const struct torus_part *p)
{
    for (uint32_t local = 0; local < p->base.nodes; local++) {
        const struct torus_router *r = &p->router[local];
        for (unsigned port = 0; port < TORUS_PORTS; port++) {
            if (p->links && (r->links >> port & 1) && ranks_count() == 1)
                account_link(a, p, local, port);
            for (unsigned vc = 0; vc < p->derived->vcs; vc++) {
                if (r->links >> port & 1)
                    *buffer_at(a, torus_neighbour(a->network->torus, r->node, port), port, vc) +=
                        r->port[port].tokens[vc] + noted_tokens(&r->port[port], vc);
                *buffer_at(a, r->node, port, vc) += r->filled[vc][port];
            }
        }
    }
}

static weft_status check_buffers(struct account *a)
{
    const struct torus_network *n = a->network;
    for (uint32_t node = 0; node < n->torus->nodes; node++)
        for (unsigned port = 0; port < 2 * n->torus->dims; port++)
            for (unsigned vc = 0; vc < n->derived.vcs; vc++) {
                unsigned back = torus_opposite(port);
                bool link = faults_neighbour(&n->faults, n->torus, node, back) != TORUS_NO_NODE;
                uint32_t found = *buffer_at(a, node, port, vc);
                uint32_t right = link ? n->derived.capacity[vc] : 0;
                if (found != right)
                    return RUN_FAILED(("invariant broken: node %u receiver %u VC %u: tokens, "
                                       "packets and acknowledgments add up to %u chunks, not %u",
                                       node, port, vc, found, right),
                                      NO_REMEDY);
            }
    return WEFT_OK;
}

/* Every packet of the pool is in one queue or one event. */
static weft_status check_packets(const struct torus_part *p, uint64_t in_wheel)
{
    uint64_t found = in_wheel;
    for (size_t q = 0; q < (size_t)p->base.nodes * p->derived->queues; q++)
        for (uint32_t i = p->queue[q].head; i != NO_PACKET; i = p->pool[i].next)
            if (found++ > p->base.packets)
                break;
    if (found != p->base.packets)
        return RUN_FAILED(
            ("invariant broken: partition %u holds %u packets but %llu are in a place",
             p->base.index, p->base.packets, (unsigned long long)found),
            NO_REMEDY);
    return WEFT_OK;
}

weft_status torus_check(struct network *base)
{
    struct torus_network *n = (struct torus_network *)base;
    struct account a = {.network = n};
    weft_status status = WEFT_OK;
    a.chunks = weft_alloc((size_t)n->torus->nodes * TORUS_PORTS * TORUS_VCS, sizeof(*a.chunks));
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end && status == WEFT_OK; i++) {
        a.part = torus_part_at(n, i);
        a.packets = 0;
        wheel_visit(&a.part->base.wheel, account_event, &a);
        account_routers(&a, a.part);
        status = check_packets(a.part, a.packets);
    }
    account_messages(&a);
    ranks_sum_32(a.chunks, (size_t)n->torus->nodes * TORUS_PORTS * TORUS_VCS);
    if (ranks_max(status != WEFT_OK) && status == WEFT_OK)
        status = RUN_FAILED(("invariant broken in another rank"), NO_REMEDY);
    if (status == WEFT_OK && !(n->params.link.protocol && ranks_count() > 1))
        status = check_buffers(&a);
    free(a.chunks);
    return status;
}

/* ---- who waits for whom ---- */

/* Buffers are the VC FIFOs of receivers. Zeroes in all ranks but a buffer's own. */

static uint32_t buffer_number(uint32_t node, unsigned port, unsigned vc)
{
    return (node * TORUS_PORTS + port) * TORUS_VCS + vc;
}

static void find_waiting(const struct torus_network *n, const struct torus_part *p, uint32_t local,
                         unsigned receiver, unsigned vc, struct waiting *w)
{
    const struct torus_router *r = &p->router[local];
    unsigned q = receiver * n->derived.lanes + vc, hint = head_ports(r, q);
    w->occupied = r->filled[vc][receiver];
    if ((r->busy >> q & 1) || !hint)
        return;
    unsigned port = n->derived.escape_port[hint];
    uint32_t to = torus_neighbour(n->torus, r->node, port);
    w->next = 1 + buffer_number(to, port, n->derived.class_vc[head_class(r, q)]);
}

/* All buffers of the machine, gathered from the ranks. */
static struct waiting *gather_waiting(const struct torus_network *n)
{
    size_t buffers = (size_t)n->torus->nodes * TORUS_PORTS * TORUS_VCS;
    struct waiting *all = weft_alloc(buffers, sizeof(*all));
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++)
        for (uint32_t local = 0; local < torus_part_at(n, i)->base.nodes; local++)
            for (unsigned port = 0; port < TORUS_PORTS; port++)
                for (unsigned vc = 0; vc < n->derived.vcs; vc++) {
                    uint32_t node = torus_part_at(n, i)->router[local].node;
                    find_waiting(n, torus_part_at(n, i), local, port, vc,
                                 &all[buffer_number(node, port, vc)]);
                }
    ranks_sum_32((uint32_t *)all, 2 * buffers);
    return all;
}

static size_t print_waiting(const void *network, uint32_t buffer, uint32_t occupied, char *text,
                            size_t size, size_t at)
{
    const struct torus_network *n = network;
    uint32_t c[TORUS_MAX_DIMS];
    unsigned vc = buffer % TORUS_VCS, port = buffer / TORUS_VCS % TORUS_PORTS;
    torus_coordinates(n->torus, buffer / TORUS_VCS / TORUS_PORTS, c);
    at = waiting_print(text, size, at, "  node (");
    for (unsigned d = 0; d < n->torus->dims; d++)
        at = waiting_print(text, size, at, d ? ",%u" : "%u", c[d]);
    return waiting_print(text, size, at, ") receiver %s VC %s, %u of %u chunks taken, waits for\n",
                         torus_port_name(port), torus_vc_name(&n->params, vc), occupied,
                         n->derived.capacity[vc]);
}

void torus_explain(const struct network *base, char *text, size_t size)
{
    const struct torus_network *n = (const struct torus_network *)base;
    uint32_t buffers = n->torus->nodes * TORUS_PORTS * TORUS_VCS;
    struct waiting *all = gather_waiting(n);
    if (!waiting_cycle(all, buffers, print_waiting, n, text, size))
        waiting_print(text, size, 0,
                      "no cycle of waiting buffers was found; packets wait for a reception FIFO "
                      "that is not emptied\n");
    free(all);
}
