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

#include "fabric/network.h"
#include "fabric/tofu/params.h"
#include "topology/torus/bricks.h"

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

struct tofu_client {
    void *ctx;
    /* Makes the client's state for a partition; runs on the thread that will use it. */
    void (*prepare)(void *ctx, struct network_part *part);
    /* The node was woken, or a port of its own has room again. */
    void (*serve)(void *ctx, struct network_part *part, uint32_t local, uint32_t node, cycle_t now);
    /* A packet was granted an engine or the barrier interface; its last line will be there in cycle
     * `when`. */
    void (*deliver)(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                    const struct tofu_packet *packet, cycle_t when);
};

struct tofu_network_options {
    const struct tofu_routing *routing;
    const struct tofu_params *params;
    struct tofu_client client;
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

/* Cycles in the window during which a link was busy; 0 at ranks that do not have it. */
uint64_t tofu_network_link_busy(const struct tofu_network *n, uint32_t node, unsigned port);

/* ---- for clients, during serve and deliver ---- */

/* Whether a port of the node's own takes a packet; takes it. The packet's route and flags say where
 * it goes. */
bool tofu_has_room(const struct network_part *part, uint32_t local, unsigned port);
void tofu_inject(struct network_part *part, uint32_t local, unsigned port,
                 const struct tofu_packet *packet);

/* The machine's number for a local node. */
uint32_t tofu_node_at(const struct network_part *part, uint32_t local);

#endif
