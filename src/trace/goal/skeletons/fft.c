/*
 * A transform in three dimensions, whose points are cut into pencils: ranks transform along one
 * side, exchange blocks with those of their row, transform along the second side, exchange with
 * those of their column, and transform along the third. A point is a complex number of 16 bytes.
 */
#include "trace/goal/skeletons/group.h"

#define AT(field) offsetof(struct skeleton_params, field)

static const struct key rows[] = {
    {"grid", KEY_OTHER, AT(grid), "", "auto", .format = &torus_dims_format,
     .help = "columns and rows of pencils, as 16x32; auto: as even as can be"},
    {"points", KEY_U32, AT(points), "", "256", 1, 65536, .help = "along each side"},
    {"compute", KEY_U64, AT(compute_ns), "ns", "100000", 0, KEY_U64_TOP,
     .help = "time for the transforms along one side"},
    {"iterations", KEY_U32, AT(iterations), "", "1", 1, KEY_U32_TOP,
     .help = "how often, forwards and back in turn"},
};

static weft_status complete(struct skeleton_params *p)
{
    return skeleton_grid(p, 2);
}

/* What a rank has for each of those that it exchanges with. */
static uint64_t block_bytes(const struct skeleton_params *p, uint32_t count)
{
    enum { POINT_BYTES = 16 };
    uint64_t all = (uint64_t)p->points * p->points * p->points;
    return all * POINT_BYTES / p->ranks / count;
}

static void write_rank(const struct skeleton_params *p, struct goal_writer *w, uint32_t rank)
{
    struct process_group row = group_along(&p->grid, rank, 0);
    struct process_group column = group_along(&p->grid, rank, 1);
    struct strand s;
    strand_init(&s, w);
    for (uint32_t i = 0; i < p->iterations; i++) {
        const struct process_group *first = i % 2 ? &column : &row,
                                   *second = i % 2 ? &row : &column;
        strand_calc(&s, p->compute_ns);
        group_alltoall(&s, first, block_bytes(p, first->count));
        strand_calc(&s, p->compute_ns);
        group_alltoall(&s, second, block_bytes(p, second->count));
        strand_calc(&s, p->compute_ns);
    }
    strand_fini(&s);
}

const struct skeleton skeleton_fft = {.name = "fft",
                                      .help = "3D transform of pencils, with two transposes",
                                      .keys = {rows, sizeof(rows) / sizeof(rows[0]), NULL},
                                      .complete = complete,
                                      .write = write_rank};
