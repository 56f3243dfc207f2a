/* A grid in three dimensions whose ranks compute, then exchange the faces of their boxes with up to
 * six neighbours, all at once, again and again. */
#include "trace/goal/skeletons/skeleton.h"
#include "trace/goal/strand.h"

#define AT(field) offsetof(struct skeleton_params, field)

static const struct key rows[] = {
    {"grid", KEY_OTHER, AT(grid), "", "auto", .format = &torus_dims_format,
     .help = "ranks along each side, as 8x8x8; auto: as even as can be"},
    {"bytes", KEY_U64, AT(bytes), "B", "32768", 0, KEY_U64_TOP, .help = "of a face"},
    {"compute", KEY_U64, AT(compute_ns), "ns", "100000", 0, KEY_U64_TOP,
     .help = "time between exchanges"},
    {"iterations", KEY_U32, AT(iterations), "", "10", 1, KEY_U32_TOP, .help = "how often"},
    {"periodic", KEY_BOOL, AT(periodic), "", "true", .help = "the grid has no ends"},
};

static weft_status complete(struct skeleton_params *p)
{
    weft_status status = skeleton_grid(p, 3);
    for (unsigned d = 0; d < 3; d++)
        p->grid.wrap[d] = p->periodic;
    return status;
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

static void write_rank(const struct skeleton_params *p, struct goal_writer *w, uint32_t rank)
{
    struct strand s;
    strand_init(&s, w);
    for (uint32_t i = 0; i < p->iterations; i++) {
        strand_calc(&s, p->compute_ns);
        exchange(p, &s, rank);
    }
    strand_fini(&s);
}

const struct skeleton skeleton_halo = {.name = "halo",
                                       .help = "3D halo exchange with six neighbours",
                                       .keys = {rows, sizeof(rows) / sizeof(rows[0]), NULL},
                                       .complete = complete,
                                       .write = write_rank};
