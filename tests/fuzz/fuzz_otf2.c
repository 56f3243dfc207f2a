/* Any bytes as definitions and events of an OTF2 trace, as libotf2 would hand them over: our own
 * half of reading one. What is read must keep its word: records that can be taken from it one by
 * one, whose numbers are in their ranges, and requests that are waited for only once they were
 * started. */
#include "fuzz.h"

#include <stdbool.h>

#include "trace/otf2/otf2.h"

static void must(bool condition)
{
    if (!condition)
        abort();
}

/* ---- bytes as numbers ---- */

struct input {
    const uint8_t *at, *end;
};

static uint32_t byte(struct input *i)
{
    return i->at < i->end ? *i->at++ : 0;
}

/* Small ones, mostly; the highest stand for any. */
static uint64_t number(struct input *i)
{
    uint64_t value = byte(i);
    for (unsigned k = 0; value == 255 && k < 8; k++)
        value = value << 8 | byte(i);
    return value >> 8 ? value * 0x9e3779b97f4a7c15u : value;
}

/* ---- definitions ---- */

static void define(struct otf2_world *w, struct input *i)
{
    static const char *const names[] = {
        "MPI_Send",
        "MPI_Isend",
        "MPI_Issend()",
        "mpi_bsend_",
        "MPI_Sendrecv",
        "MPI_Test",
        "MPI_Waitall",
        "MPI_Init",
        "MPI_Finalize",
        "MPI_Comm_create_group",
        "MPI_Iprobe",
        "MPI_Startall",
        "main",
        "MPI_Recv",
        "MPI_COMM_WORLD",
        "MPI_Put",
        "MPI_Neighbor_alltoall",
    };
    uint64_t member[16];
    for (unsigned k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
        otf2_world_string(w, k, names[k]);
        otf2_world_region(w, k, k, k % 2);
    }
    w->ticks = (double)number(i);
    for (uint32_t n = byte(i) % 8; n; n--) {
        uint32_t ref = byte(i) % 8, sort = byte(i) % 4, members = byte(i) % 16;
        for (uint32_t k = 0; k < members; k++)
            member[k] = number(i);
        otf2_world_group(w, ref, (enum otf2_group_sort)sort, member, members);
    }
    for (uint32_t n = byte(i) % 8; n; n--) {
        struct otf2_comm c = {.ref = byte(i) % 8, .name = byte(i), .two = byte(i) % 4 == 0};
        c.group[0] = byte(i) % 8;
        c.group[1] = byte(i) % 8;
        otf2_world_comm(w, &c);
    }
}

/* ---- events ---- */

static struct otf2_message message(struct input *i)
{
    struct otf2_message m = {.peer = (uint32_t)number(i), .comm = byte(i) % 8};
    m.tag = (uint32_t)number(i);
    m.bytes = number(i);
    return m;
}

/* One of those that a replay has, or of OTF2's own. */
static unsigned operation(struct input *i)
{
    const struct collective_kind *kind;
    unsigned calls[32], count = 0;
    for (unsigned k = 0; (kind = collective_at(k)); k++)
        if (kind->action && !kind->replayed_as)
            calls[count++] = kind->call;
    unsigned which = byte(i) % (count + OTF2_UNKNOWN + 1 - OTF2_MAKES);
    return which < count ? calls[which] : OTF2_MAKES + which - count;
}

static struct otf2_collective collective(struct input *i)
{
    struct otf2_collective c = {.operation = operation(i), .comm = byte(i) % 8};
    c.root = (uint32_t)number(i);
    c.sent = number(i);
    c.received = number(i);
    return c;
}

static weft_status event(struct otf2_rank *r, struct input *i)
{
    uint32_t what = byte(i) % 18;
    struct otf2_message m = {.peer = 0};
    struct otf2_collective c = {.operation = 0};
    if (what == 2 || what == 3 || what == 4 || what == 7)
        m = message(i);
    if (what == 9 || what == 11)
        c = collective(i);
    switch (what) {
    case 0:
        return otf2_rank_enter(r, byte(i) % 18);
    case 1:
        return otf2_rank_leave(r, byte(i) % 18);
    case 2:
        return otf2_rank_send(r, &m);
    case 3:
        return otf2_rank_receive(r, &m);
    case 4:
        return otf2_rank_start_send(r, &m, number(i));
    case 5:
        return otf2_rank_start_receive(r, number(i));
    case 6:
        return otf2_rank_end_send(r, number(i));
    case 7:
        return otf2_rank_end_receive(r, &m, number(i));
    case 8:
        return otf2_rank_cancel(r, number(i));
    case 9:
        return otf2_rank_collective(r, &c);
    case 10:
        return otf2_rank_start_collective(r, number(i));
    case 11:
        return otf2_rank_end_collective(r, &c, number(i));
    case 12:
        otf2_rank_makes(r, byte(i) % 8);
        return WEFT_OK;
    case 13:
        otf2_rank_flush(r, number(i));
        return WEFT_OK;
    case 14:
        otf2_rank_measures(r, byte(i) % 2);
        return WEFT_OK;
    case 15: /* leaves what is open, as most that is entered is left */
        return r->deep ? otf2_rank_leave(r, 13) : WEFT_OK;
    case 16:
        return byte(i) % 64 ? WEFT_OK : otf2_rank_one_sided(r);
    default:
        r->now += number(i);
        return WEFT_OK;
    }
}

