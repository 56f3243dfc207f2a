/* Members, and whether they agree. */
#define _GNU_SOURCE
#include "mpi/collective/agreement.h"

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

/* Says what differs from what the first one said, and ends the program. */
static void compare(struct rank *r, const struct agreement *mine, const struct agreement *theirs,
                    uint32_t other)
{
    bool same = theirs->context == mine->context;
    if (theirs->call != mine->call || !same)
        error_fatal(r, "rank %u is in %s on %s communicator meanwhile", other,
                    call_name((enum call)theirs->call), same ? "the same" : "another");
    if (theirs->root != mine->root)
        error_fatal(r, "the root is %lld here, and %lld at rank %u", (long long)mine->root,
                    (long long)theirs->root, other);
    if (theirs->op != mine->op)
        error_fatal(r, "the operation or the datatype is another one than at rank %u", other);
    if (theirs->bytes != mine->bytes && theirs->bytes >= 0 && mine->bytes >= 0)
        error_fatal(r, "%lld bytes here, and %lld at rank %u (MPI_ERR_TRUNCATE)",
                    (long long)mine->bytes, (long long)theirs->bytes, other);
}

static void check(struct rank *r, uint64_t key, uint32_t members, const struct agreement *what)
{
    struct agreement first = *what;
    uint32_t other;
    if (members == 1)
        return;
    meeting_agree(&r->world->meetings, key, members, r->task->rank, &first, &other);
    compare(r, what, &first, other);
}

void comm_check_agreement(struct rank *r, const struct comm *c, uint32_t number,
                          const struct agreement *what)
{
    check(r, ~comm_key(c, number), comm_members(c), what);
}

void comm_check_order(struct rank *r, const struct agreement *what)
{
    static const uint64_t machine = 0x6d616368696e65; /* no communicator's key */
    check(r, random_mix(machine ^ random_mix(r->machine_operations++)), r->task->size, what);
}
