/* Allreduce of several lengths and types, in place too; all processes get the same bits. */
#include "check.h"

enum { LONGEST = 50000 };

static long out[LONGEST], in[LONGEST];

static void integers(int count, int in_place)
{
    for (int i = 0; i < count; i++)
        out[i] = (long)rank * i + 1;
    if (in_place) {
        memcpy(in, out, count * sizeof(long));
        MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    } else {
        MPI_Allreduce(out, in, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    for (int i = 0; i < count; i++)
        expect("sum", (long)size * (size - 1) / 2 * i + size, in[i]);
}

/* Sums of reals depend on their order; but not on who asks. */
static void same_everywhere(int count)
{
    double mine[1000], sum[1000];
    for (int i = 0; i < count; i++)
        mine[i] = 1.0 / (rank + i + 3);
    MPI_Allreduce(mine, sum, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double first = sum[count / 2], right = 0;
    MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    expect("same bits", 0, memcmp(&first, &sum[count / 2], sizeof(first)));
    for (int i = 0; i < size; i++)
        right += 1.0 / (i + count / 2 + 3);
    expect_real("sum of reals", right, first);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int in_place = 0; in_place < 2; in_place++) {
        integers(0, in_place);
        integers(1, in_place);
        integers(7, in_place);
        integers(1000, in_place);
    }
    integers(LONGEST / (size > 16 ? 8 : 1), 0);
    same_everywhere(1);
    same_everywhere(999);
    return finish("allreduce");
}
