/* Programs that come with Weft, but for those with files of their own. */
#include "workload/programs/builtin.h"

#include <stdio.h>

#include "message/process_grid.h"

uint64_t program_number(weft_task *t, int word, uint64_t usual)
{
    uint64_t value = 0;
    if (word >= t->argc)
        return usual;
    for (const char *at = t->argv[word]; *at; at++) {
        value = *at >= '0' && *at <= '9' ? value * 10 + (uint64_t)(*at - '0') : UINT64_MAX;
        if (value > 1ull << 40) {
            char text[128];
            snprintf(text, sizeof(text), "argument '%.40s' is not a whole number of up to 2^40",
                     t->argv[word]);
            weft_fail(t, text);
        }
    }
    return value;
}

static unsigned char pattern_byte(size_t i, uint32_t from, uint32_t to, uint32_t round)
{
    return (unsigned char)(i * 7 + from * 31u + to * 17u + round * 101u);
}

void program_fill(unsigned char *at, size_t bytes, uint32_t from, uint32_t to, uint32_t round)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = pattern_byte(i, from, to, round);
}

void program_check(weft_task *t, const unsigned char *at, size_t bytes, uint32_t from, uint32_t to,
                   uint32_t round)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != pattern_byte(i, from, to, round)) {
            char text[128];
            snprintf(text, sizeof(text), "byte %zu from process %u in round %u is wrong", i, from,
                     round);
            weft_fail(t, text);
        }
}

/* ---- halo ---- */

/*
 * Halo exchange: the processes form a three-dimensional periodic grid; in every round each
 * exchanges a face with its six neighbours, then computes, and streams what does not fit into a
 * cache through memory.
 *
 *   arguments: BYTES of a face (200), ROUNDS (10), CYCLES of computing (10000), BYTES streamed (0)
 */

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
static uint32_t face_neighbour(const struct torus *grid, uint32_t rank, unsigned face)
{
    uint32_t neighbour = torus_neighbour(grid, rank, face);
    return neighbour == TORUS_NO_NODE ? rank : neighbour;
}

void program_halo(weft_task *t)
{
    size_t bytes = program_number(t, 0, 200);
    uint32_t rounds = (uint32_t)program_number(t, 1, 10);
    double cycles = (double)program_number(t, 2, 10000);
    uint64_t streamed = program_number(t, 3, 0);
    unsigned char *out = weft_alloc(t, FACES * bytes), *in = weft_alloc(t, FACES * bytes);
    weft_request request[2 * FACES];
    struct torus grid = grid_of(t->size);
    for (uint32_t round = 0; round < rounds; round++) {
        for (unsigned f = 0; f < FACES; f++)
            request[f] =
                weft_start_receive(t, face_neighbour(&grid, t->rank, f), in + f * bytes, bytes, f);
        for (unsigned f = 0; f < FACES; f++) {
            uint32_t to = face_neighbour(&grid, t->rank, f);
            program_fill(out + f * bytes, bytes, t->rank, to, round);
            request[FACES + f] = weft_start_send(t, to, out + f * bytes, bytes, torus_opposite(f));
        }
        weft_wait_all(t, request, 2 * FACES, 0);
        for (unsigned f = 0; f < FACES; f++)
            program_check(t, in + f * bytes, bytes, face_neighbour(&grid, t->rank, f), t->rank,
                          round);
        weft_compute(t, cycles);
        weft_stream(t, streamed);
    }
    weft_release(t, out);
    weft_release(t, in);
}

/* ---- wavefront ---- */

/*
 * Wavefront: a sweep over a two-dimensional grid of processes. Each block of work needs what comes
 * from the west and from the north, and is needed in the east and in the south; so the sweep moves
 * along the diagonal, and blocks follow each other through the grid.
 *
 *   arguments: BYTES of an edge (1000), BLOCKS (20), CYCLES per block (20000)
 */

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
            if (peers.from[d] != TORUS_NO_NODE) {
                weft_receive(t, peers.from[d], edge, bytes, d);
                program_check(t, edge, bytes, peers.from[d], t->rank, block);
            }
        weft_compute(t, cycles);
        for (unsigned d = 0; d < 2; d++)
            if (peers.to[d] != TORUS_NO_NODE) {
                program_fill(edge, bytes, t->rank, peers.to[d], block);
                weft_send(t, peers.to[d], edge, bytes, d);
            }
    }
    weft_release(t, edge);
}

/* ---- master ---- */

/*
 * Master and workers: the first process hands out pieces of work, one at a time, to whoever asks;
 * pieces differ in length, so nobody knows who will ask next.
 *
 *   arguments: PIECES per worker (8), BYTES of a piece (500), CYCLES of the longest piece (50000)
 */

enum { TAG_ASK, TAG_WORK, TAG_STOP };

static void lead(weft_task *t, uint32_t pieces, unsigned char *data, size_t bytes)
{
    uint32_t working = t->size - 1, result;
    for (uint32_t piece = 0; working; piece++) {
        weft_info asks = weft_receive(t, WEFT_ANY, &result, sizeof(result), TAG_ASK);
        if (piece >= pieces) {
            weft_send(t, asks.source, &piece, sizeof(piece), TAG_STOP);
            working--;
            continue;
        }
        program_fill(data, bytes, piece, asks.source, piece);
        weft_send(t, asks.source, &piece, sizeof(piece), TAG_WORK);
        weft_send(t, asks.source, data, bytes, TAG_WORK);
    }
}

static void work(weft_task *t, unsigned char *data, size_t bytes, double longest)
{
    for (uint32_t piece = 0;;) {
        weft_send(t, 0, &piece, sizeof(piece), TAG_ASK);
        weft_info comes = weft_probe(t, 0, WEFT_ANY);
        weft_receive(t, 0, &piece, sizeof(piece), comes.tag);
        if (comes.tag == TAG_STOP)
            return;
        weft_receive(t, 0, data, bytes, TAG_WORK);
        program_check(t, data, bytes, piece, t->rank, piece);
        /* A piece takes anything up to the longest. */
        weft_compute(t, longest * ((piece * 2654435761u >> 8) % 1000 + 1) / 1000);
    }
}

void program_master(weft_task *t)
{
    uint32_t pieces = (uint32_t)program_number(t, 0, 8) * (t->size - 1);
    size_t bytes = program_number(t, 1, 500);
    unsigned char *data = weft_alloc(t, bytes);
    if (t->rank == 0)
        lead(t, pieces, data, bytes);
    else
        work(t, data, bytes, (double)program_number(t, 2, 50000));
    weft_release(t, data);
}

/* ---- FFT ---- */

/*
 * Three-dimensional FFT, in pencils: processes form a two-dimensional grid; between the transforms
 * along the three axes there are two transposes, an all-to-all among the processes of each row and
 * one among those of each column. All messages of a transpose are under way at once.
 *
 *   arguments: BYTES of a block from one process to another (512), ROUNDS (2), CYCLES of the
 *   transforms along one axis (20000)
 */

/* An all-to-all among a group. */
static void transpose_blocks(weft_task *t, const struct process_group *g, size_t bytes,
                             uint32_t round)
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
        transpose_blocks(t, &row, bytes, 2 * round);
        weft_compute(t, cycles);
        transpose_blocks(t, &column, bytes, 2 * round + 1);
        weft_compute(t, cycles);
    }
}
