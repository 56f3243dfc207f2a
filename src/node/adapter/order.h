/*
 * Packets of a pair in the order in which they were sent: the sender numbers them, and the receiver
 * keeps those that come early until the ones before them are there.
 */
#ifndef WEFT_NODE_ADAPTER_ORDER_H
#define WEFT_NODE_ADAPTER_ORDER_H

#include "base/map.h"
#include "base/slots.h"
#include "node/nic.h"

/* Of one partition. */
struct order {
    struct map sent;    /* host here and where to: number of the next packet */
    struct map from;    /* host here and where from: its pair */
    struct slots pairs; /* struct order_pair */
    struct slots kept;  /* struct order_kept */
};

/* What has come from a host to another. */
struct order_pair {
    fine_t latest;     /* when all of it that was in order was there: lanes may be of use at once */
    uint32_t expected; /* number of the next packet */
    uint32_t early;    /* first of those that came before it, by number; SLOT_NONE */
    uint32_t next;
};

struct order_kept {
    struct nic_arrival arrival;
    fine_t when;
    uint32_t number, next;
};

void order_init(struct order *o);
void order_fini(struct order *o);

/* The number of the next packet from a local host to another. */
uint32_t order_number(struct order *o, uint32_t local, uint32_t to);

/* It did not leave, after all. */
void order_take_back(struct order *o, uint32_t local, uint32_t to);

/* A packet has come to a local host; false: it is kept, until the ones before it are there. *when
 * becomes the time when they, too, are there. */
bool order_arrive(struct order *o, uint32_t local, uint32_t number,
                  const struct nic_arrival *arrival, fine_t *when);

/* After one that was in order: the next that is there already; false: there is none. */
bool order_next(struct order *o, uint32_t local, uint32_t source, struct order_kept *kept);

/* Saves or restores it. */
void order_archive(struct order *o, struct archive *a);

/* Whether a restored one can be one. */
bool order_is_sound(const struct order *o);

#endif
