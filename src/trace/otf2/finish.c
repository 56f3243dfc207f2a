/*
 * Drafts, finished: what became of the things that they begin is put in, and the sizes of those
 * operations whose members have different ones. For these, every member's sizes are laid down
 * first, in rows:
 *
 *   row of the nth such operation of a communicator: | sent, received | of member 0, 1, 2, ...
 *
 * Operations of a communicator happen in one order, as MPI has it, so that all members count alike.
 * Rows lie in a paged array, in pieces that double: a communicator has few, however many rows it
 * has.
 */
#include "trace/otf2/otf2.h"

#include <stdlib.h>

#include "base/memory.h"

enum { PIECES = 40, FIRST_ROWS = 16 };

struct rows {
    uint64_t piece[PIECES]; /* index of its first element, plus 1; 0: there is none */
};

struct finish {
    struct otf2_world *w;
    struct otf2_drafts *drafts;
    struct paged_array *sizes; /* of struct otf2_sizes */
    uint64_t used;
    struct rows **rows; /* [communicator] */
    /* Of the rank at hand. */
    struct otf2_member me;
    struct map counts; /* communicator: its rows so far */
    struct map joined; /* communicator: it is a member by now */
    uint64_t late;     /* the next one */
    bool lost;         /* the first record of the call at hand is left out */
    struct otf2_sizes *row;
    uint64_t *list;
};

/* ---- rows ---- */

/* The index of the first element of a communicator's next row. Counts are of 32 bits: it has fewer
 * rows. */
static uint64_t next_row(struct finish *f, uint32_t comm, uint32_t n)
{
    unsigned piece = 0;
    uint64_t rows = FIRST_ROWS, row = (*map_add(&f->counts, comm, 0))++;
    for (; row >= rows; row -= rows, rows *= 2)
        piece++;
    if (!f->rows[comm])
        f->rows[comm] = memory_alloc(1, sizeof(**f->rows));
    uint64_t *first = &f->rows[comm]->piece[piece];
    if (!*first) {
        *first = f->used + 1;
        f->used += rows * n;
    }
    return *first - 1 + row * n;
}

/* ---- drafts ---- */

/* *gone: it came to nothing. A send may be left to itself, and a receive was then of no use. */
static weft_status complete(struct finish *f, struct record *e, bool *gone)
{
    bool operates = e->kind == RECORD_OPERATION;
    *gone = false;
    if (e->kind != RECORD_START_SEND && e->kind != RECORD_START_RECEIVE &&
        !(operates && (e->flags & RECORD_LATER)))
        return WEFT_OK;
    struct otf2_late l = *(const struct otf2_late *)paged_array_read(f->drafts->late, f->late++);
    *gone = l.state == LATE_CANCELLED;
    if (*gone || e->kind == RECORD_START_SEND)
        return WEFT_OK;
    *gone = l.state == LATE_OPEN;
    if (*gone && operates)
        return BAD_PLACE(
            ("%s: rank %u, event %llu", f->w->path, f->me.rank, (unsigned long long)l.other),
            ("a collective operation is begun, and never ends"),
            ("trace the program up to MPI_Finalize"));
    if (*gone)
        return WEFT_OK;
    e->comm = l.comm;
    e->peer = l.peer;
    e->tag = l.tag;
    e->bytes = l.bytes;
    e->other = l.other;
    e->operation = l.operation;
    e->flags |= l.flags;
    return WEFT_OK;
}

static bool is_row(const struct record *e)
{
    return e->kind == RECORD_OPERATION && collective_is_listed(record_collective(e));
}

/* First pass: what this rank says of its operations. */
static weft_status lay_down(struct finish *f, struct record *e)
{
    uint32_t position;
    unsigned side;
    if (!is_row(e) || !otf2_position(&f->me, e->comm, &position, &side))
        return WEFT_OK;
    uint32_t n = recording_members(f->w->to, e->comm, 0);
    struct otf2_sizes *s = paged_array_change(f->sizes, next_row(f, e->comm, n) + position);
    *s = (struct otf2_sizes){e->bytes, e->other};
    return WEFT_OK;
}

/* ---- records ---- */

