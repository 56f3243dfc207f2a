/*
 * Traces in OTF2, the format of Score-P and others: an anchor file (traces.otf2), and beside it
 * definitions and the events of each location. They are read with libotf2; without it, Weft says so
 * where such a trace is given.
 *
 *   otf2.c     the files of a trace, and the library's readers: definitions and events
 *   anchor.c   what the library believes unseen
 *   world.c    definitions: ranks, communicators, regions
 *   rank.c     events of a rank, as draft records
 *   sizes.c    what collective operations give and get
 *   finish.c   drafts of all ranks, as a recording
 *
 * Ranks are the locations that the trace calls MPI's. Time outside calls of MPI is computation, by
 * the clock of the trace; time that the measurement took for itself is none. Receives are replayed
 * from whom the message came. Only otf2.c knows libotf2: definitions and events can come from
 * elsewhere, as tests have it.
 */
#ifndef WEFT_TRACE_OTF2_OTF2_H
#define WEFT_TRACE_OTF2_OTF2_H

#include "base/map.h"
#include "base/slots.h"
#include "trace/otf2/paged_array.h"
#include "trace/record.h"

/* ---- the anchor file ---- */

/* Refuses one that libotf2 should not read: "FILE:byte N: ...". */
weft_status otf2_anchor_check(const char *path);

/*
 * ---- definitions ----
 *
 * They say which locations are ranks of MPI_COMM_WORLD, who is in which communicator, which regions
 * are calls of MPI. They are added in any order, then settled; all that they refer to must be there
 * by then.
 */

/* What a region is to a replay. */
enum otf2_region {
    REGION_OUTSIDE, /* no call of MPI */
    REGION_CALL,    /* whose events say everything */
    REGION_SEND,    /* with a mode */
    REGION_START,   /* begins what is waited for elsewhere; with a mode */
    REGION_EXCHANGE,
    REGION_TEST,
    REGION_PROBE,
    REGION_INIT,
    REGION_FINALIZE,
    REGION_BY_MEMBERS, /* makes a communicator, and only its members take part */
    REGION_NEIGHBOURS, /* a collective operation of neighbours */
    REGION_ONE_SIDED,
};

enum otf2_group_sort { GROUP_OTHER, GROUP_LOCATIONS, GROUP_RANKS, GROUP_SELF };

struct otf2_group {
    enum otf2_group_sort sort;
    uint64_t *member; /* locations, or positions among those */
    uint32_t members;
};

/* A communicator as it is defined; of two sides, the second has a group too. */
struct otf2_comm {
    uint32_t ref, name, group[2];
    bool two;
};

struct otf2_region_name {
    uint32_t ref, name;
    bool mpi;
};

struct otf2_world {
    const char *path; /* of the trace */
    struct recording *to;
    double ticks; /* of the clock, in a second; 0: not known */
    struct map strings, groups;
    char **string;
    struct otf2_group *group;
    struct otf2_comm *comm;
    struct otf2_region_name *name;
    uint32_t comm_count, names, string_room, group_room, comm_room, name_room;
    /* Once it is settled. */
    const uint64_t *location; /* of each rank: its group's members */
    struct map ranks;         /* location: rank */
    struct map comms;         /* reference: number of a communicator (record.h) */
    struct map regions;       /* reference: enum otf2_region, its mode from bit 8 on */
};

void otf2_world_init(struct otf2_world *w, const char *path, struct recording *to);
void otf2_world_fini(struct otf2_world *w);

void otf2_world_string(struct otf2_world *w, uint32_t ref, const char *text);
void otf2_world_region(struct otf2_world *w, uint32_t ref, uint32_t name, bool mpi);
void otf2_world_group(struct otf2_world *w, uint32_t ref, enum otf2_group_sort sort,
                      const uint64_t *member, uint32_t members);
void otf2_world_comm(struct otf2_world *w, const struct otf2_comm *comm);

