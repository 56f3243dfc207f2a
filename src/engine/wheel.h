/*
 * A timing wheel: the pending events of one partition.
 *
 *   now ──┐
 *         v
 *   | s0 | s1 | s2 | ... | s1023 |      one slot per cycle, WHEEL_SLOTS cycles ahead
 *            │
 *            └─> block ─> block          events of that cycle, 15 per block, in no order
 *
 *   far: a heap of (time, event)         later events; they move into the slots as time approaches
 *
 * An event is 64 bits that the model packs as it likes. Events of one cycle have no order, and the
 * model must not depend on any (docs/architecture.md). The pool reuses blocks last in, first out,
 * so that the part in use stays in the cache.
 */
#ifndef WEFT_ENGINE_WHEEL_H
#define WEFT_ENGINE_WHEEL_H

#include <stddef.h>
#include <stdint.h>

#include "base/file/archive.h"
#include "base/status.h"

typedef uint64_t cycle_t; /* simulated time; the fabric defines how long a cycle is */
typedef uint64_t event_t;

#define CYCLE_NEVER UINT64_MAX

/* No event lies so far away: fine time (fine.h) ends there. */
#define CYCLE_END (1ull << 48)

enum { WHEEL_SLOTS = 1024, WHEEL_BLOCK_EVENTS = 15, WHEEL_BLOCK_CELLS = 16 };

/*
 * Blocks are 16 cells of one array: the first holds the number of the next block of its slot or of
 * the free list (0: none), the others hold events. So a slot is one number: the cell for its next
 * event. If its block is full, that is the first cell of the block behind.
 */

struct wheel_far {
    cycle_t time;
    event_t event;
};

struct wheel {
    cycle_t now;          /* nothing is pending before this cycle */
    uint64_t events;      /* processed so far */
    event_t *cell;        /* pool of blocks; block 0 is never used */
    size_t cell_bytes;    /* reserved for the pool */
    uint32_t free_block;  /* 0: none */
    uint32_t fresh_block; /* first block never used */
    uint32_t blocks;      /* in the pool */
    struct wheel_far *far;
    size_t far_count, far_capacity;
    uint64_t occupied[WHEEL_SLOTS / 64];
    uint32_t slot[WHEEL_SLOTS]; /* cell for the next event; 0: no block yet */
};

/* Makes a wheel for about `most_events` pending in the slots; it grows if there are more. */
void wheel_init(struct wheel *w, size_t most_events);
void wheel_fini(struct wheel *w);

/* The first cycle with an event at or after w->now; CYCLE_NEVER if there is none. */
cycle_t wheel_next(const struct wheel *w);

/* Events of one cycle, a block at a time. */
struct wheel_chain {
    uint32_t block; /* 0: no more */
    uint32_t count; /* events of this block */
};

/*
 * Takes the events of cycle `time`, which must be the next one, and moves now to `time`. The caller
 * reads block by block with wheel_next_block(), which also frees them. An event pushed meanwhile
 * for the same cycle starts a new chain, and may move the store: call wheel_events() again after a
 * push.
 */
struct wheel_chain wheel_take(struct wheel *w, cycle_t time);

/* Calls visit(arg, time, event) for every pending event, in no order. */
void wheel_visit(const struct wheel *w, void (*visit)(void *, cycle_t, event_t), void *arg);

/* Saves or restores the pending events, whose owner must check what they say; the wheel grows as
 * needed to hold them. */
void wheel_archive(struct wheel *w, struct archive *a);

/* Pushes an event further away than the slots reach; panics if its cycle is past. */
void wheel_push_far(struct wheel *w, cycle_t time, event_t event);

static inline event_t *wheel_events(const struct wheel *w, struct wheel_chain c)
{
    return &w->cell[(size_t)c.block * WHEEL_BLOCK_CELLS + 1];
}

/* The chain of a slot, without taking it. */
static inline struct wheel_chain wheel_look(const struct wheel *w, cycle_t time)
{
    uint32_t last = w->slot[time % WHEEL_SLOTS] - 1; /* cell of the newest event */
    if (last == UINT32_MAX)
        return (struct wheel_chain){0, 0};
    return (struct wheel_chain){last / WHEEL_BLOCK_CELLS, last % WHEEL_BLOCK_CELLS};
}

static inline struct wheel_chain wheel_look_on(const struct wheel *w, struct wheel_chain c)
{
    return (struct wheel_chain){(uint32_t)wheel_events(w, c)[-1], WHEEL_BLOCK_EVENTS};
}

/* The next block of a taken chain; frees the one before. */
static inline struct wheel_chain wheel_next_block(struct wheel *w, struct wheel_chain c)
{
    struct wheel_chain next = wheel_look_on(w, c);
    wheel_events(w, c)[-1] = w->free_block;
    w->free_block = c.block;
    return next;
}

/* Puts a fresh block in front of a slot's chain. */
uint32_t wheel_add_block(struct wheel *w, unsigned slot);

static inline void wheel_push_near(struct wheel *w, cycle_t time, event_t event)
{
    unsigned slot = time % WHEEL_SLOTS;
    uint32_t cell = w->slot[slot];
    if (__builtin_expect(cell % WHEEL_BLOCK_CELLS == 0, 0))
        cell = wheel_add_block(w, slot);
    w->cell[cell] = event;
    w->slot[slot] = cell + 1;
}

static inline void wheel_push(struct wheel *w, cycle_t time, event_t event)
{
    if (__builtin_expect(time - w->now < WHEEL_SLOTS, 1))
        wheel_push_near(w, time, event);
    else
        wheel_push_far(w, time, event);
}

#endif
