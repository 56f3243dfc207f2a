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

#include "fabric/crosspoint/network.h"
#include "fabric/event.h"

/* The end of a link at the other node. */
struct link_end {
    uint32_t node; /* local, or FAR | index of crosspoint_part.far */
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
    /* Of the link protocol (link.h). */
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
    uint32_t *members; /* machine's node numbers, by local number */
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
    uint32_t *partition, *local; /* of each node */
    uint64_t seed;
};

static inline struct crosspoint_part *crosspoint_part_at(const struct crosspoint_network *n,
                                                         uint32_t index)
{
    return (struct crosspoint_part *)network_part(&n->base, index);
}

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

static inline cycle_t *crosspoint_acked_at(const struct crosspoint_part *p, uint32_t local,
                                           unsigned output, unsigned number)
{
    return &p->acked_at[((size_t)local * p->degree + output) * CROSSPOINT_SEQUENCES + number];
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

/* The partition's packets, for the functions that all fabrics share (part.h). */
WEFT_INLINE struct part_pool crosspoint_pool(const struct crosspoint_part *p)
{
    return (struct part_pool){.packet = p->pool,
                              .size = sizeof(struct crosspoint_packet),
                              .next_at = offsetof(struct crosspoint_packet, next)};
}

static inline uint32_t crosspoint_get(struct crosspoint_part *p)
{
    return part_take(&p->base, crosspoint_pool(p));
}

static inline void crosspoint_put(struct crosspoint_part *p, uint32_t index)
{
    part_give(&p->base, crosspoint_pool(p), index);
}

static inline void crosspoint_mark(struct crosspoint_part *p, struct crosspoint_node *s)
{
    part_mark(&p->dirty, &s->dirty, (uint32_t)(s - p->node));
}

/* Sends an event to the other end of a link; `packet`: the one in the payload goes with it. */
static inline void crosspoint_carry(struct crosspoint_part *p, struct link_end end, cycle_t time,
                                    enum crosspoint_event kind, uint32_t payload, bool packet)
{
    part_carry(&p->base, p->network->base.engine.channel, end.node, time, kind, end.port, 0,
               payload, packet, crosspoint_pool(p));
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

/* step.c: the switch's part of a cycle, after its events were applied. */
void crosspoint_step(struct crosspoint_part *p, uint32_t local, cycle_t now);

/* run.c */
struct engine_model crosspoint_engine_model(struct crosspoint_network *network);

/* check.c: every packet in one place, no entry held twice; and who waits for whom. */
weft_status crosspoint_check(struct network *network);
void crosspoint_explain(const struct network *network, char *text, size_t size);

/* Whether an event brings a packet. */
static inline bool crosspoint_brings(event_t e)
{
    unsigned kind = event_kind(e);
    return kind == CROSSPOINT_ARRIVE || kind == CROSSPOINT_FRAME || kind == CROSSPOINT_TOLD;
}

/* validate.c: whether a partition that was read can be one (network.h). */
const char *crosspoint_flaw(const struct network_part *part, struct visited *packets);
const char *crosspoint_message_flaw(const struct network_part *to, event_t event, const void *body);

#endif
