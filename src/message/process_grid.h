/*
 * Processes as a grid (struct torus: the first dimension varies fastest), and who exchanges with
 * whom in common programs. Skeletons (trace/goal/skeletons) write these programs as traces, and
 * workload/programs runs them.
 *
 *   halo        in boxes: with the processes behind the faces, torus_neighbour(); what leaves by a
 *               face arrives by its opposite
 *   wavefront   in columns: from the two neighbours before, to the two behind
 *   FFT         in pencils: all-to-all among those of a row, and among those of a column
 */
#ifndef WEFT_MESSAGE_PROCESS_GRID_H
#define WEFT_MESSAGE_PROCESS_GRID_H

#include "topology/torus/torus.h"

/* The neighbours of a process in a sweep, along the first dimension and along the second;
 * TORUS_NO_NODE beyond the ends of the grid. */
struct wavefront_peers {
    uint32_t from[2], to[2];
};

/* `corner`: 0 for a sweep upwards in both dimensions; 1 is downwards in the first one, 2 in the
 * second, 3 in both. The grid is a mesh. */
static inline struct wavefront_peers wavefront_peers(const struct torus *grid, uint32_t rank,
                                                     unsigned corner)
{
    struct wavefront_peers peers;
    for (unsigned d = 0; d < 2; d++) {
        unsigned port = 2 * d + (corner >> d & 1);
        peers.from[d] = torus_neighbour(grid, rank, torus_opposite(port));
        peers.to[d] = torus_neighbour(grid, rank, port);
    }
    return peers;
}

/* Processes first, first + stride, ...; `me` is the number within of the one that is asked for. */
struct process_group {
    uint32_t first, stride, count, me;
};

static inline uint32_t group_rank(const struct process_group *g, uint32_t member)
{
    return g->first + member * g->stride;
}

/* Those that differ from a process only in dimension `d` of a grid. */
static inline struct process_group group_along(const struct torus *grid, uint32_t rank, unsigned d)
{
    uint32_t stride = 1;
    for (unsigned i = 0; i < d; i++)
        stride *= grid->size[i];
    uint32_t me = rank / stride % grid->size[d];
    return (struct process_group){
        .first = rank - me * stride, .stride = stride, .count = grid->size[d], .me = me};
}

#endif
