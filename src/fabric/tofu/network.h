/*
 * The network of Tofu (TOFU): nodes with ten links, four communication engines and a barrier
 * interface around a router with virtual cut-through.
 *
 *   inputs   ten links with a receive buffer for each virtual channel; four engines; the barrier
 *            interface
 *   outputs  the same: ten links, four engines, the barrier interface
 *
 *   tofu_network_create -> engine_run -> read the measures -> network_destroy
 */
#ifndef WEFT_FABRIC_TOFU_NETWORK_H
#define WEFT_FABRIC_TOFU_NETWORK_H

#include "base/status.h"
#include "config/keys.h"
#include "engine/wheel.h"
#include "fabric/errors.h"
#include "fabric/face.h"
#include "fabric/network.h"
#include "fabric/tofu/route.h"
#include "fabric/tofu/swap.h"
#include "topology/torus/bricks.h"

/*
 * Packets of Tofu (TOFU, "Throughput and packet transfer"): 32 to 2048 bytes in lines of 8 bytes,
 * header and CRC included; a cycle is a line on a link.
 */

enum {
    TOFU_LINE_BYTES = 8,
    TOFU_MIN_LINES = 4,
    TOFU_MAX_LINES = 256,
    TOFU_ENGINES = 4, /* of a node, at most */
};

enum tofu_flag {
    TOFU_LAST = 1,      /* of its send */
    TOFU_POISONED = 2,  /* corrupted on a link after its head had left; nobody keeps it */
    TOFU_BARRIER = 4,   /* for the barrier interface of its destination */
    TOFU_GET = 8,       /* asks the engine at its destination for data */
    TOFU_IO = 16,       /* goes by the channels of I/O */
    TOFU_NUMBERED = 32, /* its receiver's nic puts it in order by its number */
};

/* (source, sequence) is its name. */
struct tofu_packet {
    union {
        cycle_t birth;
        cycle_t tail_at; /* of a poisoned packet in a router: when its last line is there */
    };
    tofu_route_t route;
    uint64_t cargo; /* the sender's, opaque here */
    uint32_t source, sequence, destination;
    uint32_t next;   /* in its queue or the pool's free list */
    uint16_t lines;  /* all of it */
    uint16_t bytes;  /* of payload that belong to a message */
    uint8_t vc;      /* in whose buffer it is */
    uint8_t flags;   /* enum tofu_flag */
    uint8_t engine;  /* that receives it */
    uint8_t number;  /* for the link protocol: its number, */
    uint8_t frame;   /* and its fate */
    uint8_t started; /* where units are swapped: 1 + number of the outage in which its send did */
    uint32_t asked;  /* TOFU_GET: for so many bytes; TOFU_NUMBERED: its number in order */
};

/*
 * Parameters of Tofu's routers and links. The machine file gives each its value, unit and source;
 * tofu_params_derive() computes the rest.
 */

/* Who goes first among packets that want the same output. */
enum tofu_arbiter {
    TOFU_TRANSIT_FIRST, /* those that came over a link before new ones; each in turn */
    TOFU_TURNS,         /* all in turn */
};

struct tofu_params {
    double link_mb_per_s;    /* one way: a cycle is a line of 8 bytes */
    uint32_t receive_cycles; /* stages of a hop: deserialiser and input of a router, */
    uint32_t route_cycles;   /* the choice of an output, */
    uint32_t switch_cycles;  /* arbitration and crossbar, */
    uint32_t send_cycles;    /* output and serialiser, */
    uint32_t wire_cycles;
    uint32_t vc_bytes;             /* receive buffer of each virtual channel */
    uint32_t retransmission_bytes; /* of each link */
    uint32_t control_lines;        /* on the way back, for each packet: acknowledgment and credit */
    uint32_t refresh_cycles;       /* after which a control line that was lost is repeated */
    uint32_t vcs;                  /* in use, group by group */
    enum tofu_arbiter arbiter;
    bool protocol; /* models CRCs and retransmission */
    struct error_params errors;
};

struct tofu_derived {
    uint32_t hop_cycles;     /* grant at a router to first possible grant at the next */
    uint32_t control_cycles; /* a control line leaves, to when the sender behind knows its news */
    uint32_t vc_lines, retransmission_lines;
};

/* Checks that the values fit together, and computes the derived ones. */
weft_status tofu_params_derive(const struct tofu_params *params, struct tofu_derived *derived);

