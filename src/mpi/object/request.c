/* Starting, and waiting for, what is under way. */
#include "mpi/object/request.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/collective/series.h"
#include "mpi/object/file.h"
#include "mpi/object/session.h"
#include "mpi/object/window.h"
#include "mpi/object/signature.h"
#include "mpi/observe/record.h"

/* ---- data ---- */

/* A collective operation that is started again and again. */
struct repeated {
    const struct collective_kind *kind;
    struct operands o;
    uint32_t number; /* the communicator's, in the order in which such requests are made */
};

static void gather(void *block, unsigned char *to)
{
    block_pack(block, block_length(block), to);
}

static void scatter(void *block, const unsigned char *from, uint64_t bytes)
{
    block_unpack(block, bytes, from);
}

struct task_parcel block_parcel(struct block *b, bool silent)
{
    return (struct task_parcel){.bytes = block_length(b),
                                .shape = b->type->dense ? SHAPE_LINES : SHAPE_STRIDED,
                                .gather = silent ? NULL : gather,
                                .scatter = silent ? NULL : scatter,
                                .signature = b->type->signature,
                                .arg = b};
}

/* ---- requests ---- */

void request_init(struct mpi_request *q, enum request_kind kind, const struct mpi_message *m)
{
    *q = (struct mpi_request){.kind = kind};
    if (m)
        q->message = *m;
    if (q->message.data.type)
        type_hold(q->message.data.type);
    if (q->message.comm)
        comm_hold(q->message.comm);
}

/* A rank keeps some requests for the next ones: few programs have more under way at a time. */
enum { SPARE_MOST = 32 };

struct mpi_request *request_new(struct rank *r, enum request_kind kind, const struct mpi_message *m)
{
    struct mpi_request *q = r->spare;
    if (q) {
        r->spare = q->next;
        r->spares--;
    } else {
        q = memory_alloc(1, sizeof(*q));
    }
    request_init(q, kind, m);
    return q;
}

static void give_back(struct rank *r, struct mpi_request *q)
{
    if (r->spares == SPARE_MOST) {
        free(q);
        return;
    }
    q->next = r->spare;
    r->spare = q;
    r->spares++;
}

void requests_fini(struct rank *r)
{
    for (struct mpi_request *q; (q = r->spare);) {
        r->spare = q->next;
        free(q);
    }
    free(r->waiting.id);
}

void request_fini(struct rank *r, struct mpi_request *q)
{
    if (q->handle)
        handle_drop(&r->handles, q->handle);
    type_release(q->message.data.type);
    comm_release(r, q->message.comm);
    if (q->partitions)
        free(q->partitions->is_ready);
    free(q->partitions);
    if (q->repeated)
        operands_release(&q->repeated->o);
    free(q->repeated);
    if (q->kind == REQUEST_SERIES) {
        if (q->series)
            series_drop(r, q->series);
    } else if (q->kind == REQUEST_MATCHED) {
        comm_release(r, q->matched->comm);
        free(q->matched->data);
        free(q->matched);
    } else if (q->kind == REQUEST_FILE) {
        access_drop(q->access);
    } else if (q->kind == REQUEST_GENERAL) {
        free(q->general);
    } else if (q->kind == REQUEST_ACCESS) {
        access_release(q->window_access);
    } else if (q->kind == REQUEST_BOTH) {
        request_drop(r, q->half[0]);
        request_drop(r, q->half[1]);
    }
}

void request_drop(struct rank *r, struct mpi_request *q)
{
    request_fini(r, q);
    give_back(r, q);
}

MPI_Request request_give(struct rank *r, struct mpi_request *q)
{
    q->handle = handle_new(&r->handles, HANDLE_REQUEST, q);
    return (MPI_Request)q->handle;
}

/* ---- starting ---- */

