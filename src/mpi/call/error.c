/* Error handlers, classes and codes. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/call.h"

int call_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *handler)
{
    struct rank *r = call_begin(CALL_Comm_create_errhandler);
    struct errhandler *h = memory_alloc(1, sizeof(*h));
    *h = (struct errhandler){.holders = 1, .kind = ERRORS_CALL, .function = function};
    h->handle = handle_new(&r->handles, HANDLE_ERRHANDLER, h);
    *handler = (MPI_Errhandler)h->handle;
    return call_end(r, MPI_SUCCESS);
}

static int find_handler(struct rank *r, struct comm *c, MPI_Errhandler handle,
                        struct errhandler **h)
{
    *h = errhandler_find(r, (uintptr_t)handle);
    return *h ? MPI_SUCCESS
              : error_raise(r, c, MPI_ERR_ERRHANDLER, "the error handler does not exist");
}

int call_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    struct rank *r = call_begin(CALL_Comm_set_errhandler);
    struct errhandler *h;
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = find_handler(r, c, handler, &h);
    if (error)
        return call_end(r, error);
    errhandler_hold(h);
    errhandler_release(c->errors);
    c->errors = h;
    return call_end(r, MPI_SUCCESS);
}

int call_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler)
{
    struct rank *r = call_begin(CALL_Comm_get_errhandler);
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (error)
        return call_end(r, error);
    struct errhandler *h = errhandler_hold(c->errors);
    if (h && !h->predefined && !errhandler_find(r, h->handle)) /* it was freed meanwhile */
        h->handle = handle_new(&r->handles, HANDLE_ERRHANDLER, h);
    *handler = h ? (MPI_Errhandler)h->handle : MPI_ERRORS_ARE_FATAL;
    return call_end(r, MPI_SUCCESS);
}

int call_Comm_call_errhandler(MPI_Comm comm, int code)
{
    struct rank *r = call_begin(CALL_Comm_call_errhandler);
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error_pass_on(r, c, code);
    return call_end(r, error);
}

int call_Errhandler_free(MPI_Errhandler *handler)
{
    struct rank *r = call_begin(CALL_Errhandler_free);
    struct errhandler *h;
    int error = find_handler(r, NULL, *handler, &h);
    if (error)
        return call_end(r, error);
    if (!h->predefined && h->holders == 1)
        handle_drop(&r->handles, h->handle);
    errhandler_release(h);
    *handler = MPI_ERRHANDLER_NULL;
    return call_end(r, MPI_SUCCESS);
}

/* ---- classes and codes ---- */

int call_Error_class(int code, int *errorclass)
{
    struct rank *r = call_begin(CALL_Error_class);
    const struct error_class *e = error_added(r, code);
    *errorclass = e ? e->class : code;
    return call_end(r, MPI_SUCCESS);
}

int call_Error_string(int code, char *text, int *length)
{
    struct rank *r = call_begin(CALL_Error_string);
    const struct error_class *e = error_added(r, code);
    if (e)
        *length = snprintf(text, MPI_MAX_ERROR_STRING, "%s", e->text);
    else
        *length =
            snprintf(text, MPI_MAX_ERROR_STRING, "%s: %s", error_name(code), error_meaning(code));
    return call_end(r, MPI_SUCCESS);
}

int call_Add_error_class(int *errorclass)
{
    struct rank *r = call_begin(CALL_Add_error_class);
    *errorclass = error_add(r, 0);
    return call_end(r, MPI_SUCCESS);
}

int call_Add_error_code(int errorclass, int *code)
{
    struct rank *r = call_begin(CALL_Add_error_code);
    *code = error_add(r, errorclass);
    return call_end(r, MPI_SUCCESS);
}

int call_Add_error_string(int code, const char *text)
{
    struct rank *r = call_begin(CALL_Add_error_string);
    struct error_class *e = error_added(r, code);
    if (!e)
        return call_end(r, error_raise(r, NULL, MPI_ERR_ARG, "code %d was not added", code));
    snprintf(e->text, sizeof(e->text), "%s", text);
    return call_end(r, MPI_SUCCESS);
}
