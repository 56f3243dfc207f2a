/* Graphs as two tables that are each other's inverse, with their hosts; and cuts of them. */
#include "topology/graph/graph.h"

#include <metis.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

void graph_init(struct graph *g, uint32_t nodes, uint32_t degree)
{
    size_t ends = (size_t)nodes * degree;
    *g = (struct graph){.nodes = nodes, .degree = degree, .sorts = 1, .sort_name = {"links"}};
    g->to = memory_alloc(ends, sizeof(*g->to));
    g->from = memory_alloc(ends, sizeof(*g->from));
    g->ports = memory_alloc(nodes, sizeof(*g->ports));
    g->dead = memory_alloc(nodes, sizeof(*g->dead));
    g->first_host = memory_alloc((size_t)nodes + 1, sizeof(*g->first_host));
    for (size_t i = 0; i < ends; i++)
        g->to[i].node = g->from[i].node = GRAPH_NONE;
    for (unsigned sort = 0; sort < GRAPH_SORTS; sort++)
        g->weight[sort] = 1;
}

void graph_fini(struct graph *g)
{
    free(g->to);
    free(g->from);
    free(g->ports);
    free(g->dead);
    free(g->first_host);
    free(g->host_switch);
    *g = (struct graph){0};
}

/* ---- links ---- */

static void link_ports(struct graph *g, struct graph_end from, struct graph_end to)
{
    WEFT_CHECK(from.node != to.node && from.port < g->degree && to.port < g->degree,
               "no port for a link from %u to %u", from.node, to.node);
    g->to[(size_t)from.node * g->degree + from.port] = to;
    g->from[(size_t)to.node * g->degree + to.port] = from;
    g->links++;
}

void graph_connect(struct graph *g, uint32_t from, uint32_t to)
{
    const struct graph_end *in = &g->from[(size_t)to * g->degree];
    uint8_t input = 0;
    while (input < g->degree && in[input].node != GRAPH_NONE)
        input++;
    link_ports(g, (struct graph_end){.node = from, .port = g->ports[from]++},
               (struct graph_end){.node = to, .port = input});
    g->one_way = true;
}

void graph_join(struct graph *g, uint32_t a, uint32_t b, uint8_t sort, bool wraps)
{
    struct graph_end at_a = {a, g->ports[a]++, sort, wraps}, at_b = {b, g->ports[b]++, sort, wraps};
    link_ports(g, at_a, at_b);
    link_ports(g, at_b, at_a);
}

void graph_kill_link(struct graph *g, uint32_t node, uint32_t port)
{
    struct graph_end *end = &g->to[(size_t)node * g->degree + port];
    if (end->node == GRAPH_NONE)
        return;
    g->from[(size_t)end->node * g->degree + end->port].node = GRAPH_NONE;
    end->node = GRAPH_NONE;
    g->links--;
    g->one_way = true;
    g->form = GRAPH_OTHER;
    g->group = g->grid.torus.dims = 0;
}

void graph_kill_node(struct graph *g, uint32_t node)
{
    if (g->dead[node])
        return;
    for (uint32_t port = 0; port < g->degree; port++) {
        struct graph_end before = g->from[(size_t)node * g->degree + port];
        graph_kill_link(g, node, port);
        if (before.node != GRAPH_NONE)
            graph_kill_link(g, before.node, before.port);
    }
    g->dead[node] = true;
    g->dead_nodes++;
}

uint32_t graph_port(const struct graph *g, uint32_t from, uint32_t to)
{
    uint32_t port = 0;
    while (port < g->degree && graph_end_at(g, from, port)->node != to)
        port++;
    return port;
}

/* ---- hosts ---- */

weft_status graph_finish(struct graph *g, const char *text, const uint32_t *hosts)
{
    uint64_t count = 0;
    for (uint32_t node = 0; node < g->nodes; node++) {
        uint32_t here = hosts ? hosts[node] : 1;
        g->first_host[node] = (uint32_t)count;
        count += here;
        if (count > GRAPH_MAX_HOSTS)
            return BAD_INPUT(NULL, ("'%.60s' has more than %d hosts", text, GRAPH_MAX_HOSTS),
                             ("use fewer"));
        if (g->ports[node] + here > GRAPH_MAX_PORTS)
            return BAD_INPUT(
                NULL,
                ("'%.60s' gives switch %u %u links and %u hosts", text, node, g->ports[node], here),
                ("use at most %d ports per switch", GRAPH_MAX_PORTS));
    }
    if (!count)
        return BAD_INPUT(NULL, ("'%.60s' has no hosts", text), ("give some switch a host"));
    g->hosts = g->first_host[g->nodes] = (uint32_t)count;
    g->host_switch = memory_alloc(g->hosts, sizeof(*g->host_switch));
    for (uint32_t node = 0; node < g->nodes; node++)
        for (uint32_t host = g->first_host[node]; host < g->first_host[node + 1]; host++)
            g->host_switch[host] = node;
    return WEFT_OK;
}

