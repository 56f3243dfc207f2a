/* Folding grids onto tori. */
#include "mpi/call/place.h"

#include <stdlib.h>

#include "base/memory.h"

/*
 * The machine's directions: the torus's dimensions and, as one more, the processes of a node. Each
 * dimension of the grid takes some of them, whose sizes it is the product of.
 */
enum { DIRECTIONS = WEFT_DIMS_MOST + 1, NO_DIM = DIRECTIONS };

struct folding {
    uint32_t directions, size[DIRECTIONS], at[DIRECTIONS];
    uint32_t dim_of[DIRECTIONS]; /* which dimension of the grid has it */
};

/* Finds a dimension for each direction from `next` on, such that all products come out. */
static bool assign(struct folding *f, uint32_t next, uint32_t dims, int *left)
{
    if (next == f->directions) {
        for (uint32_t d = 0; d < dims; d++)
            if (left[d] != 1)
                return false;
        return true;
    }
    for (uint32_t d = 0; d < dims; d++) {
        int size = (int)f->size[next];
        if (left[d] % size)
            continue;
        left[d] /= size;
        f->dim_of[next] = d;
        if (assign(f, next + 1, dims, left))
            return true;
        left[d] *= size;
    }
    return false;
}

/* The coordinate in a dimension of the grid: its directions one after the other, back and forth, so
 * that steps of one stay steps of one. */
static int64_t coordinate(const struct folding *f, uint32_t dim)
{
    int64_t at = 0;
    bool back = false;
    for (uint32_t i = f->directions; i-- > 0;) {
        if (f->dim_of[i] != dim)
            continue;
        int64_t here = back ? f->size[i] - 1 - f->at[i] : f->at[i];
        at = at * f->size[i] + here;
        back = at % 2;
    }
    return at;
}

int64_t place_in_grid(struct rank *r, const struct comm *c, uint32_t dims, const int *size,
                      uint32_t nodes)
{
    const weft_task *t = r->task;
    struct folding f = {.directions = t->dims};
    if (c->group != r->world->everybody || !t->dims || nodes != t->size || !dims)
        return c->rank;
    for (uint32_t d = 0; d < t->dims; d++) {
        f.size[d] = t->dim[d];
        f.at[d] = t->coordinate[d];
    }
    f.size[f.directions] = r->world->o.per_node;
    f.at[f.directions++] = t->slot;
    uint64_t all = 1;
    for (uint32_t i = 0; i < f.directions; i++)
        all *= f.size[i];
    int *left = memory_alloc(dims, sizeof(*left));
    for (uint32_t d = 0; d < dims; d++)
        left[d] = size[d];
    bool fits = all == nodes && assign(&f, 0, dims, left);
    free(left);
    if (!fits)
        return c->rank;
    int64_t place = 0;
    for (uint32_t d = 0; d < dims; d++)
        place = place * size[d] + coordinate(&f, d);
    return place;
}
