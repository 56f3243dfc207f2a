/*
 * The nic of a host at a switch: one or more lanes to it, each with an engine that splits sends
 * into packets and brings them to the switch at the speed of a link.
 *
 *   lane 0:  queue, streams ── in turn ──> switch
 *   lane 1:  queue, streams ── in turn ──> switch
 *
 * A send takes a lane of those that the network names for it, the one with the fewest sends; a
 * stream takes another one whenever that is better.
 *
 * Packets may overtake each other on their way: over different lanes, VCs and routes. For messages
 * the receiver's adapter puts those of a pair of hosts in order again, and tells of a
 * send when all of it has come: whatever its length, it costs a processor once.
 */
#ifndef WEFT_NODE_ADAPTER_ADAPTER_H
#define WEFT_NODE_ADAPTER_ADAPTER_H

#include "config/keys.h"
#include "fabric/face.h"
#include "node/nic.h"

enum { ADAPTER_PROCESSORS = 8 };

struct adapter_params {
    uint32_t packet_bytes; /* payload of a full packet */
    double message_ns;     /* least time between the starts of two sends by a lane */
    uint32_t processors;   /* of a host */
};

extern const struct key_section adapter_section;
extern const struct key_table adapter_keys;

/* `ordered`: packets of a pair of hosts arrive in order. */
struct nic *adapters_create(const struct adapter_params *params, const struct face *face,
                            bool ordered, uint32_t partitions);

#endif
