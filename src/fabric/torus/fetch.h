/*
 * Fetching ahead: the state of a large machine is in no cache, but the wheel knows which nodes come
 * next. Fetching comes in waves, each of which needs the one before:
 *   - what an event writes, by a scout some events ahead of the one being applied (the scout only
 *     reads, and misses events pushed behind it); then the packets found that way;
 *   - some steps before a node's own: its router; then the queues that may win a link, and the
 *     sender to which an acknowledgment will go; then the packets at the heads of these queues.
 */
#ifndef WEFT_FABRIC_TORUS_FETCH_H
#define WEFT_FABRIC_TORUS_FETCH_H

#include "fabric/torus/state.h"

enum {
    FETCH_EVENTS = 32,       /* between the scout and the event being applied */
    FETCH_OTHERS_AHEAD = 16, /* the same for its second wave */
    FETCH_CYCLES = 3,        /* that the scout looks at, the current one included */
    /* Steps between the node being fetched and the one that steps. */
    FETCH_ROUTERS_AHEAD = 20,
    FETCH_QUEUES_AHEAD = 10,
    FETCH_HEADS_AHEAD = 8,
};

/* The queue that an event's packet leaves or enters; for other events, the node's first. */
static inline const struct torus_queue *event_queue(const struct torus_part *p, event_t e)
{
    unsigned kind = event_kind(e), q = event_port(e) * p->derived->receiver_queues + event_vc(e);
    q = kind == TORUS_EVENT_ARRIVE ? q : 0;
    q = kind == TORUS_EVENT_SENT || kind == TORUS_EVENT_RECEIVED ? event_payload(e) : q;
    return queue_at(p, event_node(e), q);
}

/* First wave: the node's marks and fill levels, the queue, and the arriving packet. Event kinds
 * cannot be predicted: fetching too much costs less than a branch. */
static inline void fetch_event(const struct torus_part *p, event_t e)
{
    const struct torus_router *r = &p->router[event_node(e)];
    __builtin_prefetch(&r->dirty, 1);
    __builtin_prefetch(&r->filled, 1);
    __builtin_prefetch(event_queue(p, e), 1);
    __builtin_prefetch(&p->pool[event_payload(e)], 1);
}

/* Second wave: the packet behind which one arrives, or the one that becomes the head. */
static inline void fetch_other_packet(const struct torus_part *p, event_t e)
{
    const struct torus_queue *queue = event_queue(p, e);
    uint32_t other = event_kind(e) == TORUS_EVENT_ARRIVE ? queue->tail : queue->head;
    __builtin_prefetch(&p->pool[other], 1);
}

/* The packet at the head of a queue that is already in the cache. */
static inline void fetch_head(const struct torus_part *p, uint32_t node, unsigned q)
{
    __builtin_prefetch(&p->pool[queue_at(p, node, q)->head], 1); /* an empty queue does no harm */
}

static inline void fetch_router(const struct torus_part *p, uint32_t node)
{
    const char *router = (const char *)&p->router[node];
    for (size_t line = 0; line < offsetof(struct torus_router, reception); line += CACHE_LINE)
        __builtin_prefetch(router + line, 1);
}

/* Two queues of a node whose heads matter in its step: the one that a packet has left and one that
 * may win a link now, or two of the latter. If there are not two: the same twice, or any. */
struct hopeful {
    uint8_t queue[2];
};

static inline struct hopeful find_hopeful(const struct torus_router *r, cycle_t now)
{
    uint64_t queues = heads_towards(r, free_links(r, now)) & ~(r->busy | r->no_path);
    uint64_t others = queues & (queues - 1);
    unsigned first = queues ? (unsigned)__builtin_ctzll(queues) : 0;
    unsigned second = others ? (unsigned)__builtin_ctzll(others) : first;
    if (r->sent)
        second = r->port[__builtin_ctz(r->sent)].transfer.queue;
    return (struct hopeful){{(uint8_t)first, (uint8_t)second}};
}

/* Where the acknowledgment of a packet that has left a queue will go. */
static inline void fetch_ack(const struct torus_part *p, const struct torus_router *r,
                             unsigned queue)
{
    unsigned receiver = p->queue_receiver[queue];
    if (receiver == TORUS_PORTS)
        return;
    uint32_t to = r->port[torus_opposite(receiver)].neighbour;
    if (!(to & ELSEWHERE))
        __builtin_prefetch(&p->router[to].port[receiver], 1);
}

/* The waves before the steps of a list. None branches on what a router holds: fetching too much
 * costs less. */
struct waves {
    const uint32_t *node;
    uint32_t count;
    struct hopeful hopeful[FETCH_QUEUES_AHEAD]; /* of the nodes since the third wave */
};

static inline void wave_of_queues(struct waves *w, const struct torus_part *p, uint32_t i,
                                  cycle_t now)
{
    if (i >= w->count)
        return;
    uint32_t node = w->node[i];
    const struct torus_router *r = &p->router[node];
    struct hopeful hopeful = find_hopeful(r, now);
    w->hopeful[i % FETCH_QUEUES_AHEAD] = hopeful;
    __builtin_prefetch(queue_at(p, node, hopeful.queue[0]), 1);
    __builtin_prefetch(queue_at(p, node, hopeful.queue[1]), 1);
    if (r->sent)
        fetch_ack(p, r, hopeful.queue[1]);
}

static inline void wave_of_heads(const struct waves *w, const struct torus_part *p, uint32_t i)
{
    if (i >= w->count)
        return;
    struct hopeful hopeful = w->hopeful[i % FETCH_QUEUES_AHEAD];
    fetch_head(p, w->node[i], hopeful.queue[0]);
    fetch_head(p, w->node[i], hopeful.queue[1]);
}

/* Before step i. */
static inline void waves_move(struct waves *w, const struct torus_part *p, uint32_t i, cycle_t now)
{
    if (i + FETCH_ROUTERS_AHEAD < w->count)
        fetch_router(p, w->node[i + FETCH_ROUTERS_AHEAD]);
    wave_of_queues(w, p, i + FETCH_QUEUES_AHEAD, now);
    wave_of_heads(w, p, i + FETCH_HEADS_AHEAD);
}

/* Before the first step: fetches what earlier steps would have fetched. */
static inline void waves_start(struct waves *w, const struct torus_part *p, enum dirty_list list,
                               cycle_t now)
{
    w->node = p->dirty[list].node;
    w->count = p->dirty[list].count;
    for (uint32_t i = 0; i < FETCH_ROUTERS_AHEAD && i < w->count; i++)
        fetch_router(p, w->node[i]);
    for (uint32_t i = 0; i < FETCH_QUEUES_AHEAD; i++)
        wave_of_queues(w, p, i, now);
    for (uint32_t i = 0; i < FETCH_HEADS_AHEAD; i++)
        wave_of_heads(w, p, i);
}

struct scout {
    cycle_t time, end; /* its position; it stops before `end` */
    struct wheel_chain chain;
    uint32_t done; /* events of the chain's block */
    uint32_t seen;
    event_t event[FETCH_EVENTS]; /* the last ones it saw */
};

/* Moves on by one event; false: none is in sight. */
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
    event_t e = wheel_events(&p->base.wheel, s->chain)[s->done++];
    fetch_event(p, e);
    fetch_other_packet(p, s->event[(s->seen + FETCH_OTHERS_AHEAD) % FETCH_EVENTS]);
    s->event[s->seen++ % FETCH_EVENTS] = e;
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
