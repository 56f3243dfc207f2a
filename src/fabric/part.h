/*
 * One partition of a network: what all fabrics share. A fabric's own partition begins with this.
 *
 *   - events and measures: wheel.h, measure.h;
 *   - pool: packets of the fabric's own type, by index; free ones are chained;
 *   - tables: the state, as flat arrays; each is named once, and all are made together on the
 *     thread that will use them, and saved, restored and released together;
 *   - far links: their ends in other partitions, and carrying events and packets there;
 *   - cycles: which comes next, its events, and the nodes that take a step in it.
 */
#ifndef WEFT_FABRIC_PART_H
#define WEFT_FABRIC_PART_H

#include <string.h>

#include "base/slots.h"
#include "engine/engine.h"
#include "engine/wheel.h"
#include "fabric/detail.h"
#include "fabric/measure.h"

/* For the few functions of hot loops that a compiler would rather not inline. */
#define WEFT_INLINE static inline __attribute__((always_inline))

/*
 * How fabrics pack an event into 64 bits: 32 of payload, 22 of node within the partition, 4 of
 * kind, 3 of port, 3 of VC. Each fabric has its own kinds.
 */

enum {
    EVENT_PORT_SHIFT = 3,
    EVENT_KIND_SHIFT = 6,
    EVENT_NODE_SHIFT = 10,
    EVENT_MAX_NODES = 1 << 22
};

static inline event_t event_make(unsigned kind, uint32_t node, unsigned port, unsigned vc,
                                 uint32_t payload)
{
    return (uint64_t)payload << 32 | (uint64_t)node << EVENT_NODE_SHIFT | kind << EVENT_KIND_SHIFT |
           port << EVENT_PORT_SHIFT | vc;
}

static inline unsigned event_kind(event_t e)
{
    return e >> EVENT_KIND_SHIFT & 15;
}

static inline uint32_t event_node(event_t e)
{
    return (uint32_t)e >> EVENT_NODE_SHIFT;
}

static inline unsigned event_port(event_t e)
{
    return e >> EVENT_PORT_SHIFT & 7;
}

static inline unsigned event_vc(event_t e)
{
    return e & 7;
}

static inline uint32_t event_payload(event_t e)
{
    return (uint32_t)(e >> 32);
}

/* Not a packet of the pool: the end of a queue. */
#define NO_PACKET UINT32_MAX

/* Flags a link end in another partition: the other bits are an index of far, not a local node. */
#define ELSEWHERE 0x80000000u

struct far_node {
    uint32_t channel, local;
};

enum { PART_TABLES_MOST = 20 };

enum part_table_kind {
    PART_SAVED,   /* part of the state */
    PART_PACKETS, /* the same, up to the pool's last place ever used */
    PART_SCRATCH, /* empty between cycles, made the same again, or saved by its owner */
};

struct part_table {
    void *at; /* where the pointer to the table is kept */
    size_t bytes;
    enum part_table_kind kind;
    size_t item; /* bytes of an item */
};

struct network_kind;

/* The first member of each fabric's partition. */
struct network_part {
    const struct network_kind *kind;
    struct wheel wheel;
    struct measure measure;
    struct detail detail;
    uint32_t index;
    cycle_t lookahead; /* of the engine: the length of a window */
    uint32_t nodes;
    uint32_t member_count, *members;    /* routers or switches: their numbers in the machine */
    uint32_t packets;                   /* in its pool: in queues and on wires */
    uint32_t awaited;                   /* processes that have started and not finished */
    event_t wake;                       /* an event that has a node's client served */
    uint64_t cut_dependent_events;      /* events that another cut into partitions may not have */
    uint32_t free_packet, fresh_packet; /* free list; first place never used */
    uint32_t pool_packets;              /* places */
    uint32_t *sent;                     /* [node], packets while measured; NULL: of a closed run */
    bool pool_grows;                    /* part_make_room() is called before a packet is made */
    uint32_t far_count;
    struct far_node *far;
    struct part_table table[PART_TABLES_MOST];
    uint32_t tables;
} __attribute__((aligned(64)));

