/*
 * Parameters of the crosspoint fabric (KAUTZ, 3 and 4). The machine file gives each its value,
 * unit and source; crosspoint_params_derive() computes the rest.
 */
#ifndef WEFT_FABRIC_CROSSPOINT_PARAMS_H
#define WEFT_FABRIC_CROSSPOINT_PARAMS_H

#include "base/status.h"
#include "fabric/errors.h"
#include "topology/graph/routes.h"

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
    uint32_t buffer_packets;
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

#endif
