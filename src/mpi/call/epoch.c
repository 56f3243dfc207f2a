/*
 * Epochs of windows. A fence is a flush of everything and a barrier; post and start, complete and
 * wait are messages of no bytes; locks are accesses (object/window.h) whose replies grant them.
 */
#include <stdlib.h>

#include "base/list.h"
#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/object/request.h"
#include "mpi/object/window.h"

/* ---- checks ---- */

static int out_of_place(struct rank *r, struct mpi_window *w, const char *what)
{
    return error_raise(r, w->comm, MPI_ERR_RMA_SYNC, "%s", what);
}

/* What the rank has to end first; NULL: nothing. */
static const char *open_access(const struct mpi_window *w)
{
    switch (w->epoch) {
    case EPOCH_FENCE:
        return w->used ? "the epoch of MPI_Win_fence is not over" : NULL;
    case EPOCH_START:
        return "MPI_Win_complete was not called after MPI_Win_start";
    case EPOCH_LOCKS:
        return "a lock was not given back by MPI_Win_unlock";
    case EPOCH_LOCK_ALL:
        return "MPI_Win_unlock_all was not called after MPI_Win_lock_all";
    default:
        return NULL;
    }
}

static int check_no_access(struct rank *r, struct mpi_window *w)
{
    const char *open = open_access(w);
    return open ? out_of_place(r, w, open) : MPI_SUCCESS;
}

static int check_no_exposure(struct rank *r, struct mpi_window *w)
{
    return w->exposed ? out_of_place(r, w, "MPI_Win_wait was not called after MPI_Win_post")
                      : MPI_SUCCESS;
}

int epoch_check_closed(struct rank *r, struct mpi_window *w)
{
    TRY_MPI(check_no_access(r, w));
    return check_no_exposure(r, w);
}

static int check_assertion(struct rank *r, struct mpi_window *w, int assertion)
{
    enum {
        ALL = MPI_MODE_NOCHECK | MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT | MPI_MODE_NOSTORE |
              MPI_MODE_NOSUCCEED
    };
    return assertion & ~ALL
               ? error_raise(r, w->comm, MPI_ERR_ASSERT, "the assertion is %d", assertion)
               : MPI_SUCCESS;
}

static int check_target(struct rank *r, struct mpi_window *w, int rank)
{
    uint32_t size = w->comm->group->size;
    return rank >= 0 && (uint32_t)rank < size
               ? MPI_SUCCESS
               : error_raise(r, w->comm, MPI_ERR_RANK, "rank %d, of a window with %u", rank, size);
}

/* ---- accesses under way ---- */

static struct mpi_request *new_request(struct rank *r, struct mpi_window *w, int target,
                                       struct window_access *a)
{
    struct mpi_message on = {.comm = w->comm, .peer = target};
    struct mpi_request *q = request_new(r, REQUEST_ACCESS, &on);
    q->window_access = a;
    q->active = true;
    q->result = (struct result){.source = MPI_UNDEFINED, .tag = MPI_UNDEFINED};
    a->holders++;
    return q;
}

/* Drops those that are over without an error. */
static void reap(struct rank *r, struct requests *calls)
{
    size_t kept = 0;
    for (size_t i = 0; i < calls->count; i++) {
        struct mpi_request *q = calls->q[i];
        if (request_is_over(r, q) && !q->result.error)
            request_drop(r, q);
        else
            calls->q[kept++] = q;
    }
    calls->count = kept;
}

static void scatter(void *access, const unsigned char *from, uint64_t bytes)
{
    block_unpack(&((struct window_access *)access)->result, bytes, from);
}

