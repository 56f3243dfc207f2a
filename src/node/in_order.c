/* Numbers of packets, and packets that came early. */
#include "node/in_order.h"

/* What has come from another node to a local one. */
struct in_order_pair {
    fine_t latest;     /* when all of it that was in order was there: lanes may be of use at once */
    uint32_t expected; /* number of the next packet */
    uint32_t early;    /* first of those that came before it, by number; SLOT_NONE */
    uint32_t next;
};

static struct in_order_kept *kept_at(const struct in_order *o, uint32_t index)
{
    return (struct in_order_kept *)o->kept.item + index;
}

static struct in_order_pair *pair_at(const struct in_order *o, uint32_t index)
{
    return (struct in_order_pair *)o->pairs.item + index;
}

uint32_t in_order_number(struct in_order *o, uint64_t key)
{
    return *map_add(&o->sent, key, 0);
}

void in_order_sent(struct in_order *o, uint64_t key)
{
    ++*map_find(&o->sent, key);
}

struct in_order_pair *in_order_pair_of(struct in_order *o, uint64_t key)
{
    uint32_t *index = map_add(&o->from, key, SLOT_NONE);
    if (*index == SLOT_NONE) {
        *index = slots_get(&o->pairs);
        *pair_at(o, *index) = (struct in_order_pair){.early = SLOT_NONE};
    }
    return pair_at(o, *index);
}

void in_order_keep(struct in_order *o, struct in_order_pair *pair,
                   const struct in_order_kept *packet)
{
    uint32_t index = slots_get(&o->kept), *place = &pair->early;
    while (*place != SLOT_NONE && (int32_t)(kept_at(o, *place)->number - packet->number) < 0)
        place = &kept_at(o, *place)->next;
    *kept_at(o, index) = *packet;
    kept_at(o, index)->next = *place;
    *place = index;
}

bool in_order_take(struct in_order *o, struct in_order_pair *pair, struct in_order_kept *packet)
{
    uint32_t index = pair->early;
    if (index == SLOT_NONE || kept_at(o, index)->number != pair->expected)
        return false;
    *packet = *kept_at(o, index);
    pair->expected++;
    pair->early = packet->next;
    packet->when = pair->latest = fine_max(pair->latest, packet->when);
    slots_put(&o->kept, index);
    return true;
}

static bool is_early(const struct in_order *o, const struct in_order_pair *pair,
                     struct visited *kept, uint32_t nodes)
{
    uint32_t last;
    bool right = visited_list(kept, slots_items(&o->kept), pair->early, &last);
    for (uint32_t i = pair->early; right && i != SLOT_NONE; i = kept_at(o, i)->next)
        right = kept_at(o, i)->arrival.source < nodes;
    return right;
}

bool in_order_is_sound(const struct in_order *o, uint32_t nodes)
{
    struct visited kept, pairs;
    bool right = slots_visited(&o->kept, &kept);
    right = slots_visited(&o->pairs, &pairs) && right;
    for (uint32_t i = 0; i < o->from.capacity && right; i++) {
        const struct map_entry *e = &o->from.entry[i];
        right = !e->used ||
                (visited_mark(&pairs, e->value) && is_early(o, pair_at(o, e->value), &kept, nodes));
    }
    right = right && visited_is_full(&kept) && visited_is_full(&pairs);
    visited_fini(&kept);
    visited_fini(&pairs);
    return right;
}

void in_order_init(struct in_order *o)
{
    slots_init(&o->pairs, sizeof(struct in_order_pair), offsetof(struct in_order_pair, next));
    slots_init(&o->kept, sizeof(struct in_order_kept), offsetof(struct in_order_kept, next));
}

void in_order_fini(struct in_order *o)
{
    map_fini(&o->sent);
    map_fini(&o->from);
    slots_fini(&o->pairs);
    slots_fini(&o->kept);
}

void in_order_archive(struct in_order *o, struct archive *a)
{
    map_archive(&o->sent, a);
    map_archive(&o->from, a);
    slots_archive(&o->pairs, a);
    slots_archive(&o->kept, a);
}
