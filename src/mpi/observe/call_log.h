/*
 * What ranks did, in order and without times: computed, sent, received, waited, and called
 * collective operations. A program can be replayed from it, on another machine too.
 *
 * The file is a time-independent trace as SimGrid has them: "RANK ACTION ARGUMENTS" in each line,
 * sizes in bytes (its type 6), peers as ranks of MPI_COMM_WORLD, computation in processor cycles.
 * What that format has no words for:
 *
 *   ... calls                  of computation: what calls cost that did nothing else
 *   ... more                   belongs to the call of the rank's line before
 *   ... by CALL                the call, if the action does not say how: ssend, cart_create
 *   ... in_place               MPI_IN_PLACE
 *   ... strided                the data are not in one piece
 *   ... op OP TYPE [BYTES]     of a reduction: sum, double, and the bytes of an element of several;
 *                              own, ordered: the program's, and if a op b is not b op a
 *   ... comm N                 ends the line of what is not MPI_COMM_WORLD's
 *   R comm_split N MEMBERS     makes communicator N; the first line that has it lists its members,
 *                              in their order: 0-14/2 or 3,1,17; of two sides, this and the other
 *   R probe PEER TAG            waits for a message, which stays; iprobe: only looks
 *   R poll                      looks whether something has come
 *   R copy BYTES                copies data at this process; combine: combines vectors
 *   R wait operation N         waits for the rank's Nth nonblocking collective operation, from 0
 *
 * `weft run -w replay` reads it (trace/ti/ti.c).
 *
 * Operations between two groups or among neighbours, and those that make communicators, are written
 * as the messages that they consist of.
 */
#ifndef WEFT_MPI_OBSERVE_CALL_LOG_H
#define WEFT_MPI_OBSERVE_CALL_LOG_H

#include "base/status.h"
#include "message/task.h"
#include "mpi/object/group.h"
#include "mpi_calls.h"
#include "weft.h"

struct rank;
struct world;

enum logged_kind {
    LOGGED_NOTHING, /* it has come to nothing: it was cancelled, or not over at the end */
    LOGGED_COMPUTE,
    LOGGED_SEND,
    LOGGED_RECEIVE,
    LOGGED_START_SEND,
    LOGGED_START_RECEIVE,
    LOGGED_END_SEND,
    LOGGED_END_RECEIVE,
    LOGGED_OPERATION,
    LOGGED_END_OPERATION,
    LOGGED_COMM,    /* was made */
    LOGGED_COPY,    /* data, at this process */
    LOGGED_COMBINE, /* vectors, likewise */
    LOGGED_POLL,    /* looked whether something has come */
    LOGGED_PROBE,   /* for a message, or waited for one */
};

struct logged_call {
    uint8_t kind;      /* enum logged_kind */
    bool first;        /* of its call */
    bool of_operation; /* a message of an operation without a name */
    bool strided, in_place;
    bool waits;             /* a probe, until there is a message */
    bool calls;             /* computation: of calls that did nothing else */
    uint8_t mode;           /* of a send: enum send_mode */
    uint8_t op;             /* of a reduction: enum op_kind, or LOGGED_OP_... */
    uint16_t call;          /* enum call: an operation, or in which it was done */
    uint16_t type, element; /* of a reduction: number of a basic type; bytes of an element */
    uint32_t context;
    int32_t peer; /* of a message; root of an operation */
    uint32_t tag; /* of a message; number of an operation that is waited for */
    union {
        uint64_t bytes; /* of a message, or of a copy */
        double cycles;  /* of computation */
        uint64_t sizes; /* of an operation: its first one in log.size */
        size_t comm;    /* its place in log.comm */
    };
};

/* Operations of programs: whether a op b is b op a. */
enum { LOGGED_OP_OWN = 1, LOGGED_OP_ORDERED = 2 };

/* A communicator that was made; its groups are held. */
struct logged_comm {
    uint32_t context;
    const struct group *group, *remote; /* remote: of the other side; NULL: there is only one */
};

struct call_log {
    struct logged_call *entry;
    size_t count, room;
    bool calls;        /* the rank is in a call, */
    size_t call_began; /* before which the log had so many entries */
    uint64_t *size;    /* of operations: bytes, block by block */
    size_t sizes, size_room;
    struct logged_comm *comm;
    size_t comms, comm_room;
    uint32_t operations; /* nonblocking ones, so far */
    bool begun, ended;   /* it has called MPI_Init(), and MPI_Finalize() */
};

/* Adds an entry; returns its place. */
size_t call_log_add(struct call_log *d, const struct logged_call *entry);
void call_log_compute(struct call_log *d, double cycles, bool calls);

/* A communicator was made. */
void call_log_comm(struct call_log *d, const struct logged_comm *comm);

/* One more size of the operation that is noted next. */
void call_log_size(struct call_log *d, uint64_t bytes);

void call_log_drop(struct call_log *d, struct groups *groups);

/* The file that goes with that of a time line: its name, with ".ti" in place of ".json". False:
 * none goes with it, as it is a device or a pipe. */
enum { CALL_LOG_PATH = 4096 };
bool call_log_path(const char *timeline, char path[CALL_LOG_PATH]);

/* Writes the log of all ranks: of(arg, rank). */
weft_status call_log_write(const char *path, uint32_t ranks,
                           const struct call_log *(*of)(const void *arg, uint32_t rank),
                           const void *arg);

/*
 * ---- a time line of the calls of all ranks ----
 *
 * As a browser's trace viewer reads it (the JSON of Chrome's about:tracing and of Perfetto): a row
 * per rank, a box per call.
 */

struct trace_call {
    struct task_moment begin, end;
    bool open;
    enum call call;
    int peer;       /* of a message; TRACE_NOBODY: there is none */
    uint64_t bytes; /* of it */
};

enum { TRACE_NOBODY = -1000 };

struct trace {
    struct trace_call *call;
    size_t count, room;
};

/* Adds the call that a rank is in; `open`: it has not ended, when the run has. */
void trace_add(struct rank *r, bool open);

/* Writes the calls of all ranks. The file appears whole, or not at all. */
weft_status trace_write(const char *path, const struct world *world);

#endif
