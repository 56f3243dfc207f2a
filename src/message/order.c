/* Orders of destinations, described in order.h. */
#include "message/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

/* The staggered order, which those as far away keep. */
static uint32_t staggered(uint32_t count, uint32_t me, uint32_t turn)
{
    return (uint32_t)(((uint64_t)me + 1 + turn) % count);
}

/* Sorts the others by their hops: counts how many are at each distance, then deals them out. */
static void fill_row(struct send_order *o, uint32_t me, uint32_t *hops, order_hops *find,
                     const void *ctx)
{
    uint32_t others = o->count - 1, most = 0, *first;
    uint16_t *row = o->table + (size_t)me * others;
    for (uint32_t i = 0; i < others; i++) {
        hops[i] = find(ctx, me, staggered(o->count, me, i));
        most = hops[i] > most ? hops[i] : most;
    }
    first = memory_alloc(most + 2, sizeof(*first));
    for (uint32_t i = 0; i < others; i++)
        first[hops[i] + 1]++;
    for (uint32_t h = 0; h < most; h++)
        first[h + 1] += first[h];
    for (uint32_t i = 0; i < others; i++)
        row[first[hops[i]]++] = (uint16_t)staggered(o->count, me, i);
    free(first);
}

weft_status order_init(struct send_order *o, enum send_order_kind kind, uint32_t count,
                       uint64_t seed, order_hops *hops, const void *ctx)
{
    *o = (struct send_order){.kind = kind, .count = count, .seed = seed};
    if (kind != ORDER_DISTANCE || count < 2)
        return WEFT_OK;
    if (count > ORDER_TABLE_MOST)
        return BAD_INPUT("workload.order",
                         ("workload.order = distance is for at most %d nodes or processes, and "
                          "there are %u",
                          ORDER_TABLE_MOST, count),
                         ("use ascending, random or staggered"));
    uint32_t *row = memory_alloc(count, sizeof(*row));
    o->table = memory_alloc((size_t)count * (count - 1), sizeof(*o->table));
    for (uint32_t me = 0; me < count; me++)
        fill_row(o, me, row, hops, ctx);
    free(row);
    return WEFT_OK;
}

void order_fini(struct send_order *o)
{
    free(o->table);
    o->table = NULL;
}

uint32_t order_other(const struct send_order *o, uint32_t me, uint32_t turn)
{
    uint32_t others = o->count - 1, other = turn;
    if (o->kind == ORDER_DISTANCE)
        return o->table[(size_t)me * others + turn];
    if (o->kind == ORDER_RANDOM)
        other = random_permute(random_draw(random_key(o->seed, me, RANDOM_ORDER), 0), others, turn);
    if (o->kind == ORDER_RANDOM || o->kind == ORDER_ASCENDING)
        return other + (other >= me);
    return staggered(o->count, me, turn);
}
