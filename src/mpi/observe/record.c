/* From calls to entries of the log. */
#include "mpi/observe/record.h"

#include "message/task.h"
#include "mpi/call.h"
#include "mpi/object/message.h"
#include "mpi/object/type.h"

/* Messages of operations that are noted one by one have tags that no program has. */
enum { TAG_OF_OPERATION = 1 << 30 };

/* Of what is not logged. */
#define NO_ENTRY SIZE_MAX

/* Logs something of the call that a rank is in; returns the number of the entry. */
static size_t add_entry(struct rank *r, struct logged_call d)
{
    if (!rank_is_traced(r))
        return NO_ENTRY;
    d.call = (uint16_t)r->call;
    return call_log_add(&r->log, &d);
}

/* ---- messages ---- */

size_t record_start(struct rank *r, bool receives, const struct mpi_message *m)
{
    static const uint8_t kinds[2][2] = {{LOGGED_START_SEND, LOGGED_START_RECEIVE},
                                        {LOGGED_SEND, LOGGED_RECEIVE}};
    if (!rank_is_traced(r))
        return NO_ENTRY;
    struct message_call of = {.way = MESSAGE_NONBLOCKING};
    (void)message_call_find(r->call, &of);
    bool any = m->peer == MPI_ANY_SOURCE;
    struct logged_call d = {
        .kind = kinds[of.way == MESSAGE_BLOCKING][receives],
        .mode = receives ? 0 : (uint8_t)m->mode,
        .strided = !m->data.type->dense,
        .context = m->comm->context,
        .peer = any ? -1 : (int32_t)group_at(comm_peer_group(m->comm), (uint32_t)m->peer),
        .tag = (uint32_t)m->tag,
        .bytes = block_length(&m->data)};
    return add_entry(r, d);
}

static struct logged_call of_outcome(enum logged_kind kind, const struct comm *c,
                                     const struct task_outcome *o)
{
    return (struct logged_call){.kind = (uint8_t)kind,
                                .context = c->context,
                                .peer = (int32_t)o->source,
                                .tag = o->tag,
                                .bytes = o->bytes};
}

void record_match(struct rank *r, bool ends, const struct comm *c, const struct task_outcome *o)
{
    add_entry(r, of_outcome(ends ? LOGGED_END_RECEIVE : LOGGED_START_RECEIVE, c, o));
}

size_t record_probe(struct rank *r, const struct comm *c, const struct task_address *from,
                    bool wait)
{
    struct logged_call d = {.kind = LOGGED_PROBE,
                            .waits = wait,
                            .context = c->context,
                            .peer = (int32_t)from->peer,
                            .tag = from->tag};
    return add_entry(r, d);
}

void record_probed(struct rank *r, size_t entry, const struct task_outcome *o)
{
    if (entry == NO_ENTRY || !o)
        return;
    r->log.entry[entry].peer = (int32_t)o->source;
    r->log.entry[entry].tag = o->tag;
}

void record_poll(struct rank *r)
{
    add_entry(r, (struct logged_call){.kind = LOGGED_POLL});
}

/* A receive from anybody is noted as the one that it has become. */
void record_settle(struct rank *r, size_t entry, const struct comm *c, const struct task_outcome *o)
{
    if (!r->world->o.trace || entry == NO_ENTRY || !o)
        return;
    struct logged_call *began = &r->log.entry[entry];
    if (o->cancelled) {
        began->kind = LOGGED_NOTHING;
        return;
    }
    struct logged_call end = of_outcome((enum logged_kind)began->kind, c, o);
    end.first = began->first;
    end.call = began->call;
    end.strided = began->strided;
    end.of_operation = began->of_operation;
    end.tag = end.of_operation ? began->tag : end.tag;
    *began = end;
}

void record_end(struct rank *r, size_t entry, const struct comm *c, const struct task_outcome *o)
{
    record_settle(r, entry, c, o);
    if (!rank_is_traced(r) || entry == NO_ENTRY)
        return;
    struct logged_call end = r->log.entry[entry];
    if (end.kind != LOGGED_START_SEND && end.kind != LOGGED_START_RECEIVE)
        return;
    end.kind = end.kind == LOGGED_START_SEND ? LOGGED_END_SEND : LOGGED_END_RECEIVE;
    add_entry(r, end);
}

