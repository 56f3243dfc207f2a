/*
 * Wavefront: a sweep over a two-dimensional grid of processes. Each block of work needs what comes
 * from the west and from the north, and is needed in the east and in the south; so the sweep moves
 * along the diagonal, and blocks follow each other through the grid.
 *
 *   arguments: BYTES of an edge (1000), BLOCKS (20), CYCLES per block (20000)
 */
#include "workload/programs/programs.h"

enum { EAST, SOUTH };

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
    uint32_t blocks = (uint32_t)program_number(t, 1, 20), side[2];
    double cycles = (double)program_number(t, 2, 20000);
    unsigned char *edge = weft_alloc(t, bytes);
    program_grid(t, 2, side);
    uint32_t x = t->rank % side[0], y = t->rank / side[0];
    for (uint32_t block = 0; block < blocks; block++) {
        if (x > 0)
            take(t, edge, bytes, t->rank - 1, block, EAST);
        if (y > 0)
            take(t, edge, bytes, t->rank - side[0], block, SOUTH);
        weft_compute(t, cycles);
        if (x + 1 < side[0])
            pass(t, edge, bytes, t->rank + 1, block, EAST);
        if (y + 1 < side[1])
            pass(t, edge, bytes, t->rank + side[0], block, SOUTH);
    }
    weft_release(t, edge);
}
