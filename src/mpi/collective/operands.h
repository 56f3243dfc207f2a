/*
 * What a collective operation is to do: the operands of the call. An operation has data that go out
 * and data that come in, one block for each process or one for all.
 */
#ifndef WEFT_MPI_COLLECTIVE_OPERANDS_H
#define WEFT_MPI_COLLECTIVE_OPERANDS_H

#include "mpi/call.h"
#include "mpi/collective/collective.h"

struct side {
    enum layout layout;
    void *at;
    int64_t count;
    struct type *type;
    const int *counts, *displacements;
    const MPI_Aint *addresses;
    struct type **types; /* held; [blocks] */
    uint32_t blocks;
};

struct op;

struct operands {
    struct side out, in;
    bool in_place;
    int root;
    struct op *op; /* held */
};

/* A number for the operation of a reduction and the type of its elements; 0: it is none, or has an
 * operation of the program's own. */
int64_t operands_op(const struct operands *o);

/* A side by the arguments of a call, for so many blocks; its layout is set. MPI_SUCCESS, or the
 * error was raised. Types of single blocks are held, until side_drop(). */
int side_take(struct rank *r, struct comm *c, struct side *side, const struct buffer_arguments *a,
              uint32_t blocks);
void side_drop(struct side *side);

#endif
