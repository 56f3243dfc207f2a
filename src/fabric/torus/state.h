/*
 * The state of the torus router: flat, indexed by (local node, port, VC). Private to this folder;
 * others use network.h.
 *
 * Queues of a node, numbered for the 64-bit masks below (L = receiver_queues = VCs + 1):
 *
 *     receiver 0: VC 0 .. VC n-1, bypass | receiver 1: ... | ... | injection FIFO 0..7
 *     bit         0        L-2    L-1      L                       6L .. 6L+7
 *
 * A receiver is numbered by the direction in which its packets travel: receiver x+ takes what the
 * neighbour at x- sent in direction x+. Its acknowledgments leave by sender x-.
 *
 * Moves of a packet at the head of a queue:
 *   - dynamic: any port of its hint bits, any dynamic VC that has room for a full packet there;
 *   - fixed: one port and VC, of one of four classes
 *       0  bubble: advance along its ring         dateline pair: before the dateline
 *       1  bubble: enter (needs two packets)      dateline pair: after it
 *       2  high priority bubble: advance
 *       3  high priority bubble: enter
 */
#ifndef WEFT_FABRIC_TORUS_STATE_H
#define WEFT_FABRIC_TORUS_STATE_H

#include <string.h>

#include "fabric/part.h"
#include "fabric/torus/params.h"
#include "fabric/torus/network.h"

/* What is on the way through a sender or a reception bus. */
struct torus_transfer {
    uint16_t queue : 6;   /* that it came from */
    uint16_t vc : 3;      /* of the receiver: where it frees space; unused for injection FIFOs */
    uint16_t tokens : 5;  /* space that it frees, in chunks as accounted */
    uint16_t deposit : 2; /* 1: a copy goes over the reception bus too; 2: over the high one */
};

/* Rows of router.want: bit q of each describes the packet at the head of queue q. */
enum {
    WANT_PORT = 0,              /* + port: has that hint bit */
    WANT_DYNAMIC = TORUS_PORTS, /* is routed dynamically */
    WANT_SECOND,                /* its fixed move is of class 1 or 3, else of 0 or 2 */
    WANT_HIGH,                  /* ... of class 2 or 3, else of 0 or 1 */
    WANT_RECEPTION,             /* has arrived */
    WANT_DEPOSIT,               /* leaves a copy here when it moves on */
    WANT_MASKS,
};

/* One port: the sender of its direction, and the receiver of what comes in that direction. */
struct torus_port {
    uint8_t tokens[TORUS_VCS];      /* free chunks behind the link */
    uint64_t notes;                 /* acknowledgments on their way to the sender (queue.h) */
    uint32_t neighbour;             /* local node, or ELSEWHERE | index of torus_part.far */
    uint32_t link_busy;             /* byte times measured since the last sweep */
    uint32_t arrival;               /* packet that reached the receiver in this cycle */
    struct torus_transfer transfer; /* through the sender */
    uint8_t acked;                  /* VCs whose room grew across a threshold */
};

/*
 * One node, eight cache lines, ordered by what is used together: an arrival that has to wait
 * touches lines 1 and 2, a departure those and its port's, arbitration also 0 and 3. Times are the
 * low bits of cycles; sweep() in run.c keeps them from growing too old.
 */
struct torus_router {
    uint64_t want[WANT_MASKS];
    uint64_t busy;        /* queues that no further packet can leave for the time being */
    uint64_t no_path;     /* queues of receivers without a free path */
    uint64_t young;       /* queues whose head is not ready before queue.ready */
    uint32_t young_until; /* from then on none is young */
    /* Marks that this cycle's events left for the step: ports, and injection FIFOs to refill. */
    uint8_t sent, received[2], arrived, acked_ports, refill; /* received: normal, high priority */
    uint8_t sending;   /* senders by which a packet is leaving */
    uint8_t watched;   /* senders whose LINK_FREE event is pending */
    uint8_t links;     /* ports that exist */
    uint8_t datelines; /* ports whose link crosses its ring's dateline */
    uint8_t dirty;     /* on a list of nodes that step in this cycle */
    uint8_t roomy;     /* ports where a dynamic VC has room for a full packet */

