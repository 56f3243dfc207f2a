/* Messages of calls. */
#ifndef WEFT_MPI_OBJECT_MESSAGE_H
#define WEFT_MPI_OBJECT_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

struct comm;
struct type;

enum send_mode { SEND_STANDARD, SEND_BUFFERED, SEND_SYNCHRONOUS, SEND_READY };

/* A message as a program describes it. */
struct mpi_message {
    void *at;
    int64_t count;
    struct type *type; /* held by the request */
    struct comm *comm; /* likewise */
    int peer, tag;     /* as the program says */
    enum send_mode mode;
    bool spelt; /* it is part of an operation, by a trace that has no name for that */
};

#endif
