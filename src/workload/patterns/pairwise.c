/*
 * All-to-all and hot spot. As packets, closed traffic between pairs of nodes. As messages: in step
 * s of an all-to-all each process sends to the one s after it and receives from the one s before,
 * one step after the other or all at once (post_all); of a hot spot all send to the first.
 */
#include "workload/patterns/patterns.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"

#define AT(field) offsetof(struct pairwise_params, field)

static const char *const sizes[] = {"equal", "varied", NULL};

static const struct key rows[] = {
    {"workload.packets_per_pair", KEY_U32, AT(packets_per_pair), "", "1", 0, KEY_U32_TOP,
     .help = "alltoall, hotspot: packets from each node to each destination",
     .before = "workload.message_bytes"},
    {"workload.bytes_per_pair", KEY_U64, AT(bytes_per_pair), "B", "0", 0, KEY_U64_TOP,
     .help = "alltoall, hotspot: payload per pair; 0: use packets_per_pair",
     .before = "workload.message_bytes"},
    {"workload.packets_per_visit", KEY_U32, AT(packets_per_visit), "", "1", 1, KEY_U32_TOP,
     .help = "alltoall, hotspot: packets to one destination before moving to the next",
     .before = "workload.message_bytes"},
    {"workload.sizes", KEY_CHOICE, AT(sizes), "", "equal", .choices = sizes,
     .help = "all-to-all: varied: each message has a size of its own, up to twice message_bytes"},
};

const struct key_section pairwise_section = {sizeof(struct pairwise_params)};
static const struct key_table keys = {rows, sizeof(rows) / sizeof(rows[0]), &pairwise_section};

struct pairwise {
    struct pairwise_params params;
    struct node_group group;
    struct hot_box hot;
    uint32_t packets; /* from one node to another */
    uint64_t varied;  /* what the sizes of messages depend on; 0: they are equal */
};

static struct pairwise *pairwise_begin(struct workload *w)
{
    struct pairwise *pair = w->state = memory_alloc(1, sizeof(*pair));
    workload_own(w, &pairwise_section, &pair->params);
    return pair;
}

static const struct pairwise *pairwise_of(const struct workload *w)
{
    return w->state;
}

/* ---- packets ---- */

static uint32_t group_index(const struct workload *w, uint32_t node)
{
    const struct torus *t = w->site->torus;
    uint32_t c[TORUS_MAX_DIMS], index = 0;
    if (!t)
        return site_endpoint(w->site, node);
    torus_coordinates(t, node, c);
    for (unsigned d = t->dims; d-- > 0;)
        if (pairwise_of(w)->group.dims >> d & 1)
            index = index * t->size[d] + c[d];
    return index;
}

/* Whether there is an order of destinations that is not drawn anew for each round. */
static bool is_ordered(const struct workload *w)
{
    return w->order.kind != ORDER_AUTO && w->order.kind != ORDER_RANDOM;
}

/*
 * A node sends in rounds. In each round it visits every destination once with a few packets, in an
 * order drawn for this node and round, or in that of w->order. Splits a sequence number into the
 * destination (of `count`), the number of the packet in its pair and the number of the visit,
 * from 1.
 */
static uint32_t visit(const struct workload *w, uint32_t node, uint32_t count, uint32_t sequence,
                      uint32_t packets, uint32_t *packet, uint32_t *number)
{
    uint32_t most = pairwise_of(w)->params.packets_per_visit,
             stay = most < packets ? most : packets;
    uint32_t round = sequence / (stay * count), in_round = sequence % (stay * count);
    if ((round + 1) * stay > packets) { /* the last round is shorter */
        in_round = sequence - round * stay * count;
        uint32_t rest = packets - round * stay;
        *packet = round * stay + in_round % rest;
        in_round /= rest;
    } else {
        *packet = round * stay + in_round % stay;
        in_round /= stay;
    }
    uint64_t key = random_draw(random_key(w->seed, node, RANDOM_ORDER), round);
    *number = 1 + round * count + in_round;
    return is_ordered(w) ? in_round : random_permute(key, count, in_round);
}

/* The next packet of a node that sends to `count` destinations; false: it has sent all. */
static bool next_packet_of_pair(const struct workload *w, uint32_t node, uint32_t count,
                                uint32_t sequence, struct step *step, uint32_t *to)
{
    const struct pairwise *pair = w->state;
    uint32_t packet, packets = pair->packets;
    if (count == 0 || packets == 0 || sequence / count >= packets)
        return false;
    *to = visit(w, node, count, sequence, packets, &packet, &step->message);
    step->bytes = pair->params.bytes_per_pair
                      ? workload_message_packet(w, pair->params.bytes_per_pair, packet)
                      : BYTES_DRAWN;
    return true;
}

