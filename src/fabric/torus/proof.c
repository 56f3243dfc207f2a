/* The channel dependency graph of the escape VCs, and what its cycles mean. */
#include "fabric/torus/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "topology/dependency.h"

/* A channel is a number: (node * ports + port) * classes + class. */
struct graph {
    const struct torus *torus;
    const struct torus_params *params;
    const struct torus_faults *faults;
    struct torus_derived derived;
    unsigned classes;          /* 2: a dateline pair */
    bool long_ways;            /* packets may go more than half way around any ring */
    uint8_t rank[TORUS_PORTS]; /* of each port in the escape's order */
    uint32_t channels;
};

static uint32_t channel_of(const struct graph *g, uint32_t node, unsigned port, unsigned class)
{
    return (node * TORUS_PORTS + port) * g->classes + class;
}

static uint32_t channel_node(const struct graph *g, uint32_t channel)
{
    return channel / g->classes / TORUS_PORTS;
}

static unsigned channel_port(const struct graph *g, uint32_t channel)
{
    return channel / g->classes % TORUS_PORTS;
}

/* How many hops after its ring's dateline a link lies; UINT32_MAX: there is no dateline. */
static uint32_t hops_behind(const struct graph *g, uint32_t node, unsigned port)
{
    uint32_t c[TORUS_MAX_DIMS];
    unsigned d = port / 2;
    const struct torus *home = wiring_home(g->torus, node, c);
    uint32_t size = home->size[d], line = (uint32_t)torus_dateline(g->torus, home, g->params, d);
    if (!home->wrap[d] || line >= size)
        return UINT32_MAX;
    uint32_t first = port & 1 ? line : (line + 1) % size; /* the node after it */
    return port & 1 ? (first + size - c[d]) % size : (c[d] + size - first) % size;
}

/* Hops that a packet may make along a dimension: half a ring; around dead nodes, and in fills, it
 * may be nearly the whole ring. */
static uint32_t most_hops(const struct graph *g, uint32_t node, unsigned d)
{
    const struct torus *home = wiring_torus(g->torus, node);
    bool half = home->wrap[d] && !g->long_ways && !faults_are_near(g->faults, g->torus, node);
    return half ? home->size[d] / 2 : home->size[d] - 1;
}

/* Whether a packet can ever ask for a channel. */
static bool is_used(const struct graph *g, uint32_t node, unsigned port, unsigned class)
{
    if (port / 2 >= g->torus->dims || wiring_idles(g->torus, node) ||
        most_hops(g, node, port / 2) == 0 ||
        faults_neighbour(g->faults, g->torus, node, port) == TORUS_NO_NODE)
        return false;
    if (class == 0)
        return true;
    /* It has crossed the dateline and continued from there. */
    uint32_t behind = hops_behind(g, node, port);
    return behind != UINT32_MAX && behind + 2 <= most_hops(g, node, port / 2);
}

/* The channels that a packet in this one may wait for. */
static unsigned list_edges(const void *graph, uint32_t channel,
                           uint32_t edge[DEPENDENCY_MOST_EDGES])
{
    const struct graph *g = graph;
    unsigned port = channel_port(g, channel), class = channel % g->classes, count = 0;
    uint32_t node = channel_node(g, channel);
    if (!is_used(g, node, port, class))
        return 0;
    uint32_t next = torus_neighbour(g->torus, node, port);
    bool crosses = g->classes == 2 && torus_crosses_dateline(g->torus, g->params, node, port);
    unsigned on = class || crosses;
    if (most_hops(g, node, port / 2) >= 2 && is_used(g, next, port, on))
        edge[count++] = channel_of(g, next, port, on);
    for (unsigned turn = 0; turn < TORUS_PORTS; turn++)
        for (unsigned c = 0; c < g->classes && g->rank[turn] > g->rank[port]; c++)
            if (turn / 2 != port / 2 && is_used(g, next, turn, c))
                edge[count++] = channel_of(g, next, turn, c);
    return count;
}

/* ---- what a cycle means ---- */

static size_t print_channel(const struct graph *g, uint32_t channel, char *text, size_t size,
                            size_t at)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(g->torus, channel_node(g, channel), c);
    return text_append(text, size, at, "\n  node (%u,%u,%u) port %s VC %s", c[0],
                       g->torus->dims > 1 ? c[1] : 0, g->torus->dims > 2 ? c[2] : 0,
                       torus_port_name(channel_port(g, channel)),
                       torus_vc_name(g->params, g->derived.escape_vc + channel % g->classes));
}

/* Whether all cycles are rings: no channel waits for one of another port in its own component. */
static bool cycles_are_rings(const struct graph *g, const uint32_t *component)
{
    uint32_t edge[DEPENDENCY_MOST_EDGES];
    for (uint32_t channel = 0; channel < g->channels; channel++) {
        unsigned edges = list_edges(g, channel, edge);
        protected_call_poll();
        for (unsigned i = 0; i < edges; i++)
            if (component[edge[i]] == component[channel] &&
                channel_port(g, edge[i]) != channel_port(g, channel))
                return false;
    }
    return true;
}

