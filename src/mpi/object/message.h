/* Messages of calls. */
#ifndef WEFT_MPI_OBJECT_MESSAGE_H
#define WEFT_MPI_OBJECT_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi/object/type.h"
#include "mpi_calls.h"

struct comm;
struct task_parcel;

/* Contexts that always exist. */
enum {
    CONTEXT_WORLD = 2, /* 0 and 1 are those of Weft's own programs */
    CONTEXT_SELF = 4,
    CONTEXT_FIRST = 6,
};

enum send_mode { SEND_STANDARD, SEND_BUFFERED, SEND_SYNCHRONOUS, SEND_READY };

/* A call returns when it is done, or makes a request, which is started at once or later. */
enum message_way { MESSAGE_BLOCKING, MESSAGE_NONBLOCKING, MESSAGE_PERSISTENT, MESSAGE_WAYS };

enum { MESSAGE_RECEIVED = SEND_READY + 1 };
static const enum call message_calls[][MESSAGE_WAYS] = {
    [SEND_STANDARD] = {CALL_Send, CALL_Isend, CALL_Send_init},
    [SEND_BUFFERED] = {CALL_Bsend, CALL_Ibsend, CALL_Bsend_init},
    [SEND_SYNCHRONOUS] = {CALL_Ssend, CALL_Issend, CALL_Ssend_init},
    [SEND_READY] = {CALL_Rsend, CALL_Irsend, CALL_Rsend_init},
    [MESSAGE_RECEIVED] = {CALL_Recv, CALL_Irecv, CALL_Recv_init}};

/* The function that sends in a mode. */
static inline enum call send_call(enum send_mode mode, enum message_way way)
{
    return message_calls[mode][way];
}

/* What a function that sends or receives one message does. */
struct message_call {
    bool receives;
    enum send_mode mode;
    enum message_way way;
};

/* False: it is no such function. */
static inline bool message_call_find(enum call call, struct message_call *m)
{
    for (unsigned mode = 0; mode <= MESSAGE_RECEIVED; mode++)
        for (unsigned way = 0; way < MESSAGE_WAYS; way++)
            if (message_calls[mode][way] == call) {
                bool receives = mode == MESSAGE_RECEIVED;
                *m =
                    (struct message_call){receives, receives ? SEND_STANDARD : (enum send_mode)mode,
                                          (enum message_way)way};
                return true;
            }
    return false;
}

/* What the message layer moves of elements; silent: nobody has the data (request.c). */
struct task_parcel block_parcel(struct block *b, bool silent);

/* A message as a program describes it. */
struct mpi_message {
    struct block data; /* its type is held by the request */
    struct comm *comm; /* likewise */
    int peer, tag;     /* as the program says */
    enum send_mode mode;
    bool of_operation; /* by a trace that has no name for the collective operation */
};

#endif
