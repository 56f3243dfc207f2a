/*
 * Sweeps through a grid in two dimensions, as those of Sweep3D (Koch, Baker, Alcouffe 1992): each
 * rank gets its blocks' inflow from the two neighbours before it, computes, and passes the outflow
 * on to the two after it, block by block. An iteration has eight sweeps, two from each corner.
 */
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

/* One block of a sweep that goes along the ports `across` and `down`. */
static void pass_block(const struct skeleton_params *p, struct strand *s, uint32_t rank,
                       const unsigned port[2])
{
    for (unsigned i = 0; i < 2; i++) {
        uint32_t from = torus_neighbour(&p->grid, rank, torus_opposite(port[i]));
        if (from != TORUS_NO_NODE)
            strand_receive(s, from, p->bytes);
    }
    strand_calc(s, p->compute_ns);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t to = torus_neighbour(&p->grid, rank, port[i]);
        if (to != TORUS_NO_NODE)
            strand_send_aside(s, to, p->bytes);
    }
}

static void write_rank(const struct skeleton_params *p, struct goal_writer *w, uint32_t rank)
{
    enum { SWEEPS = 8 };
    struct strand s;
    strand_init(&s, w);
    for (uint32_t i = 0; i < p->iterations * SWEEPS; i++) {
        unsigned corner = i % SWEEPS / 2;
        for (uint32_t block = 0; block < p->blocks; block++)
            pass_block(p, &s, rank, (const unsigned[]){corner % 2, 2 + corner / 2});
    }
    strand_fini(&s);
}

const struct skeleton skeleton_wavefront = {.name = "wavefront",
                                            .help = "sweeps from corner to corner, as Sweep3D",
                                            .keys = {rows, sizeof(rows) / sizeof(rows[0]), NULL},
                                            .complete = complete,
                                            .write = write_rank};
