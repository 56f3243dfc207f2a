/*
 * The state of the crosspoint fabric: flat, indexed by (local node, port). Private to this folder;
 * others use network.h.
 *
 * Queue (i, j, v) of a switch holds the packets in crosspoint buffer (i, j) on VC v, in order: bit
 * 8 i + v of output j's masks. Both ends of the link that feeds a buffer know its sixteen entries:
 * the transmitter chooses one for each packet, and treats it as busy until a control packet says
 * otherwise.
 */
#ifndef WEFT_FABRIC_CROSSPOINT_STATE_H
#define WEFT_FABRIC_CROSSPOINT_STATE_H

#include "base/random.h"
#include "fabric/crosspoint/network.h"
#include "fabric/part.h"

/* The end of a link at the other node. */
struct link_end {
    uint32_t node; /* local, or ELSEWHERE | index of crosspoint_part.far */
    uint32_t port;
};

struct crosspoint_node {
    /* Marks that this cycle's events left for the step: inputs, outputs. */
    uint8_t arrived, look;
    uint8_t serve;                      /* the client */
    uint8_t notes;                      /* of the link protocol */
    uint8_t dirty;                      /* on the list of nodes that step in this cycle */
    uint8_t watched;                    /* outputs whose LOOK event is pending */
    uint8_t outputs;                    /* outputs that exist: links, and the node's own */
    uint32_t node;                      /* its number in the whole machine */
    uint32_t arrival[CROSSPOINT_PORTS]; /* packets, by input */
    uint64_t waiting[CROSSPOINT_PORTS]; /* by output: queues with a packet */
    cycle_t free_at[CROSSPOINT_PORTS];  /* outputs */
    uint8_t last[CROSSPOINT_PORTS];     /* by output: the queue that won last */
    uint8_t peaks[CROSSPOINT_PORTS];    /* by input: outputs towards which the VC is decremented */
    uint8_t phase[CROSSPOINT_PORTS];    /* by input: of the control packets that leave it, */
    uint8_t down_phase[CROSSPOINT_PORTS]; /* by output: of those that arrive at it */
    uint8_t sequence[CROSSPOINT_PORTS];   /* by output: packets sent, modulo CROSSPOINT_SEQUENCES */
    /* Entries taken, by output and the output behind it; the node's own at input d. */
    uint16_t busy[CROSSPOINT_PORTS][CROSSPOINT_PORTS];
    struct link_end down[CROSSPOINT_PORTS], up[CROSSPOINT_PORTS];
} __attribute__((aligned(64)));

struct crosspoint_queue {
    uint32_t head, tail; /* NO_PACKET: empty */
};

enum crosspoint_event {
    CROSSPOINT_ARRIVE, /* the head of a packet is at an input (payload: the packet) */
    CROSSPOINT_FREE,   /* entries behind an output are free (payload: output behind << 16 | mask) */
    CROSSPOINT_OWN,    /* entries of the node's own buffers are free (the same) */
    CROSSPOINT_LOOK,   /* an output is free */
    CROSSPOINT_SERVE,  /* the client asked for it */
    /* Of the link protocol (below). */
    CROSSPOINT_FRAME,   /* the head of a packet came over a lossy link (payload: the packet) */
    CROSSPOINT_TAIL,    /* its tail did (payload: enum tail_says) */
    CROSSPOINT_RELEASE, /* an entry of an input's buffer is free (payload: output << 16 | mask) */
    CROSSPOINT_CONTROL, /* a control packet leaves by an input */
    CROSSPOINT_TOLD,    /* and reached the output behind (payload: the packet that carries it) */
    CROSSPOINT_RESEND,  /* an output that is resending is free */
};

struct crosspoint_links;

