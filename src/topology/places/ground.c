/* Cells of machines, and their nodes. */
#include "topology/places/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void ground_kill(struct ground *g, uint32_t node)
{
    if (!g->dead)
        g->dead = memory_alloc(g->torus.nodes, sizeof(*g->dead));
    g->dead[node] = true;
}

void ground_fini(struct ground *g)
{
    free(g->dead);
    g->dead = NULL;
}

/* All cells of the machine, those that jobs are not given included. */
static struct torus machine_cells(const struct ground *g)
{
    struct torus cells = {.dims = g->torus.dims < SPACE_AXES ? g->torus.dims : SPACE_AXES};
    for (unsigned d = 0; d < cells.dims; d++)
        cells.size[d] = g->torus.size[d] / g->cell[d];
    return cells;
}

/* The cells as a torus of up to three dimensions; sizes beyond those are 1. */
static struct torus cells_of(const struct ground *g)
{
    unsigned dims = g->torus.dims < SPACE_AXES ? g->torus.dims : SPACE_AXES;
    struct torus cells = {.dims = dims, .size = {1, 1, 1}};
    for (unsigned d = 0; d < dims; d++) {
        cells.size[d] = g->box.size[d] / g->cell[d];
        cells.wrap[d] = g->torus.wrap[d] && g->box.size[d] == g->torus.size[d];
    }
    return cells;
}

/* The machine's coordinate of the first cell along an axis. */
static uint32_t first_cell(const struct ground *g, unsigned d)
{
    return d < g->torus.dims ? g->box.at[d] / g->cell[d] : 0;
}

void ground_space(const struct ground *g, struct space *space)
{
    struct torus cells = cells_of(g);
    space_init(space, cells.size, cells.wrap, g->wired);
    for (unsigned d = 0; d < SPACE_AXES; d++)
        space->first[d] = first_cell(g, d);
}

uint32_t ground_cell_nodes(const struct ground *g)
{
    uint32_t nodes = 1;
    for (unsigned d = 0; d < g->torus.dims; d++)
        nodes *= g->cell[d];
    return nodes;
}

uint32_t ground_nodes(const struct ground *g)
{
    return box_nodes(&g->torus, &g->box);
}

/* On six axes, a view axis is one of x, y, z with one of a, b, c. A loop through three points
 * across leaves one out alone; one through two points passes it on a ring only, and otherwise keeps
 * to one side. */
void ground_shapes(const struct ground *g, struct shapes_options *o)
{
    bool six = g->torus.dims == SIX_AXES;
    struct torus cells = cells_of(g);
    for (unsigned d = 0; d < SPACE_AXES; d++) {
        unsigned axis = six ? AXIS_A + d : d;
        o->space[d] = cells.size[d];
        o->factor[d] = axis < g->torus.dims ? g->cell[axis] : 1;
        o->lost[d] = six && o->factor[d] == 3;
        o->ring[d] = six && cells.wrap[d];
    }
}

uint32_t ground_cell(const struct ground *g, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS], cell = 0;
    torus_coordinates(&g->torus, node, c);
    for (unsigned d = g->torus.dims; d-- > 0;) {
        uint32_t from = (c[d] + g->torus.size[d] - g->box.at[d]) % g->torus.size[d];
        if (from >= g->box.size[d])
            return UINT32_MAX;
        if (d < SPACE_AXES)
            cell = cell * (g->box.size[d] / g->cell[d]) + from / g->cell[d];
    }
    return cell;
}

uint32_t ground_node(const struct ground *g, uint32_t index)
{
    return box_node(&g->torus, &g->box, index);
}

struct box ground_box(const struct ground *g, const struct place *p)
{
    struct box box = g->box;
    for (unsigned d = 0; d < SPACE_AXES && d < g->torus.dims; d++) {
        box.at[d] = (g->box.at[d] + p->at[d] * g->cell[d]) % g->torus.size[d];
        box.size[d] = p->size[d] * g->cell[d];
    }
    return box;
}

struct view_plan ground_plan(const struct ground *g, const struct place *p, unsigned axes)
{
    struct box box = ground_box(g, p);
    struct shapes_options o = {.choice = SHAPES_SINGLE};
    if (axes != SPACE_AXES)
        return view_usual(&g->torus, &box, axes);
    ground_shapes(g, &o);
    struct extent compact = shapes_compact(&o, p->size);
    return ground_plan_for(g, p, &compact);
}

