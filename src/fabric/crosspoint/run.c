/*
 * A partition's cycle: apply all events, then let every switch that an event touched take its step.
 * Events of one cycle touch separate inputs and entries, so their order does not matter.
 */
#include "fabric/crosspoint/state.h"

WEFT_INLINE void apply_event(struct network_part *base, event_t e)
{
    struct crosspoint_part *p = (struct crosspoint_part *)base;
    struct crosspoint_node *s = &p->node[event_node(e)];
    unsigned port = event_port(e);
    uint32_t payload = event_payload(e);
    switch (event_kind(e)) {
    case CROSSPOINT_ARRIVE:
        s->arrival[port] = payload;
        s->arrived |= (uint8_t)(1u << port);
        break;
    case CROSSPOINT_FREE:
        crosspoint_set_busy(p, s, port, payload >> 16,
                            s->busy[port][payload >> 16] & (uint16_t)~payload);
        s->look |= (uint8_t)(1u << port);
        if (!s->waiting[port])
            return; /* nobody is looking for room */
        break;
    case CROSSPOINT_OWN:
        s->busy[port][payload >> 16] &= (uint16_t)~payload;
        s->serve = 1;
        break;
    case CROSSPOINT_LOOK:
        s->watched &= (uint8_t) ~(1u << port);
        s->look |= (uint8_t)(1u << port);
        break;
    case CROSSPOINT_SERVE:
        s->serve = 1;
        break;
    default:
        crosspoint_link_note(p, e);
        s->notes = 1;
        break;
    }
    crosspoint_mark(p, s);
}

void crosspoint_advance(void *ctx, uint32_t partition, cycle_t until)
{
    struct crosspoint_part *p = crosspoint_part_at(ctx, partition);
    cycle_t now;
    while (part_next_cycle(&p->base, until, &now)) {
        part_apply(&p->base, now, apply_event);
        for (uint32_t i = 0; i < p->dirty.count; i++) {
            p->node[p->dirty.node[i]].dirty = 0;
            crosspoint_step(p, p->dirty.node[i], now);
        }
        p->dirty.count = 0;
    }
}

/* ---- for clients ---- */

bool crosspoint_inject(struct network_part *part, uint32_t local,
                       const struct crosspoint_packet *packet)
{
    struct crosspoint_part *p = (struct crosspoint_part *)part;
    struct crosspoint_node *s = &p->node[local];
    unsigned output = crosspoint_output(p->derived, packet->route);
    uint16_t *busy = &s->busy[p->degree][output];
    uint16_t free = p->derived->vc_entries[packet->vc] & (uint16_t) ~*busy;
    if (!free)
        return false;
    uint32_t index = crosspoint_get(p);
    p->pool[index] = *packet;
    p->pool[index].entry = (uint8_t)__builtin_ctz(free);
    *busy |= (uint16_t)(1u << p->pool[index].entry);
    p->base.measure.generated++;
    crosspoint_enqueue(p, s, p->degree, index);
    return true;
}

uint32_t crosspoint_route(const struct crosspoint_derived *d, const struct graph_route *route)
{
    uint32_t string = 0;
    for (uint32_t hop = 0; hop < d->most_hops; hop++)
        string |= (hop < route->hops ? route->port[hop] : d->ports - 1) << d->route_bits * hop;
    return string;
}
