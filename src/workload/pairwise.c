/* Closed traffic of packets between pairs: all-to-all and hot spot. */
#include "base/random.h"
#include "workload/workload.h"

/* Node number `index` of the group that `node` belongs to. */
static uint32_t group_node(const struct workload *w, uint32_t node, uint32_t index)
{
    const struct torus *t = w->site->torus;
    uint32_t c[TORUS_MAX_DIMS];
    if (!t)
        return workload_node(w, index);
    torus_coordinates(t, node, c);
    for (unsigned d = 0; d < t->dims; d++)
        if (w->group_dims >> d & 1) {
            c[d] = index % t->size[d];
            index /= t->size[d];
        }
    return torus_node(t, c);
}

static uint32_t group_index(const struct workload *w, uint32_t node)
{
    const struct torus *t = w->site->torus;
    uint32_t c[TORUS_MAX_DIMS], index = 0;
    if (!t)
        return workload_place(w, node);
    torus_coordinates(t, node, c);
    for (unsigned d = t->dims; d-- > 0;)
        if (w->group_dims >> d & 1)
            index = index * t->size[d] + c[d];
    return index;
}

/*
 * A node sends in rounds. In each round it visits every destination once with a few packets, in an
 * order drawn for this node and round. Splits a sequence number into the destination (of `count`),
 * the number of the packet in its pair and the number of the visit, from 1.
 */
static uint32_t visit(const struct workload *w, uint32_t node, uint32_t count, uint32_t sequence,
                      uint32_t packets, uint32_t *packet, uint32_t *number)
{
    uint32_t stay = w->params.packets_per_visit < packets ? w->params.packets_per_visit : packets;
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
    return random_permute(key, count, in_round);
}

/* The next packet of a node that sends to `count` destinations; false: it has sent all. */
static bool pair_step(const struct workload *w, uint32_t node, uint32_t count, uint32_t sequence,
                      struct step *step, uint32_t *to)
{
    uint32_t packet, packets = w->pair_packets;
    if (count == 0 || packets == 0 || sequence / count >= packets)
        return false;
    *to = visit(w, node, count, sequence, packets, &packet, &step->message);
    step->bytes = w->params.bytes_per_pair
                      ? workload_message_packet(w, w->params.bytes_per_pair, packet)
                      : BYTES_DRAWN;
    return true;
}

static bool alltoall_step(void *ctx, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t to;
    if (!pair_step(w, node, w->group_nodes - 1, sequence, step, &to))
        return false;
    to += to >= group_index(w, node);
    step->to = group_node(w, node, to);
    workload_dress(w, node, sequence, step);
    return true;
}

static bool hotspot_step(void *ctx, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t to;
    if (workload_is_hot(w, node) || !pair_step(w, node, w->hot_nodes, sequence, step, &to))
        return false;
    step->to = workload_hot_node(w, to);
    workload_dress(w, node, sequence, step);
    return true;
}

/* Sets w->pair_packets to the packets of a pair, *bytes to their mean size, header included. */
static weft_status count_pair(struct workload *w, uint32_t destinations, double *bytes)
{
    const struct workload_params *p = &w->params;
    uint64_t packets =
        p->bytes_per_pair ? workload_message_packets(w, p->bytes_per_pair) : p->packets_per_pair;
    TRY(workload_check_sequence((double)packets * destinations));
    w->pair_packets = (uint32_t)packets;
    *bytes = workload_mean_bytes(w);
    if (p->bytes_per_pair) {
        double full = (double)(w->site->packet_payload + w->site->packet_header);
        double last = (double)workload_message_packet(w, p->bytes_per_pair, w->pair_packets - 1);
        *bytes = (((double)packets - 1) * full + last + w->site->packet_header) / (double)packets;
    }
    return WEFT_OK;
}

static weft_status setup_group(struct workload *w)
{
    const struct torus *t = w->site->torus;
    w->group_nodes = w->site->places;
    if (!t && w->params.within != WITHIN_ALL)
        return BAD_INPUT("workload.within", ("workload.within needs coordinates"),
                         ("use all, or a machine that has them"));
    if (!t)
        return WEFT_OK;
    if (w->params.dim >= t->dims)
        return BAD_INPUT("workload.dim", ("workload.dim is dimension %u", w->params.dim + 1),
                         ("use one of the machine's %u", t->dims));
    uint32_t line = 1u << w->params.dim, all = (1u << t->dims) - 1;
    w->group_dims = w->params.within == WITHIN_ALL    ? all
                    : w->params.within == WITHIN_LINE ? line
                                                      : all & ~line;
    w->group_nodes = 1;
    for (unsigned d = 0; d < t->dims; d++)
        if (w->group_dims >> d & 1)
            w->group_nodes *= t->size[d];
    return WEFT_OK;
}

weft_status alltoall_packets(struct workload *w)
{
    double bytes;
    TRY(setup_group(w));
    uint32_t others = w->group_nodes - 1;
    TRY(count_pair(w, others, &bytes));
    w->program.step = alltoall_step;
    w->senders = others ? w->site->places : 0;
    w->deliveries = (uint64_t)w->pair_packets * others * w->site->places;
    if (w->pair_packets && others) {
        struct flows flows = {
            .workload = w, .uniform = true, .group_dims = w->group_dims, .packets = others};
        uint32_t senders;
        /* bound() assumes packets of the mean drawn size; those of this message may differ. */
        double slot = w->site->slot(w->site, bytes) + w->site->ack_cycles;
        double drawn = w->site->slot(w->site, workload_mean_bytes(w)) + w->site->ack_cycles;
        w->bound_cycles =
            w->pair_packets * w->site->bound(w->site, &flows, &senders) * (slot / drawn);
    }
    return WEFT_OK;
}

weft_status hotspot_packets(struct workload *w)
{
    double bytes;
    TRY(count_pair(w, w->hot_nodes, &bytes));
    w->program.step = hotspot_step;
    w->senders = w->site->places - w->hot_nodes;
    w->deliveries = (uint64_t)w->senders * w->hot_nodes * w->pair_packets;
    double ways = w->site->ways > 1 ? w->hot_links : w->hot_nodes;
    if (ways > 0)
        w->bound_cycles =
            w->pair_packets * w->site->slot(w->site, bytes) * w->senders * w->hot_nodes / ways;
    return WEFT_OK;
}
