/*
 * Virtual topologies: grids, graphs, and graphs of which every process knows its own edges. A
 * communicator has at most one; communicators that are copies share it.
 */
#ifndef WEFT_MPI_OBJECT_TOPOLOGY_H
#define WEFT_MPI_OBJECT_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

enum topology_kind { TOPOLOGY_GRID, TOPOLOGY_GRAPH, TOPOLOGY_EDGES };

struct topology {
    uint32_t holders;
    enum topology_kind kind;
    /* A grid, in C's order: */
    uint32_t dims;
    int *size, *wraps, *here; /* [dims]; here: coordinates of this process */
    /* A graph of all processes: */
    uint32_t nodes, edges;
    int *index, *edge; /* index[i]: the end of node i's edges */
    /* Neighbours of this process, those that messages come from and go to; below 0: none there. */
    uint32_t ins, outs;
    int *in, *out;
    bool weighted;
    int *in_weight, *out_weight; /* if weighted */
};

struct topology *topology_hold(struct topology *t);
void topology_release(struct topology *t);

/* A grid, and the place of a process in it. */
struct topology *topology_grid(uint32_t dims, const int *size, const int *wraps, uint32_t rank);
struct topology *topology_graph(uint32_t nodes, const int *index, const int *edge, uint32_t rank);

/* Edges of this process alone; if not weighted, weights may be anything. */
struct topology *topology_edges(bool weighted, uint32_t ins, const int *in, const int *in_weight,
                                uint32_t outs, const int *out, const int *out_weight);

/* The rank at coordinates; below 0: it is outside. And the coordinates of a rank. */
int topology_rank(const struct topology *t, const int *coordinates);
void topology_coordinates(const struct topology *t, uint32_t rank, int *coordinates);

/* Who is `step` away in a dimension; below 0: nobody. */
int topology_shifted(const struct topology *t, uint32_t dim, int step);

/* Factors of a number, as equal as they can be, largest first; sizes that are not 0 stay. False: it
 * cannot be done. */
bool topology_factors(int nodes, int dims, int *size);

#endif
