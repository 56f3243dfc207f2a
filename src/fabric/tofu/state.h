/*
 * The state of Tofu's network: flat, indexed by local node. Private to this folder; others use
 * network.h.
 *
 * A queue is what waits at an input: for links one per virtual channel (their receive buffers), for
 * each port of the node's own one. A channel is a virtual channel of an output link, or an output
 * of the node's own; queues and channels are numbered alike:
 *
 *   0 to 39   4 port + vc        of links
 *   40 to 44                     engines, barrier interface
 *
 * Every queue's head has one channel that it wants. Bit q of wants[channel] is queue q, so that
 * arbitration is a look at masks: the virtual channels of a link take turns, and so do the queues
 * that want one of them; packets under way go before new ones, unless all take turns. A queue whose
 * packet is on its way out wants nothing until its last line has left.
 */
#ifndef WEFT_FABRIC_TOFU_STATE_H
#define WEFT_FABRIC_TOFU_STATE_H

#include "base/slots.h"
#include "fabric/part.h"
#include "fabric/tofu/network.h"

enum {
    TOFU_LINK_CHANNELS = TOFU_LINKS * TOFU_VCS,
    TOFU_CHANNELS = TOFU_LINK_CHANNELS + TOFU_PORTS - TOFU_LINKS,
};

struct tofu_node {
    /* What most events touch. */
    uint8_t dirty;                       /* on the list of nodes that step in this cycle */
    uint8_t serve;                       /* the client, in this cycle */
    uint8_t notes;                       /* of the link protocol */
    uint8_t swapped;                     /* it belongs to a unit of machine.swap */
    uint16_t look;                       /* outputs at which something may go on */
    uint16_t sending;                    /* outputs that are busy */
    uint16_t ring_ends;                  /* outputs whose link is the last of its ring */
    uint16_t outputs;                    /* that exist */
    uint32_t node;                       /* its number in the whole machine */
    uint64_t reading;                    /* queues whose packet is on its way out */
    uint16_t credit[TOFU_LINK_CHANNELS]; /* lines of room behind a channel */
    uint64_t wants[TOFU_CHANNELS];
    uint8_t last[TOFU_CHANNELS];  /* the queue that won a channel last, */
    uint8_t last_new[TOFU_LINKS]; /* and, if new packets come second, an output for a new one */
    uint8_t last_vc[TOFU_LINKS];  /* the channel that won an output last */
    uint16_t control[TOFU_LINKS]; /* lines that go before the next packet */
    cycle_t free_at[TOFU_LINKS];  /* the last packet's end */
    uint32_t behind[TOFU_LINKS];  /* local node, or ELSEWHERE | index of far */
} __attribute__((aligned(64)));

struct tofu_queue {
    uint32_t head, tail; /* NO_PACKET: empty */
    uint32_t fresh;      /* the cycle in which its head arrived at an empty queue, modulo 2^32 */
    /* Of its head, unless the queue is being read. */
    uint16_t lines;
    uint8_t channel;
};

enum tofu_event {
    TOFU_ARRIVE, /* the head of a packet is at a router (payload: the packet; channel: its queue) */
    TOFU_DONE,   /* a packet has left (payload: its queue; channel's port: the output) */
    TOFU_CREDIT, /* there is room behind a channel (payload: lines) */
    TOFU_SERVE,  /* the client asked for it */
    /* Of the link protocol (below). */
    TOFU_FRAME,   /* the head of a packet came over a lossy link (payload: the packet) */
    TOFU_TAIL,    /* its tail did (payload: enum tail_says) */
    TOFU_RELEASE, /* a packet has left its queue (payload: lines) */
    TOFU_CONTROL, /* a control line that was lost is repeated */
    TOFU_TOLD,    /* a control line has come (payload: its words) */
};

struct tofu_link_states;

struct tofu_part {
    struct network_part base;
    struct tofu_network *network;
    const struct tofu_params *params;
    const struct tofu_derived *derived;
    struct tofu_node *node;
    struct tofu_queue *queue; /* [local * TOFU_CHANNELS + queue] */
    uint64_t *link_busy;      /* [local * TOFU_LINKS + output], cycles measured */
    struct tofu_packet *pool;
    struct dirty_nodes dirty;
    struct tofu_link_states *links; /* NULL: links make no errors */
    struct tofu_swap_counts *swap;  /* [swap]; NULL: no unit is swapped */
} __attribute__((aligned(64)));

