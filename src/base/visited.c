/* Walking lists. */
#include "base/visited.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void visited_init(struct visited *c, uint32_t count)
{
    *c = (struct visited){.taken = memory_alloc(count, 1), .count = count};
}

void visited_fini(struct visited *c)
{
    free(c->taken);
}

static uint32_t next_of(struct visited_items items, uint32_t index)
{
    uint32_t next;
    memcpy(&next, (const char *)items.item + index * items.size + items.next_at, sizeof(next));
    return next;
}

bool visited_list(struct visited *c, struct visited_items items, uint32_t first, uint32_t *last)
{
    *last = VISITED_NONE;
    for (uint32_t i = first; i != VISITED_NONE; i = next_of(items, i)) {
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
        i = next_of(items, i);
    } while (i != one);
    return true;
}
