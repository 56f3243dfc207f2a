/* Boxes of nodes: which node is where. */
#include "topology/torus/bricks.h"

static void count_bricks(struct bricks *b)
{
    b->count = 1;
    for (unsigned d = 0; d < b->torus->dims; d++)
        b->count *= b->cuts[d];
}

/* Brick i of n along a dimension of s nodes starts here. */
static uint32_t cut_start(uint32_t size, uint32_t cuts, uint32_t i)
{
    return (uint32_t)((uint64_t)size * i / cuts);
}

/* The dimension along which the bricks are longest; `dims` if all are single nodes. */
static unsigned longest_edge(const struct bricks *b)
{
    const struct torus *t = b->torus;
    unsigned longest = t->dims;
    for (unsigned d = 0; d < t->dims; d++) {
        if (b->cuts[d] == t->size[d])
            continue;
        if (longest == t->dims ||
            (uint64_t)t->size[d] * b->cuts[longest] >= (uint64_t)t->size[longest] * b->cuts[d])
            longest = d; /* later dimensions first: whole rows of the first stay together */
    }
    return longest;
}

/* Cuts the longest edges into `parts`; false if they are too short. */
static bool cut(struct bricks *b, uint32_t parts)
{
    unsigned d = longest_edge(b);
    if (d == b->torus->dims)
        return false;
    uint64_t cuts = (uint64_t)b->cuts[d] * parts;
    b->cuts[d] = cuts < b->torus->size[d] ? (uint32_t)cuts : b->torus->size[d];
    count_bricks(b);
    return true;
}

void bricks_init(struct bricks *b, const struct torus *torus, const struct bricks_wish *wish)
{
    *b = (struct bricks){.torus = torus};
    for (unsigned d = 0; d < torus->dims; d++)
        b->cuts[d] = 1;
    count_bricks(b);
    /* As many as wished for, by prime factors, so that all have the same share. */
    uint32_t rest = wish->least, factor = 2;
    while (rest > 1)
        if (rest % factor != 0)
            factor++;
        else if (cut(b, factor))
            rest /= factor;
        else
            return;
    for (;;) {
        uint64_t nodes = torus->nodes / b->count; /* of a brick */
        bool fine = nodes >= 2ull * wish->good_nodes;
        if (nodes <= wish->most_nodes && b->count >= wish->least &&
            (b->count >= wish->good || !fine))
            return;
        if (!cut(b, 2))
            return;
    }
}

void bricks_init_cuts(struct bricks *b, const struct torus *torus, const uint32_t *cuts)
{
    *b = (struct bricks){.torus = torus};
    for (unsigned d = 0; d < torus->dims; d++)
        b->cuts[d] = cuts[d] < torus->size[d] ? cuts[d] : torus->size[d];
    count_bricks(b);
}

struct box bricks_box(const struct bricks *b, uint32_t brick)
{
    struct box box;
    for (unsigned d = 0; d < b->torus->dims; d++) {
        uint32_t i = brick % b->cuts[d];
        brick /= b->cuts[d];
        box.at[d] = cut_start(b->torus->size[d], b->cuts[d], i);
        box.size[d] = cut_start(b->torus->size[d], b->cuts[d], i + 1) - box.at[d];
    }
    return box;
}

uint32_t bricks_node(const struct bricks *b, uint32_t brick, uint32_t local)
{
    struct box box = bricks_box(b, brick);
    return box_node(b->torus, &box, local);
}

void bricks_find(const struct bricks *b, uint32_t node, uint32_t *brick, uint32_t *local)
{
    uint32_t coordinate[TORUS_MAX_DIMS];
    torus_coordinates(b->torus, node, coordinate);
    *brick = 0;
    for (unsigned d = b->torus->dims; d-- > 0;) {
        /* floor(c n / s) is the brick or one before it. */
        uint32_t i = (uint32_t)((uint64_t)coordinate[d] * b->cuts[d] / b->torus->size[d]);
        if (cut_start(b->torus->size[d], b->cuts[d], i + 1) <= coordinate[d])
            i++;
        *brick = *brick * b->cuts[d] + i;
    }
    struct box box = bricks_box(b, *brick);
    *local = box_index(b->torus, &box, node);
}