struct tofu_network {
    struct network base;
    struct tofu_params params;
    struct tofu_derived derived;
    struct tofu_routing routing;
    const struct tofu_outages *outages; /* NULL: no unit is swapped */
    struct face_client client;
    uint64_t seed;
};

static inline unsigned tofu_channel(unsigned port, unsigned vc)
{
    return port < TOFU_LINKS ? TOFU_VCS * port + vc : TOFU_LINK_CHANNELS + port - TOFU_LINKS;
}

static inline unsigned tofu_channel_port(unsigned channel)
{
    return channel < TOFU_LINK_CHANNELS ? channel / TOFU_VCS
                                        : channel - TOFU_LINK_CHANNELS + TOFU_LINKS;
}

static inline struct tofu_queue *tofu_queue_at(const struct tofu_part *p, uint32_t local,
                                               unsigned queue)
{
    return &p->queue[(size_t)local * TOFU_CHANNELS + queue];
}

/* An event's channel has the six bits that other fabrics give to a port and a virtual channel. */
static inline event_t tofu_event(enum tofu_event kind, uint32_t local, unsigned channel,
                                 uint32_t payload)
{
    return event_make(kind, local, channel >> 3, channel & 7, payload);
}

static inline unsigned tofu_event_channel(event_t e)
{
    return e & 63;
}

/* The pool may move: a pointer to a packet does not outlive this. */
static inline uint32_t tofu_get(struct tofu_part *p)
{
    part_make_room(&p->base);
    return part_take(&p->base, PART_POOL(p));
}

static inline void tofu_put(struct tofu_part *p, uint32_t index)
{
    part_give(&p->base, PART_POOL(p), index);
}

static inline void tofu_mark(struct tofu_part *p, struct tofu_node *s)
{
    part_mark(&p->dirty, &s->dirty, (uint32_t)(s - p->node));
}

/* Sends an event to the node behind a port; `packet`: the one in the payload goes with it. */
static inline void tofu_carry(struct tofu_part *p, const struct tofu_node *s, unsigned port,
                              cycle_t time, enum tofu_event kind, unsigned channel,
                              uint32_t payload, bool packet)
{
    part_carry(&p->base, p->network->base.engine.channel, s->behind[port], time, kind, channel >> 3,
               channel & 7, payload, packet, PART_POOL(p));
}

/* Where the head of a queue wants to go. */
static inline unsigned tofu_wanted(const struct tofu_part *p, const struct tofu_node *s,
                                   unsigned queue, const struct tofu_packet *packet)
{
    if (!packet->route)
        return TOFU_LINK_CHANNELS + (packet->flags & TOFU_BARRIER ? TOFU_ENGINES : packet->engine);
    unsigned port = tofu_route_port(packet->route), input = tofu_channel_port(queue);
    bool higher = port < TOFU_PORT_A
                      ? (s->ring_ends >> port & 1) || (input == (port ^ 1u) && (packet->vc & 1))
                      : tofu_route_is_last(packet->route);
    return tofu_channel(port, tofu_vc(p->params, (packet->flags & TOFU_IO) != 0, higher));
}

/* outage.c: what units of machine.swap see while they are out. A send starts; it does not, or by
 * another route than this one; one of its packets has come or is lost. */
void tofu_outage_starts(struct tofu_part *p, uint64_t packets);
void tofu_outage_ends(struct tofu_part *p, const struct tofu_packet *packet);
void tofu_outage_withholds(struct tofu_part *p, const struct tofu_outage *outage, uint32_t from,
                           uint32_t to, uint64_t packets);
void tofu_outage_detours(struct tofu_part *p, const struct tofu_outage *outage, uint32_t from,
                         tofu_route_t route, uint64_t packets);
/* Whether the router of such a node loses the packets that it is to pass on; and it passes one on,
 * whose last line leaves in cycle `end`. */
bool tofu_outage_loses(const struct tofu_part *p, const struct tofu_node *s, cycle_t now);
void tofu_outage_passes(struct tofu_part *p, const struct tofu_node *s,
                        const struct tofu_packet *packet, bool lost, cycle_t now, cycle_t end);
const char *tofu_outage_flaw(const struct tofu_part *p);

