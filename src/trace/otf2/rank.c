/* Events as drafts. */
#include "trace/otf2/otf2.h"

#include <stdlib.h>

#include "base/list.h"

/* A message of more bytes is a mistake. */
#define BYTES_MOST ((uint64_t)INT32_MAX * 32)
#define NO_COMM    UINT32_MAX

#define REFUSE(r, WHAT, REMEDY)                                                                    \
    BAD_PLACE(("%s: rank %u, event %llu", (r)->world->path, (r)->me.rank,                          \
               (unsigned long long)(r)->event),                                                    \
              WHAT, REMEDY)
#define LOOK ("look at it with otf2-print")

weft_status otf2_drafts_init(struct otf2_drafts *n)
{
    *n = (struct otf2_drafts){.raw = NULL};
    TRY(recording_create(&n->raw));
    return paged_array_create(sizeof(struct otf2_late), &n->late);
}

void otf2_drafts_fini(struct otf2_drafts *n)
{
    recording_destroy(n->raw);
    paged_array_destroy(n->late);
}

void otf2_rank_begin(struct otf2_rank *r, const struct otf2_world *w, struct otf2_drafts *to,
                     uint32_t rank)
{
    *r = (struct otf2_rank){.world = w, .to = to, .me = {.world = w, .rank = rank}};
    slots_init(&r->slots, sizeof(struct otf2_request), offsetof(struct otf2_request, next));
}

void otf2_rank_drop(struct otf2_rank *r)
{
    map_fini(&r->me.positions);
    map_fini(&r->requests);
    slots_fini(&r->slots);
    free(r->wait);
}

/* ---- drafts ---- */

/* A call that has several does all of them at once. */
static void put_draft(struct otf2_rank *r, struct record *e)
{
    e->flags |= r->drafted ? RECORD_MORE : 0;
    r->drafted = true;
    recording_put(r->to->raw, r->me.rank, e);
}

/* Slots are free once a draft says that they were waited for. */
static void put_waits(struct otf2_rank *r)
{
    struct record e = {.kind = RECORD_WAIT, .list = r->wait, .listed = r->waits};
    if (r->waits)
        put_draft(r, &e);
    while (r->waits)
        slots_put(&r->slots, (uint32_t)r->wait[--r->waits]);
}

static void wait_for(struct otf2_rank *r, uint32_t slot)
{
    *LIST_ADD(r->wait, r->waits, r->wait_room) = slot;
}

/* ---- requests ---- */

static struct otf2_request *request_at(const struct otf2_rank *r, uint32_t slot)
{
    return (struct otf2_request *)r->slots.item + slot;
}

static struct otf2_late *late_of(struct otf2_rank *r, uint32_t slot)
{
    return paged_array_change(r->to->late, request_at(r, slot)->late);
}

static uint32_t start(struct otf2_rank *r, struct record *e)
{
    e->slot = slots_get(&r->slots);
    *request_at(r, e->slot) = (struct otf2_request){.late = r->to->lates++, .kind = e->kind};
    put_draft(r, e);
    return e->slot;
}

static weft_status open_request(struct otf2_rank *r, struct record *e, uint64_t id)
{
    if (map_find(&r->requests, id))
        return REFUSE(r, ("request %llu is begun twice", (unsigned long long)id), LOOK);
    uint32_t slot = start(r, e);
    *map_add(&r->requests, id, 0) = slot;
    return WEFT_OK;
}

/* It is over; the caller frees its slot, or waits for it. */
static weft_status close_request(struct otf2_rank *r, uint64_t id, enum record_kind kind,
                                 uint32_t *slot)
{
    uint32_t *found = map_find(&r->requests, id);
    if (!found || (kind != RECORD_END && request_at(r, *found)->kind != kind))
        return REFUSE(
            r, ("request %llu ends, but no such request was begun", (unsigned long long)id), LOOK);
    *slot = *found;
    map_drop(&r->requests, found);
    return WEFT_OK;
}

/* ---- calls ---- */

static enum otf2_region region_of(const struct otf2_rank *r)
{
    return r->deep ? (enum otf2_region)(r->region[r->deep - 1] & 0xff) : REGION_CALL;
}

