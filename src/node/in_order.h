/*
 * Packets in order, where they may overtake each other on their way: a sender's nic numbers those
 * of a pair, and the receiver's keeps those that come early until the ones before them are there.
 *
 *   in_order_number(key of sender and receiver) ... packet ... in_order_keep(key of receiver and
 * sender), then in_order_take() until it says that the next one is not there
 *
 * Whose packets are in order among each other is up to the keys.
 */
#ifndef WEFT_NODE_IN_ORDER_H
#define WEFT_NODE_IN_ORDER_H

#include "base/file/archive.h"
#include "base/map.h"
#include "base/slots.h"
#include "node/nic.h"

/* A packet that has come. */
struct in_order_kept {
    struct nic_arrival arrival;
    fine_t when;
    uint32_t number, next;
};

struct in_order_pair;

struct in_order {
    struct map sent;          /* by key: number of the next packet */
    struct map from;          /* by key: its pair */
    struct slots pairs, kept; /* struct in_order_pair, struct in_order_kept */
};

void in_order_init(struct in_order *o);
void in_order_fini(struct in_order *o);
void in_order_archive(struct in_order *o, struct archive *a);

/* Whether every pair is one that packets came from, and every packet that is kept is in one list,
 * and from one of so many nodes. */
bool in_order_is_sound(const struct in_order *o, uint32_t nodes);

static inline uint64_t in_order_key(uint32_t local, uint32_t other)
{
    return (uint64_t)local << 32 | other;
}

/* The number of the next packet; and it has left. */
uint32_t in_order_number(struct in_order *o, uint64_t key);
void in_order_sent(struct in_order *o, uint64_t key);

/* The pair that a packet came from; it stays valid until another one is asked for. */
struct in_order_pair *in_order_pair_of(struct in_order *o, uint64_t key);

/* Keeps a packet in the list of its pair, by number; numbers may wrap. */
void in_order_keep(struct in_order *o, struct in_order_pair *pair,
                   const struct in_order_kept *packet);

/* Takes the next packet in order, if it is there, at the time when those before it are, too. */
bool in_order_take(struct in_order *o, struct in_order_pair *pair, struct in_order_kept *packet);

#endif
