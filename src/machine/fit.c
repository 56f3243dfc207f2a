/*
 * The size of a machine that nobody has given: as large as the processes need that a program or a
 * trace has. So a trace is replayed on the machine that its program would have been run on.
 */
#include "machine/machine.h"

#include <string.h>

#include "fabric/tofu/route.h"
#include "topology/torus/torus.h"

/* Where such a size is from, as messages and results have it. */
static const char place[] = "the number of processes";

/* The smallest box near a cube that has so many nodes. */
static void choose_box(uint32_t nodes, char text[64])
{
    struct torus t;
    for (;; nodes++) {
        torus_near(nodes, 3, &t);
        uint32_t least = t.size[0], most = t.size[0];
        for (unsigned d = 1; d < 3; d++) {
            least = t.size[d] < least ? t.size[d] : least;
            most = t.size[d] > most ? t.size[d] : most;
        }
        if (most <= 2 * least || nodes < 3)
            break;
    }
    snprintf(text, 64, "%ux%ux%u", t.size[2], t.size[1], t.size[0]);
}

/* Machines of six axes consist of groups, which are as they are. */
#define GROUP_DIMS "x2x3x2"

static uint32_t processes_per_node(const struct config *c)
{
    uint32_t given = config_workload(c)->processes_per_node;
    size_t mode = config_find(c, "machine.node.mode");
    char text[CONFIG_TEXT];
    if (given && given != KEY_AUTO)
        return given;
    return mode < c->entries && strcmp(config_text(c, mode, text), "virtual_node") == 0 ? 2 : 1;
}

/* The key that says how large a torus or an ideal network is, if it is as its file has it, or was
 * chosen here before; c->entries: there is nothing to choose. */
static size_t find_size(const struct config *c)
{
    size_t dims = config_find(c, "machine.dims"), nodes = config_find(c, "machine.nodes");
    size_t size = dims < c->entries ? dims : nodes;
    if (size < c->entries && c->entry[size].given > c->own_givings &&
        strcmp(c->entry[size].place, place) != 0)
        return c->entries;
    return size;
}

weft_status machine_fit(struct config *c, uint32_t processes)
{
    size_t size = find_size(c), dims = config_find(c, "machine.dims");
    uint32_t per_node = processes_per_node(c), needed = (processes + per_node - 1) / per_node;
    char box[64], text[CONFIG_TEXT];
    if (size == c->entries || !processes)
        return WEFT_OK;
    unsigned axes = 1;
    for (const char *at = size == dims ? config_text(c, dims, text) : ""; *at; at++)
        axes += *at == 'x';
    bool six = axes == TOFU_AXES;
    if (size != dims)
        snprintf(box, sizeof(box), "%u", processes);
    else
        choose_box(six ? (needed + TOFU_GROUP_NODES - 1) / TOFU_GROUP_NODES : needed, box);
    if (six)
        strcat(box, GROUP_DIMS);
    return config_set(c, c->entry[size].key->name, box, place);
}

weft_status machine_fit_trace(struct config *c)
{
    const struct workload_params *p = config_workload(c);
    uint32_t ranks;
    if (!p->pattern->ranks || !p->file[0] || find_size(c) == c->entries)
        return WEFT_OK;
    TRY(p->pattern->ranks(p->file, &ranks));
    return machine_fit(c, ranks);
}
