/* Any bytes as a graph file, or as the text of a graph; a small one is surveyed, cut, routed with
 * what is dead, and proved as a network of switches. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/switches/network.h"

enum { MOST_NODES = 60 };

static void prove(const struct graph_routes *routes, unsigned way)
{
    struct switches_routing r;
    struct switches_params p = {.vcs = 1 + way % 8,
                                .algorithm = way % 3,
                                .choice = way / 3 % 2,
                                .too_few_vcs = TOO_FEW_LAST,
                                .vc_rule = way % 5};
    char text[4096];
    if (switches_routing_init(&r, &p, routes->graph, routes, 1) == WEFT_OK)
        switches_prove(&r, text, sizeof(text));
}

static void route(const struct graph *g, unsigned way)
{
    struct graph_routes routes;
    struct graph_route found[GRAPH_ONE_WAY_LINKS];
    struct graph_trees trees;
    uint32_t last = g->nodes - 1;
    if (graph_routes_init(&routes, g) == WEFT_OK) {
        graph_route(&routes, 0, last, found);
        graph_trees_init(&trees, &routes);
        for (uint32_t leaf = 0; leaf < routes.leaves; leaf++)
            graph_trees_to(&trees, routes.leaf_at[leaf]);
        graph_trees_fini(&trees);
        if (!g->one_way)
            prove(&routes, way);
    }
    graph_routes_fini(&routes);
    if (g->degree <= GRAPH_ONE_WAY_LINKS)
        graph_disjoint_routes(g, 0, last, GRAPH_ONE_WAY_LINKS, found);
}

static void use(struct graph *g, unsigned way)
{
    uint32_t part[MOST_NODES];
    graph_hash(g);
    graph_cut(g, g->nodes > 1 ? 2 : 1, part);
    graph_survey(g);
    graph_diameter_link_dead(g);
    route(g, way);
    graph_kill_node(g, g->nodes / 2);
    graph_diameter_node_dead(g);
    route(g, way);
}

int fuzz_graph(const uint8_t *data, size_t size)
{
    struct graph g;
    unsigned way = size ? data[0] : 0;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    /* A text that names no file: those are not the fuzzer's to open. */
    weft_status status =
        strchr(text, '\n') ? graph_read_text("fuzz", text, size, &g) : graph_by_rule(text, &g);
    free(text);
    if (status == WEFT_OK && g.nodes <= MOST_NODES)
        use(&g, way);
    graph_fini(&g);
    return 0;
}