static weft_status read_rank(struct otf2_world *w, struct otf2_drafts *drafts, uint32_t rank,
                             struct input *i)
{
    struct otf2_rank r;
    weft_status status = WEFT_OK;
    uint64_t now = 0, count = 0;
    otf2_rank_begin(&r, w, drafts, rank);
    for (uint32_t left = (uint32_t)number(i) & 0xffff; left && i->at < i->end && status == WEFT_OK;
         left--) {
        now += byte(i);
        otf2_rank_at(&r, ++count, now);
        status = event(&r, i);
    }
    if (status == WEFT_OK)
        otf2_rank_end(&r);
    otf2_rank_drop(&r);
    return status;
}

static weft_status read_all(struct otf2_world *w, struct otf2_drafts *drafts, struct input *i)
{
    weft_status status = otf2_world_settle(w);
    if (status == WEFT_OK)
        status = otf2_drafts_init(drafts);
    for (uint32_t rank = 0; status == WEFT_OK && rank < w->to->ranks; rank++)
        status = read_rank(w, drafts, rank, i);
    return status == WEFT_OK ? otf2_finish(w, drafts) : status;
}

/* ---- what was read ---- */

static uint32_t members_of(const struct recording *r, uint32_t comm)
{
    if (comm < COMM_FIRST)
        return comm == COMM_SELF ? 1 : r->ranks;
    must(comm - COMM_FIRST < r->comms);
    return r->comm[comm - COMM_FIRST].side[0].members;
}

static void check_message(const struct recording *r, const struct record *e)
{
    must(e->peer >= 0 && (uint32_t)e->peer < r->ranks && e->tag <= INT32_MAX);
    must(e->mode <= SEND_READY && e->bytes <= (uint64_t)INT32_MAX * 32);
    (void)members_of(r, e->comm);
}

static void check_operation(const struct recording *r, const struct record *e)
{
    uint32_t members = members_of(r, e->comm);
    uint64_t sum[2] = {0, 0};
    bool two = e->operation == CALL_Alltoallv;
    bool listed = e->operation == CALL_Gatherv || e->operation == CALL_Scatterv ||
                  e->operation == CALL_Allgatherv || two || e->operation == CALL_Reduce_scatter ||
                  e->operation == CALL_Reduce_scatter_block;
    const struct collective_kind *kind = record_collective(e);
    must(kind && kind->action && e->peer >= 0 && (uint32_t)e->peer < members);
    must(e->comm < COMM_FIRST || !r->comm[e->comm - COMM_FIRST].side[1].members);
    must(e->listed == (listed ? (two ? 2 : 1) * members : 0));
    must(e->bytes <= INT32_MAX && e->other <= INT32_MAX);
    for (uint32_t i = 0; i < e->listed; i++)
        sum[i / members] += e->list[i];
    if (e->operation != CALL_Reduce_scatter_block)
        must(sum[0] <= INT32_MAX && sum[1] <= INT32_MAX);
    must(kind->combines == (e->op && e->type));
}

enum { SLOTS = 1 << 16 };

static void check_rank(const struct recording *r, uint32_t rank)
{
    static bool open[SLOTS];
    bool member[16] = {true, true}, call = false;
    struct record_reader in;
    struct record e;
    memset(open, 0, sizeof(open));
    record_open(&in, r, rank);
    for (record_next(&in, &e); e.kind != RECORD_END; record_next(&in, &e)) {
        bool later = e.kind == RECORD_OPERATION && (e.flags & RECORD_LATER);
        bool outside = e.kind == RECORD_SLEEP || e.kind == RECORD_COMM;
        must(call || outside || !(e.flags & RECORD_MORE)); /* something begins each call */
        call = (call || !outside) && e.kind != RECORD_SLEEP;
        if (e.kind == RECORD_COMM)
            member[e.comm] = true;
        must(e.comm < 16 && member[e.comm]);
        if (e.kind >= RECORD_SEND && e.kind <= RECORD_START_RECEIVE)
            check_message(r, &e);
        if (e.kind == RECORD_OPERATION)
            check_operation(r, &e);
        if (e.kind == RECORD_START_SEND || e.kind == RECORD_START_RECEIVE || later) {
            must(e.slot < SLOTS && (!later || r->nonblocking));
            open[e.slot] = true;
        }
        for (uint32_t i = 0; e.kind == RECORD_WAIT && i < e.listed; i++) {
            must(e.list[i] < SLOTS && open[e.list[i]]);
            open[e.list[i]] = false;
        }
        must(e.amount >= 0);
    }
    record_close(&in);
}

int fuzz_otf2(const uint8_t *data, size_t size)
{
    struct input in = {data, data + size};
    struct recording *to;
    struct otf2_world w;
    struct otf2_drafts drafts = {.raw = NULL};
    must(recording_create(&to) == WEFT_OK);
    otf2_world_init(&w, "trace", to);
    define(&w, &in);
    if (read_all(&w, &drafts, &in) != WEFT_OK) {
        must(weft_last_error()[0] != '\0' && !strchr(weft_last_error(), '\n'));
    } else {
        must(recording_seal(to) == WEFT_OK);
        for (uint32_t rank = 0; rank < to->ranks; rank++)
            check_rank(to, rank);
    }
    otf2_drafts_fini(&drafts);
    otf2_world_fini(&w);
    recording_destroy(to);
    return 0;
}