struct task_address message_address(const struct comm *c, int peer, int tag)
{
    return (struct task_address){
        .context = c->context,
        .peer = peer == MPI_ANY_SOURCE ? WEFT_ANY : group_at(comm_peer_group(c), (uint32_t)peer),
        .tag = tag == MPI_ANY_TAG ? WEFT_ANY : (uint32_t)tag};
}

static struct task_address address_of(const struct mpi_request *q)
{
    const struct mpi_message *m = &q->message;
    struct task_address address = message_address(m->comm, m->peer, m->tag);
    if (q->partitions)
        address.context = q->partitions->context;
    return address;
}

static void note_start(struct rank *r, struct mpi_request *q)
{
    struct mpi_message m = q->message;
    r->message_peer = m.peer;
    r->message_bytes = block_length(&m.data);
    if (q->buffered)
        m.mode = SEND_BUFFERED;
    q->entry = record_start(r, q->kind == REQUEST_RECEIVE, &m);
}

static void start_send(struct rank *r, struct mpi_request *q)
{
    struct task_address address = address_of(q);
    struct task_parcel parcel = block_parcel(&q->message.data, rank_is_silent(r));
    if (q->message.mode == SEND_SYNCHRONOUS)
        parcel.shape |= SHAPE_SYNCHRONOUS;
    if (q->message.of_operation)
        rank_note_sent(r, address.peer, USE_COLLECTIVE, parcel.bytes);
    else
        rank_note_message(r, address.peer, parcel.bytes);
    note_start(r, q);
    rank_pay_send(r, parcel.bytes, parcel.shape);
    q->task = task_send_parcel(r->task, &address, &parcel);
}

static void start_receive(struct rank *r, struct mpi_request *q)
{
    struct task_address address = address_of(q);
    struct task_parcel parcel = block_parcel(&q->message.data, rank_is_silent(r));
    note_start(r, q);
    rank_pay_receive(r);
    q->task = task_receive_parcel(r->task, &address, &parcel);
}

/* The communicator's, its session's or the rank's. */
static struct send_buffer *buffer_of(struct rank *r, const struct comm *c)
{
    if (c->buffer.bytes)
        return (struct send_buffer *)&c->buffer;
    return c->session && c->session->buffer.bytes ? &c->session->buffer : &r->buffer;
}

/* A message goes into the program's buffer, and leaves from there: for the program it is over. */
static int start_buffered(struct rank *r, struct mpi_request *q)
{
    struct send_buffer *b = buffer_of(r, q->message.comm);
    uint64_t bytes = block_length(&q->message.data), needed = bytes + MPI_BSEND_OVERHEAD;
    request_progress(r, false);
    if (b->used + needed > b->bytes)
        return error_raise(
            r, q->message.comm, MPI_ERR_BUFFER,
            "%llu bytes and MPI_BSEND_OVERHEAD do not fit into the buffer, which has "
            "%llu bytes left",
            (unsigned long long)bytes, (unsigned long long)(b->bytes - b->used));
    struct mpi_request *copy = request_new(r, REQUEST_SEND, &q->message);
    copy->message.mode = SEND_STANDARD;
    copy->active = true;
    copy->buffered = needed;
    copy->buffer = b;
    b->used += needed;
    task_work_through(r->task, bytes);
    start_send(r, copy);
    copy->next = r->buffered;
    r->buffered = copy;
    q->over = true;
    return MPI_SUCCESS;
}

/* The operation once more. */
static void start_repeated(struct rank *r, struct mpi_request *q)
{
    const struct collective_kind *kind = q->repeated->kind;
    if (q->series)
        series_drop(r, q->series);
    q->series = series_new(r, q->message.comm, kind->nonblocking, &q->repeated->o);
    series_again(q->series, q->repeated->number);
    kind->start(q->series);
}

/* What is not ready leaves later. */
static bool is_ready(const struct mpi_request *q)
{
    return !q->partitions || q->partitions->ready == q->partitions->count;
}

