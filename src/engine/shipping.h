/*
 * Channels between ranks: after each window, everything that a rank's partitions wrote for another
 * rank goes there as one message; the other side puts it into its own channels.
 *
 *   message = for each channel from here to there, in order of (from, to):
 *             number of messages, number of bodies, the messages, the bodies
 */
#ifndef WEFT_ENGINE_SHIPPING_H
#define WEFT_ENGINE_SHIPPING_H

#include "engine/exchange.h"

/* Another rank with which this one has channels. */
struct peer {
    uint32_t rank;
    uint32_t *out, *in; /* channels, in order of (from, to) */
    uint32_t outs, ins;
    unsigned char *parcel; /* to be sent */
    size_t parcel_capacity;
};

struct shipping {
    struct channel *channel; /* of all partitions */
    struct peer *peer;
    uint32_t peers;
    void *received;
    size_t received_capacity;
};

/* The channels must not move as long as the shipping lives. */
void shipping_init(struct shipping *s, struct channel *channel, uint32_t channels,
                   uint32_t partitions);
void shipping_fini(struct shipping *s);

/* Sends what the window of this parity wrote, once all partitions that write for others ran. */
void shipping_send(struct shipping *s, unsigned parity);

/* Waits for the other ranks' messages of the same window. */
void shipping_receive(struct shipping *s, unsigned parity);

#endif