struct view_plan ground_plan_for(const struct ground *g, const struct place *p,
                                 const struct extent *extent)
{
    struct box box = ground_box(g, p);
    struct view_plan plan = view_usual(&g->torus, &box, SPACE_AXES);
    for (unsigned d = 0; d < SPACE_AXES && g->torus.dims == SIX_AXES; d++)
        plan.plane[d].across = (uint8_t)(AXIS_A + extent->factor[d]);
    return plan;
}

/* ---- as text ---- */

/* "24x18x16 cells for jobs, from 0/0/1 to 23/17/16". */
static const char *cells_text(const struct ground *g, char text[3 * TORUS_NODE_TEXT])
{
    struct torus cells = cells_of(g), machine = machine_cells(g);
    uint32_t from[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS];
    char size[80], first[TORUS_NODE_TEXT], last[TORUS_NODE_TEXT];
    for (unsigned d = 0; d < cells.dims; d++) {
        from[d] = first_cell(g, d);
        to[d] = from[d] + cells.size[d] - 1;
    }
    snprintf(text, 3 * TORUS_NODE_TEXT, "%s cells for jobs, from %s to %s",
             torus_text(&cells, size), torus_node_text(&machine, torus_node(&machine, from), first),
             torus_node_text(&machine, torus_node(&machine, to), last));
    return text;
}

/* A cell of the machine as one of those that are handed out. */
static bool find_cell(const struct ground *g, uint32_t cell, uint32_t at[SPACE_AXES])
{
    struct torus cells = cells_of(g), machine = machine_cells(g);
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(&machine, cell, c);
    for (unsigned d = 0; d < cells.dims; d++) {
        at[d] = c[d] - first_cell(g, d);
        if (c[d] < first_cell(g, d) || at[d] >= cells.size[d])
            return false;
    }
    return true;
}

/* Where keys say how large a cell is: "; a cell has 8x8x8 nodes (jobs.cell)". */
static const char *cell_text(const struct ground *g, char text[128])
{
    struct torus cell = {.dims = g->torus.dims};
    char size[80];
    memcpy(cell.size, g->cell, sizeof(cell.size));
    text[0] = '\0';
    if (g->wired)
        snprintf(text, 128, "; a cell has %s nodes (jobs.cell)", torus_text(&cell, size));
    return text;
}

static weft_status check_place(const struct ground *g, const char *key, const char *text,
                               const struct place *p)
{
    struct torus cells = cells_of(g);
    char all[3 * TORUS_NODE_TEXT], one[128];
    for (unsigned d = 0; d < cells.dims; d++)
        if (p->size[d] > cells.size[d] || (!cells.wrap[d] && p->at[d] + p->size[d] > cells.size[d]))
            return BAD_INPUT(key, ("%s = '%.60s' does not fit into the machine", key, text),
                             ("it has %s%s", cells_text(g, all), cell_text(g, one)));
    return WEFT_OK;
}

weft_status ground_parse(const struct ground *g, const char *key, const char *text,
                         struct place *place)
{
    struct torus cells = cells_of(g), machine = machine_cells(g), box;
    size_t length = strcspn(text, "@");
    const char *at = text + length;
    char size[80], all[3 * TORUS_NODE_TEXT];
    uint32_t cell = 0;
    *place = (struct place){.size = {1, 1, 1}};
    if (strcmp(text, "all") == 0) {
        memcpy(place->size, cells.size, sizeof(place->size));
        return WEFT_OK;
    }
    snprintf(size, sizeof(size), "%s", text);
    size[length < sizeof(size) ? length : 0] = '\0';
    bool good = torus_parse(size, &box) == WEFT_OK && box.dims == cells.dims;
    bool corner = good && *at++;
    if (corner)
        good = torus_parse_node(&machine, cells.dims, &at, &cell) && !*at;
    if (!good)
        return BAD_INPUT(key, ("%s = '%.60s' is not a box of cells", key, text),
                         ("use all, or sizes and a cell that the machine has, as %s",
                          cells.dims == 3   ? "3x3x2@0/4/1"
                          : cells.dims == 2 ? "3x3@0/4"
                                            : "3@4"));
    memcpy(place->size, box.size, cells.dims * sizeof(*place->size));
    if (corner && !find_cell(g, cell, place->at))
        return BAD_INPUT(key,
                         ("%s = '%.60s' starts at a cell that is not available to jobs", key, text),
                         ("the machine has %s", cells_text(g, all)));
    return check_place(g, key, text, place);
}
