/* Sends and receives of programs, waiting for them, and probing. */
#define _GNU_SOURCE
#include "message/task/tasks.h"

#include <stdio.h>
#include <string.h>

/* ---- data ---- */

static uint64_t data_bytes(struct task *t, const weft_data *d)
{
    if (d->count && d->bytes > SIZE_MAX / 2 / d->count)
        task_quit(t, "names more data than there can be");
    return (uint64_t)d->bytes * d->count;
}

static void gather(void *data, unsigned char *to)
{
    const weft_data *d = data;
    const unsigned char *from = d->at;
    for (size_t i = 0; i < d->count; i++, from += d->stride, to += d->bytes)
        memcpy(to, from, d->bytes);
}

static void scatter(const weft_data *d, const unsigned char *from, uint64_t bytes)
{
    unsigned char *to = d->at;
    for (size_t i = 0; i < d->count && bytes; i++, to += d->stride, from += d->bytes) {
        size_t piece = bytes < d->bytes ? (size_t)bytes : d->bytes;
        memcpy(to, from, piece);
        bytes -= piece;
    }
}

/* Whether an address is in memory that alloc() gave. */
static bool is_ours(const struct task *t, const void *at)
{
    const unsigned char *byte = at;
    for (const struct task_block *b = t->blocks; b; b = b->next) {
        const unsigned char *first = (const unsigned char *)b + HEADER;
        if (byte >= first && byte < first + b->bytes)
            return true;
    }
    return false;
}

/* Only memory that alloc() gave has an alignment: elsewhere it depends on the host's compiler and
 * malloc(), and nothing may depend on those. */
static uint8_t shape_of(const struct task *t, const weft_data *d)
{
    uintptr_t at = is_ours(t, d->at) ? (uintptr_t)d->at : 0;
    bool strided = d->count > 1 && d->stride != d->bytes;
    bool unaligned = at % 16 || (strided && (d->stride % 16 || d->bytes % 16));
    bool lines = at && !strided && at % t->all->o.line_bytes == 0;
    return (uint8_t)((unaligned ? SHAPE_UNALIGNED : 0) | (strided ? SHAPE_STRIDED : 0) |
                     (lines ? SHAPE_LINES : 0));
}

/* ---- sends and receives ---- */

static uint32_t new_request(const struct task *t, const struct request *request)
{
    uint32_t index = slots_get(&part_of(t)->requests);
    *request_at(t, index) = *request;
    request_at(t, index)->owner = t->index;
    request_at(t, index)->used = true;
    return index;
}

static void check_sender(struct task *t, uint32_t from, const char *text)
{
    if (from != WEFT_ANY && from >= t->face.size)
        task_quit(t, text);
}

static weft_request start_receive(struct task *t, const struct task_address *from,
                                  const struct request *how, uint8_t shape)
{
    check_sender(t, from->peer, "receives from a process that does not exist");
    uint32_t request = new_request(t, how);
    struct request *r = request_at(t, request);
    r->context = from->context;
    r->peer = from->peer;
    r->tag = from->tag;
    task_ask_later(t, &(struct action){.kinds = ACTION_RECEIVE,
                                       .from = outside(t, from->peer),
                                       .context = from->context,
                                       .tag = from->tag,
                                       .from_bytes = how->room,
                                       .from_request = request,
                                       .from_shape = shape});
    return request;
}

weft_request task_send(weft_task *face, uint32_t context, uint32_t to, uint32_t tag,
                       const weft_data *data)
{
    struct task *t = task_of(face);
    struct task_parcel parcel = {.bytes = data_bytes(t, data),
                                 .shape = shape_of(t, data),
                                 .gather = gather,
                                 .arg = (void *)data};
    return task_send_parcel(face, &(struct task_address){context, to, tag}, &parcel);
}

weft_request task_receive(weft_task *face, uint32_t context, uint32_t from, uint32_t tag,
                          const weft_data *data)
{
    struct task *t = task_of(face);
    struct task_address address = {.context = context, .peer = from, .tag = tag};
    struct request how = {.receives = true, .data = *data, .room = data_bytes(t, data)};
    return start_receive(t, &address, &how, shape_of(t, data));
}

