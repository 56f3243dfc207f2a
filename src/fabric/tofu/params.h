/*
 * Parameters of Tofu's routers and links. The machine file gives each its value, unit and source;
 * tofu_params_derive() computes the rest.
 */
#ifndef WEFT_FABRIC_TOFU_PARAMS_H
#define WEFT_FABRIC_TOFU_PARAMS_H

#include "base/status.h"
#include "fabric/errors.h"
#include "fabric/tofu/packet.h"

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
    uint32_t buffer_bytes;         /* receive buffer of each virtual channel */
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
    uint32_t buffer_lines, retransmission_lines;
};

/* Checks that the values fit together, and computes the derived ones. */
weft_status tofu_params_derive(const struct tofu_params *params, struct tofu_derived *derived);

/* Whether a retransmission buffer can be full while acknowledgments are under way: packets that
 * leave without a pause would have to wait for them, which only the protocol knows. */
bool tofu_params_need_protocol(const struct tofu_derived *derived);

/* "C0", "C1": compute, "I0", "I1": I/O */
const char *tofu_vc_name(unsigned vc);

/* The virtual channel of a route's next hop; `higher`: it passes the last link of a ring, or has
 * passed it along this axis. With fewer channels than groups need, some share one. */
static inline unsigned tofu_vc(const struct tofu_params *p, unsigned group, bool higher)
{
    unsigned vc = TOFU_GROUP_VCS * group + higher;
    return vc < p->vcs ? vc : p->vcs - 1;
}

#endif
