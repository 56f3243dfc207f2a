/* Graphs: created with the edges of a ring and a star, and read back; maps of both topologies. */
#include "check.h"

/* Everybody's neighbours on a ring, and for process 0 everybody else too. */
static int describe(int *index, int *edges)
{
    int total = 0;
    for (int node = 0; node < size; node++) {
        edges[total++] = (node + 1) % size;
        edges[total++] = (node + size - 1) % size;
        for (int other = 1; node == 0 && other < size; other++)
            edges[total++] = other;
        index[node] = total;
    }
    return total;
}

static void read_back(MPI_Comm graph, const int *index, const int *edges, int total)
{
    int nodes, number, kind, count;
    int *got_index = allocate(size * sizeof(int)), *got_edges = allocate(total * sizeof(int));
    MPI_Topo_test(graph, &kind);
    expect("kind", MPI_GRAPH, kind);
    MPI_Graphdims_get(graph, &nodes, &number);
    expect("nodes", size, nodes);
    expect("edges", total, number);
    MPI_Graph_get(graph, size, total, got_index, got_edges);
    for (int i = 0; i < size; i++)
        expect("index", index[i], got_index[i]);
    for (int i = 0; i < total; i++)
        expect("edge", edges[i], got_edges[i]);
    for (int node = 0; node < size; node++) {
        int first = node ? index[node - 1] : 0;
        MPI_Graph_neighbors_count(graph, node, &count);
        expect("number of neighbours", index[node] - first, count);
        MPI_Graph_neighbors(graph, node, count, got_edges);
        for (int i = 0; i < count; i++)
            expect("neighbour", edges[first + i], got_edges[i]);
    }
    free(got_index);
    free(got_edges);
}

static void maps(const int *index, const int *edges)
{
    int place, dims[2] = {0, 0}, periods[2] = {1, 1}, sum;
    MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &place);
    MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("places in the graph", size * (size - 1) / 2, sum);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &place);
    MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("places in the grid", size * (size - 1) / 2, sum);
}

int main(int argc, char **argv)
{
    MPI_Comm graph, copy;
    begin(&argc, &argv);
    int *index = allocate(size * sizeof(int)), *edges = allocate(3 * size * sizeof(int));
    int total = describe(index, edges);
    for (int reorder = 0; reorder < 2; reorder++) {
        MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, reorder, &graph);
        read_back(graph, index, edges, total);
        MPI_Comm_dup(graph, &copy); /* the topology is copied */
        read_back(copy, index, edges, total);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&graph);
    }
    maps(index, edges);
    free(index);
    free(edges);
    return finish("graph");
}
