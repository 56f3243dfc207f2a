/*
 * The state of a network of switches: flat, indexed by (local switch, port). Private to this
 * folder; others use network.h.
 *
 * A switch has its links' ports first, then `lanes` ports for each of its hosts. Queue (port, VC)
 * has number VC * ports + port. Who wants an output is a set of queues, one bit each; a queue's
 * head may want several outputs at once, and gets the first that has room.
 */
#ifndef WEFT_FABRIC_SWITCHES_STATE_H
#define WEFT_FABRIC_SWITCHES_STATE_H

#include "fabric/part.h"
#include "fabric/switches/network.h"

struct switches_queue {
    uint32_t head, tail; /* NO_PACKET: empty */
    uint64_t wants;      /* ports; 0: its head is not ready */
    cycle_t ready_at;    /* when the packet before its head has been read */
    cycle_t whole_at;    /* when the last word of its last packet is there: those in front of it are
                          * there already, since packets come one after the other */
};

/* The head of a queue, as arbitration sees it: four in a cache line, so that those who wait for an
 * output can be compared without their queues. */
struct switches_head {
    cycle_t since;           /* when it was ready; see OWN_LAST */
    uint16_t words;          /* of the packet */
    uint16_t next_due;       /* queue behind it in the list of switches_switch.due */
    uint8_t vcs, escape_vcs; /* by which it may leave: by any port that it wants, and */
    uint8_t escape_port;     /* by this one */
    bool pending : 1;        /* a READY event */
    bool is_own : 1;         /* of a host's lane, and hosts come last */
};
_Static_assert(sizeof(struct switches_head) == 16, "heads are compared by the dozen");

/* A port as an output, and what is behind it. */
struct switches_output {
    cycle_t free_at;             /* of the link, after all that waits for it */
    cycle_t open_at;             /* of the crossbar's way to it */
    uint64_t busy;               /* cycles of the link, measured */
    uint64_t along;              /* ports of its dimension, if rings are entered with care */
    uint16_t room[SWITCHES_VCS]; /* words behind it */
    uint32_t all_room;
    uint32_t to;   /* local switch, or ELSEWHERE | index of the partition's far; of a lane: host */
    uint16_t last; /* the queue that won last */
    uint16_t wire; /* cycles */
    uint8_t port;  /* there */
    uint8_t sort;  /* of the link */
    bool is_long : 1, wraps : 1; /* the same: graph.h */
    bool is_lane : 1;            /* it leads to a host */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct switches_output) == 64, "an output is a cache line");

/* Words that wait for the link of an output. */
static inline int64_t switches_line_up(const struct switches_output *o, cycle_t now)
{
    return o->free_at > now ? (int64_t)(o->free_at - now) : 0;
}

struct switches_switch {
    uint64_t look;       /* outputs to be looked at in this cycle */
    uint64_t wanted;     /* outputs that some queue wants */
    uint64_t watched;    /* outputs that are taken until a LOOK event, which is pending */
    uint64_t stuck;      /* outputs without room for any that wanted them when last looked at */
    uint32_t node;       /* its number in the whole machine */
    uint32_t first_host; /* the same, of its hosts' */
    uint32_t arrivals;   /* packets that came in this cycle, a list */
    uint32_t due;        /* queues whose next packet can be read now, a list; NO_QUEUE: none */
    uint8_t links, ports;
    uint8_t dirty;
} __attribute__((aligned(64)));

struct switches_lane {
    uint16_t room[SWITCHES_VCS]; /* words, of the input behind it */
};

struct switches_host {
    uint32_t host; /* its number in the whole machine */
    uint32_t at;   /* its switch, local */
    uint8_t port;  /* of its first lane there */
    uint8_t serve, dirty;
    uint8_t starved; /* no room was found: credits wake it */
};

#define NO_QUEUE UINT16_MAX

/* The bit of `since` that lets heads of a host's lane wait behind all others, if they are to. */
#define OWN_LAST (1ull << 63)

