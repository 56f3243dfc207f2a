/*
 * Sweeps through a grid in two dimensions, as those of Sweep3D (Koch, Baker, Alcouffe 1992): each
 * rank gets its blocks' inflow from the two neighbours before it, computes, and passes the outflow
 * on to the two after it, block by block. An iteration has eight sweeps, two from each corner.
 */
#include "message/process_grid.h"
#include "trace/goal/skeletons/skeleton.h"
#include "trace/goal/strand.h"

#define AT(field) offsetof(struct skeleton_params, field)

static const struct key rows[] = {
    {"grid", KEY_OTHER, AT(grid), "", "auto", .format = &torus_dims_format,
     .help = "columns and rows of ranks, as 16x32; auto: as even as can be"},
    {"bytes", KEY_U64, AT(bytes), "B", "4096", 0, KEY_U64_TOP,
     .help = "of a block's flow to a neighbour"},
    {"compute", KEY_U64, AT(compute_ns), "ns", "20000", 0, KEY_U64_TOP, .help = "time per block"},
    {"blocks", KEY_U32, AT(blocks), "", "10", 1, KEY_U32_TOP, .help = "of a rank, per sweep"},
    {"iterations", KEY_U32, AT(iterations), "", "1", 1, KEY_U32_TOP,
     .help = "how often all eight sweeps are made"},
};

static weft_status complete(struct skeleton_params *p)
{
    weft_status status = skeleton_grid(p, 2);
    p->grid.wrap[0] = p->grid.wrap[1] = false;
    return status;
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

static void write_rank(const struct skeleton_params *p, struct goal_writer *w, uint32_t rank)
{
    enum { SWEEPS = 8 };
    struct strand s;
    strand_init(&s, w);
    for (uint32_t i = 0; i < p->iterations * SWEEPS; i++) {
        struct wavefront_peers peers = wavefront_peers(&p->grid, rank, i % SWEEPS / 2);
        for (uint32_t block = 0; block < p->blocks; block++)
            pass_block(p, &s, &peers);
    }
    strand_fini(&s);
}

const struct skeleton skeleton_wavefront = {.name = "wavefront",
                                            .help = "sweeps from corner to corner, as Sweep3D",
                                            .keys = {rows, sizeof(rows) / sizeof(rows[0]), NULL},
                                            .complete = complete,
                                            .write = write_rank};