static uint8_t mode_of(const struct otf2_rank *r)
{
    return r->deep ? (uint8_t)(r->region[r->deep - 1] >> 8) : SEND_STANDARD;
}

/* The time since the last call was computation. */
static void begin_call(struct otf2_rank *r)
{
    uint64_t gap = r->begun && r->now > r->left ? r->now - r->left : 0;
    gap = gap > r->excluded ? gap - r->excluded : 0;
    if (gap)
        recording_put(
            r->to->raw, r->me.rank,
            &(struct record){.kind = RECORD_SLEEP, .amount = (double)gap / r->world->ticks});
    r->drafted = false;
    r->made = NO_COMM;
}

static void put_sent(struct otf2_rank *r)
{
    if (r->sent.kind != RECORD_SEND)
        return;
    r->sent.kind = RECORD_START_SEND;
    wait_for(r, start(r, &r->sent));
}

static void end_call(struct otf2_rank *r, enum otf2_region region)
{
    put_sent(r);
    put_waits(r);
    if (!r->drafted && (region == REGION_TEST || region == REGION_PROBE))
        put_draft(r, &(struct record){.kind = RECORD_POLL});
    r->left = r->now;
    r->begun = region != REGION_FINALIZE;
    r->excluded = 0;
}

/* Events outside any call are calls of their own. */
static void begin_event(struct otf2_rank *r)
{
    if (!r->deep)
        begin_call(r);
}

static weft_status end_event(struct otf2_rank *r)
{
    if (!r->deep)
        end_call(r, REGION_CALL);
    return WEFT_OK;
}

weft_status otf2_rank_enter(struct otf2_rank *r, uint32_t ref)
{
    const uint32_t *sort = map_find(&r->world->regions, ref);
    if (!sort)
        return WEFT_OK;
    if ((*sort & 0xff) == REGION_NEIGHBOURS)
        return REFUSE(r, ("the neighbours of a collective operation are not told in OTF2"),
                      ("replay the program itself with weft mpirun"));
    if ((*sort & 0xff) == REGION_ONE_SIDED)
        return otf2_rank_one_sided(r);
    if (r->deep == REGIONS_DEEP)
        return REFUSE(r, ("more than %d calls of MPI are open", REGIONS_DEEP), LOOK);
    begin_event(r);
    r->region[r->deep++] = *sort;
    return WEFT_OK;
}

weft_status otf2_rank_leave(struct otf2_rank *r, uint32_t ref)
{
    const uint32_t *sort = map_find(&r->world->regions, ref);
    if (!sort)
        return WEFT_OK;
    if (!r->deep || r->region[r->deep - 1] != *sort)
        return REFUSE(r, ("a call of MPI is left that was not entered"), LOOK);
    enum otf2_region region = region_of(r);
    if (!--r->deep)
        end_call(r, region);
    return WEFT_OK;
}

/* A call that the trace ends in has done what it tells. */
void otf2_rank_end(struct otf2_rank *r)
{
    if (r->deep)
        end_call(r, REGION_CALL);
}

/* ---- the measurement itself ---- */

void otf2_rank_flush(struct otf2_rank *r, uint64_t until)
{
    if (!r->deep && until > r->now)
        r->excluded += until - r->now;
}

void otf2_rank_measures(struct otf2_rank *r, bool on)
{
    if (on && r->is_off && !r->deep && r->now > r->off)
        r->excluded += r->now - (r->off > r->left ? r->off : r->left);
    r->is_off = !on;
    r->off = r->now;
}

/* ---- messages ---- */

static weft_status find_comm(struct otf2_rank *r, uint32_t ref, uint32_t *comm, uint32_t *position,
                             unsigned *side)
{
    const uint32_t *number = map_find(&r->world->comms, ref);
    if (!number)
        return REFUSE(r, ("communicator %u is not defined", ref), LOOK);
    *comm = *number;
    if (!otf2_position(&r->me, *number, position, side))
        return REFUSE(r, ("the rank is no member of communicator %u", ref), LOOK);
    return WEFT_OK;
}

