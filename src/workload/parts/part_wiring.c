/*
 * Partitions that are wired apart (topology/torus/wiring.h), as midplanes of Blue Gene/L are by
 * their link chips: a part that is a box of cells is a torus of its own there. Its site is the
 * machine's, but for its size, and its draws are those of a machine of that size: alone or among
 * others it does what that machine would do.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "workload/parts/parts.h"

#define KEY "workload.parts"

bool parts_have_boxes(const struct config *c)
{
    const struct part_list *list = parts_readable(c);
    for (uint32_t i = 0; i < list->count; i++)
        if (part_is_box(&list->part[i]))
            return true;
    return false;
}

/* ---- where they are ---- */

static weft_status read_place(const struct part_list *list, uint32_t i, const struct ground *g,
                              struct place *place)
{
    const struct part_text *part = &list->part[i];
    uint32_t box = 0;
    while (!part_is_box(&list->part[box]))
        box++;
    if (!part_is_box(part))
        return BAD_INPUT(NULL,
                         ("%.40s is a list of nodes, and part %u (%.40s) is a partition that is "
                          "wired apart from all other nodes",
                          part->place, box + 1, list->part[box].place),
                         ("use boxes of cells for all parts, or lists for all"));
    if (part->axes || strcmp(part->planes, "auto") != 0)
        return BAD_INPUT(NULL, ("a partition that is wired apart is a torus as it is"),
                         ("leave out planes and axes; workload.mapping places processes"));
    return ground_parse(g, KEY, part->place, place);
}

/* Whether a part can be there beside one before it. */
static weft_status check_beside(const struct part_list *list, const struct space *s,
                                const struct place *place, uint32_t before, uint32_t i)
{
    int both = space_conflict(s, &place[before], &place[i]);
    const char *a = list->part[before].place, *b = list->part[i].place;
    if (both < 0)
        return WEFT_OK;
    if (both == SPACE_TAKEN)
        return BAD_INPUT(NULL, ("%.40s has cells of part %u, %.40s", b, before + 1, a),
                         ("use other cells"));
    return BAD_INPUT(
        NULL,
        ("%.40s needs the wire along %c that part %u, %.40s, takes: some cells of a "
         "row, more than one and not all, close their ring over the row's one wire",
         b, "xyz"[both - SPACE_WIRES], before + 1, a),
        ("use one cell, or all, of those rows along %c, or other rows", "xyz"[both - SPACE_WIRES]));
}

static weft_status place_all(const struct part_list *list, const struct ground *g,
                             struct place *place, uint32_t *failed)
{
    struct space space;
    weft_status status = WEFT_OK;
    ground_space(g, &space);
    for (uint32_t i = 0; i < list->count && status == WEFT_OK; i++) {
        *failed = i;
        status = read_place(list, i, g, &place[i]);
        for (uint32_t k = 0; k < i && status == WEFT_OK; k++)
            status = check_beside(list, &space, place, k, i);
    }
    space_fini(&space);
    return status;
}

weft_status parts_boxes(const struct config *c, const struct ground *g, struct box **box,
                        uint32_t *count)
{
    const struct part_list *list = parts_readable(c);
    struct place *place = memory_alloc(list->count, sizeof(*place));
    uint32_t failed = 0;
    weft_status status = place_all(list, g, place, &failed);
    if (status != WEFT_OK) {
        error_prefix("part %u: ", failed + 1);
        error_keys(KEY);
    } else {
        *count = list->count;
        *box = memory_alloc(list->count, sizeof(**box));
        for (uint32_t i = 0; i < list->count; i++)
            (*box)[i] = ground_box(g, &place[i]);
    }
    free(place);
    return status;
}

/* ---- as a site ---- */

/* Its nodes, in the order of its own numbers, dead ones too. */
static void take_nodes(struct workload_part *part, const struct wiring_box *own)
{
    const struct site *machine = part->machine;
    part->nodes = own->torus.nodes;
    part->view.shape = own->torus;
    part->view.node = memory_alloc(part->nodes, sizeof(*part->view.node));
    part->dead = memory_alloc(part->nodes, sizeof(*part->dead));
    for (uint32_t i = 0; i < part->nodes; i++) {
        uint32_t node = part->view.node[i] = box_node(machine->torus, &own->box, i);
        part->dead[i] = machine->dead && machine->dead[node];
        part->view.left_out += part->dead[i];
    }
    if (part->view.left_out)
        return;
    free(part->dead);
    part->dead = NULL;
}

void workload_part_apart(struct workload_part *part)
{
    const struct site *machine = part->machine;
    uint32_t number = part->site.part;
    part->apart = true;
    take_nodes(part, &machine->torus->wiring->box[number - 1]);
    part->site = *machine;
    part->site.part = number;
    part->site.ground = NULL;
    part->site.nodes = part->site.endpoints = part->nodes;
    part->site.living = part->nodes - part->view.left_out;
    part->site.dead = part->dead;
    part->site.torus = &part->view.shape;
    part->site.tree = part->site.gates = false; /* those of the whole machine */
}
