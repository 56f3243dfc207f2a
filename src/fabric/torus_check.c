/*
 * The network's account of itself while it rests: invariants (--check), and who waits for whom
 * when nothing moves any more.
 */
#include "fabric/torus_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

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
    return &a->chunks[((size_t)receiver * ROUTER_PORTS + port) * ROUTER_VCS + vc];
}

static void account_flight(struct account *a, uint32_t node, event_t e, const struct packet *packet)
{
    unsigned port = event_port(e), vc = event_vc(e);
    if (event_kind(e) == EVENT_ARRIVE)
        *buffer_at(a, node, port, vc) += vc_tokens(&a->network->derived, vc, packet);
    else if (event_kind(e) == EVENT_ACK)
        *buffer_at(a, torus_neighbour(a->network->torus, node, port), port, vc) += event_payload(e);
}

static void account_event(void *arg, cycle_t time, event_t e)
{
    struct account *a = arg;
    (void)time;
    bool arrives = event_kind(e) == EVENT_ARRIVE;
    a->packets += arrives;
    account_flight(a, a->part->router[event_node(e)].node, e,
                   arrives ? &a->part->pool[event_payload(e)] : NULL);
}

static void account_messages(struct account *a)
{
    const struct engine *engine = &a->network->engine;
    for (uint32_t c = 0; c < engine->channels; c++) {
        const struct torus_part *to = &a->network->part[engine->channel[c].to];
        for (int i = 0; i < 2; i++) {
            const struct channel_buffer *b = &engine->channel[c].buffer[i];
            const struct packet *body = (const struct packet *)b->body;
            for (uint32_t m = 0; m < b->count; m++) {
                event_t e = b->message[m].event;
                bool arrives = event_kind(e) == EVENT_ARRIVE;
                account_flight(a, to->router[event_node(e)].node, e, arrives ? body++ : NULL);
            }
        }
    }
}

/* Tokens at the senders and chunks in the VC FIFOs of a part. */
static void account_routers(struct account *a, const struct torus_part *p)
{
    for (uint32_t local = 0; local < p->nodes; local++) {
        const struct router *r = &p->router[local];
        for (unsigned port = 0; port < ROUTER_PORTS; port++)
            for (unsigned vc = 0; vc < p->derived->vcs; vc++) {
                if (r->links >> port & 1)
                    *buffer_at(a, torus_neighbour(a->network->torus, r->node, port), port, vc) +=
                        r->tokens[port][vc];
                *buffer_at(a, r->node, port, vc) +=
                    queue_at(p, local, port * p->derived->lanes + vc)->occupied;
            }
    }
}

static weft_status check_buffers(struct account *a)
{
    const struct torus_network *n = a->network;
    for (uint32_t node = 0; node < n->torus->nodes; node++)
        for (unsigned port = 0; port < 2 * n->torus->dims; port++)
            for (unsigned vc = 0; vc < n->derived.vcs; vc++) {
                bool link = torus_neighbour(n->torus, node, torus_opposite(port)) != TORUS_NO_NODE;
                uint32_t found = *buffer_at(a, node, port, vc);
                uint32_t right = link ? n->derived.capacity[vc] : 0;
                if (found != right)
                    return weft_fail(WEFT_FAILED,
                                     "invariant broken: node %u receiver %u VC %u: tokens, packets "
                                     "and acknowledgments add up to %u chunks, not %u",
                                     node, port, vc, found, right);
            }
    return WEFT_OK;
}

/* Every packet of the pool is in one queue or one event. */
static weft_status check_packets(const struct torus_part *p, uint64_t in_wheel)
{
    uint64_t found = in_wheel;
    for (size_t q = 0; q < (size_t)p->nodes * p->derived->queues; q++)
        for (uint32_t i = p->queue[q].head; i != PACKET_NONE; i = p->pool[i].next)
            if (found++ > p->packets)
                break;
    if (found != p->packets)
        return weft_fail(WEFT_FAILED,
                         "invariant broken: partition %u holds %u packets but %llu are in a place",
                         p->index, p->packets, (unsigned long long)found);
    return WEFT_OK;
}

weft_status torus_network_check(struct torus_network *n)
{
    struct account a = {.network = n};
    weft_status status = WEFT_OK;
    a.chunks = weft_alloc((size_t)n->torus->nodes * ROUTER_PORTS * ROUTER_VCS, sizeof(*a.chunks));
    for (uint32_t i = 0; i < n->bricks.count && status == WEFT_OK; i++) {
        a.part = &n->part[i];
        a.packets = 0;
        wheel_visit(&a.part->wheel, account_event, &a);
        account_routers(&a, a.part);
        status = check_packets(a.part, a.packets);
    }
    if (status == WEFT_OK) {
        account_messages(&a);
        status = check_buffers(&a);
    }
    free(a.chunks);
    return status;
}

