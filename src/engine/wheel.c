/* The wheel's slow side: setup, the heap of far events, finding the next busy cycle. */
#include "engine/wheel.h"

#include <stdlib.h>

#include "base/list.h"
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

uint32_t wheel_add_block(struct wheel *w, unsigned slot)
{
    uint32_t block = w->free_block, full = w->slot[slot];
    if (block)
        w->free_block = (uint32_t)w->cell[block * WHEEL_BLOCK_CELLS];
    else
        block = w->fresh_block++;
    if (block == w->blocks) { /* more events than it was made for: their store may move */
        WEFT_CHECK(block <= UINT32_MAX / WHEEL_BLOCK_CELLS / 2, "%u blocks of events", block);
        w->cell = memory_extend(w->cell, w->cell_bytes, 2 * w->cell_bytes);
        w->cell_bytes *= 2;
        w->blocks *= 2;
    }
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

static void save_event(void *archive, cycle_t time, event_t event)
{
    archive_bytes(archive, &(struct wheel_far){time, event}, sizeof(struct wheel_far));
}

void wheel_archive(struct wheel *w, struct archive *a)
{
    struct wheel_far next = {.time = CYCLE_NEVER}; /* marks the end */
    archive_bytes(a, &w->now, sizeof(w->now));
    archive_bytes(a, &w->events, sizeof(w->events));
    if (a->file)
        wheel_visit(w, save_event, a);
    archive_bytes(a, &next, sizeof(next));
    if (!archive_has_read(a))
        return;
    w->free_block = 0;
    w->fresh_block = 1;
    w->far_count = 0;
    memset(w->occupied, 0, sizeof(w->occupied));
    memset(w->slot, 0, sizeof(w->slot));
    for (; next.time != CYCLE_NEVER && !a->broken; archive_bytes(a, &next, sizeof(next)))
        if (next.time < w->now || next.time >= CYCLE_END)
            archive_sound(a, "an event lies in the past, or after the last cycle");
        else
            wheel_push(w, next.time, next.event);
    if (w->now >= CYCLE_END)
        archive_sound(a, "a wheel of events is not valid");
}
