/* Distributed graphs: edges given by anybody or by their ends, with and without weights. */
#include "check.h"

/* Volatile, as compilers take the constant for an array without elements, and warn. */
static int *volatile unweighted = MPI_UNWEIGHTED;

static int weight_of(int from, int to)
{
    return from * 100 + to + 1;
}

/* That process r sends to r + 1 and r + 2 and hears of r - 1 and r - 2, in any order. */
static void check(const char *what, MPI_Comm graph, int weighted)
{
    int in, out, flag, kind, sources[2], in_weights[2], dests[2], out_weights[2];
    MPI_Topo_test(graph, &kind);
    expect(what, MPI_DIST_GRAPH, kind);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &flag);
    expect(what, 2, in);
    expect(what, 2, out);
    expect(what, weighted, flag != 0);
    if (in != 2 || out != 2)
        return;
    MPI_Dist_graph_neighbors(graph, 2, sources, weighted ? in_weights : unweighted, 2, dests,
                             weighted ? out_weights : unweighted);
    int source_sum = (rank + size - 1) % size + (rank + 2 * size - 2) % size;
    expect(what, source_sum, sources[0] + sources[1]);
    expect(what, (rank + 1) % size + (rank + 2) % size, dests[0] + dests[1]);
    for (int i = 0; weighted && i < 2; i++) {
        expect(what, weight_of(sources[i], rank), in_weights[i]);
        expect(what, weight_of(rank, dests[i]), out_weights[i]);
    }
}

/* Every process gives the edges of the next one. */
static MPI_Comm by_others(int weighted, int reorder)
{
    int source = (rank + 1) % size, degree = 2;
    int dests[2] = {(source + 1) % size, (source + 2) % size};
    int weights[2] = {weight_of(source, dests[0]), weight_of(source, dests[1])};
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, dests,
                          weighted ? weights : unweighted, MPI_INFO_NULL, reorder, &graph);
    return graph;
}

static MPI_Comm by_ends(int weighted)
{
    int sources[2] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size};
    int dests[2] = {(rank + 1) % size, (rank + 2) % size}, in[2], out[2];
    MPI_Comm graph;
    for (int i = 0; i < 2; i++) {
        in[i] = weight_of(sources[i], rank);
        out[i] = weight_of(rank, dests[i]);
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weighted ? in : unweighted, 2, dests,
                                   weighted ? out : unweighted, MPI_INFO_NULL, 0, &graph);
    return graph;
}

/* Process 0 gives all edges: a chain. */
static void by_one(void)
{
    int *list = allocate(3 * size * sizeof(int)), n = rank == 0 ? size - 1 : 0, in, out, flag;
    MPI_Comm graph;
    for (int i = 0; i < n; i++) {
        list[i] = i;
        list[size + i] = 1;
        list[2 * size + i] = i + 1;
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, n, list, list + size, list + 2 * size, unweighted,
                          MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &flag);
    expect("chain, in", rank > 0, in);
    expect("chain, out", rank < size - 1, out);
    expect("chain, weights", 0, flag);
    MPI_Comm_free(&graph);
    free(list);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int weighted = 0; weighted < 2; weighted++) {
        MPI_Comm graph = by_others(weighted, 0), copy;
        check("given by others", graph, weighted);
        MPI_Comm_free(&graph);
        graph = by_ends(weighted);
        check("given by both ends", graph, weighted);
        MPI_Comm_dup(graph, &copy);
        check("copy", copy, weighted);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&graph);
    }
    MPI_Comm graph = by_others(0, 1);
    int kind;
    MPI_Topo_test(graph, &kind);
    expect("reordered", MPI_DIST_GRAPH, kind);
    MPI_Comm_free(&graph);
    by_one();
    return finish("dist_graph");
}