/* ---- who waits for whom ---- */

/* A buffer whose head cannot move: a VC FIFO of a receiver. */
struct waiting {
    uint32_t node;
    unsigned port, vc;
};

static size_t waiting_id(struct waiting w)
{
    return ((size_t)w.node * ROUTER_PORTS + w.port) * ROUTER_VCS + w.vc;
}

/* The buffer whose room the head of `w` waits for in the last resort; false: it does not wait. */
static bool waits_for(const struct torus_network *n, struct waiting w, struct waiting *next)
{
    uint32_t brick, local;
    bricks_find(&n->bricks, w.node, &brick, &local);
    const struct torus_part *p = &n->part[brick];
    const struct router *r = &p->router[local];
    unsigned q = w.port * n->derived.lanes + w.vc;
    unsigned hint = 0;
    for (unsigned port = 0; port < ROUTER_PORTS; port++)
        hint |= (unsigned)(r->want[WANT_PORT + port] >> q & 1) << port;
    if ((r->busy >> q & 1) || !hint)
        return false;
    unsigned port = n->derived.escape_port[hint];
    unsigned class = (r->want[WANT_SECOND] >> q & 1) | (r->want[WANT_HIGH] >> q & 1) << 1;
    *next =
        (struct waiting){torus_neighbour(n->torus, w.node, port), port, n->derived.class_vc[class]};
    return true;
}

static size_t print(char *text, size_t size, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = at < size ? vsnprintf(text + at, size - at, format, args) : 0;
    va_end(args);
    return at + (size_t)(length > 0 ? length : 0);
}

static size_t print_waiting(const struct torus_network *n, struct waiting w, char *text,
                            size_t size, size_t at)
{
    uint32_t c[TORUS_MAX_DIMS], brick, local;
    torus_coordinates(n->torus, w.node, c);
    bricks_find(&n->bricks, w.node, &brick, &local);
    const struct queue *q = queue_at(&n->part[brick], local, w.port * n->derived.lanes + w.vc);
    at = print(text, size, at, "  node (");
    for (unsigned d = 0; d < n->torus->dims; d++)
        at = print(text, size, at, d ? ",%u" : "%u", c[d]);
    return print(text, size, at, ") receiver %s VC %s, %u of %u chunks taken, waits for\n",
                 torus_port_name(w.port), torus_vc_name(&n->params, w.vc), q->occupied,
                 n->derived.capacity[w.vc]);
}

/* Follows the waits from one buffer; on a cycle, writes it down. `seen` holds the walk's number. */
static bool follow(const struct torus_network *n, struct waiting start, uint32_t walk,
                   uint32_t *seen, char *text, size_t size)
{
    struct waiting at = start, next;
    while (!seen[waiting_id(at)]) {
        seen[waiting_id(at)] = walk;
        if (!waits_for(n, at, &next))
            return false;
        at = next;
    }
    if (seen[waiting_id(at)] != walk)
        return false;
    unsigned length = 0, shown = 0;
    struct waiting first = at;
    do {
        waits_for(n, at, &next);
        at = next;
        length++;
    } while (waiting_id(at) != waiting_id(first));
    size_t written = print(text, size, 0, "%u buffers wait for each other:\n", length);
    do {
        if (shown++ < 16)
            written = print_waiting(n, at, text, size, written);
        waits_for(n, at, &next);
        at = next;
    } while (waiting_id(at) != waiting_id(first));
    if (length > 16)
        written = print(text, size, written, "  ... (%u more)\n", length - 16);
    print(text, size, written, "  the first one again\n");
    return true;
}

void torus_network_explain(const struct torus_network *n, char *text, size_t size)
{
    uint32_t *seen = weft_alloc((size_t)n->torus->nodes * ROUTER_PORTS * ROUTER_VCS, sizeof(*seen));
    uint32_t walk = 0;
    bool found = false;
    print(text, size, 0,
          "no cycle of waiting buffers was found; packets wait for a reception FIFO "
          "that is not emptied\n");
    for (uint32_t node = 0; node < n->torus->nodes && !found; node++)
        for (unsigned port = 0; port < 2 * n->torus->dims && !found; port++)
            for (unsigned vc = 0; vc < n->derived.vcs && !found; vc++)
                found = follow(n, (struct waiting){node, port, vc}, ++walk, seen, text, size);
    free(seen);
}
