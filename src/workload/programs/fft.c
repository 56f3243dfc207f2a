/*
 * Three-dimensional FFT, in pencils: processes form a two-dimensional grid; between the transforms
 * along the three axes there are two transposes, an all-to-all among the processes of each row and
 * one among those of each column. All messages of a transpose are under way at once.
 *
 *   arguments: BYTES of a block from one process to another (512), ROUNDS (2), CYCLES of the
 *   transforms along one axis (20000)
 */
#include "message/process_grid.h"
#include "workload/programs/programs.h"

/* An all-to-all among a group. */
static void transpose(weft_task *t, const struct process_group *g, size_t bytes, uint32_t round)
{
    uint32_t count = g->count;
    unsigned char *out = weft_alloc(t, count * bytes), *in = weft_alloc(t, count * bytes);
    weft_request *request = weft_alloc(t, 2 * count * sizeof(*request));
    for (uint32_t i = 0; i < count; i++)
        request[i] = weft_start_receive(t, group_rank(g, i), in + i * bytes, bytes, round);
    for (uint32_t i = 0; i < count; i++) { /* everybody starts with somebody else */
        uint32_t peer = (g->me + i) % count, to = group_rank(g, peer);
        program_fill(out + peer * bytes, bytes, t->rank, to, round);
        request[count + i] = weft_start_send(t, to, out + peer * bytes, bytes, round);
    }
    weft_wait_all(t, request, 2 * (size_t)count, 0);
    for (uint32_t i = 0; i < count; i++)
        program_check(t, in + i * bytes, bytes, group_rank(g, i), t->rank, round);
    weft_release(t, request);
    weft_release(t, in);
    weft_release(t, out);
}

void program_fft(weft_task *t)
{
    size_t bytes = program_number(t, 0, 512);
    uint32_t rounds = (uint32_t)program_number(t, 1, 2);
    double cycles = (double)program_number(t, 2, 20000);
    struct torus grid;
    torus_near(t->size, 2, &grid);
    struct process_group row = group_along(&grid, t->rank, 0);
    struct process_group column = group_along(&grid, t->rank, 1);
    for (uint32_t round = 0; round < rounds; round++) {
        weft_compute(t, cycles);
        transpose(t, &row, bytes, 2 * round);
        weft_compute(t, cycles);
        transpose(t, &column, bytes, 2 * round + 1);
        weft_compute(t, cycles);
    }
}