int request_start(struct rank *r, struct mpi_request *q)
{
    int error = MPI_SUCCESS;
    q->active = true;
    q->over = q->kind == REQUEST_NOTHING;
    if (q->repeated)
        start_repeated(r, q);
    if (q->partitions && q->partitions->is_ready) {
        memset(q->partitions->is_ready, 0, (size_t)q->partitions->count);
        q->partitions->ready = 0;
    }
    q->result = (struct result){.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG};
    if (q->kind == REQUEST_SEND && q->message.mode == SEND_BUFFERED)
        error = start_buffered(r, q);
    else if (q->kind == REQUEST_SEND && is_ready(q))
        start_send(r, q);
    else if (q->kind == REQUEST_RECEIVE)
        start_receive(r, q);
    else if (q->kind == REQUEST_SERIES)
        series_start(r, q->series);
    else if (q->kind == REQUEST_BOTH)
        error = request_start(r, q->half[0]) | request_start(r, q->half[1]);
    if (error)
        q->active = false;
    return error;
}

void request_ready(struct rank *r, struct mpi_request *q, int partition)
{
    q->partitions->is_ready[partition] = true;
    q->partitions->ready++;
    if (q->kind == REQUEST_SEND && is_ready(q))
        start_send(r, q);
}

void request_leave(struct rank *r, struct mpi_request *q)
{
    if (q->handle)
        handle_drop(&r->handles, q->handle);
    q->handle = 0;
    q->next = r->freed;
    r->freed = q;
}

/* ---- the end ---- */

static void note_receive(struct rank *r, struct mpi_request *q, const struct task_outcome *o,
                         struct comm *c, uint64_t room)
{
    const struct type *t = q->message.data.type;
    q->result.source = (int)group_rank(comm_peer_group(c), o->source);
    q->result.tag = (int)o->tag;
    q->result.bytes = o->bytes;
    q->result.cancelled = o->cancelled;
    if (o->bytes > room) {
        q->result.bytes = room;
        q->result.error = MPI_ERR_TRUNCATE;
    } else if (o->signature != t->signature &&
               rank_tells_apart(r, o->signature, t->signature, o->bytes)) {
        q->result.error = MPI_ERR_TYPE;
        q->result.sent = o->signature;
        q->result.expected = t->signature;
    }
}

/* Takes over what the message layer says of a send or receive. */
static void finish_message(struct rank *r, struct mpi_request *q)
{
    struct task_outcome o;
    task_end(r->task, q->task, &o);
    q->over = true;
    record_end(r, q->entry, q->message.comm, q->kind == REQUEST_SEND ? NULL : &o);
    if (q->kind == REQUEST_SEND)
        return;
    task_owe(r->task, r->world->o.cost.finish_cycles);
    note_receive(r, q, &o, q->message.comm, block_length(&q->message.data));
}

/* A message that was probed for has come: its data go where the program wants them. */
static void finish_matched(struct rank *r, struct mpi_request *q)
{
    const struct matched *m = q->matched;
    uint64_t room = block_length(&q->message.data), bytes = m->bytes < room ? m->bytes : room;
    task_end(r->task, m->task, NULL);
    q->over = true;
    record_match(r, true, m->comm, &m->outcome);
    rank_copy(r, bytes);
    task_owe(r->task, r->world->o.cost.finish_cycles);
    block_unpack(&q->message.data, bytes, m->data);
    note_receive(r, q, &m->outcome, m->comm, room);
}

static void reap(struct rank *r, struct mpi_request **link);

/* A message that is sent from a buffer (NULL: from any); NULL: there is none. */
static struct mpi_request *find_buffered(struct rank *r, const struct send_buffer *b)
{
    struct mpi_request *q = r->buffered;
    while (q && b && q->buffer != b)
        q = q->next;
    return q;
}

/* An access has two requests if the program waits for it, too. */
static void look_at_access(struct rank *r, struct mpi_request *q)
{
    struct window_access *a = q->window_access;
    struct task_outcome o;
    if (!a->over && task_is_over(r->task, a->task)) {
        task_end(r->task, a->task, &o);
        task_owe(r->task, r->world->o.cost.finish_cycles);
        a->over = true;
        a->error = (int)o.tag;
    }
    q->over = a->over;
    q->result.error = a->error;
}

