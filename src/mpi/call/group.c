/* Groups. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"

static int own_rank(struct rank *r, const struct group *g)
{
    uint32_t rank = group_rank(g, r->task->rank);
    return rank == GROUP_NOBODY ? MPI_UNDEFINED : (int)rank;
}

int call_Group_size(MPI_Group group, int *size)
{
    struct rank *r = call_begin(CALL_Group_size);
    const struct group *g;
    int error = find_group(r, group, &g);
    if (!error)
        *size = (int)g->size;
    return call_end(r, error);
}

int call_Group_rank(MPI_Group group, int *rank)
{
    struct rank *r = call_begin(CALL_Group_rank);
    const struct group *g;
    int error = find_group(r, group, &g);
    if (!error)
        *rank = own_rank(r, g);
    return call_end(r, error);
}

int call_Group_translate_ranks(MPI_Group group1, int count, const int ranks1[], MPI_Group group2,
                               int ranks2[])
{
    struct rank *r = call_begin(CALL_Group_translate_ranks);
    const struct group *from, *to;
    int error = find_group(r, group1, &from);
    if (!error)
        error = find_group(r, group2, &to);
    for (int i = 0; i < count && !error; i++) {
        if (ranks1[i] == MPI_PROC_NULL) {
            ranks2[i] = MPI_PROC_NULL;
            continue;
        }
        if (ranks1[i] < 0 || (uint32_t)ranks1[i] >= from->size) {
            error = error_raise(r, NULL, MPI_ERR_RANK, "rank %d, of a group of %u", ranks1[i],
                                from->size);
            continue;
        }
        uint32_t rank = group_rank(to, group_at(from, (uint32_t)ranks1[i]));
        ranks2[i] = rank == GROUP_NOBODY ? MPI_UNDEFINED : (int)rank;
    }
    return call_end(r, error);
}

int group_compare(const struct group *a, const struct group *b)
{
    if (a == b)
        return MPI_IDENT;
    if (a->size != b->size)
        return MPI_UNEQUAL;
    for (uint32_t i = 0; i < a->size; i++)
        if (group_rank(b, group_at(a, i)) == GROUP_NOBODY)
            return MPI_UNEQUAL;
    return MPI_SIMILAR;
}

int call_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    struct rank *r = call_begin(CALL_Group_compare);
    const struct group *a, *b;
    int error = find_group(r, group1, &a);
    if (!error)
        error = find_group(r, group2, &b);
    if (!error)
        *result = group_compare(a, b);
    return call_end(r, error);
}

/* ---- sets ---- */

/* Members of two groups that are in both, in one, or in any of them; in the order of the first,
 * then of the second. */
static const struct group *combine(struct rank *r, const struct group *a, const struct group *b,
                                   bool in_both, bool second)
{
    uint32_t *list = memory_alloc((size_t)a->size + b->size + 1, sizeof(*list)), count = 0;
    for (uint32_t i = 0; i < a->size; i++) {
        uint32_t process = group_at(a, i);
        bool both = group_rank(b, process) != GROUP_NOBODY;
        if (second || both == in_both)
            list[count++] = process;
    }
    for (uint32_t i = 0; second && i < b->size; i++)
        if (group_rank(a, group_at(b, i)) == GROUP_NOBODY)
            list[count++] = group_at(b, i);
    const struct group *g = group_of_list(r->world->groups, list, count);
    free(list);
    return g;
}

static MPI_Group give(struct rank *r, const struct group *g)
{
    if (g->size)
        return give_group(r, g);
    group_release(r->world->groups, g);
    return MPI_GROUP_EMPTY;
}

static int set_of(struct rank *r, MPI_Group group1, MPI_Group group2, bool in_both, bool second,
                  MPI_Group *newgroup)
{
    const struct group *a, *b;
    int error = find_group(r, group1, &a);
    if (!error)
        error = find_group(r, group2, &b);
    if (!error)
        *newgroup = give(r, combine(r, a, b, in_both, second));
    return error;
}

int call_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    struct rank *r = call_begin(CALL_Group_union);
    return call_end(r, set_of(r, group1, group2, false, true, newgroup));
}

int call_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    struct rank *r = call_begin(CALL_Group_intersection);
    return call_end(r, set_of(r, group1, group2, true, false, newgroup));
}

int call_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    struct rank *r = call_begin(CALL_Group_difference);
    return call_end(r, set_of(r, group1, group2, false, false, newgroup));
}

/* ---- parts ---- */

