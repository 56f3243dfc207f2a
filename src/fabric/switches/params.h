/*
 * Parameters of a network of switches, and how packets are routed through it.
 *
 * A cycle is the time of a word on a link. A switch buffers packets at its inputs, a queue per
 * virtual channel (VC); its crossbar may be faster than a link, and then has room for a few words
 * at each output.
 */
#ifndef WEFT_FABRIC_SWITCHES_PARAMS_H
#define WEFT_FABRIC_SWITCHES_PARAMS_H

#include "base/random.h"
#include "config/keys.h"
#include "engine/wheel.h"
#include "topology/graph/routes.h"

enum {
    SWITCHES_VCS = 8,
    SWITCHES_LANES = 8,
    SWITCHES_MAX_WORDS = 4096,
    SWITCHES_SET_WORDS = GRAPH_MAX_PORTS * SWITCHES_VCS / 64, /* of a set of queues */
};

enum routing_choice { CHOICE_ADAPTIVE, CHOICE_FIXED }; /* among the ports of minimal routes */
enum routing_via { VIA_AUTO, VIA_GROUP, VIA_SWITCH };

/* By what a packet's VCs follow from its route. Those of one class are interchangeable. */
enum vc_class_rule {
    CLASS_AUTO,
    CLASS_HOP,      /* the hops made so far */
    CLASS_GLOBAL,   /* the global links behind it (Kim et al. 2008) */
    CLASS_DATELINE, /* whether it has gone around the ring that it is in (Dally and Seitz 1987) */
    CLASS_SINGLE,   /* one class for all */
};

enum too_few_vcs {
    TOO_FEW_REFUSE,
    TOO_FEW_LAST, /* a packet that should be in a class above the last stays in the last */
};
enum arbiter {
    ARBITER_OLDEST,   /* the head that has waited longest */
    ARBITER_ROTATING, /* those behind the last winner first */
    ARBITER_FIXED,    /* by VC, then by input: those in front starve the others */
};

struct switches_params {
    double mb_per_s;         /* of a link, each way */
    uint32_t word_bytes;     /* what it moves in a cycle */
    uint32_t overhead_words; /* of a packet on a link, besides its payload */
    uint32_t wire_cycles, long_wire_cycles, host_wire_cycles;
    uint32_t switch_cycles; /* from an input to an output, without contention */
    uint32_t vcs;
    uint32_t buffer_words; /* of each VC of an input */
    uint32_t output_words; /* that may wait at an output for the link */
    double speedup;        /* of the crossbar against a link */
    enum arbiter arbiter;
    bool transit_first; /* packets of a switch's own hosts wait for those that come by links */
    uint32_t lanes;     /* links between a host and its switch */

    uint32_t algorithm; /* row of routing_rules */
    enum routing_choice choice;
    enum routing_via via;
    enum vc_class_rule vc_rule;
    enum too_few_vcs too_few_vcs;
    uint32_t ring_words; /* that stay free of a VC when a packet enters a ring */
    uint32_t bias_words; /* by which a queue must be longer before a detour is taken */
};

/* ---- routing rules ---- */

struct packet_way;
struct switches_part;

/* What a packet's first switch knows when it decides. */
struct detour_offer {
    const struct switches_part *part;
    uint32_t local; /* the switch */
    uint32_t via;   /* the leaf of the detour (switches_detour) */
    const struct packet_way *way;
    uint64_t draw; /* the packet's own, by which `via` was drawn */
    cycle_t now;
};

/*
 * Which packets take a detour, through a switch or group drawn at random, and which a minimal
 * route: one row per rule (rules.c), whose number is the value of machine.routing.algorithm.
 * Everything else asks the row: classes of VCs, lanes, bounds, proof.
 */
struct routing_rule {
    struct key_choice choice; /* name and help */
    bool can_detour;          /* some packets do; so routes need VCs for two minimal ones in turn */
    /* Whether a packet takes a detour; NULL: always. */
    bool (*takes_detour)(const struct detour_offer *offer);
};

extern const struct routing_rule routing_rules[];

/* ---- routing ---- */

/*
 * Routing, once the keys are settled: which VCs a packet may take. VCs are divided among classes in
 * order. On rings whose ports may be chosen freely, only the escape VCs are divided: the others are
 * free for any minimal port, and a packet that finds none of them open waits for the escape VC of
 * the lowest dimension, and from then on stays on escape VCs (Duato 1993).
 */
struct switches_routing {
    const struct graph *graph;
    const struct graph_routes *routes;
    struct switches_params params;
    const struct routing_rule *rule;
    enum vc_class_rule vc_rule;
    bool by_group;                   /* detours lead through groups */
    bool rings;                      /* there are some */
    uint32_t needed;                 /* classes of the longest routes */
    uint32_t classes;                /* that there are */
    uint8_t class_vcs[SWITCHES_VCS]; /* [class], as a mask */
    uint8_t free_vcs;                /* that any minimal port may be left by; 0: none */
    uint32_t ring_words;             /* that stay free of a free VC when a packet enters a ring */
    uint64_t seed;
};

