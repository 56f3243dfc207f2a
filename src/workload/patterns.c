/*
 * Open-loop traffic: where each packet goes.
 *
 * The bit patterns of the literature are defined for powers of two; here each is a permutation (or
 * silent node by node) on every machine, and the usual one where the usual one exists.
 */
#include "workload/workload.h"

#include "base/random.h"
#include "topology/bound.h"

static uint64_t destination_draw(const struct workload *w, uint32_t node, uint32_t sequence)
{
    return random_draw(random_key(w->seed, node, RANDOM_DESTINATION), sequence);
}

static uint32_t uniform(const struct workload *w, uint32_t node, uint64_t draw)
{
    uint32_t other = random_below(draw, w->torus->nodes - 1);
    return other + (other >= node);
}

/* A share of the packets goes to the hot box, the rest anywhere (TORUS, Figure 3). */
static uint32_t hot_region(const struct workload *w, uint32_t node, uint64_t draw)
{
    if ((double)(draw & 0xffffff) >= w->params.hot_share * (1 << 24))
        return uniform(w, node, draw);
    uint32_t hot = workload_hot_node(w, random_below(draw, w->hot_nodes));
    return hot == node ? uniform(w, node, draw) : hot;
}

/* The node with the same digits in the opposite order: (x,y,z) to (z,y,x) on a cube. */
static uint32_t transpose(const struct torus *t, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS], to = 0;
    torus_coordinates(t, node, c);
    for (unsigned d = 0; d < t->dims; d++)
        to = to * t->size[d] + c[d];
    return to;
}

static uint32_t tornado(const struct torus *t, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(t, node, c);
    for (unsigned d = 0; d < t->dims; d++)
        c[d] = (c[d] + (t->size[d] + 1) / 2 - 1) % t->size[d];
    return torus_node(t, c);
}

static uint32_t bit_reverse(uint32_t nodes, uint32_t node)
{
    uint32_t to = 0;
    for (uint32_t bit = 1; bit < nodes; bit <<= 1) {
        to = to << 1 | (node & 1);
        node >>= 1;
    }
    return to;
}

/* 2i, the top bit coming in below: 2i mod (N-1) for even N, 2i mod N for odd N. */
static uint32_t shuffle(uint32_t nodes, uint32_t node)
{
    if (node == nodes - 1 && nodes % 2 == 0)
        return node;
    return (uint32_t)(2ull * node % (nodes % 2 ? nodes : nodes - 1));
}

uint32_t pattern_partner(enum pattern pattern, uint32_t nodes, uint32_t node, uint64_t key)
{
    switch (pattern) {
    case PATTERN_BITCOMPLEMENT: /* on a torus every coordinate c to k-1-c */
        return nodes - 1 - node;
    case PATTERN_BITREVERSE:
        return bit_reverse(nodes, node);
    case PATTERN_SHUFFLE:
        return shuffle(nodes, node);
    default:
        return random_permute(key, nodes, node);
    }
}

/* The same, with those that go by coordinates. */
static uint32_t partner(const struct workload *w, uint32_t node)
{
    const struct torus *t = w->torus;
    if (w->params.pattern == PATTERN_TRANSPOSE)
        return transpose(t, node);
    if (w->params.pattern == PATTERN_TORNADO)
        return tornado(t, node);
    return pattern_partner(w->params.pattern, t->nodes, node, w->permutation_key);
}

/* One hop by each of the node's links in turn. */
static bool send_to_neighbour(const struct workload *w, uint32_t node, uint32_t sequence,
                              struct send *send)
{
    unsigned ports[TORUS_MAX_PORTS], count = 0;
    for (unsigned port = 0; port < 2 * w->torus->dims; port++)
        if (torus_neighbour(w->torus, node, port) != TORUS_NO_NODE)
            ports[count++] = port;
    if (!count)
        return false;
    unsigned port = ports[sequence % count];
    send->routed = true;
    send->hint = (uint8_t)(1u << port);
    send->hops[port / 2] = 1;
    return true;
}

bool pattern_send(const struct workload *w, uint32_t node, uint32_t sequence, struct send *send)
{
    switch (w->params.pattern) {
    case PATTERN_UNIFORM:
        send->destination = uniform(w, node, destination_draw(w, node, sequence));
        return true;
    case PATTERN_HOTREGION:
        send->destination = hot_region(w, node, destination_draw(w, node, sequence));
        return true;
    case PATTERN_NEIGHBOUR:
        return send_to_neighbour(w, node, sequence, send);
    default:
        send->destination = partner(w, node);
        return send->destination < w->torus->nodes && send->destination != node;
    }
}

/* ---- bounds, for one packet from each sending node ---- */

static void add_hot_region(struct bound *b, const struct workload *w)
{
    const struct torus *t = w->torus;
    double hot = w->params.hot_share;
    bound_add_uniform(b, (1u << t->dims) - 1, 1 - hot);
    for (unsigned d = 0; d < t->dims; d++) {
        double pair = hot * t->nodes / ((double)t->size[d] * w->params.hot.size[d]);
        for (uint32_t from = 0; from < t->size[d]; from++)
            for (uint32_t to = 0; to < w->params.hot.size[d]; to++)
                bound_add_dim(b, d, from, to, pair);
    }
}

/* Byte times that the links into the hot box need. */
static double hot_box_time(const struct workload *w, double slot, double ack)
{
    double nodes = w->torus->nodes, hot = w->hot_nodes, outside = nodes - hot;
    if (!w->hot_links)
        return 0;
    double share = w->params.hot_share;
    double in = outside * (share + (1 - share) * hot / (nodes - 1));
    double out = hot * (1 - share) * outside / (nodes - 1);
    return (in * slot + out * ack) / w->hot_links;
}

static void add_neighbours(struct bound *b, const struct workload *w)
{
    for (uint32_t node = 0; node < w->torus->nodes; node++) {
        unsigned count = 0;
        for (unsigned port = 0; port < 2 * w->torus->dims; port++)
            count += torus_neighbour(w->torus, node, port) != TORUS_NO_NODE;
        for (unsigned port = 0; port < 2 * w->torus->dims; port++) {
            uint32_t to = torus_neighbour(w->torus, node, port);
            if (to != TORUS_NO_NODE)
                bound_add(b, node, to, 1.0 / count);
        }
    }
}

void pattern_bound(struct workload *w, const struct torus_params *router)
{
    struct bound b;
    double slot = workload_mean_slot(w, router), ack = router->ack_bytes;
    uint32_t nodes = w->torus->nodes;
    if (nodes == 1)
        return;
    bound_init(&b, w->torus);
    w->senders = nodes;
    switch (w->params.pattern) {
    case PATTERN_UNIFORM:
        bound_add_uniform(&b, (1u << w->torus->dims) - 1, 1);
        break;
    case PATTERN_HOTREGION:
        add_hot_region(&b, w);
        break;
    case PATTERN_NEIGHBOUR:
        add_neighbours(&b, w);
        break;
    default:
        w->senders = 0;
        for (uint32_t node = 0; node < nodes; node++) {
            struct send send = {.chunks = 0};
            if (!pattern_send(w, node, 0, &send))
                continue;
            bound_add(&b, node, send.destination, 1);
            w->senders++;
        }
    }
    double worst = bound_worst(&b, slot, ack);
    if (w->params.pattern == PATTERN_HOTREGION) {
        double box = hot_box_time(w, slot, ack);
        worst = box > worst ? box : worst;
    }
    w->rate_bound = worst > 0 ? 1 / worst : 0;
    bound_fini(&b);
}
