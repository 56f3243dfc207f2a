/* Collective operations and communicators of a time-independent trace. */
#include "trace/ti/ti.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text/number.h"

/* ---- collective operations ---- */

static uint32_t members_of(const struct ti *t)
{
    return recording_members(t->to, t->e.comm, 0);
}

static weft_status root_at(struct ti *t, uint32_t index)
{
    int64_t root = 0;
    uint32_t members = members_of(t);
    if (index < t->numbers)
        TRY(ti_whole(t, index, "root", 0, (int64_t)members - 1, &root));
    t->e.peer = (int32_t)root;
    return WEFT_OK;
}

/* Sizes for each member, from an argument on; they go to the end of the list. */
static weft_status sizes_at(struct ti *t, uint32_t index, const struct type *type)
{
    uint32_t members = members_of(t);
    uint64_t sum = 0;
    LIST_RESERVE(t->list, t->e.listed + members, t->list_room);
    t->e.list = t->list;
    for (uint32_t i = 0; i < members; i++) {
        uint64_t *size = &t->list[t->e.listed++];
        TRY(ti_size_at(t, index + i, type, size));
        sum += *size;
    }
    if (sum > INT32_MAX)
        return LINE_REFUSE(&t->w, 2 + index,
                           ("these sizes add up to %llu bytes", (unsigned long long)sum),
                           ("use at most %d", INT32_MAX));
    return WEFT_OK;
}

/* An element is of whole basic ones, and a vector of whole elements. */
static weft_status check_elements(const struct ti *t, uint64_t bytes)
{
    unsigned basic = (unsigned)basics_find(t->e.type)->size;
    unsigned each = t->e.element ? t->e.element : basic;
    if (each % basic == 0 && bytes % each == 0)
        return WEFT_OK;
    return LINE_REFUSE(&t->w, 2,
                       ("%llu bytes are no elements of %u, or those not of %u",
                        (unsigned long long)bytes, each, basic),
                       ("use multiples"));
}

/* A reduction works on elements; bytes that come in eights or fours are taken as such. */
static weft_status take_elements(struct ti *t, const struct type *type, uint64_t bytes,
                                 uint32_t amount)
{
    if (amount < t->numbers)
        TRY(ti_real(t, amount, "amount", &t->e.amount));
    if (t->e.op)
        return check_elements(t, bytes);
    record_guess_elements(&t->e, bytes);
    if (type->size > 1)
        t->e.type = (uint16_t)type->handle;
    return WEFT_OK;
}

/* The work of a reduction, which is counted apart from its messages. */
static weft_status put_operation(struct ti *t)
{
    struct ti_rank *r = &t->rank[t->me];
    t->e.kind = RECORD_OPERATION;
    if (t->e.flags & RECORD_LATER) {
        t->e.slot = requests_add(&r->requests, ti_key_of(SORT_OPERATION, 0, 0), r->operations++);
        t->to->nonblocking = true;
    }
    ti_put(t);
    t->e = (struct record){.kind = RECORD_COMPUTE, .amount = t->e.amount};
    return t->e.amount > 0 ? ti_put(t) : WEFT_OK;
}

/* Sizes that go out and come in: "OUT IN [ROOT] [TYPE TYPE]" */
static weft_status two_sizes(struct ti *t, bool root)
{
    const struct type *out, *in;
    if (root)
        TRY(root_at(t, 2));
    TRY(ti_type_at(t, 2 + root, &out));
    TRY(ti_type_at(t, 3 + root, &in));
    TRY(ti_size_at(t, 0, out, &t->e.bytes));
    return ti_size_at(t, 1, in, &t->e.other);
}

/* "OUT IN IN ... [ROOT] [TYPE TYPE]"; of a scatter "OUT OUT ... IN [ROOT] [TYPE TYPE]" */
static weft_status one_and_sizes(struct ti *t, bool root, bool scatter)
{
    const struct type *type[2];
    uint32_t members = members_of(t), behind = members + 1 + root;
    if (root)
        TRY(root_at(t, members + 1));
    /* Displacements, if there are any, matter to nobody. */
    uint32_t types = t->numbers > behind + 2 ? t->numbers : behind;
    if (t->numbers > behind + members)
        types = behind;
    for (unsigned i = 0; i < 2; i++)
        TRY(ti_type_at(t, types + i, &type[i]));
    TRY(sizes_at(t, scatter ? 0 : 1, type[!scatter]));
    return ti_size_at(t, scatter ? members : 0, type[scatter], &t->e.bytes);
}

/* "ALL OUT OUT ... ALL IN IN ... [TYPE TYPE]" */
static weft_status do_alltoallv(struct ti *t)
{
    const struct type *out, *in;
    uint32_t members = members_of(t);
    TRY(ti_type_at(t, 2 * members + 2, &out));
    TRY(ti_type_at(t, 2 * members + 3, &in));
    TRY(sizes_at(t, 1, out));
    return sizes_at(t, members + 2, in);
}

/* "SIZE AMOUNT [ROOT] [TYPE]" */
static weft_status do_reduction(struct ti *t, bool root)
{
    const struct type *type;
    if (root)
        TRY(root_at(t, 2));
    TRY(ti_type_at(t, 2 + root, &type));
    TRY(ti_size_at(t, 0, type, &t->e.bytes));
    return take_elements(t, type, t->e.bytes, 1);
}

