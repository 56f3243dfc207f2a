/*
 * The events of one rank of an OTF2 trace, one after the other, as draft records of what it did.
 *
 * OTF2 tells what a receive or a nonblocking operation was about only where it ended. A draft that
 * begins one is therefore unfinished: the rest goes to a paged array, by the number of the draft,
 * and otf2_finish() puts both together. Memory grows with what a rank has open at a time, not with
 * the trace.
 */
#ifndef WEFT_TRACE_OTF2_RANK_H
#define WEFT_TRACE_OTF2_RANK_H

#include "trace/otf2/world.h"
#include "trace/otf2/paged_array.h"

enum late_state { LATE_OPEN, LATE_DONE, LATE_CANCELLED };

/* What became of a draft that begins something. */
struct otf2_late {
    uint64_t bytes, other; /* of an operation that is open, `other`: the event that began it */
    uint32_t comm;
    int32_t peer;
    uint32_t tag;
    uint8_t state, flags;
    uint16_t operation;
};

struct otf2_drafts {
    struct recording *raw;
    struct paged_array *late; /* one for every draft that has a slot, in their order */
    uint64_t lates;
    uint64_t *first; /* [rank]: the first of its own */
    bool listed;     /* there are operations whose members have different sizes */
};

weft_status otf2_drafts_init(struct otf2_drafts *n, uint32_t ranks);
void otf2_drafts_fini(struct otf2_drafts *n);

enum { REGIONS_DEEP = 64 };

struct otf2_request {
    uint64_t late;
    enum record_kind kind;
};

struct otf2_rank {
    const struct otf2_world *world;
    struct otf2_drafts *to;
    struct otf2_member me;
    uint64_t event, now; /* number and time of the event at hand */
    /* Calls of MPI that are open, the innermost last. */
    uint32_t region[REGIONS_DEEP], deep;
    bool drafted;  /* the call has a draft */
    uint32_t made; /* the communicator that it has made, by its reference; */
    bool has_made; /* if any */
    bool has_sent; /* an exchange, whose message is `sent` */
    struct record sent;
    /* Time outside calls. */
    uint64_t left;     /* when the last one was left, */
    bool begun;        /* if there was one */
    uint64_t excluded; /* ticks since, that were the measurement's own */
    uint64_t off;      /* when it was switched off, */
    bool is_off;       /* if it is */
    /* Requests, by slots. */
    struct map requests; /* number in the trace: slot */
    struct otf2_request *request;
    uint32_t slots, *spare, spares;
    uint64_t *wait; /* slots that the call has waited for */
    uint32_t waits, wait_room;
};

/* Ranks are read one after the other, each from its first event to its last. */
void otf2_rank_begin(struct otf2_rank *r, const struct otf2_world *w, struct otf2_drafts *to,
                     uint32_t rank);
void otf2_rank_end(struct otf2_rank *r);
void otf2_rank_drop(struct otf2_rank *r); /* after either, or after a complaint */

/* Which event the next call is about. */
static inline void otf2_rank_at(struct otf2_rank *r, uint64_t event, uint64_t now)
{
    r->event = event;
    r->now = now;
}

/* A message as an event has it: its peer is a rank of the communicator. */
struct otf2_message {
    uint32_t peer, comm, tag;
    uint64_t bytes;
};

/* An operation; of those that only make or free something, no call says which. */
enum otf2_operation { OTF2_MAKES = CALLS, OTF2_FREES, OTF2_MEETS, OTF2_UNKNOWN };

struct otf2_collective {
    unsigned operation; /* the blocking enum call, or enum otf2_operation */
    uint32_t comm, root;
    uint64_t sent, received;
};

weft_status otf2_rank_enter(struct otf2_rank *r, uint32_t region);
weft_status otf2_rank_leave(struct otf2_rank *r, uint32_t region);
void otf2_rank_flush(struct otf2_rank *r, uint64_t until);
void otf2_rank_measures(struct otf2_rank *r, bool on);
weft_status otf2_rank_send(struct otf2_rank *r, const struct otf2_message *m);
weft_status otf2_rank_receive(struct otf2_rank *r, const struct otf2_message *m);
weft_status otf2_rank_start_send(struct otf2_rank *r, const struct otf2_message *m, uint64_t id);
weft_status otf2_rank_start_receive(struct otf2_rank *r, uint64_t id);
weft_status otf2_rank_end_send(struct otf2_rank *r, uint64_t id);
weft_status otf2_rank_end_receive(struct otf2_rank *r, const struct otf2_message *m, uint64_t id);
weft_status otf2_rank_cancel(struct otf2_rank *r, uint64_t id);
weft_status otf2_rank_collective(struct otf2_rank *r, const struct otf2_collective *c);
weft_status otf2_rank_start_collective(struct otf2_rank *r, uint64_t id);
weft_status otf2_rank_end_collective(struct otf2_rank *r, const struct otf2_collective *c,
                                     uint64_t id);
void otf2_rank_makes(struct otf2_rank *r, uint32_t comm);
weft_status otf2_rank_one_sided(struct otf2_rank *r);

#endif
