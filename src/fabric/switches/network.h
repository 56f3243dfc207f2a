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

#include "fabric/network.h"
#include "fabric/switches/params.h"

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
    uint32_t whole;       /* this: bytes of the send that it is part of */
    uint32_t next;        /* in its queue or the pool's free list */
    uint16_t bytes;       /* of payload */
    uint16_t words;       /* on a link */
    uint8_t port, vc;     /* input that it came by, and its VC there */
    uint8_t flags;        /* enum switches_flag */
};
_Static_assert(sizeof(struct switches_packet) == 64, "a packet is a cache line");

struct switches_network;

struct switches_client {
    void *ctx;
    /* Makes the client's state for a partition; runs on the thread that will use it. */
    void (*prepare)(void *ctx, struct network_part *part);
    /* The host was woken, or a lane has room again. */
    void (*serve)(void *ctx, struct network_part *part, uint32_t local, uint32_t host, cycle_t now);
    /* A packet is on its way from the last switch; its last word will be there in cycle `when`.
     * Returns the first cycle in which that lane may begin to bring another. */
    cycle_t (*deliver)(void *ctx, struct network_part *part, uint32_t local, uint32_t host,
                       const struct switches_packet *packet, cycle_t when);
};

struct switches_network_options {
    const struct switches_routing *routing;
    struct switches_client client;
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
    uint64_t packets[SWITCHES_VCS], cycles[SWITCHES_VCS], longest[SWITCHES_VCS];
    uint64_t detours, decided; /* packets that took one, and all that could */
};
struct switches_waits switches_network_waits(const struct switches_network *n);

/* Cycles in the window during which a link was busy; 0 if its sender is another rank's. */
uint64_t switches_network_link_busy(const struct switches_network *n, uint32_t node, unsigned port);

/* Where a port of a switch is measured by itself (detail.h): what leaves by it, and what a host
 * sends to it. */
uint32_t switches_network_slot(const struct switches_network *n, uint32_t node, unsigned port);
uint32_t switches_network_host_slot(const struct switches_network *n, uint32_t node, unsigned port);

/* ---- for clients, during serve and deliver ---- */

/* The first cycle in which a lane can take a packet: now, if it is free. */
cycle_t switches_lane_free(const struct network_part *part, uint32_t local, unsigned lane);

/* The lanes that packets for a host should take, as a mask. If there is a lane for each link of the
 * switch, lane n is link n's: packets for a busy link do not hold up others. A packet that may take
 * a detour, or stays at the switch, can take any. */
uint8_t switches_host_lanes(const struct network_part *part, uint32_t local, uint32_t destination);

/* Sends a packet by a lane that is free; false: the switch has no room for it. The packet's name,
 * destination, bytes and words must be set. */
bool switches_inject(struct network_part *part, uint32_t local, unsigned lane,
                     const struct switches_packet *packet);

uint32_t switches_hosts(const struct network_part *part); /* of the machine */
#endif