/* Why the rings of a bubble VC always keep room for a packet; NULL if they may not. */
static const char *bubble_holds(const struct graph *g, const struct proof_traffic *traffic)
{
    if (g->params->bubble_rule == BUBBLE_FULL_SIZE)
        return "every packet on it is accounted as a full one";
    return traffic->small_packets ? NULL : "all packets are full ones";
}

static weft_status judge_cycles(const struct dependency *graph, const uint32_t *component,
                                const struct proof_traffic *traffic, char *text, size_t size)
{
    const struct graph *g = graph->ctx;
    const char *why = bubble_holds(g, traffic);
    bool bubbles = g->params->escape == ESCAPE_BUBBLE && cycles_are_rings(g, component);
    if (bubbles && why) {
        snprintf(text, size,
                 "the bubble's rings keep room for a packet: two are needed to enter, and %s; "
                 "no other cycle of channels (%u channels)",
                 why, g->channels);
        return WEFT_OK;
    }
    if (bubbles)
        snprintf(text, size,
                 "packets below full size can fragment the room that the bubble rule keeps "
                 "(machine.router.bubble_rule = actual_size); channels that can wait for each "
                 "other:");
    else
        snprintf(text, size, "channels can wait for each other in a cycle:");
    uint32_t *cycle, length = dependency_cycle(graph, component, &cycle);
    size_t at = strlen(text);
    for (uint32_t i = 0; i < length; i++)
        at = print_channel(g, cycle[i], text, size, at);
    free(cycle);
    return WEFT_FAILED;
}

static weft_status judge(const struct graph *g, const struct proof_traffic *traffic, char *text,
                         size_t size)
{
    struct dependency graph = {.channels = g->channels, .list = list_edges, .ctx = g};
    uint32_t *component = memory_alloc(g->channels, sizeof(*component));
    weft_status status = WEFT_OK;
    if (dependency_components(&graph, component))
        status = judge_cycles(&graph, component, traffic, text, size);
    else
        snprintf(text, size, "no cycle of channels among the escape VCs (%u channels)",
                 g->channels);
    free(component);
    return status;
}

/* Nodes that packets pass beside dead ports; *first: one of them. */
static uint32_t count_wounded(const struct graph *g, uint32_t *first)
{
    const struct torus_faults *f = g->faults;
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->wounded; i++)
        if (!wiring_idles(g->torus, f->wound[i].node) && count++ == 0)
            *first = f->wound[i].node;
    return count;
}

/* Dynamic packets must find their escape wherever they are. */
static weft_status check_escapes(const struct graph *g, const struct proof_traffic *traffic,
                                 char *text, size_t size)
{
    char node[TORUS_NODE_TEXT];
    uint32_t first = 0, count = traffic->dynamic ? count_wounded(g, &first) : 0;
    if (!count)
        return WEFT_OK;
    snprintf(text, size,
             "not proved: %u nodes next to dead ones, as %s, have no escape for packets whose "
             "escape direction is dead; such packets do arrive, by another of their hinted "
             "directions, but may have to wait for dynamic VCs alone",
             count, torus_node_text(g->torus, first, node));
    return WEFT_FAILED;
}

/* Whether packets make several hops along some ring. */
static bool has_rings(const struct graph *g)
{
    bool rings = false;
    for (uint32_t node = 0; node < g->torus->nodes && !rings; node++)
        for (unsigned d = 0; d < g->torus->dims; d++)
            rings |= !wiring_idles(g->torus, node) && wiring_torus(g->torus, node)->wrap[d] &&
                     most_hops(g, node, d) > 1;
    return rings;
}

weft_status torus_prove(const struct torus *t, const struct torus_params *p,
                        const struct torus_faults *f, const struct proof_traffic *traffic,
                        char *text, size_t size)
{
    struct graph g = {.torus = t, .params = p, .faults = f};
    TRY(torus_params_derive(p, &g.derived));
    text[0] = '\0';
    g.classes = p->escape == ESCAPE_DATELINE ? 2 : 1;
    g.channels = t->nodes * TORUS_PORTS * g.classes;
    for (unsigned i = 0; i < TORUS_PORTS; i++)
        g.rank[g.derived.escape_order[i]] = (uint8_t)i;
    g.long_ways = traffic->long_ways;
    weft_status status = judge(&g, traffic, text, size);
    if (status == WEFT_OK && traffic->high && has_rings(&g) && !bubble_holds(&g, traffic)) {
        snprintf(text, size,
                 "high priority packets below full size can fragment the room that "
                 "their bubble VC keeps (machine.router.bubble_rule = actual_size)");
        status = WEFT_FAILED;
    }
    if (status == WEFT_OK)
        status = check_escapes(&g, traffic, text, size);
    return status;
}