struct crosspoint_part {
    struct network_part base;
    struct crosspoint_network *network;
    const struct crosspoint_params *params;
    const struct crosspoint_derived *derived;
    uint32_t degree;
    struct crosspoint_node *node;
    struct crosspoint_queue *queue; /* [((local * ports + output) * ports + input) * vcs + vc] */
    cycle_t *acked_at; /* [(local * degree + output) * sequences + number]: when it may be reused */
    uint64_t *link_busy; /* [local * degree + output], cycles measured */
    struct crosspoint_packet *pool;
    struct dirty_nodes dirty;
    struct crosspoint_links *links; /* NULL: links make no errors */
} __attribute__((aligned(64)));

struct crosspoint_network {
    struct network base;
    struct crosspoint_params params;
    struct crosspoint_derived derived;
    const struct graph *graph;
    struct face_client client;
    uint64_t seed;
};

static inline struct crosspoint_queue *crosspoint_queue_at(const struct crosspoint_part *p,
                                                           uint32_t local, unsigned output,
                                                           unsigned input, unsigned vc)
{
    uint32_t ports = p->derived->ports;
    return &p->queue[((size_t)(local * ports + output) * ports + input) * p->params->vcs + vc];
}

/* Where a link out of a node, or into it, is measured by itself (detail.h). */
static inline uint32_t crosspoint_slot(const struct crosspoint_part *p,
                                       const struct crosspoint_node *s, unsigned port)
{
    return (uint32_t)(s - p->node) * p->degree + port;
}

static inline unsigned crosspoint_output(const struct crosspoint_derived *d, uint32_t route)
{
    return route & ((1u << d->route_bits) - 1);
}

/* The string after a hop: the rest of it, then the node's own port. */
static inline uint32_t crosspoint_shift(const struct crosspoint_derived *d, uint32_t route)
{
    return route >> d->route_bits | (d->ports - 1) << d->route_bits * (d->most_hops - 1);
}

static inline uint32_t crosspoint_get(struct crosspoint_part *p)
{
    return part_take(&p->base, PART_POOL(p));
}

static inline void crosspoint_put(struct crosspoint_part *p, uint32_t index)
{
    part_give(&p->base, PART_POOL(p), index);
}

/* Sends an event to the other end of a link; `packet`: the one in the payload goes with it. */
static inline void crosspoint_carry(struct crosspoint_part *p, struct link_end end, cycle_t time,
                                    enum crosspoint_event kind, uint32_t payload, bool packet)
{
    part_carry(&p->base, p->network->base.engine.channel, end.node, time, kind, end.port, 0,
               payload, packet, PART_POOL(p));
}

/* When the first control packet that starts at `time` or later reaches the transmitter behind an
 * input: control packets leave one after the other, without a pause. */
static inline cycle_t crosspoint_told_at(const struct crosspoint_part *p, uint32_t phase,
                                         cycle_t time)
{
    uint32_t period = p->params->control_bytes;
    cycle_t late = (time + period - phase) % period;
    return time + (late ? period - late : 0) + p->derived->control_cycles;
}

/* step.c */
void crosspoint_advance(struct network_part *part, cycle_t until);

/* check.c: whether a string leads from one node to another without running out of VCs; `vc`: the
 * first; `from`: the node before, GRAPH_NONE for the node's own packets. */
bool crosspoint_leads(const struct crosspoint_network *n, uint32_t from, uint32_t node, uint32_t to,
                      uint32_t route, uint32_t vc);
extern const struct network_checks crosspoint_checks;

/* The queues of a switch, and the entries behind its links: how packets enter and leave them. */

/* Says which entries of a buffer behind a link are taken: VCs may lose, or regain, their last. */
static inline void crosspoint_set_busy(struct crosspoint_part *p, struct crosspoint_node *s,
                                       unsigned output, unsigned behind, uint16_t entries)
{
    uint16_t *busy = &s->busy[output][behind];
    for (unsigned vc = 0; part_is_detailed(&p->base) && vc < p->params->vcs; vc++) {
        uint16_t open = p->derived->vc_entries[vc];
        bool had = open & ~*busy, has = open & ~entries;
        if (had != has)
            detail_room(&p->base.detail, &p->base.measure, crosspoint_slot(p, s, output), vc, has);
    }
    *busy = entries;
}

