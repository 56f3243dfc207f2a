/* Where the hot box is. */
#include "workload/patterns/hot.h"

#define AT(field) offsetof(struct hot_params, field)

static const struct key rows[] = {
    {"workload.hot_share", KEY_REAL, AT(share), "", "0.25", 0, 1,
     .help = "hotregion: share of packets that go to the hot box", .before = "workload.within"},
    {"workload.hot_apart", KEY_BOOL, AT(apart), "", "false",
     .help = "hotregion: other packets go between nodes outside the box, and none leaves it",
     .before = "workload.within"},
    {"workload.hot_dims", KEY_OTHER, AT(box), "", "auto", .format = &torus_dims_format,
     .help = "hot box at the origin; auto: half of each side (hotregion), one node (hotspot)",
     .before = "workload.within"},
};

static const struct key_section section = {sizeof(struct hot_params)};
const struct key_table hot_keys = {rows, sizeof(rows) / sizeof(rows[0]), &section};

bool workload_is_hot(const struct workload *w, uint32_t node)
{
    const struct torus *t = w->site->torus;
    uint32_t c[TORUS_MAX_DIMS];
    if (!t)
        return workload_place(w, node) < w->hot->nodes;
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
        return workload_node(w, index);
    torus_coordinates(&w->hot->box, index, c);
    return torus_node(w->site->torus, c);
}

/* Half of each dimension, which is an eighth of a cube (TORUS, Figure 3); or one node. */
static void choose_box(const struct torus *t, bool region, struct torus *box)
{
    *box = *t;
    for (unsigned d = 0; d < t->dims; d++)
        box->size[d] = region ? (t->size[d] + 1) / 2 : 1;
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
    struct hot_params p;
    workload_own(w, &section, &p);
    *hot = (struct hot_box){.share = p.share, .apart = p.apart, .box = p.box, .nodes = 1};
    w->hot = hot;
    if (!t && p.box.dims)
        return BAD_INPUT("workload.hot_dims", ("workload.hot_dims needs coordinates"),
                         ("leave it out, or use a machine that has them"));
    if (!t)
        return WEFT_OK;
    if (!p.box.dims)
        choose_box(t, region, &hot->box);
    TRY(check_box(t, region, &hot->box));
    for (unsigned d = 0; d < t->dims; d++)
        hot->nodes *= hot->box.size[d];
    hot->box.nodes = hot->nodes;
    for (unsigned d = 0; d < t->dims; d++)
        if (hot->box.size[d] < t->size[d]) /* without wrap the box starts at an edge */
            hot->links += (t->wrap[d] ? 2 : 1) * (hot->nodes / hot->box.size[d]);
    return WEFT_OK;
}
