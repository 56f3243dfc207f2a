/* Records as calls. */
#include "trace/mpi_replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/object/request.h"

/* A communicator of the recording, at one rank. Messages name ranks of MPI_COMM_WORLD: they go over
 * one that has its context, and all processes. */
struct replay_comm {
    struct comm *messages, *operations;
};

/* A request, and the sizes of its operation. */
struct replay_request {
    struct mpi_request *request; /* of a message */
    MPI_Request handle;          /* of an operation */
    int *counts;
};

struct replay {
    struct rank *r;
    const struct recording *from;
    struct record_reader in;
    struct record e;
    enum record_by by; /* what sort of call it is in */
    double cycles;     /* per operation of the recording */
    double cycles_per_second;
    struct map comms;         /* number: index in */
    struct replay_comm *comm; /* of this rank */
    uint32_t comm_count, comm_room;
    struct replay_request *slot;
    uint32_t slots;
    struct mpi_request **waits;
    uint32_t wait_room;
    struct type *bytes, *strided; /* strided: each with a gap behind it */
    MPI_Op own, ordered;
    int *counts;     /* of elements, of the members of the operation at hand, until it is over */
    const int *none; /* displacements: all are 0 */
};

/* ---- communicators ---- */

static const struct group *group_of_side(struct replay *p, uint32_t number, unsigned side)
{
    const struct recording_side *s = &recording_comm(p->from, number)->side[side];
    return s->members ? group_of_list(p->r->world->groups, s->member, s->members) : NULL;
}

static void make_comm(struct replay *p)
{
    uint32_t number = p->e.comm;
    /* Contexts are numbered as communicators are, which all ranks number alike. */
    uint32_t context = CONTEXT_FIRST + 2 * (number - COMM_FIRST);
    if (*map_add(&p->comms, number, p->comm_count) < p->comm_count)
        return;
    const struct group *everybody = group_hold(p->r->world->everybody),
                       *group = group_of_side(p, number, 0), *other = group_of_side(p, number, 1);
    /* Of two sides, this rank's comes first. */
    bool swapped = other && group_rank(group, p->r->task->rank) == GROUP_NOBODY;
    *LIST_ADD(p->comm, p->comm_count, p->comm_room) =
        (struct replay_comm){.messages = comm_new(p->r, context, everybody, NULL, false),
                             .operations = comm_new(p->r, context, swapped ? other : group,
                                                    swapped ? group : other, true)};
}

static const struct replay_comm *find_made(struct replay *p)
{
    const uint32_t *index = map_find(&p->comms, p->e.comm);
    if (!index)
        error_fatal(p->r, "the trace has not made this rank a member of the communicator");
    return &p->comm[*index];
}

/* Where peers have the numbers of the communicator's own members. */
static struct comm *comm_of_peers(struct replay *p, int32_t peer)
{
    struct comm *c = find_made(p)->operations;
    if (peer >= (int32_t)c->group->size)
        error_fatal(p->r, "rank %d, of a communicator with %u", peer, c->group->size);
    return c;
}

/* ---- messages ---- */

static bool is_receive(const struct record *e)
{
    return e->kind == RECORD_RECEIVE || e->kind == RECORD_START_RECEIVE || e->kind == RECORD_PROBE;
}

static struct mpi_message message_of(struct replay *p)
{
    const struct record *e = &p->e;
    bool receives = is_receive(e);
    struct mpi_message m = {.data = {place_apart(receives ? PLACE_IN : PLACE_OUT),
                                     (int64_t)e->bytes,
                                     e->flags & RECORD_STRIDED ? p->strided : p->bytes},
                            .comm = e->comm == COMM_SELF    ? p->r->self
                                    : e->comm == COMM_WORLD ? p->r->everybody
                                                            : find_made(p)->messages,
                            .peer = e->comm == COMM_SELF ? 0 : e->peer,
                            .tag = (int)e->tag,
                            .mode = (enum send_mode)e->mode,
                            .of_operation = p->by != BY_ITSELF};
    if (e->flags & RECORD_LOCAL)
        m.comm = comm_of_peers(p, e->peer);
    if (e->peer == PEER_ANY)
        m.peer = MPI_ANY_SOURCE;
    if (receives && e->tag == TAG_ANY)
        m.tag = MPI_ANY_TAG;
    if (e->bytes == BYTES_UNKNOWN)
        m.data.count = INT64_MAX;
    return m;
}

