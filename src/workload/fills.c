/*
 * Line and plane fills broadcast a message in colours, one for each direction, so that all links
 * carry different data (TORUS, "Line and plane fill"). In a line, colour plus goes all the way
 * round the ring in direction plus, colour minus the other way. In a plane with sides a and b,
 * colour a+ is deposited along a+ in the root's row; each node of the row turns the corner and
 * deposits it along b+; the root's own column is filled from the row's far end, over the ring's
 * closing link. The colours b+, a-, b- do the same with a and b, or plus and minus, exchanged. No
 * two colours share a link.
 */
#include "workload/workload.h"

/* The root of a group is the node whose coordinates in it are zero. */
static bool is_root(const struct workload *w, const uint32_t *c)
{
    for (unsigned d = 0; d < w->site->torus->dims; d++)
        if ((w->group_dims >> d & 1) && c[d])
            return false;
    return true;
}

/* Deposits a packet at all nodes along a direction: the whole ring but its start. */
static void along(const struct workload *w, unsigned port, struct step *step)
{
    step->way =
        (struct step_way){true, (uint8_t)port, (uint16_t)(w->site->torus->size[port / 2] - 1)};
    step->flags |= STEP_DEPOSIT;
}

/* The directions that have nodes, in the order of their colours: a+, b+, a-, b-. */
static unsigned colours(const struct workload *w, unsigned *port)
{
    const struct torus *t = w->site->torus;
    unsigned count = 0;
    for (unsigned minus = 0; minus < 2; minus++)
        for (unsigned d = 0; d < t->dims; d++)
            if ((w->group_dims >> d & 1) && t->size[d] > 1 && (t->wrap[d] || !minus))
                port[count++] = 2 * d + minus;
    return count;
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
    unsigned port[TORUS_MAX_PORTS], count = colours(w, port);
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
        step->tag = (uint8_t)(sequence % count);
        along(w, port[step->tag], step);
    } else {
        step->to = group_node(w, c, 1 + sequence % others);
    }
    workload_dress(w, node, sequence, step);
    return true;
}

/* Tags: colour, and how many corners the packet has turned. */
enum { TAG_COLOUR = 3, TAG_TURN = 4 };

/* The direction a colour turns into: a+ into b+, b+ into a+, a- into b-, b- into a-. */
static unsigned corner(const struct workload *w, unsigned port)
{
    const struct torus *t = w->site->torus;
    for (unsigned d = 0; d < t->dims; d++)
        if ((w->group_dims >> d & 1) && d != port / 2 && t->size[d] > 1)
            return 2 * d + port % 2;
    return port;
}

static void plane_received(void *ctx, struct replies *replies, const struct receipt *receipt,
                           cycle_t when)
{
    const struct workload *w = ctx;
    const struct torus *t = w->site->torus;
    unsigned port[TORUS_MAX_PORTS];
    uint32_t c[TORUS_MAX_DIMS];
    if (!w->params.deposit)
        return;
    unsigned count = colours(w, port);
    WEFT_CHECK((receipt->tag & TAG_COLOUR) < count, "node %u received colour %u of %u",
               receipt->node, receipt->tag & TAG_COLOUR, count);
    unsigned first = port[receipt->tag & TAG_COLOUR], second = corner(w, first);
    unsigned turns = receipt->tag / TAG_TURN;
    if (second == first)
        return;
    struct step step = {.bytes = receipt->bytes, .tag = (uint8_t)(receipt->tag + TAG_TURN)};
    if (turns == 0) {
        along(w, second, &step);
    } else {
        /* The far end of the row passes its column on to the root's, over the closing link. */
        torus_coordinates(t, receipt->node, c);
        uint32_t far = first % 2 ? 1 : t->size[first / 2] - 1;
        if (turns != 1 || c[first / 2] != far)
            return;
        step.way = (struct step_way){true, (uint8_t)first, 1};
    }
    workload_dress(w, receipt->node, receipt->sequence, &step);
    replies->send(replies, &step, when);
}

/* Each direction carries its share of the message; rings carry acknowledgments back. */
static void setup_bound(struct workload *w, double packets)
{
    const struct site *site = w->site;
    unsigned port[TORUS_MAX_PORTS], count = colours(w, port);
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
        if (plane && w->params.deposit && !t->wrap[d])
            return BAD_INPUT("workload.deposit machine.wrap",
                             ("planefill with the deposit bit goes round rings"),
                             ("wrap the machine or set workload.deposit=false"));
    }
    double packets = (double)workload_message_packets(w, w->params.message_bytes);
    weft_status status =
        workload_check_sequence(packets * (w->params.deposit ? 1 : w->group_nodes - 1.0));
    if (status != WEFT_OK)
        return status;
    w->message_packets = (uint32_t)packets;
    w->program.step = fill_step;
    w->program.received = plane ? plane_received : NULL;
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
