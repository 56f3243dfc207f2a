/* Sessions of MPI: each initialises it on its own, for groups that have names. */
#ifndef WEFT_MPI_OBJECT_SESSION_H
#define WEFT_MPI_OBJECT_SESSION_H

#include <stdint.h>

#include "mpi.h"
#include "mpi/object/buffer.h"

struct errhandler;
struct rank;

/* It lives as long as the rank: communicators that were made from its groups may name it. */
struct mpi_session {
    struct mpi_session *next; /* first: memory_free_list() */
    uintptr_t handle;         /* 0: it is over */
    struct errhandler *errors;
    struct send_buffer buffer;
};

#endif
