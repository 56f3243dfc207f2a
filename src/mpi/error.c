/* What becomes of errors. */
#include "mpi/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/memory.h"
#include "mpi/object/comm.h"
#include "mpi/observe/debugger.h"

/* ---- texts ---- */

static const struct {
    const char *name, *meaning;
} texts[] = {
#define TEXT(NAME, MEANING) [NAME] = {#NAME, MEANING}
    TEXT(MPI_SUCCESS, "no error"),
    TEXT(MPI_ERR_BUFFER, "invalid buffer"),
    TEXT(MPI_ERR_COUNT, "invalid count"),
    TEXT(MPI_ERR_TYPE, "invalid datatype"),
    TEXT(MPI_ERR_TAG, "invalid tag"),
    TEXT(MPI_ERR_COMM, "invalid communicator"),
    TEXT(MPI_ERR_RANK, "invalid rank"),
    TEXT(MPI_ERR_REQUEST, "invalid request"),
    TEXT(MPI_ERR_ROOT, "invalid root"),
    TEXT(MPI_ERR_GROUP, "invalid group"),
    TEXT(MPI_ERR_OP, "invalid operation"),
    TEXT(MPI_ERR_TOPOLOGY, "invalid topology"),
    TEXT(MPI_ERR_DIMS, "invalid dimensions"),
    TEXT(MPI_ERR_ARG, "invalid argument"),
    TEXT(MPI_ERR_UNKNOWN, "unknown error"),
    TEXT(MPI_ERR_TRUNCATE, "message truncated"),
    TEXT(MPI_ERR_OTHER, "other error"),
    TEXT(MPI_ERR_INTERN, "internal error"),
    TEXT(MPI_ERR_PENDING, "pending request"),
    TEXT(MPI_ERR_IN_STATUS, "the error is in the status"),
    TEXT(MPI_ERR_ACCESS, "permission denied"),
    TEXT(MPI_ERR_AMODE, "invalid mode"),
    TEXT(MPI_ERR_ASSERT, "invalid assertion"),
    TEXT(MPI_ERR_BAD_FILE, "invalid file name"),
    TEXT(MPI_ERR_BASE, "invalid base"),
    TEXT(MPI_ERR_CONVERSION, "data cannot be converted"),
    TEXT(MPI_ERR_DISP, "invalid displacement"),
    TEXT(MPI_ERR_DUP_DATAREP, "data representation exists"),
    TEXT(MPI_ERR_FILE_EXISTS, "file exists"),
    TEXT(MPI_ERR_FILE_IN_USE, "file in use"),
    TEXT(MPI_ERR_FILE, "invalid file"),
    TEXT(MPI_ERR_INFO_KEY, "invalid key"),
    TEXT(MPI_ERR_INFO_NOKEY, "there is no such key"),
    TEXT(MPI_ERR_INFO_VALUE, "invalid value"),
    TEXT(MPI_ERR_INFO, "invalid info"),
    TEXT(MPI_ERR_IO, "input or output failed"),
    TEXT(MPI_ERR_KEYVAL, "invalid attribute key"),
    TEXT(MPI_ERR_LOCKTYPE, "invalid lock"),
    TEXT(MPI_ERR_NAME, "there is no such service"),
    TEXT(MPI_ERR_NO_MEM, "no memory"),
    TEXT(MPI_ERR_NOT_SAME, "processes disagree"),
    TEXT(MPI_ERR_NO_SPACE, "no space"),
    TEXT(MPI_ERR_NO_SUCH_FILE, "there is no such file"),
    TEXT(MPI_ERR_PORT, "invalid port"),
    TEXT(MPI_ERR_QUOTA, "quota exceeded"),
    TEXT(MPI_ERR_READ_ONLY, "read only"),
    TEXT(MPI_ERR_RMA_ATTACH, "memory cannot be attached"),
    TEXT(MPI_ERR_RMA_CONFLICT, "conflicting accesses"),
    TEXT(MPI_ERR_RMA_RANGE, "memory outside of the window"),
    TEXT(MPI_ERR_RMA_SHARED, "memory cannot be shared"),
    TEXT(MPI_ERR_RMA_SYNC, "invalid synchronisation"),
    TEXT(MPI_ERR_SERVICE, "invalid service"),
    TEXT(MPI_ERR_SIZE, "invalid size"),
    TEXT(MPI_ERR_SPAWN, "processes cannot be started"),
    TEXT(MPI_ERR_UNSUPPORTED_DATAREP, "unknown data representation"),
    TEXT(MPI_ERR_UNSUPPORTED_OPERATION, "operation not supported"),
    TEXT(MPI_ERR_WIN, "invalid window"),
    TEXT(MPI_ERR_RMA_FLAVOR, "invalid flavour of window"),
    TEXT(MPI_ERR_PROC_ABORTED, "process aborted"),
    TEXT(MPI_ERR_VALUE_TOO_LARGE, "value too large"),
    TEXT(MPI_ERR_SESSION, "invalid session"),
    TEXT(MPI_ERR_ERRHANDLER, "invalid error handler"),
    TEXT(MPI_ERR_ABI, "ABI error"),
#undef TEXT
};
enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };

