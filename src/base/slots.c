/* Taking items and giving them back. */
#include "base/slots.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void slots_init(struct slots *s, size_t size, size_t next_at)
{
    *s = (struct slots){.size = size, .next_at = next_at, .free = SLOT_NONE};
}

void slots_fini(struct slots *s)
{
    free(s->item);
}

static void *next_of(struct slots *s, uint32_t index)
{
    return (char *)s->item + index * s->size + s->next_at;
}

uint32_t slots_get(struct slots *s)
{
    uint32_t index = s->free;
    if (index != SLOT_NONE) {
        memcpy(&s->free, next_of(s, index), sizeof(s->free));
        return index;
    }
    if (s->count == s->capacity) {
        uint32_t capacity = s->capacity ? 2 * s->capacity : 256;
        s->item = memory_grow(s->item, capacity, s->size);
        s->capacity = capacity;
    }
    return s->count++;
}

void slots_put(struct slots *s, uint32_t index)
{
    memcpy(next_of(s, index), &s->free, sizeof(s->free));
    s->free = index;
}

struct visited_items slots_items(const struct slots *s)
{
    return (struct visited_items){s->item, s->size, s->next_at};
}

bool slots_visited(const struct slots *s, struct visited *c)
{
    uint32_t last;
    visited_init(c, s->count);
    return visited_list(c, slots_items(s), s->free, &last);
}

void slots_archive(struct slots *s, struct archive *a)
{
    archive_list(a, &s->item, s->size, &s->count, &s->capacity);
    archive_bytes(a, &s->free, sizeof(s->free));
}

bool slots_list_visited(const struct slots *s, const struct slots_list *list, struct visited *c)
{
    uint32_t last;
    return visited_list(c, slots_items(s), list->first, &last) &&
           (last == SLOT_NONE || last == list->last);
}