void epoch_access(struct rank *r, struct mpi_window *w, int target, struct window_access *a,
                  const struct task_parcel *out, MPI_Request *request)
{
    enum { CALLS_FEW = 32 };
    uint32_t process = group_at(w->comm->group, (uint32_t)target);
    bool moves = a->at.type != NULL, engine = a->kind == ACCESS_PUT || a->kind == ACCESS_GET;
    if (access_is_ordered(a->kind))
        a->number = (*map_add(&w->given, (uint64_t)target, 0))++;
    a->window = w->member[target].window;
    a->origin = w->comm->rank;
    if (w->calls.count >= w->calls_most) {
        reap(r, &w->calls);
        w->calls_most = 2 * w->calls.count + CALLS_FEW;
    }
    struct mpi_request *q = new_request(r, w, target, a);
    struct task_call call = {.out = *out,
                             .what = a,
                             .shape = moves && !a->at.type->dense ? SHAPE_STRIDED : SHAPE_LINES,
                             .direct = engine && a->at.type->dense,
                             .combines = a->kind == ACCESS_ACCUMULATE || a->kind == ACCESS_FETCH};
    if (a->result.type)
        call.in =
            (struct task_parcel){.bytes = block_length(&a->result), .scatter = scatter, .arg = a};
    r->message_peer = target;
    r->message_bytes = out->bytes;
    rank_note_message(r, process, out->bytes);
    rank_pay_send(r, out->bytes, out->shape);
    a->task = task_call(r->task, process, &call);
    *LIST_ADD(w->calls.q, w->calls.count, w->calls.room) = q;
    if (request)
        *request = request_give(r, new_request(r, w, target, a));
}

int epoch_flush(struct rank *r, struct mpi_window *w, int target)
{
    struct requests *calls = &w->calls, wanted = {.count = 0};
    size_t kept = 0;
    int error = MPI_SUCCESS;
    for (size_t i = 0; i < calls->count; i++)
        if (target == MPI_ANY_SOURCE || calls->q[i]->message.peer == target)
            *LIST_ADD(wanted.q, wanted.count, wanted.room) = calls->q[i];
        else
            calls->q[kept++] = calls->q[i];
    calls->count = kept;
    request_wait_all(r, wanted.q, wanted.count);
    for (size_t i = 0; i < wanted.count; i++) {
        struct mpi_request *q = wanted.q[i];
        if (!error && q->result.error)
            error = error_raise(r, w->comm, q->result.error,
                                "rank %d has not attached what was accessed", q->message.peer);
        request_drop(r, q);
    }
    free(wanted.q);
    return error;
}

/* ---- fences ---- */

int mpi_Win_fence(struct rank *r, int assertion, struct mpi_window *w)
{
    TRY_MPI(check_assertion(r, w, assertion));
    if (w->epoch != EPOCH_FENCE)
        TRY_MPI(check_no_access(r, w));
    TRY_MPI(check_no_exposure(r, w));
    int error = epoch_flush(r, w, MPI_ANY_SOURCE);
    TRY_MPI(call_Barrier((MPI_Comm)w->comm->handle)); /* in any case: others are in it */
    w->epoch = assertion & MPI_MODE_NOSUCCEED ? EPOCH_NONE : EPOCH_FENCE;
    w->used = false;
    return error;
}

/* ---- post and start, complete and wait ---- */

static struct mpi_request *start_message(struct rank *r, struct mpi_window *w,
                                         enum request_kind kind, uint32_t process, int tag)
{
    struct mpi_message m = {.data = {.type = basics_find((unsigned)(uintptr_t)MPI_BYTE)},
                            .comm = w->comm,
                            .peer = (int)group_rank(w->comm->group, process),
                            .tag = tag,
                            .of_operation = true};
    struct mpi_request *q = request_new(r, kind, &m);
    request_start(r, q);
    return q;
}

/* Tells all of a group; nobody waits for the messages. */
static void tell(struct rank *r, struct mpi_window *w, const struct group *g, int tag)
{
    for (uint32_t i = 0; i < g->size; i++)
        request_leave(r, start_message(r, w, REQUEST_SEND, group_at(g, i), tag));
}

static void listen(struct rank *r, struct mpi_window *w, const struct group *g, int tag,
                   struct requests *to)
{
    for (uint32_t i = 0; i < g->size; i++)
        *LIST_ADD(to->q, to->count, to->room) =
            start_message(r, w, REQUEST_RECEIVE, group_at(g, i), tag);
}

static void drop_all(struct rank *r, struct requests *all)
{
    while (all->count)
        request_drop(r, all->q[--all->count]);
}

static int check_members(struct rank *r, struct mpi_window *w, const struct group *g)
{
    for (uint32_t i = 0; i < g->size; i++)
        if (group_rank(w->comm->group, group_at(g, i)) == GROUP_NOBODY)
            return error_raise(r, w->comm, MPI_ERR_GROUP,
                               "the group has members that the window has not");
    return MPI_SUCCESS;
}

