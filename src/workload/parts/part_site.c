/* A part of a machine as a site: its nodes, its neighbours, its bound. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "topology/places/places.h"
#include "workload/names.h"
#include "workload/parts/parts.h"
#include "workload/patterns/patterns.h"

#define KEY "workload.parts"

/* ---- nodes, and cells ---- */

/* The nodes of a list, or of a file of nodes, which are then the part's. */
static weft_status take_nodes(struct workload_part *part, const char *text, const char *file)
{
    const struct site *machine = part->machine;
    struct number_list l = {.what = "node", .most = machine->nodes};
    weft_status status = file ? number_list_file(&l, machine, file) : number_list_read(&l, text);
    part->view.node = l.number;
    part->nodes = l.count;
    for (uint32_t i = 0; i < l.count && status == WEFT_OK; i++)
        if (machine->dead && machine->dead[l.number[i]])
            status = BAD_INPUT(NULL, ("node %u is dead", l.number[i]), ("leave it out"));
    return status;
}

/* The living nodes of cells, cell by cell. */
static void gather_cells(struct workload_part *part, const struct ground *g,
                         const struct number_list *l)
{
    const struct site *machine = part->machine;
    uint32_t each = ground_cell_nodes(g);
    uint32_t *order = memory_alloc(l->most, sizeof(*order)); /* of each cell, from 1 */
    uint32_t *filled = memory_alloc(l->count, sizeof(*filled));
    uint32_t *node = memory_alloc((size_t)l->count * each, sizeof(*node));
    for (uint32_t i = 0; i < l->count; i++)
        order[l->number[i]] = i + 1;
    for (uint32_t at = 0; at < machine->nodes; at++) {
        uint32_t cell = ground_cell(g, at);
        if (cell == UINT32_MAX || !order[cell])
            continue;
        if (machine->dead && machine->dead[at])
            part->view.left_out++;
        else
            node[(order[cell] - 1) * each + filled[order[cell] - 1]++] = at;
    }
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = 0; k < filled[i]; k++)
            node[part->nodes++] = node[i * each + k];
    part->view.node = node;
    free(order);
    free(filled);
}

/* On a machine without boxes, "all" is all of its nodes. */
static weft_status take_living(struct workload_part *part)
{
    const struct site *machine = part->machine;
    part->view.node = memory_alloc(machine->nodes, sizeof(*part->view.node));
    for (uint32_t node = 0; node < machine->nodes; node++)
        if (!machine->dead || !machine->dead[node])
            part->view.node[part->nodes++] = node;
    return WEFT_OK;
}

static weft_status refuse_ground(void)
{
    return BAD_INPUT(NULL, ("this machine has no cells for jobs"), ("name nodes, as nodes:0-63"));
}

static weft_status take_cells(struct workload_part *part, const char *text)
{
    const struct ground *g = part->machine->ground;
    if (!g)
        return refuse_ground();
    struct number_list l = {.what = "cell", .most = ground_nodes(g) / ground_cell_nodes(g)};
    weft_status status = number_list_read(&l, text);
    if (status == WEFT_OK)
        gather_cells(part, g, &l);
    number_list_fini(&l);
    return status == WEFT_OK && !part->nodes
               ? BAD_INPUT(NULL, ("all of its nodes are dead"), ("use other cells"))
               : status;
}

/* ---- a box ---- */

static weft_status take_box(struct workload_part *part, const struct part_text *text)
{
    const struct ground *g = part->machine->ground;
    struct place place;
    struct view_plan plan;
    if (!part_is_box(text) && strcmp(text->place, "all") != 0)
        return BAD_INPUT(NULL, ("'%.60s' is not a place", text->place),
                         ("use nodes:0-63,70, file:PATH, %sor all",
                          g ? "cells:0-3, a box as 3x3x2@0/4/1, " : ""));
    if (!g)
        return refuse_ground();
    TRY(ground_parse(g, KEY, text->place, &place));
    struct box box = ground_box(g, &place);
    if (strcmp(text->planes, "auto") == 0)
        plan = ground_plan(g, &place, text->axes ? text->axes : VIEW_MOST_AXES);
    else
        TRY(view_parse(&g->torus, KEY, text->planes, &plan));
    TRY(view_create(&g->torus, &box, &plan, part->machine->dead, &part->view));
    part->nodes = part->view.shape.nodes;
    for (unsigned d = 0; d < g->torus.dims; d++)
        part->plane[d] = box_nodes(&g->torus, &box) / box.size[d];
    return WEFT_OK;
}

