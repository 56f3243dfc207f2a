/*
 * The audit: for each VC of each receiver, tokens, packets and acknowledgments add up to the
 * buffer.
 *
 * The inspection: what the router keeps ready (masks of heads, queues that are left, room) is what
 * its queues, transfers and tokens make of it.
 */
#include "fabric/torus/queue.h"
#include "fabric/torus/link.h"

#include "base/text/text.h"
#include "engine/ranks.h"
#include "fabric/check.h"

/* ---- invariants ---- */

/* Buffers are the VC FIFOs of receivers; those of a node are numbered port * vcs + vc. Counts are
 * chunks accounted for each. */
static uint32_t *buffer_at(const struct audit *a, uint32_t receiver, unsigned port, unsigned vc)
{
    const struct torus_network *n = (const struct torus_network *)a->network;
    return audit_count(a, receiver, port * n->derived.vcs + vc);
}

static void audit_event(struct audit *a, const struct network_part *base, event_t e,
                        const void *packet)
{
    const struct torus_part *p = (const struct torus_part *)base;
    uint32_t node = p->router[event_node(e)].node;
    unsigned port = event_port(e), vc = event_vc(e);
    if (event_kind(e) == TORUS_EVENT_ARRIVE)
        *buffer_at(a, node, port, vc) += vc_tokens(p->derived, vc, packet);
    else if (event_kind(e) == TORUS_EVENT_ACK)
        *buffer_at(a, torus_neighbour(p->network->torus, node, port), port, vc) += event_payload(e);
}

/* With the link protocol: packets that the receiver has not yet taken, and chunks that it has freed
 * without the sender knowing. */
static void audit_link(struct audit *a, const struct torus_part *p, uint32_t local, unsigned port)
{
    const struct torus_network *n = p->network;
    uint32_t to = torus_neighbour(n->torus, p->router[local].node, port);
    const struct torus_part *behind =
        (const struct torus_part *)network_part(&n->base, n->base.partition[to]);
    const struct torus_link_sender *s = torus_sender_at(p, local, port);
    const struct torus_link_receiver *x = torus_receiver_at(behind, n->base.local[to], port);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct torus_packet *packet = &s->frame[(s->first + i) % LINK_FRAMES].packet;
        if ((uint8_t)((uint8_t)packet->next - x->expected) < 128)
            *buffer_at(a, to, port, packet->vc) += vc_tokens(p->derived, packet->vc, packet);
    }
    for (unsigned vc = 0; vc < p->derived->vcs; vc++)
        *buffer_at(a, to, port, vc) += (uint16_t)(x->freed[vc] - s->freed[vc]);
}

/* A router's tokens, at its senders or on their way there, and chunks in its VC FIFOs. */
static void audit_router(struct audit *a, const struct network_part *base, uint32_t local)
{
    const struct torus_part *p = (const struct torus_part *)base;
    const struct torus_router *r = &p->router[local];
    for (unsigned q = 0; q < p->derived->queues; q++)
        a->packets += part_queue_length(torus_pool(p), queue_at(p, local, q)->head);
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        if (p->links && (r->links >> port & 1) && ranks_count() == 1)
            audit_link(a, p, local, port);
        for (unsigned vc = 0; vc < p->derived->vcs; vc++) {
            if (r->links >> port & 1)
                *buffer_at(a, torus_neighbour(p->network->torus, r->node, port), port, vc) +=
                    r->port[port].tokens[vc] + noted_tokens(&r->port[port], vc);
            *buffer_at(a, r->node, port, vc) += r->filled[vc][port];
        }
    }
}

/* With the link protocol, the two ends of a link are looked at together: see audit_router(). */
static weft_status compare(const struct network *base, uint32_t node, uint32_t buffer,
                           uint32_t found)
{
    const struct torus_network *n = (const struct torus_network *)base;
    unsigned port = buffer / n->derived.vcs, vc = buffer % n->derived.vcs;
    bool link = base->kind->neighbour(base, node, torus_opposite(port)) != TORUS_NO_NODE;
    uint32_t right = link ? n->derived.capacity[vc] : 0;
    if (found == right || (n->params.link.protocol && ranks_count() > 1))
        return WEFT_OK;
    return RUN_FAILED(("invariant broken: node %u receiver %u VC %u: tokens, packets and "
                       "acknowledgments add up to %u chunks, not %u",
                       node, port, vc, found, right),
                      NO_REMEDY);
}

