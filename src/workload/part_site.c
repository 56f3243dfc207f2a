/* A part of a machine as a site: its nodes, its neighbours, its bound. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "jobs/ground.h"
#include "workload/parts.h"

#define KEY "workload.parts"

/* ---- a list of nodes ---- */

static weft_status refuse_list(const char *text)
{
    return BAD_INPUT(NULL, ("'%.60s' is not a list of nodes", text),
                     ("use numbers and ranges, as nodes:0-63,70"));
}

/* Adds "7" or "0-63". */
static weft_status add_range(struct workload_part *part, const char *item)
{
    const struct site *machine = part->machine;
    char first[32] = "";
    const char *dash = strchr(item, '-');
    int64_t from, to;
    snprintf(first, sizeof(first), "%.*s", dash ? (int)(dash - item) : 31, item);
    if (!number_integer(first, &from) || !number_integer(dash ? dash + 1 : first, &to) || from > to)
        return refuse_list(item);
    if (from < 0 || to >= machine->nodes)
        return BAD_INPUT(
            NULL,
            ("node %lld: the machine has %u", (long long)(from < 0 ? from : to), machine->nodes),
            ("use 0 to %u", machine->nodes - 1));
    for (int64_t node = from; node <= to; node++) {
        if (machine->dead && machine->dead[node])
            return BAD_INPUT(NULL, ("node %lld is dead", (long long)node), ("leave it out"));
        if (part->nodes == machine->nodes)
            return BAD_INPUT(NULL, ("it has nodes twice"), ("name each once"));
        part->view.node[part->nodes++] = (uint32_t)node;
    }
    return WEFT_OK;
}

static weft_status take_list(struct workload_part *part, const char *list)
{
    weft_status status = *list ? WEFT_OK : refuse_list(list);
    char item[32];
    part->view.node = memory_alloc(part->machine->nodes, sizeof(*part->view.node));
    for (const char *rest = list; rest && status == WEFT_OK;) {
        rest = key_list_item(rest, item);
        status = add_range(part, item);
    }
    return status;
}

/* ---- a box ---- */

/* The links of a box. Where it has more than half of a ring, packets may go around outside. */
static void take_links(struct workload_part *part, const struct box *box)
{
    const struct torus *t = part->machine->torus;
    uint32_t c[TORUS_MAX_DIMS];
    part->links = *t;
    part->links.nodes = 1;
    for (unsigned d = 0; d < t->dims; d++) {
        part->links.size[d] = box->size[d];
        part->links.wrap[d] = t->wrap[d] && 2 * box->size[d] > t->size[d];
        part->links.nodes *= box->size[d];
    }
    part->at = memory_alloc(part->nodes, sizeof(*part->at));
    for (uint32_t i = 0; i < part->nodes; i++) {
        torus_coordinates(t, part->view.node[i], c);
        for (unsigned d = 0; d < t->dims; d++)
            c[d] = (c[d] + t->size[d] - box->at[d]) % t->size[d];
        part->at[i] = torus_node(&part->links, c);
    }
}

