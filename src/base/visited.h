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
#ifndef WEFT_BASE_VISITED_H
#define WEFT_BASE_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VISITED_NONE UINT32_MAX

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

/* Takes a list that ends in VISITED_NONE; *last: its last item, VISITED_NONE if it is empty. */
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

#endif
