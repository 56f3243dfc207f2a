/* Two counts for each pair that has either. */
#include "message/offload/offload.h"

enum { PUT = 1 << 16, OWED = PUT - 1 };

bool room_take(struct room *r, uint64_t pair, uint32_t packets, uint32_t *back)
{
    *back = 0;
    if (!r->most)
        return true;
    if (packets > r->most)
        return false;
    uint32_t *counts = map_add(&r->pairs, pair, 0);
    if (*counts / PUT + packets > r->most)
        return false;
    *back = *counts & OWED;
    *counts += packets * PUT - *back;
    return true;
}

bool room_regain(struct room *r, uint64_t pair, uint32_t packets)
{
    uint32_t *counts = map_find(&r->pairs, pair);
    if (!counts || *counts / PUT < packets)
        return false;
    *counts -= packets * PUT;
    if (!*counts)
        map_drop(&r->pairs, counts);
    return true;
}

uint32_t room_owe(struct room *r, uint64_t pair, uint32_t packets)
{
    if (!r->most)
        return 0;
    uint32_t *counts = map_add(&r->pairs, pair, 0), owed = (*counts & OWED) + packets;
    uint32_t back = 2 * owed > r->most ? owed : 0;
    *counts += packets - back;
    if (!*counts)
        map_drop(&r->pairs, counts);
    return back;
}

bool room_is_sound(const struct room *r)
{
    for (uint32_t i = 0; i < r->pairs.capacity; i++) {
        const struct map_entry *e = &r->pairs.entry[i];
        if (e->used && (e->value / PUT > r->most || (e->value & OWED) > r->most))
            return false;
    }
    return true;
}
