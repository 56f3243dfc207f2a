/* Error handlers: what becomes of an error. */
#ifndef WEFT_MPI_OBJECT_HANDLER_H
#define WEFT_MPI_OBJECT_HANDLER_H

#include "mpi/rank.h"

enum errhandler_kind { ERRORS_FATAL, ERRORS_RETURN, ERRORS_CALL };

struct errhandler {
    uint32_t holders;
    enum errhandler_kind kind;
    bool predefined;
    MPI_Comm_errhandler_function *function;
    uintptr_t handle;
};

/* The handler of a handle; NULL: it is none. Who keeps one holds it. */
struct errhandler *errhandler_find(struct rank *r, uintptr_t handle);
struct errhandler *errhandler_hold(struct errhandler *h);
void errhandler_release(struct errhandler *h);

#endif
