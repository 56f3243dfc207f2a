/*
 * Items that come and go: a growing array, with the free items chained through their own 32-bit
 * `next`. Indices stay valid; pointers only until the next slots_get().
 */
#ifndef WEFT_BASE_SLOTS_H
#define WEFT_BASE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file/archive.h"

#define SLOT_NONE UINT32_MAX

struct slots {
    void *item;
    size_t size, next_at; /* of an item; offset of its `next` */
    uint32_t count, capacity, free;
};

void slots_init(struct slots *s, size_t size, size_t next_at);
void slots_fini(struct slots *s);
uint32_t slots_get(struct slots *s);
void slots_put(struct slots *s, uint32_t index);
void slots_archive(struct slots *s, struct archive *a);

/* A list of items, chained through `next`. */
struct slots_list {
    uint32_t first, last; /* SLOT_NONE: it is empty; then `last` means nothing */
};

static inline uint32_t *slots_next(const struct slots *s, uint32_t index)
{
    return (uint32_t *)((char *)s->item + index * s->size + s->next_at);
}

static inline void slots_append(const struct slots *s, struct slots_list *list, uint32_t index)
{
    *slots_next(s, index) = SLOT_NONE;
    *(list->first == SLOT_NONE ? &list->first : slots_next(s, list->last)) = index;
    list->last = index;
}

static inline void slots_prepend(const struct slots *s, struct slots_list *list, uint32_t index)
{
    *slots_next(s, index) = list->first;
    if (list->first == SLOT_NONE)
        list->last = index;
    list->first = index;
}

/* Takes the first item out of a list that has one. */
static inline uint32_t slots_take(const struct slots *s, struct slots_list *list)
{
    uint32_t index = list->first;
    list->first = *slots_next(s, index);
    return index;
}

/* ---- visited items ---- */

/*
 * A set of visited items, which are known by their index: each is visited once at most. For
 * checking lists whose links cannot be trusted; the walk ends however the links lead, in linear
 * time.
 *
 *   visited_init(&v, count)
 *   visited_mark(&v, index)      false: there is no such item, or it was visited before
 *   visited_list(...)            the same for a list from its first item to its last
 *   visited_is_full(&v)          all were visited
 *   visited_fini(&v)
 */
struct visited {
    uint8_t *taken;
    uint32_t count, found;
};

/* Items of an array, each with the index of the next one, 32 bits, somewhere in it. */
struct visited_items {
    const void *item;
    size_t size, next_at;
};

void visited_init(struct visited *c, uint32_t count);
void visited_fini(struct visited *c);

static inline bool visited_mark(struct visited *c, uint32_t index)
{
    if (index >= c->count || c->taken[index])
        return false;
    c->taken[index] = 1;
    c->found++;
    return true;
}

/* Takes a list that ends in SLOT_NONE; *last: its last item, SLOT_NONE if it is empty. */
bool visited_list(struct visited *c, struct visited_items items, uint32_t first, uint32_t *last);

/* The same for a ring, of which one item is known. */
bool visited_ring(struct visited *c, struct visited_items items, uint32_t one);

static inline bool visited_is_full(const struct visited *c)
{
    return c->found == c->count;
}

/* Whether a byte that was read is a bool at all. */
static inline bool visited_is_bool(const bool *value)
{
    return *(const unsigned char *)value <= 1;
}

/* Whether a list can be one; marks its items as visited. */
bool slots_list_visited(const struct slots *s, const struct slots_list *list, struct visited *c);

/* Begins a visited set of all items with the free ones; false: those are no list. The caller takes
 * the others, and ends it. */
bool slots_visited(const struct slots *s, struct visited *c);
struct visited_items slots_items(const struct slots *s);

#endif