weft_status otf2_world_settle(struct otf2_world *w);

/* Where a rank is in communicators, found once for each. */
struct otf2_member {
    const struct otf2_world *world;
    uint32_t rank;
    struct map positions; /* number of a communicator: its rank there, or side and rank */
};

/* Its rank there, and its side; false: it is no member. */
bool otf2_position(struct otf2_member *m, uint32_t comm, uint32_t *position, unsigned *side);

/*
 * ---- the events of one rank, one after the other, as draft records of what it did ----
 *
 * OTF2 tells what a receive or a nonblocking operation was about only where it ended. A draft that
 * begins one is therefore unfinished: the rest goes to a paged array, by the number of the draft,
 * and otf2_finish() puts both together. Memory grows with what a rank has open at a time, not with
 * the trace.
 */

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
    bool listed; /* there are operations whose members have different sizes */
};

weft_status otf2_drafts_init(struct otf2_drafts *n);
void otf2_drafts_fini(struct otf2_drafts *n);

enum { REGIONS_DEEP = 64 };

struct otf2_request {
    uint64_t late;
    enum record_kind kind;
    uint32_t next;
};

struct otf2_rank {
    const struct otf2_world *world;
    struct otf2_drafts *to;
    struct otf2_member me;
    uint64_t event, now; /* number and time of the event at hand */
    /* Calls of MPI that are open, the innermost last. */
    uint32_t region[REGIONS_DEEP], deep;
    bool drafted;       /* the call has a draft */
    uint32_t made;      /* the communicator that it has made, by its reference; UINT32_MAX: none */
    struct record sent; /* an exchange's message, as long as it is of kind RECORD_SEND */
    /* Time outside calls. */
    uint64_t left;       /* when the last one was left, */
    bool begun;          /* if there was one */
    uint64_t excluded;   /* ticks since, that were the measurement's own */
    uint64_t off;        /* when it was switched off, */
    bool is_off;         /* if it is */
    struct map requests; /* number in the trace: slot */
    struct slots slots;  /* struct otf2_request */
    uint64_t *wait;      /* slots that the call has waited for */
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

/* From the drafts of all ranks to a recording: fills w->to. */
weft_status otf2_finish(struct otf2_world *w, struct otf2_drafts *drafts);

/*
 * ---- sizes ----
 *
 * How much each member of a collective operation gives and gets, from what an OTF2 trace says of
 * one member: the bytes that it sent and received, by Score-P's count. That counts the block which
 * a member has for itself, unless the data are in place:
 *
 *   N members, x bytes from or to each         sent          received      in place
 *   broadcast               root               N x           x
 *                           others             0             x
 *   gather, reduce          root               x             N x           0, (N - 1) x
 *                           others             x             0
 *   scatter                 root               N x           x             (N - 1) x, 0
 *                           others             0             x
 *   allgather, all-to-all, allreduce, reduce-scatter of blocks
 *                                              N x           N x           (N - 1) x, (N - 1) x
 *   scan, member i                             (N - i) x     (i + 1) x     (N - i - 1) x, i x
 *   exscan, member i                           (N - i - 1) x i x
 *
 * Where members have different sizes (gatherv and so on), one member's numbers are not enough:
 * those of all members are put side by side, as a row (finish.c).
 */

/* What one member says. */
struct otf2_sizes {
    uint64_t sent, received;
};

/* Turns bytes and other, that were sent and received, into those of a record, for member `me` of n;
 * those of listed operations stay. False: they are too many. */
bool otf2_sizes_fill(struct record *e, uint32_t n, uint32_t me);

/* The list of an operation, from a row with the sizes of all members. False: too many bytes. */
bool otf2_sizes_list(struct record *e, const struct otf2_sizes *row, uint32_t n, uint32_t me,
                     uint64_t *list);

/* What is combined, which the trace does not say: doubles, if the sizes allow. */
void otf2_sizes_combine(struct record *e);

#endif
