/*
 * Requests: what is under way for a rank. Sends and receives are the message layer's; collective
 * operations are series of rounds that go on whenever the rank is in MPI (series.h); generalised
 * requests are the program's own. Whoever waits for one lets all series of the rank go on
 * meanwhile.
 */
#ifndef WEFT_MPI_OBJECT_REQUEST_H
#define WEFT_MPI_OBJECT_REQUEST_H

#include <stddef.h>

#include "mpi/error.h"
#include "mpi/object/message.h"
#include "mpi/object/type.h"
#include "weft_program.h"

enum request_kind {
    REQUEST_SEND,
    REQUEST_RECEIVE,
    REQUEST_NOTHING, /* with MPI_PROC_NULL: always over */
    REQUEST_MATCHED, /* a message that was probed for, and is received into memory of its own */
    REQUEST_SERIES,  /* a collective operation */
    REQUEST_BOTH,    /* MPI_Isendrecv(): two others */
    REQUEST_FLUSH,   /* messages that are sent from a buffer */
    REQUEST_ACCESS,  /* to a window */
    REQUEST_FILE,    /* an access to a file */
    REQUEST_GENERAL, /* the program's */
};

/* What becomes of a request. */
struct result {
    int source, tag, error;
    uint64_t bytes;
    bool cancelled;
    struct file *file;       /* whose handler gets its error; NULL: a communicator's */
    uint64_t sent, expected; /* MPI_ERR_TYPE: signatures */
};

/* The functions of a generalised request. */
struct general {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *release;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};

/* What was probed for: its bytes, and the request that moves them. */
struct matched {
    unsigned char *data;
    uint64_t bytes;
    struct task_outcome outcome;
    weft_request task;
    struct comm *comm; /* held */
};

struct window_access;

/* A message in partitions: it leaves when all are ready, and meets no messages but those of the
 * request that was made with it. */
struct partitions {
    uint32_t context;
    int count, ready;
    bool *is_ready; /* [count]; NULL: it is received */
};

struct collective_kind;
struct operands;
struct repeated;
struct series;

struct mpi_request {
    enum request_kind kind;
    bool persistent, active; /* active: started, and not yet waited for */
    bool over;               /* and `result` says how */
    weft_request task;       /* of a send or receive that is under way */
    struct mpi_message message;
    union {
        struct series *series;
        struct matched *matched;
        struct general *general;
        struct access *access; /* freed with the request */
        struct mpi_request *half[2];
        struct window_access *window_access;
    };
    struct result result;
    uintptr_t handle;
    size_t entry; /* that started it */
    struct send_buffer *buffer;
    uint64_t buffered;             /* bytes that it occupies in its buffer */
    struct partitions *partitions; /* NULL: it has none */
    struct repeated *repeated;     /* NULL: it is none */
    struct mpi_request *next;      /* of those that end by themselves */
};

/* Whom a message goes to or comes from, as the message layer has it. */
struct task_address message_address(const struct comm *c, int peer, int tag);

/* A new request; the message's type and communicator are held. */
struct mpi_request *request_new(struct rank *r, enum request_kind kind,
                                const struct mpi_message *m);
void request_init(struct mpi_request *q, enum request_kind kind, const struct mpi_message *m);

/* Ends it: gives back what it holds; the second one its memory too. */
void request_fini(struct rank *r, struct mpi_request *q);
void request_drop(struct rank *r, struct mpi_request *q);

/* Frees what a rank keeps of them. */
void requests_fini(struct rank *r);

/* Gives it a handle. */
MPI_Request request_give(struct rank *r, struct mpi_request *q);

/* A partition of a message that is sent in partitions. */
void request_ready(struct rank *r, struct mpi_request *q, int partition);

/* Starts what it describes; an error is one of the call. */
int request_start(struct rank *r, struct mpi_request *q);

/* Nobody will wait for it: it ends by itself. */
void request_leave(struct rank *r, struct mpi_request *q);

/* Goes on with what can go on; `look`: which takes time, to see what has come. */
void request_progress(struct rank *r, bool look);
bool request_is_over(struct rank *r, struct mpi_request *q);

/* Waits until all, or one, of several are over. Entries may be NULL or not active. */
void request_wait_all(struct rank *r, struct mpi_request **q, size_t count);
void request_wait_one(struct rank *r, struct mpi_request **q, size_t count);

/* Cancels a receive that has not met its message. */
void request_cancel(struct rank *r, struct mpi_request *q);

/* Waits for all messages in a buffer (NULL: in all of them). */
void request_drain(struct rank *r, const struct send_buffer *b);

/* Raises the error of a result, if there is one (error.h), with what is known of the message. */
int result_raise(struct rank *r, struct comm *c, const struct result *result);

/* Fills in a status (MPI_STATUS_IGNORE: does not). */
void result_to_status(const struct result *result, MPI_Status *status);
struct result result_of_status(const MPI_Status *status);

/* Waits for accesses to a file (NULL: to any) that nobody waits for. */
void request_settle_files(struct rank *r, const struct file *f);

/* ---- collective operations as requests ---- */

/* Gives the program a request that it may start. */
int request_repeat(struct rank *r, struct comm *c, const struct collective_kind *kind,
                   const struct operands *o, MPI_Request *request);

/* Performs a whole blocking operation of the call that the rank is in. */
void request_run(struct rank *r, struct comm *c, const struct operands *o,
                 void (*start)(struct series *s));

/* Starts a series, and waits for it; or gives the program a request, if it is to wait. */
int request_perform(struct rank *r, struct series *s, MPI_Request *request);

/*
 * ---- what ranks have left under way, or wait for, at the end of a run ----
 *
 * For reports, and so that traces say what came of it.
 */

/* The first send or receive of a rank that is not over, in the order of handles; NULL: none. */
const struct mpi_request *unfinished_message(const struct rank *r);

/* Receives become in the rank's log what came of them; what is not over comes to nothing. */
void unfinished_settle(struct rank *r);

#endif
