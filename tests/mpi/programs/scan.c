/* Scan and Exscan: sums, products and maxima over all lower ranks, in place too. */
#include "check.h"

enum { LONGEST = 1000 };

static int out[LONGEST], in[LONGEST];

static int term(int who, int i)
{
    return who * who + i;
}

/* Of the terms of ranks below `end`. */
static int sum(int end, int i)
{
    int total = 0;
    for (int who = 0; who < end; who++)
        total += term(who, i);
    return total;
}

static void inclusive(int count)
{
    for (int i = 0; i < count; i++)
        out[i] = term(rank, i);
    MPI_Scan(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("scan", sum(rank + 1, i), in[i]);
    memcpy(in, out, count * sizeof(int));
    MPI_Scan(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        expect("scan in place", sum(rank + 1, i), in[i]);
}

/* What rank 0 gets is undefined. */
static void exclusive(int count)
{
    for (int i = 0; i < count; i++)
        out[i] = term(rank, i);
    MPI_Exscan(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; rank > 0 && i < count; i++)
        expect("exscan", sum(rank, i), in[i]);
    memcpy(in, out, count * sizeof(int));
    MPI_Exscan(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; rank > 0 && i < count; i++)
        expect("exscan in place", sum(rank, i), in[i]);
}

static void other_operations(void)
{
    double product, factor = rank + 1, right = 1;
    int most, value = (rank * 5) % 7, highest = 0;
    MPI_Scan(&factor, &product, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    MPI_Scan(&value, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i <= rank; i++) {
        right *= i + 1;
        highest = i * 5 % 7 > highest ? i * 5 % 7 : highest;
    }
    expect_real("factorial", right, product);
    expect("highest so far", highest, most);
}

int main(int argc, char **argv)
{
    static const int counts[] = {0, 1, 7, LONGEST};
    begin(&argc, &argv);
    for (int i = 0; i < 4; i++) {
        inclusive(counts[i]);
        exclusive(counts[i]);
    }
    other_operations();
    return finish("scan");
}