/* step.c */
void tofu_advance(struct network_part *part, cycle_t until);

/* check.c */
extern const struct network_checks tofu_checks;

/* The queues of a router: how packets enter and leave them, and what their heads ask for. */

/* Lets the head of a queue ask for its channel, if there is one and the queue is not being read. */
static inline void tofu_expose(struct tofu_part *p, struct tofu_node *s, unsigned queue)
{
    struct tofu_queue *q = tofu_queue_at(p, (uint32_t)(s - p->node), queue);
    if (q->head == NO_PACKET || s->reading >> queue & 1)
        return;
    const struct tofu_packet *packet = &p->pool[q->head];
    unsigned channel = tofu_wanted(p, s, queue, packet);
    q->lines = packet->lines;
    q->channel = (uint8_t)channel;
    s->wants[channel] |= 1ull << queue;
    s->look |= (uint16_t)(1u << tofu_channel_port(channel));
}

/* Queues a packet at an input. */
static inline void tofu_enqueue(struct tofu_part *p, struct tofu_node *s, unsigned queue,
                                uint32_t index)
{
    struct tofu_queue *q = tofu_queue_at(p, (uint32_t)(s - p->node), queue);
    const struct tofu_packet *packet = &p->pool[index];
    if (queue < TOFU_LINK_CHANNELS)
        part_occupy(&p->base, tofu_slot((uint32_t)(s - p->node), queue / TOFU_VCS), packet->vc,
                    packet->lines);
    if (part_append(PART_POOL(p), &q->head, &q->tail, index)) {
        q->fresh = (uint32_t)p->base.wheel.now;
        tofu_expose(p, s, queue);
    }
}

/* Takes the head of a queue; *fresh: it arrived in this cycle. */
static inline uint32_t tofu_dequeue(struct tofu_part *p, struct tofu_node *s, unsigned queue,
                                    cycle_t now, bool *fresh)
{
    struct tofu_queue *q = tofu_queue_at(p, (uint32_t)(s - p->node), queue);
    uint32_t index = q->head;
    const struct tofu_packet *packet = &p->pool[index];
    q->head = packet->next;
    *fresh = q->fresh == (uint32_t)now;
    q->fresh = (uint32_t)now - 1;
    s->wants[q->channel] &= ~(1ull << queue);
    s->reading |= 1ull << queue;
    if (queue < TOFU_LINK_CHANNELS)
        part_occupy(&p->base, tofu_slot((uint32_t)(s - p->node), queue / TOFU_VCS), packet->vc,
                    -(int)packet->lines);
    return index;
}

/*
 * Links that make errors, and how they recover (TOFU, "Throughput and packet transfer": link-level
 * retransmission out of an 8 KB buffer recovers CRC errors; packets keep their order).
 *
 *   sender                                      receiver
 *   number, retransmission buffer ── packet ──> CRC at its tail: good, or asks for it again
 *   frees what is acknowledged  <── control ──  next number expected, room freed so far, or "again"
 *   on "again": all that is kept, once more     drops everything until the bad one comes again
 *
 * The paper has no more than that; numbers, control lines and their contents are ours. What a
 * control line says is cumulative, so the next one makes up for one that is lost; on an idle link
 * the receiver repeats it after refresh_cycles (of which only those that matter are modelled).
 *
 * Cut-through forwards a packet's head before its CRC is known. If the CRC is bad, the packet is
 * dropped where it still waits when its tail arrives; if it has left, its tail is marked as
 * poisoned, and the routers behind do the same. Until then a corrupted header is believed: such a
 * ghost may be misrouted, and its destination ignores it.
 *
 * Bits are real where bits matter: when an error hits, header, payload and CRC are made, bits are
 * flipped, and the check decides.
 */

void tofu_links_prepare(struct tofu_part *p);
void tofu_links_release(struct network_part *part);

struct network_sender tofu_link_sender(const struct network_part *part, uint32_t local,
                                       unsigned output);

/* Applies an event, or notes it for the step, which does the rest. */
void tofu_link_note(struct tofu_part *p, struct tofu_node *s, event_t e);
void tofu_link_step(struct tofu_part *p, struct tofu_node *s, cycle_t now);

/* Whether an output can take a new packet of this length. */
bool tofu_link_has_room(const struct tofu_part *p, const struct tofu_node *s, unsigned output,
                        uint32_t lines);

