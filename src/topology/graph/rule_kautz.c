/*
 * kautz:3:6. A Kautz graph K(d, k) has (d + 1) d^(k-1) nodes, each with d links out and d in, and
 * no node is further than k hops from any other (KAUTZ, 5). Its nodes are numbered as by Imase and
 * Itoh (1981): node i has port p linked to node -(d i + p + 1) modulo the number of nodes.
 */
#include "topology/graph/rules.h"

static uint64_t kautz_nodes(uint32_t degree, uint32_t diameter)
{
    uint64_t nodes = degree + 1;
    for (uint32_t k = 1; k < diameter; k++)
        nodes *= degree;
    return nodes;
}

static weft_status check(uint32_t degree, uint32_t diameter)
{
    uint32_t largest = 1;
    if (degree < 1 || degree > GRAPH_ONE_WAY_LINKS)
        return BAD_INPUT(NULL, ("kautz:%u:%u has degree %u", degree, diameter, degree),
                         ("use a degree from 1 to %d", GRAPH_ONE_WAY_LINKS));
    if (diameter < 1)
        return BAD_INPUT(NULL, ("kautz:%u:0 has diameter 0", degree), ("use a diameter above 0"));
    if (degree == 1 && diameter > 1)
        return BAD_INPUT(NULL, ("kautz:1:%u has only two nodes, one hop apart", diameter),
                         ("use kautz:1:1 or a larger degree"));
    while (largest < diameter && kautz_nodes(degree, largest + 1) <= GRAPH_ONE_WAY_NODES)
        largest++;
    if (diameter > largest)
        return BAD_INPUT(
            NULL, ("kautz:%u:%u has more than %d nodes", degree, diameter, GRAPH_ONE_WAY_NODES),
            ("use a diameter of at most %u", largest));
    return WEFT_OK;
}

weft_status rule_kautz(const char *text, const char *at, struct graph *g)
{
    uint32_t degree, diameter;
    if (!rule_number(&at, &degree) || *at++ != ':' || !rule_number(&at, &diameter) || *at)
        return BAD_INPUT(NULL, ("'%.60s' is not a Kautz graph", text),
                         ("use kautz:DEGREE:DIAMETER, as kautz:3:6"));
    TRY(check(degree, diameter));
    uint32_t nodes = (uint32_t)kautz_nodes(degree, diameter);
    graph_init(g, nodes, degree);
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t p = 0; p < degree; p++)
            graph_connect(g, i, nodes - 1 - (degree * i + p) % nodes);
    return graph_finish(g, text, NULL);
}
