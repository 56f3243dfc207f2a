/*
 * Collective operations on a torus of ranks, dimension by dimension, in rings of neighbours (the
 * bucket algorithm of van de Geijn and others, as pods of accelerators use it). A reduce-scatter
 * goes around the rings of one dimension after the other, with ever smaller vectors; an allgather
 * is the same backwards; an allreduce is one after the other.
 *
 * The vector is cut into parts, each with its own first dimension and its own direction, so that
 * all links are busy at once: two parts per dimension.
 *
 *   part 0   x+  y+  z+      part 3   x-  y-  z-
 *   part 1   y+  z+  x+      part 4   y-  z-  x-
 *   part 2   z+  x+  y+      part 5   z-  x-  y-
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

/* A rank in one of its rings: how many there are, its number along the part's direction, and its
 * neighbours. */
struct ring {
    uint32_t count, me, before, behind;
};

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

/* A step around a ring: one block goes to the next rank, another comes from the one before. */
static void pass(struct strand *s, const struct ring *r, uint64_t bytes, uint32_t out, uint32_t in)
{
    strand_send(s, r->behind, group_block(bytes, r->count, out % r->count));
    strand_receive(s, r->before, group_block(bytes, r->count, in % r->count));
}

/* Combines; returns the bytes of the block that the rank has in the end. */
static uint64_t scatter(const struct skeleton_params *p, struct strand *s, const struct ring *r,
                        uint64_t bytes)
{
    uint32_t n = r->count, first = r->me + n;
    for (uint32_t i = 0; i + 1 < n; i++) {
        pass(s, r, bytes, first - i, first - i - 1);
        group_combine(s, group_block(bytes, n, (first - i - 1) % n), p->combine_mb_per_s);
    }
    return group_block(bytes, n, (r->me + 1) % n);
}

static void gather(struct strand *s, const struct ring *r, uint64_t bytes)
{
    uint32_t n = r->count, first = r->me + n + 1;
    for (uint32_t i = 0; i + 1 < n; i++) {
        pass(s, r, bytes, first - i, first - i - 1);
        strand_join(s);
    }
}

static void write_part(const struct skeleton_params *p, struct strand *s, uint32_t rank,
                       uint32_t part)
{
    const struct torus *t = &p->grid;
    struct ring ring[TORUS_MAX_DIMS];
    uint64_t bytes[TORUS_MAX_DIMS + 1]; /* of the vector, before each dimension */
    bytes[0] = group_block(p->bytes, p->ways, part);
    for (unsigned k = 0; k < t->dims; k++) {
        ring[k] = ring_of(t, rank, (part + k) % t->dims, part >= t->dims);
        bytes[k + 1] = p->operation == SKELETON_ALLGATHER
                           ? group_block(bytes[k], ring[k].count, (ring[k].me + 1) % ring[k].count)
                           : scatter(p, s, &ring[k], bytes[k]);
    }
    for (unsigned k = t->dims; k-- > 0 && p->operation != SKELETON_REDUCE_SCATTER;)
        gather(s, &ring[k], bytes[k]);
}

static void write_rank(const struct skeleton_params *p, struct strand *s, uint32_t rank)
{
    for (s->tag = 0; s->tag < p->ways; s->tag++) {
        strand_clear(s); /* parts do not wait for each other */
        for (uint32_t i = 0; i < p->iterations; i++)
            write_part(p, s, rank, s->tag);
    }
}

const struct skeleton skeleton_rings = {.name = "rings",
                                        .help = "collective operation on a torus, ring by ring",
                                        .keys = SKELETON_KEYS(rows),
                                        .complete = complete,
                                        .write = write_rank};
