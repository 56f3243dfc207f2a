/* Windows: made, asked about, freed. */
#include "mpi/object/window.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/collective/series.h"
#include "mpi/object/meeting.h"
#include "mpi/object/request.h"

int find_window(struct rank *r, MPI_Win handle, struct mpi_window **w)
{
    *w = handle_object(&r->handles, HANDLE_WINDOW, (uintptr_t)handle);
    if (*w)
        return MPI_SUCCESS;
    return error_raise(r, NULL, MPI_ERR_WIN, "the window %s",
                       handle == MPI_WIN_NULL ? "is MPI_WIN_NULL" : "does not exist, or was freed");
}

/* ---- what all ranks know ---- */

struct window_table {
    void *memory; /* that all share; NULL: none */
    struct window_part member[];
};

enum { BASE, SIZE, UNIT, NODE, WINDOW, WORDS };

/* The parts of ranks that share memory follow each other. */
static void *make_table(const struct meeting *m, void *shares)
{
    MPI_Aint total = 0, at = 0;
    struct window_table *t =
        memory_alloc(1, sizeof(*t) + (size_t)m->members * sizeof(struct window_part));
    for (uint32_t i = 0; i < m->members; i++) {
        const int64_t *word = meeting_words(m, i);
        t->member[i] = (struct window_part){.base = (unsigned char *)(uintptr_t)word[BASE],
                                            .size = (MPI_Aint)word[SIZE],
                                            .unit = (int)word[UNIT],
                                            .node = (uint32_t)word[NODE],
                                            .window = (struct mpi_window *)(uintptr_t)word[WINDOW]};
        total += t->member[i].size;
    }
    if (!*(bool *)shares)
        return t;
    t->memory = memory_alloc_lines((size_t)total + 1, 1);
    for (uint32_t i = 0; i < m->members; at += t->member[i++].size)
        t->member[i].base = (unsigned char *)t->memory + at;
    return t;
}

static void drop_table(void *made)
{
    free(((struct window_table *)made)->memory);
    free(made);
}

/* All tell each other what their parts are; that the messages have only the length of. */
static void exchange_parts(struct rank *r, struct mpi_window *w, enum call call)
{
    enum { PART_BYTES = 3 * 8 }; /* address, size, unit */
    struct comm *c = w->comm;
    struct operands none = {.root = 0};
    bool shares = w->flavor == MPI_WIN_FLAVOR_SHARED;
    int64_t word[WORDS] = {[BASE] = (int64_t)(uintptr_t)w->part.base,
                           [SIZE] = w->part.size,
                           [UNIT] = w->part.unit,
                           [NODE] = w->part.node,
                           [WINDOW] = (int64_t)(uintptr_t)w};
    uint64_t key = comm_key(c, c->operations);
    w->meeting = meeting_come(&r->world->meetings, key, c->group->size, c->rank, word, WORDS);
    struct series *s = series_new(r, c, call, &none);
    start_silent_gather(s, PART_BYTES);
    request_perform(r, s, NULL);
    struct window_table *t = meeting_make(&r->world->meetings, w->meeting, make_table, &shares);
    w->member = t->member;
    w->part.base = t->member[c->rank].base;
}

/* ---- made and freed ---- */

/* More than any computer has; sums over all ranks are numbers. */
#define MOST_BYTES (1ll << 44)

static int check_part(struct rank *r, struct comm *c, MPI_Aint size, MPI_Count unit)
{
    if (size > MOST_BYTES)
        return error_raise(r, c, MPI_ERR_NO_MEM, "there are not %lld bytes", (long long)size);
    if (size < 0)
        return error_raise(r, c, MPI_ERR_SIZE, "the size is %lld", (long long)size);
    if (unit <= 0 || unit > INT_MAX) /* an attribute of the window, which is an int */
        return error_raise(r, c, MPI_ERR_DISP, "the unit of displacements is %lld",
                           (long long)unit);
    return MPI_SUCCESS;
}

static void drop(struct rank *r, struct mpi_window *w)
{
    handle_drop(&r->handles, w->handle);
    meeting_go(&r->world->meetings, w->meeting, drop_table);
    comm_free(r, w->comm);
    window_fini(w);
    free(w->calls.q);
    free(w->completions.q);
    free(w->memory);
    free(w);
}

