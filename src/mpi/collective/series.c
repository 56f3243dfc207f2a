/* Rounds, one after the other. */
#include "mpi/collective/series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/random.h"
#include "mpi/object/message.h"
#include "mpi/object/signature.h"
#include "mpi/observe/record.h"

/* ---- life ---- */

/* Of what all members have alike; 0: types may differ between pairs of them, or there are no data.
 */
static uint64_t signature_of(const struct series *s)
{
    const struct collective_kind *kind = collective_of(s->call);
    bool root = s->o.root == (int)s->me;
    if (!kind || kind->neighbours || s->comm->remote)
        return 0;
    bool gives = kind->root == ROOT_SENDS ? root : kind->root != ROOT_CASTS && !s->o.in_place;
    const struct side *side = gives && s->o.out.layout != LAYOUT_NONE ? &s->o.out : &s->o.in;
    bool even = side->layout == LAYOUT_ONE || side->layout == LAYOUT_EVEN;
    return even && side->type && side->count ? side->type->signature : 0;
}

struct series *series_new(struct rank *r, struct comm *c, enum call call, const struct operands *o)
{
    struct series *s = memory_alloc(1, sizeof(*s));
    *s = (struct series){.o = operands_hold(o),
                         .silent = rank_is_silent(r),
                         .comm = comm_hold(c),
                         .group = c->group,
                         .remote_group = comm_peer_group(c),
                         .size = c->group->size,
                         .me = c->rank,
                         .remote_size = comm_peer_group(c)->size,
                         .tag = c->operations++ & INT32_MAX,
                         .call = call,
                         .limits = task_limits(r->task),
                         .order = task_order(r->task)};
    s->signature = signature_of(s);
    return s;
}

/* Subgroup operations do not advance the communicator's sequence number. */
void series_among(struct series *s, const struct group *group, uint32_t me, uint32_t tag)
{
    s->comm->operations--;
    s->among = true;
    s->group = s->remote_group = group;
    s->size = s->remote_size = group->size;
    s->me = me;
    s->tag = tag | 1u << 31;
}

void series_again(struct series *s, uint32_t number)
{
    s->comm->operations--;
    s->tag = number;
    s->agreed = true;
}

void series_drop(struct rank *r, struct series *s)
{
    operands_release(&s->o);
    comm_release(r, s->comm);
    for (unsigned i = 0; i < sizeof(s->memory) / sizeof(s->memory[0]); i++)
        free(s->memory[i]);
    free(s->schedule);
    free(s->step);
    free(s);
}

void series_add_phase(struct series *s, series_phase *rounds)
{
    s->phase[s->phases++].rounds = rounds;
}

void series_add_once(struct series *s, series_once *once)
{
    s->phase[s->phases++].once = once;
}

void *series_memory(struct series *s, uint64_t bytes)
{
    unsigned i = 0;
    while (s->memory[i])
        i++;
    return s->memory[i] = memory_alloc(bytes, 1);
}

unsigned char *series_data(struct series *s, uint64_t bytes)
{
    return s->silent ? place_apart(PLACES_OF_CALLS + s->places++) : series_memory(s, bytes);
}

/* ---- making rounds ---- */

static struct round_step *add_step(struct series *s, enum step_kind kind, struct block b)
{
    LIST_RESERVE(s->step, s->steps + 1, s->room);
    struct round_step *p = &s->step[s->steps++];
    *p = (struct round_step){.kind = kind, .block = b, .series = s};
    return p;
}

void round_send(struct series *s, uint32_t process, struct block b)
{
    add_step(s, STEP_SEND, b)->process = process;
}

void round_receive(struct series *s, uint32_t process, struct block b)
{
    add_step(s, STEP_RECEIVE, b)->process = process;
}

static bool is_left_out(const struct series *s, const struct block *b)
{
    const struct collective_kind *kind = collective_of(s->call); /* NULL: MPI's own messages */
    return kind && collective_is_listed(kind) && block_length(b) == 0;
}

void round_send_some(struct series *s, uint32_t process, struct block b)
{
    if (!is_left_out(s, &b))
        round_send(s, process, b);
}

void round_receive_some(struct series *s, uint32_t process, struct block b)
{
    if (!is_left_out(s, &b))
        round_receive(s, process, b);
}

