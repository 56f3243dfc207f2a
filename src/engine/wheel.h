/*
 * A timing wheel: the future of one partition.
 *
 *   now ──┐
 *         v
 *   | s0 | s1 | s2 | ... | s1023 |      one slot a cycle, WHEEL_SLOTS cycles ahead
 *            │
 *            └─> block ─> block          events of that cycle, 15 a block, in no order
 *
 *   far: a heap of (time, event)         everything later; moves into the slots as time comes near
 *
 * An event is 64 bits that the model packs as it likes. Events of one cycle have no order: the
 * model must not depend on one (design.md, decision 1). Blocks come from a pool that is reused
 * last in, first out, so that the part in use stays in the cache.
 */
#ifndef WEFT_ENGINE_WHEEL_H
#define WEFT_ENGINE_WHEEL_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef uint64_t cycle_t; /* simulated time: one cycle is one byte time of a link */
typedef uint64_t event_t;

#define CYCLE_NEVER UINT64_MAX

enum { WHEEL_SLOTS = 1024, WHEEL_BLOCK_EVENTS = 15 };

struct wheel_block {
    uint32_t next; /* index of the next block of the slot or of the free list; 0: none */
    uint32_t count;
    event_t event[WHEEL_BLOCK_EVENTS];
};

struct wheel_far {
    cycle_t time;
    event_t event;
};

struct wheel {
    cycle_t now;               /* nothing is pending before this cycle */
    uint64_t events;           /* taken so far */
    struct wheel_block *block; /* pool; [0] is never used */
    size_t block_bytes;        /* reserved for the pool */
    uint32_t free_block;       /* 0: none */
    uint32_t fresh_block;      /* first block never used */
    uint32_t blocks;           /* in the pool */
    struct wheel_far *far;
    size_t far_count, far_capacity;
    uint64_t occupied[WHEEL_SLOTS / 64];
    uint32_t slot[WHEEL_SLOTS]; /* first block of each slot; 0: none */
};

/* For at most so many events at a time (those further away than the slots not counted). */
void wheel_init(struct wheel *w, size_t most_events);
void wheel_fini(struct wheel *w);

/* The first cycle with an event at or after w->now; CYCLE_NEVER if there is none. */
cycle_t wheel_next(const struct wheel *w);

/*
 * Takes the events of cycle `time`, which must be the next one: returns the first block (0: none)
 * and moves now to `time`. The caller reads the chain and gives it back with wheel_recycle(). An
 * event pushed meanwhile for the same cycle starts a new chain.
 */
uint32_t wheel_take(struct wheel *w, cycle_t time);

/* Calls visit(arg, time, event) for every pending event, in no order. */
void wheel_visit(const struct wheel *w, void (*visit)(void *, cycle_t, event_t), void *arg);

void wheel_push_far(struct wheel *w, cycle_t time, event_t event);

static inline uint32_t wheel_block_get(struct wheel *w)
{
    uint32_t index = w->free_block;
    if (index)
        w->free_block = w->block[index].next;
    else
        index = w->fresh_block++;
    WEFT_CHECK(index < w->blocks, "the wheel has more than %u blocks of events", w->blocks);
    return index;
}

static inline void wheel_recycle(struct wheel *w, uint32_t block)
{
    w->block[block].next = w->free_block;
    w->free_block = block;
}

static inline void wheel_push_near(struct wheel *w, cycle_t time, event_t event)
{
    unsigned slot = time % WHEEL_SLOTS;
    uint32_t head = w->slot[slot];
    if (!head || w->block[head].count == WHEEL_BLOCK_EVENTS) {
        uint32_t fresh = wheel_block_get(w);
        w->block[fresh].next = head;
        w->block[fresh].count = 0;
        w->slot[slot] = head = fresh;
        w->occupied[slot / 64] |= 1ull << (slot % 64);
    }
    w->block[head].event[w->block[head].count++] = event;
}

static inline void wheel_push(struct wheel *w, cycle_t time, event_t event)
{
    WEFT_CHECK(time >= w->now, "event for cycle %llu pushed at cycle %llu",
               (unsigned long long)time, (unsigned long long)w->now);
    if (__builtin_expect(time - w->now < WHEEL_SLOTS, 1))
        wheel_push_near(w, time, event);
    else
        wheel_push_far(w, time, event);
}

#endif
