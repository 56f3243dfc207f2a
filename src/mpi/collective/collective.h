/*
 * The collective operations of MPI: a row for each one says what it is, for all who have to know:
 * its functions (call/collective.c), the log of a run and readers of traces, and their replay.
 *
 * To add one: its functions in mpi/mpi.h.in, among the collective operations, a row of the table
 * in table.c, and start_...(), which gives a series its phases (series.h).
 */
#ifndef WEFT_MPI_COLLECTIVE_COLLECTIVE_H
#define WEFT_MPI_COLLECTIVE_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi_calls.h"

struct comm;
struct op;
struct operands;
struct rank;
struct series;
struct type;

/* How the blocks of processes are found in what a process gives, or gets. */
enum layout {
    LAYOUT_NONE,   /* there are no data */
    LAYOUT_ONE,    /* there is one for all */
    LAYOUT_EVEN,   /* equally long, one after the other */
    LAYOUT_LISTED, /* counts, and displacements in elements */
    LAYOUT_TYPED,  /* counts, displacements in bytes and types */
    LAYOUT_VECTOR, /* a vector of all blocks, which are as those that come in */
};

/* At the root alone matters what goes out (scatter), or what comes in (gather). */
enum root_role {
    ROOT_NONE,
    ROOT_CASTS, /* all have one buffer: the root's goes to all */
    ROOT_SENDS,
    ROOT_RECEIVES,
};

/* What comes in is combined of all processes before this one, with or without its own. */
enum prefix { PREFIX_NONE, PREFIX_INCLUSIVE, PREFIX_EXCLUSIVE };

struct collective_kind {
    enum call call, nonblocking, persistent;
    enum layout out, in;
    enum root_role root;
    bool combines; /* by an operation */
    enum prefix prefix;
    bool neighbours;        /* of a topology take part */
    const char *action;     /* in time-independent traces; NULL: it is written as its messages */
    const char *old_action; /* as SimGrid has spelt it too; NULL: it has not */
    enum call replayed_as;  /* 0: as itself */
    /* Does it by a network of the machine's own, if that applies; NULL: none can. */
    bool (*machine)(struct rank *r, struct comm *c, const struct operands *o);
    void (*start)(struct series *s);
};

/* Operation i; NULL: there are no more. */
const struct collective_kind *collective_at(unsigned i);

/* The operation of a function, of any of the three; NULL: it is no collective operation. */
const struct collective_kind *collective_of(enum call call);

/* By an action of time-independent traces, which has an i more in front if it is nonblocking; NULL:
 * it is none that traces have. */
const struct collective_kind *collective_by_action(const char *action, bool *nonblocking);

/* The call that a replay has for it. */
static inline enum call collective_replayed(const struct collective_kind *kind)
{
    return kind->replayed_as ? kind->replayed_as : kind->call;
}

/* Whether a process says how much each one gets, or gives. */
static inline bool layout_is_listed(enum layout layout)
{
    return layout == LAYOUT_LISTED || layout == LAYOUT_TYPED;
}

static inline bool collective_is_listed(const struct collective_kind *kind)
{
    return layout_is_listed(kind->out) || layout_is_listed(kind->in);
}

/* ---- calls ---- */

/* Arguments about what a process gives, or gets. */
struct buffer_arguments {
    const void *at;
    int64_t count;
    MPI_Datatype type;
    struct numbers counts, displs;
    const MPI_Datatype *types;
};

struct collective_arguments {
    struct buffer_arguments out, in;
    MPI_Op op;
    int root;
    MPI_Comm comm;
    MPI_Request *request; /* of a nonblocking or persistent call */
};

/* All functions of collective operations: call_Gather(), ... */
int collective_call(enum call call, const struct collective_arguments *a);

/*
 * ---- operands: what a collective operation is to do ----
 *
 * An operation has data that go out and data that come in, one block for each process or one for
 * all.
 */

struct side {
    enum layout layout;
    void *at;
    int64_t count;
    struct type *type;
    struct numbers counts, displacements;
    struct type **types; /* held; [blocks] */
    uint32_t blocks;
};

struct operands {
    struct side out, in;
    bool in_place;
    int root;
    struct op *op; /* held */
};

/* A number for the operation of a reduction and the type of its elements; 0: it is none, or has an
 * operation of the program's own. */
int64_t operands_op(const struct operands *o);

/* Holds what they name, and types of single blocks, which are copied; and gives it up. */
struct operands operands_hold(const struct operands *o);
void operands_release(struct operands *o);

/* Releases types of single blocks. */
void side_drop(struct side *side);

#endif