    uint32_t link_free[TORUS_PORTS]; /* when each sender becomes free */
    uint32_t node;                   /* its number in the whole machine */
    uint16_t slq_phase;              /* where its SLQ counter started */
    uint64_t random;                 /* state of the arbiters' generator */
    /* Chunks in each queue of the receivers, including those of a packet just leaving. The VCs that
     * machines use come first, on this line. */
    uint8_t filled[TORUS_VCS][TORUS_PORTS];

    /* Bit 8 * port + VC: room downstream for a full packet, and for two. */
    uint64_t room[2];
    uint8_t paths[TORUS_PORTS]; /* taken */
    uint8_t busy_reception[2];  /* bit p: reception bus of receiver p is taken; normal, high */

    struct torus_port port[TORUS_PORTS]
        __attribute__((aligned(64))); /* those of one dimension share a line */

    struct torus_transfer reception[2][TORUS_PORTS]; /* normal, high */
    uint32_t fifo_filled[TORUS_FIFOS];               /* chunks in each injection FIFO */
} __attribute__((aligned(64)));

enum { CACHE_LINE = 64 };
_Static_assert(sizeof(struct torus_port) == CACHE_LINE / 2, "two per line");
_Static_assert(sizeof(struct torus_router) == 8 * CACHE_LINE, "eight cache lines");
_Static_assert(offsetof(struct torus_router, link_free) == 2 * CACHE_LINE, "arrivals' second line");
_Static_assert(offsetof(struct torus_router, random) - offsetof(struct torus_router, link_free) ==
                   32,
               "free_links() reads this much");
_Static_assert(offsetof(struct torus_router, filled) + 4 * TORUS_PORTS == 3 * CACHE_LINE,
               "four VCs");
_Static_assert(offsetof(struct torus_router, reception) == 7 * CACHE_LINE, "receptions, FIFOs");
_Static_assert(offsetof(struct torus_router, port) == 4 * CACHE_LINE, "lines 4 to 6");

struct torus_queue {
    uint32_t head, tail; /* packets; NO_PACKET: empty */
    uint32_t ready;      /* low half of the cycle when the head may request, if young */
};

enum torus_event {
    TORUS_EVENT_ARRIVE, /* a packet is through input pipeline and arbitration delay (payload: it) */
    TORUS_EVENT_SENT,   /* its last byte has left by a sender (payload: the queue it leaves) */
    TORUS_EVENT_RECEIVED,  /* the same for a reception bus (vc: 1 high priority; payload: the queue)
                            */
    TORUS_EVENT_ACK,       /* tokens come back (payload: chunks; 0: those of a note) */
    TORUS_EVENT_LINK_FREE, /* acknowledgments have left; the sender is free */
    TORUS_EVENT_STEP,      /* some requests lost: arbitrate again */
    TORUS_EVENT_SOURCE,    /* an injection FIFO (port) may have a packet now */
    TORUS_EVENT_CONSUMED, /* space in reception FIFO (payload >> 8) came back (payload & 255 chunks)
                           */
    /* Of the link protocol (link.h). */
    TORUS_EVENT_FRAME,     /* a packet came over a lossy link (payload: it) */
    TORUS_EVENT_ACK_FRAME, /* an acknowledgment did (payload: its state) */
    TORUS_EVENT_TAIL,      /* the tail of a ghost has arrived */
    TORUS_EVENT_TIMEOUT,   /* a sender's timer runs out */
    TORUS_EVENT_RESEND,    /* a sender that is resending may be free */
    TORUS_EVENT_DUE,       /* a receiver owes an acknowledgment */
    TORUS_EVENT_REFRESH,   /* or must repeat one that was lost */
    TORUS_EVENT_OTHER,     /* of the client's own (port, vc, payload: what) */
};

enum dirty_list { DIRTY_SENT, DIRTY_OTHER };

struct torus_part;

/* step.c: the node's part of a cycle, after its events were applied. Three variants: plain; full,
 * which reports the stage it is in and lets several packets leave a VC at once; and lossy, for
 * links that make errors. */
typedef void torus_step_function(struct torus_part *p, uint32_t node, cycle_t now);
torus_step_function torus_step, torus_step_full, torus_step_lossy;

