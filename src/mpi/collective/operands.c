/* Operands of collective operations. */
#define _GNU_SOURCE
#include "mpi/collective/operands.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mpi/object/op.h"

int64_t operands_op(const struct operands *o)
{
    const struct type *t = o->in.type ? o->in.type : o->out.type;
    const struct type *basic = o->op && o->op->kind && t ? type_basic(t) : NULL;
    return basic ? (int64_t)o->op->kind << 32 | (int64_t)basic->basic << 16 | basic->size : 0;
}

static int check_counts(struct rank *r, struct comm *c, const int counts[], uint32_t blocks)
{
    for (uint32_t i = 0; i < blocks; i++)
        if (counts[i] < 0)
            return error_raise(r, c, MPI_ERR_COUNT, "count %d of rank %u", counts[i], i);
    return MPI_SUCCESS;
}

/* One type for each block; they may be freed before the operation is over. */
static int take_types(struct rank *r, struct comm *c, struct side *side, uint32_t blocks,
                      const MPI_Datatype types[])
{
    int error = MPI_SUCCESS;
    side->types = memory_alloc(blocks ? blocks : 1, sizeof(struct type *));
    for (uint32_t i = 0; i < blocks && !error; i++) {
        struct type *t;
        error = find_data(r, c, side->counts[i], types[i], &t);
        if (!error)
            side->types[side->blocks++] = type_hold(t);
    }
    return error;
}

int side_take(struct rank *r, struct comm *c, struct side *side, const struct buffer_arguments *a,
              uint32_t blocks)
{
    side->at = (void *)a->at;
    if (side->layout == LAYOUT_NONE || side->layout == LAYOUT_VECTOR)
        return MPI_SUCCESS;
    if (!layout_is_listed(side->layout)) {
        side->count = a->count;
        return find_data(r, c, a->count, a->type, &side->type);
    }
    side->counts = a->counts;
    if (side->layout == LAYOUT_ADDRESSED)
        side->addresses = a->displs;
    else
        side->displacements = a->displs;
    int error = check_counts(r, c, a->counts, blocks);
    if (error)
        return error;
    return side->layout == LAYOUT_LISTED ? find_data(r, c, 0, a->type, &side->type)
                                         : take_types(r, c, side, blocks, a->types);
}

void side_drop(struct side *side)
{
    for (uint32_t i = 0; i < side->blocks; i++)
        type_release(side->types[i]);
    free(side->types);
    *side = (struct side){.layout = LAYOUT_NONE};
}
