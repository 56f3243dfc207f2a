/* Requests that nobody has waited for. */
#define _GNU_SOURCE
#include "mpi/observe/unfinished.h"

#include "mpi/observe/record.h"

typedef bool visitor(const struct rank *r, struct mpi_request *q, void *arg);

static bool visit(const struct rank *r, struct mpi_request *q, visitor *f, void *arg)
{
    if (!q || !q->active || q->over)
        return false;
    if (q->kind == REQUEST_BOTH)
        return visit(r, q->part[0], f, arg) || visit(r, q->part[1], f, arg);
    return (q->kind == REQUEST_SEND || q->kind == REQUEST_RECEIVE) && f(r, q, arg);
}

/* Calls f() for sends and receives under way, until it returns true: those that have handles, those
 * that end by themselves, and those of the call that the rank is in. */
static void visit_all(const struct rank *r, visitor *f, void *arg)
{
    bool found = false;
    for (uint32_t i = 0; i < r->handles.count && !found; i++) {
        const struct handle_slot *s = &r->handles.slot[i];
        found = s->object && s->kind == HANDLE_REQUEST && visit(r, s->object, f, arg);
    }
    for (struct mpi_request *q = r->freed; q && !found; q = q->next)
        found = visit(r, q, f, arg);
    for (struct mpi_request *q = r->buffered; q && !found; q = q->next)
        found = visit(r, q, f, arg);
    for (size_t i = 0; r->waits && i < r->wait_count && !found; i++)
        found = visit(r, r->waits[i], f, arg);
}

static bool find_under_way(const struct rank *r, struct mpi_request *q, void *arg)
{
    const struct mpi_request **found = arg;
    struct task_outcome o;
    if (!task_came_to(r->task, q->task, &o))
        *found = q;
    return *found;
}

const struct mpi_request *unfinished_message(const struct rank *r)
{
    const struct mpi_request *found = NULL;
    visit_all(r, find_under_way, &found);
    return found;
}

static bool settle(const struct rank *r, struct mpi_request *q, void *arg)
{
    struct task_outcome o;
    bool over = task_came_to(r->task, q->task, &o), sent = over && q->kind == REQUEST_SEND;
    if (!over)
        o.cancelled = true;
    record_settle(arg, q->entry, q->message.comm, sent ? NULL : &o);
    return false;
}

void unfinished_settle(struct rank *r)
{
    visit_all(r, settle, r);
}