static void do_message(struct replay *p)
{
    struct mpi_message m = message_of(p);
    struct mpi_request q, *one = &q;
    request_init(&q, is_receive(&p->e) ? REQUEST_RECEIVE : REQUEST_SEND, &m);
    request_start(p->r, &q);
    request_wait_all(p->r, &one, 1);
    result_raise(p->r, q.message.comm, &q.result);
    request_fini(p->r, &q);
}

static struct replay_request *slot_at(struct replay *p, uint32_t slot)
{
    LIST_ZERO(p->slot, slot + 1, p->slots);
    return &p->slot[slot];
}

/* A request that the trace has started, and does not wait for, ends by itself. */
static struct replay_request *free_slot(struct replay *p, uint32_t slot)
{
    struct replay_request *s = slot_at(p, slot);
    if (s->request)
        request_leave(p->r, s->request);
    *s = (struct replay_request){.request = NULL};
    return s;
}

static void start_message(struct replay *p)
{
    struct mpi_message m = message_of(p);
    enum request_kind kind = is_receive(&p->e) ? REQUEST_RECEIVE : REQUEST_SEND;
    struct mpi_request *q = request_new(p->r, kind, &m);
    request_start(p->r, q);
    free_slot(p, p->e.slot)->request = q;
}

/* ---- waiting ---- */

static struct mpi_request *request_of(struct replay *p, const struct replay_request *s)
{
    return s->request ? s->request
                      : handle_object(&p->r->handles, HANDLE_REQUEST, (uintptr_t)s->handle);
}

static void end_slot(struct replay *p, uint32_t slot)
{
    struct replay_request *s = &p->slot[slot];
    struct mpi_request *q = request_of(p, s);
    if (q) {
        result_raise(p->r, q->message.comm, &q->result);
        request_drop(p->r, q);
    }
    free(s->counts);
    *s = (struct replay_request){.request = NULL};
}

static void wait_for(struct replay *p)
{
    uint32_t count = p->e.listed;
    LIST_RESERVE(p->waits, count, p->wait_room);
    for (uint32_t i = 0; i < count; i++)
        p->waits[i] = request_of(p, slot_at(p, (uint32_t)p->e.list[i]));
    request_wait_all(p->r, p->waits, count);
    for (uint32_t i = 0; i < count; i++)
        end_slot(p, (uint32_t)p->e.list[i]);
}

static void test(struct replay *p)
{
    struct replay_request *s = slot_at(p, p->e.slot);
    struct mpi_request *q = request_of(p, s);
    if (!q)
        return;
    request_progress(p->r, true);
    if (request_is_over(p->r, q))
        end_slot(p, p->e.slot);
}

static void cancel(struct replay *p)
{
    struct mpi_request *q = request_of(p, slot_at(p, p->e.slot));
    if (q && q->kind == REQUEST_RECEIVE)
        request_cancel(p->r, q);
}

/* The message stays where it is. */
static void probe(struct replay *p)
{
    bool wait = !(p->e.flags & RECORD_LATER);
    p->e.bytes = 0;
    struct mpi_message m = message_of(p);
    MPI_Comm comm = (MPI_Comm)m.comm->handle;
    int flag;
    if (wait)
        call_Probe(m.peer, m.tag, comm, MPI_STATUS_IGNORE);
    else
        call_Iprobe(m.peer, m.tag, comm, &flag, MPI_STATUS_IGNORE);
}

/* ---- collective operations ---- */

/* Elements of several basic ones, or with gaps, are types of their own; they go with the handle. */
struct element {
    MPI_Datatype handle;
    struct type *made; /* NULL: it is predefined */
    int64_t bytes;
};

static struct element open_element(struct replay *p)
{
    struct type *basic = basics_find(p->e.type), *t = basic ? basic : p->bytes, *made = NULL;
    int64_t more = p->e.element ? p->e.element / t->size : 1;
    if (p->e.flags & RECORD_STRIDED)
        made = type_resized(t, 0, more * t->extent + 1);
    else if (more > 1)
        made = type_regular(t, 1, more, 0);
    if (!made)
        return (struct element){(MPI_Datatype)t->handle, NULL, t->size};
    made->committed = true;
    return (struct element){give_type(p->r, made), made, made->size};
}

static void close_element(struct replay *p, const struct element *e)
{
    if (!e->made)
        return;
    handle_drop(&p->r->handles, e->made->handle);
    type_release(e->made);
}

static struct buffer_arguments side_of(const struct replay *p, const struct element *el,
                                       const void *at, uint64_t bytes, const int *counts)
{
    return (struct buffer_arguments){.at = at,
                                     .count = (int64_t)(bytes / (uint64_t)el->bytes),
                                     .type = el->handle,
                                     .counts.small = counts,
                                     .displs.small = p->none};
}

