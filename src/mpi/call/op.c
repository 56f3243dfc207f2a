/* Operations of reductions. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/object/op.h"

int mpi_Op_create(struct rank *r, MPI_User_function *function, int commute, MPI_Op *op)
{
    struct op *own = memory_alloc(1, sizeof(*own));
    *own = (struct op){.holders = 1, .commutes = commute != 0, .function = function};
    own->handle = handle_new(&r->handles, HANDLE_OP, own);
    *op = (MPI_Op)own->handle;
    return MPI_SUCCESS;
}

int mpi_Op_free(struct rank *r, MPI_Op *handle)
{
    struct op *op;
    TRY_MPI(find_op(r, NULL, *handle, NULL, &op));
    if (op->predefined)
        return error_raise(r, NULL, MPI_ERR_OP, "the operation is predefined");
    handle_drop(&r->handles, op->handle);
    op_release(op);
    *handle = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int mpi_Op_commutative(struct rank *r, MPI_Op handle, int *commute)
{
    struct op *op;
    TRY_MPI(find_op(r, NULL, handle, NULL, &op));
    *commute = op->commutes;
    return MPI_SUCCESS;
}

int mpi_Reduce_local(struct rank *r, const void *in, void *inout, int count, MPI_Datatype type,
                     MPI_Op handle)
{
    struct type *t;
    struct op *op;
    TRY_MPI(find_data(r, NULL, count, type, &t));
    TRY_MPI(find_op(r, NULL, handle, t, &op));
    if (!count)
        return MPI_SUCCESS;
    rank_combine(r, (uint64_t)(count * t->size));
    op_combine(op, t, in, inout, count);
    return MPI_SUCCESS;
}
