/* Bcast from every root, of nothing up to 50000 integers. */
#include "check.h"

enum { LONGEST = 50000 };

static int data[LONGEST + 1];

static void from(int root, int count)
{
    if (rank == root)
        fill(data, count, root + count);
    else
        memset(data, 0, count * sizeof(int));
    data[count] = -1;
    MPI_Bcast(data, count, MPI_INT, root, MPI_COMM_WORLD);
    expect_pattern("data", data, count, root + count);
    expect("element behind", -1, data[count]);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int root = 0; root < size; root++) {
        from(root, 0);
        from(root, 1);
        from(root, 7);
    }
    for (int root = 0; root<size; root += size> 8 ? size / 3 : 1)
        from(root, 1000);
    from(size - 1, LONGEST);
    return finish("bcast");
}