static weft_status fill_list(struct finish *f, struct record *e)
{
    uint32_t position, n = recording_members(f->w->to, e->comm, 0);
    unsigned side;
    otf2_position(&f->me, e->comm, &position, &side);
    if (!is_row(e)) { /* a reduce-scatter of equal blocks */
        for (uint32_t i = 0; i < n; i++)
            f->list[i] = e->bytes;
        e->list = f->list;
        e->listed = n;
        return WEFT_OK;
    }
    uint64_t row = next_row(f, e->comm, n);
    for (uint32_t i = 0; i < n; i++)
        f->row[i] = *(const struct otf2_sizes *)paged_array_read(f->sizes, row + i);
    if (otf2_sizes_list(e, f->row, n, position, f->list))
        return WEFT_OK;
    return BAD_PLACE(("%s: rank %u", f->w->path, f->me.rank),
                     ("members of a collective operation have more than %d bytes", INT32_MAX),
                     ("look at it with otf2-print"));
}

/* Second pass. */
static weft_status put_record(struct finish *f, struct record *e)
{
    if (e->kind == RECORD_OPERATION) {
        if (record_is_listed(record_collective(e)))
            TRY(fill_list(f, e));
        otf2_sizes_combine(e);
        f->w->to->nonblocking |= (e->flags & RECORD_LATER) != 0;
    }
    /* Ranks are members of a communicator from where they first use it. */
    struct record joins = {.kind = RECORD_COMM, .comm = e->comm, .flags = e->flags & RECORD_MORE};
    if (e->comm >= COMM_FIRST && !map_find(&f->joined, e->comm)) {
        map_add(&f->joined, e->comm, 1);
        recording_put(f->w->to, f->me.rank, &joins);
    }
    recording_put(f->w->to, f->me.rank, e);
    return WEFT_OK;
}

/* ---- passes ---- */

static weft_status pass_rank(struct finish *f,
                             weft_status (*body)(struct finish *, struct record *))
{
    struct record_reader in;
    struct record e;
    weft_status status = WEFT_OK;
    bool gone;
    f->lost = false;
    record_open(&in, f->drafts->raw, f->me.rank);
    for (record_next(&in, &e); e.kind != RECORD_END && status == WEFT_OK; record_next(&in, &e)) {
        status = complete(f, &e, &gone);
        bool more = e.flags & RECORD_MORE;
        if (status == WEFT_OK && gone)
            f->lost = !more || f->lost;
        if (status != WEFT_OK || gone)
            continue;
        /* The first that is left of a call begins it. */
        if (f->lost && more)
            e.flags &= (uint8_t)~RECORD_MORE;
        f->lost = false;
        status = body(f, &e);
    }
    record_close(&in);
    return status;
}

static weft_status pass(struct finish *f, weft_status (*body)(struct finish *, struct record *))
{
    weft_status status = WEFT_OK;
    f->late = 0;
    for (uint32_t i = 0; i < f->w->to->ranks && status == WEFT_OK; i++) {
        protected_call_poll();
        f->me = (struct otf2_member){.world = f->w, .rank = i};
        status = pass_rank(f, body);
        map_fini(&f->me.positions);
        map_fini(&f->counts);
        map_fini(&f->joined);
    }
    return status;
}

static weft_status run(struct finish *f)
{
    TRY(recording_seal(f->drafts->raw));
    TRY(paged_array_create(sizeof(struct otf2_sizes), &f->sizes));
    if (f->drafts->listed)
        TRY(pass(f, lay_down));
    TRY(pass(f, put_record));
    TRY(paged_array_check(f->sizes));
    return paged_array_check(f->drafts->late);
}

weft_status otf2_finish(struct otf2_world *w, struct otf2_drafts *drafts)
{
    size_t comms = (size_t)w->to->comms + COMM_FIRST, ranks = w->to->ranks;
    struct finish f = {.w = w,
                       .drafts = drafts,
                       .rows = memory_alloc(comms, sizeof(*f.rows)),
                       .row = memory_alloc(ranks, sizeof(*f.row)),
                       .list = memory_alloc(2 * ranks, sizeof(*f.list))};
    weft_status status = run(&f);
    for (size_t i = 0; i < comms; i++)
        free(f.rows[i]);
    free(f.rows);
    free(f.row);
    free(f.list);
    paged_array_destroy(f.sizes);
    return status;
}
