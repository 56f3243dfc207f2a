/*
 * Collective operations on a torus of ranks, dimension by dimension, in rings of neighbours (the
 * bucket algorithm of van de Geijn and others, as pods of accelerators use it). A reduce-scatter
 * goes around the rings of one dimension after the other, with ever smaller vectors; an allgather
 * is the same backwards; an allreduce is one after the other.
 *
 * The vector is cut into slices, each with its own first dimension and its own direction, so that
 * all links are busy at once: two slices per dimension.
 *
 *   slice 0   x+  y+  z+      slice 3   x-  y-  z-
 *   slice 1   y+  z+  x+      slice 4   y-  z-  x-
 *   slice 2   z+  x+  y+      slice 5   z-  x-  y-
 */
#include "trace/goal/skeletons/skeleton.h"

#define AT SKELETON_AT

static const char *const operations[] = {"allreduce", "reduce-scatter", "allgather", NULL};

static const struct key rows[] = {
    {"operation", KEY_CHOICE, AT(operation), "", "allreduce", .choices = operations,
     .help = "what is done"},
    {"grid", KEY_OTHER, AT(grid), "", "auto", .format = &torus_dims_format,
     .help = "ranks along each side, as 4x4x8; auto: three sides, as even as can be"},
    {"bytes", KEY_U64, AT(bytes), "B", "67108864", 0, KEY_U64_TOP, .help = "of the whole vector"},
    {"ways", KEY_U32, AT(ways), "", "0", 0, 2 * TORUS_MAX_DIMS,
     .help = "parts that go different ways at once; 0: one per link of a rank"},
    {"iterations", KEY_U32, AT(iterations), "", "1", 1, KEY_U32_TOP, .help = "how often"},
    {"combine", KEY_REAL, AT(combine_mb_per_s), "MB/s", "400000", 1, 1e9,
     .help = "rate at which a rank combines two vectors"},
};

static weft_status complete(struct skeleton_params *p)
{
    TRY(skeleton_grid(p, p->grid.dims ? p->grid.dims : 3, true));
    p->ways = p->ways ? p->ways : 2 * p->grid.dims;
    if (p->ways > 2 * p->grid.dims)
        return BAD_INPUT(NULL, ("ways=%u, but a rank has %u links", p->ways, 2 * p->grid.dims),
                         ("use at most that many"));
    return WEFT_OK;
}

/* A rank in its ring along a dimension, by its number along the direction. */
static struct ring ring_of(const struct torus *t, uint32_t rank, unsigned dimension, bool back)
{
    uint32_t at[TORUS_MAX_DIMS];
    torus_coordinates(t, rank, at);
    uint32_t n = t->size[dimension], me = at[dimension];
    return (struct ring){.count = n,
                         .me = back ? n - 1 - me : me,
                         .before = torus_neighbour(t, rank, 2 * dimension + !back),
                         .behind = torus_neighbour(t, rank, 2 * dimension + back)};
}

static void write_slice(const struct skeleton_params *p, struct strand *s, uint32_t rank,
                        uint32_t slice)
{
    const struct torus *t = &p->grid;
    struct ring ring[TORUS_MAX_DIMS];
    uint64_t bytes[TORUS_MAX_DIMS + 1]; /* of the vector, before each dimension */
    bytes[0] = group_block(p->bytes, p->ways, slice);
    for (unsigned k = 0; k < t->dims; k++) {
        ring[k] = ring_of(t, rank, (slice + k) % t->dims, slice >= t->dims);
        bytes[k + 1] = p->operation == SKELETON_ALLGATHER
                           ? group_block(bytes[k], ring[k].count, (ring[k].me + 1) % ring[k].count)
                           : ring_scatter(s, &ring[k], bytes[k], p->combine_mb_per_s);
    }
    for (unsigned k = t->dims; k-- > 0 && p->operation != SKELETON_REDUCE_SCATTER;)
        ring_gather(s, &ring[k], bytes[k]);
}

static void write_rank(const struct skeleton_params *p, struct strand *s, uint32_t rank)
{
    for (s->tag = 0; s->tag < p->ways; s->tag++) {
        strand_clear(s); /* slices do not wait for each other */
        for (uint32_t i = 0; i < p->iterations; i++)
            write_slice(p, s, rank, s->tag);
    }
}

const struct skeleton skeleton_rings = {.name = "rings",
                                        .help = "collective operation on a torus, ring by ring",
                                        .keys = SKELETON_KEYS(rows),
                                        .complete = complete,
                                        .write = write_rank};
