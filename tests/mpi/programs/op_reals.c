/* Predefined operations on reals, complex numbers, truth values and bytes. */
#include "check.h"
#include <complex.h>
#include <stdbool.h>

static void doubles(void)
{
    double in[4], out[4] = {rank + 0.5, rank == 0 ? 2 : 1, -rank, rank};
    MPI_Allreduce(&out[0], &in[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&out[1], &in[1], 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    MPI_Allreduce(&out[2], &in[2], 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&out[3], &in[3], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    expect_real("sum", size * (size - 1) / 2 + 0.5 * size, in[0]);
    expect_real("product", 2, in[1]);
    expect_real("minimum", 1 - size, in[2]);
    expect_real("maximum", size - 1, in[3]);
}

static void other_widths(void)
{
    float single = (float)rank, single_sum, single_most;
    long double wide = rank + 0.25L, wide_sum, wide_least;
    MPI_Allreduce(&single, &single_sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&single, &single_most, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&wide, &wide_sum, 1, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&wide, &wide_least, 1, MPI_LONG_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    expect_real("sum of floats", size * (size - 1) / 2, single_sum);
    expect_real("largest float", size - 1, single_most);
    expect_real("sum of long doubles", size * (size - 1) / 2 + 0.25 * size, (double)wide_sum);
    expect_real("least long double", 0.25, (double)wide_least);
}

static void complex_numbers(void)
{
    double complex z = rank + 2 * I, sum, product, turn = rank < 3 ? I : 1;
    float complex narrow = 1 - rank * I, narrow_sum;
    double complex right = 1;
    MPI_Allreduce(&z, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&turn, &product, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    MPI_Allreduce(&narrow, &narrow_sum, 1, MPI_C_FLOAT_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size && i < 3; i++)
        right *= I;
    expect_real("real part of a sum", size * (size - 1) / 2, creal(sum));
    expect_real("imaginary part of a sum", 2 * size, cimag(sum));
    expect_real("real part of a product", creal(right), creal(product));
    expect_real("imaginary part of a product", cimag(right), cimag(product));
    expect_real("real part of floats", size, crealf(narrow_sum));
    expect_real("imaginary part of floats", -size * (size - 1) / 2, cimagf(narrow_sum));
}

static void truth_and_bytes(void)
{
    bool one = rank == size - 1, all = true, any, both, odd;
    unsigned char byte = (unsigned char)(1 << rank % 8), set;
    MPI_Allreduce(&one, &any, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
    MPI_Allreduce(&all, &both, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    MPI_Allreduce(&all, &odd, 1, MPI_C_BOOL, MPI_LXOR, MPI_COMM_WORLD);
    MPI_Allreduce(&byte, &set, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    expect("any", 1, any);
    expect("all", 1, both);
    expect("odd number", size % 2, odd);
    expect("bits", size >= 8 ? 255 : (1 << size) - 1, set);
}

static void addresses(void)
{
    MPI_Aint address = rank, sum;
    MPI_Count count = rank, most;
    MPI_Offset offset = rank, least;
    MPI_Allreduce(&address, &sum, 1, MPI_AINT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&count, &most, 1, MPI_COUNT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&offset, &least, 1, MPI_OFFSET, MPI_MIN, MPI_COMM_WORLD);
    expect("sum of addresses", size * (size - 1) / 2, sum);
    expect("largest count", size - 1, most);
    expect("least offset", 0, least);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    doubles();
    other_widths();
    complex_numbers();
    truth_and_bytes();
    addresses();
    return finish("op_reals");
}
