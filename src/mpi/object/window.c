/* What becomes of accesses at their target. */
#include "mpi/object/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "message/task.h"
#include "mpi/object/message.h"

/* ---- accesses ---- */

void access_release(struct window_access *a)
{
    if (--a->holders)
        return;
    type_release(a->at.type);
    type_release(a->result.type);
    free(a);
}

static void reply(const struct task_served *now, const struct task_caller *to, int error,
                  struct block *data)
{
    struct task_parcel parcel = {.shape = 0};
    if (data)
        parcel = block_parcel(data, false);
    task_reply(now, to, (uint32_t)error, &parcel);
}

/* ---- attached memory ---- */

struct region {
    struct region *next;
    unsigned char *base;
    MPI_Aint size;
};

bool window_attach(struct mpi_window *w, unsigned char *base, MPI_Aint size)
{
    for (const struct region *g = w->region; g; g = g->next)
        if (base < g->base + g->size && g->base < base + size)
            return false;
    struct region *g = memory_alloc(1, sizeof(*g));
    *g = (struct region){w->region, base, size};
    w->region = g;
    return true;
}

bool window_detach(struct mpi_window *w, const void *base)
{
    struct region **link = &w->region;
    while (*link && (*link)->base != base)
        link = &(*link)->next;
    struct region *g = *link;
    if (g)
        *link = g->next;
    free(g);
    return g != NULL;
}

static const struct region *region_at(const struct mpi_window *w, const unsigned char *at)
{
    const struct region *g = w->region;
    while (g && (at < g->base || at >= g->base + g->size))
        g = g->next;
    return g;
}

/* Whether an access needs memory that is not attached: only the target knows. Regions may adjoin.
 */
static bool is_detached(const struct window_access *a)
{
    const struct region *g;
    int64_t low, high;
    if (a->window->flavor != MPI_WIN_FLAVOR_DYNAMIC || !block_length(&a->at))
        return false;
    block_span(&a->at, &low, &high);
    const unsigned char *at = (unsigned char *)a->at.at + low, *end = at + (high - low);
    if (end < at)
        return true;
    while (at < end && (g = region_at(a->window, at)))
        at = g->base + g->size;
    return at < end;
}

/* ---- what accesses do ---- */

/* Elements with gaps go through vectors of their basic type. */
static void combine(const struct window_access *a, const unsigned char *data, uint64_t bytes)
{
    struct type *basic = (struct type *)type_basic(a->at.type);
    if (a->at.type->dense) {
        op_combine(a->op, a->at.type, data, a->at.at, a->at.count);
        return;
    }
    int64_t count = (int64_t)bytes / basic->size;
    size_t extent = (size_t)basic->extent;
    struct block mine = {memory_alloc((size_t)count, extent), count, basic};
    struct block theirs = {memory_alloc((size_t)count, extent), count, basic};
    unsigned char *packed = memory_alloc(bytes, 1);
    block_pack(&a->at, bytes, packed);
    block_unpack(&mine, bytes, packed);
    block_unpack(&theirs, bytes, data);
    op_combine(a->op, basic, theirs.at, mine.at, count);
    block_pack(&mine, bytes, packed);
    block_unpack(&a->at, bytes, packed);
    free(packed);
    free(theirs.at);
    free(mine.at);
}

/* data: what to compare with, and what to store. */
static void compare_and_swap(const struct window_access *a, const unsigned char *data)
{
    size_t size = (size_t)a->at.type->size;
    if (memcmp(a->at.at, data, size) == 0)
        memcpy(a->at.at, data + size, size);
}

/* What changes the target's memory; the reply has what was there. */
static void perform(const struct window_access *a, const struct task_served *now,
                    const struct task_caller *from, const unsigned char *data, uint64_t bytes)
{
    bool fetches = a->kind != ACCESS_PUT && a->kind != ACCESS_ACCUMULATE, error = is_detached(a);
    struct block there = a->at;
    reply(now, from, error ? MPI_ERR_RMA_RANGE : MPI_SUCCESS, fetches && !error ? &there : NULL);
    if (!bytes || error)
        return;
    if (a->kind == ACCESS_COMPARE)
        compare_and_swap(a, data);
    else if (a->kind == ACCESS_PUT || a->op->kind == OP_REPLACE)
        block_unpack(&a->at, bytes, data);
    else
        combine(a, data, bytes);
}