/* ---- who waits for whom ---- */

static struct waiting_head head_waiting(const struct network_part *base, uint32_t local,
                                        uint32_t buffer)
{
    const struct torus_part *p = (const struct torus_part *)base;
    const struct torus_derived *d = p->derived;
    const struct torus_router *r = &p->router[local];
    unsigned vc = buffer % d->vcs, receiver = buffer / d->vcs;
    unsigned q = receiver * d->receiver_queues + vc, hint = head_ports(r, q);
    struct waiting_head head = {.occupied = r->filled[vc][receiver],
                                .waits = !(r->busy >> q & 1) && hint};
    if (head.waits) {
        unsigned port = d->escape_port[hint];
        head.node = torus_neighbour(p->network->torus, r->node, port);
        head.buffer = port * d->vcs + d->class_vc[head_class(r, q)];
    }
    return head;
}

static size_t print_buffer(const struct network *base, uint32_t node, uint32_t buffer,
                           uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct torus_network *n = (const struct torus_network *)base;
    uint32_t c[TORUS_MAX_DIMS];
    unsigned vc = buffer % n->derived.vcs, port = buffer / n->derived.vcs;
    torus_coordinates(n->torus, node, c);
    at = text_append(text, size, at, "  node (");
    for (unsigned d = 0; d < n->torus->dims; d++)
        at = text_append(text, size, at, d ? ",%u" : "%u", c[d]);
    return text_append(text, size, at, ") receiver %s VC %s, %u of %u chunks taken, waits for\n",
                       torus_port_name(port), torus_vc_name(&n->params, vc), occupied,
                       n->derived.capacity[vc]);
}

/* ---- whether a state that was read can be one ---- */

/* Events of a node that are found in the wheel: masks of ports, and chunks that will be consumed.
 */
struct pending {
    uint64_t sent, received[2], watched;
    uint16_t consumed[TORUS_RECEPTION_FIFOS];
};

/* ---- packets ---- */

/* Along a dimension: in one direction or none, and not off the end of a line. */
static bool is_way(const struct torus *t, unsigned dim, unsigned way, uint32_t at, uint32_t hops)
{
    if (way == 3 || (way != 0) != (hops != 0))
        return false;
    return t->wrap[dim] || (way == 2 ? hops <= at : hops < t->size[dim] - at);
}

/* Whether a packet at a node of the machine, or on its way there, can be one. */
static bool is_packet(const struct torus_part *p, uint32_t node, const struct torus_packet *packet)
{
    const struct torus *t = p->network->torus;
    uint32_t c[TORUS_MAX_DIMS], bytes = torus_packet_bytes(packet);
    if (packet->chunks > TORUS_MAX_CHUNKS || !packet->chunks || packet->vc >= p->derived->vcs ||
        packet->source >= t->nodes || !wiring_joins(t, packet->source, node) ||
        wiring_idles(t, node) || packet->hint >> 2 * t->dims ||
        p->software_header_bytes + packet->padding > bytes)
        return false;
    torus_coordinates(t, node, c);
    for (unsigned d = 0; d < t->dims; d++)
        if (!is_way(t, d, packet->hint >> 2 * d & 3, c[d], packet->hops[d]))
            return false;
    return true;
}

/* ---- events ---- */

/* An event of the link protocol. */
static bool is_link_event(const struct torus_part *p, event_t e, const struct torus_packet *packet,
                          bool in, bool out)
{
    bool vc = event_vc(e) < p->derived->vcs;
    switch (event_kind(e)) {
    case TORUS_EVENT_FRAME:
        return in && is_packet(p, p->router[event_node(e)].node, packet) &&
               packet->vc == event_vc(e) && packet->next >> 8 <= FRAME_ESCAPED;
    case TORUS_EVENT_ACK_FRAME:
        return out && vc && event_payload(e) < 1u << 24;
    case TORUS_EVENT_TAIL:
        return in && vc;
    case TORUS_EVENT_DUE:
    case TORUS_EVENT_REFRESH:
        return in;
    case TORUS_EVENT_TIMEOUT:
    case TORUS_EVENT_RESEND:
        return out;
    default:
        return false;
    }
}