void round_copy(struct series *s, struct block to, struct block from)
{
    if (to.at != from.at)
        add_step(s, STEP_COPY, to)->from = from;
}

void round_combine(struct series *s, struct block mine, struct block from, bool left)
{
    struct round_step *p = add_step(s, STEP_COMBINE, mine);
    p->from = from;
    p->left = left;
}

struct block block_bytes(void *at, uint64_t bytes)
{
    return (struct block){at, (int64_t)bytes, basics_find((unsigned)(uintptr_t)MPI_BYTE)};
}

void round_send_silent(struct series *s, uint32_t process, uint64_t bytes)
{
    struct round_step *p = add_step(s, STEP_SEND, block_bytes(NULL, bytes));
    p->process = process;
    p->silent = true;
}

void round_receive_silent(struct series *s, uint32_t process, uint64_t bytes)
{
    struct round_step *p = add_step(s, STEP_RECEIVE, block_bytes(NULL, bytes));
    p->process = process;
    p->silent = true;
}

/* ---- messages ---- */

static void start_step(struct rank *r, struct round_step *p)
{
    struct series *s = p->series;
    uint64_t bytes = block_length(&p->block);
    struct task_address address = {
        .context = s->comm->context + 1, .peer = p->process, .tag = s->tag};
    struct task_parcel parcel = block_parcel(&p->block, p->silent || s->silent);
    parcel.signature = s->signature;
    if (s->as_messages)
        p->entry = record_step(r, p->kind == STEP_RECEIVE, s->comm, p->process, s->tag, bytes);
    if (p->kind == STEP_SEND) {
        rank_note_sent(r, p->process, USE_COLLECTIVE, bytes);
        rank_pay_send(r, parcel.bytes, parcel.shape);
        p->request = task_send_parcel(r->task, &address, &parcel);
    } else {
        rank_pay_receive(r);
        p->request = task_receive_parcel(r->task, &address, &parcel);
    }
    s->under_way++;
}

static bool is_message(const struct round_step *p)
{
    return p->kind == STEP_SEND || p->kind == STEP_RECEIVE;
}

/* Receives first: what comes early costs more. */
static void start_round(struct rank *r, struct series *s)
{
    for (size_t i = 0; i < s->steps; i++)
        if (s->step[i].kind == STEP_RECEIVE)
            start_step(r, &s->step[i]);
    for (size_t i = 0; i < s->steps; i++)
        if (s->step[i].kind == STEP_SEND)
            start_step(r, &s->step[i]);
}

static void fail_by_types(struct rank *r, struct series *s, const struct task_outcome *o)
{
    char sent[SIGNATURE_TEXT], own[SIGNATURE_TEXT];
    signature_describe(o->signature, sent);
    signature_describe(s->signature, own);
    s->error = MPI_ERR_TYPE;
    if (error_is_fatal(r, s->comm))
        error_raise(r, s->comm, s->error, "rank %u has %s in it, and this one %s", o->source, sent,
                    own);
}

/* Whether as much has come as the operation expects from there, and of the same types. */
static void check_message(struct rank *r, const struct round_step *p, const struct task_outcome *o)
{
    struct series *s = p->series;
    uint64_t room = block_length(&p->block);
    if (o->bytes == room && o->signature != s->signature &&
        rank_tells_apart(r, o->signature, s->signature, room))
        fail_by_types(r, s, o);
    if (o->bytes == room || p->silent)
        return;
    s->error = o->bytes > room ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER;
    if (error_is_fatal(r, s->comm)) /* else whoever waits for the operation is told */
        error_raise(r, s->comm, s->error, "%llu bytes came from rank %u, which should send %llu",
                    (unsigned long long)o->bytes, o->source, (unsigned long long)room);
}

/* Notes which messages are over; true: all. */
static bool take_messages(struct rank *r, struct series *s)
{
    for (size_t i = 0; i < s->steps && s->under_way; i++) {
        struct round_step *p = &s->step[i];
        struct task_outcome o;
        if (!is_message(p) || p->request == NO_REQUEST || !task_is_over(r->task, p->request))
            continue;
        task_end(r->task, p->request, &o);
        p->request = NO_REQUEST;
        s->under_way--;
        if (s->as_messages)
            record_end(r, p->entry, s->comm, p->kind == STEP_RECEIVE ? &o : NULL);
        if (p->kind == STEP_RECEIVE) {
            task_owe(r->task, r->world->o.cost.finish_cycles);
            check_message(r, p, &o);
        }
    }
    return !s->under_way;
}