uint64_t graph_hash(const struct graph *g)
{
    uint64_t hash = random_mix((uint64_t)g->nodes << 32 | g->hosts);
    for (size_t i = 0; i < (size_t)g->nodes * g->degree; i++)
        hash = random_mix(hash ^ ((uint64_t)g->to[i].node << 8 | g->to[i].sort)) + i;
    for (uint32_t node = 0; node < g->nodes; node++)
        hash = random_mix(hash ^ g->first_host[node]) + node;
    return hash;
}

/* ---- cuts ---- */

/*
 * METIS needs undirected graphs: the weight of the edge between two nodes is the number of links
 * between them, whichever way they lead.
 */

/* With fewer, METIS leaves many parts empty and makes others twice too large; blocks are even. */
enum { LEAST_NODES_A_PART = 4 };

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS counts in 32 bits");

struct edges {
    idx_t *first;  /* [node] of its edges; [nodes] is the end */
    idx_t *to;     /* [edge] */
    idx_t *weight; /* [edge] */
};

static void weigh_link(struct edges *e, uint32_t node, uint32_t to)
{
    idx_t *end = &e->first[node + 1];
    if (to == GRAPH_NONE)
        return;
    for (idx_t i = e->first[node]; i < *end; i++)
        if (e->to[i] == (idx_t)to) {
            e->weight[i]++;
            return;
        }
    e->to[*end] = (idx_t)to;
    e->weight[(*end)++] = 1;
}

/* A two-way link counts once. */
static void weigh_links(struct edges *e, const struct graph *g)
{
    e->first = memory_alloc((size_t)g->nodes + 1, sizeof(*e->first));
    e->to = memory_alloc(2 * g->links + 1, sizeof(*e->to));
    e->weight = memory_alloc(2 * g->links + 1, sizeof(*e->weight));
    for (uint32_t node = 0; node < g->nodes; node++) {
        e->first[node + 1] = e->first[node];
        for (size_t i = (size_t)node * g->degree; i < (size_t)(node + 1) * g->degree; i++) {
            weigh_link(e, node, g->to[i].node);
            weigh_link(e, node, g->one_way ? g->from[i].node : GRAPH_NONE);
        }
    }
}

static void cut_by_metis(const struct graph *g, uint32_t parts, uint32_t *part)
{
    struct edges e;
    idx_t nodes = (idx_t)g->nodes, count = (idx_t)parts, constraints = 1, weight_cut;
    idx_t options[METIS_NOPTIONS], *found = memory_alloc(g->nodes, sizeof(*found));
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    weigh_links(&e, g);
    int result = METIS_PartGraphKway(&nodes, &constraints, e.first, e.to, NULL, NULL, e.weight,
                                     &count, NULL, NULL, options, &weight_cut, found);
    WEFT_CHECK(result == METIS_OK, "METIS cannot cut %u nodes into %u parts (%d)", g->nodes, parts,
               result);
    for (uint32_t node = 0; node < g->nodes; node++)
        part[node] = (uint32_t)found[node];
    free(e.first);
    free(e.to);
    free(e.weight);
    free(found);
}

/* METIS may leave a part empty: it gets the first node of the (first) largest part. */
static void fill_empty(uint32_t nodes, uint32_t parts, uint32_t *part)
{
    uint32_t *size = memory_alloc(parts, sizeof(*size));
    for (uint32_t node = 0; node < nodes; node++)
        size[part[node]]++;
    for (uint32_t empty = 0; empty < parts; empty++) {
        if (size[empty])
            continue;
        uint32_t largest = 0, node = 0;
        protected_call_poll();
        for (uint32_t p = 1; p < parts; p++)
            largest = size[p] > size[largest] ? p : largest;
        while (part[node] != largest)
            node++;
        part[node] = empty;
        size[largest]--;
        size[empty]++;
    }
    free(size);
}

void graph_cut(const struct graph *g, uint32_t parts, uint32_t *part)
{
    WEFT_CHECK(parts >= 1 && parts <= g->nodes, "%u parts of %u nodes", parts, g->nodes);
    if (parts > 1 && g->nodes / parts >= LEAST_NODES_A_PART) {
        cut_by_metis(g, parts, part);
        fill_empty(g->nodes, parts, part);
        return;
    }
    for (uint32_t node = 0; node < g->nodes; node++)
        part[node] = (uint32_t)((uint64_t)node * parts / g->nodes);
}
