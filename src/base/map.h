/*
 * A growing table from 64-bit keys to 32-bit values: open addressing, and removed keys leave no
 * trace. Its content does not depend on the order in which keys came and went.
 */
#ifndef WEFT_BASE_MAP_H
#define WEFT_BASE_MAP_H

#include <stdint.h>

#include "base/file/archive.h"

struct map_entry {
    uint64_t key;
    uint32_t value;
    uint32_t used;
};

struct map {
    struct map_entry *entry;
    uint32_t count, capacity; /* capacity: a power of two, or 0 */
};

void map_fini(struct map *m);

/* The value of a key; NULL: there is none. Valid until a key is added or removed. */
uint32_t *map_find(const struct map *m, uint64_t key);

/* The value of a key, which is added with `value` if it is missing. */
uint32_t *map_add(struct map *m, uint64_t key, uint32_t value);

/* Removes a key, which must be there. */
void map_remove(struct map *m, uint64_t key);

/* The same for a value that was found. */
void map_drop(struct map *m, uint32_t *value);

void map_archive(struct map *m, struct archive *a);

#endif
