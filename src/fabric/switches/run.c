/*
 * A partition's cycle: apply all events, then let every switch and host that an event touched take
 * its step. Events of one cycle touch separate queues and add to counts, so their order does not
 * matter.
 *
 * The state of a full network is in no cache near the core, but the wheel knows what comes next:
 * what an event touches is fetched a block of events before, and what its switch's step will touch
 * as far as the event tells.
 */
#include "fabric/switches/state.h"

enum { FETCH_STEPS = 4 };

static void mark_host(struct switches_part *p, uint32_t local)
{
    struct switches_host *h = &p->host[local];
    h->serve = 1;
    part_mark(&p->dirty_hosts, &h->dirty, local);
}

/* Words behind an output are free, or it opens. */
WEFT_INLINE void take_credit(struct switches_part *p, uint32_t local, uint32_t what, bool opens)
{
    unsigned port = what >> 24, vc = what >> 16 & 255;
    struct switches_output *o = &p->output[(size_t)local * p->ports + port];
    struct switches_switch *s = &p->node[local];
    switches_room(p, switches_slot(p, local, port), vc, o->room[vc], o->room[vc] + (what & 0xffff));
    o->room[vc] = (uint16_t)(o->room[vc] + (what & 0xffff));
    o->all_room += what & 0xffff;
    s->watched &= ~((uint64_t)opens << port);
    s->stuck &= ~((uint64_t)!opens << port);
    if (!((s->wanted & ~s->watched) >> port & 1))
        return; /* nobody is looking for room, or none before it is open */
    s->look |= 1ull << port;
    switches_mark(p, s);
}

static void take_room(struct switches_part *p, uint32_t local, uint32_t what)
{
    uint32_t lane = what >> 24, vc = what >> 16 & 255;
    const struct switches_host *h = &p->host[local];
    uint16_t *room = &p->lane[(size_t)local * p->params->lanes + lane].room[vc];
    switches_room(p, switches_host_slot(p, h->at, h->port + lane), vc, *room,
                  *room + (what & 0xffff));
    *room = (uint16_t)(*room + (what & 0xffff));
    if (h->starved)
        mark_host(p, local);
}

/* Fetches what a packet that has come will touch: its queue, the input's link, and its route. */
WEFT_INLINE void fetch_queue(const struct switches_part *p, uint32_t local,
                             const struct switches_packet *packet)
{
    uint32_t number = packet->vc * p->ports + packet->port;
    const struct packet_way *way = &packet->way;
    __builtin_prefetch(&switches_queues(p, local)[number], 1);
    __builtin_prefetch(&switches_heads(p, local)[number], 1);
    __builtin_prefetch(&p->output[(size_t)local * p->ports + packet->port], 1);
    graph_routes_fetch(p->routing->routes, p->node[local].node,
                       way->via == GRAPH_NONE ? way->leaf : way->via);
}

WEFT_INLINE void apply_event(struct network_part *base, event_t e)
{
    struct switches_part *p = (struct switches_part *)base;
    uint32_t local = event_node(e), payload = event_payload(e);
    struct switches_switch *s = &p->node[local]; /* of a switch's event */
    struct switches_head *h;
    switch (event_kind(e)) {
    case SWITCHES_ARRIVE:
        p->pool[payload].next = s->arrivals;
        s->arrivals = payload;
        fetch_queue(p, local, &p->pool[payload]);
        break;
    case SWITCHES_CREDIT:
    case SWITCHES_LOOK: /* one case: which it is, nobody can predict */
        take_credit(p, local, payload, event_kind(e) == SWITCHES_LOOK);
        return;
    case SWITCHES_READY:
        h = &switches_heads(p, local)[payload];
        h->pending = false;
        h->next_due = (uint16_t)s->due;
        s->due = payload;
        __builtin_prefetch(&p->pool[switches_queues(p, local)[payload].head], 1);
        break;
    case SWITCHES_ROOM:
        take_room(p, local, payload);
        return;
    default:
        mark_host(p, local);
        return;
    }
    switches_mark(p, s);
}

/*
 * What an event of a kind touches, two places: base + node * per_node + (payload >> shift) *
 * per_item. By a table, since kinds come in no order: branches on them would cost more than they
 * fetch.
 */
struct touched {
    const void *base;
    size_t per_node, per_item;
    unsigned shift;
};

struct fetcher {
    struct touched of[SWITCHES_SERVE + 1][2]; /* [kind] */
};

static struct fetcher fetcher_of(const struct switches_part *p)
{
    size_t ports = p->ports, queues = ports * p->params->vcs, node = sizeof(*p->node);
    struct touched s = {p->node, node, 0, 0}, h = {p->host, sizeof(*p->host), 0, 0};
    struct touched output = {p->output, ports * sizeof(*p->output), sizeof(*p->output), 24};
    struct touched lane = {p->lane, p->params->lanes * sizeof(*p->lane), sizeof(*p->lane), 24};
    return (struct fetcher){
        .of = {[SWITCHES_ARRIVE] = {s, {p->pool, 0, sizeof(*p->pool), 0}},
               [SWITCHES_CREDIT] = {s, output},
               [SWITCHES_LOOK] = {s, output},
               [SWITCHES_READY] = {{p->queue, queues * sizeof(*p->queue), sizeof(*p->queue), 0},
                                   {p->head, queues * sizeof(*p->head), sizeof(*p->head), 0}},
               [SWITCHES_ROOM] = {h, lane},
               [SWITCHES_SERVE] = {h, lane}}};
}

WEFT_INLINE void fetch_touched(const struct touched *t, event_t e)
{
    __builtin_prefetch((const char *)t->base + event_node(e) * t->per_node +
                           (size_t)(event_payload(e) >> t->shift) * t->per_item,
                       1);
}

WEFT_INLINE void fetch(const void *ctx, event_t e)
{
    const struct touched *touched = ((const struct fetcher *)ctx)->of[event_kind(e)];
    fetch_touched(&touched[0], e);
    fetch_touched(&touched[1], e);
}

static void serve(struct switches_part *p, uint32_t local, cycle_t now)
{
    struct switches_host *h = &p->host[local];
    const struct face_client *client = &p->network->client;
    h->dirty = h->serve = h->starved = 0;
    client->serve(client->ctx, &p->base, local, h->host, now);
}

void switches_advance(struct network_part *part, cycle_t until)
{
    struct switches_part *p = (struct switches_part *)part;
    cycle_t now;
    while (part_next_cycle(&p->base, until, &now)) {
        struct fetcher f = fetcher_of(p);
        part_apply_fetched(&p->base, now, fetch, &f, apply_event);
        for (uint32_t i = 0; i < p->dirty.count; i++) {
            p->node[p->dirty.node[i]].dirty = 0;
            switches_step(p, p->dirty.node[i], now);
        }
        p->dirty.count = 0;
        for (uint32_t i = 0; i < p->dirty_hosts.count; i++)
            serve(p, p->dirty_hosts.node[i], now);
        p->dirty_hosts.count = 0;
    }
}