/* Sizes of members that are alike, or of this one; or of all members: of both sides, one after the
 * other, or of one. */
static void fill_sides(struct replay *p, const struct collective_kind *kind,
                       const struct element *el, struct collective_arguments *a)
{
    const struct record *e = &p->e;
    uint64_t in = kind->out && !kind->combines ? e->other : e->bytes;
    uint32_t n = recording_members(p->from, e->comm, 0), skipped = 0;
    if (record_is_listed(kind)) {
        skipped = layout_is_listed(kind->out) ? n : 0;
        uint32_t sides = skipped && layout_is_listed(kind->in) ? 2 : 1;
        /* The trace may have been read before it was known who the members are. */
        if (e->listed != sides * n)
            error_fatal(p->r, "it has %u sizes, and the communicator %u members", e->listed / sides,
                        n);
        p->counts = memory_alloc(e->listed + 1, sizeof(*p->counts));
        for (uint32_t i = 0; i < e->listed; i++)
            p->counts[i] = (int)(e->list[i] / (uint64_t)el->bytes);
        in = kind->out == LAYOUT_VECTOR ? e->list[0] : e->bytes;
    }
    a->out = side_of(p, el, a->out.at, e->bytes, p->counts);
    a->in = side_of(p, el, a->in.at, in, p->counts ? p->counts + skipped : NULL);
}

static enum call call_of_operation(const struct record *e)
{
    const struct collective_kind *kind = record_collective(e);
    return e->flags & RECORD_LATER ? kind->nonblocking : kind->call;
}

static void do_operation(struct replay *p)
{
    const struct record *e = &p->e;
    const struct collective_kind *kind = record_collective(e);
    bool later = e->flags & RECORD_LATER, in_place = e->flags & RECORD_IN_PLACE;
    bool scatters = kind->root == ROOT_SENDS;
    uint32_t slot = e->slot;
    MPI_Request handle = MPI_REQUEST_NULL;
    struct element el = open_element(p);
    struct collective_arguments a = {
        .out.at = in_place && kind->out && !scatters ? MPI_IN_PLACE : place_apart(PLACE_OUT),
        .in.at = in_place && scatters ? MPI_IN_PLACE : place_apart(PLACE_IN),
        .op = e->op == RECORD_OP_OWN       ? p->own
              : e->op == RECORD_OP_ORDERED ? p->ordered
                                           : (MPI_Op)(uintptr_t)e->op,
        .root = e->peer,
        .comm = e->comm == COMM_WORLD  ? MPI_COMM_WORLD
                : e->comm == COMM_SELF ? MPI_COMM_SELF
                                       : (MPI_Comm)find_made(p)->operations->handle,
        .request = later ? &handle : NULL};
    p->counts = NULL;
    fill_sides(p, kind, &el, &a);
    collective_call(call_of_operation(e), &a);
    close_element(p, &el);
    if (!later) {
        free(p->counts);
        return;
    }
    struct replay_request *s = free_slot(p, slot);
    s->handle = handle;
    s->counts = p->counts;
}

/* ---- calls ---- */

static void poll(struct replay *p)
{
    request_progress(p->r, true);
}

static void copy(struct replay *p)
{
    (p->e.kind == RECORD_COPY ? rank_copy : rank_combine)(p->r, (uint64_t)p->e.amount);
}

static void compute(struct replay *p)
{
    double per = p->e.kind == RECORD_SLEEP ? p->cycles_per_second : p->cycles;
    (p->e.flags & RECORD_CALLS ? rank_owe : rank_compute)(p->r, p->e.amount * per);
}

/* What records do, and in which call, unless they say it themselves; CALLS: in none. Communicators
 * appear without a call: those that made them are messages. */
static const struct {
    void (*act)(struct replay *p);
    enum call call;
} acts[RECORD_KINDS] = {
    [RECORD_COMPUTE] = {compute, CALLS},
    [RECORD_SLEEP] = {compute, CALLS},
    [RECORD_SEND] = {do_message, CALL_Send},
    [RECORD_RECEIVE] = {do_message, CALL_Recv},
    [RECORD_START_SEND] = {start_message, CALL_Isend},
    [RECORD_START_RECEIVE] = {start_message, CALL_Irecv},
    [RECORD_WAIT] = {wait_for, CALL_Waitall},
    [RECORD_TEST] = {test, CALL_Test},
    [RECORD_OPERATION] = {do_operation, CALLS},
    [RECORD_COMM] = {make_comm, CALLS},
    [RECORD_PROBE] = {probe, CALL_Probe},
    [RECORD_POLL] = {poll, CALL_Test},
    [RECORD_COPY] = {copy, CALL_Comm_split},
    [RECORD_COMBINE] = {copy, CALL_Comm_split},
    [RECORD_CANCEL] = {cancel, CALL_Cancel},
};

