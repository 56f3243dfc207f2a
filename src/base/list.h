/*
 * Growing arrays: three fields of any struct, the items, their count and how many there is room
 * for.
 *
 *   *LIST_ADD(l->item, l->items, l->room) = item;      one more item, at the end
 *   LIST_RESERVE(l->item, needed, l->room);            room for `needed` items in all
 *   LIST_ZERO(l->item, needed, l->room);               the same; new items are zero
 *
 * Room doubles, so that adding takes constant time on average. Pointers to items are valid until
 * the next call. The arguments are evaluated several times.
 */
#ifndef WEFT_BASE_LIST_H
#define WEFT_BASE_LIST_H

#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* Room for `needed` items or, up to the largest number that the field of the room can hold, for
 * twice as many as there is room for now. */
static inline size_t list_room(size_t room, size_t needed, size_t most)
{
    WEFT_CHECK(needed <= most, "a list of %zu items", needed);
    size_t twice = room < 8 ? 16 : room > most / 2 ? most : 2 * room;
    return needed > twice ? needed : twice;
}

#define LIST_ADD(ITEM, COUNT, ROOM)                                                                \
    ((COUNT) < (ROOM) ? (void)0 : (void)LIST_GROW_(ITEM, (size_t)(COUNT) + 1, ROOM),               \
     &(ITEM)[(COUNT)++])

#define LIST_RESERVE(ITEM, NEEDED, ROOM)                                                           \
    do {                                                                                           \
        if ((NEEDED) > (ROOM))                                                                     \
            LIST_GROW_(ITEM, NEEDED, ROOM);                                                        \
    } while (0)

/* The field of the room is unsigned: -1 is the most that it can hold. */
#define LIST_GROW_(ITEM, NEEDED, ROOM)                                                             \
    ((ROOM) = (__typeof__(ROOM))list_room(ROOM, NEEDED, (__typeof__(ROOM))-1),                     \
     (ITEM) = memory_grow(ITEM, ROOM, sizeof(*(ITEM))))

#define LIST_ZERO(ITEM, NEEDED, ROOM)                                                              \
    do {                                                                                           \
        size_t list_had_ = (ROOM);                                                                 \
        LIST_RESERVE(ITEM, NEEDED, ROOM);                                                          \
        if ((ROOM) > list_had_)                                                                    \
            memset((ITEM) + list_had_, 0, ((ROOM)-list_had_) * sizeof(*(ITEM)));                   \
    } while (0)

#endif
