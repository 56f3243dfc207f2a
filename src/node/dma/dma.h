/*
 * The DMA engine of a node (KAUTZ, 1 and 6.1): it makes packets of messages and messages of
 * packets. The processors of a node share it. It is a nic for any fabric with a face
 * (fabric/face.h).
 *
 *   events   packets that software makes one by one: short messages, and messages of protocols. One
 *            microcode handles each event, sent or received. Incoming packets go first: microcode
 *            is reserved for a packet from the moment when its head is on its way in.
 *   streams  a buffer of any length to another node ("Put Buffer"): packets follow each other at
 *            the engine's rate, and streams take turns; microcode is needed at the beginning and at
 *            the end only.
 *
 * Each processor has its own queue of events, and queues are served in turn; each queue and each
 * stream keeps its order. A stream that is ready at once may only be posted while the engine
 * serves: from woken() and sent(). The client is told of an arrival with the time at which the
 * engine is done with it.
 */
#ifndef WEFT_NODE_DMA_DMA_H
#define WEFT_NODE_DMA_DMA_H

#include "config/keys.h"
#include "fabric/face.h"
#include "node/nic.h"

enum { DMA_QUEUES_MAX = 8, DMA_RECEIVE_MOST = 16 };

struct dma_params {
    double mb_per_s;          /* payload of streams, each way */
    double event_ns;          /* microcode time per event */
    uint32_t packet_bytes;    /* payload of a full packet */
    uint32_t receive_packets; /* that there is room for, the one being handled included */
    uint32_t packets_ahead;   /* that it is given in advance, if they are all that is sent */
    uint32_t queues;          /* processors */
};

extern const struct key_section dma_section;
extern const struct key_table dma_keys;

/* WEFT_BAD_INPUT: a packet of the engine does not fit into one of its network. */
weft_status dma_check(const struct dma_params *params, uint32_t payload_most);

/* `face` must outlive the nic. */
struct nic *dmas_create(const struct dma_params *params, const struct face *face,
                        uint32_t partitions);

#endif