/* Peers of records are ranks of MPI_COMM_WORLD. */
static weft_status fill_message(struct otf2_rank *r, const struct otf2_message *m, struct record *e)
{
    uint32_t position;
    unsigned side;
    TRY(find_comm(r, m->comm, &e->comm, &position, &side));
    const struct recording_comm *c = recording_comm(r->world->to, e->comm);
    side = recording_has_two_sides(r->world->to, e->comm) ? !side : 0;
    uint32_t members = recording_members(r->world->to, e->comm, side);
    if (m->peer >= members)
        return REFUSE(r, ("rank %u of a communicator that has %u", m->peer, members), LOOK);
    if (m->tag > INT32_MAX || m->bytes > BYTES_MOST)
        return REFUSE(
            r, ("a message of %llu bytes with tag %u", (unsigned long long)m->bytes, m->tag),
            ("use at most %llu bytes and tag %d", (unsigned long long)BYTES_MOST, INT32_MAX));
    e->peer = (int32_t)(c                      ? c->side[side].member[m->peer]
                        : e->comm == COMM_SELF ? r->me.rank
                                               : m->peer);
    e->tag = m->tag;
    e->bytes = m->bytes;
    return WEFT_OK;
}

static void keep_late(struct otf2_rank *r, uint32_t slot, const struct record *e)
{
    *late_of(r, slot) = (struct otf2_late){.state = LATE_DONE,
                                           .operation = e->operation,
                                           .flags = e->flags,
                                           .comm = e->comm,
                                           .peer = e->peer,
                                           .tag = e->tag,
                                           .bytes = e->bytes,
                                           .other = e->other};
}

static void do_send(struct otf2_rank *r, struct record *e)
{
    e->mode = mode_of(r);
    if (region_of(r) == REGION_EXCHANGE) {
        put_sent(r); /* in case that there is another one */
        r->sent = *e;
    } else if (region_of(r) == REGION_START) {
        e->kind = RECORD_START_SEND; /* nobody tells when it ends */
        slots_put(&r->slots, start(r, e));
    } else {
        put_waits(r);
        put_draft(r, e);
    }
}

weft_status otf2_rank_send(struct otf2_rank *r, const struct otf2_message *m)
{
    struct record e = {.kind = RECORD_SEND};
    begin_event(r);
    TRY(fill_message(r, m, &e));
    do_send(r, &e);
    return end_event(r);
}

weft_status otf2_rank_receive(struct otf2_rank *r, const struct otf2_message *m)
{
    struct record e = {.kind = RECORD_RECEIVE};
    begin_event(r);
    TRY(fill_message(r, m, &e));
    if (region_of(r) == REGION_EXCHANGE) {
        struct record begin = {.kind = RECORD_START_RECEIVE};
        uint32_t slot = start(r, &begin);
        keep_late(r, slot, &e);
        wait_for(r, slot);
    } else {
        put_waits(r);
        put_draft(r, &e);
    }
    return end_event(r);
}

weft_status otf2_rank_start_send(struct otf2_rank *r, const struct otf2_message *m, uint64_t id)
{
    struct record e = {.kind = RECORD_START_SEND, .mode = mode_of(r)};
    begin_event(r);
    TRY(fill_message(r, m, &e));
    TRY(open_request(r, &e, id));
    return end_event(r);
}

weft_status otf2_rank_start_receive(struct otf2_rank *r, uint64_t id)
{
    struct record e = {.kind = RECORD_START_RECEIVE};
    begin_event(r);
    TRY(open_request(r, &e, id));
    return end_event(r);
}

weft_status otf2_rank_end_send(struct otf2_rank *r, uint64_t id)
{
    uint32_t slot = 0;
    begin_event(r);
    TRY(close_request(r, id, RECORD_START_SEND, &slot));
    wait_for(r, slot);
    return end_event(r);
}

weft_status otf2_rank_end_receive(struct otf2_rank *r, const struct otf2_message *m, uint64_t id)
{
    struct record e = {.kind = RECORD_START_RECEIVE};
    uint32_t slot = 0;
    begin_event(r);
    TRY(fill_message(r, m, &e));
    TRY(close_request(r, id, RECORD_START_RECEIVE, &slot));
    keep_late(r, slot, &e);
    wait_for(r, slot);
    return end_event(r);
}

