/* Groups of nodes: lines, planes, and the hot box. */
#include "workload/patterns/patterns.h"

/* ---- lines and planes ---- */

static const char *const withins[] = {"all", "line", "plane", NULL};
static const char *const dim_names[] = {"x", "y", "z", NULL};

static const struct key group_rows[] = {
    {"workload.within", KEY_CHOICE, offsetof(struct group_params, within), "", "all",
     .choices = withins, .help = "alltoall: among all nodes, or within each line or plane"},
    {"workload.dim", KEY_CHOICE, offsetof(struct group_params, dim), "", "x", .choices = dim_names,
     .help = "alltoall, fills: a line's dimension, a plane's normal"},
};

const struct key_section group_section = {sizeof(struct group_params)};
const struct key_table group_keys = {group_rows, 2, &group_section};

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

/* ---- the hot box ---- */

static const struct key hot_rows[] = {
    {"workload.hot_share", KEY_REAL, offsetof(struct hot_box, share), "", "0.25", 0, 1,
     .help = "hotregion: share of packets that go to the hot box", .before = "workload.within"},
    {"workload.hot_apart", KEY_BOOL, offsetof(struct hot_box, apart), "", "false",
     .help = "hotregion: other packets go between nodes outside the box, and none leaves it",
     .before = "workload.within"},
    {"workload.hot_dims", KEY_OTHER, offsetof(struct hot_box, box), "", "auto",
     .format = &torus_dims_format,
     .help = "hot box at the origin; auto: half of each side (hotregion), one node (hotspot)",
     .before = "workload.within"},
};

static const struct key_section hot_section = {sizeof(struct hot_box)};
const struct key_table hot_keys = {hot_rows, 3, &hot_section};

bool workload_is_hot(const struct workload *w, uint32_t node)
{
    const struct torus *t = w->site->torus;
    uint32_t c[TORUS_MAX_DIMS];
    if (!t)
        return site_endpoint(w->site, node) < w->hot->nodes;
    torus_coordinates(t, node, c);
    for (unsigned d = 0; d < t->dims; d++)
        if (c[d] >= w->hot->box.size[d])
            return false;
    return true;
}

uint32_t workload_hot_node(const struct workload *w, uint32_t index)
{
    uint32_t c[TORUS_MAX_DIMS];
    if (!w->site->torus)
        return site_node(w->site, index);
    torus_coordinates(&w->hot->box, index, c);
    return torus_node(w->site->torus, c);
}

static weft_status check_box(const struct torus *t, bool region, const struct torus *box)
{
    enum { LONGEST = 16384 };
    if (box->dims != t->dims)
        return BAD_INPUT(
            "workload.hot_dims",
            ("workload.hot_dims has %u dimensions, the machine has %u", box->dims, t->dims),
            ("use the same number"));
    for (unsigned d = 0; d < t->dims; d++)
        if (box->size[d] > t->size[d])
            return BAD_INPUT("workload.hot_dims", ("workload.hot_dims is larger than the machine"),
                             ("use at most its size"));
    for (unsigned d = 0; d < t->dims; d++)
        if (region && t->size[d] > LONGEST)
            return BAD_INPUT("workload.pattern",
                             ("workload.pattern = hotregion: %u nodes along a dimension are too "
                              "many",
                              t->size[d]),
                             ("use at most %d", LONGEST));
    return WEFT_OK;
}

weft_status hot_setup(struct workload *w, bool region, struct hot_box *hot)
{
    const struct torus *t = w->site->torus;
    workload_own(w, &hot_section, hot);
    hot->nodes = 1;
    w->hot = hot;
    if (!t && hot->box.dims)
        return BAD_INPUT("workload.hot_dims", ("workload.hot_dims needs coordinates"),
                         ("leave it out, or use a machine that has them"));
    if (!t)
        return WEFT_OK;
    if (!hot->box.dims) {
        hot->box = *t; /* an eighth of a cube (TORUS, Figure 3); or one node */
        for (unsigned d = 0; d < t->dims; d++)
            hot->box.size[d] = region ? (t->size[d] + 1) / 2 : 1;
    }
    TRY(check_box(t, region, &hot->box));
    for (unsigned d = 0; d < t->dims; d++)
        hot->nodes *= hot->box.size[d];
    hot->box.nodes = hot->nodes;
    for (unsigned d = 0; d < t->dims; d++)
        if (hot->box.size[d] < t->size[d]) /* without wrap the box starts at an edge */
            hot->links += (t->wrap[d] ? 2 : 1) * (hot->nodes / hot->box.size[d]);
    return WEFT_OK;
}
