/* torus:4x4x8, mesh:4x4x8, and twisted: torus:4x4x8:xz4,yz4. */
#include "topology/graph/rules.h"

#include <stdio.h>
#include <string.h>

static const char dimension_names[] = "xyzabc";

/* Who goes around a dimension is moved along others. */
struct twist {
    uint32_t shift[TORUS_MAX_DIMS][TORUS_MAX_DIMS];
    bool any;
};

static unsigned dimension(const struct torus *t, char name)
{
    const char *found = name ? strchr(dimension_names, name) : NULL;
    unsigned d = found ? (unsigned)(found - dimension_names) : TORUS_MAX_DIMS;
    return d < t->dims ? d : TORUS_MAX_DIMS;
}

/* One item of a torus's twists, for complaints: "xz4". */
struct item {
    const char *text; /* of the whole graph */
    const char *at;
};

static int item_length(const struct item *item)
{
    size_t length = strcspn(item->at, ",");
    return length < 40 ? (int)length : 40;
}

#define TWIST_FORM                                                                                 \
    "write ring, dimension moved along, and by how much, as torus:4x4x8:xz4,yz4; or -z for a "     \
    "line along z"

#define REFUSE_ITEM(item, what, remedy)                                                            \
    BAD_INPUT(NULL,                                                                                \
              ("'%.60s': twist '%.*s' %s", (item)->text, item_length(item), (item)->at, what),     \
              remedy)

/* "-a": a dimension is a line. */
static weft_status read_line(const struct item *item, unsigned d, struct torus *t)
{
    if (!t->wrap[d])
        return REFUSE_ITEM(item, "names a line again", ("name each line once, and none of a mesh"));
    t->wrap[d] = false;
    return WEFT_OK;
}

/* "4" of "xz4". */
static weft_status read_shift(const struct item *item, unsigned d, unsigned along,
                              const char **text, const struct torus *t, struct twist *twist)
{
    const char *start = *text;
    struct rule_numbers n = {.value = {0}};
    bool zero = *start && strspn(start, "0") == strcspn(start, ",");
    if (along == d)
        return REFUSE_ITEM(item, "moves along its own dimension", ("name another one"));
    if (!zero && !rule_numbers(text, '\0', &n))
        return REFUSE_ITEM(item, "has no amount", (TWIST_FORM));
    if (t->size[along] < 2 || t->size[d] < 2)
        return REFUSE_ITEM(item, "is of a dimension of size 1", ("leave it out"));
    if (zero || n.value[0] >= t->size[along])
        return REFUSE_ITEM(item, zero ? "moves by nothing" : "moves too far",
                           ("use 1 to %u", t->size[along] - 1));
    if (twist->shift[d][along])
        return REFUSE_ITEM(item, "is there already", ("name each once"));
    twist->shift[d][along] = n.value[0];
    twist->any = true;
    return WEFT_OK;
}

/* "xz4,yz4,-a": twists, and dimensions that are lines. */
static weft_status read_twist(const char *graph, const char *text, struct torus *t,
                              struct twist *twist)
{
    for (;; text++) {
        struct item item = {graph, text};
        bool line = *text == '-';
        unsigned d = dimension(t, text[line]);
        unsigned along = d < TORUS_MAX_DIMS && !line ? dimension(t, text[1]) : 0;
        if (d == TORUS_MAX_DIMS || along == TORUS_MAX_DIMS)
            return REFUSE_ITEM(&item, "names no dimension of it", (TWIST_FORM));
        text += 2;
        TRY(line ? read_line(&item, d, t) : read_shift(&item, d, along, &text, t, twist));
        if (*text && *text != ',')
            return REFUSE_ITEM(&item, "goes on behind its end", (TWIST_FORM));
        if (!*text)
            return WEFT_OK;
    }
}

static bool is_twisted(const struct torus *t, const struct twist *twist, unsigned d)
{
    for (unsigned along = 0; along < t->dims; along++)
        if (twist->shift[d][along])
            return true;
    return false;
}

/* A twisted dimension and those that it moves along must be rings; and those must not be twisted
 * themselves, or moves along dimensions would not commute. */
static weft_status check_twist(const char *text, const struct torus *t, const struct twist *twist)
{
    for (unsigned d = 0; d < t->dims; d++)
        for (unsigned along = 0; along < t->dims; along++) {
            const char name[] = {dimension_names[d], dimension_names[along], '\0'};
            if (!twist->shift[d][along])
                continue;
            if (!t->wrap[d] || !t->wrap[along])
                return BAD_INPUT(NULL,
                                 ("'%.60s': twist '%s%u', but %c is a line", text, name,
                                  twist->shift[d][along], name[t->wrap[d] ? 1 : 0]),
                                 ("twist rings along rings"));
            if (is_twisted(t, twist, along))
                return BAD_INPUT(NULL,
                                 ("'%.60s': twist '%s%u', but %c is twisted itself", text, name,
                                  twist->shift[d][along], name[1]),
                                 ("move along dimensions without a twist"));
        }
    return WEFT_OK;
}

/* The links along a dimension, from each node to the one in front of it. */
static void connect_dimension(struct graph *g, const struct torus *t, const struct twist *twist,
                              unsigned d)
{
    for (uint32_t node = 0; node < t->nodes; node++) {
        uint32_t at[TORUS_MAX_DIMS], next = torus_neighbour(t, node, 2 * d);
        bool wraps = next != TORUS_NO_NODE && torus_link_wraps(t, node, 2 * d);
        if (next == TORUS_NO_NODE)
            continue;
        torus_coordinates(t, next, at);
        for (unsigned along = 0; wraps && along < t->dims; along++)
            at[along] = (at[along] + twist->shift[d][along]) % t->size[along];
        graph_join(g, node, torus_node(t, at), (uint8_t)d, wraps);
    }
}

/* SIZES[:TWISTS]; a mesh has no rings. */
static weft_status make_torus(const char *text, const char *sizes, bool rings, struct graph *g)
{
    char dims[80];
    struct torus t;
    struct twist twist = {.any = false};
    size_t length = strcspn(sizes, ":");
    snprintf(dims, sizeof(dims), "%.*s", (int)(length < 79 ? length : 79), sizes);
    TRY(torus_parse(dims, &t));
    for (unsigned d = 0; d < t.dims; d++)
        t.wrap[d] = rings;
    if (sizes[length])
        TRY(read_twist(text, sizes + length + 1, &t, &twist));
    TRY(check_twist(text, &t, &twist));
    if (t.nodes > GRAPH_MAX_NODES)
        return rule_too_many_switches(text);
    graph_init(g, t.nodes, 2 * t.dims);
    g->form = GRAPH_TORUS;
    g->sorts = t.dims;
    for (unsigned d = 0; d < t.dims; d++) {
        g->sort_name[d] = rule_dimension_names[d];
        connect_dimension(g, &t, &twist, d);
    }
    if (!twist.any)
        g->torus = t;
    g->grid = t;
    memcpy(g->shift, twist.shift, sizeof(g->shift));
    return rule_finish(g, text, t.nodes, 1);
}

weft_status rule_torus(const char *text, const char *at, struct graph *g)
{
    return make_torus(text, at, true, g);
}

weft_status rule_mesh(const char *text, const char *at, struct graph *g)
{
    return make_torus(text, at, false, g);
}
