/* Programs whose ranks are a grid: halo exchange, sweeps, and a transform. */
#include "trace/goal/skeletons/skeleton.h"

#define AT SKELETON_AT

/*
 * ---- halo ----
 *
 * A grid in three dimensions whose ranks compute, then exchange the faces of their boxes with up to
 * six neighbours, all at once, again and again.
 */

static const struct key halo_rows[] = {
    {"grid", KEY_OTHER, AT(grid), "", "auto", .format = &torus_dims_format,
     .help = "ranks along each side, as 8x8x8; auto: as even as can be"},
    {"bytes", KEY_U64, AT(bytes), "B", "32768", 0, KEY_U64_TOP, .help = "of a face"},
    {"compute", KEY_U64, AT(compute_ns), "ns", "100000", 0, KEY_U64_TOP,
     .help = "time between exchanges"},
    {"iterations", KEY_U32, AT(iterations), "", "10", 1, KEY_U32_TOP, .help = "how often"},
    {"periodic", KEY_BOOL, AT(periodic), "", "true", .help = "the grid has no ends"},
};

static weft_status complete_halo(struct skeleton_params *p)
{
    return skeleton_grid(p, 3, p->periodic);
}

/* Sends go one way round, receives the other: what leaves by one face comes in by its opposite. */
static void exchange(const struct skeleton_params *p, struct strand *s, uint32_t rank)
{
    for (unsigned port = 0; port < 2 * p->grid.dims; port++) {
        uint32_t to = torus_neighbour(&p->grid, rank, port);
        if (to != TORUS_NO_NODE)
            strand_send(s, to, p->bytes);
    }
    for (unsigned port = 0; port < 2 * p->grid.dims; port++) {
        uint32_t from = torus_neighbour(&p->grid, rank, torus_opposite(port));
        if (from != TORUS_NO_NODE)
            strand_receive(s, from, p->bytes);
    }
    strand_join(s);
}

static void write_halo(const struct skeleton_params *p, struct strand *s, uint32_t rank)
{
    for (uint32_t i = 0; i < p->iterations; i++) {
        strand_calc(s, p->compute_ns);
        exchange(p, s, rank);
    }
}

const struct skeleton skeleton_halo = {.name = "halo",
                                       .help = "3D halo exchange with six neighbours",
                                       .keys = SKELETON_KEYS(halo_rows),
                                       .complete = complete_halo,
                                       .write = write_halo};

/*
 * ---- wavefront ----
 *
 * Sweeps through a grid in two dimensions, as those of Sweep3D (Koch, Baker, Alcouffe 1992): each
 * rank gets its blocks' inflow from the two neighbours before it, computes, and passes the outflow
 * on to the two after it, block by block. An iteration has eight sweeps, two from each corner.
 */

static const struct key wavefront_rows[] = {
    {"grid", KEY_OTHER, AT(grid), "", "auto", .format = &torus_dims_format,
     .help = "columns and rows of ranks, as 16x32; auto: as even as can be"},
    {"bytes", KEY_U64, AT(bytes), "B", "4096", 0, KEY_U64_TOP,
     .help = "of a block's flow to a neighbour"},
    {"compute", KEY_U64, AT(compute_ns), "ns", "20000", 0, KEY_U64_TOP, .help = "time per block"},
    {"blocks", KEY_U32, AT(blocks), "", "10", 1, KEY_U32_TOP, .help = "of a rank, per sweep"},
    {"iterations", KEY_U32, AT(iterations), "", "1", 1, KEY_U32_TOP,
     .help = "how often all eight sweeps are made"},
};

static weft_status complete_wavefront(struct skeleton_params *p)
{
    return skeleton_grid(p, 2, false);
}

static void pass_block(const struct skeleton_params *p, struct strand *s,
                       const struct wavefront_peers *peers)
{
    for (unsigned d = 0; d < 2; d++)
        if (peers->from[d] != TORUS_NO_NODE)
            strand_receive(s, peers->from[d], p->bytes);
    strand_calc(s, p->compute_ns);
    for (unsigned d = 0; d < 2; d++)
        if (peers->to[d] != TORUS_NO_NODE)
            strand_send_aside(s, peers->to[d], p->bytes);
}

static void write_wavefront(const struct skeleton_params *p, struct strand *s, uint32_t rank)
{
    enum { SWEEPS = 8 };
    for (uint32_t i = 0; i < p->iterations * SWEEPS; i++) {
        struct wavefront_peers peers = wavefront_peers(&p->grid, rank, i % SWEEPS / 2);
        for (uint32_t block = 0; block < p->blocks; block++)
            pass_block(p, s, &peers);
    }
}

const struct skeleton skeleton_wavefront = {.name = "wavefront",
                                            .help = "sweeps from corner to corner, as Sweep3D",
                                            .keys = SKELETON_KEYS(wavefront_rows),
                                            .complete = complete_wavefront,
                                            .write = write_wavefront};

/*
 * ---- FFT ----
 *
 * A transform in three dimensions, whose points are cut into pencils: ranks transform along one
 * side, exchange blocks with those of their row, transform along the second side, exchange with
 * those of their column, and transform along the third. A point is a complex number of 16 bytes.
 */

static const struct key fft_rows[] = {
    {"grid", KEY_OTHER, AT(grid), "", "auto", .format = &torus_dims_format,
     .help = "columns and rows of pencils, as 16x32; auto: as even as can be"},
    {"points", KEY_U32, AT(points), "", "256", 1, 65536, .help = "along each side"},
    {"compute", KEY_U64, AT(compute_ns), "ns", "100000", 0, KEY_U64_TOP,
     .help = "time for the transforms along one side"},
    {"iterations", KEY_U32, AT(iterations), "", "1", 1, KEY_U32_TOP,
     .help = "how often, forwards and back in turn"},
};

static weft_status complete_fft(struct skeleton_params *p)
{
    return skeleton_grid(p, 2, true);
}

/* What a rank has for each of those that it exchanges with. */
static uint64_t block_bytes(const struct skeleton_params *p, uint32_t count)
{
    enum { POINT_BYTES = 16 };
    uint64_t all = (uint64_t)p->points * p->points * p->points;
    return all * POINT_BYTES / p->ranks / count;
}

static void write_fft(const struct skeleton_params *p, struct strand *s, uint32_t rank)
{
    struct process_group row = group_along(&p->grid, rank, 0);
    struct process_group column = group_along(&p->grid, rank, 1);
    for (uint32_t i = 0; i < p->iterations; i++) {
        const struct process_group *first = i % 2 ? &column : &row,
                                   *second = i % 2 ? &row : &column;
        strand_calc(s, p->compute_ns);
        group_alltoall(s, first, block_bytes(p, first->count));
        strand_calc(s, p->compute_ns);
        group_alltoall(s, second, block_bytes(p, second->count));
        strand_calc(s, p->compute_ns);
    }
}

const struct skeleton skeleton_fft = {.name = "fft",
                                      .help = "3D transform of pencils, with two transposes",
                                      .keys = SKELETON_KEYS(fft_rows),
                                      .complete = complete_fft,
                                      .write = write_fft};
