/*
 * Fetching ahead: the state of a large machine is in no cache, but the wheel knows which nodes come
 * next. It comes in waves, each of which needs the one before:
 *   - what an event writes, by a scout some events ahead of the one that is applied (it only reads;
 *     where events are pushed behind it, it misses them);
 *   - when a departure is applied: the packet that comes to the head of its queue;
 *   - some steps before a node's own: its router; then the queues that may win a link, and the
 *     sender to which an acknowledgment will go; then the packets at the heads of these queues.
 */
#ifndef WEFT_FABRIC_TORUS_FETCH_H
#define WEFT_FABRIC_TORUS_FETCH_H

#include "fabric/torus_state.h"

enum {
    FETCH_EVENTS = 24, /* between the scout and the event that is applied */
    FETCH_CYCLES = 3,  /* the scout looks at, the one that runs included */
    FETCH_HEADS = 3,   /* of the queues that may win a link */
    /* Steps between the node for which something is fetched and the one that steps. */
    FETCH_ROUTERS_AHEAD = 20,
    FETCH_QUEUES_AHEAD = 10,
    FETCH_HEADS_AHEAD = 8,
};

static inline void fetch_event(const struct torus_part *p, event_t e)
{
    uint32_t node = event_node(e);
    unsigned kind = event_kind(e);
    const struct router *r = &p->router[node];
    __builtin_prefetch(&r->dirty, 1);
    if (kind == EVENT_ARRIVE) {
        unsigned q = event_port(e) * p->derived->lanes + event_vc(e);
        __builtin_prefetch(&r->filled, 1);
        __builtin_prefetch(&p->pool[event_payload(e)], 1);
        __builtin_prefetch(queue_at(p, node, q), 1);
    } else if (kind == EVENT_SENT) {
        __builtin_prefetch(queue_at(p, node, event_payload(e)), 1);
    } else if (kind == EVENT_ACK) {
        __builtin_prefetch(&r->port[event_port(e)], 1);
    }
}

/* The packet at the head of a queue that is here already. */
static inline void fetch_head(const struct torus_part *p, uint32_t node, unsigned q)
{
    uint32_t head = queue_at(p, node, q)->head;
    if (head != PACKET_NONE)
        __builtin_prefetch(&p->pool[head], 1);
}

/* Queues that may win a link now. */
static inline uint64_t hopeful_queues(const struct router *r, cycle_t now)
{
    return heads_towards(r, free_links(r, now)) & ~(r->busy | r->no_path);
}

static inline void fetch_router(const struct torus_part *p, uint32_t node)
{
    const char *router = (const char *)&p->router[node];
    for (size_t line = 0; line < offsetof(struct router, reception); line += CACHE_LINE)
        __builtin_prefetch(router + line, 1);
}

/* For a node whose router is here: some queues that may win, and where acknowledgments go. */
static inline void fetch_queues(const struct torus_part *p, uint32_t node, cycle_t now)
{
    const struct router *r = &p->router[node];
    uint64_t queues = hopeful_queues(r, now);
    for (unsigned i = 0; i < FETCH_HEADS && queues; i++, queues &= queues - 1)
        __builtin_prefetch(queue_at(p, node, (unsigned)__builtin_ctzll(queues)), 1);
    if (!r->sent)
        return;
    unsigned receiver = p->lane_receiver[r->port[__builtin_ctz(r->sent)].transfer.queue];
    if (receiver == ROUTER_PORTS)
        return;
    uint32_t to = r->port[torus_opposite(receiver)].neighbour;
    if (!(to & FAR))
        __builtin_prefetch(&p->router[to].port[receiver], 1);
}

/* For one that will step sooner: the packets at their heads. */
static inline void fetch_heads(const struct torus_part *p, uint32_t node, cycle_t now)
{
    uint64_t queues = hopeful_queues(&p->router[node], now);
    for (unsigned i = 0; i < FETCH_HEADS && queues; i++, queues &= queues - 1)
        fetch_head(p, node, (unsigned)__builtin_ctzll(queues));
}

/* Before the step of the first of so many nodes. */
static inline void fetch_for_steps(const struct torus_part *p, const uint32_t *node, uint32_t count,
                                   cycle_t now)
{
    if (FETCH_ROUTERS_AHEAD < count)
        fetch_router(p, node[FETCH_ROUTERS_AHEAD]);
    if (FETCH_QUEUES_AHEAD < count)
        fetch_queues(p, node[FETCH_QUEUES_AHEAD], now);
    if (FETCH_HEADS_AHEAD < count)
        fetch_heads(p, node[FETCH_HEADS_AHEAD], now);
}

struct scout {
    cycle_t time, end; /* where it is; it stops before `end` */
    struct wheel_chain chain;
    uint32_t done; /* events of the chain's block */
};

/* One event on; false: there is none in sight. */
static inline bool scout_move(struct scout *s, const struct torus_part *p)
{
    while (s->done == s->chain.count) {
        if (s->chain.block)
            s->chain = wheel_look_on(&p->base.wheel, s->chain);
        while (!s->chain.block) {
            if (++s->time >= s->end) {
                s->chain.count = s->done = 0;
                return false;
            }
            s->chain = wheel_look(&p->base.wheel, s->time);
        }
        s->done = 0;
    }
    fetch_event(p, wheel_events(&p->base.wheel, s->chain)[s->done++]);
    return true;
}

/* A scout some events ahead of the cycle's first. */
static inline struct scout scout_start(const struct torus_part *p, cycle_t now)
{
    struct scout s = {.time = now, .end = now + FETCH_CYCLES};
    s.chain = wheel_look(&p->base.wheel, now);
    for (unsigned i = 0; i < FETCH_EVENTS && scout_move(&s, p); i++)
        ;
    return s;
}

#endif
