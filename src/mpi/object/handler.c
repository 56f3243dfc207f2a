/* Handlers that always exist, and those that programs make. */
#define _GNU_SOURCE
#include "mpi/object/handler.h"

#include <stdlib.h>

static struct errhandler fatal = {
    .predefined = true, .kind = ERRORS_FATAL, .handle = (uintptr_t)MPI_ERRORS_ARE_FATAL};
static struct errhandler aborting = {
    .predefined = true, .kind = ERRORS_FATAL, .handle = (uintptr_t)MPI_ERRORS_ABORT};
static struct errhandler returning = {
    .predefined = true, .kind = ERRORS_RETURN, .handle = (uintptr_t)MPI_ERRORS_RETURN};

struct errhandler *errhandler_find(struct rank *r, uintptr_t handle)
{
    if (handle == fatal.handle)
        return &fatal;
    if (handle == aborting.handle)
        return &aborting;
    if (handle == returning.handle)
        return &returning;
    return handle_object(&r->handles, HANDLE_ERRHANDLER, handle);
}

struct errhandler *errhandler_hold(struct errhandler *h)
{
    if (h && !h->predefined)
        h->holders++;
    return h;
}

void errhandler_release(struct errhandler *h)
{
    if (h && !h->predefined && --h->holders == 0)
        free(h);
}
