/* The view of a box: its nodes, and where they are. */
#include "jobs/jobs.h"

#include <stdio.h>
#include <string.h>

#include "machine/family.h"

/* Hops between neighbours of a view, at most: 1, wherever its box is. Where rings are wired, so are
 * the ends of its axes. */
static uint32_t farthest(const struct ground *g, const struct view *v)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < v->shape.nodes; i++)
        for (unsigned port = 0; port < 2 * v->shape.dims; port++) {
            uint32_t next = torus_neighbour(&v->shape, i, port);
            if (next == TORUS_NO_NODE || next == i ||
                (g->wired && torus_link_wraps(&v->shape, i, port)))
                continue;
            uint32_t hops = torus_distance(&g->torus, v->node[i], v->node[next]);
            most = hops > most ? hops : most;
        }
    return most;
}

/* Boxes of the machine that have the same view. */
static uint32_t count_boxes(const struct ground *g, const struct view_plan *plan,
                            const struct place *place)
{
    struct shapes_options o = {.choice = SHAPES_VIEW};
    uint32_t size[SPACE_AXES] = {1, 1, 1};
    struct box box = ground_box(g, place);
    ground_shapes(g, &o);
    for (unsigned k = 0; k < plan->axes; k++) {
        const struct view_plane *p = &plan->plane[k];
        for (unsigned i = 0; i < p->alongs; i++)
            size[k] *= box.size[p->along[i]];
        if (p->across != VIEW_NO_AXIS)
            size[k] *= box.size[p->across];
    }
    struct shapes s = shapes_of_view(&o, size);
    uint32_t count = s.count;
    shapes_fini(&s);
    return count;
}

static void add_view(const struct ground *g, const struct jobs_params *p, const struct view *v,
                     struct run_result *r)
{
    static const char *const size[] = {"view_size_1", "view_size_2", "view_size_3"};
    static const char *const at[] = {"node_x", "node_y", "node_z", "node_a", "node_b", "node_c"};
    uint32_t c[TORUS_MAX_DIMS];
    run_result_add(r, "view_nodes", v->shape.nodes);
    run_result_add(r, "view_left_out", v->left_out);
    for (unsigned k = 0; k < v->shape.dims; k++)
        run_result_add(r, size[k], v->shape.size[k]);
    run_result_add(r, "view_neighbours_apart", farthest(g, v));
    torus_coordinates(&g->torus, v->node[p->coordinate], c);
    for (unsigned d = 0; d < g->torus.dims; d++)
        run_result_add(r, at[d], c[d]);
}

/* Where the machine's own axes make the view, or planes are named, their number is theirs. */
static weft_status check_axes(const struct config *c, const struct jobs_params *p,
                              const struct ground *g, const struct view_plan *plan)
{
    bool given = c->entry[config_find(c, "jobs.axes")].given;
    if (!given || p->axes == plan->axes)
        return WEFT_OK;
    if (g->torus.dims != SIX_AXES)
        return BAD_INPUT("jobs.axes",
                         ("jobs.axes = %u: a view of this machine has the machine's axes", p->axes),
                         ("use %u, or leave it out", plan->axes));
    return BAD_INPUT("jobs.axes jobs.planes",
                     ("jobs.axes = %u, but jobs.planes names %u", p->axes, plan->axes),
                     ("leave jobs.axes out"));
}

/* The keys that say what is dead. */
static void list_dead_keys(const struct config *c, char *keys, size_t size)
{
    static const char *const all[] = {"machine.dead_nodes", "machine.dead_boards",
                                      "machine.dead_groups", "machine.dead_links"};
    char text[CONFIG_TEXT];
    keys[0] = '\0';
    for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        size_t key = config_find(c, all[i]), length = strlen(keys);
        const char *dead = key < c->entries ? config_text(c, key, text) : "";
        if (*dead && strcmp(dead, "none") != 0)
            snprintf(keys + length, size - length, " %s", all[i]);
    }
}

/* A dead node beside the box would change nothing, unnoticed. */
static weft_status check_dead(const struct config *c, const struct ground *g, const struct box *box,
                              const char *text)
{
    char keys[128], node[TORUS_NODE_TEXT], first[TORUS_NODE_TEXT], last[TORUS_NODE_TEXT];
    const struct torus *t = &g->torus;
    uint32_t i = 0;
    while (g->dead && i < t->nodes && (!g->dead[i] || box_has(t, box, i)))
        i++;
    if (!g->dead || i == t->nodes)
        return WEFT_OK;
    list_dead_keys(c, keys, sizeof(keys));
    torus_node_text(t, box_node(t, box, 0), first);
    torus_node_text(t, box_node(t, box, box_nodes(t, box) - 1), last);
    return BAD_INPUT(keys,
                     ("node %s is dead, but not in jobs.box = '%.60s', which has nodes %s to %s",
                      torus_node_text(t, i, node), text, first, last),
                     ("name a node of the box, or another box"));
}

weft_status view_show(const struct config *c, const struct ground *g, struct run_result *r)
{
    const struct jobs_params *p = config_section(c, &jobs_section);
    struct place place;
    struct view_plan plan;
    struct view view;
    TRY(ground_parse(g, "jobs.box", p->box, &place));
    struct box box = ground_box(g, &place);
    if (strcmp(p->planes, "auto") == 0)
        plan = ground_plan(g, &place, p->axes);
    else
        TRY(view_parse(&g->torus, "jobs.planes", p->planes, &plan));
    TRY(check_axes(c, p, g, &plan));
    TRY(check_dead(c, g, &box, p->box));
    TRY(view_create(&g->torus, &box, &plan, g->dead, &view));
    weft_status status = WEFT_OK;
    if (p->coordinate >= view.shape.size[0])
        status = BAD_INPUT("jobs.coordinate",
                           ("jobs.coordinate = %u: the first axis of the view has %u nodes",
                            p->coordinate, view.shape.size[0]),
                           ("use 0 to %u", view.shape.size[0] - 1));
    else
        add_view(g, p, &view, r);
    if (status == WEFT_OK && plan.axes == SPACE_AXES)
        run_result_add(r, "view_boxes", count_boxes(g, &plan, &place));
    view_fini(&view);
    return status;
}