static bool alltoall_packet(void *ctx, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload *w = ctx;
    const struct node_group *group = &pairwise_of(w)->group;
    uint32_t to;
    if (!next_packet_of_pair(w, node, group->nodes - 1, sequence, step, &to))
        return false;
    uint32_t me = group_index(w, node);
    to = is_ordered(w) ? order_other(&w->order, me, to) : to + (to >= me);
    step->to =
        w->site->torus ? group_node(w->site->torus, group, node, to) : site_node(w->site, to);
    workload_dress(w, node, sequence, step);
    return true;
}

static bool hotspot_packet(void *ctx, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t to;
    if (workload_is_hot(w, node) ||
        !next_packet_of_pair(w, node, w->hot->nodes, sequence, step, &to))
        return false;
    step->to = workload_hot_node(w, to);
    workload_dress(w, node, sequence, step);
    return true;
}

/* Sets the packets of a pair, and *bytes to their mean size, header included. */
static weft_status count_pair(struct workload *w, uint32_t destinations, double *bytes)
{
    struct pairwise *pair = w->state;
    uint64_t each = pair->params.bytes_per_pair;
    uint64_t packets = each ? workload_message_packets(w, each) : pair->params.packets_per_pair;
    TRY(workload_check_sequence((double)packets * destinations));
    pair->packets = (uint32_t)packets;
    *bytes = workload_mean_bytes(w);
    if (each) {
        double full = (double)(w->site->packet_payload + w->site->packet_header);
        w->least_bytes =
            workload_message_packet(w, each, pair->packets - 1) + w->site->packet_header;
        *bytes = (((double)packets - 1) * full + (double)w->least_bytes) / (double)packets;
    }
    return WEFT_OK;
}

static weft_status setup_group(struct workload *w)
{
    const struct torus *t = w->site->torus;
    struct pairwise *pair = w->state;
    struct group_params p;
    workload_own(w, &group_section, &p);
    pair->group.nodes = w->site->endpoints;
    if (!t && p.within != WITHIN_ALL)
        return BAD_INPUT("workload.within", ("workload.within needs coordinates"),
                         ("use all, or a machine that has them"));
    return t ? group_setup(t, p.within, p.dim, &pair->group) : WEFT_OK;
}

/* Between two members of a group: as far as in any other group. */
static uint32_t group_hops(const void *ctx, uint32_t from, uint32_t to)
{
    const struct workload *w = ctx;
    const struct site *site = w->site;
    const struct node_group *group = &pairwise_of(w)->group;
    if (!site->torus)
        return site->distance(site, site_node(site, from), site_node(site, to));
    return site->distance(site, group_node(site->torus, group, 0, from),
                          group_node(site->torus, group, 0, to));
}

static weft_status alltoall_packets(struct workload *w)
{
    struct pairwise *pair = pairwise_begin(w);
    double bytes;
    TRY(setup_group(w));
    TRY(order_init(&w->order, w->params.order, pair->group.nodes, w->seed, group_hops, w));
    uint32_t others = pair->group.nodes - 1;
    TRY(count_pair(w, others, &bytes));
    w->program.step = alltoall_packet;
    w->senders = others ? w->site->endpoints : 0;
    w->deliveries = (uint64_t)pair->packets * others * w->site->endpoints;
    if (pair->packets && others) {
        struct flows flows = {
            .workload = w, .uniform = true, .group_dims = pair->group.dims, .packets = others};
        uint32_t senders;
        /* bound() assumes packets of the mean drawn size; those of this message may differ. */
        double slot = w->site->slot(w->site, bytes) + w->site->ack_cycles;
        double drawn = w->site->slot(w->site, workload_mean_bytes(w)) + w->site->ack_cycles;
        w->bound_cycles =
            pair->packets * w->site->bound(w->site, &flows, &senders) * (slot / drawn);
    }
    return WEFT_OK;
}

static weft_status hotspot_packets(struct workload *w)
{
    struct pairwise *pair = pairwise_begin(w);
    double bytes;
    TRY(hot_setup(w, false, &pair->hot));
    uint32_t hot = pair->hot.nodes;
    TRY(count_pair(w, hot, &bytes));
    w->program.step = hotspot_packet;
    w->senders = w->site->endpoints - hot;
    w->deliveries = (uint64_t)w->senders * hot * pair->packets;
    double ways = w->site->ways > 1 ? pair->hot.links : hot;
    if (ways > 0)
        w->bound_cycles = pair->packets * w->site->slot(w->site, bytes) * w->senders * hot / ways;
    return WEFT_OK;
}

/* ---- messages ---- */

