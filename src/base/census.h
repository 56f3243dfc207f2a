/*
 * A census of items that are known by their index: each is found in one place at most. For checking
 * lists whose links cannot be trusted; it ends however the links lead, in linear time.
 *
 *   census_init(&c, count)
 *   census_take(&c, index)      false: there is no such item, or it was found before
 *   census_list(...)            the same for a list from its first item to its last
 *   census_is_full(&c)          all were found
 *   census_fini(&c)
 */
#ifndef WEFT_BASE_CENSUS_H
#define WEFT_BASE_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CENSUS_NONE UINT32_MAX

struct census {
    uint8_t *taken;
    uint32_t count, found;
};

/* Items of an array, each with the index of the next one, 32 bits, somewhere in it. */
struct census_items {
    const void *item;
    size_t size, next_at;
};

void census_init(struct census *c, uint32_t count);
void census_fini(struct census *c);

static inline bool census_take(struct census *c, uint32_t index)
{
    if (index >= c->count || c->taken[index])
        return false;
    c->taken[index] = 1;
    c->found++;
    return true;
}

/* Takes a list that ends in CENSUS_NONE; *last: its last item, CENSUS_NONE if it is empty. */
bool census_list(struct census *c, struct census_items items, uint32_t first, uint32_t *last);

/* The same for a ring, of which one item is known. */
bool census_ring(struct census *c, struct census_items items, uint32_t one);

static inline bool census_is_full(const struct census *c)
{
    return c->found == c->count;
}

/* Whether a byte that was read is a bool at all. */
static inline bool census_is_bool(const bool *value)
{
    return *(const unsigned char *)value <= 1;
}

#endif
