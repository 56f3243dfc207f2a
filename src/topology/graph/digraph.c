/*
 * Directed graphs as two tables that are each other's inverse, and Kautz graphs (KAUTZ, 5) in the
 * numbering of Imase and Itoh (1981).
 */
#include "topology/graph/digraph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void digraph_init(struct digraph *g, uint32_t nodes, uint32_t degree)
{
    size_t ends = (size_t)nodes * degree;
    *g = (struct digraph){.nodes = nodes, .degree = degree};
    g->to = memory_alloc(ends, sizeof(*g->to));
    g->from = memory_alloc(ends, sizeof(*g->from));
    g->dead = memory_alloc(nodes, sizeof(*g->dead));
    for (size_t i = 0; i < ends; i++)
        g->to[i].node = g->from[i].node = DIGRAPH_NO_NODE;
}

void digraph_fini(struct digraph *g)
{
    free(g->to);
    free(g->from);
    free(g->dead);
}

static uint32_t free_port(const struct digraph *g, const struct digraph_end *ends)
{
    uint32_t port = 0;
    while (port < g->degree && ends[port].node != DIGRAPH_NO_NODE)
        port++;
    return port;
}

void digraph_connect(struct digraph *g, uint32_t from, uint32_t to)
{
    struct digraph_end *out = &g->to[(size_t)from * g->degree];
    struct digraph_end *in = &g->from[(size_t)to * g->degree];
    uint32_t output = free_port(g, out), input = free_port(g, in);
    WEFT_CHECK(output < g->degree && input < g->degree, "no port left for a link from %u to %u",
               from, to);
    out[output] = (struct digraph_end){.node = to, .port = input};
    in[input] = (struct digraph_end){.node = from, .port = output};
    g->links++;
}

void digraph_kill_link(struct digraph *g, uint32_t node, uint32_t port)
{
    struct digraph_end *end = &g->to[(size_t)node * g->degree + port];
    if (end->node == DIGRAPH_NO_NODE)
        return;
    g->from[(size_t)end->node * g->degree + end->port].node = DIGRAPH_NO_NODE;
    end->node = DIGRAPH_NO_NODE;
    g->links--;
}

void digraph_kill_node(struct digraph *g, uint32_t node)
{
    if (g->dead[node])
        return;
    for (uint32_t port = 0; port < g->degree; port++) {
        struct digraph_end before = g->from[(size_t)node * g->degree + port];
        digraph_kill_link(g, node, port);
        if (before.node != DIGRAPH_NO_NODE)
            digraph_kill_link(g, before.node, before.port);
    }
    g->dead[node] = true;
    g->dead_nodes++;
}

uint32_t digraph_port(const struct digraph *g, uint32_t from, uint32_t to)
{
    uint32_t port = 0;
    while (port < g->degree && g->to[(size_t)from * g->degree + port].node != to)
        port++;
    return port;
}

/* ---- Kautz graphs ---- */

static uint64_t kautz_nodes(uint32_t degree, uint32_t diameter)
{
    uint64_t nodes = degree + 1;
    for (uint32_t k = 1; k < diameter; k++)
        nodes *= degree;
    return nodes;
}

static weft_status kautz_check(uint32_t degree, uint32_t diameter)
{
    uint32_t largest = 1;
    if (degree < 1 || degree > DIGRAPH_MAX_DEGREE)
        return BAD_INPUT(NULL, ("kautz:%u:%u has degree %u", degree, diameter, degree),
                         ("use a degree from 1 to %d", DIGRAPH_MAX_DEGREE));
    if (diameter < 1)
        return BAD_INPUT(NULL, ("kautz:%u:0 has diameter 0", degree), ("use a diameter above 0"));
    if (degree == 1 && diameter > 1)
        return BAD_INPUT(NULL, ("kautz:1:%u has only two nodes, one hop apart", diameter),
                         ("use kautz:1:1 or a larger degree"));
    while (largest < diameter && kautz_nodes(degree, largest + 1) <= DIGRAPH_MAX_NODES)
        largest++;
    if (diameter > largest)
        return BAD_INPUT(
            NULL, ("kautz:%u:%u has more than %d nodes", degree, diameter, DIGRAPH_MAX_NODES),
            ("use a diameter of at most %u", largest));
    return WEFT_OK;
}

weft_status digraph_kautz(uint32_t degree, uint32_t diameter, struct digraph *g)
{
    TRY(kautz_check(degree, diameter));
    uint32_t nodes = (uint32_t)kautz_nodes(degree, diameter);
    digraph_init(g, nodes, degree);
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t p = 0; p < degree; p++)
            digraph_connect(g, i, nodes - 1 - (degree * i + p) % nodes);
    return WEFT_OK;
}

/* Digits only; a number too large for 32 bits becomes UINT32_MAX, which the caller refuses. */
static bool parse_number(const char **at, uint32_t *number)
{
    uint64_t value = 0;
    const char *p = *at;
    for (; *p >= '0' && *p <= '9'; p++)
        if (value <= UINT32_MAX)
            value = value * 10 + (uint64_t)(*p - '0');
    bool digits = p > *at;
    *at = p;
    *number = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    return digits;
}

weft_status digraph_parse(const char *text, struct digraph *g)
{
    static const char prefix[] = "kautz:";
    uint32_t degree, diameter;
    if (strncmp(text, prefix, strlen(prefix)) != 0)
        return digraph_read(text, g);
    const char *at = text + strlen(prefix);
    if (!parse_number(&at, &degree) || *at++ != ':' || !parse_number(&at, &diameter) || *at)
        return BAD_INPUT(NULL, ("'%.60s' is not a Kautz graph", text),
                         ("use kautz:DEGREE:DIAMETER, as kautz:3:6"));
    return digraph_kautz(degree, diameter, g);
}
