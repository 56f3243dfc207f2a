/*
 * The nic of a network that leaves ports to it (face.occupy), as the ideal one does: one out and
 * one in, which handle messages one by one. With the network's latency this is LogGOPS (Hoefler,
 * Schneider, Lumsdaine 2010):
 *
 *   L  machine.latency_ns, machine.hop_ns    the network's
 *   o  machine.node.send_ns, receive_ns      processor time per message (message/process.h)
 *   O  machine.node.byte_ns                  the same per byte
 *   g  machine.port.gap_ns                   least time between two messages at a port, or what
 *                                            each takes besides its bytes (machine.port.gap_rule)
 *   G  machine.port.mb_per_s                 a port's time per byte
 *   S  machine.node.eager_bytes              longer messages use rendezvous
 *
 *   ready ──> out port ── latency ──> in port ── bytes G ──> arrived
 *             └─ max(g, bytes G) ─┘   └─ max(g, bytes G) until the next one
 *
 * Sends stay whole and leave in the order in which they are ready; those of one queue as posted.
 */
#ifndef WEFT_NODE_PORTS_PORTS_H
#define WEFT_NODE_PORTS_PORTS_H

#include "config/keys.h"
#include "fabric/face.h"
#include "node/nic.h"

struct ports_params {
    double mb_per_s, gap_ns;
    uint32_t processors;
    enum gap_rule { GAP_LEAST, GAP_ADDED } gap_rule;
};

extern const struct key_section ports_section;
extern const struct key_table ports_keys;

struct nic *ports_create(const struct ports_params *params, const struct face *face,
                         uint32_t partitions);

/* Cycles for which a send occupies a port. */
double ports_slot(const struct ports_params *params, double bytes);

#endif
