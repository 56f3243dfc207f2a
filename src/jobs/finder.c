/* Boxes by size, dead nodes, and what is free. */
#include "jobs/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"

/* ---- kinds ---- */

/* Of nodes; kinds begin with theirs. */
static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static struct kind kind_make(const struct finder *f, uint32_t nodes)
{
    uint32_t per_cell = ground_cell_nodes(f->ground);
    struct kind k = {.nodes = nodes, .spares = shapes_spares(&f->shapes, nodes)};
    if (f->shapes.choice == SHAPES_SCATTERED)
        k.cells = (nodes + per_cell - 1) / per_cell;
    else {
        k.shapes = shapes_for(&f->shapes, nodes);
        k.cells = k.shapes.cells;
    }
    return k;
}

static bool has_place(struct finder *f, uint32_t kind)
{
    space_row *map = space_map(&f->space);
    struct spot spot;
    finder_close(f, map, 0);
    bool found = finder_find(f, map, kind, 0, &spot);
    if (found)
        spot_fini(&spot);
    free(map);
    return found;
}

void finder_init(struct finder *f, const struct ground *ground, const struct shapes_options *shapes,
                 const uint32_t *nodes, uint32_t jobs)
{
    uint32_t *sorted = memory_alloc(jobs + 1, sizeof(*sorted));
    *f = (struct finder){.ground = ground, .shapes = *shapes};
    ground_space(ground, &f->space);
    ground_shapes(ground, &f->shapes);
    memcpy(sorted, nodes, jobs * sizeof(*sorted));
    qsort(sorted, jobs, sizeof(*sorted), compare);
    f->kind = memory_alloc(jobs + 1, sizeof(*f->kind));
    for (uint32_t i = 0; i < jobs; i++)
        if (!i || sorted[i] != sorted[i - 1])
            f->kind[f->kinds++] = kind_make(f, sorted[i]);
    free(sorted);
    f->is_dead = memory_alloc(ground->torus.nodes, sizeof(*f->is_dead));
    f->in_place = memory_alloc(shapes->spares + 1, sizeof(*f->in_place));
    tally_init(&f->tally, f->space.size);
    for (uint32_t node = 0; ground->dead && node < ground->torus.nodes; node++)
        if (ground->dead[node] && ground_cell(ground, node) != UINT32_MAX)
            finder_break(f, node, INT64_MAX);
    f->for_good = f->outages;
    for (uint32_t i = 0; i < f->kinds; i++)
        f->kind[i].placeable = has_place(f, i);
}

void finder_fini(struct finder *f)
{
    for (uint32_t i = 0; i < f->kinds; i++)
        shapes_fini(&f->kind[i].shapes);
    free(f->kind);
    free(f->outage);
    free(f->is_dead);
    free(f->in_place);
    tally_fini(&f->tally);
    space_fini(&f->space);
}

uint32_t finder_kind(const struct finder *f, uint32_t nodes)
{
    const struct kind *k = bsearch(&nodes, f->kind, f->kinds, sizeof(*k), compare);
    return (uint32_t)(k - f->kind);
}

/* ---- dead nodes ---- */

static void locate_cell(const struct space *s, uint32_t cell, uint32_t at[SPACE_AXES])
{
    at[0] = cell % s->size[0];
    at[1] = cell / s->size[0] % s->size[1];
    at[2] = cell / s->size[0] / s->size[1];
}

bool finder_break(struct finder *f, uint32_t node, int64_t until)
{
    uint32_t cell = ground_cell(f->ground, node);
    if (f->is_dead[node])
        return false;
    WEFT_CHECK(f->outages == f->for_good || until >= f->outage[f->outages - 1].until,
               "node %u comes back before one that died earlier", node);
    f->is_dead[node] = true;
    struct outage *o = LIST_ADD(f->outage, f->outages, f->outage_room);
    *o = (struct outage){.node = node, .cell = cell, .until = until};
    locate_cell(&f->space, cell, o->at);
    return true;
}

int64_t finder_next_repair(const struct finder *f)
{
    return f->for_good < f->outages ? f->outage[f->for_good].until : INT64_MAX;
}

void finder_repair(struct finder *f, int64_t now)
{
    uint32_t end = f->for_good;
    for (; end < f->outages && f->outage[end].until <= now; end++)
        f->is_dead[f->outage[end].node] = false;
    memmove(f->outage + f->for_good, f->outage + end, (f->outages - end) * sizeof(*f->outage));
    f->outages -= end - f->for_good;
}