/* ---- what patterns ask ---- */

static const struct workload_part *part_at(const struct site *site)
{
    return site->ctx;
}

static double part_tail(const struct site *site, double bytes)
{
    const struct site *machine = part_at(site)->machine;
    return machine->tail ? machine->tail(machine, bytes) : 0;
}

static double part_slot(const struct site *site, double bytes)
{
    const struct site *machine = part_at(site)->machine;
    return machine->slot(machine, bytes);
}

static uint32_t part_distance(const struct site *site, uint32_t from, uint32_t to)
{
    const struct workload_part *part = part_at(site);
    const uint32_t *node = part->view.node;
    return part->machine->distance(part->machine, node[from], node[to]);
}

/* From its first node: what a ping-pong can ask for. */
static uint32_t part_diameter(const struct site *site)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < site->nodes; i++) {
        uint32_t hops = part_distance(site, 0, i);
        most = hops > most ? hops : most;
    }
    return most;
}

/* In a torus of its own, where a ring of two has one link; or the machine's links to its nodes. */
static uint32_t part_behind(const struct site *site, uint32_t node, unsigned port)
{
    const struct workload_part *part = part_at(site);
    const struct torus *t = site->torus;
    if (t)
        return t->size[port / 2] > 1 + port % 2 ? torus_neighbour(t, node, port) : NOBODY;
    uint32_t to = part->machine->behind(part->machine, part->view.node[node], port);
    return to != NOBODY && part->of[to] == site->part ? part->local[to] : NOBODY;
}

/* ---- the bound ---- */

/* Loads of the planes along one axis of the machine, if it has axes: of a box those of its own
 * links, between its nodes; for a list all of the machine's. */
struct part_load {
    const struct workload_part *part;
    unsigned axes;
    struct torus line[TORUS_MAX_DIMS];
    struct bound bound[TORUS_MAX_DIMS];
    double *into; /* [its node]: packets */
};

static void load_init(struct part_load *l, const struct workload_part *part)
{
    const struct torus *t = part->machine->torus;
    *l = (struct part_load){.part = part, .axes = t ? t->dims : 0};
    for (unsigned d = 0; d < l->axes; d++) {
        l->line[d] = (struct torus){.dims = 1,
                                    .size = {t->size[d]},
                                    .wrap = {t->wrap[d]},
                                    .nodes = t->size[d] * part->plane[d]};
        bound_init(&l->bound[d], &l->line[d]);
    }
    l->into = memory_alloc(part->nodes, sizeof(*l->into));
}

static void add_part_flow(void *ctx, uint32_t from, uint32_t to, double packets)
{
    struct part_load *l = ctx;
    const struct torus *t = l->part->machine->torus;
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    l->into[to] += packets;
    if (!t)
        return;
    torus_coordinates(t, l->part->view.node[from], a);
    torus_coordinates(t, l->part->view.node[to], b);
    for (unsigned d = 0; d < l->axes; d++)
        bound_add_dim(&l->bound[d], 0, a[d], b[d], packets);
}

/* `packets` from each node to all others evenly: along axes, by how many have each coordinate. */
static void add_to_all(struct part_load *l, double packets)
{
    const struct workload_part *part = l->part;
    double pair = part->nodes > 1 ? packets / (part->nodes - 1) : 0;
    for (uint32_t i = 0; i < part->nodes; i++)
        l->into[i] += packets;
    for (unsigned d = 0; d < l->axes; d++) {
        uint32_t size = l->line[d].size[0], c[TORUS_MAX_DIMS];
        uint32_t *count = memory_alloc(size, sizeof(*count));
        for (uint32_t i = 0; i < part->nodes; i++) {
            torus_coordinates(part->machine->torus, part->view.node[i], c);
            count[c[d]]++;
        }
        for (uint32_t from = 0; from < size; from++)
            for (uint32_t to = 0; count[from] && to < size; to++)
                bound_add_dim(&l->bound[d], 0, from, to, pair * count[from] * count[to]);
        free(count);
    }
}