int mpi_Win_post(struct rank *r, const struct group *g, int assertion, struct mpi_window *w)
{
    TRY_MPI(check_assertion(r, w, assertion));
    TRY_MPI(check_no_exposure(r, w));
    TRY_MPI(check_members(r, w, g));
    w->exposed = group_hold(g);
    listen(r, w, g, TAG_COMPLETE, &w->completions);
    if (!(assertion & MPI_MODE_NOCHECK))
        tell(r, w, g, TAG_POST);
    return MPI_SUCCESS;
}

int mpi_Win_start(struct rank *r, const struct group *g, int assertion, struct mpi_window *w)
{
    struct requests posts = {.count = 0};
    TRY_MPI(check_assertion(r, w, assertion));
    TRY_MPI(check_no_access(r, w));
    TRY_MPI(check_members(r, w, g));
    if (!(assertion & MPI_MODE_NOCHECK))
        listen(r, w, g, TAG_POST, &posts);
    request_wait_all(r, posts.q, posts.count);
    drop_all(r, &posts);
    free(posts.q);
    w->started = group_hold(g);
    w->epoch = EPOCH_START;
    return MPI_SUCCESS;
}

int mpi_Win_complete(struct rank *r, struct mpi_window *w)
{
    if (w->epoch != EPOCH_START)
        return out_of_place(r, w, "MPI_Win_start was not called");
    TRY_MPI(epoch_flush(r, w, MPI_ANY_SOURCE));
    tell(r, w, w->started, TAG_COMPLETE);
    group_release(r->world->groups, w->started);
    w->started = NULL;
    w->epoch = EPOCH_NONE;
    return MPI_SUCCESS;
}

/* Waits if there is no flag. */
int window_wait(struct rank *r, struct mpi_window *w, int *flag)
{
    bool over = true;
    if (!w->exposed)
        return out_of_place(r, w, "MPI_Win_post was not called");
    if (flag)
        request_progress(r, true);
    else
        request_wait_all(r, w->completions.q, w->completions.count);
    for (size_t i = 0; i < w->completions.count; i++)
        over &= request_is_over(r, w->completions.q[i]);
    if (flag)
        *flag = over;
    if (!over)
        return MPI_SUCCESS;
    drop_all(r, &w->completions);
    group_release(r->world->groups, w->exposed);
    w->exposed = NULL;
    return MPI_SUCCESS;
}

/* ---- locks ---- */

/* Asks a target for its lock, or gives it back. */
static void call_lock(struct rank *r, struct mpi_window *w, int target,
                      enum window_access_kind kind, bool exclusive)
{
    struct window_access *a = memory_alloc(1, sizeof(*a));
    *a = (struct window_access){.kind = kind, .exclusive = exclusive};
    epoch_access(r, w, target, a, &(struct task_parcel){.shape = SHAPE_LINES}, NULL);
}

static int take_lock(struct rank *r, struct mpi_window *w, int target, enum lock lock)
{
    map_add(&w->locks, (uint64_t)target, lock);
    if (lock == LOCK_UNCHECKED)
        return MPI_SUCCESS;
    call_lock(r, w, target, ACCESS_LOCK, lock == LOCK_EXCLUSIVE);
    return epoch_flush(r, w, target);
}

/* All that was accessed under it is complete. Nobody waits until the lock is back. */
static void give_lock(struct rank *r, struct mpi_window *w, int target)
{
    uint32_t *lock = map_find(&w->locks, (uint64_t)target);
    if (*lock != LOCK_UNCHECKED)
        call_lock(r, w, target, ACCESS_UNLOCK, *lock == LOCK_EXCLUSIVE);
    map_drop(&w->locks, lock);
}

int epoch_check(struct rank *r, struct mpi_window *w, int target)
{
    const struct comm *c = w->comm;
    TRY_MPI(check_target(r, w, target));
    bool locked = map_find(&w->locks, (uint64_t)target);
    w->used = true;
    switch (w->epoch) {
    case EPOCH_NONE:
        return out_of_place(r, w, "no epoch has begun, by MPI_Win_fence, _start or _lock");
    case EPOCH_START:
        return group_rank(w->started, group_at(c->group, (uint32_t)target)) != GROUP_NOBODY
                   ? MPI_SUCCESS
                   : error_raise(r, w->comm, MPI_ERR_RMA_SYNC,
                                 "rank %d is not in the group of MPI_Win_start", target);
    case EPOCH_LOCKS:
        return locked ? MPI_SUCCESS
                      : error_raise(r, w->comm, MPI_ERR_RMA_SYNC, "rank %d is not locked", target);
    case EPOCH_LOCK_ALL:
        return locked ? MPI_SUCCESS
                      : take_lock(r, w, target, w->unchecked ? LOCK_UNCHECKED : LOCK_SHARED);
    default:
        return MPI_SUCCESS;
    }
}