/* ---- work ---- */

/* Elements of one type to the place of another: directly, or through one piece. */
static void copy_block(struct rank *r, const struct series *s, const struct block *to,
                       const struct block *from)
{
    uint64_t have = block_length(from), room = block_length(to), bytes = have < room ? have : room;
    if (!bytes)
        return;
    if (s->silent) {
        /* there is nothing to copy, but it takes its time */
    } else if (to->type->dense) {
        block_pack(from, bytes, to->at);
    } else if (from->type->dense) {
        block_unpack(to, bytes, from->at);
    } else {
        unsigned char *piece = memory_alloc(bytes, 1);
        block_pack(from, bytes, piece);
        block_unpack(to, bytes, piece);
        free(piece);
    }
    if (s->as_messages) /* else traces have a name for the operation that it belongs to */
        rank_copy(r, bytes);
    else
        task_work_through(r->task, bytes);
}

static void combine_blocks(struct rank *r, const struct series *s, const struct round_step *p)
{
    const struct block *mine = &p->block, *from = &p->from;
    if (!mine->count)
        return;
    if (s->as_messages)
        rank_combine(r, block_length(mine));
    else
        task_combine(r->task, block_length(mine));
    if (s->silent) {
        if (p->left && !mine->type->dense)
            copy_block(r, s, mine, from);
        return;
    }
    r->combines = true;
    if (p->left)
        op_combine(s->o.op, mine->type, mine->at, from->at, mine->count);
    else
        op_combine(s->o.op, mine->type, from->at, mine->at, mine->count);
    r->combines = false;
    if (!p->left)
        return;
    uint64_t span = (uint64_t)(mine->count * mine->type->extent);
    if (mine->type->dense)
        memcpy(mine->at, from->at, span);
    else
        copy_block(r, s, mine, from);
}

static void do_work(struct rank *r, struct series *s)
{
    for (size_t i = 0; i < s->steps; i++) {
        const struct round_step *p = &s->step[i];
        if (p->kind == STEP_COPY)
            copy_block(r, s, &p->block, &p->from);
        else if (p->kind == STEP_COMBINE)
            combine_blocks(r, s, p);
    }
}

/* ---- going on ---- */

/* Makes a round of the phase; false: it has no such round. */
static bool make_round(struct series *s, uint32_t round)
{
    s->steps = 0;
    if (s->phase[s->at].rounds)
        return s->phase[s->at].rounds(s, round);
    if (round == 0)
        s->phase[s->at].once(s);
    return round == 0;
}

/* Makes the next round that there is; false: the series is over. */
static bool next_round(struct series *s)
{
    for (; s->at < s->phases; s->at++, s->round = 0)
        if (make_round(s, s->round++))
            return true;
    return false;
}

static void go_on(struct rank *r, struct series *s)
{
    while (!s->over && take_messages(r, s)) {
        if (s->started)
            do_work(r, s);
        s->started = true;
        s->over = !next_round(s);
        if (!s->over)
            start_round(r, s);
        else
            stats_add(&r->stats, s->call, s->used, task_reached(r->task) - s->since);
    }
}

static void remove_series(struct rank *r, struct series *s)
{
    struct series **link = &r->series;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
}

void series_progress(struct rank *r)
{
    for (struct series *s = r->series, *next; s; s = next) {
        next = s->next;
        go_on(r, s);
        if (s->over)
            remove_series(r, s);
    }
}

/* Lengths that differ are found where data are, and may be errors that a program handles. Where one
 * member has nothing to move and another has something, no data may come that show it. */
void series_agree(struct rank *r, const struct series *s)
{
    bool inter = s->comm->remote; /* where sides differ */
    struct agreement what = {.call = s->call,
                             .context = s->comm->context,
                             .root = inter ? 0 : s->o.root,
                             .op = inter ? 0 : operands_op(&s->o),
                             .bytes = -1,
                             .empty = !s->phases};
    comm_check_agreement(r, s->comm, s->tag, &what);
}

