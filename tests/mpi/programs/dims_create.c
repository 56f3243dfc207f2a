/* Dims_create: products are right, dimensions sorted and as even as can be, given ones kept. */
#include "check.h"

static void check(int nodes, int ndims, const int *given)
{
    int dims[4], product = 1, last = nodes + 1;
    for (int d = 0; d < ndims; d++)
        dims[d] = given[d];
    MPI_Dims_create(nodes, ndims, dims);
    for (int d = 0; d < ndims; d++) {
        product *= dims[d];
        if (given[d]) {
            expect("given dimension", given[d], dims[d]);
        } else {
            expect("order", 1, dims[d] <= last);
            last = dims[d];
        }
    }
    expect("product", nodes, product);
}

static void exact(int nodes, int ndims, const int *expected)
{
    int dims[4] = {0};
    MPI_Dims_create(nodes, ndims, dims);
    for (int d = 0; d < ndims; d++)
        expect("dimension", expected[d], dims[d]);
}

int main(int argc, char **argv)
{
    static const int free_ones[4] = {0, 0, 0, 0};
    begin(&argc, &argv);
    for (int nodes = 1; nodes <= 130; nodes++)
        for (int ndims = 1; ndims <= 4; ndims++)
            check(nodes, ndims, free_ones);
    check(24, 3, (int[]){0, 3, 0});
    check(24, 2, (int[]){4, 6});
    check(64, 4, (int[]){0, 2, 0, 4});
    check(7, 3, (int[]){0, 7, 0});
    exact(6, 2, (int[]){3, 2});
    exact(7, 2, (int[]){7, 1});
    exact(16, 2, (int[]){4, 4});
    exact(64, 3, (int[]){4, 4, 4});
    exact(36, 2, (int[]){6, 6});
    exact(12, 2, (int[]){4, 3});
    exact(1, 3, (int[]){1, 1, 1});
    return finish("dims_create");
}
