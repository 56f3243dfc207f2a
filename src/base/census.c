/* Walking lists. */
#include "base/census.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void census_init(struct census *c, uint32_t count)
{
    *c = (struct census){.taken = memory_alloc(count, 1), .count = count};
}

void census_fini(struct census *c)
{
    free(c->taken);
}

static uint32_t next_of(struct census_items items, uint32_t index)
{
    uint32_t next;
    memcpy(&next, (const char *)items.item + index * items.size + items.next_at, sizeof(next));
    return next;
}

bool census_list(struct census *c, struct census_items items, uint32_t first, uint32_t *last)
{
    *last = CENSUS_NONE;
    for (uint32_t i = first; i != CENSUS_NONE; i = next_of(items, i)) {
        if (!census_take(c, i))
            return false;
        *last = i;
    }
    return true;
}

bool census_ring(struct census *c, struct census_items items, uint32_t one)
{
    uint32_t i = one;
    do {
        if (!census_take(c, i))
            return false;
        i = next_of(items, i);
    } while (i != one);
    return true;
}