/* Counts packets that enter a buffer of an input, or leave it; those of the node's own are no
 * link's. */
static inline void crosspoint_occupy(struct crosspoint_part *p, const struct crosspoint_node *s,
                                     unsigned input, unsigned vc, int packets)
{
    measure_occupy(&p->base.measure, vc, packets);
    if (part_is_detailed(&p->base) && input < p->degree)
        detail_queue(&p->base.detail, &p->base.measure, crosspoint_slot(p, s, input), vc, packets);
}

/* Queues a packet in the buffer of its input, for the output that its route names. */
static inline void crosspoint_enqueue(struct crosspoint_part *p, struct crosspoint_node *s,
                                      unsigned input, uint32_t index)
{
    struct crosspoint_packet *packet = &p->pool[index];
    unsigned output = crosspoint_output(p->derived, packet->route);
    WEFT_CHECK(s->outputs >> output & 1 && packet->vc < p->params->vcs,
               "node %u has a packet for output %u on VC %u", s->node, output, packet->vc);
    struct crosspoint_queue *q =
        crosspoint_queue_at(p, (uint32_t)(s - p->node), output, input, packet->vc);
    part_append(PART_POOL(p), &q->head, &q->tail, index);
    s->waiting[output] |= 1ull << (8 * input + packet->vc);
    s->look |= (uint8_t)(1u << output);
    crosspoint_occupy(p, s, input, packet->vc, 1);
}

/* Takes the head of an output's queue. */
static inline uint32_t crosspoint_dequeue(struct crosspoint_part *p, struct crosspoint_node *s,
                                          unsigned output, unsigned number)
{
    struct crosspoint_queue *q =
        crosspoint_queue_at(p, (uint32_t)(s - p->node), output, number / 8, number % 8);
    uint32_t index = q->head;
    q->head = p->pool[index].next;
    if (q->head == NO_PACKET)
        s->waiting[output] &= ~(1ull << number);
    crosspoint_occupy(p, s, number / 8, number % 8, -1);
    return index;
}

/*
 * Links that make errors, and how they recover (KAUTZ, 3.2, 3.3, 4.3).
 *
 *   transmitter                                  receiver
 *   number, replay buffer   ── data packet ──>   CRC at its tail: good, or "error found"
 *   frees what is good      <── control ───      last good number, error found, map of busy entries
 *   on "error found": a short packet, then       drops everything until that short packet
 *   all after the last good number again
 *
 * Cut-through forwards a packet's head before its CRC is known. If the CRC is bad, the tail is
 * marked as poisoned on the next link: the packet is dropped where it waits once all of it is
 * there, or ignored at an endpoint. Until then a corrupted header is believed, so the packet may be
 * misrouted; a packet that names an entry in use, or a VC that it cannot have, is not taken.
 *
 * Control packets leave without pause. Those with no news are not modelled; the next one makes up
 * for one that is lost.
 *
 * A transmitter that has resent ignores "error found" until its short packet can have been
 * answered. Bits are real where bits matter: when an error hits, header, payload and CRC are made,
 * bits are flipped, and the check decides.
 */

void crosspoint_links_prepare(struct crosspoint_part *p);

struct network_sender crosspoint_link_sender(const struct network_part *part, uint32_t local,
                                             unsigned output);

/* Notes an event as a mark for the step; the step does what the marks ask for. */
void crosspoint_link_note(struct crosspoint_part *p, event_t e);
void crosspoint_link_step(struct crosspoint_part *p, struct crosspoint_node *s, cycle_t now);

/* Whether an output can take a new packet. */
bool crosspoint_link_is_open(const struct crosspoint_part *p, const struct crosspoint_node *s,
                             unsigned output);

