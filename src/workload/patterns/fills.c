/*
 * Line and plane fills broadcast a message in colours, one for each direction, so that all links
 * carry different data (TORUS, "Line and plane fill"; topology/torus/flood.h). Every node that gets
 * a packet sends it on as its colour says.
 */
#include <stdio.h>

#include "base/memory.h"
#include "topology/torus/flood.h"
#include "workload/patterns/patterns.h"

extern const struct pattern planefill_pattern;

struct fill_params {
    bool deposit;
};

static const struct key rows[] = {
    {"workload.deposit", KEY_BOOL, offsetof(struct fill_params, deposit), "", "true",
     .help = "fills: with the deposit bit, or one packet per node"},
};

static const struct key_section section = {sizeof(struct fill_params)};
static const struct key_table fill_keys = {rows, sizeof(rows) / sizeof(rows[0]), &section};

struct fill {
    bool deposit;
    struct node_group group;
    uint32_t packets; /* of the message */
};

static const struct fill *fill_of(const struct workload *w)
{
    return w->state;
}

/* The root of a node's group, whose coordinates in it are zero. */
static uint32_t root_of(const struct workload *w, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(w->site->torus, node, c);
    for (unsigned d = 0; d < w->site->torus->dims; d++)
        c[d] = fill_of(w)->group.dims >> d & 1 ? 0 : c[d];
    return torus_node(w->site->torus, c);
}

static struct flood flood_of(const struct workload *w)
{
    return flood_make(w->site->torus, fill_of(w)->group.dims);
}

/* Leaves copies of a packet all along a way. */
static void deposit(const struct flood_way *way, struct step *step)
{
    step->way = (struct step_way){true, way->port, way->hops};
    step->flags |= STEP_DEPOSIT;
}

static bool fill_step(void *ctx, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload *w = ctx;
    const struct fill *fill = w->state;
    uint32_t others = fill->group.nodes - 1;
    if (root_of(w, node) != node || !others)
        return false;
    /* Without the deposit bit the root sends every packet to every node of its group. */
    uint32_t packet = fill->deposit ? sequence : sequence / others;
    if (packet >= fill->packets)
        return false;
    step->bytes = workload_message_packet(w, w->params.message_bytes, packet);
    if (fill->deposit) {
        struct flood f = flood_of(w);
        struct flood_way way[FLOOD_WAYS_MOST];
        step->tag = (uint8_t)(sequence % f.colours);
        flood_ways(&f, node, step->tag, node, way); /* one: the root is at one end of each line */
        deposit(&way[0], step);
    } else {
        /* the root is number 0 */
        step->to = group_node(w->site->torus, &fill->group, node, 1 + sequence % others);
    }
    workload_dress(w, node, sequence, step);
    return true;
}

static void fill_received(void *ctx, struct replies *replies, const struct receipt *receipt,
                          cycle_t when)
{
    const struct workload *w = ctx;
    struct flood f = flood_of(w);
    struct flood_way way[FLOOD_WAYS_MOST];
    if (!fill_of(w)->deposit)
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
static void setup_fill_bound(struct workload *w, double packets)
{
    const struct site *site = w->site;
    const struct fill *fill = w->state;
    unsigned count = flood_of(w).colours;
    if (!count)
        return;
    double full = (double)(site->packet_payload + site->packet_header);
    double last = (double)workload_message_packet(w, w->params.message_bytes, fill->packets - 1) +
                  site->packet_header;
    double slot = site->slot(site, ((packets - 1) * full + last) / packets);
    double copies = fill->deposit ? 1 : fill->group.nodes - 1.0;
    bool both_ways = fill->deposit && count > 1 && fill->group.nodes > 2;
    w->bound_cycles = packets * copies / count * (slot + (both_ways ? site->ack_cycles : 0));
}

static weft_status fill_packets(struct workload *w)
{
    const struct torus *t = w->site->torus;
    enum within within = w->pattern == &planefill_pattern ? WITHIN_PLANE : WITHIN_LINE;
    struct fill *fill = w->state = memory_alloc(1, sizeof(*fill));
    struct fill_params own;
    struct group_params group;
    workload_own(w, &section, &own);
    workload_own(w, &group_section, &group);
    fill->deposit = own.deposit;
    TRY(group_setup(t, within, group.dim, &fill->group));
    double packets = (double)workload_message_packets(w, w->params.message_bytes);
    TRY(workload_check_sequence(packets * (fill->deposit ? 1 : fill->group.nodes - 1.0)));
    fill->packets = (uint32_t)packets;
    w->program.step = fill_step;
    w->program.received = within == WITHIN_PLANE ? fill_received : NULL;
    w->senders = t->nodes / fill->group.nodes;
    w->deliveries = (uint64_t)fill->packets * (fill->group.nodes - 1) * w->senders;
    setup_fill_bound(w, packets);
    return WEFT_OK;
}

static bool describe(const struct config *c, enum layer as, char text[CONFIG_TEXT])
{
    const struct fill_params *own = config_section(c, &section);
    (void)as;
    snprintf(text, CONFIG_TEXT, ", %llu B %s the deposit bit",
             (unsigned long long)config_workload(c)->message_bytes,
             own->deposit ? "with" : "without");
    return true;
}

#define FILL_ROW(NAME, GROUP)                                                                      \
    {                                                                                              \
        .name = NAME, .needs = SITE_COORDINATES | SITE_DEPOSIT, .packets = fill_packets,           \
        .packet_keys = "message_bytes deposit dim", .coordinate_keys = &group_keys,                \
        .class_keys = &fill_keys, .describe = describe,                                            \
        .packet_work = GROUP " fill: a node of each " GROUP " of {who} sends the others {what}"    \
    }

const struct pattern linefill_pattern = FILL_ROW("linefill", "line");
const struct pattern planefill_pattern = FILL_ROW("planefill", "plane");
