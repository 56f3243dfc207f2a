/* Routes as nics keep them, and packets as nics know them. */
#include "fabric/tofu/state.h"

/* ---- routes ---- */

/* Behind the bits of a packet's route: whether it goes by the channels of I/O; and one that is
 * always set. */
enum { ROUTE_IS_IO = 56, ROUTE_IS_ONE };
_Static_assert(ROUTE_IS_ONE < (int)FACE_ROUTE_BITS, "a nic's own bits are above");

static uint64_t pack_route(tofu_route_t route, unsigned group)
{
    return route | (uint64_t)(group == TOFU_GROUP_IO) << ROUTE_IS_IO | 1ull << ROUTE_IS_ONE;
}

static tofu_route_t packet_route(uint64_t route)
{
    return route & ((1ull << ROUTE_IS_IO) - 1);
}

static uint64_t choose(const struct face *base, uint32_t from, uint32_t to, unsigned number)
{
    struct tofu_path path;
    tofu_route_t route;
    bool found = tofu_route_choose(((const struct tofu_face *)base)->routing, from, to, number + 1,
                                   &path, &route);
    WEFT_CHECK(found, "no path leads from node %u to node %u", from, to);
    return pack_route(route, path.group);
}

/* Routes the long way around a ring are left to choose(). */
static uint32_t disjoint(const struct face *base, uint32_t from, uint32_t to, uint32_t most,
                         uint64_t *out)
{
    const struct tofu_routing *r = ((const struct tofu_face *)base)->routing;
    struct tofu_path path[TOFU_PATHS];
    uint32_t count = tofu_route_disjoint(r, from, to, most, path);
    out[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        tofu_route_t route;
        bool found = !path[i].around && tofu_route_make(r, from, to, path[i], &route);
        out[i] = found ? pack_route(route, path[i].group) : 0;
    }
    return count ? count : 1;
}

/* Routes that begin with different links, or differ in length. */
static unsigned spread(uint64_t route)
{
    tofu_route_t own = packet_route(route);
    return own ? tofu_route_port(own) + tofu_route_hops(own) : 0;
}

static bool leads(const struct face *base, const struct network_part *part, uint32_t local,
                  uint32_t to, uint64_t route)
{
    const struct tofu_routing *r = ((const struct tofu_face *)base)->routing;
    tofu_route_t own = packet_route(route);
    return to < r->shape->nodes && route >> ROUTE_IS_ONE == 1 && tofu_route_is_one(own) &&
           tofu_route_is_whole(r, ((const struct tofu_part *)part)->node[local].node, to, own);
}

/* Looks at what is out of service now: leads the send around it, as software does. */
static uint8_t start(const struct face *base, struct network_part *part, uint32_t local,
                     uint32_t to, uint64_t packets, uint64_t *route)
{
    struct tofu_part *p = (struct tofu_part *)part;
    const struct tofu_outage *outage = tofu_outage_at(p->network->outages, part_now(part));
    uint8_t when = (uint8_t)(1 + (outage - p->network->outages->outage));
    uint32_t from = p->node[local].node;
    struct tofu_path path;
    tofu_route_t found;
    if (!outage->out) {
        tofu_outage_starts(p, packets);
        return when;
    }
    struct tofu_routing now = *((const struct tofu_face *)base)->routing;
    now.faults = &outage->faults;
    if (tofu_is_dead(now.faults, from) || tofu_is_dead(now.faults, to)) {
        tofu_outage_withholds(p, outage, from, to, packets);
        return 0;
    }
    tofu_outage_starts(p, packets);
    if (tofu_route_is_whole(&now, from, to, packet_route(*route)))
        return when;
    tofu_outage_detours(p, outage, from, packet_route(*route), packets);
    bool any = tofu_route_choose(&now, from, to, 1, &path, &found);
    WEFT_CHECK(any, "no path leads from node %u to node %u", from, to);
    *route = pack_route(found, path.group);
    return when;
}

/* ---- packets ---- */

uint32_t tofu_lines(uint32_t header_bytes, uint32_t bytes)
{
    uint32_t lines = (header_bytes + bytes + TOFU_LINE_BYTES - 1) / TOFU_LINE_BYTES;
    return lines < TOFU_MIN_LINES ? TOFU_MIN_LINES : lines;
}

static bool is_free(const struct network_part *part, uint32_t local, unsigned port)
{
    const struct tofu_part *p = (const struct tofu_part *)part;
    return tofu_queue_at(p, local, tofu_channel(TOFU_PORT_ENGINE + port, 0))->head == NO_PACKET;
}

static bool inject(const struct face *base, struct network_part *part, uint32_t local,
                   unsigned port, const struct face_packet *f, cycle_t *free_at)
{
    const struct tofu_face *face = (const struct tofu_face *)base;
    struct tofu_part *p = (struct tofu_part *)part;
    if (!is_free(part, local, port))
        return false;
    bool shortest = f->flags & FACE_GATE && !f->bytes; /* of a barrier: there are none shorter */
    uint32_t lines = shortest ? TOFU_MIN_LINES : tofu_lines(face->header_bytes, f->bytes);
    uint32_t index = tofu_get(p);
    bool io = f->route >> ROUTE_IS_IO & 1;
    int flags = (f->flags & FACE_LAST ? TOFU_LAST : 0) | (f->flags & FACE_ASKS ? TOFU_GET : 0) |
                (f->flags & FACE_GATE ? TOFU_BARRIER : 0) | (io ? TOFU_IO : 0) |
                (f->flags & FACE_NUMBERED ? TOFU_NUMBERED : 0);
    p->pool[index] = (struct tofu_packet){
        FACE_COMMON(f),           .route = packet_route(f->route),
        .lines = (uint16_t)lines, .vc = io ? TOFU_GROUP_VCS : 0,
        .flags = (uint8_t)flags,  .engine = (uint8_t)(port % TOFU_ENGINES),
        .started = f->started,    .asked = f->flags & FACE_ASKS ? f->whole : f->number};
    p->base.measure.generated++;
    tofu_enqueue(p, &p->node[local], tofu_channel(TOFU_PORT_ENGINE + port, 0), index);
    *free_at = part_now(part) + lines;
    return true;
}

struct face_packet tofu_face_packet(const struct tofu_packet *p)
{
    return (struct face_packet){FACE_COMMON(p),

                                .whole = p->asked, .number = p->asked,
                                .flags = (uint8_t)((p->flags & TOFU_LAST ? FACE_LAST : 0) |
                                                   (p->flags & TOFU_GET ? FACE_ASKS : 0) |
                                                   (p->flags & TOFU_BARRIER ? FACE_GATE : 0) |
                                                   (p->flags & TOFU_NUMBERED ? FACE_NUMBERED : 0)),
                                .port = p->engine};
}

struct tofu_face tofu_face_make(const struct tofu_routing *routing,
                                const struct tofu_params *params,
                                const struct tofu_outages *outages, uint32_t header_bytes)
{
    return (struct tofu_face){.face = {.routes_most = TOFU_PATHS,
                                       .ports = TOFU_ENGINES + 1,
                                       .cycles_per_us = params->link_mb_per_s / TOFU_LINE_BYTES,
                                       .inject = inject,
                                       .is_free = is_free,
                                       .route = choose,
                                       .spread = spread,
                                       .routes = disjoint,
                                       .leads = leads,
                                       .start = outages ? start : NULL,
                                       .starts = outages ? (uint8_t)outages->count : 0},
                              .routing = routing,
                              .header_bytes = header_bytes};
}