/* A packet was granted an output; its route has advanced. It leaves in cycle `when`. */
void crosspoint_link_send(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                          uint32_t index, cycle_t when);

/* Whether a switch can do what a header says, right or wrong. */
bool crosspoint_link_is_possible(const struct crosspoint_part *p, const struct crosspoint_node *s,
                                 unsigned input, const struct crosspoint_packet *packet);

/* The state at the two ends of a crosspoint link. */

struct crosspoint_sender {
    struct crosspoint_packet replay[CROSSPOINT_SEQUENCES]; /* by number */
    uint8_t first, count;                                  /* numbers not yet acknowledged */
    uint8_t resend;          /* how many of them were resent so far, while resending */
    bool resending, recover; /* recover: the short packet goes first */
    cycle_t deaf_until;      /* to "error found" */
    cycle_t waits_since;     /* for its first packet to be acknowledged */
    struct error_source errors;
};

struct crosspoint_receiver {
    uint8_t last;                    /* good number */
    bool error;                      /* found */
    bool control;                    /* a CONTROL event is pending */
    uint16_t used[CROSSPOINT_PORTS]; /* entries, by output */
    struct error_source errors;      /* of the control link */
};

/* Marks that a cycle's events leave for the step, by kind, from the first of the protocol on. */
enum { CROSSPOINT_LINK_EVENTS = CROSSPOINT_RESEND - CROSSPOINT_FRAME + 1 };
struct crosspoint_marks {
    uint8_t ports[CROSSPOINT_LINK_EVENTS]; /* as masks */
    uint32_t payload[CROSSPOINT_LINK_EVENTS][CROSSPOINT_PORTS];
    uint16_t released[CROSSPOINT_PORTS][CROSSPOINT_PORTS]; /* by input and output */
};

struct crosspoint_links {
    struct crosspoint_sender *sender;     /* [local * degree + output] */
    struct crosspoint_receiver *receiver; /* [local * degree + input] */
    struct crosspoint_marks *marks;       /* [local] */
};

static inline struct crosspoint_sender *crosspoint_sender_at(const struct crosspoint_part *p,
                                                             uint32_t local, unsigned output)
{
    return &p->links->sender[(size_t)local * p->degree + output];
}

static inline struct crosspoint_receiver *crosspoint_receiver_at(const struct crosspoint_part *p,
                                                                 uint32_t local, unsigned input)
{
    return &p->links->receiver[(size_t)local * p->degree + input];
}

/*
 * What a link does to bits.
 *
 *   header   start 8, route 32, VC 4, words 5, number 4, entry 4, 0: 7 bits
 *   payload  2 to 18 words
 *   trailer  end 8, CRC 32, type 4, DMA's 20 bits
 *   control  start 1, last good number and error flag 1, map of busy entries 2 per output,
 *            out-of-band 1, CRC 4 bytes: 15 for four outputs
 *
 * The widths are from KAUTZ, 3.2 and 3.3; the order, and the polynomial of the CRC
 * (base/crc.h), are not given there.
 */

enum frame_kind {
    FRAME_DATA,
    FRAME_RECOVER, /* the short packet that answers "error found" */
};

enum crosspoint_wire {
    WIRE_GOOD,
    WIRE_BAD,     /* the CRC will say so; the header is as received */
    WIRE_NO_HEAD, /* bad, and the receiver sees no packet in it */
};

/* Sends a frame by an output in cycle `time`; `packet` becomes what the receiver sees. */
enum crosspoint_wire crosspoint_wire_frame(struct crosspoint_part *p,
                                           const struct crosspoint_node *s, unsigned output,
                                           struct crosspoint_packet *packet, enum frame_kind kind,
                                           cycle_t time);

/* Sends a control packet by an input; returns whether it arrives as it was sent. */
bool crosspoint_wire_control(struct crosspoint_part *p, const struct crosspoint_node *s,
                             unsigned input, cycle_t time);

#endif
