/* Neighbours and groups of processes in a grid. */
#include "message/process_grid.h"

struct wavefront_peers wavefront_peers(const struct torus *grid, uint32_t rank, unsigned corner)
{
    struct wavefront_peers peers;
    for (unsigned d = 0; d < 2; d++) {
        unsigned port = 2 * d + (corner >> d & 1);
        peers.from[d] = torus_neighbour(grid, rank, torus_opposite(port));
        peers.to[d] = torus_neighbour(grid, rank, port);
    }
    return peers;
}

struct process_group group_along(const struct torus *grid, uint32_t rank, unsigned d)
{
    uint32_t stride = 1;
    for (unsigned i = 0; i < d; i++)
        stride *= grid->size[i];
    uint32_t me = rank / stride % grid->size[d];
    return (struct process_group){
        .first = rank - me * stride, .stride = stride, .count = grid->size[d], .me = me};
}