/* One partition: everything a thread touches while it runs a window. */
struct torus_part {
    struct network_part base;
    const struct torus_params *params;
    const struct torus_derived *derived;
    struct torus_network *network;
    torus_step_function *step;
    uint32_t software_header_bytes;
    bool fetches; /* the state is in no core's cache: fetch ahead (fetch.h) */
    struct torus_router *router;
    struct torus_queue *queue; /* [node * derived->queues + queue] */
    uint8_t *reception_room;   /* [node * TORUS_RECEPTION_FIFOS + fifo], chunks; NULL: unbounded */
    uint64_t *link_busy;       /* [node * TORUS_PORTS + port], byte times up to the last sweep */
    uint64_t *link_end;        /* the same; when a link that the last sweep found free became so */
    struct torus_packet *pool;
    uint64_t *cargo;           /* [packet], what it carries for its sender; NULL: no cargo */
    uint64_t *unavailable;     /* [node], queues of blocked receivers; NULL: no arbitration gap */
    uint8_t *leaving;          /* [node * derived->queues + queue], packets; NULL: one at most */
    struct torus_links *links; /* NULL: links make no errors */
    /* Nodes that step in this cycle: those where a packet has left by a sender, then the others.
     * The order of steps does not matter, but similar ones in a row are easier to predict. */
    struct dirty_nodes dirty[2];
    cycle_t swept;                         /* of the last sweep */
    uint32_t slq_cycle;                    /* of this cycle, in the period of the SLQ counters */
    uint64_t receiver_queues[TORUS_PORTS]; /* mask of the queues of each receiver */
    uint64_t bypass_queues, high_queues, injection_queues;
    uint64_t shared_queues; /* VCs that several packets may leave at once (vc_transfers) */
    uint8_t queue_receiver[64], queue_vc[64]; /* of each queue; injection FIFOs: TORUS_PORTS */
} __attribute__((aligned(64)));

/* When the last sweep has every link be free that was free by then: no later packet ends then. */
static inline uint32_t torus_swept(const struct torus_part *p)
{
    return (uint32_t)p->swept - p->params->request_cycles;
}

struct torus_network {
    struct network base;
    struct torus_params params;
    struct torus_derived derived;
    const struct torus *torus;
    struct torus_faults faults;
    struct torus_client client;
    uint64_t seed;
    uint32_t software_header_bytes;
    bool stages, fetches;
};

/* Bytes of a packet that are neither header nor padding. */
static inline uint32_t payload_bytes(const struct torus_part *p, const struct torus_packet *packet)
{
    return torus_packet_bytes(packet) - p->software_header_bytes - packet->padding;
}

/* Whether a time has come, given its low half; it must lie within 2^31 cycles of `now`. */
static inline bool has_come(uint32_t time, cycle_t now)
{
    return (int32_t)((uint32_t)now - time) >= 0;
}

/* Ports by which nothing is leaving, neither a packet nor an acknowledgment. */
static inline unsigned free_links(const struct torus_router *r, cycle_t now)
{
    typedef uint32_t four __attribute__((vector_size(16)));
    typedef int32_t signs __attribute__((vector_size(16)));
    four link_free[2]; /* the last two are not ports, and are masked out below */
    memcpy(link_free, (const char *)r + offsetof(struct torus_router, link_free),
           sizeof(link_free));
    uint32_t t = (uint32_t)now;
    four at = {t, t, t, t};
    signs low = {1, 2, 4, 8}, high = {16, 32, 64, 128};
    signs busy =
        (((signs)(at - link_free[0]) < 0) & low) | (((signs)(at - link_free[1]) < 0) & high);
    return r->links & ~(unsigned)(busy[0] | busy[1] | busy[2] | busy[3]);
}

static inline struct torus_queue *queue_at(const struct torus_part *p, uint32_t node, unsigned q)
{
    return &p->queue[(size_t)node * p->derived->queues + q];
}

/* Packets that are leaving a shared VC. */
static inline uint8_t *leaving_at(const struct torus_part *p, uint32_t node, unsigned q)
{
    return &p->leaving[(size_t)node * p->derived->queues + q];
}

/* The partition's packets, for the functions that all fabrics share (part.h). */
WEFT_INLINE struct part_pool torus_pool(const struct torus_part *p)
{
    return (struct part_pool){.packet = p->pool,
                              .size = sizeof(struct torus_packet),
                              .next_at = offsetof(struct torus_packet, next),
                              .cargo = p->cargo};
}

/* Unbounded injection FIFOs hold more packets than there is a place for. */
static inline void make_room(struct torus_part *p)
{
    if (p->base.pool_grows)
        part_make_room(&p->base);
}

