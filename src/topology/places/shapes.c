/* Compact boxes, and all that have the same view. */
#include "topology/places/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ORDERS = 6 };

static const uint8_t orders[ORDERS][SPACE_AXES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static uint32_t volume(const uint32_t size[SPACE_AXES])
{
    return size[0] * size[1] * size[2];
}

static bool fits(const struct shapes_options *o, const uint32_t size[SPACE_AXES])
{
    for (unsigned d = 0; d < SPACE_AXES; d++)
        if (!size[d] || size[d] > o->space[d])
            return false;
    return true;
}

/* ---- views ---- */

void shapes_view(const struct shapes_options *o, const struct extent *box,
                 uint32_t view[SPACE_AXES])
{
    for (unsigned d = 0; d < SPACE_AXES; d++)
        view[d] = box->size[d] * o->factor[box->factor[d]];
}

static uint64_t surface_of(const struct shapes_options *o, const struct extent *box)
{
    uint32_t v[SPACE_AXES];
    shapes_view(o, box, v);
    return (uint64_t)v[0] * v[1] + (uint64_t)v[1] * v[2] + (uint64_t)v[2] * v[0];
}

struct extent shapes_compact(const struct shapes_options *o, const uint32_t size[SPACE_AXES])
{
    uint64_t least = UINT64_MAX;
    struct extent best = {{size[0], size[1], size[2]}, {0, 1, 2}};
    for (unsigned i = 0; i < ORDERS; i++) {
        struct extent box = best;
        memcpy(box.factor, orders[i], sizeof(box.factor));
        if (surface_of(o, &box) < least) {
            least = surface_of(o, &box);
            best = box;
        }
    }
    return best;
}

/* ---- lists ---- */

/* Adds a box that fits and is not there yet. Where its view is the compact one but for the order of
 * its axes, it is taken in that one's. */
static void add_box(struct shapes *s, const struct shapes_options *o, const struct extent *box)
{
    if (!fits(o, box->size))
        return;
    struct extent compact = shapes_compact(o, box->size);
    box = surface_of(o, &compact) == surface_of(o, box) ? &compact : box;
    for (uint32_t i = 0; i < s->count; i++)
        if (memcmp(s->list[i].size, box->size, sizeof(box->size)) == 0)
            return;
    s->list = memory_grow(s->list, s->count + 1, sizeof(*s->list));
    s->list[s->count++] = *box;
    s->cells = s->count == 1 || volume(box->size) < s->cells ? volume(box->size) : s->cells;
}

static void add_rotations(struct shapes *s, const struct shapes_options *o,
                          const struct extent *box)
{
    for (unsigned i = 0; i < ORDERS; i++) {
        struct extent turned;
        for (unsigned d = 0; d < SPACE_AXES; d++) {
            turned.size[d] = box->size[orders[i][d]];
            turned.factor[d] = box->factor[orders[i][d]];
        }
        add_box(s, o, &turned);
    }
}

/* Every way to divide a view by the factors, in every direction. */
static void add_view(struct shapes *s, const struct shapes_options *o,
                     const uint32_t view[SPACE_AXES])
{
    for (unsigned i = 0; i < ORDERS; i++) {
        struct extent box;
        for (unsigned d = 0; d < SPACE_AXES; d++) {
            uint32_t factor = o->factor[orders[i][d]];
            box.size[d] = view[d] % factor ? 0 : view[d] / factor;
            box.factor[d] = orders[i][d];
        }
        add_rotations(s, o, &box);
    }
}

struct shapes shapes_of_view(const struct shapes_options *o, const uint32_t view[SPACE_AXES])
{
    struct shapes s = {.list = NULL};
    add_view(&s, o, view);
    return s;
}

void shapes_fini(struct shapes *s)
{
    free(s->list);
    *s = (struct shapes){.list = NULL};
}

/* ---- spares ---- */

uint32_t shapes_spares(const struct shapes_options *o, uint32_t nodes)
{
    return o->large_nodes && nodes >= o->large_nodes ? o->spares : 0;
}

/* Coordinates of the view that a dead node costs if it is left out along an axis of a box; 0: it
 * cannot be. A loop through two points across passes it where the box is a ring; of an even number
 * of cells, links join even and odd points, and an odd one goes with an even one. */
static uint32_t lost_along(const struct shapes_options *o, const struct extent *box, unsigned d)
{
    uint32_t size = box->size[d], lost = o->lost[box->factor[d]];
    bool ring = o->ring[d] && size == o->space[d] && size > 2;
    return lost || !ring ? lost : 2 - size % 2;
}

/* Nodes that a job is sure to have in a box: those of its view, less what its spares cost, each
 * along the axis where it costs least. With one spare this is a promise; several may lie so close
 * that they cost more, and whether a view is large enough is seen when its dead nodes are known. */
static uint64_t sure_nodes(const struct shapes_options *o, const struct extent *box, uint32_t nodes)
{
    uint32_t view[SPACE_AXES], spares = shapes_spares(o, nodes);
    shapes_view(o, box, view);
    uint64_t all = (uint64_t)view[0] * view[1] * view[2], most = 0;
    for (unsigned d = 0; d < SPACE_AXES && spares; d++) {
        uint32_t lost = lost_along(o, box, d) * spares;
        uint64_t left = lost && lost < view[d] ? all / view[d] * (view[d] - lost) : 0;
        most = left > most ? left : most;
    }
    return spares ? most : all;
}

/* ---- the most compact box ---- */

struct candidate {
    struct extent box;
    uint64_t surface;
    bool frugal; /* within the waste that is allowed */
};

/* Frugal ones first, then by compactness; those that waste too much, by their size. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
    uint32_t va = volume(a->box.size), vb = volume(b->box.size);
    if (!vb || a->frugal != b->frugal)
        return !vb || a->frugal;
    if (!a->frugal && va != vb)
        return va < vb;
    if (a->surface != b->surface)
        return a->surface < b->surface;
    return va < vb;
}

/* The shortest box with such a face that has room for a job; false: there is none. */
static bool extend(const struct shapes_options *o, uint32_t nodes, uint32_t y, uint32_t z,
                   struct candidate *c)
{
    uint32_t per_cell = volume(o->factor);
    uint64_t x = (nodes + (uint64_t)per_cell * y * z - 1) / ((uint64_t)per_cell * y * z);
    for (; x <= o->space[0]; x++) {
        struct extent box = shapes_compact(o, (const uint32_t[]){(uint32_t)x, y, z});
        if (sure_nodes(o, &box, nodes) < nodes)
            continue;
        *c = (struct candidate){.box = box,
                                .surface = surface_of(o, &box),
                                .frugal = volume(box.size) * (double)per_cell <=
                                          nodes * (1 + o->waste) + per_cell};
        return true;
    }
    return false;
}

static struct candidate most_compact(const struct shapes_options *o, uint32_t nodes)
{
    struct candidate best = {.box = {{0}, {0}}}, c;
    for (uint32_t z = 1; z <= o->space[2]; z++)
        for (uint32_t y = 1; y <= o->space[1]; y++)
            if (extend(o, nodes, y, z, &c) && is_better(&c, &best))
                best = c;
    return best;
}

struct shapes shapes_for(const struct shapes_options *o, uint32_t nodes)
{
    struct shapes s = {.list = NULL};
    struct candidate best = most_compact(o, nodes), c;
    uint32_t view[SPACE_AXES], left = 0;
    add_box(&s, o, &best.box);
    if (!s.count)
        return s;
    if (o->choice == SHAPES_ROTATIONS)
        add_rotations(&s, o, &best.box);
    if (o->choice == SHAPES_VIEW || o->choice == SHAPES_ANY) {
        shapes_view(o, &best.box, view);
        add_view(&s, o, view);
        /* Drops those that have the view, but turned so that a dead node costs too much of it. */
        for (uint32_t i = 0; i < s.count; i++)
            if (sure_nodes(o, &s.list[i], nodes) >= nodes)
                s.list[left++] = s.list[i];
        s.count = left;
    }
    /* All that have room for the job and no more cells. */
    uint32_t deepest = o->choice == SHAPES_ANY ? o->space[2] : 0;
    for (uint32_t z = 1; z <= deepest; z++)
        for (uint32_t y = 1; y <= o->space[1]; y++)
            if (extend(o, nodes, y, z, &c) && volume(c.box.size) <= volume(best.box.size))
                add_box(&s, o, &c.box);
    return s;
}