/* The client knows its own. */
static bool is_other(const struct torus_part *p, event_t e)
{
    const struct torus_client *c = &p->network->client;
    return c->is_other && c->is_other(c->ctx, p->base.index, event_node(e), event_port(e),
                                      event_vc(e), event_payload(e));
}

static bool is_event(const struct network_part *base, void *found, cycle_t time, event_t e,
                     const void *body)
{
    const struct torus_part *p = (const struct torus_part *)base;
    const struct torus_packet *packet = body;
    struct pending *pending = found;
    uint32_t node = event_node(e), payload = event_payload(e);
    unsigned port = event_port(e), vc = event_vc(e);
    (void)time;
    if (node >= p->base.nodes)
        return false;
    const struct torus_router *r = &p->router[node];
    bool is_port = port < TORUS_PORTS, out = is_port && r->links >> port & 1;
    bool in = is_port && r->links >> torus_opposite(port) & 1;
    switch (event_kind(e)) {
    case TORUS_EVENT_STEP:
    case TORUS_EVENT_SOURCE:
        return true;
    case TORUS_EVENT_ARRIVE:
        return in && !p->links && is_packet(p, r->node, packet) && packet->vc == vc;
    case TORUS_EVENT_SENT:
        return out && payload == r->port[port].transfer.queue && inspect_once(&pending->sent, port);
    case TORUS_EVENT_RECEIVED:
        return in && vc < 2 && payload == r->reception[vc][port].queue &&
               inspect_once(&pending->received[vc], port);
    case TORUS_EVENT_ACK:
        return out && !p->links && vc < p->derived->vcs && payload <= TORUS_MAX_CHUNKS;
    case TORUS_EVENT_LINK_FREE:
        return out && inspect_once(&pending->watched, port);
    case TORUS_EVENT_CONSUMED:
        if (!p->reception_room || payload >> 8 >= TORUS_RECEPTION_FIFOS)
            return false;
        pending->consumed[payload >> 8] += payload & 255;
        return true;
    case TORUS_EVENT_OTHER:
        return is_other(p, e);
    default:
        return p->links && is_link_event(p, e, packet, in, out);
    }
}

/* ---- a node ---- */

/* What its queues and transfers make of a router's masks. */
struct picture {
    struct torus_router router; /* its heads only */
    uint64_t busy;
    uint8_t leaving[64]; /* packets, by queue */
    uint8_t paths[TORUS_PORTS];
    uint64_t buses[2];
    uint32_t fifo_chunks[TORUS_FIFOS];
};

/* Whether packets can come into a queue: it is an injection FIFO, or a link leads to its receiver.
 */
static bool has_source(const struct torus_part *p, const struct torus_router *r, unsigned q)
{
    return (p->injection_queues >> q & 1) || (r->links >> torus_opposite(p->queue_receiver[q]) & 1);
}

static bool take_queue(const struct inspection *a, uint32_t local, unsigned q, struct picture *is)
{
    const struct torus_part *p = (const struct torus_part *)a->part;
    const struct torus_queue *queue = queue_at(p, local, q);
    bool injection = p->injection_queues >> q & 1;
    if (!inspect_queue(a, queue->head, queue->tail))
        return false;
    for (uint32_t i = queue->head; i != NO_PACKET; i = p->pool[i].next) {
        const struct torus_packet *packet = &p->pool[i];
        if (!is_packet(p, p->router[local].node, packet))
            return false;
        if (injection && !(packet->hint & p->router[local].links))
            return false; /* it has nowhere to go */
        if (!injection && packet->vc != p->queue_vc[q])
            return false;
        if (injection)
            is->fifo_chunks[q - TORUS_PORTS * p->derived->receiver_queues] += packet->chunks;
    }
    if (queue->head == NO_PACKET)
        return true;
    if (!has_source(p, &p->router[local], q) || p->bypass_queues >> q & 1)
        return false;
    if (!(p->router[local].busy >> q & 1))
        head_set((struct torus_part *)p, &is->router, q, &p->pool[queue->head]);
    return true;
}

