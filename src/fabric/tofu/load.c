/* Adding up what links carry. */
#include "fabric/tofu/load.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

/* The most pairs of nodes whose detours are counted one by one. */
static const double most_pairs = 4e6;

void tofu_load_init(struct tofu_load *l, const struct tofu_routing *routing, unsigned path)
{
    size_t links = (size_t)routing->shape->nodes * TOFU_LINKS;
    *l = (struct tofu_load){routing, path, memory_alloc(links, sizeof(*l->link))};
}

void tofu_load_fini(struct tofu_load *l)
{
    free(l->link);
}

static void walk(struct tofu_load *l, uint32_t node, tofu_route_t route, double packets)
{
    for (; route; route = tofu_route_advance(route)) {
        unsigned port = tofu_route_port(route);
        l->link[(size_t)node * TOFU_LINKS + port] += packets;
        node = tofu_neighbour(l->routing->shape, node, port);
    }
}

void tofu_load_add(struct tofu_load *l, uint32_t from, uint32_t to, double packets)
{
    unsigned first = l->path ? l->path : 1, last = l->path ? l->path : TOFU_PATHS;
    for (unsigned number = first; number <= last; number++) {
        struct tofu_path path;
        tofu_route_t route;
        if (tofu_route_choose(l->routing, from, to, number, &path, &route))
            walk(l, from, route, packets / (last - first + 1));
    }
}

/* ---- between boxes ---- */

/*
 * A route is one along each axis in turn: those before have been left behind at the destination's
 * coordinate, those after are at the source's, or at its relay's. So the packets on a link are the
 * product of what pairs of coordinates allow along each axis.
 */
struct axis {
    double *source, *destination; /* [coordinate]: pairs of coordinates that begin, and end there */
    double *leaving[2];           /* [way, 1: minus][coordinate]: that go on from there, ties both
                                   * ways by halves */
    double *tied[2];              /* those halves */
};

/* Flows between boxes, from the nodes of one group of channels, by one path. */
struct product {
    const struct tofu_routing *routing;
    const struct box_flow *flow;
    struct tofu_path path;
    uint32_t relay[TOFU_AXES]; /* its distance from the source */
    struct axis axis[TOFU_AXES];
};

static bool holds(const struct torus *t, const struct box *box, unsigned d, uint32_t coordinate)
{
    return (coordinate + t->size[d] - box->at[d]) % t->size[d] < box->size[d];
}

/* Whether packets leave from a coordinate by these channels. */
static bool sends(const struct product *p, unsigned d, uint32_t coordinate)
{
    bool io = p->routing->io_plane && coordinate == 0;
    return holds(p->routing->shape, &p->flow->from, d, coordinate) &&
           (d != TOFU_Z || io == (p->path.group == TOFU_GROUP_IO));
}

/* What leaves each coordinate, from what crosses each plane. */
static void sum_planes(const struct bound *b, unsigned d, double *leaving[2])
{
    uint32_t size = b->torus->size[d];
    double plus = 0, minus = 0;
    leaving[0] = memory_alloc(size, sizeof(double));
    leaving[1] = memory_alloc(size, sizeof(double));
    for (uint32_t plane = 0; plane < size; plane++) {
        plus += b->step[d][plane][0];
        minus += b->step[d][plane][1];
        leaving[0][plane] = plus;
        leaving[1][(plane + 1) % size] = minus;
    }
}

static void fill_axis(struct product *p, unsigned d, struct bound *all, struct bound *ties)
{
    const struct torus *t = p->routing->shape;
    struct axis *a = &p->axis[d];
    bool differ = p->flow->dims >> d & 1;
    a->source = memory_alloc(t->size[d], sizeof(double));
    a->destination = memory_alloc(t->size[d], sizeof(double));
    for (uint32_t from = 0; from < t->size[d]; from++)
        for (uint32_t to = differ ? 0 : from; to < (differ ? t->size[d] : from + 1); to++) {
            uint32_t source = (from + p->relay[d]) % t->size[d];
            bool tie;
            if (!sends(p, d, from) || !holds(t, &p->flow->to, d, to))
                continue;
            a->source[source]++;
            a->destination[to]++;
            bound_add_dim(all, d, source, to, 1);
            torus_offset(t, d, source, to, &tie);
            if (tie)
                bound_add_dim(ties, d, source, to, 1);
        }
    sum_planes(all, d, a->leaving);
    sum_planes(ties, d, a->tied);
}

/* How many more destinations are even than odd, as a share, of packets that are at a node's a, b
 * and c: ties go plus to even ones. */
static double evenness(const struct product *p, const uint32_t *c)
{
    const struct torus *t = p->routing->shape;
    double more = 1;
    for (unsigned d = TOFU_A; d < TOFU_AXES; d++) {
        uint32_t own = (c[d] + t->size[d] - p->relay[d]) % t->size[d];
        int even = 0;
        for (uint32_t to = 0; to < t->size[d]; to++)
            even += holds(t, &p->flow->to, d, to) ? 1 - 2 * (int)(to & 1) : 0;
        if (p->flow->dims >> d & 1)
            more *= (double)even / p->flow->to.size[d];
        else
            more *= own & 1 ? -1 : 1;
    }
    return more;
}

static unsigned port_of(unsigned axis, bool minus)
{
    static const uint8_t ports[TOFU_AXES][2] = {{0, 1},
                                                {2, 3},
                                                {4, 5},
                                                {TOFU_PORT_A, TOFU_PORT_A},
                                                {TOFU_PORT_B_PLUS, TOFU_PORT_B_MINUS},
                                                {TOFU_PORT_C, TOFU_PORT_C}};
    return ports[axis][minus];
}

