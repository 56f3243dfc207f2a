/* Communicators of a rank. */
#include "mpi/object/comm.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mpi/rank.h"

struct comm *comm_new(struct rank *r, uint32_t context, const struct group *group,
                      const struct group *remote, bool traced)
{
    struct comm *c = memory_alloc(1, sizeof(*c));
    *c = (struct comm){.holders = 1,
                       .context = context,
                       .group = group,
                       .remote = remote,
                       .rank = group_rank(group, r->task->rank)};
    c->handle = handle_new(&r->handles, HANDLE_COMM, c);
    if (traced && rank_is_traced(r))
        call_log_comm(&r->log, &(struct logged_comm){.context = context,
                                                     .group = group_hold(group),
                                                     .remote = remote ? group_hold(remote) : NULL});
    return c;
}

struct comm *comm_hold(struct comm *c)
{
    c->holders++;
    return c;
}

void comm_release(struct rank *r, struct comm *c)
{
    if (!c || --c->holders)
        return;
    group_release(r->world->groups, c->group);
    group_release(r->world->groups, c->remote);
    errhandler_release(c->errors);
    topology_release(c->topology);
    info_drop(c->info);
    free(c);
}

void comm_free(struct rank *r, struct comm *c)
{
    handle_drop(&r->handles, c->handle);
    c->handle = 0;
    comm_release(r, c);
}

struct comm *comm_find(struct rank *r, uintptr_t handle)
{
    if (handle == (uintptr_t)MPI_COMM_WORLD)
        return r->everybody;
    if (handle == (uintptr_t)MPI_COMM_SELF)
        return r->self;
    return handle_object(&r->handles, HANDLE_COMM, handle);
}

/* ---- handlers that always exist, and those that programs make ---- */

struct errhandler *errhandler_find(struct rank *r, uintptr_t handle)
{
    static struct errhandler predefined[] = {
        {.predefined = true, .kind = ERRORS_FATAL, .handle = (uintptr_t)MPI_ERRORS_ARE_FATAL},
        {.predefined = true, .kind = ERRORS_FATAL, .handle = (uintptr_t)MPI_ERRORS_ABORT},
        {.predefined = true, .kind = ERRORS_RETURN, .handle = (uintptr_t)MPI_ERRORS_RETURN}};
    for (size_t i = 0; i < sizeof(predefined) / sizeof(predefined[0]); i++)
        if (handle == predefined[i].handle)
            return &predefined[i];
    return handle_object(&r->handles, HANDLE_ERRHANDLER, handle);
}

struct errhandler *errhandler_hold(struct errhandler *h)
{
    if (h && !h->predefined)
        h->holders++;
    return h;
}

void errhandler_release(struct errhandler *h)
{
    if (h && !h->predefined && --h->holders == 0)
        free(h);
}
