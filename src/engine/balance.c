/* The greedy assignment of partitions to members. */
#include "engine/balance.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct item {
    uint64_t work;
    uint32_t part;
};

static int heavier_first(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->work != y->work)
        return x->work < y->work ? 1 : -1;
    return x->part < y->part ? -1 : 1;
}

static uint64_t heaviest(const uint64_t *load, uint32_t members)
{
    uint64_t most = 0;
    for (uint32_t m = 0; m < members; m++)
        most = load[m] > most ? load[m] : most;
    return most;
}

bool balance(const uint64_t *work, uint32_t parts, uint32_t members, uint32_t *member)
{
    struct item *item = weft_alloc(parts, sizeof(*item));
    uint64_t *load = weft_alloc(members, sizeof(*load));
    uint32_t *fresh = weft_alloc(parts, sizeof(*fresh));
    for (uint32_t p = 0; p < parts; p++) {
        item[p] = (struct item){work[p], p};
        load[member[p]] += work[p];
    }
    uint64_t before = heaviest(load, members);
    memset(load, 0, members * sizeof(*load));
    qsort(item, parts, sizeof(*item), heavier_first);
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t least = 0;
        for (uint32_t m = 1; m < members; m++)
            if (load[m] < load[least])
                least = m;
        fresh[item[i].part] = least;
        load[least] += item[i].work;
    }
    /* A partition that moves leaves a warm cache behind. */
    bool worth = heaviest(load, members) < before - before / 16;
    if (worth)
        memcpy(member, fresh, parts * sizeof(*fresh));
    free(fresh);
    free(load);
    free(item);
    return worth;
}

void balance_evenly(uint32_t parts, uint32_t members, uint32_t *member)
{
    for (uint32_t m = 0; m < members; m++) {
        uint32_t end = (uint32_t)((uint64_t)parts * (m + 1) / members);
        for (uint32_t p = (uint32_t)((uint64_t)parts * m / members); p < end; p++)
            member[p] = m;
    }
}
