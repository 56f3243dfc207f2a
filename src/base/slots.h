/*
 * Items that come and go: a growing array, with the free items chained through their own 32-bit
 * `next`. Indices stay valid; pointers only until the next slots_get().
 */
#ifndef WEFT_BASE_SLOTS_H
#define WEFT_BASE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/census.h"

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

/* Begins a census of all items with the free ones; false: those are no list. The caller takes the
 * others, and ends it. */
bool slots_census(const struct slots *s, struct census *c);
struct census_items slots_items(const struct slots *s);

#endif