/* ---- what clients ask of every partition ---- */

WEFT_INLINE cycle_t part_now(const struct network_part *p)
{
    return p->wheel.now;
}

/* Asks for a node's client to be served in cycle `when`, which must be later than now. */
WEFT_INLINE void part_wake(struct network_part *p, uint32_t local, cycle_t when)
{
    wheel_push(&p->wheel, when, p->wake | event_make(0, local, 0, 0, 0));
}

/* Adds to (or subtracts from) the processes that have not finished. */
WEFT_INLINE void part_await(struct network_part *p, int processes)
{
    p->awaited += (uint32_t)processes;
}

/* Adds something that happened to the digest, and to the run's progress. */
WEFT_INLINE void part_record(struct network_part *p, uint64_t hash)
{
    p->measure.digest += hash;
    p->measure.moves++;
}

/* ---- tables ---- */

/* Makes a zeroed table: PART_TABLE(p, &p->router, nodes, PART_SAVED). */
#define PART_TABLE(PART, POINTER, COUNT, KIND)                                                     \
    (*(POINTER) = part_table(&(PART)->base, POINTER, COUNT, sizeof(**(POINTER)), KIND))
void *part_table(struct network_part *p, void *pointer, size_t count, size_t size,
                 enum part_table_kind kind);

/* Releases everything a partition owns. */
void part_fini(struct network_part *p);

/* Saves or restores the partition. */
void part_archive(struct network_part *p, struct archive *a);

/* ---- the pool ---- */

/* Where a fabric's packets are. Sizes are compile-time constants, so it costs nothing. */
struct part_pool {
    void *packet;
    size_t size, next_at; /* of a packet; offset of its 32-bit `next` */
    uint64_t *cargo;      /* [packet], if cargo is kept outside the packets; NULL: it is not */
};

/* The pool of a fabric's partition, whose member `pool` has the packets; cargoes are in these. */
#define PART_POOL(PART)                                                                            \
    ((struct part_pool){.packet = (PART)->pool,                                                    \
                        .size = sizeof(*(PART)->pool),                                             \
                        .next_at = offsetof(__typeof__(*(PART)->pool), next)})

/* What is wrong with a restored partition, apart from its events and what is the fabric's own;
 * NULL: nothing. Begins a visited set of the pool with the free packets; the caller ends it. */
const char *part_flaw(const struct network_part *p, struct part_pool pool, struct visited *packets);

WEFT_INLINE uint32_t *part_next(struct part_pool pool, uint32_t index)
{
    return (uint32_t *)((char *)pool.packet + index * pool.size + pool.next_at);
}

/* Appends a packet to a queue; true: it was empty. */
WEFT_INLINE bool part_append(struct part_pool pool, uint32_t *head, uint32_t *tail, uint32_t index)
{
    bool empty = *head == NO_PACKET;
    *part_next(pool, index) = NO_PACKET;
    *(empty ? head : part_next(pool, *tail)) = index;
    *tail = index;
    return empty;
}

/* Removes a packet from a queue; `before`: the one in front of it, NO_PACKET: none. */
static inline void part_remove(struct part_pool pool, uint32_t *head, uint32_t *tail,
                               uint32_t before, uint32_t index)
{
    *(before == NO_PACKET ? head : part_next(pool, before)) = *part_next(pool, index);
    if (*tail == index)
        *tail = before;
}

/* Packets of a queue. */
static inline uint32_t part_queue_length(struct part_pool pool, uint32_t head)
{
    uint32_t length = 0;
    for (; head != NO_PACKET; head = *part_next(pool, head))
        length++;
    return length;
}

/* Doubles the pool, which moves. */
void part_grow(struct network_part *p);

/* For pools that grow: has a place ready. Call it before anything refers to the pool. */
WEFT_INLINE void part_make_room(struct network_part *p)
{
    if (__builtin_expect(p->free_packet == NO_PACKET && p->fresh_packet == p->pool_packets, 0))
        part_grow(p);
}