/* ---- collective operations ---- */

bool record_has_name(const struct comm *c, enum call call)
{
    const struct collective_kind *kind = collective_of(call);
    return !c->remote && kind && kind->action;
}

static bool is_nonblocking(enum call call)
{
    const struct collective_kind *kind = collective_of(call);
    return kind && kind->nonblocking == call;
}

/* The sizes of a side's blocks: how many there are, and each. `own`:
 * an empty side is in place, and stands for this rank's block of the other side. */
static void add_sizes(struct call_log *d, const struct comm *c, const struct side *side,
                      const struct side *other, bool own)
{
    const struct type *t = side->type;
    uint32_t blocks = c->group->size;
    bool listed = numbers_are_there(side->counts), missing = !t && !side->types;
    if (own && !t && numbers_are_there(other->counts)) {
        call_log_size(d, 1);
        call_log_size(d, (uint64_t)(number_at(other->counts, c->rank) * other->type->size));
        return;
    }
    call_log_size(d, missing ? 0 : listed ? blocks : 1);
    for (uint32_t i = 0; i < blocks && listed && !missing; i++)
        call_log_size(
            d, (uint64_t)(number_at(side->counts, i) * (side->types ? side->types[i] : t)->size));
    if (!listed && !missing)
        call_log_size(d, (uint64_t)(side->count * t->size));
}

/* What is combined, and how; elements of a program's own are not of one basic type. */
static void add_combining(struct logged_call *d, const struct operands *o)
{
    const struct type *t = o->in.type ? o->in.type : o->out.type;
    const struct type *basic = o->op && t ? type_basic(t) : NULL;
    if (!o->op || !t)
        return;
    d->op = o->op->kind ? o->op->kind : o->op->commutes ? LOGGED_OP_OWN : LOGGED_OP_ORDERED;
    d->type = basic ? (uint16_t)basic->handle : (uint16_t)(uintptr_t)MPI_BYTE;
    if (!basic || t->size != basic->size)
        d->element = t->size <= UINT16_MAX ? (uint16_t)t->size : 0;
}

static bool is_strided(const struct side *side)
{
    return side->type && !side->type->dense && !side->type->predefined;
}

uint32_t record_operation(struct rank *r, const struct comm *c, enum call call,
                          const struct operands *o)
{
    if (!rank_is_traced(r) || !record_has_name(c, call))
        return 0;
    struct logged_call d = {.kind = LOGGED_OPERATION,
                            .call = (uint16_t)call,
                            .context = c->context,
                            .peer = o->root,
                            .strided = is_strided(&o->out) || is_strided(&o->in),
                            .in_place = o->in_place,
                            .sizes = r->log.sizes};
    add_combining(&d, o);
    const struct collective_kind *kind = collective_of(call);
    bool differ = layout_is_listed(kind->out) != layout_is_listed(kind->in);
    bool own = o->in_place && !kind->combines && differ;
    add_sizes(&r->log, c, &o->out, &o->in, own);
    add_sizes(&r->log, c, &o->in, &o->out, own);
    call_log_add(&r->log, &d);
    return is_nonblocking(call) ? r->log.operations++ : 0;
}

void record_operation_end(struct rank *r, enum call call, uint32_t number)
{
    if (rank_is_traced(r) && is_nonblocking(call))
        call_log_add(&r->log, &(struct logged_call){.kind = LOGGED_END_OPERATION, .tag = number});
}

size_t record_step(struct rank *r, bool receives, const struct comm *c, uint32_t process,
                   uint32_t tag, uint64_t bytes)
{
    struct logged_call d = {.kind = receives ? LOGGED_START_RECEIVE : LOGGED_START_SEND,
                            .of_operation = true,
                            .context = c->context,
                            .peer = (int32_t)process,
                            .tag = tag | TAG_OF_OPERATION,
                            .bytes = bytes};
    return add_entry(r, d);
}
