/* From calls to deeds. */
#define _GNU_SOURCE
#include "mpi/observe/record.h"

#include "message/task.h"
#include "mpi/object/message.h"

/* Messages of operations that are noted one by one have tags that no program has. */
enum { TAG_OF_OPERATION = 1 << 30 };

/* The place of what is not noted. */
#define NOWHERE SIZE_MAX

/* ---- messages ---- */

static bool is_blocking(enum call call)
{
    return call == CALL_Send || call == CALL_Bsend || call == CALL_Ssend || call == CALL_Rsend ||
           call == CALL_Recv;
}

size_t record_start(struct rank *r, bool receives, const struct mpi_message *m, uint64_t bytes)
{
    static const uint8_t kinds[2][2] = {{DEED_START_SEND, DEED_START_RECEIVE},
                                        {DEED_SEND, DEED_RECEIVE}};
    if (!rank_is_traced(r))
        return NOWHERE;
    bool any = m->peer == MPI_ANY_SOURCE;
    struct deed d = {.kind = kinds[is_blocking(r->call)][receives],
                     .call = (uint16_t)r->call,
                     .mode = receives ? 0 : (uint8_t)m->mode,
                     .strided = !m->type->dense,
                     .context = m->comm->context,
                     .peer = any ? -1 : (int32_t)group_at(comm_others(m->comm), (uint32_t)m->peer),
                     .tag = (uint32_t)m->tag,
                     .bytes = bytes};
    return deeds_add(&r->deeds, &d);
}

static struct deed of_outcome(const struct rank *r, enum deed_kind kind, const struct comm *c,
                              const struct task_outcome *o)
{
    return (struct deed){.kind = (uint8_t)kind,
                         .call = (uint16_t)r->call,
                         .context = c->context,
                         .peer = (int32_t)o->source,
                         .tag = o->tag,
                         .bytes = o->bytes};
}

void record_match(struct rank *r, const struct comm *c, const struct task_outcome *o)
{
    struct deed d = of_outcome(r, DEED_START_RECEIVE, c, o);
    if (rank_is_traced(r))
        deeds_add(&r->deeds, &d);
}

void record_match_end(struct rank *r, const struct comm *c, const struct task_outcome *o)
{
    struct deed d = of_outcome(r, DEED_END_RECEIVE, c, o);
    if (rank_is_traced(r))
        deeds_add(&r->deeds, &d);
}

size_t record_probe(struct rank *r, const struct comm *c, const struct task_address *from,
                    bool wait)
{
    struct deed d = {.kind = DEED_PROBE,
                     .call = (uint16_t)r->call,
                     .waits = wait,
                     .context = c->context,
                     .peer = (int32_t)from->peer,
                     .tag = from->tag};
    return rank_is_traced(r) ? deeds_add(&r->deeds, &d) : NOWHERE;
}

void record_probed(struct rank *r, size_t place, const struct task_outcome *o)
{
    if (place == NOWHERE || !o)
        return;
    r->deeds.deed[place].peer = (int32_t)o->source;
    r->deeds.deed[place].tag = o->tag;
}

void record_poll(struct rank *r)
{
    if (rank_is_traced(r))
        deeds_add(&r->deeds, &(struct deed){.kind = DEED_POLL, .call = (uint16_t)r->call});
}

/* A receive from anybody is noted as the one that it has become. */
void record_settle(struct rank *r, size_t place, const struct comm *c, const struct task_outcome *o)
{
    if (!r->world->o.trace || place == NOWHERE || !o)
        return;
    struct deed *began = &r->deeds.deed[place];
    if (o->cancelled) {
        began->kind = DEED_NOTHING;
        return;
    }
    struct deed end = of_outcome(r, (enum deed_kind)began->kind, c, o);
    end.first = began->first;
    end.call = began->call;
    end.strided = began->strided;
    end.spelt = began->spelt;
    end.tag = end.spelt ? began->tag : end.tag;
    *began = end;
}

