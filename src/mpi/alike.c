/* Members, and whether they agree. */
#define _GNU_SOURCE
#include "mpi/alike.h"

#include "base/random.h"

uint32_t comm_members(const struct comm *c)
{
    return c->group->size + (c->remote ? c->remote->size : 0);
}

bool comm_is_first(const struct comm *c)
{
    return !c->remote || group_at(c->group, 0) < group_at(c->remote, 0);
}

uint32_t comm_member(const struct comm *c)
{
    return c->rank + (comm_is_first(c) ? 0 : c->remote->size);
}

uint64_t comm_key(const struct comm *c, uint32_t number)
{
    const struct group *first = comm_is_first(c) ? c->group : c->remote;
    return random_mix(first->hash ^ random_mix((uint64_t)c->context << 32 | number));
}

void comm_check_alike(struct rank *r, struct comm *c, enum call call, uint32_t number, int root,
                      uint64_t bytes)
{
    int64_t word[MEETING_WORDS] = {call, root, (int64_t)bytes};
    uint32_t other;
    if (comm_members(c) == 1)
        return;
    meeting_agree(&r->world->meetings, ~comm_key(c, number), comm_members(c), r->task->rank, word,
                  &other);
    if (word[0] != (int64_t)call)
        error_fatal(r, "rank %u is in %s on the same communicator meanwhile", other,
                    call_name((enum call)word[0]));
    if (word[1] != root)
        error_fatal(r, "the root is %d here, and %lld at rank %u", root, (long long)word[1], other);
    if (word[2] != (int64_t)bytes)
        error_fatal(r, "%llu bytes here, and %lld at rank %u (MPI_ERR_TRUNCATE)",
                    (unsigned long long)bytes, (long long)word[2], other);
}