/* What was read goes where the program wants it. */
static void finish_access(struct rank *r, struct mpi_request *q)
{
    struct access *a = q->access;
    struct block *b = &q->message.data;
    q->over = true;
    q->result.bytes = a->done;
    q->result.error = file_class(a->error);
    q->result.file = a->owner;
    if (a->kind != ACCESS_READ)
        return;
    if (a->view.external)
        type_convert_data(b->type, b->count, a->data, a->data, false);
    if (!b->type->dense)
        rank_copy(r, a->done);
    block_unpack(b, a->done, a->data);
}

bool request_is_over(struct rank *r, struct mpi_request *q)
{
    if (!q || !q->active || q->over)
        return true;
    if (q->kind == REQUEST_SEND || q->kind == REQUEST_RECEIVE) {
        if (is_ready(q) && task_is_over(r->task, q->task))
            finish_message(r, q);
    } else if (q->kind == REQUEST_FLUSH) {
        reap(r, &r->buffered);
        q->over = !find_buffered(r, q->buffer);
    } else if (q->kind == REQUEST_MATCHED) {
        if (task_is_over(r->task, q->matched->task))
            finish_matched(r, q);
    } else if (q->kind == REQUEST_FILE) {
        if (access_is_over(r, q->access))
            finish_access(r, q);
    } else if (q->kind == REQUEST_SERIES) {
        q->over = q->series->over;
        if (q->over && !q->series->as_messages)
            record_operation_end(r, q->series->call, q->series->number);
        q->result.error = q->series->error;
    } else if (q->kind == REQUEST_ACCESS) {
        look_at_access(r, q);
    } else if (q->kind == REQUEST_BOTH) {
        bool first = request_is_over(r, q->half[0]), second = request_is_over(r, q->half[1]);
        q->over = first && second;
        if (q->over)
            q->result = q->half[1]->result;
    }
    return q->over;
}

static void drop_ended(struct rank *r, struct mpi_request *q)
{
    if (q->buffer)
        q->buffer->used -= q->buffered;
    request_drop(r, q);
}

/* Drops those of a list that are over. */
static void reap(struct rank *r, struct mpi_request **link)
{
    for (struct mpi_request *q; (q = *link);) {
        if (!request_is_over(r, q)) {
            link = &q->next;
            continue;
        }
        *link = q->next;
        drop_ended(r, q);
    }
}

void request_progress(struct rank *r, bool look)
{
    if (look) {
        record_poll(r);
        task_poll(r->task);
    }
    if (r->series)
        series_progress(r);
    if (r->freed)
        reap(r, &r->freed);
    if (r->buffered)
        reap(r, &r->buffered);
}

/* ---- waiting ---- */

/* Several may wait for the same message. */
static void add_once(struct rank *r, weft_request id)
{
    size_t i = 0;
    while (i < r->waiting.count && r->waiting.id[i] != id)
        i++;
    if (i == r->waiting.count)
        rank_add_waiting(r, id);
}

static void add_waiting(struct rank *r, struct mpi_request *q)
{
    if (request_is_over(r, q))
        return;
    if (q->kind == REQUEST_SEND && !is_ready(q))
        error_fatal(r, "it waits for a message of whose partitions only %d of %d are ready",
                    q->partitions->ready, q->partitions->count);
    if (q->kind == REQUEST_SEND || q->kind == REQUEST_RECEIVE)
        rank_add_waiting(r, q->task);
    else if (q->kind == REQUEST_FLUSH)
        add_once(r, find_buffered(r, q->buffer)->task);
    else if (q->kind == REQUEST_MATCHED)
        rank_add_waiting(r, q->matched->task);
    else if (q->kind == REQUEST_ACCESS)
        rank_add_waiting(r, q->window_access->task);
    else if (q->kind == REQUEST_BOTH)
        for (unsigned i = 0; i < 2; i++)
            add_waiting(r, q->half[i]);
}

