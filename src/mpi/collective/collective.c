/* Operands of collective operations. */
#define _GNU_SOURCE
#include "mpi/collective/collective.h"

#include <stdlib.h>

#include "base/memory.h"

void op_release(struct op *op)
{
    if (op && !op->predefined && --op->holders == 0)
        free(op);
}

int64_t operands_op(const struct operands *o)
{
    const struct type *t = o->in.type ? o->in.type : o->out.type;
    const struct type *basic = o->op && o->op->kind && t ? type_basic(t) : NULL;
    return basic ? (int64_t)o->op->kind << 32 | (int64_t)basic->basic << 16 | basic->size : 0;
}

int side_one(struct rank *r, struct comm *c, struct side *side, const void *at, int count,
             MPI_Datatype type)
{
    *side = (struct side){.layout = LAYOUT_ONE, .at = (void *)at, .count = count};
    return find_data(r, c, count, type, &side->type);
}

int side_even(struct rank *r, struct comm *c, struct side *side, const void *at, int count,
              MPI_Datatype type)
{
    int error = side_one(r, c, side, at, count, type);
    side->layout = LAYOUT_EVEN;
    return error;
}

int side_check(struct rank *r, struct comm *c, const int counts[], uint32_t blocks)
{
    for (uint32_t i = 0; i < blocks; i++)
        if (counts[i] < 0)
            return error_raise(r, c, MPI_ERR_COUNT, "count %d of rank %u", counts[i], i);
    return MPI_SUCCESS;
}

int side_listed(struct rank *r, struct comm *c, struct side *side, const void *at,
                const int counts[], const int displs[], uint32_t blocks, MPI_Datatype type)
{
    int error = side_check(r, c, counts, blocks);
    if (!error)
        error = side_one(r, c, side, at, 0, type);
    side->layout = LAYOUT_LISTED;
    side->counts = counts;
    side->displacements = displs;
    return error;
}

/* One type for each block; they may be freed before the operation is over. */
int side_typed(struct rank *r, struct comm *c, struct side *side, const void *at,
               const int counts[], uint32_t blocks, const MPI_Datatype types[])
{
    *side = (struct side){.layout = LAYOUT_TYPED, .at = (void *)at, .counts = counts};
    int error = side_check(r, c, counts, blocks);
    if (error)
        return error;
    side->types = memory_alloc(blocks ? blocks : 1, sizeof(struct type *));
    for (uint32_t i = 0; i < blocks && !error; i++) {
        struct type *t;
        error = find_data(r, c, counts[i], types[i], &t);
        if (!error)
            side->types[side->blocks++] = type_hold(t);
    }
    return error;
}

void side_drop(struct side *side)
{
    for (uint32_t i = 0; i < side->blocks; i++)
        type_release(side->types[i]);
    free(side->types);
    *side = (struct side){.layout = LAYOUT_ONE};
}
