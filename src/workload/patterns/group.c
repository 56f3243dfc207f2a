/* Lines and planes. */
#include "workload/patterns/group.h"

#define AT(field) offsetof(struct group_params, field)

static const char *const withins[] = {"all", "line", "plane", NULL};
static const char *const dim_names[] = {"x", "y", "z", NULL};

static const struct key rows[] = {
    {"workload.within", KEY_CHOICE, AT(within), "", "all", .choices = withins,
     .help = "alltoall: among all nodes, or within each line or plane"},
    {"workload.dim", KEY_CHOICE, AT(dim), "", "x", .choices = dim_names,
     .help = "alltoall, fills: a line's dimension, a plane's normal"},
};

const struct key_section group_section = {sizeof(struct group_params)};
const struct key_table group_keys = {rows, sizeof(rows) / sizeof(rows[0]), &group_section};

weft_status group_setup(const struct torus *t, enum within within, uint32_t dim,
                        struct node_group *g)
{
    if (dim >= t->dims)
        return BAD_INPUT("workload.dim", ("workload.dim is dimension %u", dim + 1),
                         ("use one of the machine's %u", t->dims));
    uint32_t line = 1u << dim, all = (1u << t->dims) - 1;
    g->dims = within == WITHIN_ALL ? all : within == WITHIN_LINE ? line : all & ~line;
    g->nodes = 1;
    for (unsigned d = 0; d < t->dims; d++)
        if (g->dims >> d & 1)
            g->nodes *= t->size[d];
    return WEFT_OK;
}

uint32_t group_node(const struct torus *t, const struct node_group *g, uint32_t node,
                    uint32_t index)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(t, node, c);
    for (unsigned d = 0; d < t->dims; d++)
        if (g->dims >> d & 1) {
            c[d] = index % t->size[d];
            index /= t->size[d];
        }
    return torus_node(t, c);
}