/* An attachment with a parcel's data. */
static uint32_t attach(struct task *t, const struct task_parcel *parcel)
{
    struct attachments *attachments = t->all->o.attachments;
    uint32_t number = attachment_new(attachments, t->partition, parcel->gather ? parcel->bytes : 0);
    struct attachment *a = attachment_at(attachments, number);
    a->bytes = parcel->bytes;
    if (parcel->bytes && parcel->gather)
        parcel->gather(parcel->arg, a->data);
    return number;
}

static weft_request start_send(struct task *t, uint32_t to, uint32_t attachment,
                               const struct task_parcel *parcel, const struct request *how)
{
    if (to >= t->face.size)
        task_quit(t, "sends to a process that does not exist");
    uint32_t request = new_request(t, how);
    task_ask_later(t, &(struct action){.kinds = ACTION_SEND,
                                       .to = outside(t, to),
                                       .bytes = parcel->bytes,
                                       .attachment = attachment,
                                       .request = request,
                                       .shape = parcel->shape});
    return request;
}

weft_request task_send_parcel(weft_task *face, const struct task_address *to,
                              const struct task_parcel *parcel)
{
    struct task *t = task_of(face);
    uint32_t number = attach(t, parcel);
    struct attachment *a = attachment_at(t->all->o.attachments, number);
    a->context = to->context;
    a->tag = to->tag;
    a->signature = parcel->signature;
    return start_send(t, to->peer, number, parcel, &(struct request){.receives = false});
}

weft_request task_call(weft_task *face, uint32_t to, const struct task_call *call)
{
    struct task *t = task_of(face);
    uint32_t number = attach(t, &call->out);
    struct attachment *a = attachment_at(t->all->o.attachments, number);
    a->remote = REMOTE_CALL;
    a->what = call->what;
    a->shape = call->shape;
    a->direct = call->direct;
    a->combines = call->combines;
    struct request how = {
        .receives = true, .scatter = call->in.scatter, .arg = call->in.arg, .room = call->in.bytes};
    return start_send(t, to, number, &call->out, &how);
}

weft_request task_receive_parcel(weft_task *face, const struct task_address *from,
                                 const struct task_parcel *parcel)
{
    struct task *t = task_of(face);
    struct request how = {
        .receives = true, .scatter = parcel->scatter, .arg = parcel->arg, .room = parcel->bytes};
    return start_receive(t, from, &how, parcel->shape);
}

/* ---- waiting ---- */

static bool is_over(const struct task *t, const struct request *r)
{
    return r->done && r->when <= t->now;
}

static void check_request(struct task *t, weft_request request)
{
    if (request >= part_of(t)->requests.count || !request_at(t, request)->used ||
        request_at(t, request)->owner != t->index)
        task_quit(t, "waits for a request that does not exist");
}

void task_end(weft_task *face, weft_request request, struct task_outcome *outcome)
{
    const struct task *t = task_of(face);
    if (outcome)
        *outcome = request_at(t, request)->outcome;
    request_at(t, request)->used = false;
    slots_put(&part_of(t)->requests, request);
}

/* An outcome as programs see it, if they want to. */
static void inform(weft_info *info, const struct task_outcome *o)
{
    if (info)
        *info = (weft_info){.source = o->source, .tag = o->tag, .bytes = o->bytes};
}

static void end_request(weft_task *face, weft_request request, weft_info *info)
{
    struct task_outcome o;
    task_end(face, request, &o);
    inform(info, &o);
}