const char *error_name(int class)
{
    return class >= 0 && class < TEXTS ? texts[class].name : "an error of the program";
}

const char *error_meaning(int class)
{
    return class >= 0 && class < TEXTS ? texts[class].meaning : "an error of the program";
}

/* ---- classes of the program ---- */

struct error_class *error_added(struct rank *r, int code)
{
    struct error_class *e = r->classes;
    while (e && e->code != code)
        e = e->next;
    return e;
}

int error_add(struct rank *r, int class)
{
    struct error_class *e = memory_alloc(1, sizeof(*e));
    if (r->last_code < MPI_ERR_LASTCODE)
        r->last_code = MPI_ERR_LASTCODE;
    e->code = ++r->last_code;
    e->class = class ? class : e->code;
    e->next = r->classes;
    r->classes = e;
    return e->code;
}

void errors_drop(struct rank *r)
{
    for (struct error_class *next; r->classes; r->classes = next) {
        next = r->classes->next;
        free(r->classes);
    }
}

/* ---- raising ---- */

static _Noreturn void end_program_with(const struct rank *r, const char *text)
{
    const char *call = call_name(r->call);
    if (r->posix.how == POSIX_RUNS) /* it still has a stack to look at */
        debugger_stop(r->task->rank, text);
    (void)RUN_FAILED(("rank %u: %s%s%s", r->task->rank, call ? call : "", call ? ": " : "", text),
                     NO_REMEDY);
    if (r->world->o.part)
        error_prefix("part %u, ", r->world->o.part);
    protected_call_abandon();
}

void error_fatal(struct rank *r, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    end_program_with(r, text);
}

void error_interrupted(const struct rank *r)
{
    (void)RUN_FAILED(("interrupted while rank %u computed", r->task->rank), NO_REMEDY);
    protected_call_abandon();
}

/* Of an error that belongs to no communicator, MPI_COMM_SELF is the judge; before MPI-4 it was
 * MPI_COMM_WORLD, and programs rely on it. */
static struct comm *judge_of(struct rank *r, struct comm *c)
{
    return c ? c : r->self && r->self->errors ? r->self : r->everybody;
}

bool error_is_fatal(struct rank *r, struct comm *c)
{
    const struct comm *judge = judge_of(r, c);
    return !judge || !judge->errors || judge->errors->kind == ERRORS_FATAL;
}

static int raise_error(struct rank *r, struct comm *c, int code, const char *what)
{
    struct comm *judge = judge_of(r, c);
    const struct errhandler *h = judge ? judge->errors : NULL;
    char text[512];
    if (!h || h->kind == ERRORS_FATAL) {
        snprintf(text, sizeof(text), "%s (%s)", what, error_name(code));
        end_program_with(r, text);
    }
    if (h->kind == ERRORS_CALL) {
        MPI_Comm handle = (MPI_Comm)judge->handle;
        h->function(&handle, &code);
    }
    return code;
}

int error_raise(struct rank *r, struct comm *c, int class, const char *format, ...)
{
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    return raise_error(r, c, class, what);
}

int error_pass_on(struct rank *r, struct comm *c, int code)
{
    return code ? raise_error(r, c, code, error_meaning(code)) : code;
}
