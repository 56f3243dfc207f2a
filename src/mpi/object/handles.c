/* Handles as indices of a table. */
#include "mpi/object/handles.h"

#include "base/list.h"

enum { KIND_BITS = 4, TURN_BITS = 6, SHIFT = KIND_BITS + TURN_BITS };
#define NO_SLOT UINT32_MAX

/* Above the ABI's own numbers, which have ten bits. */
enum { FIRST = 4 };

void handles_init(struct handles *h)
{
    *h = (struct handles){.free = NO_SLOT};
}

uintptr_t handle_new(struct handles *h, enum handle_kind kind, void *object)
{
    uint32_t index = h->free;
    if (index == NO_SLOT) {
        LIST_RESERVE(h->slot, h->count + 1, h->room);
        index = h->count++;
        h->slot[index] = (struct handle_slot){.turn = 0};
    } else {
        h->free = h->slot[index].next;
    }
    struct handle_slot *s = &h->slot[index];
    s->object = object;
    s->origin = NULL;
    s->kind = (uint8_t)kind;
    return (uintptr_t)(index + FIRST) << SHIFT | (uintptr_t)s->turn << KIND_BITS | kind;
}

static struct handle_slot *slot_of(const struct handles *h, uintptr_t handle)
{
    uintptr_t index = (handle >> SHIFT) - FIRST;
    unsigned turn = handle >> KIND_BITS & ((1 << TURN_BITS) - 1);
    if (index >= h->count || !h->slot[index].object || h->slot[index].turn != turn)
        return NULL;
    return &h->slot[index];
}

void *handle_object(const struct handles *h, enum handle_kind kind, uintptr_t handle)
{
    const struct handle_slot *s = slot_of(h, handle);
    unsigned named = handle & ((1 << KIND_BITS) - 1);
    return s && s->kind == kind && named == (unsigned)kind ? s->object : NULL;
}

void handle_set_origin(struct handles *h, uintptr_t handle, void *origin)
{
    slot_of(h, handle)->origin = origin;
}

void *handle_origin(const struct handles *h, uintptr_t handle)
{
    return slot_of(h, handle)->origin;
}

void handle_drop(struct handles *h, uintptr_t handle)
{
    struct handle_slot *s = slot_of(h, handle);
    if (!s)
        return;
    s->object = NULL;
    s->turn = (s->turn + 1) & ((1 << TURN_BITS) - 1);
    s->next = h->free;
    h->free = (uint32_t)(s - h->slot);
}
