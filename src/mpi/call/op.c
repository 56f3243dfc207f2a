/* Operations of reductions. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/object/op.h"

#define PREDEFINED(KIND)                                                                           \
    [KIND] = {.kind = KIND, .commutes = (KIND) != OP_REPLACE, .predefined = true, .handle = KIND}

static struct op predefined[] = {
    PREDEFINED(OP_SUM),     PREDEFINED(OP_MIN),   PREDEFINED(OP_MAX),    PREDEFINED(OP_PROD),
    PREDEFINED(OP_BAND),    PREDEFINED(OP_BOR),   PREDEFINED(OP_BXOR),   PREDEFINED(OP_LAND),
    PREDEFINED(OP_LOR),     PREDEFINED(OP_LXOR),  PREDEFINED(OP_MINLOC), PREDEFINED(OP_MAXLOC),
    PREDEFINED(OP_REPLACE), PREDEFINED(OP_NO_OP),
};
enum { PREDEFINED_END = sizeof(predefined) / sizeof(predefined[0]) };

static struct op *look_up(struct rank *r, MPI_Op handle)
{
    uintptr_t number = (uintptr_t)handle;
    if (number < PREDEFINED_END)
        return predefined[number].predefined ? &predefined[number] : NULL;
    return handle_object(&r->handles, HANDLE_OP, number);
}

int find_op(struct rank *r, struct comm *c, MPI_Op handle, const struct type *t, struct op **op)
{
    *op = look_up(r, handle);
    if (!*op)
        return error_raise(r, c, MPI_ERR_OP,
                           handle == MPI_OP_NULL ? "the operation is MPI_OP_NULL"
                                                 : "the operation does not exist, or was freed");
    const struct type *basic = t ? type_basic(t) : NULL;
    if (t && (*op)->kind && (!basic || !op_is_defined((enum op_kind)(*op)->kind, basic)))
        return error_raise(r, c, MPI_ERR_OP, "the operation is not defined for %s",
                           t->name[0] ? t->name : "this datatype");
    return MPI_SUCCESS;
}

int call_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    struct rank *r = call_begin(CALL_Op_create);
    struct op *own = memory_alloc(1, sizeof(*own));
    *own = (struct op){.holders = 1, .commutes = commute != 0, .function = function};
    own->handle = handle_new(&r->handles, HANDLE_OP, own);
    *op = (MPI_Op)own->handle;
    return call_end(r, MPI_SUCCESS);
}

int call_Op_free(MPI_Op *handle)
{
    struct rank *r = call_begin(CALL_Op_free);
    struct op *op;
    int error = find_op(r, NULL, *handle, NULL, &op);
    if (!error && op->predefined)
        error = error_raise(r, NULL, MPI_ERR_OP, "the operation is predefined");
    if (error)
        return call_end(r, error);
    handle_drop(&r->handles, op->handle);
    op_release(op);
    *handle = MPI_OP_NULL;
    return call_end(r, MPI_SUCCESS);
}

int call_Op_commutative(MPI_Op handle, int *commute)
{
    struct rank *r = call_begin(CALL_Op_commutative);
    struct op *op;
    int error = find_op(r, NULL, handle, NULL, &op);
    if (!error)
        *commute = op->commutes;
    return call_end(r, error);
}

int call_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op handle)
{
    struct rank *r = call_begin(CALL_Reduce_local);
    struct type *t;
    struct op *op;
    int error = find_data(r, NULL, count, type, &t);
    if (!error)
        error = find_op(r, NULL, handle, t, &op);
    if (error || !count)
        return call_end(r, error);
    rank_combine(r, (uint64_t)(count * t->size));
    op_combine(op, t, in, inout, count);
    return call_end(r, MPI_SUCCESS);
}
