/* Reduce_local with predefined and own operations, and Op_commutative. */
#include "check.h"

enum { COUNT = 20 };

/* Keeps the decimal digits of both: 12 and 3 give 123. */
static void append(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    int *left = in, *right = inout;
    for (int i = 0; i < *count; i++)
        right[i] = left[i] * 10 + right[i];
}

static void check(const char *what, MPI_Op op, int left, int right, int expected)
{
    int in[COUNT], inout[COUNT];
    for (int i = 0; i < COUNT; i++) {
        in[i] = left;
        inout[i] = right;
    }
    MPI_Reduce_local(in, inout, COUNT - 1, MPI_INT, op);
    for (int i = 0; i < COUNT; i++) {
        expect(what, i < COUNT - 1 ? expected : right, inout[i]);
        expect("input", left, in[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Op op;
    int commutes = -1;
    begin(&argc, &argv);
    check("sum", MPI_SUM, 3, 4, 7);
    check("product", MPI_PROD, 3, 4, 12);
    check("maximum", MPI_MAX, 3, -4, 3);
    check("minimum", MPI_MIN, 3, -4, -4);
    check("logical and", MPI_LAND, 2, 4, 1);
    check("logical or", MPI_LOR, 0, 0, 0);
    check("logical exclusive or", MPI_LXOR, 2, 4, 0);
    check("and", MPI_BAND, 6, 3, 2);
    check("or", MPI_BOR, 6, 3, 7);
    check("exclusive or", MPI_BXOR, 6, 3, 5);
    MPI_Op_create(append, 0, &op);
    check("own operation", op, 12, 3, 123);
    MPI_Op_commutative(op, &commutes);
    expect("commutes", 0, commutes);
    MPI_Op_free(&op);
    expect("freed operation", 1, op == MPI_OP_NULL);
    MPI_Op_create(append, 1, &op);
    MPI_Op_commutative(op, &commutes);
    expect("said to commute", 1, commutes);
    MPI_Op_free(&op);
    MPI_Op_commutative(MPI_SUM, &commutes);
    expect("sum commutes", 1, commutes);
    return finish("reduce_local");
}
