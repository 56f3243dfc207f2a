/* Neighbourhood operations on a directed graph: sources and destinations are different. */
#include "check.h"

enum { DEGREE = 3 };

/* Process r sends to r + 1, r + 2 and r + 4, so it hears of r - 1, r - 2 and r - 4. */
static const int steps[DEGREE] = {1, 2, 4};
static int sources[DEGREE], destinations[DEGREE];

/* Volatile, as compilers take the constant for an array without elements, and warn. */
static int *volatile unweighted = MPI_UNWEIGHTED;

static MPI_Comm create(void)
{
    MPI_Comm graph;
    for (int i = 0; i < DEGREE; i++) {
        destinations[i] = (rank + steps[i]) % size;
        sources[i] = (rank + 4 * size - steps[i]) % size;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, DEGREE, sources, unweighted, DEGREE,
                                   destinations, unweighted, MPI_INFO_NULL, 0, &graph);
    return graph;
}

static void allgathers(MPI_Comm graph)
{
    int in[3 * DEGREE], out[3], counts[DEGREE], places[DEGREE];
    fill(out, 3, rank);
    MPI_Neighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, graph);
    for (int i = 0; i < DEGREE; i++) {
        expect_pattern("allgather", in + 3 * i, 3, sources[i]);
        counts[i] = sources[i] % 4;
        places[i] = 3 * (DEGREE - 1 - i);
    }
    MPI_Neighbor_allgatherv(out, rank % 4, MPI_INT, in, counts, places, MPI_INT, graph);
    for (int i = 0; i < DEGREE; i++)
        expect_pattern("allgatherv", in + places[i], counts[i], sources[i]);
}

static void alltoalls(MPI_Comm graph)
{
    int in[2 * DEGREE], out[2 * DEGREE], counts[DEGREE] = {2, 0, 1}, places[DEGREE] = {4, 2, 0};
    for (int i = 0; i < DEGREE; i++)
        fill(out + 2 * i, 2, 10 * rank + i);
    MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, graph);
    for (int i = 0; i < DEGREE; i++)
        expect_pattern("alltoall", in + 2 * i, 2, 10 * sources[i] + i);
    for (int i = 0; i < DEGREE; i++)
        fill(out + places[i], 2, 10 * rank + i);
    memset(in, 0, sizeof(in));
    MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, graph);
    for (int i = 0; i < DEGREE; i++)
        expect_pattern("alltoallv", in + places[i], counts[i], 10 * sources[i] + i);
    expect("part that is not sent", 0, in[places[1]]);
}

/* Process 0 tells all others, who tell nobody. */
static void star(void)
{
    int *to = allocate(size * sizeof(int)), zero = 0, in = -1, value = 42;
    MPI_Comm graph;
    for (int i = 1; i < size; i++)
        to[i - 1] = i;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank > 0, &zero, unweighted,
                                   rank > 0 ? 0 : size - 1, to, unweighted, MPI_INFO_NULL, 0,
                                   &graph);
    MPI_Neighbor_allgather(&value, 1, MPI_INT, &in, 1, MPI_INT, graph);
    expect("star", rank > 0 ? 42 : -1, in);
    MPI_Comm_free(&graph);
    free(to);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm graph = create();
    allgathers(graph);
    if (size > 4) /* else two edges of a pair may be the same */
        alltoalls(graph);
    MPI_Comm_free(&graph);
    star();
    return finish("neighbor_dist_graph");
}
