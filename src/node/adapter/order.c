/* Numbers of packets, and lists of those that came early. */
#include "node/adapter/order.h"

#include <stdlib.h>

static uint64_t pair_key(uint32_t local, uint32_t other)
{
    return (uint64_t)local << 32 | other;
}

static struct order_kept *kept_at(const struct order *o, uint32_t index)
{
    return (struct order_kept *)o->kept.item + index;
}

void order_init(struct order *o)
{
    *o = (struct order){.sent = {0}};
    slots_init(&o->kept, sizeof(struct order_kept), offsetof(struct order_kept, next));
}

void order_fini(struct order *o)
{
    map_fini(&o->sent);
    map_fini(&o->expected);
    map_fini(&o->early);
    slots_fini(&o->kept);
}

uint32_t order_number(struct order *o, uint32_t local, uint32_t to)
{
    return (*map_add(&o->sent, pair_key(local, to), 0))++;
}

void order_take_back(struct order *o, uint32_t local, uint32_t to)
{
    --*map_find(&o->sent, pair_key(local, to));
}

/* Keeps a packet in the list of its pair, by number; numbers may wrap. */
static void keep(struct order *o, uint64_t key, uint32_t number, const struct nic_arrival *arrival,
                 fine_t when)
{
    uint32_t index = slots_get(&o->kept), *place = map_add(&o->early, key, SLOT_NONE);
    while (*place != SLOT_NONE && (int32_t)(kept_at(o, *place)->number - number) < 0)
        place = &kept_at(o, *place)->next;
    *kept_at(o, index) =
        (struct order_kept){.arrival = *arrival, .when = when, .number = number, .next = *place};
    *place = index;
}

bool order_arrive(struct order *o, uint32_t local, uint32_t number,
                  const struct nic_arrival *arrival, fine_t when)
{
    uint64_t key = pair_key(local, arrival->source);
    uint32_t *expected = map_add(&o->expected, key, 0);
    if (*expected == number) {
        ++*expected;
        return true;
    }
    keep(o, key, number, arrival, when);
    return false;
}

bool order_next(struct order *o, uint32_t local, uint32_t source, struct order_kept *kept)
{
    uint64_t key = pair_key(local, source);
    uint32_t *first = o->kept.count ? map_find(&o->early, key) : NULL;
    uint32_t *expected = first ? map_find(&o->expected, key) : NULL;
    if (!expected || kept_at(o, *first)->number != *expected)
        return false;
    uint32_t index = *first;
    *kept = *kept_at(o, index);
    ++*expected;
    *first = kept->next;
    if (*first == SLOT_NONE)
        map_drop(&o->early, first);
    slots_put(&o->kept, index);
    return true;
}

void order_archive(struct order *o, struct archive *a)
{
    map_archive(&o->sent, a);
    map_archive(&o->expected, a);
    map_archive(&o->early, a);
    slots_archive(&o->kept, a);
}

bool order_is_sound(const struct order *o)
{
    struct census kept;
    uint32_t last;
    bool right = slots_census(&o->kept, &kept);
    for (uint32_t i = 0; i < o->early.capacity && right; i++)
        if (o->early.entry[i].used)
            right = o->early.entry[i].value != SLOT_NONE &&
                    census_list(&kept, slots_items(&o->kept), o->early.entry[i].value, &last);
    right = right && census_is_full(&kept);
    census_fini(&kept);
    return right;
}