int mpi_Win_lock(struct rank *r, int type, int rank, int assertion, struct mpi_window *w)
{
    TRY_MPI(check_assertion(r, w, assertion));
    if (type != MPI_LOCK_SHARED && type != MPI_LOCK_EXCLUSIVE)
        return error_raise(r, w->comm, MPI_ERR_LOCKTYPE, "the kind of lock is %d", type);
    if (w->epoch != EPOCH_LOCKS)
        TRY_MPI(check_no_access(r, w));
    if (rank != MPI_PROC_NULL)
        TRY_MPI(check_target(r, w, rank));
    if (rank != MPI_PROC_NULL && map_find(&w->locks, (uint64_t)rank))
        return error_raise(r, w->comm, MPI_ERR_RMA_SYNC, "rank %d is locked already", rank);
    w->epoch = EPOCH_LOCKS;
    w->lock_calls++;
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return take_lock(r, w, rank,
                     assertion & MPI_MODE_NOCHECK ? LOCK_UNCHECKED
                     : type == MPI_LOCK_EXCLUSIVE ? LOCK_EXCLUSIVE
                                                  : LOCK_SHARED);
}

int mpi_Win_unlock(struct rank *r, int rank, struct mpi_window *w)
{
    if (w->epoch != EPOCH_LOCKS || (rank == MPI_PROC_NULL && w->lock_calls == w->locks.count) ||
        (rank >= 0 && !map_find(&w->locks, (uint64_t)rank)))
        return error_raise(r, w->comm, MPI_ERR_RMA_SYNC, "rank %d is not locked", rank);
    if (rank != MPI_PROC_NULL) {
        TRY_MPI(check_target(r, w, rank));
        TRY_MPI(epoch_flush(r, w, rank));
        give_lock(r, w, rank);
    }
    if (--w->lock_calls == 0)
        w->epoch = EPOCH_NONE;
    return MPI_SUCCESS;
}

int mpi_Win_lock_all(struct rank *r, int assertion, struct mpi_window *w)
{
    TRY_MPI(check_assertion(r, w, assertion));
    TRY_MPI(check_no_access(r, w));
    w->epoch = EPOCH_LOCK_ALL;
    w->unchecked = assertion & MPI_MODE_NOCHECK;
    return MPI_SUCCESS;
}

int mpi_Win_unlock_all(struct rank *r, struct mpi_window *w)
{
    if (w->epoch != EPOCH_LOCK_ALL)
        return out_of_place(r, w, "MPI_Win_lock_all was not called");
    TRY_MPI(epoch_flush(r, w, MPI_ANY_SOURCE));
    for (uint32_t i = 0; w->locks.count; i++)
        if (map_find(&w->locks, i))
            give_lock(r, w, (int)i);
    w->epoch = EPOCH_NONE;
    return MPI_SUCCESS;
}

/* ---- completion within an epoch ---- */

static int check_passive(struct rank *r, struct mpi_window *w, int rank)
{
    bool locked = rank < 0 || map_find(&w->locks, (uint64_t)rank);
    if (w->epoch == EPOCH_LOCK_ALL || (w->epoch == EPOCH_LOCKS && locked))
        return MPI_SUCCESS;
    return w->epoch == EPOCH_LOCKS
               ? error_raise(r, w->comm, MPI_ERR_RMA_SYNC, "rank %d is not locked", rank)
               : out_of_place(r, w, "nobody is locked");
}

int window_flush(struct rank *r, int rank, struct mpi_window *w)
{
    TRY_MPI(check_passive(r, w, rank));
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (rank != MPI_ANY_SOURCE)
        TRY_MPI(check_target(r, w, rank));
    return epoch_flush(r, w, rank);
}

/* Memory is one; what has come is handled. */
int mpi_Win_sync(struct rank *r, struct mpi_window *w)
{
    (void)w;
    request_progress(r, true);
    return MPI_SUCCESS;
}
