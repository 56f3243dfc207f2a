/*
 * The DMA engine of a node (KAUTZ, 1 and 6.1): it makes packets of messages and messages of
 * packets. The processors of a node share it.
 *
 *   events   packets that software made, one by one: short messages, and what protocols say. The
 *            engine's microcode handles each, sent or received, and is one for both. What comes in
 *            goes first: it is waited for from the moment when its head is on its way in.
 *   streams  a buffer of any length to another node ("Put Buffer"): packets follow each other at
 *            the engine's rate, streams taking turns; microcode is needed at the beginning and at
 *            the end only.
 *
 * Each processor has its own queue of events, served in turn; a queue and a stream keep their
 * order. What came is told to the client above with the time at which the engine is done with it.
 */
#ifndef WEFT_NODE_DMA_DMA_H
#define WEFT_NODE_DMA_DMA_H

#include "engine/fine.h"
#include "fabric/crosspoint/network.h"

enum { DMA_QUEUES_MAX = 8 };

struct dma_params {
    double mb_per_s;         /* payload of streams, each way */
    double event_ns;         /* of microcode, for each event */
    uint32_t packet_bytes;   /* payload of a full packet */
    uint32_t overhead_words; /* of a packet's payload that belong to the engine */
    uint32_t queues;         /* processors */
};

/* What a packet is of; crosspoint_packet.kind. */
enum dma_kind { DMA_EVENT, DMA_STREAM };

/* A route to a node, ready for a packet. */
struct dma_route {
    uint32_t string;
    uint8_t vc;
};

/* Something to be sent. */
struct dma_send {
    cycle_t birth;
    fine_t ready, gap;    /* of its first packet; between packets, which software makes */
    uint64_t bytes;       /* left to send */
    uint32_t destination; /* node */
    struct dma_route route;
    uint32_t argument; /* for the receiver */
    uint8_t kind, from, to, code;
};

struct dma_client {
    void *ctx;
    void (*prepare)(void *ctx, struct crosspoint_part *part, uint32_t partition, uint32_t nodes);
    /* Woken: by crosspoint_wake(), and whenever else. */
    void (*serve)(void *ctx, uint32_t partition, uint32_t local, uint32_t node, cycle_t now);
    /* The engine is done with a packet at `when`. */
    void (*arrived)(void *ctx, uint32_t partition, uint32_t local, uint32_t node,
                    const struct crosspoint_packet *packet, fine_t when);
    /* The last packet of a send has left at `when`. */
    void (*sent)(void *ctx, uint32_t partition, uint32_t local, uint32_t node,
                 const struct dma_send *send, fine_t when);
};

struct dma_options {
    const struct dma_params *params;
    const struct crosspoint_params *switch_params;
    uint32_t partitions;
    struct dma_client client;
};

struct dmas;

struct dmas *dmas_create(const struct dma_options *options);
void dmas_destroy(struct dmas *dmas);

/* What the network is to be given as its client. */
struct crosspoint_client dmas_client(struct dmas *dmas);

void dmas_archive(struct dmas *dmas, struct archive *archive);

/* An event goes to its processor's queue. A stream that is
 * ready is only posted while the engine serves: during the client's serve() and sent(). */
void dma_post(struct dmas *dmas, uint32_t partition, uint32_t local, unsigned queue,
              const struct dma_send *send);

/* The engine raises an event of its own, as at the end of a message; when it is done with it. */
fine_t dma_event(struct dmas *dmas, uint32_t partition, uint32_t local, fine_t when);

/* The partition's network. */
struct crosspoint_part *dma_part(const struct dmas *dmas, uint32_t partition);

/* Words on the wire of a packet with so much payload. */
uint32_t dma_words(const struct dma_params *params, uint32_t bytes);

#endif