weft_status otf2_rank_cancel(struct otf2_rank *r, uint64_t id)
{
    uint32_t slot = 0;
    TRY(close_request(r, id, RECORD_END, &slot));
    if (request_at(r, slot)->kind == RECORD_OPERATION)
        return REFUSE(r, ("a collective operation is cancelled"), LOOK);
    late_of(r, slot)->state = LATE_CANCELLED;
    slots_put(&r->slots, slot);
    return WEFT_OK;
}

/* ---- collective operations ---- */

/* What a replay has for it. *none: nothing. */
static unsigned operation_of(const struct otf2_rank *r, unsigned operation, bool *none)
{
    *none = operation == OTF2_FREES || (operation == OTF2_MAKES && region_of(r) == REGION_INIT);
    if (operation == OTF2_MEETS)
        return CALL_Barrier;
    return operation < CALLS ? operation : CALL_Allgather;
}

/* Who makes a communicator tell each other where they belong. */
static weft_status fill_collective(struct otf2_rank *r, const struct otf2_collective *c,
                                   struct record *e, bool *none)
{
    if (c->operation >= OTF2_UNKNOWN)
        return REFUSE(r, ("a collective operation of an unknown kind"), LOOK);
    bool makes = c->operation == OTF2_MAKES;
    uint32_t ref = c->comm, position;
    unsigned side;
    unsigned operation = operation_of(r, c->operation, none);
    if (makes && region_of(r) == REGION_BY_MEMBERS)
        ref = r->made;
    *none = *none || (c->operation >= CALLS && ref == NO_COMM);
    if (*none)
        return WEFT_OK;
    TRY(find_comm(r, ref, &e->comm, &position, &side));
    const struct collective_kind *kind = collective_of((enum call)operation);
    uint32_t n = recording_members(r->world->to, e->comm, 0);
    if (recording_has_two_sides(r->world->to, e->comm)) {
        *none = c->operation >= CALLS;
        return *none ? WEFT_OK
                     : REFUSE(r, ("the communicator of a collective operation has two sides"),
                              ("replay the program itself with weft mpirun"));
    }
    if (kind->root && c->root >= n)
        return REFUSE(r, ("root %u of a communicator that has %u", c->root, n), LOOK);
    e->operation = (uint16_t)operation;
    e->peer = kind->root ? (int32_t)c->root : 0;
    e->bytes = c->operation < CALLS ? c->sent : makes ? 8 * (uint64_t)n : 0;
    e->other = c->operation < CALLS ? c->received : e->bytes;
    r->to->listed |= collective_is_listed(kind);
    if (!otf2_sizes_fill(e, n, position))
        return REFUSE(r, ("a collective operation has more than %d bytes", INT32_MAX), LOOK);
    return WEFT_OK;
}

weft_status otf2_rank_collective(struct otf2_rank *r, const struct otf2_collective *c)
{
    struct record e = {.kind = RECORD_OPERATION};
    bool none;
    begin_event(r);
    TRY(fill_collective(r, c, &e, &none));
    if (!none) {
        put_waits(r);
        put_draft(r, &e);
    }
    return end_event(r);
}

weft_status otf2_rank_start_collective(struct otf2_rank *r, uint64_t id)
{
    struct record e = {.kind = RECORD_OPERATION, .flags = RECORD_LATER};
    begin_event(r);
    TRY(open_request(r, &e, id));
    late_of(r, e.slot)->other = r->event;
    return end_event(r);
}

weft_status otf2_rank_end_collective(struct otf2_rank *r, const struct otf2_collective *c,
                                     uint64_t id)
{
    struct record e = {.kind = RECORD_OPERATION};
    uint32_t slot = 0;
    bool none;
    begin_event(r);
    TRY(fill_collective(r, c, &e, &none));
    TRY(close_request(r, id, RECORD_OPERATION, &slot));
    keep_late(r, slot, &e);
    if (none) {
        late_of(r, slot)->state = LATE_CANCELLED;
        slots_put(&r->slots, slot);
    } else {
        wait_for(r, slot);
    }
    return end_event(r);
}

void otf2_rank_makes(struct otf2_rank *r, uint32_t comm)
{
    r->made = comm;
}

weft_status otf2_rank_one_sided(struct otf2_rank *r)
{
    return REFUSE(r, ("one-sided communication cannot be replayed"),
                  ("use a program that sends and receives"));
}
