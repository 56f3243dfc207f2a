/* Graphs as two tables that are each other's inverse, with their hosts. */
#include "topology/graph/graph.h"

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
    g->group = g->torus.dims = g->grid.dims = 0;
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
