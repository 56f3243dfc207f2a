/*
 * Groups of processes. A group never changes, so ranks share it: groups of equal members are one
 * object, however many ranks have made it. Members are processes of the world, in an order that is
 * the group's: first + i * stride where that describes it, else a list.
 */
#ifndef WEFT_MPI_OBJECT_GROUP_H
#define WEFT_MPI_OBJECT_GROUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define GROUP_NOBODY UINT32_MAX

struct group_entry {
    uint32_t process, rank;
};

struct group {
    struct group *next; /* of the same hash */
    uint64_t hash;
    _Atomic(uint32_t) holders;
    uint32_t size;
    uint32_t first, stride;     /* if list is NULL */
    uint32_t *list;             /* [rank] */
    struct group_entry *sorted; /* by process, for a list */
};

/* The groups of a world; its functions may be called by several threads. */
struct groups;
struct groups *groups_create(void);
void groups_destroy(struct groups *groups);

/* The group of these members, which must differ; held for the caller. */
const struct group *group_of_list(struct groups *groups, const uint32_t *member, uint32_t size);
const struct group *group_of_range(struct groups *groups, uint32_t first, uint32_t stride,
                                   uint32_t size);

/* The members of both, which must differ; held. */
const struct group *group_joined(struct groups *groups, const struct group *a,
                                 const struct group *b);

const struct group *group_hold(const struct group *g);
void group_release(struct groups *groups, const struct group *g);

static inline uint32_t group_at(const struct group *g, uint32_t rank)
{
    return g->list ? g->list[rank] : g->first + rank * g->stride;
}

/* The rank of a process in a group, or GROUP_NOBODY. */
uint32_t group_rank(const struct group *g, uint32_t process);

/* The members in the order in which one of them turns to the others of an all-to-all, itself the
 * last; to be freed. NULL: in no order of their own. */
struct send_order;
uint32_t *group_turns(const struct group *g, uint32_t rank, const struct send_order *order);

#endif
