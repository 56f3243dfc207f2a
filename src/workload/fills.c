/*
 * Line and plane fills broadcast a message in colours, one for each direction, so that all links
 * carry different data (TORUS, "Line and plane fill"; topology/torus/flood.h). Every node that gets
 * a packet sends it on as its colour says.
 */
#include "topology/torus/flood.h"
#include "workload/workload.h"

/* The root of a group is the node whose coordinates in it are zero. */
static bool is_root(const struct workload *w, const uint32_t *c)
{
    for (unsigned d = 0; d < w->site->torus->dims; d++)
        if ((w->group_dims >> d & 1) && c[d])
            return false;
    return true;
}

static struct flood flood_of(const struct workload *w)
{
    return flood_make(w->site->torus, w->group_dims);
}

/* Leaves copies of a packet all along a way. */
static void deposit(const struct flood_way *way, struct step *step)
{
    step->way = (struct step_way){true, way->port, way->hops};
    step->flags |= STEP_DEPOSIT;
}

/* Node number `index` of a group; the root is number 0. */
static uint32_t group_node(const struct workload *w, const uint32_t *root, uint32_t index)
{
    const struct torus *t = w->site->torus;
    uint32_t c[TORUS_MAX_DIMS];
    for (unsigned d = 0; d < t->dims; d++) {
        c[d] = root[d];
        if (w->group_dims >> d & 1) {
            c[d] = index % t->size[d];
            index /= t->size[d];
        }
    }
    return torus_node(t, c);
}

static bool fill_step(void *ctx, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t c[TORUS_MAX_DIMS], others = w->group_nodes - 1;
    torus_coordinates(w->site->torus, node, c);
    if (!is_root(w, c) || !others)
        return false;
    /* Without the deposit bit the root sends every packet to every node of its group. */
    uint32_t packet = w->params.deposit ? sequence : sequence / others;
    if (packet >= w->message_packets)
        return false;
    step->bytes = workload_message_packet(w, w->params.message_bytes, packet);
    if (w->params.deposit) {
        struct flood f = flood_of(w);
        struct flood_way way[FLOOD_WAYS_MOST];
        step->tag = (uint8_t)(sequence % f.colours);
        flood_ways(&f, node, step->tag, node, way); /* one: the root is at one end of each line */
        deposit(&way[0], step);
    } else {
        step->to = group_node(w, c, 1 + sequence % others);
    }
    workload_dress(w, node, sequence, step);
    return true;
}

/* The root of a node's group. */
static uint32_t root_of(const struct workload *w, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(w->site->torus, node, c);
    for (unsigned d = 0; d < w->site->torus->dims; d++)
        c[d] = w->group_dims >> d & 1 ? 0 : c[d];
    return torus_node(w->site->torus, c);
}

static void fill_received(void *ctx, struct replies *replies, const struct receipt *receipt,
                          cycle_t when)
{
    const struct workload *w = ctx;
    struct flood f = flood_of(w);
    struct flood_way way[FLOOD_WAYS_MOST];
    if (!w->params.deposit)
        return;
    WEFT_CHECK(receipt->tag < f.colours, "node %u received colour %u of %u", receipt->node,
               receipt->tag, f.colours);
    unsigned ways = flood_ways(&f, root_of(w, receipt->node), receipt->tag, receipt->node, way);
    for (unsigned i = 0; i < ways; i++) {
        struct step step = {.bytes = receipt->bytes, .tag = receipt->tag};
        deposit(&way[i], &step);
        workload_dress(w, receipt->node, receipt->sequence, &step);
        replies->send(replies, &step, when);
    }
}

/* Each direction carries its share of the message; rings carry acknowledgments back. */
static void setup_bound(struct workload *w, double packets)
{
    const struct site *site = w->site;
    unsigned count = flood_of(w).colours;
    if (!count)
        return;
    double full = (double)(site->packet_payload + site->packet_header);
    double last =
        (double)workload_message_packet(w, w->params.message_bytes, w->message_packets - 1) +
        site->packet_header;
    double slot = site->slot(site, ((packets - 1) * full + last) / packets);
    double copies = w->params.deposit ? 1 : w->group_nodes - 1.0;
    bool both_ways = w->params.deposit && count > 1 && w->group_nodes > 2;
    w->bound_cycles = packets * copies / count * (slot + (both_ways ? site->ack_cycles : 0));
}

static weft_status setup_fill(struct workload *w, bool plane)
{
    const struct torus *t = w->site->torus;
    if (w->params.dim >= t->dims)
        return BAD_INPUT("workload.dim", ("workload.dim is dimension %u", w->params.dim + 1),
                         ("use one of the machine's %u", t->dims));
    uint32_t line = 1u << w->params.dim, all = (1u << t->dims) - 1;
    w->group_dims = plane ? all & ~line : line;
    w->group_nodes = 1;
    for (unsigned d = 0; d < t->dims; d++) {
        if (!(w->group_dims >> d & 1))
            continue;
        w->group_nodes *= t->size[d];
    }
    double packets = (double)workload_message_packets(w, w->params.message_bytes);
    weft_status status =
        workload_check_sequence(packets * (w->params.deposit ? 1 : w->group_nodes - 1.0));
    if (status != WEFT_OK)
        return status;
    w->message_packets = (uint32_t)packets;
    w->program.step = fill_step;
    w->program.received = plane ? fill_received : NULL;
    w->senders = t->nodes / w->group_nodes;
    w->deliveries = (uint64_t)w->message_packets * (w->group_nodes - 1) * w->senders;
    setup_bound(w, packets);
    return WEFT_OK;
}

weft_status linefill_packets(struct workload *w)
{
    return setup_fill(w, false);
}

weft_status planefill_packets(struct workload *w)
{
    return setup_fill(w, true);
}
