/* Messages whose types have the same values, however they are described, come whole; others are
 * errors of the receiver. Whatever fails to make a communicator leaves MPI_COMM_NULL. */
#include "check.h"

enum { TAG = 7 };

static int data[24], got[24];

/* Each sends to the next one; the class that the receive returns. */
static int pass(int sent, MPI_Datatype from, int expected, MPI_Datatype to)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Status status;
    MPI_Isend(data, sent, from, next, TAG, MPI_COMM_WORLD, &request);
    int code = MPI_Recv(got, expected, to, before, TAG, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return code;
}

static MPI_Datatype structure(int values, MPI_Datatype first, MPI_Datatype second)
{
    int lengths[2] = {values, 1};
    MPI_Aint places[2] = {0, 48};
    MPI_Datatype types[2] = {first, second}, type;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void equal_values(void)
{
    MPI_Datatype row, pair = structure(1, MPI_DOUBLE, MPI_INT), two,
                      long_one = structure(9, MPI_INT, MPI_DOUBLE);
    MPI_Type_vector(3, 2, 4, MPI_INT, &row);
    MPI_Type_contiguous(2, pair, &two);
    MPI_Type_commit(&row);
    MPI_Type_commit(&two);
    expect_class("integers, by a vector", MPI_SUCCESS, pass(6, MPI_INT, 1, row));
    expect_class("fewer than there is room for", MPI_SUCCESS, pass(2, MPI_INT, 20, MPI_INT));
    expect_class("another name", MPI_SUCCESS, pass(4, MPI_INT, 4, MPI_INT32_T));
    expect_class("reals of a complex type", MPI_SUCCESS, pass(2, MPI_C_COMPLEX, 4, MPI_FLOAT));
    expect_class("pairs of pairs", MPI_SUCCESS, pass(1, two, 2, pair));
    expect_class("the first value of a pair", MPI_SUCCESS, pass(1, MPI_DOUBLE, 1, pair));
    expect_class("bytes", MPI_SUCCESS, pass(4, MPI_INT, 16, MPI_BYTE));
    expect_class("packed", MPI_SUCCESS, pass(4, MPI_INT, 16, MPI_PACKED));
    expect_class("too long to be compared", MPI_SUCCESS, pass(1, long_one, 1, long_one));
    expect_class("nothing", MPI_SUCCESS, pass(0, MPI_FLOAT, 4, MPI_INT));
    MPI_Type_free(&row);
    MPI_Type_free(&pair);
    MPI_Type_free(&two);
    MPI_Type_free(&long_one);
}

static void other_values(void)
{
    MPI_Datatype pair = structure(1, MPI_DOUBLE, MPI_INT);
    MPI_Datatype other = structure(1, MPI_DOUBLE, MPI_FLOAT);
    expect_class("integers as reals", MPI_ERR_TYPE, pass(4, MPI_INT, 4, MPI_FLOAT));
    expect_class("long as short", MPI_ERR_TYPE, pass(2, MPI_INT64_T, 4, MPI_INT));
    expect_class("another second value", MPI_ERR_TYPE, pass(1, pair, 1, other));
    expect_class("second values only", MPI_ERR_TYPE, pass(2, MPI_DOUBLE, 2, pair));
    MPI_Type_free(&pair);
    MPI_Type_free(&other);
}

static void communicators(void)
{
    MPI_Comm made = MPI_COMM_WORLD;
    expect_class("a copy of none", MPI_ERR_COMM, MPI_Comm_dup(MPI_COMM_NULL, &made));
    expect("a copy of none", 1, made == MPI_COMM_NULL);
    made = MPI_COMM_WORLD;
    expect_class("a negative colour", MPI_ERR_ARG, MPI_Comm_split(MPI_COMM_WORLD, -5, 0, &made));
    expect("a negative colour", 1, made == MPI_COMM_NULL);
    made = MPI_COMM_WORLD;
    expect_class("no group", MPI_ERR_GROUP, MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &made));
    expect("no group", 1, made == MPI_COMM_NULL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    equal_values();
    other_values();
    communicators();
    return finish("type_signatures");
}