WEFT_INLINE uint32_t part_take(struct network_part *p, struct part_pool pool)
{
    uint32_t index = p->free_packet;
    if (index != NO_PACKET)
        p->free_packet = *part_next(pool, index);
    else
        index = p->fresh_packet++;
    WEFT_CHECK(index < p->pool_packets, "partition %u holds more than %u packets", p->index,
               p->pool_packets);
    p->packets++;
    return index;
}

WEFT_INLINE void part_give(struct network_part *p, struct part_pool pool, uint32_t index)
{
    *part_next(pool, index) = p->free_packet;
    p->free_packet = index;
    p->packets--;
}

/* Bytes of a packet on its way between partitions. */
static inline uint32_t part_body_bytes(size_t size, bool cargoes)
{
    return (uint32_t)(size + (cargoes ? sizeof(uint64_t) : 0));
}

/* ---- links to other partitions ---- */

/* The link end at node `local` of another partition: an index of far, flagged with ELSEWHERE. */
uint32_t part_far(struct network_part *p, uint32_t channel, uint32_t local);

/* Sends an event to another partition; the packet that its payload names may go with it. */
WEFT_INLINE void part_ship(struct network_part *p, struct channel *channel, cycle_t time, event_t e,
                           bool packet, struct part_pool pool)
{
    uint32_t index = event_payload(e);
    char *body = channel_send(channel, time, e, packet);
    if (!packet)
        return;
    memcpy(body, (char *)pool.packet + index * pool.size, pool.size);
    if (pool.cargo)
        memcpy(body + pool.size, &pool.cargo[index], sizeof(*pool.cargo));
    part_give(p, pool, index);
}

/* Sends an event to the node behind a link; the packet that its payload names may go with it. */
WEFT_INLINE void part_carry(struct network_part *p, struct channel *channels, uint32_t to,
                            cycle_t time, unsigned kind, unsigned port, unsigned vc,
                            uint32_t payload, bool packet, struct part_pool pool)
{
    if (!(to & ELSEWHERE)) {
        wheel_push(&p->wheel, time, event_make(kind, to, port, vc, payload));
        return;
    }
    const struct far_node *far = &p->far[to & ~ELSEWHERE];
    part_ship(p, &channels[far->channel], time, event_make(kind, far->local, port, vc, payload),
              packet, pool);
}

/* Puts a packet from another partition into the pool; returns its event, with the packet's index.
 * Advances *body. */
WEFT_INLINE event_t part_unpack(struct network_part *p, event_t e, const unsigned char **body,
                                struct part_pool pool)
{
    uint32_t index = part_take(p, pool);
    memcpy((char *)pool.packet + index * pool.size, *body, pool.size);
    if (pool.cargo)
        memcpy(&pool.cargo[index], *body + pool.size, sizeof(*pool.cargo));
    *body += part_body_bytes(pool.size, pool.cargo);
    return (e & UINT32_MAX) | (uint64_t)index << 32;
}

/* ---- measuring ---- */

/* Whether links and nodes are measured one by one. */
WEFT_INLINE bool part_is_detailed(const struct network_part *p)
{
    return __builtin_expect(p->detail.flow != NULL, 0);
}

/* Counts something that a link did. */
WEFT_INLINE void part_count(struct network_part *p, enum link_count what)
{
    p->measure.link[what]++;
}

/* A packet leaves its sender for the network. */
WEFT_INLINE void part_injection(struct network_part *p, uint32_t local, cycle_t birth,
                                uint64_t payload, cycle_t now)
{
    measure_injection(&p->measure, birth, now);
    if (p->sent)
        p->sent[local] += measure_is_within(&p->measure, now);
    if (part_is_detailed(p))
        detail_injection(&p->detail, &p->measure, local, birth, payload, now);
}

/* The last byte of a packet reaches node `at`, which is `local` here. */
WEFT_INLINE void part_delivery(struct network_part *p, uint32_t local, const struct delivery *d,
                               uint32_t at, cycle_t time)
{
    measure_delivery(&p->measure, d, at, time);
    if (part_is_detailed(p))
        detail_delivery(&p->detail, &p->measure, local, d, time);
}

