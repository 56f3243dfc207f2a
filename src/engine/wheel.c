/* The wheel's slow side: setup, the heap of far events, finding the next busy cycle. */
#include "engine/wheel.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/slots.h"
#include "base/memory.h"

void wheel_init(struct wheel *w, size_t most_events)
{
    *w = (struct wheel){.fresh_block = 1};
    /* All blocks of a slot but the first are full. This reserves address space; only what is used
     * is ever committed. */
    w->blocks = (uint32_t)(2 * WHEEL_SLOTS + most_events / WHEEL_BLOCK_EVENTS + 1);
    w->cell_bytes = (size_t)w->blocks * WHEEL_BLOCK_CELLS * sizeof(*w->cell);
    w->cell = memory_reserve(w->cell_bytes);
}

void wheel_fini(struct wheel *w)
{
    memory_release(w->cell, w->cell_bytes);
    free(w->far);
}

void wheel_push_far(struct wheel *w, cycle_t time, event_t event)
{
    WEFT_CHECK(time >= w->now, "event for cycle %llu pushed at cycle %llu",
               (unsigned long long)time, (unsigned long long)w->now);
    LIST_RESERVE(w->far, w->far_count + 1, w->far_capacity);
    size_t at = w->far_count++;
    while (at > 0 && w->far[(at - 1) / 2].time > time) {
        w->far[at] = w->far[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    w->far[at] = (struct wheel_far){time, event};
}

static struct wheel_far far_pop(struct wheel *w)
{
    struct wheel_far first = w->far[0], last = w->far[--w->far_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= w->far_count)
            break;
        if (child + 1 < w->far_count && w->far[child + 1].time < w->far[child].time)
            child++;
        if (w->far[child].time >= last.time)
            break;
        w->far[at] = w->far[child];
        at = child;
    }
    w->far[at] = last;
    return first;
}

cycle_t wheel_next(const struct wheel *w)
{
    cycle_t next = w->far_count ? w->far[0].time : CYCLE_NEVER;
    unsigned start = w->now % WHEEL_SLOTS;
    for (unsigned i = 0; i <= WHEEL_SLOTS / 64; i++) {
        unsigned word = (start / 64 + i) % (WHEEL_SLOTS / 64);
        uint64_t bits = w->occupied[word];
        if (i == 0)
            bits &= ~0ull << (start % 64);
        if (i == WHEEL_SLOTS / 64)
            bits &= ~(~0ull << (start % 64));
        if (bits) {
            unsigned slot = word * 64 + (unsigned)__builtin_ctzll(bits);
            cycle_t near = w->now + (slot + WHEEL_SLOTS - start) % WHEEL_SLOTS;
            return near < next ? near : next;
        }
    }
    return next;
}

/* There are more events than the wheel was made for: their store may move. */
static void grow(struct wheel *w)
{
    size_t bytes = 2 * w->cell_bytes;
    WEFT_CHECK(w->blocks <= UINT32_MAX / WHEEL_BLOCK_CELLS / 2, "%u blocks of events", w->blocks);
    w->cell = memory_extend(w->cell, w->cell_bytes, bytes);
    w->cell_bytes = bytes;
    w->blocks *= 2;
}

uint32_t wheel_add_block(struct wheel *w, unsigned slot)
{
    uint32_t block = w->free_block, full = w->slot[slot];
    if (block)
        w->free_block = (uint32_t)w->cell[block * WHEEL_BLOCK_CELLS];
    else
        block = w->fresh_block++;
    if (block == w->blocks)
        grow(w);
    w->cell[block * WHEEL_BLOCK_CELLS] = full ? full / WHEEL_BLOCK_CELLS - 1 : 0;
    w->occupied[slot / 64] |= 1ull << (slot % 64);
    return block * WHEEL_BLOCK_CELLS + 1;
}

struct wheel_chain wheel_take(struct wheel *w, cycle_t time)
{
    WEFT_CHECK(time >= w->now, "cycle %llu taken at cycle %llu", (unsigned long long)time,
               (unsigned long long)w->now);
    w->now = time;
    while (w->far_count && w->far[0].time - time < WHEEL_SLOTS) {
        struct wheel_far next = far_pop(w);
        wheel_push_near(w, next.time, next.event);
    }
    unsigned slot = time % WHEEL_SLOTS;
    struct wheel_chain chain = wheel_look(w, time);
    w->slot[slot] = 0;
    w->occupied[slot / 64] &= ~(1ull << (slot % 64));
    return chain;
}

void wheel_visit(const struct wheel *w, void (*visit)(void *, cycle_t, event_t), void *arg)
{
    for (cycle_t time = w->now; time < w->now + WHEEL_SLOTS; time++)
        for (struct wheel_chain c = wheel_look(w, time); c.block; c = wheel_look_on(w, c))
            for (uint32_t i = 0; i < c.count; i++)
                visit(arg, time, wheel_events(w, c)[i]);
    for (size_t i = 0; i < w->far_count; i++)
        visit(arg, w->far[i].time, w->far[i].event);
}

void wheel_archive(struct wheel *w, struct archive *a)
{
    archive_bytes(a, &w->now, sizeof(w->now));
    archive_bytes(a, &w->events, sizeof(w->events));
    archive_bytes(a, w->occupied, sizeof(w->occupied));
    archive_bytes(a, w->slot, sizeof(w->slot));
    w->free_block = (uint32_t)archive_count(a, w->free_block, UINT32_MAX);
    size_t block_bytes = WHEEL_BLOCK_CELLS * sizeof(*w->cell), room = archive_room(a, block_bytes);
    uint32_t most = UINT32_MAX / WHEEL_BLOCK_CELLS / 2;
    w->fresh_block = (uint32_t)archive_count(a, w->fresh_block, room < most ? room : most);
    while (w->blocks < w->fresh_block) /* the saved wheel had grown */
        grow(w);
    archive_bytes(a, w->cell, w->fresh_block * block_bytes);
    size_t count = archive_count(a, w->far_count, archive_room(a, sizeof(*w->far)));
    if (count > w->far_capacity) {
        w->far = memory_grow(w->far, count, sizeof(*w->far));
        w->far_capacity = count;
    }
    w->far_count = count;
    archive_bytes(a, w->far, count * sizeof(*w->far));
    if (archive_has_read(a))
        archive_sound(a, wheel_flaw(w));
}

/* ---- whether it can be one ---- */

/* A slot's blocks: all but the first are full. */
static bool take_chain(const struct wheel *w, struct visited *blocks, unsigned slot)
{
    struct wheel_chain c = wheel_look(w, slot);
    bool occupied = w->occupied[slot / 64] >> (slot % 64) & 1;
    if (occupied != (w->slot[slot] != 0) || (occupied && (!c.block || !c.count)))
        return false;
    while (c.block) {
        if (!visited_mark(blocks, c.block) || wheel_events(w, c)[-1] >= w->fresh_block)
            return false;
        c = wheel_look_on(w, c);
    }
    return true;
}

static const char *blocks_flaw(const struct wheel *w, struct visited *blocks)
{
    visited_mark(blocks, 0); /* is never used */
    for (unsigned slot = 0; slot < WHEEL_SLOTS; slot++)
        if (!take_chain(w, blocks, slot))
            return "a list of events is not valid";
    for (uint64_t block = w->free_block; block; block = w->cell[block * WHEEL_BLOCK_CELLS])
        if (block >= w->fresh_block || !visited_mark(blocks, (uint32_t)block))
            return "the list of free blocks of events is not valid";
    return visited_is_full(blocks) ? NULL : "a block of events is in no list";
}

const char *wheel_flaw(const struct wheel *w)
{
    struct visited blocks;
    if (!w->fresh_block || w->now >= CYCLE_END)
        return "a wheel of events is not valid";
    for (size_t i = 0; i < w->far_count; i++)
        if (w->far[i].time < w->far[(i - (i > 0)) / 2].time || w->far[i].time < w->now ||
            w->far[i].time >= CYCLE_END)
            return "far events are in no order";
    visited_init(&blocks, w->fresh_block);
    const char *flaw = blocks_flaw(w, &blocks);
    visited_fini(&blocks);
    return flaw;
}