/* Ranks of a group, each at most once. */
static int check_ranks(struct rank *r, const struct group *g, int count, const int ranks[])
{
    bool *seen = memory_alloc((size_t)g->size + 1, sizeof(*seen));
    int error = count < 0 ? error_raise(r, NULL, MPI_ERR_ARG, "the count is %d", count) : 0;
    for (int i = 0; i < count && !error; i++) {
        bool known = ranks[i] >= 0 && (uint32_t)ranks[i] < g->size;
        if (!known || seen[ranks[i]])
            error = error_raise(r, NULL, MPI_ERR_RANK, "rank %d %s", ranks[i],
                                known ? "is named twice" : "is not in the group");
        else
            seen[ranks[i]] = true;
    }
    free(seen);
    return error;
}

static const struct group *part_of(struct rank *r, const struct group *g, int count,
                                   const int ranks[], bool without)
{
    uint32_t *list = memory_alloc((size_t)g->size + 1, sizeof(*list)), members = 0;
    bool *named = memory_alloc((size_t)g->size + 1, sizeof(*named));
    for (int i = 0; i < count; i++) {
        named[ranks[i]] = true;
        if (!without)
            list[members++] = group_at(g, (uint32_t)ranks[i]);
    }
    for (uint32_t i = 0; without && i < g->size; i++)
        if (!named[i])
            list[members++] = group_at(g, i);
    const struct group *part = group_of_list(r->world->groups, list, members);
    free(named);
    free(list);
    return part;
}

static int make_part(struct rank *r, MPI_Group group, int count, const int ranks[], bool without,
                     MPI_Group *newgroup)
{
    const struct group *g;
    int error = find_group(r, group, &g);
    if (!error)
        error = check_ranks(r, g, count, ranks);
    if (!error)
        *newgroup = give(r, part_of(r, g, count, ranks, without));
    return error;
}

int call_Group_incl(MPI_Group group, int count, const int ranks[], MPI_Group *newgroup)
{
    struct rank *r = call_begin(CALL_Group_incl);
    return call_end(r, make_part(r, group, count, ranks, false, newgroup));
}

int call_Group_excl(MPI_Group group, int count, const int ranks[], MPI_Group *newgroup)
{
    struct rank *r = call_begin(CALL_Group_excl);
    return call_end(r, make_part(r, group, count, ranks, true, newgroup));
}

/* The ranks of ranges (first, last, stride), in a list; NULL: the error was raised. */
static int *spread_ranges(struct rank *r, const struct group *g, int count, int ranges[][3],
                          int *ranks, int *error)
{
    int *list = memory_alloc((size_t)g->size + 1, sizeof(*list));
    *ranks = 0;
    *error = count < 0 ? error_raise(r, NULL, MPI_ERR_ARG, "the count is %d", count) : 0;
    for (int i = 0; i < count && !*error; i++) {
        int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
        if (!stride) {
            *error = error_raise(r, NULL, MPI_ERR_ARG, "range %d has stride 0", i);
            continue;
        }
        for (int64_t at = first; stride > 0 ? at <= last : at >= last; at += stride) {
            if (at < 0 || at >= g->size || *ranks >= (int)g->size) {
                *error = error_raise(r, NULL, MPI_ERR_RANK, "rank %lld, of a group of %u",
                                     (long long)at, g->size);
                break;
            }
            list[(*ranks)++] = (int)at;
        }
    }
    return list;
}

static int make_ranges(struct rank *r, MPI_Group group, int count, int ranges[][3], bool without,
                       MPI_Group *newgroup)
{
    const struct group *g;
    int ranks, error = find_group(r, group, &g);
    if (error)
        return error;
    int *list = spread_ranges(r, g, count, ranges, &ranks, &error);
    if (!error)
        error = make_part(r, group, ranks, list, without, newgroup);
    free(list);
    return error;
}

int call_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *newgroup)
{
    struct rank *r = call_begin(CALL_Group_range_incl);
    return call_end(r, make_ranges(r, group, count, ranges, false, newgroup));
}

int call_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group *newgroup)
{
    struct rank *r = call_begin(CALL_Group_range_excl);
    return call_end(r, make_ranges(r, group, count, ranges, true, newgroup));
}

int call_Group_free(MPI_Group *group)
{
    struct rank *r = call_begin(CALL_Group_free);
    const struct group *g;
    int error = find_group(r, *group, &g);
    if (error)
        return call_end(r, error);
    if (*group != MPI_GROUP_EMPTY) {
        handle_drop(&r->handles, (uintptr_t)*group);
        group_release(r->world->groups, g);
    }
    *group = MPI_GROUP_NULL;
    return call_end(r, MPI_SUCCESS);
}
