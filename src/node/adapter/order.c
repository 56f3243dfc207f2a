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

static struct order_pair *pair_at(const struct order *o, uint32_t index)
{
    return (struct order_pair *)o->pairs.item + index;
}

void order_init(struct order *o)
{
    *o = (struct order){.sent = {0}};
    slots_init(&o->pairs, sizeof(struct order_pair), offsetof(struct order_pair, next));
    slots_init(&o->kept, sizeof(struct order_kept), offsetof(struct order_kept, next));
}

void order_fini(struct order *o)
{
    map_fini(&o->sent);
    map_fini(&o->from);
    slots_fini(&o->pairs);
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

/* What has come from a host to a local one. */
static struct order_pair *pair_of(struct order *o, uint32_t local, uint32_t source)
{
    uint32_t *index = map_add(&o->from, pair_key(local, source), SLOT_NONE);
    if (*index == SLOT_NONE) {
        *index = slots_get(&o->pairs);
        *pair_at(o, *index) = (struct order_pair){.early = SLOT_NONE};
    }
    return pair_at(o, *index);
}

/* Keeps a packet in the list of its pair, by number; numbers may wrap. */
static void keep(struct order *o, struct order_pair *pair, uint32_t number,
                 const struct nic_arrival *arrival, fine_t when)
{
    uint32_t index = slots_get(&o->kept), *place = &pair->early;
    while (*place != SLOT_NONE && (int32_t)(kept_at(o, *place)->number - number) < 0)
        place = &kept_at(o, *place)->next;
    *kept_at(o, index) =
        (struct order_kept){.arrival = *arrival, .when = when, .number = number, .next = *place};
    *place = index;
}

bool order_arrive(struct order *o, uint32_t local, uint32_t number,
                  const struct nic_arrival *arrival, fine_t *when)
{
    struct order_pair *pair = pair_of(o, local, arrival->source);
    if (pair->expected != number) {
        keep(o, pair, number, arrival, *when);
        return false;
    }
    pair->expected++;
    *when = pair->latest = fine_max(pair->latest, *when);
    return true;
}

bool order_next(struct order *o, uint32_t local, uint32_t source, struct order_kept *kept)
{
    struct order_pair *pair = pair_of(o, local, source);
    uint32_t index = pair->early;
    if (index == SLOT_NONE || kept_at(o, index)->number != pair->expected)
        return false;
    *kept = *kept_at(o, index);
    pair->expected++;
    pair->early = kept->next;
    kept->when = pair->latest = fine_max(pair->latest, kept->when);
    slots_put(&o->kept, index);
    return true;
}

void order_archive(struct order *o, struct archive *a)
{
    map_archive(&o->sent, a);
    map_archive(&o->from, a);
    slots_archive(&o->pairs, a);
    slots_archive(&o->kept, a);
}

/* Every pair is one that packets came from, and every packet that is kept is in one list. */
bool order_is_sound(const struct order *o)
{
    struct visited kept, pairs;
    uint32_t last;
    bool right = slots_visited(&o->kept, &kept);
    right = slots_visited(&o->pairs, &pairs) && right;
    for (uint32_t i = 0; i < o->from.capacity && right; i++) {
        const struct map_entry *e = &o->from.entry[i];
        right = !e->used ||
                (visited_mark(&pairs, e->value) &&
                 visited_list(&kept, slots_items(&o->kept), pair_at(o, e->value)->early, &last));
    }
    right = right && visited_is_full(&kept) && visited_is_full(&pairs);
    visited_fini(&kept);
    visited_fini(&pairs);
    return right;
}