void task_wait_all(weft_task *face, const weft_request *request, size_t count)
{
    struct task *t = task_of(face);
    struct action wait = plain_wait;
    bool over = true;
    for (size_t i = 0; i < count; i++) {
        check_request(t, request[i]);
        struct request *r = request_at(t, request[i]);
        if (r->listed)
            task_quit(t, "waits for one request twice");
        r->listed = true;
        over = over && is_over(t, r);
        r->watched = !r->done;
        wait.watched += r->watched;
        wait.until = fine_max(wait.until, r->done ? r->when : 0);
    }
    if (!over)
        task_ask(t, &wait);
    for (size_t i = 0; i < count; i++)
        request_at(t, request[i])->listed = false;
}

void task_wait(weft_task *face, const weft_request *request, size_t count, weft_info *info)
{
    task_wait_all(face, request, count);
    for (size_t i = 0; i < count; i++)
        end_request(face, request[i], info ? &info[i] : NULL);
}

/* The first of several that is over; `count`: none is. */
static size_t find_over(const struct task *t, const weft_request *request, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_over(t, request_at(t, request[i])))
            return i;
    return count;
}

void task_wait_one(weft_task *face, const weft_request *request, size_t count)
{
    struct task *t = task_of(face);
    for (size_t i = 0; i < count; i++)
        check_request(t, request[i]);
    while (find_over(t, request, count) == count) {
        struct action wait = plain_wait;
        wait.watched = 1;
        for (size_t i = 0; i < count; i++) {
            struct request *r = request_at(t, request[i]);
            r->watched = !r->done;
            if (r->done && (wait.watched || r->when < wait.until))
                wait.watched = 0, wait.until = r->when;
        }
        task_ask(t, &wait);
        for (size_t i = 0; i < count; i++)
            request_at(t, request[i])->watched = false;
    }
}

/* Without requests it sleeps: a deadline is for those that wait for something. */
void task_wait_until(weft_task *face, const weft_request *request, size_t count, fine_t when)
{
    struct task *t = task_of(face);
    struct action wait = plain_wait;
    wait.watched = count > 0;
    *(count ? &wait.deadline : &wait.sleep) = when;
    for (size_t i = 0; i < count; i++) {
        struct request *r = request_at(t, request[i]);
        check_request(t, request[i]);
        r->watched = !r->done;
        if (r->done) {
            wait.watched = 0;
            wait.deadline = 0;
            wait.until = !wait.until || r->when < wait.until ? r->when : wait.until;
        }
    }
    if (wait.until > when)
        wait.until = when;
    task_ask(t, &wait);
    for (size_t i = 0; i < count; i++)
        request_at(t, request[i])->watched = false;
}

size_t task_wait_any(weft_task *face, const weft_request *request, size_t count, weft_info *info)
{
    task_wait_one(face, request, count);
    size_t over = find_over(task_of(face), request, count);
    end_request(face, request[over], info);
    return over;
}

bool task_is_over(weft_task *face, weft_request request)
{
    struct task *t = task_of(face);
    check_request(t, request);
    return is_over(t, request_at(t, request));
}

bool task_came_to(weft_task *face, weft_request request, struct task_outcome *outcome)
{
    const struct request *r = request_at(task_of(face), request);
    *outcome = r->outcome;
    return r->done;
}

void task_poll(weft_task *face)
{
    task_ask(task_of(face), &(struct action){.kinds = ACTION_POLL});
}

int task_test(weft_task *face, weft_request request, weft_info *info)
{
    check_request(task_of(face), request);
    task_poll(face);
    if (!task_is_over(face, request))
        return 0;
    end_request(face, request, info);
    return 1;
}

void task_cancel(weft_task *face, weft_request request)
{
    struct task *t = task_of(face);
    check_request(t, request);
    const struct request *r = request_at(t, request);
    if (!r->done)
        task_ask(t, &(struct action){.kinds = ACTION_CANCEL,
                                     .context = r->context,
                                     .from = outside(t, r->peer),
                                     .tag = r->tag,
                                     .from_request = request});
}

/* ---- probing ---- */