enum switches_event {
    SWITCHES_ARRIVE, /* the head of a packet is at an input (payload: the packet) */
    SWITCHES_CREDIT, /* words behind an output are free (payload: port << 24 | VC << 16 | words) */
    SWITCHES_LOOK,   /* an output is free (payload as CREDIT's, no words) */
    SWITCHES_READY,  /* the next packet of a queue can be read (payload: its number) */
    SWITCHES_ROOM,   /* words behind a lane are free (payload as CREDIT's, its lane for the port) */
    SWITCHES_SERVE,  /* the client asked for it */
};

struct switches_part {
    struct network_part base; /* its nodes are hosts, its members switches */
    struct switches_network *network;
    const struct switches_routing *routing;
    const struct switches_params *params;
    uint32_t ports, set_words; /* ports of a switch, at most; words of a set of queues */
    struct switches_switch *node;
    struct switches_output *output; /* [local * ports + port] */
    struct switches_queue *queue;   /* [(local * vcs + vc) * ports + port] */
    struct switches_head *head;     /* the same */
    uint64_t *wanting;              /* [(local * ports + port) * set_words] */
    struct switches_host *host;
    struct switches_lane *lane; /* [local host * lanes + lane] */
    struct switches_packet *pool;
    struct switches_waits *waits; /* one */
    struct dirty_nodes dirty, dirty_hosts;
} __attribute__((aligned(64)));

struct switches_network {
    struct network base;
    const struct switches_routing *routing;
    struct face_client client;
    uint32_t ports;
    uint32_t full_words;   /* of a packet, at most */
    uint32_t host_local[]; /* of each host, in its switch's partition */
};

/* Queues of a switch, one after the other. */
static inline struct switches_queue *switches_queues(const struct switches_part *p, uint32_t local)
{
    return &p->queue[(size_t)local * p->ports * p->params->vcs];
}

static inline struct switches_head *switches_heads(const struct switches_part *p, uint32_t local)
{
    return &p->head[(size_t)local * p->ports * p->params->vcs];
}

static inline uint64_t *switches_wanting(const struct switches_part *p, uint32_t local,
                                         unsigned port)
{
    return &p->wanting[((size_t)local * p->ports + port) * p->set_words];
}

/* Where a port of a switch is measured by itself (detail.h): what leaves by it; what a host sends
 * to it has a slot behind these. */
static inline uint32_t switches_slot(const struct switches_part *p, uint32_t local, unsigned port)
{
    return 2 * local * p->ports + port;
}

static inline uint32_t switches_host_slot(const struct switches_part *p, uint32_t local,
                                          unsigned port)
{
    return switches_slot(p, local, p->ports + port);
}

/* Words pass between a host and its switch: such links are only measured one by one. */
static inline void switches_lane_busy(struct switches_part *p, uint32_t slot, unsigned vc,
                                      cycle_t start, cycle_t words)
{
    struct measure *m = &p->base.measure;
    if (part_is_detailed(&p->base))
        detail_busy(&p->base.detail, m, slot, vc, start, words, measure_within(m, start, words));
}

/* Counts whether a VC of a slot has room for a full packet behind it, which changes by some words.
 */
static inline void switches_room(struct switches_part *p, uint32_t slot, unsigned vc,
                                 uint32_t before, uint32_t after)
{
    uint32_t full = p->network->full_words;
    if (part_is_detailed(&p->base) && (before < full) != (after < full))
        detail_room(&p->base.detail, &p->base.measure, slot, vc, after >= full);
}

/* The lanes of a host of a switch, as ports. */
static inline uint64_t switches_lanes(const struct switches_part *p,
                                      const struct switches_switch *s, uint32_t host)
{
    uint32_t lanes = p->params->lanes, number = host - s->first_host;
    return ((1ull << lanes) - 1) << (s->links + number * lanes);
}

static inline void switches_mark(struct switches_part *p, struct switches_switch *s)
{
    part_mark(&p->dirty, &s->dirty, (uint32_t)(s - p->node));
}

/* step.c: a switch's part of a cycle, after its events were applied. */
void switches_step(struct switches_part *p, uint32_t local, cycle_t now);

/* run.c */
void switches_advance(struct network_part *part, cycle_t until);

/* check.c */
extern const struct network_checks switches_checks;

#endif