static bool alltoall_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t n = w->processes, shift = n > 1 ? 1 + number % (n - 1) : 0;
    if (n < 2 || (w->params.messages && number / (n - 1) >= w->params.messages))
        return false;
    uint32_t left = w->params.algorithm == ALGORITHM_POST_ALL && shift + 1 < n ? ANY_NUMBER : 0;
    uint32_t to = (process + shift) % n, from = (process + n - shift) % n;
    if (w->params.algorithm == ALGORITHM_POST_ALL && w->order.kind != ORDER_AUTO) /* no turns */
        to = from = order_other(&w->order, process, shift - 1);
    uint64_t mean = w->params.message_bytes, key = pairwise_of(w)->varied;
    *step = (struct step){.to = to,
                          .from = from,
                          .bytes = varied_bytes(mean, key, process, to),
                          .from_bytes = varied_bytes(mean, key, from, process),
                          .sends_left = left,
                          .receives_left = left};
    return true;
}

static bool hotspot_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t others = w->processes - 1, rounds = process ? 1 : others;
    if (!others || (w->params.messages && number / rounds >= w->params.messages))
        return false;
    *step = (struct step){.to = process ? 0 : NOBODY,
                          .from = process ? NOBODY : 1 + number % others,
                          .bytes = w->params.message_bytes,
                          .from_bytes = w->params.message_bytes};
    return true;
}

/* Step by step, each sends to the one that is as far on as its own sender is behind. */
static weft_status check_order(const struct workload *w)
{
    enum send_order_kind order = w->params.order;
    enum algorithm algorithm = w->params.algorithm;
    bool pairwise = algorithm == ALGORITHM_AUTO || algorithm == ALGORITHM_PAIRWISE;
    bool spreads = w->site->spreads && !w->site->part;
    if (!pairwise || order == ORDER_AUTO || order == ORDER_STAGGERED)
        return WEFT_OK;
    return BAD_INPUT("workload.order workload.algorithm",
                     ("workload.order has no meaning in a pairwise exchange, which is staggered"),
                     ("use workload.algorithm = post_all%s", spreads ? " or packets" : ""));
}

static weft_status alltoall_messages(struct workload *w)
{
    struct pairwise *pair = pairwise_begin(w);
    TRY(check_order(w));
    TRY(workload_order_processes(w));
    bool varied = pair->params.sizes == SIZES_VARIED;
    if (varied && w->params.message_bytes > UINT32_MAX / 2)
        return BAD_INPUT("workload.message_bytes", ("twice workload.message_bytes exceeds 4 GiB"),
                         ("use less"));
    pair->varied = varied ? random_key(w->seed, 0, RANDOM_SIZE) | 1 : 0;
    if (w->params.algorithm == ALGORITHM_PACKETS)
        return spread_collective(w, STEP_EACH, pair->varied);
    w->program.step = alltoall_step;
    return WEFT_OK;
}

static weft_status hotspot_messages(struct workload *w)
{
    w->program.step = hotspot_step;
    return WEFT_OK;
}

/* ---- rows ---- */

/* ", 4096 B per pair" */
static bool describe(const struct config *c, enum layer as, char text[CONFIG_TEXT])
{
    const struct pairwise_params *p = config_section(c, &pairwise_section);
    char bytes[SIZES_TEXT];
    if (as == LAYER_MESSAGES)
        return false;
    if (p->bytes_per_pair)
        snprintf(text, CONFIG_TEXT, ", %llu B per pair", (unsigned long long)p->bytes_per_pair);
    else
        snprintf(text, CONFIG_TEXT, ", %u x %s B per pair", p->packets_per_pair,
                 workload_sizes_text(config_workload(c), bytes));
    return true;
}

#define PAIR_KEYS "packet_bytes packets_per_pair bytes_per_pair packets_per_visit "

const struct pattern alltoall_pattern = {.name = "alltoall",
                                         .packets = alltoall_packets,
                                         .packet_keys = PAIR_KEYS "within dim order",
                                         .messages = alltoall_messages,
                                         .message_keys = MESSAGE_KEYS "algorithm sizes order",
                                         .algorithms = "pairwise post_all packets",
                                         .keys = &keys,
                                         .coordinate_keys = &group_keys,
                                         .packet_work = "all-to-all of {who}: each sends every "
                                                        "other {what}",
                                         .message_work = "all-to-all of {who}: each sends every "
                                                         "other {what}",
                                         .describe = describe};

const struct pattern hotspot_pattern = {.name = "hotspot",
                                        .packets = hotspot_packets,
                                        .packet_keys = PAIR_KEYS "hot_dims",
                                        .messages = hotspot_messages,
                                        .message_keys = MESSAGE_KEYS,
                                        .keys = &keys,
                                        .coordinate_keys = &hot_keys,
                                        .packet_work = "hot spot of {who}: each sends every hot "
                                                       "node {what}",
                                        .message_work = "hot spot of {who}: each sends the first "
                                                        "{what}",
                                        .describe = describe};