/* A packet on a VC keeps the link of a slot busy during [start, start + length); returns the cycles
 * of these that are in the window. */
WEFT_INLINE cycle_t part_busy(struct network_part *p, uint32_t slot, unsigned vc, unsigned port,
                              cycle_t start, cycle_t length)
{
    cycle_t within = measure_busy(&p->measure, port, start, length);
    if (part_is_detailed(p))
        detail_busy(&p->detail, &p->measure, slot, vc, start, length, within);
    return within;
}

/* The same for an acknowledgment. */
WEFT_INLINE cycle_t part_busy_control(struct network_part *p, uint32_t slot, unsigned port,
                                      cycle_t start, cycle_t length)
{
    return part_busy(p, slot, p->detail.flows - 1, port, start, length);
}

/* A sender's VC lost, or regained, room for a full packet behind it. */
WEFT_INLINE void part_room(struct network_part *p, uint32_t slot, unsigned vc, bool came)
{
    measure_room(&p->measure, vc, came);
    if (part_is_detailed(p))
        detail_room(&p->detail, &p->measure, slot, vc, came);
}

/* Something joins the queue of a receiver's VC, or leaves it. */
WEFT_INLINE void part_occupy(struct network_part *p, uint32_t slot, unsigned vc, int amount)
{
    measure_occupy(&p->measure, vc, amount);
    if (part_is_detailed(p))
        detail_queue(&p->detail, &p->measure, slot, vc, amount);
}

/* ---- cycles ---- */

/* The next cycle that has events; false: there is none before `until`. */
WEFT_INLINE bool part_next_cycle(struct network_part *p, cycle_t until, cycle_t *now)
{
    *now = wheel_next(&p->wheel);
    if (*now >= until)
        return false;
    if (*now >= p->measure.sample_at)
        measure_sample(&p->measure, *now);
    measure_now(&p->measure, *now);
    return true;
}

/* Applies all events of a cycle. */
WEFT_INLINE void part_apply(struct network_part *p, cycle_t now,
                            void (*apply)(struct network_part *p, event_t e))
{
    struct wheel *w = &p->wheel;
    for (struct wheel_chain c = wheel_take(w, now); c.block; c = wheel_next_block(w, c)) {
        w->events += c.count;
        for (uint32_t i = 0; i < c.count; i++)
            apply(p, wheel_events(w, c)[i]);
    }
}

typedef void part_fetch_function(const void *ctx, event_t e);

/* Fetches what a block of events will touch. */
WEFT_INLINE void part_fetch_block(const struct wheel *w, struct wheel_chain c,
                                  part_fetch_function *fetch, const void *ctx)
{
    for (uint32_t i = 0; c.block && i < c.count; i++)
        fetch(ctx, wheel_events(w, c)[i]);
}

/* Applies all events of a cycle; what they touch is fetched a block of them before. */
WEFT_INLINE void part_apply_fetched(struct network_part *p, cycle_t now, part_fetch_function *fetch,
                                    const void *ctx,
                                    void (*apply)(struct network_part *p, event_t e))
{
    struct wheel *w = &p->wheel;
    struct wheel_chain c = wheel_take(w, now);
    part_fetch_block(w, c, fetch, ctx);
    while (c.block) {
        part_fetch_block(w, wheel_look_on(w, c), fetch, ctx);
        w->events += c.count;
        for (uint32_t i = 0; i < c.count; i++)
            apply(p, wheel_events(w, c)[i]);
        c = wheel_next_block(w, c);
    }
}

struct dirty_nodes {
    uint32_t *node;
    uint32_t count;
};

/* Lists a node that steps in this cycle; `marked`: it is already on a list. */
WEFT_INLINE void part_mark(struct dirty_nodes *list, uint8_t *marked, uint32_t node)
{
    if (!*marked) {
        *marked = 1;
        list->node[list->count++] = node;
    }
}

#endif
