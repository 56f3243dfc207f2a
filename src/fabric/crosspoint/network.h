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

#include "fabric/crosspoint/params.h"
#include "fabric/event.h"
#include "fabric/face.h"
#include "fabric/network.h"

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

/* A node's partition, and its local number there. */
void crosspoint_network_locate(const struct crosspoint_network *network, uint32_t node,
                               uint32_t *partition, uint32_t *local);

/* The least memory that a machine takes, in bytes. */
uint64_t crosspoint_network_memory(const struct crosspoint_params *params,
                                   const struct graph *graph);

/* With the link protocol, at the end of a run. All ranks must call it together. */
void crosspoint_network_links(const struct crosspoint_network *n, struct link_report *report);

/* Cycles in the window during which a link was busy; 0 if its sender is another rank's. */
uint64_t crosspoint_network_link_busy(const struct crosspoint_network *n, uint32_t node,
                                      unsigned output);

/* Where a link out of a node, or into it, is measured by itself (detail.h). */
uint32_t crosspoint_network_slot(const struct crosspoint_network *n, uint32_t node, unsigned port);

/* ---- for clients, during serve and deliver ---- */

/* Takes a packet into the buffer of its first output; false: no entry is free for its VC. */
bool crosspoint_inject(struct network_part *part, uint32_t local,
                       const struct crosspoint_packet *packet);

/* Whether a string leads from one node to another without running out of VCs; `vc`: the first. */
bool crosspoint_leads(const struct network_part *part, uint32_t local, uint32_t to, uint32_t route,
                      uint32_t vc);

/* Packs a route into a string. */
uint32_t crosspoint_route(const struct crosspoint_derived *d, const struct graph_route *route);

#endif