/* "C0", "C1": compute, "I0", "I1": I/O */
const char *tofu_vc_name(unsigned vc);

/* The virtual channel of a route's next hop; `higher`: it passes the last link of a ring, or has
 * passed it along this axis. With fewer channels than groups need, some share one. */
static inline unsigned tofu_vc(const struct tofu_params *p, unsigned group, bool higher)
{
    unsigned vc = TOFU_GROUP_VCS * group + higher;
    return vc < p->vcs ? vc : p->vcs - 1;
}

/* A Tofu machine as its keys describe it, and what is derived from them. */

struct tofu_config {
    struct torus shape;
    char dead_nodes[CONFIG_TEXT], dead_boards[CONFIG_TEXT], dead_groups[CONFIG_TEXT],
        dead_links[CONFIG_TEXT];
    char bad_links[CONFIG_TEXT];                            /* "1/2/3/0/1/0:x+@1000-5000,..." */
    char swap[CONFIG_TEXT];                                 /* "1/2/3/0/1/0@1000-5000,..." */
    char compute_order[CONFIG_TEXT], io_order[CONFIG_TEXT]; /* "zxy" */
    char bricks[CONFIG_TEXT];                               /* "auto", or cuts per axis */
    bool io_plane;
    struct tofu_params router;
    struct tofu_faults faults; /* made by tofu_config_finish(), as the following */
    struct tofu_swaps swaps;
};

extern const struct key_section tofu_section;
extern const struct key_table tofu_keys;

/* Checks that the values fit together, and parses the texts. */
weft_status tofu_config_finish(struct tofu_config *c);

/* How packets are routed; it refers to the configuration. */
struct tofu_routing tofu_config_routing(const struct tofu_config *c);

/*
 * Whether packets can wait for each other for ever (Dally and Seitz 1987). A channel is a virtual
 * channel of a link; it waits for those that packets in it may ask for next: whatever the path,
 * detours and long ways included. The graph of a whole machine contains those of all machines with
 * something dead, so one proof covers every fault.
 */

/* Says why there is no deadlock (WEFT_OK), or which channels may wait for each other. */
weft_status tofu_prove(const struct tofu_routing *routing, const struct tofu_params *params,
                       char *text, size_t size);

/* Ports of a router behind the links. */
enum tofu_own_port {
    TOFU_PORT_ENGINE = TOFU_LINKS,
    TOFU_PORT_BARRIER = TOFU_PORT_ENGINE + TOFU_ENGINES,
    TOFU_PORTS,
};

/* Where a link out of a node, or into it, is measured by itself (detail.h). */
static inline uint32_t tofu_slot(uint32_t local, unsigned port)
{
    return local * TOFU_LINKS + port;
}

struct tofu_network;

struct tofu_network_options {
    const struct tofu_routing *routing;
    const struct tofu_params *params;
    const struct tofu_outages *outages; /* NULL: no unit is swapped */
    struct face_client client;
    struct bricks bricks;
    uint64_t seed;
    struct measure_plan plan;
};

weft_status tofu_network_create(const struct tofu_network_options *options,
                                struct tofu_network **network);

/* Bytes that a whole machine takes at most, packets aside. */
uint64_t tofu_network_memory(const struct tofu_params *params, uint32_t nodes);

/* With the link protocol, at the end of a run. All ranks must call it together. */
void tofu_network_links(const struct tofu_network *n, struct link_report *report);

/*
 * What Tofu offers to the nics of its nodes (fabric/face.h). Ports are the engines and, behind
 * them, the barrier interface, which takes packets for gates. Each holds one packet, until it is
 * granted an output. The number of a route is that of its path, less 1.
 */

/* With outages, sends ask for their routes when they start (face.start). */
struct tofu_face {
    struct face face;
    const struct tofu_routing *routing;
    uint32_t header_bytes; /* of a packet: header and CRC */
};

struct tofu_face tofu_face_make(const struct tofu_routing *routing,
                                const struct tofu_params *params,
                                const struct tofu_outages *outages, uint32_t header_bytes);

/* Lines of a packet with this much payload. */
uint32_t tofu_lines(uint32_t header_bytes, uint32_t bytes);

/* The packet as its receiver's nic sees it. */
struct face_packet tofu_face_packet(const struct tofu_packet *packet);

#endif
