/*
 * The fabric of SiCortex (KAUTZ): nodes with one-way links in any directed graph, a crosspoint
 * switch in each, source routing.
 *
 *   input 0..d-1: links in        output 0..d-1: links out
 *   input d: from the node        output d: to the node
 *
 * Crosspoint buffer (i, j) holds packets that came by input i and leave by output j; there is none
 * from a node to itself. One cycle is one 8-byte word on the datapath.
 *
 *   crosspoint_network_create -> engine_run -> read the measures -> network_destroy
 */
#ifndef WEFT_FABRIC_CROSSPOINT_NETWORK_H
#define WEFT_FABRIC_CROSSPOINT_NETWORK_H

#include "base/status.h"
#include "config/keys.h"
#include "fabric/errors.h"
#include "fabric/face.h"
#include "fabric/network.h"
#include "fabric/part.h"
#include "topology/graph/routes.h"

/*
 * Parameters of the crosspoint fabric (KAUTZ, 3 and 4). The machine file gives each its value,
 * unit and source; crosspoint_params_derive() computes the rest.
 */

enum {
    CROSSPOINT_WORD_BYTES = 8, /* the datapath: one word per cycle */
    CROSSPOINT_PORTS = GRAPH_ONE_WAY_LINKS + 1,
    CROSSPOINT_VCS = 8,
    CROSSPOINT_SEQUENCES = 16,
    CROSSPOINT_ROUTE_BITS = 32,
    CROSSPOINT_MIN_WORDS = 4, /* header, 2 of payload, trailer */
    CROSSPOINT_MAX_WORDS = 20,
    CROSSPOINT_ENDS_WORDS = 2, /* header and trailer */
    CROSSPOINT_PAYLOAD_MOST =
        (CROSSPOINT_MAX_WORDS - CROSSPOINT_ENDS_WORDS) * CROSSPOINT_WORD_BYTES,
};

enum vc_rule { VC_RULE_DECREMENT, VC_RULE_NONE };
enum vc_start { VC_START_EXACT, VC_START_HIGHEST };

struct crosspoint_params {
    double clock_mhz;        /* of the switch: a cycle is a word on every path and link */
    uint32_t bypass_cycles;  /* from input to output of a switch, without contention */
    uint32_t wire_cycles;    /* serialiser, wire, deserialiser */
    uint32_t overhead_words; /* of a packet on a link, besides header, payload and trailer */
    uint32_t buffer_cycles;  /* extra for a packet that had to wait in its crosspoint buffer */
    uint32_t crosspoint_packets;
    uint32_t vcs;
    enum vc_rule vc_rule;
    enum vc_start vc_start;
    uint32_t control_bytes; /* of a control packet, one byte per cycle */
    bool protocol;          /* models CRCs, replay and lost control packets */
    struct error_params errors;
};

struct crosspoint_derived {
    uint32_t ports;          /* of a switch: links and, last, the node's own */
    uint32_t route_bits;     /* that a hop takes off the routing string */
    uint32_t most_hops;      /* that the string has room for */
    uint32_t hop_cycles;     /* grant at a switch to first possible grant at the next */
    uint32_t control_cycles; /* start of a control packet to when upstream knows its news */
    uint16_t all_entries;    /* mask */
    uint16_t vc_entries[CROSSPOINT_VCS]; /* entries open to a VC: its own and the shared ones */
};

/* Checks that the values fit together, and computes the derived ones. */
weft_status crosspoint_params_derive(const struct crosspoint_params *params,
                                     const struct graph *graph, struct crosspoint_derived *derived);

/* "VC0", ... */
const char *crosspoint_vc_name(unsigned vc);

/* Whether a packet from node x through y to z has its VC decremented at y (KAUTZ, 4.2). */
static inline bool crosspoint_decrements(enum vc_rule rule, uint32_t x, uint32_t y, uint32_t z)
{
    return rule == VC_RULE_DECREMENT && y > x && y > z;
}

/* How many decrements a route has. */
uint32_t crosspoint_decrements_along(const struct crosspoint_params *params,
                                     const struct graph *graph, uint32_t from,
                                     const struct graph_route *route);

/* A machine with a crosspoint fabric as its keys describe it, and what is derived from them. */

struct crosspoint_config {
    char graph[CONFIG_TEXT];                               /* "kautz:3:6", or a path */
    char dead_nodes[CONFIG_TEXT], dead_links[CONFIG_TEXT]; /* "5,77", "5>77,..." */
    char bad_links[CONFIG_TEXT];                           /* "5>77@1000-5000,..." */
    struct crosspoint_params params;
    uint32_t partitions;        /* 0: by the number of threads */
    uint32_t nodes, dead_count; /* of the graph, after crosspoint_config_finish() */
};

extern const struct key_section crosspoint_section;
extern const struct key_table crosspoint_keys;

