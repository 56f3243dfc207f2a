/*
 * Halo exchange: the processes form a three-dimensional periodic grid; in every round each
 * exchanges a face with its six neighbours, then computes.
 *
 *   arguments: BYTES of a face (200), ROUNDS (10), CYCLES of computing (10000)
 */
#include "message/process_grid.h"
#include "workload/programs/programs.h"

enum { FACES = 6 };

/* The longest side last, and the first one as near to the cube root as can be. */
static struct torus grid_of(uint32_t processes)
{
    uint32_t first = 1;
    struct torus rest;
    for (uint64_t side = 1; side * side * side <= processes; side++)
        first = processes % side ? first : (uint32_t)side;
    torus_near(processes / first, 2, &rest);
    return (struct torus){.dims = 3,
                          .nodes = processes,
                          .size = {first, rest.size[0], rest.size[1]},
                          .wrap = {true, true, true}};
}

/* The neighbour behind a face; a grid that is one process thick ends at that process again. */
static uint32_t behind(const struct torus *grid, uint32_t rank, unsigned face)
{
    uint32_t neighbour = torus_neighbour(grid, rank, face);
    return neighbour == TORUS_NO_NODE ? rank : neighbour;
}

void program_halo(weft_task *t)
{
    size_t bytes = program_number(t, 0, 200);
    uint32_t rounds = (uint32_t)program_number(t, 1, 10);
    double cycles = (double)program_number(t, 2, 10000);
    unsigned char *out = weft_alloc(t, FACES * bytes), *in = weft_alloc(t, FACES * bytes);
    weft_request request[2 * FACES];
    struct torus grid = grid_of(t->size);
    for (uint32_t round = 0; round < rounds; round++) {
        for (unsigned f = 0; f < FACES; f++)
            request[f] = weft_start_receive(t, behind(&grid, t->rank, f), in + f * bytes, bytes, f);
        for (unsigned f = 0; f < FACES; f++) {
            uint32_t to = behind(&grid, t->rank, f);
            program_fill(out + f * bytes, bytes, t->rank, to, round);
            request[FACES + f] = weft_start_send(t, to, out + f * bytes, bytes, torus_opposite(f));
        }
        weft_wait_all(t, request, 2 * FACES, 0);
        for (unsigned f = 0; f < FACES; f++)
            program_check(t, in + f * bytes, bytes, behind(&grid, t->rank, f), t->rank, round);
        weft_compute(t, cycles);
    }
    weft_release(t, out);
    weft_release(t, in);
}
