/* MPI_IN_PLACE with operations on a communicator of another order of ranks. */
#include "check.h"

static void reduce_in_place(MPI_Comm comm, int me)
{
    int data[3] = {me, 1, -me};
    MPI_Allreduce(MPI_IN_PLACE, data, 3, MPI_INT, MPI_MAX, comm);
    expect("largest", size - 1, data[0]);
    expect("same", 1, data[1]);
    expect("largest of negatives", 0, data[2]);
    data[0] = 1;
    MPI_Scan(MPI_IN_PLACE, data, 1, MPI_INT, MPI_SUM, comm);
    expect("position", me + 1, data[0]);
    data[0] = me;
    if (me == 0)
        MPI_Reduce(MPI_IN_PLACE, data, 1, MPI_INT, MPI_SUM, 0, comm);
    else
        MPI_Reduce(data, NULL, 1, MPI_INT, MPI_SUM, 0, comm);
    expect("sum at the root only", me == 0 ? size * (size - 1) / 2 : me, data[0]);
}

static void move_in_place(MPI_Comm comm, int me)
{
    int *all = allocate(size * sizeof(int)), *counts = allocate(size * sizeof(int));
    int *places = allocate(size * sizeof(int));
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = size - 1 - i;
        all[i] = -1;
    }
    all[places[me]] = me;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, all, counts, places, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        expect("allgatherv", size - 1 - i, all[i]);
    for (int i = 0; i < size; i++)
        all[i] = 1000 * me + i;
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        expect("alltoall", 1000 * i + me, all[i]);
    for (int i = 0; i < size; i++)
        all[i] = me + i;
    MPI_Reduce_scatter(MPI_IN_PLACE, all, counts, MPI_INT, MPI_SUM, comm);
    expect("reduce_scatter", size * (size - 1) / 2 + size * me, all[0]);
    free(all);
    free(counts);
    free(places);
}

/* Blocks of different sizes, with one of the ranks in the middle as the root. */
static void vectors_in_place(MPI_Comm comm, int me)
{
    int root = size / 2, total = size * (size + 1) / 2;
    int *all = allocate(total * sizeof(int)), *own = allocate(size * sizeof(int));
    int *counts = allocate(size * sizeof(int)), *places = allocate(size * sizeof(int));
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = i * (i + 1) / 2;
        own[i] = me;
    }
    for (int i = 0; i < counts[root]; i++)
        all[places[root] + i] = root;
    if (me == root)
        MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INT, all, counts, places, MPI_INT, root, comm);
    else
        MPI_Gatherv(own, counts[me], MPI_INT, NULL, NULL, NULL, MPI_INT, root, comm);
    for (int i = 0; i < size && me == root; i++)
        expect("gatherv", i, all[places[i] + i]);
    if (me == root)
        MPI_Scatterv(all, counts, places, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, root, comm);
    else
        MPI_Scatterv(NULL, NULL, NULL, MPI_INT, own, counts[me], MPI_INT, root, comm);
    expect("scatterv", me, own[counts[me] - 1]);
    for (int i = 0; i < counts[me]; i++)
        all[places[me] + i] = me;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, all, counts, places, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        expect("allgatherv", i, all[places[i] + i]);
    free(all);
    free(own);
    free(counts);
    free(places);
}

int main(int argc, char **argv)
{
    MPI_Comm reversed;
    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    reduce_in_place(MPI_COMM_WORLD, rank);
    reduce_in_place(reversed, size - 1 - rank);
    move_in_place(MPI_COMM_WORLD, rank);
    move_in_place(reversed, size - 1 - rank);
    vectors_in_place(MPI_COMM_WORLD, rank);
    vectors_in_place(reversed, size - 1 - rank);
    MPI_Comm_free(&reversed);
    return finish("in_place");
}
