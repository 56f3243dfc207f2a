/* Beginning, end, surroundings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/call.h"
#include "mpi/collective/series.h"
#include "mpi/object/request.h"

/* ---- beginning ---- */

/* Communicators that always exist have handles of the standard ABI. */
static struct comm *predefined(struct rank *r, uint32_t context, const struct group *g,
                               MPI_Comm handle, const char *name)
{
    struct comm *c = comm_new(r, context, g, NULL, false);
    handle_drop(&r->handles, c->handle);
    c->handle = (uintptr_t)handle;
    snprintf(c->name, sizeof(c->name), "%s", name);
    return c;
}

void environment_begin(struct rank *r)
{
    if (r->everybody)
        return;
    r->everybody = predefined(r, CONTEXT_WORLD, group_hold(r->world->everybody), MPI_COMM_WORLD,
                              "MPI_COMM_WORLD");
    r->self = predefined(r, CONTEXT_SELF, group_of_range(r->world->groups, r->task->rank, 1, 1),
                         MPI_COMM_SELF, "MPI_COMM_SELF");
}

/* Ranks have no threads. */
int mpi_Init_thread(struct rank *r, int *argc, char ***argv, int required, int *provided)
{
    (void)argc, (void)argv;
    if (r->state != MPI_BEFORE)
        error_fatal(r, "it is called twice");
    r->threads = required < MPI_THREAD_FUNNELED ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED;
    if (provided)
        *provided = r->threads;
    environment_begin(r);
    r->file_errors = errhandler_find(r, (uintptr_t)MPI_ERRORS_RETURN);
    r->state = MPI_INSIDE;
    r->log.begun = true;
    r->stats.began = task_seconds(r->task);
    return MPI_SUCCESS;
}

MPI_ANSWER(Initialized, int, r->state != MPI_BEFORE, struct rank *r)
MPI_ANSWER(Finalized, int, r->state == MPI_AFTER, struct rank *r)
MPI_ANSWER(Query_thread, int, r->threads, struct rank *r)
MPI_ANSWER(Is_thread_main, int, 1, struct rank *r)

/* ---- end ---- */

int mpi_Finalize(struct rank *r)
{
    struct operands none = {.root = 0};
    r->log.ended = true;
    int error = attributes_drop(r, &r->self->attributes, MPI_COMM_SELF);
    attributes_drop(r, &r->everybody->attributes, MPI_COMM_WORLD);
    request_drain(r, NULL);
    request_settle_files(r, NULL);
    /* All ranks wait for each other: nobody leaves while others still need what it has sent. */
    if (!machine_barrier(r, r->everybody, &none))
        request_run(r, r->everybody, &none, start_barrier);
    request_progress(r, false);
    r->stats.ended = task_seconds(r->task);
    r->state = MPI_AFTER;
    return error;
}

int mpi_Abort(struct rank *r, MPI_Comm comm, int code)
{
    (void)comm;
    r->abort_code = code >= 1 && code <= 255 ? code : 1;
    error_fatal(r, "the program aborts with code %d", code);
}

/* ---- surroundings ---- */

MPI_ANSWERS(Get_version, int, MPI_VERSION, MPI_SUBVERSION, struct rank *r)
MPI_ANSWERS(Abi_get_version, int, MPI_ABI_VERSION, MPI_ABI_SUBVERSION, struct rank *r)

int mpi_Get_library_version(struct rank *r, char *version, int *length)
{
    (void)r;
    *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Weft's MPI, standard ABI %d.%d",
                       MPI_ABI_VERSION, MPI_ABI_SUBVERSION);
    return MPI_SUCCESS;
}

/* ---- what the ABI leaves open ---- */

static MPI_Info give_sizes(struct rank *r, const char *const *key, const int *bytes, size_t count)
{
    struct info *info = info_new();
    char text[16];
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof(text), "%d", bytes[i]);
        info_set(info, key[i], text);
    }
    return (MPI_Info)handle_new(&r->handles, HANDLE_INFO, info);
}

int mpi_Abi_get_info(struct rank *r, MPI_Info *info)
{
    static const char *const keys[] = {"mpi_aint_size", "mpi_count_size", "mpi_offset_size"};
    static const int bytes[] = {sizeof(MPI_Aint), sizeof(MPI_Count), sizeof(MPI_Offset)};
    *info = give_sizes(r, keys, bytes, 3);
    return MPI_SUCCESS;
}

/* Of gfortran, without options that change them. */
int mpi_Abi_get_fortran_info(struct rank *r, MPI_Info *info)
{
    static const char *const keys[] = {"mpi_logical_size", "mpi_integer_size", "mpi_real_size",
                                       "mpi_double_precision_size"};
    static const int bytes[] = {sizeof(MPI_Fint), sizeof(MPI_Fint), sizeof(float), sizeof(double)};
    *info = give_sizes(r, keys, bytes, 4);
    return MPI_SUCCESS;
}

