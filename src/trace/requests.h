/*
 * The requests of one rank that a trace has started and not waited for, while it is read: each gets
 * the lowest number that is free, its slot, and is found again by what the trace says of it.
 */
#ifndef WEFT_TRACE_REQUESTS_H
#define WEFT_TRACE_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_request {
    uint64_t key, tag;
    uint32_t slot;
    bool tested; /* it may be over already: a trace need not wait for it any more */
};

struct trace_requests {
    struct trace_request *open; /* the oldest first, from `first` on */
    size_t first, end, room;
    uint32_t *spare; /* slots that are free again */
    uint32_t spares, spare_room, slots;
};

void requests_drop(struct trace_requests *r);

/* A new one; returns its slot. */
uint32_t requests_add(struct trace_requests *r, uint64_t key, uint64_t tag);

/* The oldest of those that a key and a tag, or any of two keys, describe; NULL: none. */
struct trace_request *requests_find(struct trace_requests *r, uint64_t key, uint64_t or_key,
                                    uint64_t tag);

/* It was waited for: its slot is free. */
void requests_end(struct trace_requests *r, struct trace_request *which);

static inline size_t requests_open(const struct trace_requests *r)
{
    return r->end - r->first;
}

#endif
