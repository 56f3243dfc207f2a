/*
 * Wavefront: a sweep over a two-dimensional grid of processes. Each block of work needs what comes
 * from the west and from the north, and is needed in the east and in the south; so the sweep moves
 * along the diagonal, and blocks follow each other through the grid.
 *
 *   arguments: BYTES of an edge (1000), BLOCKS (20), CYCLES per block (20000)
 */
#include "message/process_grid.h"
#include "workload/programs/programs.h"

static void pass(weft_task *t, unsigned char *edge, size_t bytes, uint32_t to, uint32_t block,
                 uint32_t tag)
{
    program_fill(edge, bytes, t->rank, to, block);
    weft_send(t, to, edge, bytes, tag);
}

static void take(weft_task *t, unsigned char *edge, size_t bytes, uint32_t from, uint32_t block,
                 uint32_t tag)
{
    weft_receive(t, from, edge, bytes, tag);
    program_check(t, edge, bytes, from, t->rank, block);
}

void program_wavefront(weft_task *t)
{
    size_t bytes = program_number(t, 0, 1000);
    uint32_t blocks = (uint32_t)program_number(t, 1, 20);
    double cycles = (double)program_number(t, 2, 20000);
    unsigned char *edge = weft_alloc(t, bytes);
    struct torus grid;
    torus_near(t->size, 2, &grid);
    grid.wrap[0] = grid.wrap[1] = false;
    struct wavefront_peers peers = wavefront_peers(&grid, t->rank, 0);
    for (uint32_t block = 0; block < blocks; block++) {
        for (unsigned d = 0; d < 2; d++)
            if (peers.from[d] != TORUS_NO_NODE)
                take(t, edge, bytes, peers.from[d], block, d);
        weft_compute(t, cycles);
        for (unsigned d = 0; d < 2; d++)
            if (peers.to[d] != TORUS_NO_NODE)
                pass(t, edge, bytes, peers.to[d], block, d);
    }
    weft_release(t, edge);
}