/* The busiest plane of links, or what a node can take. */
static double part_bound(const struct site *site, const struct flows *f, uint32_t *senders)
{
    double slot = site->slot(site, workload_mean_bytes(f->workload)), worst = 0;
    double most = flows_most(f);
    struct part_load l;
    load_init(&l, part_at(site));
    *senders = site->nodes;
    if (f->uniform && !flows_are_hot(f) &&
        (!site->torus || f->group_dims == (1u << site->torus->dims) - 1))
        add_to_all(&l, f->packets);
    else if (!f->uniform)
        *senders = flows_each(f, add_part_flow, &l);
    else { /* within lines, planes and hot boxes of a view: a plane of the links that it shows */
        struct bound b;
        bound_init(&b, site->torus);
        *senders = flows_load(f, &b);
        flows_into(f, l.into);
        worst = bound_worst(&b, slot, site->ack_cycles);
        bound_fini(&b);
    }
    for (unsigned d = 0; d < l.axes; d++) {
        worst = fmax(worst, bound_worst(&l.bound[d], slot, site->ack_cycles));
        bound_fini(&l.bound[d]);
    }
    for (uint32_t node = 0; node < site->nodes; node++)
        most = fmax(most, l.into[node]);
    free(l.into);
    return fmax(worst, most * slot / (site->ways ? site->ways : 1));
}

/* ---- making it ---- */

/* What a job has of the machine; operations of the whole machine are not for it. */
static void fill_site(struct workload_part *part)
{
    const struct site *machine = part->machine;
    const struct torus *torus = part->view.shape.dims ? &part->view.shape : NULL;
    uint32_t number = part->site.part;
    part->site = (struct site){.ctx = part,
                               .part = number,
                               .usual = machine->usual,
                               .nodes = part->nodes,
                               .endpoints = part->nodes,
                               .living = part->nodes,
                               .torus = torus,
                               .whole = machine->whole,
                               .spreads = machine->spreads,
                               .ways = machine->ways,
                               .processors = machine->processors,
                               .tasks = machine->tasks,
                               .packet_payload = machine->packet_payload,
                               .packet_header = machine->packet_header,
                               .cycles_per_second = machine->cycles_per_second,
                               .ack_cycles = machine->ack_cycles,
                               .limits = machine->limits,
                               .mpi = machine->mpi,
                               .io_nodes = machine->io_nodes,
                               .tail = part_tail,
                               .slot = part_slot,
                               .distance = part_distance,
                               .diameter = part_diameter,
                               .behind = part_behind,
                               .ports = torus ? 2 * torus->dims : machine->ports,
                               .picks_port = !torus && machine->picks_port,
                               .bound = part_bound};
}

weft_status workload_part_place(struct workload_part *part, const struct part_text *text)
{
    const char *nodes = text_behind(text->place, "nodes:");
    const char *cells = text_behind(text->place, "cells:");
    const char *file = text_behind(text->place, PART_FILE);
    const struct ground *g = part->machine->ground;
    const struct pattern *pattern = config_workload(&text->config)->pattern;
    bool planned = strcmp(text->planes, "auto") != 0;
    bool all = strcmp(text->place, "all") == 0 && (!g || g->wired),
         listed = nodes || cells || file || all;
    if (listed && (text->axes || planned))
        return BAD_INPUT(NULL, ("a list has no view"), ("leave out planes and axes"));
    if (text->axes && planned)
        return BAD_INPUT(NULL, ("it has planes and axes"), ("use one of them"));
    if (listed && (pattern->needs & SITE_COORDINATES))
        return BAD_INPUT(NULL, ("%s needs coordinates, which a list does not have", pattern->name),
                         ("use a box of cells, or another pattern"));
    part->place = memory_copy(text->place);
    if (g && g->wired && part_is_box(text)) {
        workload_part_apart(part);
        return WEFT_OK;
    }
    TRY(all             ? take_living(part)
        : nodes || file ? take_nodes(part, nodes, file)
        : cells         ? take_cells(part, cells)
                        : take_box(part, text));
    const struct torus *t = part->machine->torus;
    for (unsigned d = 0; listed && t && d < t->dims; d++)
        part->plane[d] = t->nodes / t->size[d];
    fill_site(part);
    return WEFT_OK;
}

void workload_part_fini(struct workload_part *part)
{
    workload_destroy(part->workload);
    view_fini(&part->view);
    free(part->dead);
    free(part->place);
}