/* Sends the next packet of a retransmission; false: there is none. */
bool tofu_link_resend(struct tofu_part *p, struct tofu_node *s, unsigned output, cycle_t now);

/* A packet was granted an output; its route has advanced. It leaves in cycle `when`. */
void tofu_link_send(struct tofu_part *p, struct tofu_node *s, unsigned output, uint32_t index,
                    cycle_t when);

/* A packet leaves a queue: all of it has left in cycle `when`. */
void tofu_link_release(struct tofu_part *p, const struct tofu_node *s, unsigned queue,
                       const struct tofu_packet *packet, cycle_t when);

/* Saves or restores what tables do not hold. */
void tofu_links_archive(struct network_part *part, struct archive *a);

/* The state at the two ends of a Tofu link. */

enum {
    TOFU_NUMBERS = 256, /* of packets; at most half of them are under way */
    TOFU_WINDOW = TOFU_NUMBERS / 2,
};

struct tofu_sender {
    struct slots_list kept;   /* packets that were not acknowledged, oldest first */
    uint32_t count, lines;    /* of them */
    uint32_t resend;          /* the next of them to be sent again; SLOT_NONE */
    uint8_t number;           /* of the next new packet */
    uint16_t freed[TOFU_VCS]; /* lines that the receiver has said were freed, modulo 2^16 */
    cycle_t waits_since;      /* for its oldest packet to be acknowledged */
    struct error_source errors;
};

struct tofu_receiver {
    uint8_t expected;           /* number */
    bool error;                 /* a packet was bad: all others are dropped until it comes again */
    uint16_t freed[TOFU_VCS];   /* lines so far, modulo 2^16 */
    uint16_t used[TOFU_VCS];    /* lines in the buffers, ghosts included */
    struct error_source errors; /* of the control lines on the way back */
};

/* Marks that a cycle's events leave for the step. */
struct tofu_marks {
    uint16_t frames, tails;                 /* inputs */
    uint16_t asks;                          /* inputs that ask for packets again */
    uint8_t tail[TOFU_LINKS];               /* enum tail_says, and the virtual channel */
    uint32_t frame[TOFU_LINKS];             /* packets */
    uint64_t controls;                      /* queues with news for the sender behind */
    uint16_t released[TOFU_LINK_CHANNELS];  /* lines that good packets have left, */
    uint16_t abandoned[TOFU_LINK_CHANNELS]; /* and ghosts */
};

struct tofu_link_states {
    struct tofu_sender *sender;     /* [local * TOFU_LINKS + output] */
    struct tofu_receiver *receiver; /* [local * TOFU_LINKS + input] */
    struct tofu_marks *marks;       /* [local] */
    struct slots kept;              /* struct tofu_packet */
};

static inline struct tofu_packet *tofu_kept_at(const struct tofu_part *p, uint32_t index)
{
    return (struct tofu_packet *)p->links->kept.item + index;
}

/*
 * What a link does to bits.
 *
 *   packet   header of four lines: route 64, destination 32, source 32, sequence 32, lines 9,
 *            number 8, virtual channel 2, engine 2, flags 6, message's bytes 11, 0; payload; a line
 *            with a CRC of 32 bits
 *   control  one line: expected number 8, virtual channel 2, again 1, freed lines 16, 0: 5; CRC 32
 *
 * The sizes are those that Ajima gave at Cool Chips XV (four lines of header, one of CRC, 8 bytes
 * for an acknowledgment); the order within, and the polynomial (base/crc.h), are not public.
 */

enum tofu_wire {
    TOFU_WIRE_GOOD,
    TOFU_WIRE_BAD,     /* the CRC will say so; the header is as received */
    TOFU_WIRE_NO_HEAD, /* bad, and the receiver sees no packet of that length in it */
};

/* Sends a packet by an output in cycle `time`; it becomes what the receiver sees. */
enum tofu_wire tofu_wire_packet(struct tofu_part *p, const struct tofu_node *s, unsigned output,
                                struct tofu_packet *packet, cycle_t time);

/* Sends a control line by an input's link back; returns whether it arrives as it was sent. */
bool tofu_wire_control(struct tofu_part *p, const struct tofu_node *s, unsigned input,
                       uint32_t words, cycle_t time);

#endif