static weft_status take_box(struct workload_part *part, const struct part_text *text)
{
    const struct ground *g = part->machine->ground;
    struct place place;
    struct view_plan plan;
    if (!g)
        return BAD_INPUT(NULL, ("this machine has no cells for jobs"),
                         ("name nodes, as nodes:0-63"));
    if (g->wired)
        return BAD_INPUT(NULL, ("a partition of this machine is wired apart from all others"),
                         ("run it as a machine of its own, by machine.dims; or name nodes, as "
                          "nodes:0-63"));
    weft_status status = ground_parse(g, KEY, text->place, &place);
    if (status != WEFT_OK)
        return status;
    struct box box = ground_box(g, &place);
    if (strcmp(text->planes, "auto") == 0)
        plan = ground_plan(g, &place, text->axes ? text->axes : VIEW_MOST_AXES);
    else
        status = view_parse(&g->torus, KEY, text->planes, &plan);
    if (status == WEFT_OK)
        status = view_create(&g->torus, &box, &plan, part->machine->dead, &part->view);
    if (status != WEFT_OK)
        return status;
    part->nodes = part->view.shape.nodes;
    take_links(part, &box);
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

/* In a torus of its own, over each of its links; a ring of two nodes has one. */
static uint32_t torus_turn(const struct torus *t, uint32_t node, uint32_t turn, struct step *step)
{
    uint32_t to[2 * TORUS_MAX_DIMS], count = 0;
    for (unsigned port = 0; port < 2 * t->dims; port++)
        if (t->size[port / 2] > 2 || (t->size[port / 2] == 2 && port % 2 == 0))
            to[count++] = torus_neighbour(t, node, port);
    if (count)
        step->to = to[turn % count];
    return count;
}

/* Over each of the machine's links that leads to a node of the part. */
static uint32_t list_turn(const struct workload_part *part, uint32_t node, uint32_t turn,
                          struct step *step)
{
    const struct site *machine = part->machine;
    uint32_t at = part->view.node[node], count = 0;
    struct step other = {.to = NOBODY};
    uint32_t links = machine->neighbour(machine, at, 0, &other);
    uint32_t which[64];
    for (uint32_t i = 0; i < links && count < 64; i++) {
        machine->neighbour(machine, at, i, &other);
        if (part->of[other.to] == part->site.part)
            which[count++] = i;
    }
    if (!count)
        return 0;
    machine->neighbour(machine, at, which[turn % count], step);
    step->to = part->local[step->to];
    return count;
}

static uint32_t part_neighbour(const struct site *site, uint32_t node, uint32_t turn,
                               struct step *step)
{
    return site->torus ? torus_turn(site->torus, node, turn, step)
                       : list_turn(part_at(site), node, turn, step);
}

/* ---- the bound ---- */

struct part_load {
    const struct workload_part *part;
    struct bound *bound;
    double *into;
};

static void add_flow(void *ctx, uint32_t from, uint32_t to, double packets)
{
    const struct part_load *load = ctx;
    load->into[to] += packets;
    if (load->part->at)
        bound_add(load->bound, load->part->at[from], load->part->at[to], packets);
}

static bool is_to_all(const struct site *site, const struct flows *f)
{
    return f->uniform && f->hot_share <= 0 && !f->hot_apart &&
           (!site->torus || f->group_dims == (1u << site->torus->dims) - 1);
}

/* Loads the links of a box, or counts what each node receives; returns how many nodes send. */
static uint32_t load_links(const struct site *site, const struct flows *f, struct bound *b,
                           double *into)
{
    const struct workload_part *part = part_at(site);
    struct part_load load = {part, b, into};
    if (!is_to_all(site, f))
        return flows_each(f, add_flow, &load);
    for (uint32_t node = 0; node < site->nodes; node++)
        into[node] += f->packets;
    if (part->at)
        bound_add_uniform(b, (1u << b->torus->dims) - 1, f->packets);
    return site->nodes;
}

/* The busiest plane of a box's links, and what a node can take. (Of traffic within lines, planes
 * and hot boxes of a view: a plane of the links that the view shows.) A list of nodes has no links
 * to itself: there the nodes are the bound. */
static double part_bound(const struct site *site, const struct flows *f, uint32_t *senders)
{
    const struct workload_part *part = part_at(site);
    double slot = site->slot(site, workload_mean_bytes(f->workload)), most = 0;
    double *into = memory_alloc(site->nodes, sizeof(*into));
    bool of_view = part->at && f->uniform && !is_to_all(site, f);
    struct bound b;
    bound_init(&b, of_view ? site->torus : &part->links);
    *senders = of_view ? flows_load(f, &b, into) : load_links(site, f, &b, into);
    double links = part->at ? bound_worst(&b, slot, site->ack_cycles) : 0;
    bound_fini(&b);
    for (uint32_t node = 0; node < site->nodes; node++)
        most = into[node] > most ? into[node] : most;
    free(into);
    double ports = most * slot / (site->ways ? site->ways : 1);
    return links > ports ? links : ports;
}

/* ---- making it ---- */

/* What a job has of the machine; operations of the whole machine are not for it. */
static void fill_site(struct workload_part *part)
{
    const struct site *machine = part->machine;
    uint32_t number = part->site.part;
    part->site = (struct site){.ctx = part,
                               .part = number,
                               .usual = machine->usual,
                               .nodes = part->nodes,
                               .places = part->nodes,
                               .living = part->nodes,
                               .torus = part->view.shape.dims ? &part->view.shape : NULL,
                               .whole = machine->whole,
                               .ways = machine->ways,
                               .processors = machine->processors,
                               .tasks = machine->tasks,
                               .packet_payload = machine->packet_payload,
                               .packet_header = machine->packet_header,
                               .ack_cycles = machine->ack_cycles,
                               .limits = machine->limits,
                               .mpi = machine->mpi,
                               .tail = part_tail,
                               .slot = part_slot,
                               .distance = part_distance,
                               .diameter = part_diameter,
                               .neighbour = part_neighbour,
                               .bound = part_bound};
}

weft_status workload_part_place(struct workload_part *part, const struct part_text *text)
{
    static const char list[] = "nodes:";
    bool listed = strncmp(text->place, list, strlen(list)) == 0;
    weft_status status;
    if (listed && (text->axes || strcmp(text->planes, "auto") != 0))
        return BAD_INPUT(NULL, ("a list of nodes has no view"), ("leave out planes and axes"));
    if (text->axes && strcmp(text->planes, "auto") != 0)
        return BAD_INPUT(NULL, ("it has planes and axes"), ("use one of them"));
    part->place = memory_copy(text->place);
    status = listed ? take_list(part, text->place + strlen(list)) : take_box(part, text);
    if (status == WEFT_OK && listed && (text->params.pattern->needs & SITE_COORDINATES))
        status = BAD_INPUT(NULL,
                           ("%s needs coordinates, which a list of nodes does not have",
                            text->params.pattern->name),
                           ("use a box of cells, or another pattern"));
    if (status == WEFT_OK)
        fill_site(part);
    return status;
}

void workload_part_fini(struct workload_part *part)
{
    workload_destroy(part->workload);
    view_fini(&part->view);
    free(part->at);
    free(part->place);
}