void series_start(struct rank *r, struct series *s)
{
    if (!s->among && !s->agreed)
        series_agree(r, s);
    s->as_messages = s->among || !record_has_name(s->comm, s->call);
    if (!s->as_messages)
        s->number = record_operation(r, s->comm, s->call, &s->o);
    s->since = task_reached(r->task);
    if (s->size == 1 && !s->comm->remote)
        s->used = USED_ALONE;
    s->next = r->series;
    r->series = s;
    go_on(r, s);
    if (s->over)
        remove_series(r, s);
}

void series_add_waiting(struct rank *r, const struct series *s)
{
    for (size_t i = 0; i < s->steps; i++)
        if (is_message(&s->step[i]) && s->step[i].request != NO_REQUEST)
            rank_add_waiting(r, s->step[i].request);
}

/* ---- operands ---- */

int64_t operands_op(const struct operands *o)
{
    const struct type *t = o->in.type ? o->in.type : o->out.type;
    const struct type *basic = o->op && o->op->kind && t ? type_basic(t) : NULL;
    return basic ? (int64_t)o->op->kind << 32 | (int64_t)basic->basic << 16 | basic->size : 0;
}

static void side_hold(struct side *side)
{
    struct type **types = side->types;
    if (side->type)
        type_hold(side->type);
    if (!types)
        return;
    side->types = memory_alloc(side->blocks + 1ull, sizeof(struct type *));
    for (uint32_t i = 0; i < side->blocks; i++)
        side->types[i] = type_hold(types[i]);
}

struct operands operands_hold(const struct operands *o)
{
    struct operands held = *o;
    side_hold(&held.out);
    side_hold(&held.in);
    if (o->op && !o->op->predefined)
        o->op->holders++;
    return held;
}

void operands_release(struct operands *o)
{
    type_release(o->out.type);
    type_release(o->in.type);
    side_drop(&o->out);
    side_drop(&o->in);
    op_release(o->op);
}

void side_drop(struct side *side)
{
    for (uint32_t i = 0; i < side->blocks; i++)
        type_release(side->types[i]);
    free(side->types);
    *side = (struct side){.layout = LAYOUT_NONE};
}

/* ---- members of a communicator, and what they agree on ---- */

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

/* What the other one has that the first one has not. */
static void say_difference(const struct agreed *a, char *text, size_t size)
{
    const struct agreement *mine = &a->other.what, *theirs = &a->first.what;
    uint32_t rank = a->first.rank;
    bool same = theirs->context == mine->context;
    if (theirs->call != mine->call || !same)
        snprintf(text, size, "rank %u is in %s on %s communicator meanwhile", rank,
                 call_name((enum call)theirs->call), same ? "the same" : "another");
    else if (theirs->root != mine->root)
        snprintf(text, size, "the root is %lld here, and %lld at rank %u", (long long)mine->root,
                 (long long)theirs->root, rank);
    else if (theirs->op != mine->op)
        snprintf(text, size, "the operation or the datatype is another one than at rank %u", rank);
    else if (theirs->empty != mine->empty)
        snprintf(text, size, "it moves %s here, and %s at rank %u (MPI_ERR_TRUNCATE)",
                 mine->empty ? "nothing" : "data", mine->empty ? "data" : "nothing", rank);
    else
        snprintf(text, size, "%lld bytes here, and %lld at rank %u (MPI_ERR_TRUNCATE)",
                 (long long)mine->bytes, (long long)theirs->bytes, rank);
}

/* Ends the program where members differ: the first that differs in simulated time fails. */
static void check(struct rank *r, uint64_t key, uint32_t members, const struct agreement *what)
{
    struct speaker me = {
        .what = *what, .when = task_now(r->task), .call = (int64_t)r->call, .rank = r->task->rank};
    struct agreed agreed;
    char text[200];
    bool alone;
    if (members == 1)
        return;
    meeting_agree(&r->world->meetings, key, members, &me, &agreed, &alone);
    if (!agreed.differ)
        return;
    say_difference(&agreed, text, sizeof(text));
    error_of(r, &agreed.other, text, alone);
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
