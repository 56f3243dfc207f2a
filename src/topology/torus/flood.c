/* Which lines a colour consists of. */
#include "topology/torus/flood.h"

struct flood flood_make(const struct torus *t, uint32_t dims)
{
    struct flood f = {.torus = t, .rings = true};
    for (unsigned d = 0; d < t->dims; d++)
        if ((dims >> d & 1) && t->size[d] > 1) {
            f.dim[f.dims++] = (uint8_t)d;
            f.rings = f.rings && t->wrap[d];
        }
    f.colours = f.rings ? 2 * f.dims : f.dims;
    return f;
}

static void add_way(struct flood_way *way, unsigned *count, unsigned port, uint32_t hops)
{
    if (hops)
        way[(*count)++] = (struct flood_way){(uint8_t)port, (uint16_t)hops};
}

/* Along a dimension to all nodes: round the ring, or to both sides. */
static void add_line(const struct flood *f, unsigned d, unsigned minus, uint32_t at,
                     struct flood_way *way, unsigned *count)
{
    uint32_t size = f->torus->size[d];
    if (f->torus->wrap[d]) {
        add_way(way, count, 2 * d + minus, size - 1);
        return;
    }
    add_way(way, count, 2 * d, size - 1 - at);
    add_way(way, count, 2 * d + 1, at);
}

/* The port by which a node passes a colour to its neighbour that is like the root along the
 * colour's first dimension; -1: it has none. */
static int last_port(const struct flood *f, unsigned d, unsigned minus, uint32_t at, uint32_t root)
{
    uint32_t size = f->torus->size[d], next = (root + 1) % size, before = (root + size - 1) % size;
    if (f->rings)
        return at == (minus ? next : before) ? (int)(2 * d + minus) : -1;
    if (next > root || f->torus->wrap[d])
        return at == next ? (int)(2 * d + 1) : -1;
    return at == before ? (int)(2 * d) : -1;
}

unsigned flood_ways(const struct flood *f, uint32_t root, unsigned colour, uint32_t node,
                    struct flood_way way[FLOOD_WAYS_MOST])
{
    uint32_t at[TORUS_MAX_DIMS], from[TORUS_MAX_DIMS];
    unsigned first = colour % f->dims, minus = colour / f->dims, count = 0, reached = 0;
    torus_coordinates(f->torus, node, at);
    torus_coordinates(f->torus, root, from);
    for (unsigned k = 0; k < f->dims; k++) {
        unsigned d = f->dim[(first + k) % f->dims];
        reached = at[d] != from[d] ? k + 1 : reached; /* dimensions taken so far */
    }
    unsigned a = f->dim[first];
    if (at[a] == from[a]) { /* the root, or a node that was reached last */
        if (!reached)
            add_line(f, a, minus, at[a], way, &count);
        return count;
    }
    for (unsigned k = reached; k < f->dims; k++) {
        unsigned d = f->dim[(first + k) % f->dims];
        add_line(f, d, minus, at[d], way, &count);
    }
    int last = last_port(f, a, minus, at[a], from[a]);
    if (last >= 0 && reached > 1)
        add_way(way, &count, (unsigned)last, 1);
    return count;
}
