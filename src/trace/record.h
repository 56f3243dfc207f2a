/*
 * What a rank of an MPI program did, call by call, whatever sort of trace said so. Readers of
 * traces (format.h) make recordings; mpi_replay.h has ranks do the same again.
 *
 * A trace is read once, at the beginning, whatever order its lines are in, and checked: what a
 * recording holds can be replayed, as far as one rank alone can tell. Each rank has a stream of
 * packed records in a temporary file, and takes it from the beginning to the end: memory holds one
 * block per stream, however long they are.
 *
 *   file: | block | block | ...        block: | number of the stream's next one (8) | bytes ... |
 *
 * Writing is one thread's; then streams are sealed, and each may be read by a thread of its own.
 */
#ifndef WEFT_TRACE_RECORD_H
#define WEFT_TRACE_RECORD_H

#include "base/status.h"
#include "mpi/collective/collective.h"
#include "mpi/object/type.h"
#include "mpi/object/message.h"

enum { RECORD_RANKS_MOST = 1 << 22 };

enum record_kind {
    RECORD_END,     /* nothing more comes: MPI_Finalize() */
    RECORD_COMPUTE, /* amount: operations */
    RECORD_SLEEP,   /* amount: seconds */
    RECORD_SEND,
    RECORD_RECEIVE,
    RECORD_START_SEND, /* as request `slot` */
    RECORD_START_RECEIVE,
    RECORD_WAIT,      /* for all requests of the list */
    RECORD_TEST,      /* whether request `slot` is over */
    RECORD_OPERATION, /* a collective one; nonblocking ones have a slot */
    RECORD_COMM,      /* becomes a member of communicator `comm` */
    RECORD_PROBE,     /* looks for a message; unless LATER, waits for it */
    RECORD_POLL,      /* looks whether something has come */
    RECORD_COPY,      /* amount: bytes, at this process */
    RECORD_COMBINE,   /* likewise, of two vectors */
    RECORD_CANCEL,    /* a receive, request `slot`; it is waited for all the same */
    RECORD_KINDS,
};

enum record_flag {
    RECORD_MORE = 1,     /* of the call of the record before */
    RECORD_STRIDED = 2,  /* its data are not in one piece */
    RECORD_IN_PLACE = 4, /* MPI_IN_PLACE */
    RECORD_LOCAL = 32,   /* of a message: its peer is a rank of the communicator */
    RECORD_CALLS = 16,   /* computation: what calls cost that did nothing else */
    RECORD_LATER = 8,    /* an operation that is only started, as request `slot` */
};

/* What sort of call it was, if that is not what it did. */
enum record_by { BY_ITSELF, BY_COLLECTIVE, BY_OTHER };

/* Numbers of communicators; others begin with COMM_FIRST. */
enum { COMM_WORLD, COMM_SELF, COMM_FIRST };

/* Of a receive. */
enum { PEER_ANY = -1 };
#define TAG_ANY       UINT32_MAX
#define BYTES_UNKNOWN UINT64_MAX /* as many as come */

struct record {
    enum record_kind kind;
    uint8_t flags;
    uint8_t mode;          /* of a send: enum send_mode */
    uint8_t by;            /* enum record_by */
    uint8_t op;            /* of a reduction: enum op_kind, or one of OP_... */
    uint16_t operation;    /* a collective one: its blocking function, enum call */
    uint16_t type;         /* of elements, by its number in the standard ABI; 0: bytes */
    uint16_t element;      /* bytes of an element, if they are more than the type's; 0: not */
    uint32_t comm;         /* a number of a communicator */
    int32_t peer;          /* of a message: rank of MPI_COMM_WORLD; of an operation: its root */
    uint32_t tag;          /* of a message */
    uint32_t slot;         /* of a request */
    uint64_t bytes, other; /* of a message; of an operation: that go out, and come in */
    double amount;
    /* RECORD_WAIT: slots; operations with a size for each member: bytes, of all-to-alls those that
     * go out and then those that come in. Of the reader: valid until the next record. */
    uint64_t *list;
    uint32_t listed;
};

/* What a collective operation is. */
static inline const struct collective_kind *record_collective(const struct record *e)
{
    return collective_of((enum call)e->operation);
}

/* Operations of programs, which no trace describes. */
enum { RECORD_OP_OWN = 1, RECORD_OP_ORDERED = 2 }; /* ordered: a op b is not b op a */

/* Whether an operation has a size for each member. */
static inline bool record_is_listed(const struct collective_kind *kind)
{
    return collective_is_listed(kind) || kind->out == LAYOUT_VECTOR;
}

/* A communicator that the program made. Members are ranks of MPI_COMM_WORLD. */
struct recording_side {
    uint32_t *member; /* [members] */
    uint32_t members;
};

struct recording_comm {
    struct recording_side side[2]; /* the second one empty: there is only one */
};

struct recording {
    uint32_t ranks;
    bool nonblocking;            /* it has collective operations that were only started */
    struct recording_comm *comm; /* [number - COMM_FIRST] */
    uint32_t comms, comm_room;
    /* What ranks did. */
    int file;
    struct record_stream *stream; /* [rank] */
    uint32_t streams;
    uint64_t blocks;
    int error; /* errno of a block that could not be written; 0: none */
};

/* WEFT_FAILED: there is no place for the file. */
weft_status recording_create(struct recording **recording);
void recording_destroy(struct recording *recording);

/* Appends what a rank did. A file that cannot be written is noticed by recording_seal(). */
void recording_put(struct recording *recording, uint32_t rank, const struct record *record);

/* Nothing more will come. WEFT_FAILED: not all of it could be written. */
weft_status recording_seal(struct recording *recording);

/* A communicator that the program made; NULL: it is one of MPI's. */
static inline const struct recording_comm *recording_comm(const struct recording *r, uint32_t comm)
{
    return comm >= COMM_FIRST ? &r->comm[comm - COMM_FIRST] : NULL;
}

/* Members of a side of a communicator; of one that was made, once they are known. */
static inline uint32_t recording_members(const struct recording *r, uint32_t comm, unsigned side)
{
    const struct recording_comm *made = recording_comm(r, comm);
    return made ? made->side[side].members : comm == COMM_SELF ? 1 : r->ranks;
}

static inline bool recording_has_two_sides(const struct recording *r, uint32_t comm)
{
    return comm >= COMM_FIRST && recording_members(r, comm, 1);
}

/* Where a rank is in a communicator that was made; false: it is no member. */
bool recording_find(const struct recording_comm *made, uint32_t rank, uint32_t *position,
                    unsigned *side);

/* A rank's records, in order. */
struct record_reader {
    const struct recording *from;
    unsigned char *block; /* NULL: the rank has none */
    uint32_t at, end;
    uint64_t left; /* bytes of the stream behind this block */
    uint64_t *list;
    uint32_t room;
};

void record_open(struct record_reader *r, const struct recording *recording, uint32_t rank);
void record_close(struct record_reader *r);
void record_next(struct record_reader *r, struct record *record);

/* ---- names and numbers that traces have for what MPI predefines ---- */

/* A basic type by its name without MPI_, as double; NULL: there is none. */
const struct type *datatype_named(const char *name);

/* The same by SimGrid's number. */
const struct type *datatype_of_simgrid(uint64_t number);

/* An operation of reductions by its name: its number in the standard ABI, or RECORD_OP_...; 0:
 * there is none. */
unsigned reduction_named(const char *name);

/* What is combined, where a trace does not say it: a sum of doubles, if the bytes allow. */
void record_guess_elements(struct record *e, uint64_t bytes);

#endif