void finder_close(const struct finder *f, space_row *map, int64_t time)
{
    memset(map + f->space.rows, 0, f->space.rows * sizeof(*map));
    for (uint32_t i = 0; i < f->outages; i++)
        if (f->outage[i].until > time)
            space_close(&f->space, map, f->outage[i].cell, true);
}

/* ---- places ---- */

static bool place_has(const struct space *s, const struct place *p, const uint32_t at[SPACE_AXES])
{
    for (unsigned d = 0; d < SPACE_AXES; d++) {
        uint32_t from = at[d] >= p->at[d] ? at[d] - p->at[d] : at[d] + s->size[d] - p->at[d];
        if (from >= p->size[d])
            return false;
    }
    return true;
}

/* Whether a box with dead nodes, which are tallied, still has enough of its kind's view. */
static bool view_is_enough(struct finder *f, const struct kind *k, const struct extent *extent,
                           const struct place *p, int64_t time)
{
    const struct ground *g = f->ground;
    uint32_t deads = tally_in(&f->tally, p), found = 0;
    if (!deads || deads > k->spares)
        return !deads;
    for (uint32_t i = 0; found < deads; i++)
        if (f->outage[i].until > time && place_has(&f->space, p, f->outage[i].at))
            f->in_place[found++] = f->outage[i].node;
    struct box box = ground_box(g, p);
    struct view_plan plan = ground_plan_for(g, p, extent);
    return view_has(&g->torus, &box, &plan, f->in_place, deads, k->nodes);
}

/* The first place of a size whose view is large enough, among those with closed cells too. */
static bool find_spared(struct finder *f, const space_row *map, const struct kind *k,
                        const struct extent *extent, int64_t time, struct place *place)
{
    const struct space *s = &f->space;
    const uint32_t *size = extent->size;
    const space_row *corners = space_corners(&f->space, map, size, true);
    for (uint32_t i = 0; i < s->rows; i++)
        for (space_row left = corners[i]; left; left &= left - 1) {
            *place =
                (struct place){{(uint32_t)__builtin_ctzll(left), i % s->size[1], i / s->size[1]},
                               {size[0], size[1], size[2]}};
            if (view_is_enough(f, k, extent, place, time))
                return true;
        }
    return false;
}

bool finder_find(struct finder *f, const space_row *map, uint32_t kind, int64_t time,
                 struct spot *spot)
{
    const struct kind *k = &f->kind[kind];
    *spot = (struct spot){.scattered = NULL};
    if (f->shapes.choice == SHAPES_SCATTERED) {
        spot->scattered = space_map(&f->space);
        spot->count = k->cells;
        if (space_scatter(&f->space, map, k->cells, spot->scattered))
            return true;
        spot_fini(spot);
        return false;
    }
    bool spared = k->spares && f->outages;
    if (spared) { /* tallies what is dead then */
        tally_clear(&f->tally);
        for (uint32_t i = 0; i < f->outages; i++)
            if (f->outage[i].until > time)
                tally_add(&f->tally, f->outage[i].at);
        tally_sum(&f->tally);
    }
    for (uint32_t i = 0; i < k->shapes.count; i++) {
        const struct extent *extent = &k->shapes.list[i];
        if (spared ? find_spared(f, map, k, extent, time, &spot->place)
                   : space_find(&f->space, map, extent->size, &spot->place))
            return true;
    }
    return false;
}

bool finder_may_gain(const struct finder *f, const space_row *map, uint32_t kind, uint32_t cell)
{
    const struct kind *k = &f->kind[kind];
    uint32_t reach[SPACE_AXES];
    if (k->spares || f->shapes.choice == SHAPES_SCATTERED)
        return true;
    space_reach(&f->space, map, cell, reach);
    for (uint32_t i = 0; i < k->shapes.count; i++) {
        const uint32_t *size = k->shapes.list[i].size;
        if (size[0] <= reach[0] && size[1] <= reach[1] && size[2] <= reach[2])
            return true;
    }
    return false;
}

void spot_fini(struct spot *spot)
{
    free(spot->scattered);
    spot->scattered = NULL;
}

void spot_take(const struct finder *f, space_row *map, const struct spot *spot, bool take)
{
    if (!spot->scattered)
        space_take(&f->space, map, &spot->place, take);
    else if (take)
        space_add(&f->space, map, spot->scattered);
    else
        space_remove(&f->space, map, spot->scattered);
}

bool spot_has(const struct finder *f, const struct spot *spot, uint32_t cell)
{
    uint32_t at[SPACE_AXES];
    locate_cell(&f->space, cell, at);
    if (spot->scattered)
        return spot->scattered[cell / f->space.size[0]] >> at[0] & 1;
    return place_has(&f->space, &spot->place, at);
}
