/*
 * The order in which a participant of an all-to-all turns to the others. It decides how evenly the
 * receivers and the links are used at a time.
 *
 *   ascending   by their numbers: all begin with the first, which has to take in what all send
 *   staggered   from the next one on, and around: in each turn every participant has one sender
 *   random      in an order of each participant's own
 *   distance    the nearest first, those as far away staggered
 *
 * An order is a function of the participant and the turn, the same on any number of threads. That
 * by distance is kept in a table.
 */
#ifndef WEFT_MESSAGE_ORDER_H
#define WEFT_MESSAGE_ORDER_H

#include <stdint.h>

#include "base/status.h"

enum send_order_kind {
    ORDER_AUTO, /* as the all-to-all has always done it */
    ORDER_ASCENDING,
    ORDER_RANDOM,
    ORDER_DISTANCE,
    ORDER_STAGGERED,
    ORDERS,
};

/* Participants for which there is a table. */
enum { ORDER_TABLE_MOST = 8192 };

struct send_order {
    enum send_order_kind kind;
    uint32_t count;  /* of participants */
    uint64_t seed;   /* of random orders */
    uint16_t *table; /* [participant * (count - 1) + turn], of ORDER_DISTANCE */
};

/* Hops between two participants. */
typedef uint32_t order_hops(const void *ctx, uint32_t from, uint32_t to);

/* WEFT_BAD_INPUT: too many for a table. */
weft_status order_init(struct send_order *order, enum send_order_kind kind, uint32_t count,
                       uint64_t seed, order_hops *hops, const void *ctx);
void order_fini(struct send_order *order);

/* The one that a participant turns to: turns are from 0 to count - 2. */
uint32_t order_other(const struct send_order *order, uint32_t me, uint32_t turn);

#endif