/* When to look at accesses to files again; 0: there are none. */
static fine_t next_look(struct rank *r, struct mpi_request **q, size_t count)
{
    fine_t first = 0;
    for (size_t i = 0; i < count; i++) {
        if (!q[i] || q[i]->kind != REQUEST_FILE || request_is_over(r, q[i]))
            continue;
        fine_t look = access_look(r, q[i]->access);
        first = !first || look < first ? look : first;
    }
    return first;
}

static bool are_over(struct rank *r, struct mpi_request **q, size_t count, bool all)
{
    size_t over = 0, active = 0;
    for (size_t i = 0; i < count; i++) {
        active += q[i] && q[i]->active;
        over += q[i] && q[i]->active && request_is_over(r, q[i]);
    }
    return all ? over == active : over || !active;
}

static void wait_until(struct rank *r, struct mpi_request **q, size_t count, bool all)
{
    r->waits = q;
    r->wait_count = count;
    while (!are_over(r, q, count, all)) {
        r->waiting.count = 0;
        for (size_t i = 0; i < count; i++)
            add_waiting(r, q[i]);
        /* Messages of one series, or of no series, can be waited for together. */
        bool together = r->series ? !r->series->next && !r->waiting.count : all;
        for (struct series *s = r->series; s; s = s->next)
            series_add_waiting(r, s);
        fine_t look = next_look(r, q, count);
        if (!r->waiting.count && !look && are_over(r, q, count, all))
            break; /* time passes where a file is looked at */
        if (!r->waiting.count && !look)
            error_fatal(r, "it waits for a generalised request that nobody can complete");
        if (look)
            access_wait(r, r->waiting.id, r->waiting.count, look);
        else
            (together ? task_wait_all : task_wait_one)(r->task, r->waiting.id, r->waiting.count);
        request_progress(r, false);
    }
    r->waits = NULL;
}

void request_wait_all(struct rank *r, struct mpi_request **q, size_t count)
{
    wait_until(r, q, count, true);
}

void request_wait_one(struct rank *r, struct mpi_request **q, size_t count)
{
    wait_until(r, q, count, false);
}

/* Takes a request off a list, and waits for it: meanwhile others of the list may go. */
static void end_listed(struct rank *r, struct mpi_request **link)
{
    struct mpi_request *q = *link;
    *link = q->next;
    wait_until(r, &q, 1, true);
    drop_ended(r, q);
}

void request_drain(struct rank *r, const struct send_buffer *b)
{
    for (struct mpi_request **link = &r->buffered; *link;) {
        bool other = b && (*link)->buffer != b;
        if (!other)
            end_listed(r, link);
        link = other ? &(*link)->next : &r->buffered;
    }
}

void request_settle_files(struct rank *r, const struct file *f)
{
    for (struct mpi_request **link = &r->freed; *link;) {
        bool other = (*link)->kind != REQUEST_FILE || (f && (*link)->access->owner != f);
        if (!other)
            end_listed(r, link);
        link = other ? &(*link)->next : &r->freed;
    }
}

/* A send has left: it ends by itself, and for the program it is over. */
static void let_go(struct rank *r, struct mpi_request *q)
{
    struct mpi_request *rest = request_new(r, REQUEST_SEND, &q->message);
    rest->active = true;
    rest->task = q->task;
    rest->entry = q->entry;
    request_leave(r, rest);
    q->over = true;
}

void request_cancel(struct rank *r, struct mpi_request *q)
{
    if (!q->active || request_is_over(r, q))
        return;
    if (q->kind == REQUEST_RECEIVE)
        task_cancel(r->task, q->task);
    else if (q->kind == REQUEST_SEND && is_ready(q))
        let_go(r, q);
}

/* ---- results ---- */

