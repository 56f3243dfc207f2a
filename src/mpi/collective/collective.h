/*
 * What a collective operation is to do: the operands of the call. An operation has data that go out
 * and data that come in, one block for each process or one for all.
 */
#ifndef WEFT_MPI_COLLECTIVE_COLLECTIVE_H
#define WEFT_MPI_COLLECTIVE_COLLECTIVE_H

#include "mpi/call.h"

/* How the blocks of processes are found. */
enum layout {
    LAYOUT_ONE,    /* there is one for all */
    LAYOUT_EVEN,   /* equally long, one after the other */
    LAYOUT_LISTED, /* counts, and displacements in elements */
    LAYOUT_TYPED,  /* counts, displacements in bytes and types */
    LAYOUT_FAR,    /* the same, with displacements that are addresses */
};

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

/* Operations as programs have them. */
struct op {
    uint32_t holders;
    uint8_t kind; /* enum op_kind; 0: the program's own */
    bool commutes, predefined;
    MPI_User_function *function;
    uintptr_t handle;
};

void op_release(struct op *op);

/* inout = in op inout, of `count` elements. */
void op_do(const struct op *op, const struct type *t, const void *in, void *inout, int64_t count);

struct operands {
    struct side out, in;
    bool in_place;
    int root;
    struct op *op; /* held */
};

/* A number for the operation of a reduction and the type of its elements; 0: it is none, or has an
 * operation of the program's own. */
int64_t operands_op(const struct operands *o);

/* ---- sides of a call: MPI_SUCCESS, or the error was raised ---- */

int side_one(struct rank *r, struct comm *c, struct side *side, const void *at, int count,
             MPI_Datatype type);
int side_even(struct rank *r, struct comm *c, struct side *side, const void *at, int count,
              MPI_Datatype type);
int side_listed(struct rank *r, struct comm *c, struct side *side, const void *at,
                const int counts[], const int displs[], uint32_t blocks, MPI_Datatype type);
int side_check(struct rank *r, struct comm *c, const int counts[], uint32_t blocks);

/* Its displacements are the caller's to set; its types are held, until side_drop(). */
int side_typed(struct rank *r, struct comm *c, struct side *side, const void *at,
               const int counts[], uint32_t blocks, const MPI_Datatype types[]);
void side_drop(struct side *side);

#endif