static int check_shared(struct rank *r, struct comm *c, const struct mpi_window *w)
{
    for (uint32_t i = 0; w->flavor == MPI_WIN_FLAVOR_SHARED && i < c->group->size; i++)
        if (w->member[i].node != w->part.node)
            return error_raise(r, c, MPI_ERR_RMA_SHARED, "rank %u is on another node", i);
    return MPI_SUCCESS;
}

/* A window of memory that there is, or, without a base, that it makes. */
static int create(struct rank *r, struct comm *c, int flavor, void *base, MPI_Aint size,
                  MPI_Count unit, MPI_Info info, MPI_Win *win)
{
    MPI_Comm own;
    struct info *hints;
    *win = MPI_WIN_NULL;
    TRY_MPI(check_part(r, c, size, unit));
    if (info != MPI_INFO_NULL) /* from here on no member fails alone */
        TRY_MPI(find_info(r, info, &hints));
    comm_split(r, c, 0, c->rank, &own);
    struct mpi_window *w = memory_alloc(1, sizeof(*w));
    *w = (struct mpi_window){.comm = comm_find(r, (uintptr_t)own),
                             .part = {base, size, (int)unit, r->task->node, w},
                             .flavor = flavor,
                             .model = MPI_WIN_UNIFIED};
    w->handle = w->comm->window = handle_new(&r->handles, HANDLE_WINDOW, w);
    errhandler_release(w->comm->errors); /* any error ends the program, whatever the other's says */
    w->comm->errors = NULL;
    if (flavor == MPI_WIN_FLAVOR_ALLOCATE)
        w->part.base = w->memory = memory_alloc_lines((size_t)size + 1, 1);
    exchange_parts(r, w, r->call);
    int error = check_shared(r, c, w);
    error = error ? error : mpi_Comm_set_info(r, w->comm, info);
    if (error)
        drop(r, w);
    else
        *win = (MPI_Win)w->handle;
    return error;
}

int mpi_Win_create(struct rank *r, void *base, MPI_Aint size, MPI_Count unit, MPI_Info info,
                   struct comm *c, MPI_Win *win)
{
    if (!base && size > 0)
        return error_raise(r, c, MPI_ERR_ARG, "the window's memory is NULL");
    return create(r, c, MPI_WIN_FLAVOR_CREATE, base, size, unit, info, win);
}

static int allocate(struct rank *r, int flavor, MPI_Aint size, MPI_Count unit, MPI_Info info,
                    struct comm *c, void *base, MPI_Win *win)
{
    struct mpi_window *w;
    TRY_MPI(create(r, c, flavor, NULL, size, unit, info, win));
    TRY_MPI(find_window(r, *win, &w));
    *(void **)base = w->part.base;
    return MPI_SUCCESS;
}

int mpi_Win_allocate(struct rank *r, MPI_Aint size, MPI_Count unit, MPI_Info info, struct comm *c,
                     void *base, MPI_Win *win)
{
    return allocate(r, MPI_WIN_FLAVOR_ALLOCATE, size, unit, info, c, base, win);
}

int mpi_Win_allocate_shared(struct rank *r, MPI_Aint size, MPI_Count unit, MPI_Info info,
                            struct comm *c, void *base, MPI_Win *win)
{
    return allocate(r, MPI_WIN_FLAVOR_SHARED, size, unit, info, c, base, win);
}

int mpi_Win_create_dynamic(struct rank *r, MPI_Info info, struct comm *c, MPI_Win *win)
{
    return create(r, c, MPI_WIN_FLAVOR_DYNAMIC, NULL, 0, 1, info, win);
}

int mpi_Win_free(struct rank *r, struct mpi_window *w, MPI_Win *win)
{
    TRY_MPI(epoch_check_closed(r, w));
    TRY_MPI(epoch_flush(r, w, MPI_ANY_SOURCE));
    TRY_MPI(error_pass_on(r, w->comm, attributes_drop(r, &w->attributes, *win)));
    TRY_MPI(call_Barrier((MPI_Comm)w->comm->handle)); /* nobody accesses this part any more */
    drop(r, w);
    *win = MPI_WIN_NULL;
    return MPI_SUCCESS;
}

