/* Groups. */
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"

/* The rank of a process in a group, as programs see it. */
static int rank_or_undefined(const struct group *g, uint32_t process)
{
    uint32_t rank = group_rank(g, process);
    return rank == GROUP_NOBODY ? MPI_UNDEFINED : (int)rank;
}

MPI_ANSWER(Group_size, int, (int)g->size, struct rank *r, const struct group *g)
MPI_ANSWER(Group_rank, int, rank_or_undefined(g, r->task->rank), struct rank *r,
           const struct group *g)

int mpi_Group_translate_ranks(struct rank *r, const struct group *from, int count,
                              const int ranks1[], const struct group *to, int ranks2[])
{
    for (int i = 0; i < count; i++) {
        bool nobody = ranks1[i] == MPI_PROC_NULL;
        if (!nobody && (ranks1[i] < 0 || (uint32_t)ranks1[i] >= from->size))
            return error_raise(r, NULL, MPI_ERR_RANK, "rank %d, of a group of %u", ranks1[i],
                               from->size);
        ranks2[i] =
            nobody ? MPI_PROC_NULL : rank_or_undefined(to, group_at(from, (uint32_t)ranks1[i]));
    }
    return MPI_SUCCESS;
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

MPI_ANSWER(Group_compare, int, group_compare(a, b), struct rank *r, const struct group *a,
           const struct group *b)

/* ---- sets ---- */

/* Gives the program the group of some processes, of which there may be none. */
static int give_members(struct rank *r, const uint32_t *list, uint32_t count, MPI_Group *newgroup)
{
    *newgroup = MPI_GROUP_EMPTY;
    if (count)
        *newgroup = give_group(r, group_of_list(r->world->groups, list, count));
    return MPI_SUCCESS;
}

/* Members of two groups that are in both, in one, or in any of them; in the order of the first,
 * then of the second. */
int group_select(struct rank *r, const struct group *a, const struct group *b, bool in_both,
                 bool second, MPI_Group *newgroup)
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
    int error = give_members(r, list, count, newgroup);
    free(list);
    return error;
}

/* ---- subsets ---- */

/* The group of ranks of another, or of all others; none may be named twice. */
int group_subset(struct rank *r, const struct group *g, int count, const int ranks[], bool without,
                 MPI_Group *newgroup)
{
    uint32_t *list = memory_alloc((size_t)g->size + 1, sizeof(*list)), members = 0;
    bool *named = memory_alloc((size_t)g->size + 1, sizeof(*named));
    int error = count < 0 ? error_raise(r, NULL, MPI_ERR_ARG, "the count is %d", count) : 0;
    for (int i = 0; i < count && !error; i++) {
        bool known = ranks[i] >= 0 && (uint32_t)ranks[i] < g->size;
        if (!known || named[ranks[i]]) {
            error = error_raise(r, NULL, MPI_ERR_RANK, "rank %d %s", ranks[i],
                                known ? "is named twice" : "is not in the group");
            continue;
        }
        named[ranks[i]] = true;
        if (!without)
            list[members++] = group_at(g, (uint32_t)ranks[i]);
    }
    for (uint32_t i = 0; without && i < g->size; i++)
        if (!named[i])
            list[members++] = group_at(g, i);
    if (!error)
        error = give_members(r, list, members, newgroup);
    free(named);
    free(list);
    return error;
}

/* The ranks of ranges (first, last, stride), in a list with room for the group. */
static int list_ranges(struct rank *r, const struct group *g, int count, int ranges[][3], int *list,
                       int *ranks)
{
    *ranks = 0;
    if (count < 0)
        return error_raise(r, NULL, MPI_ERR_ARG, "the count is %d", count);
    for (int i = 0; i < count; i++) {
        int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
        if (!stride)
            return error_raise(r, NULL, MPI_ERR_ARG, "range %d has stride 0", i);
        for (int64_t at = first; stride > 0 ? at <= last : at >= last; at += stride) {
            if (at < 0 || at >= g->size || *ranks >= (int)g->size)
                return error_raise(r, NULL, MPI_ERR_RANK, "rank %lld, of a group of %u",
                                   (long long)at, g->size);
            list[(*ranks)++] = (int)at;
        }
    }
    return MPI_SUCCESS;
}

int group_subset_of_ranges(struct rank *r, const struct group *g, int count, int ranges[][3],
                           bool without, MPI_Group *newgroup)
{
    int *list = memory_alloc((size_t)g->size + 1, sizeof(*list)), ranks;
    int error = list_ranges(r, g, count, ranges, list, &ranks);
    if (!error)
        error = group_subset(r, g, ranks, list, without, newgroup);
    free(list);
    return error;
}

int mpi_Group_free(struct rank *r, const struct group *g, MPI_Group *group)
{
    if (*group != MPI_GROUP_EMPTY) {
        handle_drop(&r->handles, (uintptr_t)*group);
        group_release(r->world->groups, g);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