/* Settles the rule and divides the VCs. WEFT_BAD_INPUT: there are too few. */
weft_status switches_routing_init(struct switches_routing *r, const struct switches_params *p,
                                  const struct graph *g, const struct graph_routes *routes,
                                  uint64_t seed);

/* ---- times and sizes ---- */

static inline double switches_mhz(const struct switches_params *p)
{
    return p->mb_per_s / p->word_bytes;
}

/* Words of a packet with this payload on a link. */
static inline uint32_t switches_words(const struct switches_params *p, uint32_t bytes)
{
    uint32_t words = (bytes + p->word_bytes - 1) / p->word_bytes + p->overhead_words;
    return words ? words : 1;
}

static inline uint32_t switches_wire(const struct switches_params *p, const struct graph *g,
                                     unsigned sort)
{
    return g->is_long[sort] ? p->long_wire_cycles : p->wire_cycles;
}

/* Ports of a switch: its links, then its hosts' lanes. */
static inline uint32_t switches_ports(const struct switches_params *p, const struct graph *g,
                                      uint32_t node)
{
    return g->ports[node] + graph_hosts_at(g, node) * p->lanes;
}

/* ---- a packet's way ---- */

/* What routing knows about a packet. */
struct packet_way {
    uint32_t leaf;   /* that it is for */
    uint32_t via;    /* leaf that it goes to first, or towards; GRAPH_NONE: none */
    uint8_t hops;    /* made so far */
    uint8_t globals; /* long links among them */
    uint8_t around;  /* dimensions whose ring it has gone around, as a mask */
    bool detour : 1; /* it is behind its detour */
    bool escape : 1; /* it stays on escape VCs */
};

/* How a packet may leave a switch that is not the one it is going to. */
struct packet_moves {
    uint64_t ports;        /* any of these, */
    uint64_t escape_ports; /* or one of these, whatever a switch decides once */
    uint8_t vcs, escape_vcs;
};

struct packet_moves switches_moves(const struct switches_routing *r, uint32_t node,
                                   const struct packet_way *way);

/* One of several ports, by a draw. */
static inline uint64_t switches_pick(uint64_t ports, uint64_t draw)
{
    for (uint32_t left = random_below(draw, (uint32_t)__builtin_popcountll(ports)); left; left--)
        ports &= ports - 1;
    return ports & -ports;
}

/* What becomes of it as it leaves by a link of a sort that may close a ring (graph.h); `escape`:
 * on an escape VC. */
static inline void switches_advance(struct packet_way *way, unsigned sort, bool is_long, bool wraps,
                                    bool escape)
{
    way->hops = (uint8_t)(way->hops + (way->hops < UINT8_MAX));
    way->globals = (uint8_t)(way->globals + is_long);
    way->around = (uint8_t)(way->around | wraps << sort);
    way->escape |= escape;
}

/* Whether a detour to a leaf is over at a switch: at that leaf, or in its group. */
static inline bool switches_is_around(const struct switches_routing *r, uint32_t node,
                                      uint32_t leaf)
{
    uint32_t there = r->routes->leaf_at[leaf], group = r->graph->group;
    return r->by_group ? node / group == there / group : node == there;
}

/* At the end of a detour: from now on a packet goes to its own leaf. True: it was there. */
static inline bool switches_turn(const struct switches_routing *r, uint32_t node,
                                 struct packet_way *way)
{
    if (way->via == GRAPH_NONE || !switches_is_around(r, node, way->via))
        return false;
    way->via = GRAPH_NONE;
    way->detour = true;
    way->around = 0;
    return true;
}

/* The leaf of a detour for a packet, by a draw; GRAPH_NONE: it would be none. */
uint32_t switches_detour(const struct switches_routing *r, uint32_t node, uint32_t leaf,
                         uint64_t draw);

/* Hops of a route with a detour, which leads to another leaf or group (switches_detour). */
uint32_t switches_hops_around(const struct switches_routing *r, uint32_t node, uint32_t via,
                              uint32_t leaf);

/*
 * A packet that could have taken a detour takes none. By the rule of global links it begins one
 * class higher, as if a global link were behind it: it ends in the same class as the others, and at
 * its first switch it is told apart from them (Kim et al. 2008, UGAL-L with VCs).
 */
static inline void switches_go_straight(const struct switches_routing *r, struct packet_way *way)
{
    way->globals = r->vc_rule == CLASS_GLOBAL && r->rule->can_detour;
}

/* The class of a packet that is about to leave a switch by a port. */
unsigned switches_class(const struct switches_routing *r, uint32_t node, unsigned port,
                        const struct packet_way *way);

#endif