/* From relays on: phases 2 and 3. */
static void add_products(struct tofu_load *l, const struct product *p, double packets)
{
    const struct torus *t = l->routing->shape;
    const uint8_t *order = l->routing->order[p->path.group];
    const unsigned axes[TOFU_AXES] = {order[0], order[1], order[2], TOFU_A, TOFU_C, TOFU_B};
    uint32_t c[TORUS_MAX_DIMS];
    for (uint32_t node = 0; node < t->nodes; node++) {
        torus_coordinates(t, node, c);
        double even = evenness(p, c);
        for (unsigned i = 0; i < TOFU_AXES; i++) {
            const struct axis *a = &p->axis[axes[i]];
            uint32_t at = c[axes[i]];
            double pairs = packets;
            for (unsigned j = 0; j < TOFU_AXES; j++)
                if (j != i)
                    pairs *= j < i ? p->axis[axes[j]].destination[c[axes[j]]]
                                   : p->axis[axes[j]].source[c[axes[j]]];
            double *link = &l->link[(size_t)node * TOFU_LINKS];
            link[port_of(axes[i], false)] += pairs * (a->leaving[0][at] + even * a->tied[0][at]);
            link[port_of(axes[i], true)] += pairs * (a->leaving[1][at] - even * a->tied[1][at]);
        }
    }
}

/* To relays, phase 1; and not what a node would send to itself. */
static void add_relays(struct tofu_load *l, const struct product *p, double packets)
{
    const struct torus *t = l->routing->shape;
    uint32_t c[TORUS_MAX_DIMS];
    for (uint32_t node = 0; node < t->nodes; node++) {
        double to = packets;
        bool own = true;
        torus_coordinates(t, node, c);
        for (unsigned d = 0; d < TOFU_AXES; d++) {
            bool held = holds(t, &p->flow->to, d, c[d]);
            own = own && held;
            to *= p->flow->dims >> d & 1 ? p->flow->to.size[d] : held;
            to *= sends(p, d, c[d]);
        }
        tofu_route_t route;
        if (to > 0 && tofu_route_make(l->routing, node, node, p->path, &route)) {
            walk(l, node, route & 15, to);
            walk(l, node, route, own ? -packets : 0);
        }
    }
}

static void add_path(struct tofu_load *l, const struct box_flow *flow, struct tofu_path path,
                     double packets)
{
    const struct torus *t = l->routing->shape;
    uint32_t offset = path.number - 1u;
    struct product p = {
        .routing = l->routing,
        .flow = flow,
        .path = path,
        .relay = {[TOFU_A] = offset % 2, [TOFU_B] = offset / 2 % 3, [TOFU_C] = offset / 6}};
    struct bound all, ties;
    bound_init(&all, t);
    bound_init(&ties, t);
    for (unsigned d = 0; d < TOFU_AXES; d++)
        fill_axis(&p, d, &all, &ties);
    bound_fini(&all);
    bound_fini(&ties);
    add_products(l, &p, packets);
    if (offset)
        add_relays(l, &p, packets);
    for (unsigned d = 0; d < TOFU_AXES; d++) {
        free(p.axis[d].source);
        free(p.axis[d].destination);
        for (int minus = 0; minus < 2; minus++) {
            free(p.axis[d].leaving[minus]);
            free(p.axis[d].tied[minus]);
        }
    }
}

/* One pair after the other, around what is dead. */
static void add_pairs(struct tofu_load *l, const struct box_flow *flow)
{
    const struct torus *t = l->routing->shape;
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    for (uint32_t i = 0; i < box_nodes(t, &flow->from); i++)
        for (uint32_t j = 0; j < box_nodes(t, &flow->to); j++) {
            uint32_t from = box_node(t, &flow->from, i), to = box_node(t, &flow->to, j);
            bool apart = tofu_is_dead(l->routing->faults, from) ||
                         tofu_is_dead(l->routing->faults, to) || from == to;
            protected_call_poll();
            torus_coordinates(t, from, a);
            torus_coordinates(t, to, b);
            for (unsigned d = 0; d < TOFU_AXES; d++)
                apart = apart || (!(flow->dims >> d & 1) && a[d] != b[d]);
            if (!apart)
                tofu_load_add(l, from, to, flow->packets);
        }
}

void tofu_load_add_boxes(struct tofu_load *l, const struct box_flow *flow)
{
    const struct torus *t = l->routing->shape;
    double pairs = (double)box_nodes(t, &flow->from) * box_nodes(t, &flow->to);
    unsigned first = l->path ? l->path : 1, last = l->path ? l->path : TOFU_PATHS;
    if (tofu_faults_any(l->routing->faults) && pairs <= most_pairs) {
        add_pairs(l, flow);
        return;
    }
    for (unsigned number = first; number <= last; number++)
        for (unsigned group = 0; group < TOFU_GROUPS; group++)
            add_path(l, flow, (struct tofu_path){(uint8_t)number, (uint8_t)group, 0},
                     flow->packets / (last - first + 1));
}

double tofu_load_worst(const struct tofu_load *l, double lines, double ack)
{
    const struct torus *t = l->routing->shape;
    double worst = 0;
    for (uint32_t node = 0; node < t->nodes; node++)
        for (unsigned port = 0; port < TOFU_LINKS; port++) {
            uint32_t to = tofu_neighbour(t, node, port);
            if (to == TORUS_NO_NODE)
                continue;
            double busy = l->link[(size_t)node * TOFU_LINKS + port] * lines +
                          l->link[(size_t)to * TOFU_LINKS + tofu_opposite(port)] * ack;
            worst = busy > worst ? busy : worst;
        }
    return worst;
}
