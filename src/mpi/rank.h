/*
 * An MPI process: a rank of a program, on a fiber of its own (message/task.h), in its copy of the
 * program (image/), with its part of the C library (posix/). MPI's functions find it by the thread
 * that they run on.
 */
#ifndef WEFT_MPI_RANK_H
#define WEFT_MPI_RANK_H

#include "message/task.h"
#include "mpi/common.h"
#include "mpi/observe/call_log.h"
#include "mpi/object/buffer.h"
#include "mpi/object/handles.h"
#include "mpi/observe/stats.h"
#include "mpi_calls.h"
#include "posix/posix.h"

struct comm;
struct fortran_key;
struct info;
struct keyval;
struct mpi_request;
struct series;

enum mpi_state { MPI_BEFORE, MPI_INSIDE, MPI_AFTER };

struct rank {
    struct posix_rank posix;
    weft_task *task;
    struct world *world;
    struct executable *executable; /* NULL: it runs no program */
    struct handles handles;
    int abort_code;                /* of MPI_Abort(), as an exit status; 0: it was not called */
    struct comm *everybody, *self; /* MPI_COMM_WORLD, MPI_COMM_SELF */
    uint64_t machine_operations;   /* of the machine's own networks, so far */
    struct series *series;         /* collective operations that are under way */
    struct mpi_request *freed;     /* requests that end by themselves */
    struct mpi_request *spare;     /* and some that are not used now, */
    unsigned spares;               /* so many */
    struct mpi_request **waits;    /* what it waits for, for reports; NULL: for nothing */
    size_t wait_count;
    struct {
        weft_request *id;
        size_t count, room;
    } waiting; /* for what the message layer is asked */
    struct envelope_wanted {
        struct comm *comm; /* NULL: it does not probe */
        int source, tag;
    } probes;
    struct comm *machine_comm; /* of the machine's operation that it is in; NULL: of none */
    enum mpi_state state;
    int threads;    /* the level that it has asked for */
    enum call call; /* the function that it is in; CALLS: none */
    bool large;     /* with large counts: MPI_Send_c() */
    struct judge {
        bool is_set; /* else a communicator's handler gets errors */
        const struct errhandler *errors;
        uintptr_t handle;
    } judge;           /* a file's or a session's handler, in its calls */
    unsigned depth;    /* of calls within calls */
    bool combines;     /* an operation of its own runs */
    double call_since; /* what time it was when the rank last waited */
    struct task_moment call_began;
    struct type_name *type_names; /* that it has given to predefined types */
    struct keyval *keyvals;
    int keys; /* made so far */
    struct fortran_key *fortran_keys;
    struct errhandler *file_errors; /* of files that are not open */
    uint64_t accesses;              /* to files, so far */
    struct error_class *classes;    /* classes, codes and texts that the program added */
    int last_code;
    int universe;                 /* MPI_UNIVERSE_SIZE */
    struct info *surroundings;    /* MPI_INFO_ENV */
    struct send_buffer buffer;    /* MPI_Buffer_attach() */
    struct mpi_request *buffered; /* messages that are sent from this and other buffers */
    struct mpi_session *sessions; /* the last one is the first of this list */
    unsigned open_sessions;
    struct mpi_session *session; /* of the groups and communicators that the call names; or NULL */
    struct rank_stats stats;
    struct peers peers;
    struct trace trace;
    struct call_log log;
    int message_peer; /* of the call that it is in; TRACE_NOBODY: it has no message */
    uint64_t message_bytes;
    uint32_t writes; /* to its standard streams, so far */
    uint64_t blocks; /* basic blocks since its last call */
    double worked;   /* the computer's seconds, when it last looked */
    uint32_t stops;  /* how often it has called MPI or looked at a clock; at the last tick; */
    uint32_t ticked; /* and ticks since (struct posix_host) */
    uint32_t ticks;
};

static inline struct rank *rank_self(void)
{
    return posix_current()->owner;
}

/* Whether its data are lengths alone. */
static inline bool rank_is_silent(const struct rank *r)
{
    return r->world->o.body;
}

/* Between calls a rank computes: has that take simulated time; and notes when it begins to. */
void rank_catch_up(struct rank *r);
void rank_compute(struct rank *r, double cycles);
void rank_owe(struct rank *r, double cycles); /* for calls that are too short to stop for */
void rank_look_at_clock(struct rank *r);
void rank_count_block(void);

/* It copies data of its own, or combines vectors. */
void rank_copy(struct rank *r, uint64_t bytes);
void rank_combine(struct rank *r, uint64_t bytes);

/* Whether data of these signatures differ, as far as the run looks at that (signature.h). */
bool rank_tells_apart(const struct rank *r, uint64_t sent, uint64_t received, uint64_t bytes);

/* One more request of the message layer that it is about to wait for. */
void rank_add_waiting(struct rank *r, weft_request id);

/* Whether what it does is logged: not what MPI does at its beginning and end. */
bool rank_is_traced(const struct rank *r);

/* It sends something to a process. */
void rank_note_sent(struct rank *r, uint32_t process, enum peer_use use, uint64_t bytes);

/* The same, by a call of the program for one other rank. */
void rank_note_message(struct rank *r, uint32_t process, uint64_t bytes);

/* What starting a message costs, and starting to receive one; owed. */
void rank_pay_send(struct rank *r, uint64_t bytes, uint8_t shape);
void rank_pay_receive(struct rank *r);

/* "node-3-1-0", by coordinates, or "node17". */
void rank_node_name(const struct rank *r, char *name, size_t size);

/* How the C library of ranks reaches them. */
extern const struct posix_host rank_host;

#endif
