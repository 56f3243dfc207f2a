/*
 * Channels between partitions.
 *
 * A channel carries messages one way from one partition to another. The writer appends during a
 * window; the reader takes them all at the start of the next one. There are two buffers, swapped
 * by the parity of the window, so that one barrier per window is enough:
 *
 *   window w      writer fills buffer w%2          reader drains buffer (w-1)%2
 *   barrier
 *   window w+1    writer fills buffer (w+1)%2      reader drains buffer w%2
 *
 * Each channel has one writer and one reader, so there are no locks. A message is (time, event,
 * body): the model sets the size of bodies, and a message may have none.
 * A message must not arrive before the window in which it is sent has ended: channel_send() checks
 * this, and names both partitions and both times.
 *
 * If a channel's partitions are in different processes, whole buffers are shipped from one to the
 * other at the end of the window; nothing else knows who runs where.
 */
#ifndef WEFT_ENGINE_CHANNEL_H
#define WEFT_ENGINE_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "engine/wheel.h"

struct channel_buffer {
    uint32_t count, capacity;
    struct wheel_far *message;
    uint32_t body_count, body_capacity;
    unsigned char *body;
} __attribute__((aligned(64))); /* its writer and the other buffer's reader run at the same time */

struct channel {
    uint32_t from, to; /* partitions */
    uint32_t body_size;
    cycle_t earliest; /* window end: no message may arrive before; kept by the engine */
    struct channel_buffer buffer[2];
    unsigned writing; /* which buffer the writer fills; changed by the writer at window start */
} __attribute__((aligned(64)));

void channel_init(struct channel *c, uint32_t from, uint32_t to, uint32_t body_size);
void channel_fini(struct channel *c);

/* Appends a message; returns room for its body, or NULL when `with_body` is false. */
void *channel_send(struct channel *c, cycle_t time, event_t event, int with_body);

/* Unpacks messages of another process into a buffer; returns how many bytes it read. */
size_t channel_fill(struct channel *c, unsigned parity, uint32_t messages, uint32_t bodies,
                    const void *bytes);

/* Saves or restores the messages of one buffer. */
void channel_archive(struct channel *c, unsigned parity, struct archive *a);

/*
 * Channels between ranks: after each window, everything that a rank's partitions wrote for another
 * rank goes there as one message; the other side puts it into its own channels.
 *
 *   message = for each channel from here to there, in order of (from, to):
 *             number of messages, number of bodies, the messages, the bodies
 */

/* Channels in order of (from, to): two ranks know them by that, not by their numbers. */
struct channel_list {
    uint32_t *channel, count;
};

/* Another rank with which this one has channels. */
struct peer {
    uint32_t rank;
    struct channel_list out, in;
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