static bool take_transfer(const struct torus_part *p, struct torus_transfer t, struct picture *is)
{
    if (t.queue >= p->derived->queues || t.vc >= p->derived->vcs || t.tokens > TORUS_MAX_CHUNKS ||
        is->busy >> t.queue & 1)
        return false;
    unsigned most = p->shared_queues >> t.queue & 1 ? p->params->vc_transfers : 1;
    if (++is->leaving[t.queue] == most)
        is->busy |= 1ull << t.queue;
    return true;
}

static bool take_sending(const struct torus_part *p, const struct torus_router *r, unsigned port,
                         struct picture *is)
{
    struct torus_transfer t = r->port[port].transfer;
    if (!take_transfer(p, t, is) || t.deposit > 2 || !has_source(p, r, t.queue))
        return false;
    if (p->injection_queues >> t.queue & 1) {
        is->fifo_chunks[t.queue - TORUS_PORTS * p->derived->receiver_queues] += t.tokens;
        return t.deposit == 0;
    }
    unsigned receiver = p->queue_receiver[t.queue];
    is->paths[receiver]++;
    return !t.deposit || inspect_once(&is->buses[t.deposit - 1], receiver);
}

static bool take_transfers(const struct torus_part *p, const struct torus_router *r,
                           const struct pending *pending, struct picture *is)
{
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        if ((r->sending >> port & 1) && !take_sending(p, r, port, is))
            return false;
        for (unsigned high = 0; high < 2; high++)
            if ((pending->received[high] >> port & 1) &&
                !(take_transfer(p, r->reception[high][port], is) &&
                  p->queue_receiver[r->reception[high][port].queue] == port &&
                  inspect_once(&is->buses[high], port)))
                return false;
    }
    return true;
}

static bool are_masks(const struct torus_part *p, const struct torus_router *r,
                      const struct pending *pending, const struct picture *is)
{
    uint64_t no_path = 0;
    for (unsigned port = 0; port < TORUS_PORTS; port++)
        if (is->paths[port] == p->params->paths)
            no_path |= p->receiver_queues[port];
    for (unsigned fifo = 0; fifo < TORUS_FIFOS; fifo++)
        if (is->fifo_chunks[fifo] != r->fifo_filled[fifo])
            return false;
    return memcmp(is->router.want, r->want, sizeof(r->want)) == 0 && is->busy == r->busy &&
           memcmp(is->paths, r->paths, sizeof(r->paths)) == 0 && no_path == r->no_path &&
           !(r->young >> p->derived->queues) && r->sending == pending->sent &&
           r->watched == pending->watched && r->busy_reception[0] == is->buses[0] &&
           r->busy_reception[1] == is->buses[1];
}

static bool is_leaving(const struct torus_part *p, uint32_t local, const struct picture *is)
{
    for (uint64_t rest = p->shared_queues; rest; rest &= rest - 1) {
        unsigned q = (unsigned)__builtin_ctzll(rest);
        if (*leaving_at(p, local, q) != is->leaving[q])
            return false;
    }
    return true;
}

/* Tokens, and what the arbiters have seen of them: no more than there are. */
static bool is_port(const struct torus_part *p, const struct torus_router *r, unsigned port)
{
    const struct torus_port *s = &r->port[port];
    const struct torus_derived *d = p->derived;
    bool link = r->links >> port & 1;
    for (unsigned vc = 0; vc < TORUS_VCS; vc++) {
        unsigned bit = room_bit(port, vc), most = link && vc < d->vcs ? d->capacity[vc] : 0;
        if (s->tokens[vc] > most || (s->tokens[vc] < TORUS_MAX_CHUNKS && (r->room[0] >> bit & 1)) ||
            (s->tokens[vc] < 2 * TORUS_MAX_CHUNKS && (r->room[1] >> bit & 1)))
            return false;
    }
    for (uint64_t notes = s->notes; notes; notes >>= 32)
        if (!link || p->links || !(uint32_t)notes || note_vc((uint32_t)notes) >= d->vcs ||
            note_tokens((uint32_t)notes) > TORUS_MAX_CHUNKS)
            return false;
    bool roomy = r->room[0] >> 8 * port & d->dynamic_mask;
    return roomy == (r->roomy >> port & 1) && (link || !(r->watched >> port & 1));
}

