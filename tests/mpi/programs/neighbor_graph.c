/* Neighbourhood operations on a graph: a binary tree, whose processes have different degrees. */
#include "check.h"

/* Parent first, then children. Returns how many there are. */
static int neighbours_of(int node, int *list)
{
    int count = 0;
    if (node > 0)
        list[count++] = (node - 1) / 2;
    for (int child = 2 * node + 1; child <= 2 * node + 2; child++)
        if (child < size)
            list[count++] = child;
    return count;
}

static MPI_Comm create(void)
{
    int *index = allocate(size * sizeof(int)), *edges = allocate(3 * size * sizeof(int));
    int total = 0;
    MPI_Comm tree;
    for (int node = 0; node < size; node++) {
        total += neighbours_of(node, edges + total);
        index[node] = total;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &tree);
    free(index);
    free(edges);
    return tree;
}

static void allgather(MPI_Comm tree, const int *list, int count)
{
    int in[6], out[2] = {rank, -rank};
    MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, tree);
    for (int i = 0; i < count; i++) {
        expect("allgather", list[i], in[2 * i]);
        expect("allgather", -list[i], in[2 * i + 1]);
    }
}

static void alltoall(MPI_Comm tree, const int *list, int count)
{
    int in[3], out[3];
    for (int i = 0; i < count; i++)
        out[i] = 1000 * rank + list[i];
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, tree);
    for (int i = 0; i < count; i++)
        expect("alltoall", 1000 * list[i] + rank, in[i]);
}

/* Every process sends up what came from below, once per level: then the root has the sum. */
static void sum_up(MPI_Comm tree, int count)
{
    int in[3] = {0}, out[3] = {0}, sum = rank;
    for (int width = 1; width <= size; width *= 2) {
        out[0] = rank > 0 ? sum : 0;
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, tree);
        sum = rank;
        for (int i = rank > 0; i < count; i++) /* children only */
            sum += in[i];
    }
    if (rank == 0) {
        expect("sum of the tree", size * (size - 1) / 2, sum);
        printf("sum of the tree: %d\n", sum);
    }
}

int main(int argc, char **argv)
{
    int list[3];
    begin(&argc, &argv);
    MPI_Comm tree = create();
    int count = neighbours_of(rank, list);
    allgather(tree, list, count);
    alltoall(tree, list, count);
    sum_up(tree, count);
    MPI_Comm_free(&tree);
    return finish("neighbor_graph");
}