static inline uint32_t pool_get(struct torus_part *p)
{
    make_room(p);
    return part_take(&p->base, torus_pool(p));
}

static inline void pool_put(struct torus_part *p, uint32_t index)
{
    part_give(&p->base, torus_pool(p), index);
}

/* What a packet of the pool carries for its sender. */
static inline uint64_t torus_cargo(const struct torus_part *p, const struct torus_packet *packet)
{
    return p->cargo ? p->cargo[packet - p->pool] : 0;
}

static inline void mark_dirty(struct torus_part *p, struct torus_router *r, uint32_t node,
                              enum dirty_list list)
{
    part_mark(&p->dirty[list], &r->dirty, node);
}

/* Chunks that a packet on a VC is accounted as. */
static inline unsigned vc_tokens(const struct torus_derived *d, unsigned vc,
                                 const struct torus_packet *packet)
{
    return d->full_size[vc] ? TORUS_MAX_CHUNKS : packet->chunks;
}

/* The reception FIFO of a packet from a receiver: by group, then direction or high priority. */
static inline unsigned reception_fifo(const struct torus_packet *packet, unsigned receiver)
{
    unsigned group = packet->flags & TORUS_GROUP1 ? TORUS_PORTS + 1 : 0;
    return group + (packet->flags & TORUS_HIGH ? TORUS_PORTS : receiver);
}

/* Bit 8 * port + VC of the room masks. */
static inline unsigned room_bit(unsigned port, unsigned vc)
{
    return 8 * port + vc;
}

static inline uint64_t bit_if(bool set, unsigned bit)
{
    return (uint64_t)set << bit;
}

/* Updates what the arbiters see of the room behind one VC; new room shows only in the step. */
static inline void set_room(const struct torus_derived *d, struct torus_router *r, unsigned port,
                            unsigned vc)
{
    unsigned bit = room_bit(port, vc), tokens = r->port[port].tokens[vc];
    r->room[0] = (r->room[0] & ~(1ull << bit)) | bit_if(tokens >= TORUS_MAX_CHUNKS, bit);
    r->room[1] = (r->room[1] & ~(1ull << bit)) | bit_if(tokens >= 2 * TORUS_MAX_CHUNKS, bit);
    bool roomy = r->room[0] >> 8 * port & d->dynamic_mask;
    r->roomy = (uint8_t)((r->roomy & ~(1u << port)) | (unsigned)roomy << port);
}

/* Queues whose head has a hint bit among some ports. Two ports at a time: no branches. */
static inline uint64_t heads_towards(const struct torus_router *r, unsigned ports)
{
    typedef uint64_t pair __attribute__((vector_size(16)));
    const pair *want = (const pair *)&r->want[WANT_PORT];
    pair all = {ports, ports}, bit = {1, 2}, heads = {0, 0};
    for (unsigned i = 0; i < TORUS_PORTS / 2; i++, bit <<= 2)
        heads |= want[i] & (pair)((all & bit) == bit);
    return heads[0] | heads[1];
}

/* Of all heads, those whose fixed move would have room if it went through `port`. */
static inline uint64_t class_has_room(const struct torus_derived *d, const uint64_t room[2],
                                      const struct torus_router *r, unsigned port)
{
    uint64_t second = r->want[WANT_SECOND], high = r->want[WANT_HIGH], ready = 0;
    for (unsigned c = 0; c < 4; c++)
        if (room[d->class_packets[c] - 1] >> room_bit(port, d->class_vc[c]) & 1)
            ready |= (c & 1 ? second : ~second) & (c & 2 ? high : ~high);
    return ready;
}

/* Queues whose fixed move goes through one of some ports and has room there. */
static inline uint64_t fixed_ready(const struct torus_derived *d, const uint64_t room[2],
                                   const struct torus_router *r, unsigned ports)
{
    uint64_t earlier = 0, ready = 0;
    for (unsigned i = 0; i < TORUS_PORTS; i++) {
        unsigned port = d->escape_order[i];
        uint64_t here = r->want[WANT_PORT + port] & ~earlier;
        earlier |= here;
        if (here && (ports >> port & 1))
            ready |= here & class_has_room(d, room, r, port);
    }
    return ready;
}

/* run.c */
void torus_advance(struct network_part *part, cycle_t until);
void torus_receive(struct network_part *part, const struct channel_buffer *messages);

/* check.c */
extern const struct network_checks torus_checks;

#endif
