/* Messages of calls. */
#ifndef WEFT_MPI_OBJECT_MESSAGE_H
#define WEFT_MPI_OBJECT_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi_calls.h"

struct comm;
struct type;

enum send_mode { SEND_STANDARD, SEND_BUFFERED, SEND_SYNCHRONOUS, SEND_READY };

/* The function that sends in a mode. */
static inline enum call send_call(enum send_mode mode, bool nonblocking)
{
    static const enum call calls[][2] = {[SEND_STANDARD] = {CALL_Send, CALL_Isend},
                                         [SEND_BUFFERED] = {CALL_Bsend, CALL_Ibsend},
                                         [SEND_SYNCHRONOUS] = {CALL_Ssend, CALL_Issend},
                                         [SEND_READY] = {CALL_Rsend, CALL_Irsend}};
    return calls[mode][nonblocking];
}

/* A message as a program describes it. */
struct mpi_message {
    void *at;
    int64_t count;
    struct type *type; /* held by the request */
    struct comm *comm; /* likewise */
    int peer, tag;     /* as the program says */
    enum send_mode mode;
    bool of_operation; /* by a trace that has no name for the collective operation */
};

#endif
