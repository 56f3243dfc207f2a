/* Linear probing; the keys behind a removed one close the gap. */
#include "base/map.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

static uint32_t home(const struct map *m, uint64_t key)
{
    return (uint32_t)random_mix(key) & (m->capacity - 1);
}

/* Where a key is, or would be. */
static uint32_t index_of(const struct map *m, uint64_t key)
{
    uint32_t at = home(m, key);
    while (m->entry[at].used && m->entry[at].key != key)
        at = (at + 1) & (m->capacity - 1);
    return at;
}

void map_fini(struct map *m)
{
    free(m->entry);
    *m = (struct map){.count = 0};
}

uint32_t *map_find(const struct map *m, uint64_t key)
{
    if (!m->count)
        return NULL;
    struct map_entry *e = &m->entry[index_of(m, key)];
    return e->used ? &e->value : NULL;
}

static void grow(struct map *m)
{
    struct map larger = {.capacity = m->capacity ? 2 * m->capacity : 64, .count = m->count};
    larger.entry = memory_alloc(larger.capacity, sizeof(*larger.entry));
    for (uint32_t i = 0; i < m->capacity; i++)
        if (m->entry[i].used)
            larger.entry[index_of(&larger, m->entry[i].key)] = m->entry[i];
    free(m->entry);
    *m = larger;
}

uint32_t *map_add(struct map *m, uint64_t key, uint32_t value)
{
    if (2 * (m->count + 1) > m->capacity)
        grow(m);
    struct map_entry *e = &m->entry[index_of(m, key)];
    if (e->used)
        return &e->value;
    *e = (struct map_entry){.key = key, .value = value, .used = 1};
    m->count++;
    return &e->value;
}

void map_remove(struct map *m, uint64_t key)
{
    map_drop(m, &m->entry[index_of(m, key)].value);
}

void map_drop(struct map *m, uint32_t *value)
{
    struct map_entry *there =
        (struct map_entry *)((char *)value - offsetof(struct map_entry, value));
    uint32_t mask = m->capacity - 1, hole = (uint32_t)(there - m->entry);
    for (uint32_t at = (hole + 1) & mask; m->entry[at].used; at = (at + 1) & mask) {
        /* The key may move back to the hole unless its home lies after the hole. */
        uint32_t from_home = (at - home(m, m->entry[at].key)) & mask;
        if (from_home >= ((at - hole) & mask)) {
            m->entry[hole] = m->entry[at];
            hole = at;
        }
    }
    m->entry[hole].used = 0;
    m->count--;
}

void map_archive(struct map *m, struct archive *a)
{
    uint32_t count = m->count;
    if (a->file) {
        archive_count(a, count, UINT32_MAX);
        for (uint32_t i = 0; i < m->capacity; i++)
            if (m->entry[i].used)
                archive_bytes(a, &m->entry[i], sizeof(m->entry[i]));
        return;
    }
    map_fini(m);
    count = (uint32_t)archive_count(a, 0, (uint64_t)(a->end - a->at) / sizeof(*m->entry));
    for (uint32_t i = 0; i < count && !a->broken; i++) {
        struct map_entry e;
        archive_bytes(a, &e, sizeof(e));
        a->broken |= map_find(m, e.key) != NULL;
        map_add(m, e.key, e.value);
    }
}
