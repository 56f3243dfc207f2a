/* Routing strings and starting VCs. */
#include "node/dma/paths.h"

weft_status paths_init(struct paths *p, const struct graph *g, const struct graph_routes *r,
                       const struct crosspoint_params *params)
{
    *p = (struct paths){.graph = g, .routes = r, .params = params};
    return crosspoint_params_derive(params, g, &p->derived);
}

/* False: the route needs more VCs, or a longer routing string, than there is. */
static bool make_route(const struct paths *p, uint32_t from, const struct graph_route *route,
                       struct path *out)
{
    uint32_t decrements = crosspoint_decrements_along(p->params, p->graph, from, route);
    bool highest = p->params->vc_start == VC_START_HIGHEST;
    if (decrements >= p->params->vcs || route->hops > p->derived.most_hops)
        return false;
    out->vc = (uint8_t)(highest ? p->params->vcs - 1 : decrements);
    out->string = crosspoint_route(&p->derived, route);
    return true;
}

struct path paths_shortest(const struct paths *p, uint32_t from, uint32_t to)
{
    struct graph_route route;
    struct path out;
    bool found = graph_route(p->routes, from, to, &route) && make_route(p, from, &route, &out);
    WEFT_CHECK(found, "no route from node %u to node %u", from, to);
    return out;
}

uint32_t paths_disjoint(const struct paths *p, uint32_t from, uint32_t to, uint32_t most,
                        struct path *out)
{
    struct graph_route route[GRAPH_ONE_WAY_LINKS];
    uint32_t limit = most < GRAPH_ONE_WAY_LINKS ? most : GRAPH_ONE_WAY_LINKS, count = 0;
    uint32_t found = graph_disjoint_routes(p->graph, from, to, limit, route);
    for (uint32_t i = 0; i < found; i++)
        count += make_route(p, from, &route[i], &out[count]);
    if (!count)
        out[count++] = paths_shortest(p, from, to);
    return count;
}
