/* Operations on vectors of basic elements: inout = in op inout, as MPI defines them. */
#ifndef WEFT_MPI_OBJECT_OP_H
#define WEFT_MPI_OBJECT_OP_H

#include "mpi/object/type.h"
#include "mpi_calls.h"

/* The low byte of the operation's handle in the standard ABI. */
enum op_kind {
    OP_SUM = 0x21,
    OP_MIN = 0x22,
    OP_MAX = 0x23,
    OP_PROD = 0x24,
    OP_BAND = 0x28,
    OP_BOR = 0x29,
    OP_BXOR = 0x2a,
    OP_LAND = 0x30,
    OP_LOR = 0x31,
    OP_LXOR = 0x32,
    OP_MINLOC = 0x38,
    OP_MAXLOC = 0x39,
    OP_REPLACE = 0x3c,
    OP_NO_OP = 0x3d,
};

/* Its name: "sum". */
const char *op_name(enum op_kind kind);

/* Whether an operation is defined for a basic type. */
bool op_is_defined(enum op_kind kind, const struct type *basic);

/* Combines `count` elements of a basic type, which follow each other an extent apart. */
void op_apply(enum op_kind kind, const struct type *basic, const void *in, void *inout,
              int64_t count);

/* ---- operations as programs have them ---- */

struct comm;
struct rank;

struct op {
    uint32_t holders;
    uint8_t kind; /* enum op_kind; 0: the program's own */
    bool commutes, predefined;
    MPI_User_function *function;
    uintptr_t handle;
};

/* An operation that MPI has; NULL: there is none with this handle. */
struct op *op_predefined(uintptr_t handle);

void op_release(struct op *op);

/* inout = in op inout, of `count` elements. */
void op_combine(const struct op *op, const struct type *t, const void *in, void *inout,
                int64_t count);

#endif
