/* Beginnings, ends, names. */
#include "mpi/call.h"

#include <string.h>
#include <strings.h>

#include "base/text/text.h"
#include "mpi/object/file.h"
#include "mpi/object/message.h"
#include "mpi/object/type.h"

/* ---- names ---- */

static const struct {
    const char *name;
    enum chapter chapter;
    void (*function)(void);
    void (*large)(void); /* with large counts: MPI_Send_c(); NULL: there is no such function */
    bool missing;        /* it ends the program */
} functions[] = {
#include "mpi_table.h"
};

const char *call_name(enum call call)
{
    return call < CALLS ? functions[call].name : NULL;
}

enum chapter call_chapter(enum call call)
{
    return functions[call].chapter;
}

bool call_is_missing(enum call call)
{
    return functions[call].missing;
}

void *call_find(const char *name)
{
    void *found = NULL;
    const char *plain = name[0] == 'P' ? name + 1 : name; /* PMPI_Send */
    for (size_t i = 0; i < CALLS && !found; i++) {
        size_t length = strlen(functions[i].name);
        if (strncmp(functions[i].name, plain, length) != 0)
            continue;
        if (!plain[length])
            memcpy(&found, &functions[i].function, sizeof(found));
        else if (strcmp(plain + length, "_c") == 0)
            memcpy(&found, &functions[i].large, sizeof(found));
    }
    return found;
}

enum call call_named(const char *name)
{
    enum call call = 0;
    while (call < CALLS && strcasecmp(strchr(functions[call].name, '_') + 1, name) != 0)
        call++;
    return call;
}

/* ---- beginning and end ---- */

/* Whether a function may be called before MPI_Init() and after MPI_Finalize(). */
static bool is_allowed_outside(enum call call)
{
    static const char *const others =
        "Init Init_thread Initialized Finalized Get_version Get_library_version Abi_get_version "
        "Error_class Error_string Compute Pcontrol Session_init Session_create_errhandler "
        "Errhandler_free Abi_get_info Abi_get_fortran_info Abi_get_fortran_booleans";
    const char *name = strchr(call_name(call), '_') + 1;
    return strncmp(name, "Info_", strlen("Info_")) == 0 || strncmp(name, "T_", 2) == 0 ||
           text_has_word(others, name);
}

/* Whether an operation that a reduction calls must not call this: the reduction is half done. */
static bool communicates(enum call call)
{
    enum chapter chapter = call_chapter(call);
    return chapter == CHAPTER_MESSAGES || chapter == CHAPTER_REQUESTS ||
           chapter == CHAPTER_COLLECTIVE;
}

struct rank *call_rank(void)
{
    struct rank *r = rank_self();
    if (!r)
        posix_refuse("MPI");
    return r;
}

struct rank *call_begin(enum call call)
{
    struct rank *r = rank_self();
    if (!r)
        posix_refuse(call_name(call));
    r->large = false;
    if (r->depth++) { /* from a function that MPI has called */
        if (r->combines && communicates(call))
            error_fatal(r, "an operation of the program calls %s, which communicates",
                        call_name(call));
        return r;
    }
    rank_catch_up(r);
    r->call = call;
    r->session = NULL;
    r->judge.is_set = false;
    r->call_since = task_reached(r->task);
    if (r->world->o.trace)
        r->call_began = task_moment(r->task);
    r->message_peer = TRACE_NOBODY;
    r->log.call_began = r->log.count;
    r->log.calls = true;
    task_owe(r->task, r->world->o.cost.call_cycles);
    if (r->state != MPI_INSIDE && !r->open_sessions && !is_allowed_outside(call))
        error_fatal(r, "it is called %s",
                    r->state == MPI_BEFORE ? "before MPI_Init()" : "after MPI_Finalize()");
    return r;
}

int call_missing(enum call call)
{
    struct rank *r = call_begin(call);
    error_fatal(r, "it is not implemented");
    return call_end(r, MPI_ERR_UNSUPPORTED_OPERATION);
}

static enum stats_time time_of(enum call call)
{
    switch (call_chapter(call)) {
    case CHAPTER_MESSAGES:
    case CHAPTER_REQUESTS:
    case CHAPTER_WINDOWS:
        return TIME_POINT_TO_POINT;
    case CHAPTER_COLLECTIVE:
        return TIME_COLLECTIVE;
    default:
        return TIME_OTHER;
    }
}

int call_end(struct rank *r, int code)
{
    struct call_log *d = &r->log;
    bool begins = r->call == CALL_Init || r->call == CALL_Init_thread; /* every trace has it */
    if (--r->depth)
        return code;
    /* A call that has done nothing else has taken time. */
    if (rank_is_traced(r) && !begins &&
        (d->count == d->call_began || d->entry[d->call_began].kind == LOGGED_COMPUTE))
        call_log_compute(d, r->world->o.cost.call_cycles, true);
    d->calls = false;
    r->stats.in[time_of(r->call)] += task_reached(r->task) - r->call_since;
    if (r->world->o.trace)
        trace_add(r, false);
    r->call = CALLS;
    if (r->posix.timers) /* else its program may go on ahead of simulated time */
        posix_look_at_timers(&r->posix, task_seconds(r->task));
    rank_look_at_clock(r);
    return code;
}

/* ---- objects ---- */

/* A handle stands for no object: it is null, or was freed. */
static int missing(struct rank *r, struct comm *c, int class, const char *what, const char *null)
{
    if (null)
        return error_raise(r, c, class, "the %s is %s", what, null);
    return error_raise(r, c, class, "the %s does not exist, or was freed", what);
}