/* Other values came than are received. */
static int raise_types(struct rank *r, struct comm *c, const struct result *result)
{
    char sent[SIGNATURE_TEXT], expected[SIGNATURE_TEXT];
    signature_describe(result->sent, sent);
    signature_describe(result->expected, expected);
    return error_raise(r, c, result->error,
                       "the message of rank %d with tag %d has %s, and %s are to be received",
                       result->source, result->tag, sent, expected);
}

int result_raise(struct rank *r, struct comm *c, const struct result *result)
{
    if (result->file)
        return error_pass_on_file(r, result->file, result->error);
    if (result->error == MPI_ERR_TYPE && result->sent)
        return raise_types(r, c, result);
    if (result->error != MPI_ERR_TRUNCATE || result->source < 0)
        return error_pass_on(r, c, result->error);
    return error_raise(r, c, result->error,
                       "the message of rank %d with tag %d is longer than the %llu bytes that "
                       "there is room for",
                       result->source, result->tag, (unsigned long long)result->bytes);
}

/* Of a status's hidden words: bytes, low and high half; whether it was cancelled. */
enum { LOW, HIGH, CANCELLED };

void result_to_status(const struct result *result, MPI_Status *status)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = result->source;
    status->MPI_TAG = result->tag;
    status->MPI_internal[LOW] = (int)(uint32_t)result->bytes;
    status->MPI_internal[HIGH] = (int)(uint32_t)(result->bytes >> 32);
    status->MPI_internal[CANCELLED] = result->cancelled;
}

struct result result_of_status(const MPI_Status *status)
{
    return (struct result){.source = status->MPI_SOURCE,
                           .tag = status->MPI_TAG,
                           .error = status->MPI_ERROR,
                           .bytes = (uint64_t)(uint32_t)status->MPI_internal[HIGH] << 32 |
                                    (uint32_t)status->MPI_internal[LOW],
                           .cancelled = status->MPI_internal[CANCELLED]};
}

/* ---- series as requests ---- */

int request_perform(struct rank *r, struct series *s, MPI_Request *request)
{
    struct mpi_request here, *q = &here;
    struct mpi_message on = {.comm = s->comm};
    if (request)
        q = memory_alloc(1, sizeof(*q));
    request_init(q, REQUEST_SERIES, &on);
    q->series = s;
    request_start(r, q);
    if (request) {
        *request = request_give(r, q);
        return MPI_SUCCESS;
    }
    request_wait_all(r, &q, 1);
    struct comm *c = comm_hold(s->comm);
    int error = error_pass_on(r, c, s->error);
    request_fini(r, q);
    comm_release(r, c);
    return error;
}

int request_repeat(struct rank *r, struct comm *c, const struct collective_kind *kind,
                   const struct operands *o, MPI_Request *request)
{
    struct mpi_message on = {.comm = c};
    struct mpi_request *q = request_new(r, REQUEST_SERIES, &on);
    struct series *first = series_new(r, c, kind->persistent, o);
    q->persistent = true;
    q->repeated = memory_alloc(1, sizeof(*q->repeated));
    *q->repeated = (struct repeated){kind, operands_hold(o), first->tag};
    series_agree(r, first);
    series_drop(r, first);
    *request = request_give(r, q);
    return MPI_SUCCESS;
}

void request_run(struct rank *r, struct comm *c, const struct operands *o,
                 void (*start)(struct series *s))
{
    struct series *s = series_new(r, c, r->call, o);
    start(s);
    request_perform(r, s, NULL);
}

/* ---- requests that nobody has waited for ---- */

typedef bool visitor(const struct rank *r, struct mpi_request *q, void *arg);

static bool visit(const struct rank *r, struct mpi_request *q, visitor *f, void *arg)
{
    if (!q || !q->active || q->over)
        return false;
    if (q->kind == REQUEST_BOTH)
        return visit(r, q->half[0], f, arg) || visit(r, q->half[1], f, arg);
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
