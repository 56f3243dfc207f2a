/* Any bytes as a graph file; a small graph is surveyed, routed and cut as well. */
#include "fuzz.h"

#include "topology/graph/digraph.h"

static void use(struct digraph *g)
{
    struct digraph_route route[DIGRAPH_MAX_DEGREE];
    struct digraph_routes tables;
    uint32_t part[200], last = g->nodes - 1;
    digraph_survey(g);
    digraph_diameter_link_dead(g);
    digraph_kill_node(g, g->nodes / 2);
    digraph_diameter_node_dead(g);
    digraph_routes_init(&tables, g);
    digraph_route(g, &tables, 0, last, route);
    digraph_disjoint_routes(g, 0, last, DIGRAPH_MAX_DEGREE, route);
    digraph_cut(g, g->nodes > 1 ? 2 : 1, part);
    digraph_routes_fini(&tables);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct digraph g;
    if (digraph_read_text("fuzz", (const char *)data, size, &g) != WEFT_OK)
        return 0;
    if (g.nodes <= 200)
        use(&g);
    digraph_fini(&g);
    return 0;
}