/* The carrier leaves what it found in the action. */
bool task_look(weft_task *face, const struct task_address *from, bool wait,
               struct task_outcome *outcome)
{
    struct task *t = task_of(face);
    check_sender(t, from->peer, "probes for a message of a process that does not exist");
    struct action look = plain_wait;
    look.kinds = ACTION_PROBE | (wait ? ACTION_WAIT : ACTION_POLL);
    look.from = outside(t, from->peer);
    look.context = from->context;
    look.tag = from->tag;
    task_ask(t, &look);
    if (!(t->action->kinds & ACTION_PROBE))
        return false;
    *outcome = (struct task_outcome){.source = inside(t, t->action->from),
                                     .tag = t->action->tag,
                                     .bytes = t->action->from_bytes};
    return true;
}

int task_probe(weft_task *face, uint32_t from, uint32_t tag, int wait, weft_info *info)
{
    struct task_outcome o;
    if (!task_look(face, &(struct task_address){.peer = from, .tag = tag}, wait, &o))
        return 0;
    inform(info, &o);
    return 1;
}

/* ---- completion ---- */

/* A process has named memory for a message that it cannot write to. */
static void fail_to_store(void *arg, int signal, const void *address)
{
    struct task *t = arg;
    const struct task_program *p = &t->group->program;
    char text[160];
    snprintf(text, sizeof(text), "a message cannot be stored at address %p: %s", address,
             strsignal(signal));
    if (p->fail)
        p->fail(p->arg, t->face.rank, text);
    task_quit(t, text);
}

static void take_attachment(struct task *t, struct request *r, const struct attachment *l)
{
    uint64_t bytes = l->bytes < r->room ? l->bytes : r->room;
    r->outcome.tag = l->tag;
    r->outcome.signature = l->signature;
    if (!l->data)
        return;
    guarded_copy_begin(&(struct guarded_copy){.fault = fail_to_store, .arg = t});
    if (r->scatter)
        r->scatter(r->arg, l->data, bytes);
    else
        scatter(&r->data, l->data, bytes);
    guarded_copy_end();
}

void task_serve(void *ctx, const struct seat *seat, const struct remote_call *call)
{
    struct tasks *all = ctx;
    struct task *t = &all->part[seat->partition].task[seat->index];
    const struct attachment *a = attachment_at(all->o.attachments, call->attachment);
    const struct task_program *p = &t->group->program;
    struct task_served served = {.caller = {inside(t, call->peer), a->call, a->direct},
                                 .what = a->what,
                                 .data = a->data,
                                 .bytes = a->bytes,
                                 .when = call->when,
                                 .task = &t->face,
                                 .layer = call->layer};
    guarded_copy_begin(&(struct guarded_copy){.fault = fail_to_store, .arg = t});
    p->serve(p->arg, t->face.rank, &served);
    guarded_copy_end();
}

void task_reply(const struct task_served *now, const struct task_caller *to, uint32_t tag,
                const struct task_parcel *parcel)
{
    struct task *t = task_of(now->task);
    uint32_t number = attach(t, parcel);
    struct attachment *a = attachment_at(t->all->o.attachments, number);
    a->remote = REMOTE_REPLY;
    a->call = to->number;
    a->tag = tag;
    a->shape = SHAPE_LINES;
    a->direct = to->direct;
    t->all->o.reply(now->layer, outside(t, to->process), number, now->when);
}

bool task_complete(void *ctx, const struct seat *seat, uint32_t index,
                   const struct outcome_of *outcome)
{
    struct tasks *all = ctx;
    struct task *t = &all->part[seat->partition].task[seat->index];
    struct request *r = request_at(t, index);
    r->done = true;
    r->when = outcome->when;
    r->outcome = (struct task_outcome){.source = inside(t, outcome->peer),
                                       .bytes = outcome->bytes,
                                       .cancelled = outcome->cancelled};
    if (r->receives && !outcome->cancelled)
        take_attachment(t, r, attachment_at(all->o.attachments, outcome->attachment));
    bool watched = r->watched;
    r->watched = false;
    /* A wait may not have begun yet: then it is for one less. */
    if (watched && t->queued && t->queue[t->queued - 1].watched)
        t->queue[t->queued - 1].watched--;
    return watched;
}