/* Checks that the values fit together, and parses the texts. */
weft_status crosspoint_config_finish(struct crosspoint_config *c);

/* The graph without its dead nodes and links; the caller must free it. */
weft_status crosspoint_config_graph(const struct crosspoint_config *c, struct graph *graph);

/* A hash of the graph's nodes and links, not of its name: a file with new content differs. */
uint64_t crosspoint_config_hash(const struct crosspoint_config *c);

/*
 * Whether a crosspoint network can deadlock, decided before it runs (KAUTZ, 4.2).
 *
 * A packet in crosspoint buffer (i, j) on VC v waits for an entry open to v in the buffer that its
 * next two hops name. Each VC has an entry of its own in each buffer, so without a cycle of buffers
 * and VCs something can always move (Dally and Seitz). The graph is first built from all turns that
 * any route could take; if that has a cycle, from the turns that routes do take.
 *
 * The decrement rule has no cycle on any graph: on one VC a packet goes down in node numbers, then
 * up, and never down again. It needs one VC more than a route has peaks.
 */

/* The most VCs that any shortest route needs, and the first pair that needs them. */
struct crosspoint_need {
    uint32_t vcs, hops;
    uint32_t from, to;
};
struct crosspoint_need crosspoint_need(const struct graph_routes *routes,
                                       const struct crosspoint_params *params);

/* WEFT_BAD_INPUT, naming the pair, if two living nodes have no route, or a shortest one needs more
 * hops in its routing string than there are; then, if it needs more VCs. */
weft_status crosspoint_check_graph(const struct graph *graph,
                                   const struct crosspoint_params *params);
weft_status crosspoint_check_routes(const struct graph_routes *routes,
                                    const struct crosspoint_params *params);

/* WEFT_OK: proved, and `text` says how. WEFT_FAILED: not proved, and `text` has the cycle. `rails`:
 * how many disjoint routes long messages take; 1: the shortest only. */
weft_status crosspoint_prove(const struct graph_routes *routes,
                             const struct crosspoint_params *params, uint32_t rails, char *text,
                             size_t size);

enum crosspoint_flag {
    CROSSPOINT_LAST = 1,     /* of its stream or message */
    CROSSPOINT_POISONED = 2, /* corrupted on a link after its head had left; nobody keeps it */
};

/* What travels. (source, sequence) is its name. */
struct crosspoint_packet {
    union {
        struct {
            union {
                cycle_t birth;
                cycle_t tail_at; /* of a poisoned packet in a switch: when its last word is there */
            };
            uint32_t source, sequence;
        };
        uint16_t map[CROSSPOINT_PORTS]; /* of a control packet, which travels like a packet */
    };
    uint64_t cargo;       /* the sender's, opaque here */
    uint32_t destination; /* node */
    uint32_t route;       /* string of output ports, the next in the low bits */
    uint32_t next;        /* in its queue or the pool's free list */
    uint16_t bytes;       /* of payload that belong to a message */
    uint8_t words;        /* header and trailer included; a link is busy for a few more */
    uint8_t vc, entry;    /* on the link it came by, and in the buffer behind it */
    uint8_t flags;
    uint8_t number, frame; /* for the link protocol: its number, and its fate */
    bool stream;           /* made by the sender's DMA engine; else an event */
};

struct crosspoint_network;

struct crosspoint_network_options {
    const struct graph *graph;
    const struct crosspoint_params *params;
    struct face_client client;
    uint32_t partitions;
    const uint32_t *partition; /* of each node */
    uint64_t seed;
    struct measure_plan plan;
};

weft_status crosspoint_network_create(const struct crosspoint_network_options *options,
                                      struct crosspoint_network **network);

/* The least memory that a machine takes, in bytes. */
uint64_t crosspoint_network_memory(const struct crosspoint_params *params,
                                   const struct graph *graph);

/* With the link protocol, at the end of a run. All ranks must call it together. */
void crosspoint_network_links(const struct crosspoint_network *n, struct link_report *report);

/*
 * What a crosspoint fabric offers to the engines of its nodes (fabric/face.h). A route is a routing
 * string and the VC to start on (KAUTZ, 4.1 and 4.2), which the sender's software chooses.
 */

struct crosspoint_face {
    struct face face;
    const struct graph *graph;
    const struct graph_routes *routes;
    const struct crosspoint_params *params;
    struct crosspoint_derived derived;
};

weft_status crosspoint_face_init(struct crosspoint_face *f, const struct graph *graph,
                                 const struct graph_routes *routes,
                                 const struct crosspoint_params *params);

/* Words of a packet with this much payload. */
uint32_t crosspoint_words(uint32_t bytes);

/* The packet as its receiver's nic sees it. */
struct face_packet crosspoint_face_packet(const struct crosspoint_packet *packet);

#endif
