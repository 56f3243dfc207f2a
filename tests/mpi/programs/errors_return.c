/* Wrong arguments under MPI_ERRORS_RETURN: the class of each error, and all still works then. */
#include "check.h"

static void messages(void)
{
    int data = 0;
    MPI_Status status;
    expect_class("rank too large", MPI_ERR_RANK,
                 MPI_Send(&data, 1, MPI_INT, size, 0, MPI_COMM_WORLD));
    expect_class("negative rank", MPI_ERR_RANK,
                 MPI_Send(&data, 1, MPI_INT, -77, 0, MPI_COMM_WORLD));
    expect_class("negative tag", MPI_ERR_TAG,
                 MPI_Send(&data, 1, MPI_INT, rank, -5, MPI_COMM_WORLD));
    expect_class("negative count", MPI_ERR_COUNT,
                 MPI_Send(&data, -1, MPI_INT, rank, 0, MPI_COMM_WORLD));
    expect_class("null type", MPI_ERR_TYPE,
                 MPI_Send(&data, 1, MPI_DATATYPE_NULL, rank, 0, MPI_COMM_WORLD));
    expect_class("source too large", MPI_ERR_RANK,
                 MPI_Recv(&data, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &status));
    expect_class("null communicator", MPI_ERR_COMM,
                 MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
}

static void uncommitted(void)
{
    MPI_Datatype type;
    int data[2] = {0, 0};
    MPI_Type_contiguous(2, MPI_INT, &type);
    expect_class("uncommitted type", MPI_ERR_TYPE,
                 MPI_Send(data, 1, type, rank, 0, MPI_COMM_WORLD));
    MPI_Type_free(&type);
}

static void collectives(void)
{
    int data = 0, sum;
    expect_class("root too large", MPI_ERR_ROOT,
                 MPI_Bcast(&data, 1, MPI_INT, size + 3, MPI_COMM_WORLD));
    expect_class("null operation", MPI_ERR_OP,
                 MPI_Allreduce(&data, &sum, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD));
}

static void others(void)
{
    MPI_Group group, wrong;
    MPI_Request null = MPI_REQUEST_NULL;
    int dims[1] = {size + 1}, periods[1] = {0}, ranks[1] = {size};
    MPI_Comm cart;
    int code = MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
    expect("grid larger than the communicator", 1, code != MPI_SUCCESS);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    expect_class("rank outside a group", MPI_ERR_RANK, MPI_Group_incl(group, 1, ranks, &wrong));
    MPI_Group_free(&group);
    expect_class("start of a null request", MPI_ERR_REQUEST, MPI_Start(&null));
    expect_class("topology of none", MPI_ERR_TOPOLOGY,
                 MPI_Cart_get(MPI_COMM_WORLD, 1, dims, periods, ranks));
}

int main(int argc, char **argv)
{
    int sum = 0, one = 1;
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    messages();
    uncommitted();
    collectives();
    others();
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("sum after the errors", size, sum);
    return finish("errors_return");
}