/* "SIZE SIZE ... AMOUNT [TYPE]" */
static weft_status do_reduce_scatter(struct ti *t)
{
    const struct type *type;
    uint32_t members = members_of(t);
    uint64_t all = 0;
    TRY(ti_type_at(t, members + 1, &type));
    TRY(sizes_at(t, 0, type));
    for (uint32_t i = 0; i < members; i++)
        all |= t->list[i];
    return take_elements(t, type, all, members);
}

static weft_status read_operation(struct ti *t, const struct collective_kind *kind)
{
    bool out = layout_is_listed(kind->out), in = layout_is_listed(kind->in);
    const struct type *type;
    if (kind->combines)
        return kind->out == LAYOUT_VECTOR ? do_reduce_scatter(t) : do_reduction(t, kind->root);
    if (out && in)
        return do_alltoallv(t);
    if (out || in)
        return one_and_sizes(t, kind->root, out);
    if (kind->out)
        return two_sizes(t, kind->root);
    if (!kind->in)
        return WEFT_OK;
    TRY(root_at(t, 1));
    TRY(ti_type_at(t, 2, &type));
    return ti_size_at(t, 0, type, &t->e.bytes);
}

weft_status ti_operation(struct ti *t, const struct collective_kind *kind, bool later)
{
    t->e.operation = (uint16_t)collective_replayed(kind);
    t->e.flags |= later ? RECORD_LATER : 0;
    if (recording_has_two_sides(t->to, t->e.comm))
        return LINE_REFUSE(&t->w, 1, ("the communicator has two sides"),
                           ("write the operation as messages"));
    TRY(read_operation(t, kind));
    return put_operation(t);
}

/* ---- communicators ---- */

/* "0-14/2" or "3,1,17" */
static weft_status read_members(struct ti *t, uint32_t at, struct recording_side *s)
{
    const char *c = t->w.field[at];
    uint32_t room = 0;
    for (bool more = true; more;) {
        unsigned first, last, stride = 1;
        int length = 0;
        bool good = sscanf(c, "%7u%n", &first, &length) == 1;
        c += good ? length : 0;
        last = first;
        if (good && *c == '-' && (good = sscanf(c, "-%7u%n", &last, &length) == 1))
            c += length;
        if (good && *c == '/' && (good = sscanf(c, "/%7u%n", &stride, &length) == 1))
            c += length;
        more = good && *c == ',';
        if (!good || (*c && !more) || last < first || !stride || last >= t->to->ranks)
            return LINE_REFUSE(&t->w, at, ("'%.40s' is no list of members", t->w.field[at]),
                               ("write 0-14/2 or 3,1,17, of ranks 0 to %u", t->to->ranks - 1));
        for (uint64_t i = first; i <= last; i += stride) {
            if (s->members == t->to->ranks)
                return LINE_REFUSE(&t->w, at, ("a member is listed twice"), ("list it once"));
            *LIST_ADD(s->member, s->members, room) = (uint32_t)i;
        }
        c += more;
    }
    return WEFT_OK;
}

/* All members of both sides differ. */
static bool are_different(const struct recording_comm *c)
{
    struct map seen = {.entry = NULL};
    for (unsigned k = 0; k < 2; k++)
        for (uint32_t i = 0; i < c->side[k].members; i++)
            map_add(&seen, c->side[k].member[i], 0);
    bool different = seen.count == c->side[0].members + c->side[1].members;
    map_fini(&seen);
    return different;
}

static weft_status new_comm(struct ti *t, uint64_t number)
{
    struct recording *to = t->to;
    struct recording_comm c = {.side = {{.member = NULL}}};
    weft_status status = WEFT_OK;
    for (uint32_t i = 3; i < t->w.count && i < 5 && status == WEFT_OK; i++)
        status = read_members(t, i, &c.side[i - 3]);
    if (status == WEFT_OK && !are_different(&c))
        status = LINE_REFUSE(&t->w, 3, ("a member is listed twice"), ("list it once"));
    if (status != WEFT_OK) {
        free(c.side[0].member);
        free(c.side[1].member);
        return status;
    }
    *map_add(&t->comms, number, 0) = COMM_FIRST + to->comms;
    *LIST_ADD(to->comm, to->comms, to->comm_room) = c;
    return WEFT_OK;
}

/* SimGrid's has no arguments, and does nothing. */
weft_status ti_split(struct ti *t)
{
    int64_t number;
    uint32_t position;
    unsigned side;
    if (strcmp(t->w.field[t->w.count - 1], "more") == 0) {
        t->e.flags |= RECORD_MORE;
        t->w.count--;
    }
    if (t->w.count == 2)
        return WEFT_OK;
    if (!number_integer(t->w.field[2], &number) || number < 0 || number >= UINT32_MAX / 8)
        return LINE_REFUSE(&t->w, 2, ("'%.40s' is no communicator", t->w.field[2]),
                           ("use a number from 0 on"));
    uint32_t *known = map_find(&t->comms, (uint64_t)number);
    if (!known && t->w.count < 4)
        return LINE_REFUSE(&t->w, 2, ("communicator %lld has no members", (long long)number),
                           ("list them where it is first mentioned"));
    if (!known)
        TRY(new_comm(t, (uint64_t)number));
    t->e.comm = *map_find(&t->comms, (uint64_t)number);
    if (!recording_find(recording_comm(t->to, t->e.comm), t->me, &position, &side))
        return LINE_REFUSE(&t->w, 0,
                           ("rank %u is no member of communicator %lld", t->me, (long long)number),
                           ("list it among its members"));
    t->e.kind = RECORD_COMM;
    return ti_put(t);
}
