/* Packets as nics of hosts know them. */
#include "fabric/switches/state.h"

static uint32_t ports_to(const struct face *base, const struct network_part *part, uint32_t local,
                         uint32_t to)
{
    const struct switches_part *p = (const struct switches_part *)part;
    const struct switches_routing *r = ((const struct switches_face *)base)->routing;
    const struct switches_switch *s = &p->node[p->host[local].at];
    uint32_t leaf = r->graph->host_switch[to];
    if (base->ports < s->links || r->rule->can_detour || leaf == s->node)
        return (1u << base->ports) - 1;
    struct packet_way way = {.leaf = r->routes->leaf[leaf], .via = GRAPH_NONE};
    struct packet_moves m = switches_moves(r, s->node, &way);
    return (uint32_t)(m.ports | m.escape_ports);
}

static bool inject(const struct face *base, struct network_part *part, uint32_t local,
                   unsigned lane, const struct face_packet *f, cycle_t *free_at)
{
    const struct switches_routing *r = ((const struct switches_face *)base)->routing;
    struct switches_part *p = (struct switches_part *)part;
    struct switches_lane *l = &p->lane[(size_t)local * base->ports + lane];
    struct switches_host *h = &p->host[local];
    uint32_t words = switches_words(p->params, f->bytes);
    cycle_t now = part_now(part);
    unsigned vc = 0;
    for (unsigned other = 1; other < p->params->vcs; other++)
        vc = l->room[other] > l->room[vc] ? other : vc;
    if (l->room[vc] < words) {
        h->starved = 1;
        return false;
    }
    part_make_room(part);
    uint32_t index = part_take(part, PART_POOL(p));
    uint32_t slot = switches_host_slot(p, h->at, h->port + lane);
    p->pool[index] = (struct switches_packet){
        FACE_COMMON(f),
        .way = {.leaf = r->routes->leaf[r->graph->host_switch[f->destination]], .via = GRAPH_NONE},
        .number = f->number,
        .whole = f->whole,
        .words = (uint16_t)words,
        .port = (uint8_t)(h->port + lane),
        .vc = (uint8_t)vc,
        .flags = f->flags & FACE_LAST ? SWITCHES_LAST : 0};
    switches_room(p, slot, vc, l->room[vc], l->room[vc] - words);
    l->room[vc] = (uint16_t)(l->room[vc] - words);
    *free_at = now + words;
    part->measure.generated++;
    part->measure.moves++;
    part_injection(part, local, f->birth, f->bytes, now);
    switches_lane_busy(p, slot, vc, now, words);
    wheel_push(&part->wheel, now + p->params->host_wire_cycles,
               event_make(SWITCHES_ARRIVE, h->at, 0, 0, index));
    return true;
}

static bool leads(const struct face *base, const struct network_part *part, uint32_t local,
                  uint32_t to, uint64_t route)
{
    (void)part, (void)local;
    return to < ((const struct switches_face *)base)->routing->graph->hosts && !route;
}

struct face_packet switches_face_packet(const struct switches_packet *p)
{
    return (struct face_packet){FACE_COMMON(p),

                                .whole = p->whole, .number = p->number,
                                .flags = p->flags & SWITCHES_LAST ? FACE_LAST : 0};
}

struct switches_face switches_face_make(const struct switches_routing *routing)
{
    return (struct switches_face){.face = {.routes_most = 1,
                                           .ports = routing->params.lanes,
                                           .labels = true,
                                           .cycles_per_us = switches_mhz(&routing->params),
                                           .inject = inject,
                                           .ports_to = ports_to,
                                           .leads = leads},
                                  .routing = routing};
}
