/* Open-loop packets on a directed graph, and the life cycle of its workloads. */
#include "workload/digraph_workload.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

bool digraph_workload_has(enum pattern pattern)
{
    switch (pattern) {
    case PATTERN_HOTREGION:
    case PATTERN_TORNADO:
    case PATTERN_LINEFILL:
    case PATTERN_PLANEFILL:
        return false; /* they need coordinates */
    default:
        return true;
    }
}

static uint64_t destination_draw(const struct digraph_workload *w, uint32_t node, uint32_t sequence)
{
    return random_draw(random_key(w->seed, node, RANDOM_DESTINATION), sequence);
}

/* The node's place among the living ones. They are in order. */
static uint32_t place_of(const struct digraph_workload *w, uint32_t node)
{
    uint32_t low = 0, high = w->nodes - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (w->living[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One hop by each of the node's links in turn. */
static bool neighbour(const struct digraph *g, uint32_t node, uint32_t sequence, uint32_t *to)
{
    uint32_t ports[DIGRAPH_MAX_DEGREE], count = 0;
    for (uint32_t port = 0; port < g->degree; port++)
        if (g->to[node * g->degree + port].node != DIGRAPH_NO_NODE)
            ports[count++] = port;
    if (count)
        *to = g->to[node * g->degree + ports[sequence % count]].node;
    return count > 0;
}

static bool destination(const struct digraph_workload *w, uint32_t node, uint32_t sequence,
                        uint32_t *to)
{
    uint32_t place = place_of(w, node), other;
    switch (w->params.pattern) {
    case PATTERN_NEIGHBOUR:
        return neighbour(w->paths->graph, node, sequence, to);
    case PATTERN_UNIFORM:
        other = random_below(destination_draw(w, node, sequence), w->nodes - 1);
        other += other >= place;
        break;
    case PATTERN_TRANSPOSE:
        other = place % w->columns * w->rows + place / w->columns;
        break;
    default:
        other = pattern_partner(w->params.pattern, w->nodes, place, w->permutation_key);
    }
    if (other >= w->nodes || other == place)
        return false;
    *to = w->living[other];
    return true;
}

bool digraph_workload_packet(void *workload, uint32_t node, uint32_t sequence, uint32_t *to,
                             uint32_t *bytes)
{
    const struct digraph_workload *w = workload;
    uint32_t pick = 0;
    if (w->nodes < 2 || w->paths->graph->dead[node] || !destination(w, node, sequence, to))
        return false;
    if (w->params.payloads.count > 1)
        pick = random_below(random_draw(random_key(w->seed, node, RANDOM_SIZE), sequence),
                            w->params.payloads.count);
    *bytes = w->params.payloads.value[pick];
    return true;
}

/* ---- the bound ---- */

/* What one packet from each sender loads: links, and the ways into nodes behind them. */
struct loads {
    double *link, *into;
};

/* Loads the links of a route with packets from a node. */
static void add_route(const struct digraph_workload *w, struct loads *loads, uint32_t from,
                      uint32_t to, double packets)
{
    const struct digraph *g = w->paths->graph;
    struct digraph_route route;
    if (!digraph_route(g, w->paths->routes, from, to, &route))
        return;
    loads->into[to] += packets;
    for (uint32_t hop = 0, x = from; hop < route.hops; hop++) {
        loads->link[x * g->degree + route.port[hop]] += packets;
        x = g->to[x * g->degree + route.port[hop]].node;
    }
}

/* Of one packet from each node to any other, all alike: along the tree of routes to each. */
static void add_uniform(struct digraph_workload *w, struct loads *loads)
{
    const struct digraph *g = w->paths->graph;
    const struct digraph_routes *r = w->paths->routes;
    uint32_t *order = weft_alloc(2 * (size_t)g->nodes, sizeof(*order)), *hops = order + g->nodes;
    double *flow = weft_alloc(g->nodes, sizeof(*flow));
    w->senders = w->nodes > 1 ? w->nodes : 0;
    for (uint32_t i = 0; i < w->nodes; i++) {
        uint32_t to = w->living[i], count = digraph_routes_tree(g, r, to, order, hops);
        for (uint32_t k = 0; k < count; k++)
            flow[order[k]] = 1.0 / (w->nodes - 1);
        loads->into[to] = 1;
        for (uint32_t k = count; k-- > 0;) {
            uint32_t x = order[k];
            loads->link[x * g->degree + r->port[(size_t)to * r->nodes + x]] += flow[x];
            flow[digraph_routes_next(g, r, x, to)] += flow[x];
        }
    }
    free(order);
    free(flow);
}

/* Of one packet from a sending node. */
static void add_sender(struct digraph_workload *w, struct loads *loads, uint32_t node)
{
    const struct digraph *g = w->paths->graph;
    uint32_t to, bytes, rounds = w->params.pattern == PATTERN_NEIGHBOUR ? g->degree : 1;
    if (!digraph_workload_packet(w, node, 0, &to, &bytes))
        return;
    w->senders++;
    for (uint32_t i = 0; i < rounds; i++)
        if (digraph_workload_packet(w, node, i, &to, &bytes))
            add_route(w, loads, node, to, 1.0 / rounds);
}

/* The busiest link, or the nodes' engines: what limits one packet from each sender. */
static void setup_bound(struct digraph_workload *w)
{
    const struct digraph *g = w->paths->graph;
    size_t links = (size_t)g->nodes * g->degree;
    struct loads loads = {.link = weft_alloc(links + 1, sizeof(double)),
                          .into = weft_alloc(g->nodes, sizeof(double))};
    double most = 1, into = 1, words = 0, bytes = 0; /* a sender has one way out of its node */
    for (uint32_t i = 0; i < w->params.payloads.count; i++) {
        words += dma_words(w->dma, w->params.payloads.value[i]);
        bytes += w->params.payloads.value[i];
    }
    words /= w->params.payloads.count;
    bytes /= w->params.payloads.count;
    if (w->params.pattern == PATTERN_UNIFORM)
        add_uniform(w, &loads);
    for (uint32_t i = 0; i < w->nodes && w->params.pattern != PATTERN_UNIFORM; i++)
        add_sender(w, &loads, w->living[i]);
    for (size_t i = 0; i < links; i++)
        most = loads.link[i] > most ? loads.link[i] : most;
    for (uint32_t i = 0; i < g->nodes; i++)
        into = loads.into[i] > into ? loads.into[i] : into;
    free(loads.link);
    free(loads.into);
    most = into > most ? into : most;
    double cycles_per_us = w->paths->params->link_mb_per_s / CROSSPOINT_WORD_BYTES;
    double engine = into * bytes / w->dma->mb_per_s * cycles_per_us, worst = most * words;
    worst = engine > worst ? engine : worst;
    w->rate_bound = w->senders && worst > 0 ? 1 / worst : 0;
    if (w->params.load > 0 && w->rate_bound > 0)
        w->mean_gap_cycles = 1 / (w->params.load * w->rate_bound);
}

/* ---- life cycle ---- */

weft_status digraph_workload_create(const struct workload_params *params, const struct paths *paths,
                                    const struct dma_params *dma, uint32_t most_per_node,
                                    uint64_t seed, struct digraph_workload **workload)
{
    const struct digraph *g = paths->graph;
    struct torus grid;
    struct digraph_workload *w = *workload = weft_alloc(1, sizeof(*w));
    *w = (struct digraph_workload){.params = *params,
                                   .paths = paths,
                                   .dma = dma,
                                   .seed = seed,
                                   .permutation_key = random_key(seed, 0, RANDOM_PERMUTATION)};
    w->living = weft_alloc(g->nodes, sizeof(*w->living));
    for (uint32_t node = 0; node < g->nodes; node++)
        if (!g->dead[node])
            w->living[w->nodes++] = node;
    torus_near(w->nodes, 2, &grid);
    w->rows = grid.size[0];
    w->columns = grid.size[1];
    if (!pattern_is_scripted(params->pattern)) {
        w->open = true;
        setup_bound(w);
        return WEFT_OK;
    }
    w->scripted = true;
    w->per_node = params->processes_per_node;
    if (w->per_node > most_per_node)
        return BAD_INPUT("workload.processes_per_node",
                         ("workload.processes_per_node = %u: a node has %u processors", w->per_node,
                          most_per_node),
                         ("use at most as many"));
    return digraph_scripts_setup(w);
}

void digraph_workload_destroy(struct digraph_workload *w)
{
    if (!w)
        return;
    free(w->living);
    free(w->partner);
    free(w->place);
    free(w->order);
    free(w);
}