int find_comm(struct rank *r, MPI_Comm handle, struct comm **c)
{
    *c = comm_find(r, (uintptr_t)handle);
    if (*c && (*c)->session)
        r->session = (*c)->session;
    return *c ? MPI_SUCCESS
              : missing(r, NULL, MPI_ERR_COMM, "communicator",
                        handle == MPI_COMM_NULL ? "MPI_COMM_NULL" : NULL);
}

int find_sides(struct rank *r, unsigned sides, MPI_Comm handle, struct comm **c)
{
    TRY_MPI(find_comm(r, handle, c));
    return check_sides(r, *c, sides);
}

int find_topology(struct rank *r, enum topology_kind kind, MPI_Comm handle, struct comm **c)
{
    static const char *const names[] = {"grid", "graph", "distributed graph"};
    TRY_MPI(find_comm(r, handle, c));
    if (!(*c)->topology || (*c)->topology->kind != kind)
        return error_raise(r, *c, MPI_ERR_TOPOLOGY, "the communicator has no %s", names[kind]);
    return MPI_SUCCESS;
}

int find_type(struct rank *r, struct comm *c, MPI_Datatype handle, struct type **t)
{
    *t = basics_find((unsigned)(uintptr_t)handle);
    if (!*t)
        *t = handle_object(&r->handles, HANDLE_TYPE, (uintptr_t)handle);
    return *t ? MPI_SUCCESS
              : missing(r, c, MPI_ERR_TYPE, "datatype",
                        handle == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : NULL);
}

int find_data(struct rank *r, struct comm *c, int64_t count, MPI_Datatype handle, struct type **t)
{
    TRY_MPI(check_count(r, c, count));
    TRY_MPI(find_type(r, c, handle, t));
    if ((*t)->size && count > INT64_MAX / (*t)->size)
        return error_raise(r, c, MPI_ERR_COUNT, "%lld elements are more than 2^63 bytes",
                           (long long)count);
    return (*t)->committed ? MPI_SUCCESS
                           : error_raise(r, c, MPI_ERR_TYPE, "the datatype is not committed");
}

int find_group(struct rank *r, MPI_Group handle, const struct group **g)
{
    *g = handle == MPI_GROUP_EMPTY ? r->world->nobody
                                   : handle_object(&r->handles, HANDLE_GROUP, (uintptr_t)handle);
    if (*g && handle != MPI_GROUP_EMPTY && handle_origin(&r->handles, (uintptr_t)handle))
        r->session = handle_origin(&r->handles, (uintptr_t)handle);
    return *g ? MPI_SUCCESS
              : missing(r, NULL, MPI_ERR_GROUP, "group",
                        handle == MPI_GROUP_NULL ? "MPI_GROUP_NULL" : NULL);
}

int find_op(struct rank *r, struct comm *c, MPI_Op handle, const struct type *t, struct op **op)
{
    *op = op_predefined((uintptr_t)handle);
    if (!*op)
        *op = handle_object(&r->handles, HANDLE_OP, (uintptr_t)handle);
    if (!*op)
        return missing(r, c, MPI_ERR_OP, "operation", handle == MPI_OP_NULL ? "MPI_OP_NULL" : NULL);
    const struct type *basic = t ? type_basic(t) : NULL;
    if (t && (*op)->kind && (!basic || !op_is_defined((enum op_kind)(*op)->kind, basic)))
        return error_raise(r, c, MPI_ERR_OP, "the operation is not defined for %s",
                           t->name[0] ? t->name : "this datatype");
    return MPI_SUCCESS;
}

int find_request(struct rank *r, MPI_Request handle, struct mpi_request **q)
{
    *q = handle_object(&r->handles, HANDLE_REQUEST, (uintptr_t)handle);
    if (*q || handle == MPI_REQUEST_NULL)
        return MPI_SUCCESS;
    return error_raise(r, NULL, MPI_ERR_REQUEST, "the request does not exist, or is over");
}

int check_count(struct rank *r, struct comm *c, int64_t count)
{
    return count >= 0 ? MPI_SUCCESS
                      : error_raise(r, c, MPI_ERR_COUNT, "the count is %lld", (long long)count);
}

int check_sides(struct rank *r, struct comm *c, unsigned sides)
{
    return !c->remote == (sides == 1)
               ? MPI_SUCCESS
               : error_raise(r, c, MPI_ERR_COMM,
                             c->remote ? "the communicator has two sides"
                                       : "the communicator has one side only");
}

int check_rank(struct rank *r, struct comm *c, int rank, uint32_t size)
{
    return rank >= 0 && (uint32_t)rank < size
               ? MPI_SUCCESS
               : error_raise(r, c, MPI_ERR_RANK, "there is no rank %d", rank);
}

MPI_Datatype give_type(struct rank *r, struct type *t)
{
    t->handle = handle_new(&r->handles, HANDLE_TYPE, t);
    return (MPI_Datatype)t->handle;
}

/* It belongs to the session that the call's other objects belong to. */
MPI_Group give_group(struct rank *r, const struct group *g)
{
    uintptr_t handle = handle_new(&r->handles, HANDLE_GROUP, (void *)g);
    handle_set_origin(&r->handles, handle, r->session);
    return (MPI_Group)handle;
}

/* ---- call_Send() and so on ---- */

#include "mpi_entries.h"
