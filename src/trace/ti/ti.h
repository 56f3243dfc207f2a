/*
 * A line of a time-independent trace, while it is read: what ti.c, which goes through lines and
 * files, shares with the files that know arguments, messages and collective operations.
 */
#ifndef WEFT_TRACE_TI_TI_H
#define WEFT_TRACE_TI_TI_H

#include "base/map.h"
#include "trace/record.h"
#include "trace/requests.h"
#include "trace/line_reader.h"

#define TI_FORM "write RANK ACTION ARGUMENTS, as SimGrid does"

/* What is known of a rank while its lines are read. */
struct ti_rank {
    struct trace_requests requests;
    uint64_t *waits; /* slots that its last lines have waited for, in one call */
    uint32_t wait_count, wait_room;
    uint8_t wait_flags;
    uint32_t operations; /* nonblocking ones, so far */
    bool seen, ended;
};

struct ti {
    struct recording *to;
    struct line_reader w;
    struct ti_rank *rank;
    bool old;                 /* without tags */
    const struct type *usual; /* type of what says none */
    struct map comms;         /* numbers of communicators, as the file has them */
    /* The current line: */
    uint32_t me, numbers, options; /* fields that are numbers; where others begin */
    struct record e;
    uint64_t *list;
    uint32_t list_room;
};

/* ---- arguments of the action, counted from 0 ---- */

weft_status ti_real(const struct ti *t, uint32_t index, const char *what, double *value);
weft_status ti_whole(const struct ti *t, uint32_t index, const char *what, int64_t least,
                     int64_t most, int64_t *value);
weft_status ti_peer_at(struct ti *t, uint32_t index, bool receives, int32_t *peer);
weft_status ti_tag_at(struct ti *t, uint32_t index, bool receives, uint32_t *tag);
weft_status ti_type_at(struct ti *t, uint32_t index, const struct type **type);
weft_status ti_size_at(struct ti *t, uint32_t index, const struct type *type, uint64_t *bytes);

/* Whether a peer is MPI_PROC_NULL. */
static inline bool ti_is_null(int32_t peer)
{
    return peer < PEER_ANY;
}

/* Weft's own options, behind the arguments. */
weft_status ti_read_options(struct ti *t);

/* ---- records ---- */

/* Appends the line's record, WEFT_OK; and what the rank's lines before have waited for. */
weft_status ti_put(struct ti *t);
void ti_put_waits(struct ti *t, uint32_t rank);

/* What a request is looked up by: its sort, and with whom. */
enum request_sort { SORT_SEND = 1, SORT_RECEIVE, SORT_OPERATION };
uint64_t ti_key_of(enum request_sort sort, uint32_t comm, int32_t peer);

/* ---- actions ---- */

/* t->e has the kind and flags of the record that they make. */
weft_status ti_message(struct ti *t); /* a send or receive, or the start of one */
weft_status ti_exchange(struct ti *t);
weft_status ti_probe(struct ti *t);
weft_status ti_wait(struct ti *t);
weft_status ti_test(struct ti *t);
weft_status ti_wait_all(struct ti *t);

weft_status ti_operation(struct ti *t, const struct collective_kind *kind, bool later);
weft_status ti_split(struct ti *t);

#endif