/* The call that a record is, or begins; CALLS: it is none. */
static enum call call_of(const struct record *e)
{
    if (e->by)
        return e->by == BY_COLLECTIVE ? CALL_Neighbor_alltoall : CALL_Comm_split;
    if (e->kind == RECORD_OPERATION)
        return call_of_operation(e);
    if (e->kind == RECORD_SEND || e->kind == RECORD_START_SEND)
        return send_call((enum send_mode)e->mode, e->kind == RECORD_START_SEND);
    if (e->kind == RECORD_WAIT && e->listed == 1)
        return CALL_Wait;
    return e->kind == RECORD_PROBE && (e->flags & RECORD_LATER) ? CALL_Iprobe : acts[e->kind].call;
}

/* A call, with all records of it; those that come after its first one cost no call. */
static void do_call(struct replay *p, enum call call)
{
    call_begin(call);
    p->by = (enum record_by)p->e.by;
    do {
        acts[p->e.kind].act(p);
        record_next(&p->in, &p->e);
    } while (p->e.kind != RECORD_END && (p->e.flags & RECORD_MORE));
    call_end(p->r, MPI_SUCCESS);
}

/* ---- life ---- */

static MPI_Op new_op(struct rank *r, bool commutes)
{
    struct op *op = memory_alloc(1, sizeof(*op));
    *op = (struct op){.holders = 1, .commutes = commutes};
    op->handle = handle_new(&r->handles, HANDLE_OP, op);
    return (MPI_Op)op->handle;
}

static void open_replay(struct replay *p, const struct mpi_replay *all, struct rank *r)
{
    *p = (struct replay){.r = r, .from = all->recording, .none = all->none};
    p->cycles_per_second = all->factor * r->task->clock_hz;
    p->cycles = all->rate > 0 ? p->cycles_per_second / all->rate : all->factor;
    p->bytes = basics_find((unsigned)(uintptr_t)MPI_BYTE);
    p->strided = type_resized(p->bytes, 0, 2);
    p->own = new_op(r, true);
    p->ordered = new_op(r, false);
    r->buffer.bytes = UINT64_MAX / 2; /* as MPI_BUFFER_AUTOMATIC */
    record_open(&p->in, p->from, r->task->rank);
}

static void drop_op(struct rank *r, MPI_Op handle)
{
    struct op *op = handle_object(&r->handles, HANDLE_OP, (uintptr_t)handle);
    handle_drop(&r->handles, op->handle);
    op_release(op);
}

static void close_replay(struct replay *p)
{
    record_close(&p->in);
    drop_op(p->r, p->own);
    drop_op(p->r, p->ordered);
    type_release(p->strided);
    map_fini(&p->comms);
    free(p->comm);
    free(p->slot);
    free(p->waits);
}

/* All that a rank has done, from MPI_Init() to MPI_Finalize(). */
static void replay_rank(struct rank *r, const void *arg)
{
    struct replay p;
    call_Init(NULL, NULL);
    open_replay(&p, arg, r);
    for (record_next(&p.in, &p.e); p.e.kind != RECORD_END;) {
        enum call call = call_of(&p.e);
        if (call != CALLS) {
            do_call(&p, call);
            continue;
        }
        acts[p.e.kind].act(&p);
        record_next(&p.in, &p.e);
    }
    for (uint32_t i = 0; i < p.slots; i++)
        free_slot(&p, i);
    call_Finalize();
    close_replay(&p);
}

struct mpi_replay *mpi_replay_create(struct recording *recording, double rate, double factor)
{
    struct mpi_replay *all = memory_alloc(1, sizeof(*all));
    *all = (struct mpi_replay){.recording = recording,
                               .rate = rate,
                               .factor = factor,
                               .none = memory_alloc(recording->ranks, sizeof(*all->none))};
    all->body =
        (struct world_body){.run = replay_rank, .arg = all, .nonblocking = recording->nonblocking};
    return all;
}

void mpi_replay_destroy(struct mpi_replay *all)
{
    if (!all)
        return;
    recording_destroy(all->recording);
    free(all->none);
    free(all);
}
