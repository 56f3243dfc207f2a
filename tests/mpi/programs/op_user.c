/* Own operations that commute: greatest common divisors, and a structure of statistics. */
#include "check.h"

struct statistics {
    long count, sum, least, most;
};

static int gcd(int a, int b)
{
    return b ? gcd(b, a % b) : a;
}

static void divisors(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *left = in, *right = inout;
    expect("type that the operation sees", 1, *type == MPI_INT);
    for (int i = 0; i < *count; i++)
        right[i] = gcd(left[i], right[i]);
}

static void merge(void *in, void *inout, int *count, MPI_Datatype *type)
{
    struct statistics *left = in, *right = inout;
    (void)type;
    for (int i = 0; i < *count; i++) {
        right[i].count += left[i].count;
        right[i].sum += left[i].sum;
        right[i].least = left[i].least < right[i].least ? left[i].least : right[i].least;
        right[i].most = left[i].most > right[i].most ? left[i].most : right[i].most;
    }
}

static void common_divisors(int count)
{
    int *out = allocate(count * sizeof(int)), *in = allocate(count * sizeof(int));
    MPI_Op op;
    MPI_Op_create(divisors, 1, &op);
    for (int i = 0; i < count; i++)
        out[i] = (i + 1) * 6 * (rank + 2);
    MPI_Allreduce(out, in, count, MPI_INT, op, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("divisor", (i + 1) * (size == 1 ? 12 : 6), in[i]);
    MPI_Op_free(&op);
    free(out);
    free(in);
}

static void statistics(int root)
{
    struct statistics out[2] = {{1, rank, rank, rank}, {2, -rank, -rank, 5}}, in[2];
    MPI_Datatype type;
    MPI_Op op;
    long sum = (long)size * (size - 1) / 2;
    MPI_Type_contiguous(4, MPI_LONG, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(merge, 1, &op);
    MPI_Reduce(out, in, 2, type, op, root, MPI_COMM_WORLD);
    if (rank == root) {
        expect("count", size, in[0].count);
        expect("sum", sum, in[0].sum);
        expect("least", 0, in[0].least);
        expect("most", size - 1, in[0].most);
        expect("second count", 2 * size, in[1].count);
        expect("second sum", -sum, in[1].sum);
        expect("second least", 1 - size, in[1].least);
    }
    MPI_Scan(out, in, 1, type, op, MPI_COMM_WORLD);
    expect("scanned count", rank + 1, in[0].count);
    expect("scanned sum", (long)rank * (rank + 1) / 2, in[0].sum);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    common_divisors(1);
    common_divisors(200);
    statistics(0);
    statistics(size - 1);
    return finish("op_user");
}