void record_end(struct rank *r, size_t place, const struct comm *c, const struct task_outcome *o)
{
    record_settle(r, place, c, o);
    if (!rank_is_traced(r) || place == NOWHERE)
        return;
    struct deed end = r->deeds.deed[place];
    if (end.kind != DEED_START_SEND && end.kind != DEED_START_RECEIVE)
        return;
    end.kind = end.kind == DEED_START_SEND ? DEED_END_SEND : DEED_END_RECEIVE;
    end.call = (uint16_t)r->call;
    deeds_add(&r->deeds, &end);
}

/* ---- collective operations ---- */

bool record_has_name(const struct comm *c, enum call call)
{
    return !c->remote && call >= CALL_Barrier && call <= CALL_Iexscan;
}

static bool is_nonblocking(enum call call)
{
    return call >= CALL_Ibarrier && call <= CALL_Iexscan;
}

/* The sizes of a side's blocks: how many there are, and each. */
static void add_sizes(struct deeds *d, const struct side *side, uint32_t blocks)
{
    const struct type *t = side->type;
    bool listed = side->counts, missing = !t && !side->types;
    deeds_size(d, missing ? 0 : listed ? blocks : 1);
    for (uint32_t i = 0; i < blocks && listed && !missing; i++)
        deeds_size(d, (uint64_t)(side->counts[i] * (side->types ? side->types[i] : t)->size));
    if (!listed && !missing)
        deeds_size(d, (uint64_t)(side->count * t->size));
}

/* Of blocks that differ, what is in place is this rank's own. */
static bool is_own_block(enum call call, const struct operands *o)
{
    bool differ = call == CALL_Gatherv || call == CALL_Igatherv || call == CALL_Scatterv ||
                  call == CALL_Iscatterv || call == CALL_Allgatherv || call == CALL_Iallgatherv;
    return differ && o->in_place;
}

static void add_own_block(struct deeds *d, const struct side *other, uint32_t me)
{
    deeds_size(d, 1);
    deeds_size(d, (uint64_t)(other->counts[me] * other->type->size));
}

/* What is combined, and how; elements of a program's own are not of one basic type. */
static void add_combining(struct deed *d, const struct operands *o)
{
    const struct type *t = o->in.type ? o->in.type : o->out.type;
    const struct type *basic = o->op && t ? type_basic(t) : NULL;
    if (!o->op || !t)
        return;
    d->op = o->op->kind ? o->op->kind : o->op->commutes ? DEED_OP_OWN : DEED_OP_ORDERED;
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
    struct deed d = {.kind = DEED_OPERATION,
                     .call = (uint16_t)call,
                     .context = c->context,
                     .peer = o->root,
                     .strided = is_strided(&o->out) || is_strided(&o->in),
                     .in_place = o->in_place,
                     .sizes = r->deeds.sizes};
    add_combining(&d, o);
    bool own = is_own_block(call, o);
    if (own && !o->out.type && o->in.counts)
        add_own_block(&r->deeds, &o->in, c->rank);
    else
        add_sizes(&r->deeds, &o->out, c->group->size);
    if (own && !o->in.type && o->out.counts)
        add_own_block(&r->deeds, &o->out, c->rank);
    else
        add_sizes(&r->deeds, &o->in, c->group->size);
    deeds_add(&r->deeds, &d);
    return is_nonblocking(call) ? r->deeds.operations++ : 0;
}

void record_operation_end(struct rank *r, enum call call, uint32_t number)
{
    if (rank_is_traced(r) && is_nonblocking(call))
        deeds_add(&r->deeds, &(struct deed){.kind = DEED_END_OPERATION, .tag = number});
}

size_t record_part(struct rank *r, bool receives, const struct comm *c, uint32_t process,
                   uint32_t tag, uint64_t bytes)
{
    struct deed d = {.kind = receives ? DEED_START_RECEIVE : DEED_START_SEND,
                     .spelt = true,
                     .call = (uint16_t)r->call,
                     .context = c->context,
                     .peer = (int32_t)process,
                     .tag = tag | TAG_OF_OPERATION,
                     .bytes = bytes};
    return rank_is_traced(r) ? deeds_add(&r->deeds, &d) : NOWHERE;
}