static bool are_ports(const struct torus_part *p, const struct torus_router *r)
{
    for (unsigned port = 0; port < TORUS_PORTS; port++)
        if (!is_port(p, r, port))
            return false;
    return !((r->room[0] | r->room[1]) >> 8 * TORUS_PORTS) && !(r->roomy >> TORUS_PORTS);
}

/* What a reception FIFO has no room for is being read, or waits for that. */
static bool are_receptions(const struct torus_part *p, uint32_t local,
                           const struct pending *pending)
{
    const struct torus_client *client = &p->network->client;
    uint32_t capacity = p->params->reception_fifo_bytes / TORUS_CHUNK_BYTES;
    for (unsigned fifo = 0; p->reception_room && fifo < TORUS_RECEPTION_FIFOS; fifo++) {
        uint32_t held = client->held ? client->held(client->ctx, p->base.index, local, fifo) : 0;
        if (p->reception_room[(size_t)local * TORUS_RECEPTION_FIFOS + fifo] +
                pending->consumed[fifo] + held !=
            capacity)
            return false;
    }
    return true;
}

/* ---- links ---- */

/* Packets in the retransmission FIFO, in order, on their way to the neighbour. */
static bool are_frames(const struct torus_part *p, const struct torus_link_sender *s, uint32_t to)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct torus_packet *packet = &s->frame[(s->first + i) % LINK_FRAMES].packet;
        if (packet->next != (uint8_t)(s->sequence - s->count + i) || !is_packet(p, to, packet))
            return false;
        bytes += wire_bytes(packet);
    }
    return bytes == s->bytes;
}

static const char *link_flaw(const struct torus_part *p, uint32_t node)
{
    const struct torus_router *r = &p->router[node];
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        const struct torus_link_sender *s = torus_sender_at(p, node, port);
        const struct torus_link_receiver *x = torus_receiver_at(p, node, port);
        bool link = r->links >> port & 1;
        uint32_t to = link ? torus_neighbour(p->network->torus, r->node, port) : TORUS_NO_NODE;
        if (!visited_is_bool(&s->timer) || !visited_is_bool(&s->resending) ||
            !visited_is_bool(&s->full) || !visited_is_bool(&x->due) ||
            !visited_is_bool(&x->refresh) || x->stale >> p->derived->vcs ||
            s->busy_until >= CYCLE_END)
            return "the end of a link is not valid";
        if (s->first >= LINK_FRAMES || s->count > (link ? LINK_FRAMES : 0) ||
            !are_frames(p, s, to) || (link && s->full == torus_link_has_room(p, s)))
            return "a retransmission FIFO is not valid";
    }
    return NULL;
}

/* ---- a node, and a partition ---- */

static const char *router_flaw(const struct inspection *a, uint32_t local)
{
    const struct torus_part *p = (const struct torus_part *)a->part;
    const struct torus_router *r = &p->router[local];
    const struct pending *pending = (const struct pending *)a->pending + local;
    struct picture is = {.busy = 0};
    for (unsigned q = 0; q < p->derived->queues; q++)
        if (!take_queue(a, local, q, &is))
            return "a queue is not valid";
    if (!take_transfers(p, r, pending, &is) || !are_masks(p, r, pending, &is) ||
        !is_leaving(p, local, &is))
        return "a router does not know its queues";
    unsigned marks = r->sent | r->received[0] | r->received[1] | r->arrived | r->acked_ports |
                     r->refill | r->dirty; /* of a cycle that is over */
    for (unsigned port = 0; port < TORUS_PORTS; port++)
        marks |= r->port[port].acked;
    if (marks)
        return "a router is not at rest";
    if (!are_ports(p, r))
        return "a router has tokens that there are not";
    if (!are_receptions(p, local, pending))
        return "a reception FIFO is miscounted";
    return p->links ? link_flaw(p, local) : NULL;
}

static const char *sweep_flaw(const struct network_part *base)
{
    bool later = ((const struct torus_part *)base)->swept > base->wheel.now;
    return later ? "a sweep is still to come" : NULL;
}

const struct network_checks torus_checks = {.pending_size = sizeof(struct pending),
                                            .is_event = is_event,
                                            .router_flaw = router_flaw,
                                            .rest_flaw = sweep_flaw,
                                            .audit_event = audit_event,
                                            .audit_router = audit_router,
                                            .compare = compare,
                                            .head = head_waiting,
                                            .print_buffer = print_buffer};
