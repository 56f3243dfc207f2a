/*
 * Halo exchange: the processes form a three-dimensional periodic grid; in every round each
 * exchanges a face with its six neighbours, then computes.
 *
 *   arguments: BYTES of a face (200), ROUNDS (10), CYCLES of computing (10000)
 */
#include "workload/programs/programs.h"

enum { FACES = 6 };

/* The neighbour behind a face: 2 * dimension, plus 1 for the lower side. */
static uint32_t behind(const uint32_t side[3], uint32_t rank, unsigned face)
{
    uint32_t c[3] = {rank % side[0], rank / side[0] % side[1], rank / side[0] / side[1]};
    unsigned d = face / 2;
    c[d] = (c[d] + (face % 2 ? side[d] - 1 : 1)) % side[d];
    return (c[2] * side[1] + c[1]) * side[0] + c[0];
}

void program_halo(weft_task *t)
{
    size_t bytes = program_number(t, 0, 200);
    uint32_t rounds = (uint32_t)program_number(t, 1, 10), side[3];
    double cycles = (double)program_number(t, 2, 10000);
    unsigned char *out = weft_alloc(t, FACES * bytes), *in = weft_alloc(t, FACES * bytes);
    weft_request request[2 * FACES];
    program_grid(t, 3, side);
    for (uint32_t round = 0; round < rounds; round++) {
        for (unsigned f = 0; f < FACES; f++)
            request[f] = weft_start_receive(t, behind(side, t->rank, f), in + f * bytes, bytes, f);
        for (unsigned f = 0; f < FACES; f++) { /* what leaves by a face arrives by the opposite */
            uint32_t to = behind(side, t->rank, f);
            program_fill(out + f * bytes, bytes, t->rank, to, round);
            request[FACES + f] = weft_start_send(t, to, out + f * bytes, bytes, f ^ 1);
        }
        weft_wait_all(t, request, 2 * FACES, 0);
        for (unsigned f = 0; f < FACES; f++)
            program_check(t, in + f * bytes, bytes, behind(side, t->rank, f), t->rank, round);
        weft_compute(t, cycles);
    }
    weft_release(t, out);
    weft_release(t, in);
}
