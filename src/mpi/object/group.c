/* Groups, each of them once. */
#include "mpi/object/group.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "message/order.h"

enum { BUCKETS = 4096 };

struct groups {
    pthread_mutex_t lock;
    struct group *bucket[BUCKETS];
};

struct groups *groups_create(void)
{
    struct groups *all = memory_alloc(1, sizeof(*all));
    pthread_mutex_init(&all->lock, NULL);
    return all;
}

static void drop(struct group *g)
{
    free(g->list);
    free(g->sorted);
    free(g);
}

void groups_destroy(struct groups *all)
{
    for (unsigned i = 0; all && i < BUCKETS; i++)
        for (struct group *g = all->bucket[i], *next; g; g = next) {
            next = g->next;
            drop(g);
        }
    if (all)
        pthread_mutex_destroy(&all->lock);
    free(all);
}

/* ---- finding ---- */

/* `wanted` describes a group that is to be found, or made: its list is the caller's. */
static bool is_wanted(const struct group *g, const struct group *wanted)
{
    if (g->hash != wanted->hash || g->size != wanted->size || !g->list != !wanted->list)
        return false;
    if (g->list)
        return memcmp(g->list, wanted->list, g->size * sizeof(*g->list)) == 0;
    return g->first == wanted->first && g->stride == wanted->stride;
}

static int by_process(const void *a, const void *b)
{
    const struct group_entry *x = a, *y = b;
    return x->process < y->process ? -1 : x->process > y->process;
}

static struct group *make(const struct group *wanted)
{
    struct group *g = memory_alloc(1, sizeof(*g));
    memcpy(g, wanted, sizeof(*g));
    if (!g->list)
        return g;
    g->list = memory_alloc(g->size, sizeof(*g->list));
    memcpy(g->list, wanted->list, g->size * sizeof(*g->list));
    g->sorted = memory_alloc(g->size, sizeof(*g->sorted));
    for (uint32_t i = 0; i < g->size; i++)
        g->sorted[i] = (struct group_entry){g->list[i], i};
    qsort(g->sorted, g->size, sizeof(*g->sorted), by_process);
    return g;
}

static const struct group *find(struct groups *all, const struct group *wanted)
{
    struct group **bucket = &all->bucket[wanted->hash % BUCKETS], *g;
    pthread_mutex_lock(&all->lock);
    for (g = *bucket; g && !is_wanted(g, wanted); g = g->next)
        ;
    if (!g) {
        g = make(wanted);
        g->next = *bucket;
        *bucket = g;
    }
    atomic_fetch_add(&g->holders, 1);
    pthread_mutex_unlock(&all->lock);
    return g;
}

/* ---- making ---- */

/* One member has no stride, and none has no first one: equal groups are described equally. */
const struct group *group_of_range(struct groups *all, uint32_t first, uint32_t stride,
                                   uint32_t size)
{
    struct group w = {.first = size ? first : 0, .stride = size > 1 ? stride : 1, .size = size};
    w.hash = random_mix(random_mix(((uint64_t)w.first << 32 | w.stride) + 1) ^ size);
    return find(all, &w);
}

const struct group *group_of_list(struct groups *all, const uint32_t *member, uint32_t size)
{
    struct group w = {.list = (uint32_t *)member, .size = size, .hash = size};
    uint32_t stride = size > 1 ? member[1] - member[0] : 1;
    bool range = size < 2 || member[1] > member[0];
    for (uint32_t i = 0; i < size; i++) {
        range = range && member[i] == member[0] + i * stride;
        w.hash = random_mix(w.hash ^ member[i]);
    }
    return range ? group_of_range(all, size ? member[0] : 0, stride, size) : find(all, &w);
}

const struct group *group_joined(struct groups *groups, const struct group *a,
                                 const struct group *b)
{
    uint32_t *list = memory_alloc((size_t)a->size + b->size, sizeof(*list)), count = 0;
    for (uint32_t i = 0; i < a->size; i++)
        list[count++] = group_at(a, i);
    for (uint32_t i = 0; i < b->size; i++)
        list[count++] = group_at(b, i);
    const struct group *g = group_of_list(groups, list, count);
    free(list);
    return g;
}

const struct group *group_hold(const struct group *g)
{
    atomic_fetch_add(&((struct group *)g)->holders, 1);
    return g;
}

void group_release(struct groups *all, const struct group *held)
{
    struct group *g = (struct group *)held;
    if (!g)
        return;
    pthread_mutex_lock(&all->lock);
    if (atomic_fetch_sub(&g->holders, 1) == 1) {
        struct group **link = &all->bucket[g->hash % BUCKETS];
        while (*link != g)
            link = &(*link)->next;
        *link = g->next;
        drop(g);
    }
    pthread_mutex_unlock(&all->lock);
}

/* ---- members ---- */

uint32_t group_rank(const struct group *g, uint32_t process)
{
    if (!g->list) {
        uint32_t offset = process - g->first, rank = offset / g->stride;
        return process >= g->first && rank < g->size && rank * g->stride == offset ? rank
                                                                                   : GROUP_NOBODY;
    }
    struct group_entry key = {.process = process};
    const struct group_entry *e = bsearch(&key, g->sorted, g->size, sizeof(*g->sorted), by_process);
    return e ? e->rank : GROUP_NOBODY;
}

uint32_t *group_turns(const struct group *g, uint32_t rank, const struct send_order *order)
{
    uint32_t me = group_at(g, rank), count = 0;
    uint32_t *turns = order ? memory_alloc(g->size, sizeof(*turns)) : NULL;
    for (uint32_t i = 0; turns && i + 1 < order->count; i++) {
        uint32_t member = group_rank(g, order_other(order, me, i));
        if (member != GROUP_NOBODY)
            turns[count++] = member;
    }
    if (turns)
        turns[count] = rank;
    return turns;
}
