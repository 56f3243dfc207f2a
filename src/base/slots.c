/* Taking items and giving them back; walking lists of them. */
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

uint32_t slots_get(struct slots *s)
{
    uint32_t index = s->free;
    if (index != SLOT_NONE) {
        s->free = *slots_next(s, index);
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
    *slots_next(s, index) = s->free;
    s->free = index;
}

void slots_archive(struct slots *s, struct archive *a)
{
    archive_list(a, &s->item, s->size, &s->count, &s->capacity);
    archive_bytes(a, &s->free, sizeof(s->free));
}

/* ---- visited items ---- */

void visited_init(struct visited *c, uint32_t count)
{
    *c = (struct visited){.taken = memory_alloc(count, 1), .count = count};
}

void visited_fini(struct visited *c)
{
    free(c->taken);
}

static uint32_t visited_next(struct visited_items items, uint32_t index)
{
    uint32_t next;
    memcpy(&next, (const char *)items.item + index * items.size + items.next_at, sizeof(next));
    return next;
}

bool visited_list(struct visited *c, struct visited_items items, uint32_t first, uint32_t *last)
{
    *last = SLOT_NONE;
    for (uint32_t i = first; i != SLOT_NONE; i = visited_next(items, i)) {
        if (!visited_mark(c, i))
            return false;
        *last = i;
    }
    return true;
}

bool visited_ring(struct visited *c, struct visited_items items, uint32_t one)
{
    uint32_t i = one;
    do {
        if (!visited_mark(c, i))
            return false;
        i = visited_next(items, i);
    } while (i != one);
    return true;
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

bool slots_list_visited(const struct slots *s, const struct slots_list *list, struct visited *c)
{
    uint32_t last;
    return visited_list(c, slots_items(s), list->first, &last) &&
           (last == SLOT_NONE || last == list->last);
}
