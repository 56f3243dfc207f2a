/* Own operations that do not commute: all reductions go from rank 0 upwards. */
#include "check.h"

enum { MODULUS = 1000003, LONGEST = 600 };

/* The map x -> a x + b; the product of two maps is the left one followed by the right one. */
struct map {
    int a, b;
};

static struct map map_of(int who, int i)
{
    return (struct map){who % 5 + 2, (who * 17 + i) % MODULUS};
}

static struct map then(struct map first, struct map second)
{
    long long a = (long long)first.a * second.a % MODULUS;
    long long b = ((long long)second.a * first.b + second.b) % MODULUS;
    return (struct map){(int)a, (int)b};
}

static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    struct map *left = in, *right = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        right[i] = then(left[i], right[i]);
}

/* Of ranks 0 to last. */
static void check(const char *what, struct map got, int last, int i)
{
    struct map map = map_of(0, i);
    for (int who = 1; who <= last; who++)
        map = then(map, map_of(who, i));
    expect(what, map.a, got.a);
    expect(what, map.b, got.b);
}

static void reductions(int count, MPI_Datatype type, MPI_Op op)
{
    static struct map out[LONGEST], in[LONGEST];
    for (int i = 0; i < count; i++)
        out[i] = map_of(rank, i);
    for (int root = 0; root<size; root += count> 10 ? size / 2 + 1 : 1) {
        MPI_Reduce(out, in, count, type, op, root, MPI_COMM_WORLD);
        for (int i = 0; rank == root && i < count; i++)
            check("reduce", in[i], size - 1, i);
    }
    MPI_Allreduce(out, in, count, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        check("allreduce", in[i], size - 1, i);
    MPI_Scan(out, in, count, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        check("scan", in[i], rank, i);
    MPI_Exscan(out, in, count, type, op, MPI_COMM_WORLD);
    for (int i = 0; rank > 0 && i < count; i++)
        check("exscan", in[i], rank - 1, i);
}

static void parts(MPI_Datatype type, MPI_Op op)
{
    struct map *out = allocate(2 * size * sizeof(struct map)), in[2];
    for (int i = 0; i < 2 * size; i++)
        out[i] = map_of(rank, i);
    MPI_Reduce_scatter_block(out, in, 2, type, op, MPI_COMM_WORLD);
    check("reduce_scatter_block", in[0], size - 1, 2 * rank);
    check("reduce_scatter_block", in[1], size - 1, 2 * rank + 1);
    free(out);
}

int main(int argc, char **argv)
{
    MPI_Datatype type;
    MPI_Op op;
    begin(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(compose, 0, &op);
    reductions(1, type, op);
    reductions(LONGEST, type, op);
    parts(type, op);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    return finish("op_order");
}