/* ---- order ---- */

/* An access that has come before its turn: a shorter one may overtake a longer one. */
struct early {
    struct early *next;
    const struct window_access *access;
    struct task_caller from;
    unsigned char *data;
    uint64_t bytes;
};

static void keep(struct mpi_window *w, const struct task_served *call)
{
    struct early *e = memory_alloc(1, sizeof(*e));
    *e = (struct early){.next = w->early,
                        .access = call->what,
                        .from = call->caller,
                        .data = memory_alloc(call->bytes, 1),
                        .bytes = call->bytes};
    if (call->bytes)
        memcpy(e->data, call->data, call->bytes);
    w->early = e;
}

static void drop_early(struct early **link)
{
    struct early *e = *link;
    *link = e->next;
    free(e->data);
    free(e);
}

/* The early access of an origin with a number; NULL: it has not come. */
static struct early **find_early(struct mpi_window *w, uint32_t origin, uint32_t number)
{
    struct early **link = &w->early;
    while (*link && ((*link)->access->origin != origin || (*link)->access->number != number))
        link = &(*link)->next;
    return *link ? link : NULL;
}

static void take_turn(struct mpi_window *w, const struct task_served *call)
{
    const struct window_access *a = call->what;
    uint32_t *taken = map_add(&w->taken, a->origin, 0);
    struct early **next;
    if (*taken != a->number) {
        keep(w, call);
        return;
    }
    perform(a, call, &call->caller, call->data, call->bytes);
    for (++*taken; (next = find_early(w, a->origin, *taken)); ++*taken) {
        perform((*next)->access, call, &(*next)->from, (*next)->data, (*next)->bytes);
        drop_early(next);
    }
}

/* ---- locks ---- */

struct waiter {
    struct waiter *next;
    struct task_caller from;
    bool exclusive;
};

/* The lock goes to those that wait, the oldest first, as far as it can. */
static void grant(struct mpi_window *w, const struct task_served *now)
{
    for (struct waiter *first; (first = w->waiter);) {
        if (w->holders && (w->exclusive || first->exclusive))
            return;
        w->holders++;
        w->exclusive = first->exclusive;
        w->waiter = first->next;
        reply(now, &first->from, MPI_SUCCESS, NULL);
        free(first);
    }
}

static void wait_for_lock(struct mpi_window *w, const struct task_caller *from, bool exclusive)
{
    struct waiter **link = &w->waiter, *last = memory_alloc(1, sizeof(*last));
    *last = (struct waiter){.from = *from, .exclusive = exclusive};
    while (*link)
        link = &(*link)->next;
    *link = last;
}

/* ---- serving ---- */

void window_serve(void *arg, uint32_t process, const struct task_served *call)
{
    const struct window_access *a = call->what;
    struct mpi_window *w = a->window;
    (void)arg, (void)process;
    if (a->kind == ACCESS_LOCK) {
        wait_for_lock(w, &call->caller, a->exclusive);
        grant(w, call);
    } else if (a->kind == ACCESS_UNLOCK) {
        w->holders--;
        reply(call, &call->caller, MPI_SUCCESS, NULL);
        grant(w, call);
    } else if (access_is_ordered(a->kind)) {
        take_turn(w, call);
    } else {
        perform(a, call, &call->caller, call->data, call->bytes);
    }
}

void window_fini(struct mpi_window *w)
{
    while (w->early)
        drop_early(&w->early);
    memory_free_list(w->region);
    memory_free_list(w->waiter);
    map_fini(&w->locks);
    map_fini(&w->given);
    map_fini(&w->taken);
}
