/*
 * Hosts at switches in any graph (topology/graph/graph.h): switches with queues at their inputs,
 * credits and virtual cut-through; minimal, Valiant and adaptive routing.
 *
 *   host ── lane ──> input queues ── crossbar ──> output ── link ──> input queues ── ... ──> host
 *                    (per VC)                    (a few words)
 *
 * A packet may leave a queue as soon as its head is there: when its output has room, and a VC of
 * the buffer behind it has room for all of its words. The network's nodes are the hosts.
 *
 *   switches_network_create -> engine_run -> read the measures -> network_destroy
 */
#ifndef WEFT_FABRIC_SWITCHES_NETWORK_H
#define WEFT_FABRIC_SWITCHES_NETWORK_H

#include "base/random.h"
#include "config/keys.h"
#include "engine/wheel.h"
#include "fabric/face.h"
#include "fabric/network.h"
#include "topology/graph/routes.h"

/*
 * Parameters of a network of switches, and how packets are routed through it.
 *
 * A cycle is the time of a word on a link. A switch buffers packets at its inputs, a queue per
 * virtual channel (VC); its crossbar may be faster than a link, and then has room for a few words
 * at each output.
 */

enum {
    SWITCHES_VCS = 8,
    SWITCHES_LANES = 8,
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
    uint32_t vc_words;     /* of each VC of an input */
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
    uint32_t bias_words; /* by which a queue must be longer before a detour is taken, */
    double bias_trips;   /* and by so many round trips of the link */
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
 * route: one row per rule (routing.c), whose number is the value of machine.routing.algorithm.
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
static inline void switches_way_advance(struct packet_way *way, unsigned sort, bool is_long,
                                        bool wraps, bool escape)
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

/* A network of switches as its keys describe it. */

struct switches_config {
    char graph[CONFIG_TEXT]; /* as topology/graph/routes.h has it */
    struct switches_params params;
    uint32_t partitions;      /* 0: by the number of threads */
    uint32_t hosts, switches; /* after switches_config_finish() */
};

extern const struct key_section switches_section;
extern const struct key_table switches_keys;

/* Checks that the values fit together, and counts the hosts. `packet_bytes`: of a full packet. */
weft_status switches_config_finish(struct switches_config *c, uint32_t packet_bytes);

/* The graph; the caller must free it. */
weft_status switches_config_graph(const struct switches_config *c, struct graph *g);

/*
 * Whether a network of switches can deadlock, decided before it runs.
 *
 * A channel is a link and a class of VCs; a packet in it waits for the channels that routing allows
 * at the next switch. All routes from any host to any other are followed, with all detours; without
 * a cycle of waits something can always move (Dally and Seitz 1987). Where any minimal port may be
 * taken on VCs of its own, the channels are the escape VCs only, which every packet can fall back
 * on and then stays on (Duato 1993).
 */

/* WEFT_OK: proved, and `text` says how. WEFT_FAILED: not proved, and `text` has the cycle. */
weft_status switches_prove(const struct switches_routing *routing, char *text, size_t size);

enum switches_flag {
    SWITCHES_LAST = 1,    /* of its send */
    SWITCHES_DECIDED = 2, /* whether it takes a detour */
};

/* What travels: a cache line. (source, sequence) is its name. */
struct switches_packet {
    cycle_t birth;
    uint64_t cargo; /* the sender's, opaque here */
    struct packet_way way;
    uint32_t source, sequence;
    uint32_t destination; /* host */
    uint32_t number;      /* the sender's, opaque here, as is */
    uint32_t whole;       /* this: bytes of the send that it belongs to */
    uint32_t next;        /* in its queue or the pool's free list */
    uint16_t bytes;       /* of payload */
    uint16_t words;       /* on a link */
    uint8_t port, vc;     /* input that it came by, and its VC there */
    uint8_t flags;        /* enum switches_flag */
};
_Static_assert(sizeof(struct switches_packet) == 64, "a packet is a cache line");

struct switches_network;

struct switches_network_options {
    const struct switches_routing *routing;
    struct face_client client;
    uint32_t partitions;
    const uint32_t *partition; /* of each switch */
    uint32_t full_words;       /* of a packet, at most */
    struct measure_plan plan;
};

weft_status switches_network_create(const struct switches_network_options *options,
                                    struct switches_network **network);

/* A host's partition, and its local number there. */
void switches_network_locate(const struct switches_network *network, uint32_t host,
                             uint32_t *partition, uint32_t *local);

/* The least memory that a machine takes, in bytes. */
uint64_t switches_network_memory(const struct switches_params *params, const struct graph *g);

/* How long packets waited at the head of a queue until they left it, by VC; packets counted while
 * measured. All ranks must call it together. */
struct switches_waits {
    uint64_t packets[SWITCHES_VCS], cycles[SWITCHES_VCS];
    uint64_t detours, decided;      /* packets that took one, and all that could */
    uint64_t longest[SWITCHES_VCS]; /* behind the sums */
};
struct switches_waits switches_network_waits(const struct switches_network *n);

/*
 * What a network of switches offers to the nics of its hosts (fabric/face.h). Ports are the lanes
 * to the switch. If there is a lane for each link of the switch, lane n is link n's: packets for a
 * busy link do not hold up others. A packet that may take a detour, or stays at the switch, can
 * take any.
 */

struct switches_face {
    struct face face;
    const struct switches_routing *routing;
};

struct switches_face switches_face_make(const struct switches_routing *routing);

/* The packet as its receiver's nic sees it. */
struct face_packet switches_face_packet(const struct switches_packet *packet);

#endif