int mpi_Abi_set_fortran_info(struct rank *r, MPI_Info info)
{
    (void)info;
    return error_raise(r, NULL, MPI_ERR_ABI, "Fortran's types are known");
}

/* .true. is 1, in any size. */
int mpi_Abi_get_fortran_booleans(struct rank *r, int size, void *yes, void *no, int *known)
{
    *known = size == 1 || size == 2 || size == 4 || size == 8;
    if (!*known)
        return error_raise(r, NULL, MPI_ERR_ARG, "there is no LOGICAL of %d bytes", size);
    memset(yes, 0, (size_t)size);
    memset(no, 0, (size_t)size);
    *(unsigned char *)yes = 1; /* the low byte comes first */
    return MPI_SUCCESS;
}

int mpi_Abi_set_fortran_booleans(struct rank *r, int size, void *yes, void *no)
{
    (void)size, (void)yes, (void)no;
    return error_raise(r, NULL, MPI_ERR_ABI, "Fortran's values are known");
}

int mpi_Get_hw_resource_info(struct rank *r, MPI_Info *info)
{
    struct info *i = info_new();
    info_set(i, "mpi_hw_resource_type", "node");
    *info = (MPI_Info)handle_new(&r->handles, HANDLE_INFO, i);
    return MPI_SUCCESS;
}

int mpi_Get_processor_name(struct rank *r, char *name, int *length)
{
    rank_node_name(r, name, MPI_MAX_PROCESSOR_NAME);
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

/* For profilers, which stand before this one. */
int call_Pcontrol(const int level, ...)
{
    struct rank *r = call_begin(CALL_Pcontrol);
    (void)level;
    return call_end(r, MPI_SUCCESS);
}

int mpi_Alloc_mem(struct rank *r, MPI_Aint size, MPI_Info info, void *base)
{
    (void)info;
    if (size < 0)
        return error_raise(r, NULL, MPI_ERR_ARG, "the size is %lld", (long long)size);
    void *memory = malloc(size ? (size_t)size : 1);
    if (!memory)
        return error_raise(r, NULL, MPI_ERR_NO_MEM, "there are not %lld bytes", (long long)size);
    *(void **)base = memory;
    return MPI_SUCCESS;
}

int mpi_Free_mem(struct rank *r, void *base)
{
    (void)r;
    free(base);
    return MPI_SUCCESS;
}

/* Two reads differ, even where calls are to cost nothing. */
double call_Wtime(void)
{
    struct rank *r = call_begin(CALL_Wtime);
    if (r->world->o.cost.call_cycles < 1)
        rank_owe(r, 1);
    double now = task_seconds(r->task);
    call_end(r, MPI_SUCCESS);
    return now;
}

/* One cycle of the processor. */
double call_Wtick(void)
{
    struct rank *r = call_begin(CALL_Wtick);
    double tick = 1 / r->task->clock_hz;
    call_end(r, MPI_SUCCESS);
    return tick;
}

int mpi_Compute(struct rank *r, double cycles)
{
    if (!(cycles >= 0))
        return error_raise(r, NULL, MPI_ERR_ARG, "%g cycles", cycles);
    rank_compute(r, cycles);
    return MPI_SUCCESS;
}

/* A number for the result. Letters, digits and underscores; the last value counts. */
int mpi_Figure(struct rank *r, const char *name, double value)
{
    size_t length = name ? strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;
    if (!length || name[length] || length >= sizeof(r->world->figures.figure[0].name))
        return error_raise(r, NULL, MPI_ERR_ARG,
                           "a figure's name has up to %zu small "
                           "letters, digits and underscores",
                           sizeof(r->world->figures.figure[0].name) - 1);
    if (!figures_set(&r->world->figures, name, value))
        return error_raise(r, NULL, MPI_ERR_OTHER, "there are %d figures already", FIGURES_MOST);
    return MPI_SUCCESS;
}

/* ---- handles as integers ---- */

/* A status has the same words everywhere. */
#define CONVERT_STATUS(NAME, FROM, TO)                                                             \
    int call_Status_##NAME(const FROM *from, TO *to)                                               \
    {                                                                                              \
        memcpy(to, from, sizeof(MPI_Status));                                                      \
        return MPI_SUCCESS;                                                                        \
    }
CONVERT_STATUS(f2c, MPI_Fint, MPI_Status)
CONVERT_STATUS(c2f, MPI_Status, MPI_Fint)
CONVERT_STATUS(f082c, MPI_F08_status, MPI_Status)
CONVERT_STATUS(c2f08, MPI_Status, MPI_F08_status)
CONVERT_STATUS(f2f08, MPI_Fint, MPI_F08_status)
CONVERT_STATUS(f082f, MPI_F08_status, MPI_Fint)