/* ---- memory ---- */

/* MPI_PROC_NULL: the first rank that has any. Of a window whose memory is not shared, only the
 * rank's own is within reach. */
int mpi_Win_shared_query(struct rank *r, struct mpi_window *w, int rank, MPI_Aint *size,
                         MPI_Count *unit, void *base)
{
    uint32_t i = 0, ranks = w->comm->group->size;
    if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return error_raise(r, w->comm, MPI_ERR_RMA_FLAVOR, "the window is dynamic");
    if (rank != MPI_PROC_NULL)
        TRY_MPI(check_rank(r, w->comm, rank, ranks));
    if (rank != MPI_PROC_NULL)
        i = (uint32_t)rank;
    else
        while (i + 1 < ranks && !w->member[i].size)
            i++;
    bool near = w->flavor == MPI_WIN_FLAVOR_SHARED || i == w->comm->rank;
    *size = near ? w->member[i].size : 0;
    *unit = w->member[i].unit;
    *(void **)base = near ? w->member[i].base : NULL;
    return MPI_SUCCESS;
}

static int check_dynamic(struct rank *r, struct mpi_window *w)
{
    return w->flavor == MPI_WIN_FLAVOR_DYNAMIC
               ? MPI_SUCCESS
               : error_raise(r, w->comm, MPI_ERR_RMA_FLAVOR, "the window is not dynamic");
}

int mpi_Win_attach(struct rank *r, struct mpi_window *w, void *base, MPI_Aint size)
{
    TRY_MPI(check_dynamic(r, w));
    if (size < 0)
        return error_raise(r, w->comm, MPI_ERR_SIZE, "the size is %lld", (long long)size);
    return window_attach(w, base, size)
               ? MPI_SUCCESS
               : error_raise(r, w->comm, MPI_ERR_RMA_ATTACH, "some of it is attached already");
}

int mpi_Win_detach(struct rank *r, struct mpi_window *w, const void *base)
{
    TRY_MPI(check_dynamic(r, w));
    return window_detach(w, base)
               ? MPI_SUCCESS
               : error_raise(r, w->comm, MPI_ERR_RMA_ATTACH, "no attached memory begins there");
}

/* ---- as of communicators ---- */

MPI_ANSWER(Win_get_group, MPI_Group, give_group(r, group_hold(w->comm->group)), struct rank *r,
           struct mpi_window *w)

int mpi_Win_set_name(struct rank *r, struct mpi_window *w, const char *name)
{
    return mpi_Comm_set_name(r, w->comm, name);
}

int mpi_Win_get_name(struct rank *r, MPI_Win win, char *name, int *length)
{
    struct mpi_window *w = NULL;
    if (win != MPI_WIN_NULL)
        TRY_MPI(find_window(r, win, &w));
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", w ? w->comm->name : "MPI_WIN_NULL");
    return MPI_SUCCESS;
}

int mpi_Win_set_info(struct rank *r, struct mpi_window *w, MPI_Info info)
{
    return mpi_Comm_set_info(r, w->comm, info);
}

int mpi_Win_get_info(struct rank *r, struct mpi_window *w, MPI_Info *info)
{
    return mpi_Comm_get_info(r, w->comm, info);
}

/* Handlers get the handle of either in the same way. */
int mpi_Win_create_errhandler(struct rank *r, MPI_Win_errhandler_function *function,
                              MPI_Errhandler *handler)
{
    return mpi_Comm_create_errhandler(r, (MPI_Comm_errhandler_function *)(void (*)(void))function,
                                      handler);
}

int mpi_Win_set_errhandler(struct rank *r, struct mpi_window *w, MPI_Errhandler handler)
{
    return mpi_Comm_set_errhandler(r, w->comm, handler);
}

int mpi_Win_get_errhandler(struct rank *r, struct mpi_window *w, MPI_Errhandler *handler)
{
    return mpi_Comm_get_errhandler(r, w->comm, handler);
}

int mpi_Win_call_errhandler(struct rank *r, struct mpi_window *w, int code)
{
    return mpi_Comm_call_errhandler(r, w->comm, code);
}
