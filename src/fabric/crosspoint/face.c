/* Routing strings, starting VCs, and packets as nics know them. */
#include "fabric/crosspoint/state.h"

/* A route as nics keep it (make_route()): the string, the VC, and a bit that makes it one. */
static uint32_t route_string(uint64_t route)
{
    return (uint32_t)(route >> 16);
}

static uint8_t route_vc(uint64_t route)
{
    return (uint8_t)(route >> 8);
}

uint32_t crosspoint_words(uint32_t bytes)
{
    uint32_t words =
        CROSSPOINT_ENDS_WORDS + (bytes + CROSSPOINT_WORD_BYTES - 1) / CROSSPOINT_WORD_BYTES;
    return words < CROSSPOINT_MIN_WORDS ? CROSSPOINT_MIN_WORDS : words;
}

/* False: the route needs more VCs, or a longer routing string, than there is. */
static bool make_route(const struct crosspoint_face *f, uint32_t from,
                       const struct graph_route *route, uint64_t *out)
{
    const struct crosspoint_derived *d = &f->derived;
    uint32_t decrements = crosspoint_decrements_along(f->params, f->graph, from, route), string = 0;
    if (decrements >= f->params->vcs || route->hops > d->most_hops)
        return false;
    uint32_t vc = f->params->vc_start == VC_START_HIGHEST ? f->params->vcs - 1 : decrements;
    for (uint32_t hop = 0; hop < d->most_hops; hop++)
        string |= (hop < route->hops ? route->port[hop] : d->ports - 1) << d->route_bits * hop;
    *out = (uint64_t)string << 16 | vc << 8 | 1;
    return true;
}

static uint64_t shortest(const struct face *base, uint32_t from, uint32_t to, unsigned number)
{
    const struct crosspoint_face *f = (const struct crosspoint_face *)base;
    struct graph_route route;
    uint64_t out;
    (void)number;
    bool found = graph_route(f->routes, from, to, &route) && make_route(f, from, &route, &out);
    WEFT_CHECK(found, "no route from node %u to node %u", from, to);
    return out;
}

/* Leaves out those that need too many VCs. */
static uint32_t disjoint(const struct face *base, uint32_t from, uint32_t to, uint32_t most,
                         uint64_t *out)
{
    const struct crosspoint_face *f = (const struct crosspoint_face *)base;
    struct graph_route route[GRAPH_ONE_WAY_LINKS];
    uint32_t limit = most < GRAPH_ONE_WAY_LINKS ? most : GRAPH_ONE_WAY_LINKS, count = 0;
    uint32_t found = graph_disjoint_routes(f->graph, from, to, limit, route);
    for (uint32_t i = 0; i < found; i++)
        count += make_route(f, from, &route[i], &out[count]);
    if (!count)
        out[count++] = shortest(base, from, to, 0);
    return count;
}

static bool inject(const struct face *base, struct network_part *part, uint32_t local,
                   unsigned port, const struct face_packet *f, cycle_t *free_at)
{
    struct crosspoint_part *p = (struct crosspoint_part *)part;
    struct crosspoint_node *s = &p->node[local];
    uint32_t string = route_string(f->route), words = crosspoint_words(f->bytes);
    uint16_t *busy = &s->busy[p->degree][crosspoint_output(p->derived, string)];
    uint16_t open = p->derived->vc_entries[route_vc(f->route)] & (uint16_t) ~*busy;
    (void)base, (void)port;
    if (!open)
        return false;
    unsigned entry = (unsigned)__builtin_ctz(open);
    uint32_t index = crosspoint_get(p);
    p->pool[index] =
        (struct crosspoint_packet){FACE_COMMON(f),
                                   .route = string,
                                   .vc = route_vc(f->route),
                                   .entry = (uint8_t)entry,
                                   .words = (uint8_t)words,
                                   .stream = f->flags & FACE_STREAM,
                                   .flags = f->flags & FACE_LAST ? CROSSPOINT_LAST : 0};
    *busy |= (uint16_t)(1u << entry);
    p->base.measure.generated++;
    crosspoint_enqueue(p, s, p->degree, index);
    *free_at = part_now(part) + words; /* into the switch, one word per cycle */
    return true;
}

static bool leads(const struct face *base, const struct network_part *part, uint32_t local,
                  uint32_t to, uint64_t route)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)part;
    (void)base;
    return crosspoint_leads(p->network, GRAPH_NONE, part->members[local], to, route_string(route),
                            route_vc(route));
}

struct face_packet crosspoint_face_packet(const struct crosspoint_packet *p)
{
    return (struct face_packet){FACE_COMMON(p),

                                .flags = (uint8_t)((p->flags & CROSSPOINT_LAST ? FACE_LAST : 0) |
                                                   (p->stream ? FACE_STREAM : 0))};
}

weft_status crosspoint_face_init(struct crosspoint_face *f, const struct graph *graph,
                                 const struct graph_routes *routes,
                                 const struct crosspoint_params *params)
{
    *f = (struct crosspoint_face){.face = {.routes_most = GRAPH_ONE_WAY_LINKS,
                                           .ports = 1,
                                           .cycles_per_us = params->clock_mhz,
                                           .inject = inject,
                                           .route = shortest,
                                           .routes = disjoint,
                                           .leads = leads},
                                  .graph = graph,
                                  .routes = routes,
                                  .params = params};
    return crosspoint_params_derive(params, graph, &f->derived);
}
