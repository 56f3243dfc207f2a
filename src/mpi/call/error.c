/* Error handlers, classes and codes. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"

int mpi_Comm_create_errhandler(struct rank *r, MPI_Comm_errhandler_function *function,
                               MPI_Errhandler *handler)
{
    struct errhandler *h = memory_alloc(1, sizeof(*h));
    *h = (struct errhandler){.holders = 1, .kind = ERRORS_CALL, .function = function};
    h->handle = handle_new(&r->handles, HANDLE_ERRHANDLER, h);
    *handler = (MPI_Errhandler)h->handle;
    return MPI_SUCCESS;
}

int find_errhandler(struct rank *r, struct comm *c, MPI_Errhandler handle, struct errhandler **h)
{
    *h = errhandler_find(r, (uintptr_t)handle);
    return *h ? MPI_SUCCESS
              : error_raise(r, c, MPI_ERR_ERRHANDLER, "the error handler does not exist");
}

void errhandler_keep(struct errhandler **kept, struct errhandler *h)
{
    errhandler_hold(h);
    errhandler_release(*kept);
    *kept = h;
}

int mpi_Comm_set_errhandler(struct rank *r, struct comm *c, MPI_Errhandler handler)
{
    struct errhandler *h;
    TRY_MPI(find_errhandler(r, c, handler, &h));
    errhandler_keep(&c->errors, h);
    return MPI_SUCCESS;
}

MPI_Errhandler give_errhandler(struct rank *r, struct errhandler *h)
{
    errhandler_hold(h);
    if (h && !h->predefined && !errhandler_find(r, h->handle)) /* it was freed meanwhile */
        h->handle = handle_new(&r->handles, HANDLE_ERRHANDLER, h);
    return h ? (MPI_Errhandler)h->handle : MPI_ERRORS_ARE_FATAL;
}

MPI_ANSWER(Comm_get_errhandler, MPI_Errhandler, give_errhandler(r, c->errors), struct rank *r,
           struct comm *c)

int mpi_Comm_call_errhandler(struct rank *r, struct comm *c, int code)
{
    error_pass_on(r, c, code);
    return MPI_SUCCESS;
}

int mpi_Errhandler_free(struct rank *r, struct errhandler *h, MPI_Errhandler *handler)
{
    if (!h->predefined && h->holders == 1)
        handle_drop(&r->handles, h->handle);
    errhandler_release(h);
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

/* ---- classes and codes ---- */

int mpi_Error_class(struct rank *r, int code, int *errorclass)
{
    const struct error_class *e = error_added(r, code);
    *errorclass = e ? e->class : code;
    return MPI_SUCCESS;
}

int mpi_Error_string(struct rank *r, int code, char *text, int *length)
{
    const struct error_class *e = error_added(r, code);
    if (e)
        *length = snprintf(text, MPI_MAX_ERROR_STRING, "%s", e->text);
    else
        *length =
            snprintf(text, MPI_MAX_ERROR_STRING, "%s: %s", error_name(code), error_meaning(code));
    return MPI_SUCCESS;
}

MPI_ANSWER(Add_error_class, int, error_add(r, 0), struct rank *r)
MPI_ANSWER(Add_error_code, int, error_add(r, class), struct rank *r, int class)

/* Forgets a class or a code. A class that has codes stays. */
int error_forget(struct rank *r, int code, bool is_class)
{
    struct error_class **link = &r->classes, *e = error_added(r, code);
    if (!e || (e->class == e->code) != is_class)
        return error_raise(r, NULL, MPI_ERR_ARG, "%s %d was not added", is_class ? "class" : "code",
                           code);
    for (const struct error_class *other = r->classes; other; other = other->next)
        if (other != e && other->class == code)
            return error_raise(r, NULL, MPI_ERR_ARG, "class %d has codes", code);
    while (*link != e)
        link = &(*link)->next;
    *link = e->next;
    free(e);
    return MPI_SUCCESS;
}

int mpi_Remove_error_string(struct rank *r, int code)
{
    struct error_class *e = error_added(r, code);
    if (!e || !e->text[0])
        return error_raise(r, NULL, MPI_ERR_ARG, "code %d has no text of the program", code);
    e->text[0] = '\0';
    return MPI_SUCCESS;
}

int mpi_Add_error_string(struct rank *r, int code, const char *text)
{
    struct error_class *e = error_added(r, code);
    if (!e)
        return error_raise(r, NULL, MPI_ERR_ARG, "code %d was not added", code);
    snprintf(e->text, sizeof(e->text), "%s", text);
    return MPI_SUCCESS;
}
