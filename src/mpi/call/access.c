/* Accesses to windows: put, get, accumulate and their kin. */
#include <string.h>

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/object/request.h"
#include "mpi/object/window.h"

/* ---- arguments ---- */

/* The target's elements, which must be in its part of the window. A dynamic window has addresses
 * instead of displacements, and its target knows what is attached. */
static int find_place(struct rank *r, struct mpi_window *w, int target, MPI_Aint disp,
                      struct block *at)
{
    const struct window_part *part = &w->member[target];
    int64_t low = 0, high = 0, first;
    bool dynamic = w->flavor == MPI_WIN_FLAVOR_DYNAMIC;
    if (__builtin_mul_overflow((int64_t)disp, (int64_t)part->unit, &first))
        return error_raise(r, w->comm, MPI_ERR_DISP, "the displacement is %lld", (long long)disp);
    if (at->count && at->type->size)
        block_span(at, &low, &high);
    at->at = (unsigned char *)((uintptr_t)(dynamic ? NULL : part->base) + (uintptr_t)first);
    if (dynamic || low == high || (first >= -low && first <= part->size - high))
        return MPI_SUCCESS;
    return error_raise(
        r, w->comm, MPI_ERR_RMA_RANGE, "bytes %lld to %lld of rank %d's window, which has %lld",
        (long long)(first + low), (long long)(first + high) - 1, target, (long long)part->size);
}

static int check_lengths(struct rank *r, struct mpi_window *w, const struct block *origin,
                         const struct block *target)
{
    uint64_t here = block_length(origin), there = block_length(target);
    return here == there ? MPI_SUCCESS
                         : error_raise(r, w->comm, MPI_ERR_TYPE,
                                       "%llu bytes at the origin, and %llu at the target",
                                       (unsigned long long)here, (unsigned long long)there);
}

static int check_memory(struct rank *r, struct mpi_window *w, const struct block *b)
{
    return b->at || !block_length(b) || b->type->true_low
               ? MPI_SUCCESS
               : error_raise(r, w->comm, MPI_ERR_BUFFER, "the buffer is NULL");
}

/* Elements of the origin. */
static int find_elements(struct rank *r, struct mpi_window *w, const void *at, MPI_Count count,
                         MPI_Datatype type, struct block *b)
{
    *b = (struct block){.at = (void *)at, .count = count};
    TRY_MPI(find_data(r, w->comm, count, type, &b->type));
    return check_memory(r, w, b);
}

/* Those of the target, which it may access now. */
static int find_target(struct rank *r, struct mpi_window *w, int target, MPI_Aint disp,
                       MPI_Count count, MPI_Datatype type, struct block *b)
{
    *b = (struct block){.count = count};
    TRY_MPI(find_data(r, w->comm, count, type, &b->type));
    TRY_MPI(epoch_check(r, w, target));
    return find_place(r, w, target, disp, b);
}

/* Predefined operations alone, whose elements are of one basic type. */
static int find_operation(struct rank *r, struct mpi_window *w, MPI_Op handle, const struct type *t,
                          struct op **op)
{
    TRY_MPI(find_op(r, w->comm, handle, t, op));
    return (*op)->kind ? MPI_SUCCESS
                       : error_raise(r, w->comm, MPI_ERR_OP, "the operation is the program's own");
}

/* ---- starting ---- */

/* An access to nobody is over. */
static int access_nobody(struct rank *r, struct mpi_window *w, MPI_Request *request)
{
    struct mpi_message on = {.comm = w->comm, .peer = MPI_PROC_NULL};
    if (!request)
        return MPI_SUCCESS;
    struct mpi_request *q = request_new(r, REQUEST_NOTHING, &on);
    request_start(r, q);
    *request = request_give(r, q);
    return MPI_SUCCESS;
}

/* `out`: what the origin gives; `a` as it is to be. */
static int start(struct rank *r, struct mpi_window *w, int target, const struct window_access *a,
                 const struct task_parcel *out, MPI_Request *request)
{
    struct window_access *own = memory_alloc(1, sizeof(*own));
    *own = *a;
    type_hold(own->at.type);
    if (own->result.type)
        type_hold(own->result.type);
    epoch_access(r, w, target, own, out, request);
    return MPI_SUCCESS;
}

static const struct task_parcel nothing = {.shape = SHAPE_LINES};

int window_put(struct rank *r, const void *origin, MPI_Count origincount, MPI_Datatype origintype,
               int target, MPI_Aint disp, MPI_Count targetcount, MPI_Datatype targettype,
               struct mpi_window *w, MPI_Request *request)
{
    struct window_access a = {.kind = ACCESS_PUT};
    struct block from;
    if (target == MPI_PROC_NULL)
        return access_nobody(r, w, request);
    TRY_MPI(find_elements(r, w, origin, origincount, origintype, &from));
    TRY_MPI(find_target(r, w, target, disp, targetcount, targettype, &a.at));
    TRY_MPI(check_lengths(r, w, &from, &a.at));
    struct task_parcel out = block_parcel(&from, false);
    return start(r, w, target, &a, &out, request);
}

int window_get(struct rank *r, void *origin, MPI_Count origincount, MPI_Datatype origintype,
               int target, MPI_Aint disp, MPI_Count targetcount, MPI_Datatype targettype,
               struct mpi_window *w, MPI_Request *request)
{
    struct window_access a = {.kind = ACCESS_GET};
    if (target == MPI_PROC_NULL)
        return access_nobody(r, w, request);
    TRY_MPI(find_elements(r, w, origin, origincount, origintype, &a.result));
    TRY_MPI(find_target(r, w, target, disp, targetcount, targettype, &a.at));
    TRY_MPI(check_lengths(r, w, &a.result, &a.at));
    return start(r, w, target, &a, &nothing, request);
}

int window_accumulate(struct rank *r, const void *origin, MPI_Count origincount,
                      MPI_Datatype origintype, int target, MPI_Aint disp, MPI_Count targetcount,
                      MPI_Datatype targettype, MPI_Op handle, struct mpi_window *w,
                      MPI_Request *request)
{
    struct window_access a = {.kind = ACCESS_ACCUMULATE};
    struct block from;
    struct op *op;
    if (target == MPI_PROC_NULL)
        return access_nobody(r, w, request);
    TRY_MPI(find_elements(r, w, origin, origincount, origintype, &from));
    TRY_MPI(find_target(r, w, target, disp, targetcount, targettype, &a.at));
    TRY_MPI(check_lengths(r, w, &from, &a.at));
    TRY_MPI(find_operation(r, w, handle, a.at.type, &op));
    struct task_parcel out = block_parcel(&from, false);
    a.op = op;
    return start(r, w, target, &a, op->kind == OP_NO_OP ? &nothing : &out, request);
}

/* MPI_NO_OP: the origin's elements mean nothing. */
int window_get_accumulate(struct rank *r, const void *origin, MPI_Count origincount,
                          MPI_Datatype origintype, void *result, MPI_Count resultcount,
                          MPI_Datatype resulttype, int target, MPI_Aint disp, MPI_Count targetcount,
                          MPI_Datatype targettype, MPI_Op handle, struct mpi_window *w,
                          MPI_Request *request)
{
    struct window_access a = {.kind = ACCESS_FETCH};
    struct task_parcel out = nothing;
    struct block from;
    struct op *op;
    if (target == MPI_PROC_NULL)
        return access_nobody(r, w, request);
    TRY_MPI(find_elements(r, w, result, resultcount, resulttype, &a.result));
    TRY_MPI(find_target(r, w, target, disp, targetcount, targettype, &a.at));
    TRY_MPI(check_lengths(r, w, &a.result, &a.at));
    TRY_MPI(find_operation(r, w, handle, a.at.type, &op));
    a.op = op;
    if (op->kind != OP_NO_OP) {
        TRY_MPI(find_elements(r, w, origin, origincount, origintype, &from));
        TRY_MPI(check_lengths(r, w, &from, &a.at));
        out = block_parcel(&from, false);
    }
    return start(r, w, target, &a, &out, request);
}

/* ---- compare and swap ---- */

struct swap {
    const void *compare, *origin;
    size_t size;
};

static void gather_swap(void *arg, unsigned char *to)
{
    const struct swap *s = arg;
    memcpy(to, s->compare, s->size);
    memcpy(to + s->size, s->origin, s->size);
}

int mpi_Compare_and_swap(struct rank *r, const void *origin, const void *compare, void *result,
                         MPI_Datatype type, int target, MPI_Aint disp, struct mpi_window *w)
{
    enum {
        DEFINED = 1 << BASIC_SIGNED | 1 << BASIC_UNSIGNED | 1 << BASIC_LOGICAL | 1 << BASIC_BYTE
    };
    struct window_access a = {.kind = ACCESS_COMPARE};
    if (target == MPI_PROC_NULL)
        return MPI_SUCCESS;
    TRY_MPI(find_elements(r, w, result, 1, type, &a.result));
    if (!origin || !compare)
        return error_raise(r, w->comm, MPI_ERR_BUFFER, "the buffer is NULL");
    if (!(DEFINED >> a.result.type->basic & 1))
        return error_raise(r, w->comm, MPI_ERR_TYPE, "the datatype is no integer, logical or byte");
    TRY_MPI(find_target(r, w, target, disp, 1, type, &a.at));
    struct swap swap = {compare, origin, (size_t)a.at.type->size};
    struct task_parcel out = {
        .bytes = 2 * swap.size, .shape = SHAPE_LINES, .gather = gather_swap, .arg = &swap};
    return start(r, w, target, &a, &out, NULL);
}
