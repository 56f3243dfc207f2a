/* Wirings by rule, and the texts that name them. */
#include "topology/graph/wiring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Numbers of a text, separated as the form says. */
enum { NUMBERS_MOST = 8 };

struct numbers {
    uint32_t value[NUMBERS_MOST];
    unsigned count; /* there may be more than have a place */
};

/* Reads numbers above 0 joined by a separator; false: that is none. Moves behind them. */
static bool read_numbers(const char **text, char separator, struct numbers *n)
{
    const char *at = *text;
    n->count = 0;
    for (;;) {
        uint64_t value = 0;
        const char *start = at;
        for (; *at >= '0' && *at <= '9'; at++)
            value = value < UINT32_MAX ? value * 10 + (uint64_t)(*at - '0') : value;
        if (at == start || !value || value > WIRING_MAX_HOSTS)
            return false;
        if (n->count < NUMBERS_MOST)
            n->value[n->count] = (uint32_t)value;
        n->count++;
        if (!*at || *at != separator)
            break;
        at++;
    }
    *text = at;
    return true;
}

/* Reads ":N"; a default if there is nothing more. */
static bool read_more(const char **text, uint32_t otherwise, uint32_t *value)
{
    struct numbers n;
    *value = otherwise;
    if (!**text)
        return otherwise != 0;
    if (*(*text)++ != ':' || !read_numbers(text, '\0', &n))
        return false;
    *value = n.value[0];
    return true;
}

static weft_status too_many(const char *text)
{
    return BAD_INPUT(NULL, ("'%.60s' has more than %d switches", text, WIRING_MAX_SWITCHES),
                     ("use fewer"));
}

static weft_status too_wide(const char *text, uint64_t ports)
{
    return BAD_INPUT(NULL,
                     ("'%.60s' needs switches with %llu ports", text, (unsigned long long)ports),
                     ("use at most %d", WIRING_MAX_PORTS));
}

static weft_status too_deep(const char *text, const char *what, int most)
{
    return BAD_INPUT(NULL, ("'%.60s' has more than %d %s", text, most, what), ("use fewer"));
}

/* The same hosts at the first `leaves` switches, none at the others. */
static weft_status finish(struct wiring *w, const char *text, uint32_t leaves, uint32_t hosts)
{
    uint32_t *at = memory_alloc(w->switches, sizeof(*at));
    for (uint32_t node = 0; node < leaves; node++)
        at[node] = hosts;
    weft_status status = wiring_finish(w, text, at);
    free(at);
    return status;
}

/* ---- tori ---- */

static const char dimension_names[] = "xyzabc";
static const char *const dimension_sorts[TORUS_MAX_DIMS] = {"x", "y", "z", "a", "b", "c"};

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
    struct numbers n = {.value = {0}};
    bool zero = *start && strspn(start, "0") == strcspn(start, ",");
    if (along == d)
        return REFUSE_ITEM(item, "moves along its own dimension", ("name another one"));
    if (!zero && !read_numbers(text, '\0', &n))
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
        weft_status status =
            line ? read_line(&item, d, t) : read_shift(&item, d, along, &text, t, twist);
        if (status != WEFT_OK)
            return status;
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
static void connect_dimension(struct wiring *w, const struct torus *t, const struct twist *twist,
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
        wiring_connect(w, node, torus_node(t, at), (uint8_t)d, wraps);
    }
}

/* SIZES[:TWISTS]; a mesh has no rings. */
static weft_status make_torus(const char *text, const char *sizes, bool rings, struct wiring *w)
{
    char dims[80];
    struct torus t;
    struct twist twist = {.any = false};
    size_t length = strcspn(sizes, ":");
    snprintf(dims, sizeof(dims), "%.*s", (int)(length < 79 ? length : 79), sizes);
    TRY(torus_parse(dims, &t));
    weft_status status = WEFT_OK;
    for (unsigned d = 0; d < t.dims; d++)
        t.wrap[d] = rings;
    if (sizes[length])
        status = read_twist(text, sizes + length + 1, &t, &twist);
    if (status == WEFT_OK)
        status = check_twist(text, &t, &twist);
    if (status != WEFT_OK)
        return status;
    if (t.nodes > WIRING_MAX_SWITCHES)
        return too_many(text);
    wiring_init(w, t.nodes, 2 * t.dims);
    w->form = WIRING_TORUS;
    w->twisted = twist.any;
    w->sorts = t.dims;
    for (unsigned d = 0; d < t.dims; d++) {
        w->sort_name[d] = dimension_sorts[d];
        connect_dimension(w, &t, &twist, d);
    }
    if (!twist.any)
        w->torus = t;
    w->grid = t;
    memcpy(w->shift, twist.shift, sizeof(w->shift));
    return finish(w, text, t.nodes, 1);
}

static weft_status torus_from(const char *text, const char *at, struct wiring *w)
{
    return make_torus(text, at, true, w);
}

static weft_status mesh_from(const char *text, const char *at, struct wiring *w)
{
    return make_torus(text, at, false, w);
}

/* ---- HyperX, and one dimension of it ---- */

static weft_status make_hyperx(const char *text, const struct numbers *sizes, uint32_t hosts,
                               struct wiring *w)
{
    struct torus t = {.dims = sizes->count, .nodes = 1};
    uint64_t nodes = 1, ports = hosts;
    for (unsigned d = 0; d < t.dims; d++) {
        t.size[d] = sizes->value[d];
        nodes *= t.size[d];
        ports += t.size[d] - 1;
        if (nodes > WIRING_MAX_SWITCHES)
            return too_many(text);
    }
    if (ports > WIRING_MAX_PORTS)
        return too_wide(text, ports);
    t.nodes = (uint32_t)nodes;
    wiring_init(w, t.nodes, (uint32_t)(ports - hosts));
    w->sorts = t.dims;
    for (unsigned d = 0; d < t.dims; d++) {
        w->sort_name[d] = t.dims == 1 ? "links" : dimension_sorts[d];
        for (uint32_t node = 0; node < t.nodes; node++) {
            uint32_t at[TORUS_MAX_DIMS];
            torus_coordinates(&t, node, at);
            while (++at[d] < t.size[d])
                wiring_connect(w, node, torus_node(&t, at), (uint8_t)d, false);
        }
    }
    return finish(w, text, t.nodes, hosts);
}

static weft_status hyperx_from(const char *text, const char *at, struct wiring *w)
{
    struct numbers sizes;
    uint32_t hosts;
    if (!read_numbers(&at, 'x', &sizes) || !read_more(&at, 1, &hosts) || *at)
        return BAD_INPUT(NULL, ("'%.60s' is not a HyperX", text),
                         ("use hyperx:SIZES:HOSTS, as hyperx:8x8:4"));
    if (sizes.count > TORUS_MAX_DIMS)
        return too_deep(text, "dimensions", TORUS_MAX_DIMS);
    return make_hyperx(text, &sizes, hosts, w);
}

static weft_status full_from(const char *text, const char *at, struct wiring *w)
{
    struct numbers sizes;
    uint32_t hosts;
    if (!read_numbers(&at, '\0', &sizes) || !read_more(&at, 1, &hosts) || *at)
        return BAD_INPUT(NULL, ("'%.60s' is not a full mesh", text),
                         ("use full:SWITCHES:HOSTS, as full:16:4"));
    return make_hyperx(text, &sizes, hosts, w);
}

/* ---- dragonflies ---- */

enum { LOCAL, GLOBAL };

/*
 * Global link k of a group leads k + 1 groups ahead, modulo their number, and starts at its switch
 * k / h (as in Kim et al. 2008, with the links in order). Of fewer groups than there could be, each
 * pair has several links; those without a partner stay away.
 */
static void connect_groups(struct wiring *w, uint32_t a, uint32_t h, uint32_t groups)
{
    uint32_t others = groups - 1;
    for (uint32_t group = 0; group < groups; group++)
        for (uint32_t k = 0; others && k < a * h; k++) {
            uint32_t ahead = k % others, copy = k / others;
            uint32_t there = (group + ahead + 1) % groups;
            uint32_t back = copy * others + (others - 1 - ahead);
            if (back < a * h && group < there)
                wiring_connect(w, group * a + k / h, there * a + back / h, GLOBAL, false);
        }
}

static weft_status dragonfly_from(const char *text, const char *at, struct wiring *w)
{
    struct numbers n;
    uint32_t a, h, groups;
    if (!read_numbers(&at, '\0', &n) || !read_more(&at, 0, &a) || !read_more(&at, 0, &h) ||
        !read_more(&at, (uint64_t)a * h < WIRING_MAX_HOSTS ? a * h + 1 : 1, &groups) || *at ||
        groups > (uint64_t)a * h + 1)
        return BAD_INPUT(NULL, ("'%.60s' is not a dragonfly", text),
                         ("use dragonfly:HOSTS:SWITCHES:LINKS[:GROUPS]: hosts per switch, switches "
                          "per group, global links per switch, and at most SWITCHES x LINKS + 1 "
                          "groups, as dragonfly:4:8:4"));
    if ((uint64_t)a * groups > WIRING_MAX_SWITCHES)
        return too_many(text);
    if ((uint64_t)a - 1 + h + n.value[0] > WIRING_MAX_PORTS)
        return too_wide(text, (uint64_t)a - 1 + h + n.value[0]);
    wiring_init(w, a * groups, a - 1 + h);
    w->form = WIRING_DRAGONFLY;
    w->group = a;
    w->sorts = 2;
    w->sort_name[LOCAL] = "local";
    w->sort_name[GLOBAL] = "global";
    w->weight[GLOBAL] = 3;
    w->is_long[GLOBAL] = true;
    for (uint32_t group = 0; group < groups; group++)
        for (uint32_t i = 0; i < a; i++)
            for (uint32_t j = i + 1; j < a; j++)
                wiring_connect(w, group * a + i, group * a + j, LOCAL, false);
    connect_groups(w, a, h, groups);
    return finish(w, text, w->switches, n.value[0]);
}

/* ---- fat trees ---- */

static const char *const level_sorts[WIRING_SORTS] = {"level 1", "level 2", "level 3", "level 4",
                                                      "level 5", "level 6", "level 7", "level 8"};

/*
 * XGFT(h; m_1 .. m_h; w_1 .. w_h): a switch of level i has m_i below it and w_(i+1) above. It has
 * two numbers: A, of its subtree among those of its level, and B, of itself among the tops of that
 * subtree. Its parents have A / m_(i+1), and B w_(i+1) + 0, 1, ...
 */
static weft_status make_tree(const char *text, const struct numbers *m, const struct numbers *up,
                             struct wiring *w)
{
    uint64_t first[NUMBERS_MOST + 1], subtrees = 1, tops = 1, count = 0, radix = 0;
    unsigned levels = m->count;
    for (unsigned i = 1; i < levels; i++) {
        subtrees *= m->value[i];
        if (subtrees > WIRING_MAX_SWITCHES)
            return too_many(text);
    }
    for (unsigned i = 0; i < levels; i++) {
        uint64_t ports = (i ? m->value[i] : 0) + (i + 1 < levels ? up->value[i + 1] : 0);
        first[i] = count;
        count += subtrees * tops;
        radix = ports > radix ? ports : radix;
        if (count > WIRING_MAX_SWITCHES)
            return too_many(text);
        subtrees = i + 1 < levels ? subtrees / m->value[i + 1] : subtrees;
        tops *= i + 1 < levels ? up->value[i + 1] : 1;
    }
    first[levels] = count;
    if (radix > WIRING_MAX_PORTS)
        return too_wide(text, radix);
    wiring_init(w, (uint32_t)count, (uint32_t)radix);
    w->form = WIRING_TREE;
    w->sorts = levels > 1 ? levels - 1 : 1;
    tops = 1;
    for (unsigned i = 0; i + 1 < levels; i++) {
        uint32_t below = m->value[i + 1], above = up->value[i + 1];
        w->sort_name[i] = level_sorts[i];
        for (uint64_t s = 0; s < first[i + 1] - first[i]; s++) {
            uint64_t a = s / tops, b = s % tops;
            for (uint32_t y = 0; y < above; y++)
                wiring_connect(w, (uint32_t)(first[i] + s),
                               (uint32_t)(first[i + 1] + a / below * tops * above + b * above + y),
                               (uint8_t)i, false);
        }
        tops *= above;
    }
    return finish(w, text, (uint32_t)first[1], m->value[0]);
}

static weft_status xgft_from(const char *text, const char *at, struct wiring *w)
{
    struct numbers m, up;
    if (!read_numbers(&at, ',', &m) || *at++ != ':' || !read_numbers(&at, ',', &up) || *at ||
        m.count != up.count || up.value[0] != 1)
        return BAD_INPUT(NULL, ("'%.60s' is not an extended generalised fat tree", text),
                         ("use xgft:M1,M2,...:1,W2,...: switches (first: hosts) below one of each "
                          "level, and parents; a host has one"));
    if (m.count > NUMBERS_MOST)
        return too_deep(text, "levels", NUMBERS_MOST);
    return make_tree(text, &m, &up, w);
}

static weft_status fattree_from(const char *text, const char *at, struct wiring *w)
{
    struct numbers n, m = {.count = 0}, up = {.count = 0};
    uint32_t levels;
    if (!read_numbers(&at, '\0', &n) || !read_more(&at, 3, &levels) || *at ||
        (levels > 1 && n.value[0] % 2))
        return BAD_INPUT(NULL, ("'%.60s' is not a fat tree", text),
                         ("use fattree:PORTS:LEVELS with an even number of ports per switch, as "
                          "fattree:16:3"));
    if (levels > NUMBERS_MOST)
        return too_deep(text, "levels", NUMBERS_MOST);
    if (n.value[0] > WIRING_MAX_PORTS)
        return too_wide(text, n.value[0]);
    for (m.count = up.count = levels; levels--;) {
        m.value[levels] = levels + 1 == m.count ? n.value[0] : n.value[0] / 2;
        up.value[levels] = levels ? n.value[0] / 2 : 1;
    }
    return make_tree(text, &m, &up, w);
}

/* ---- texts ---- */

static const struct {
    const char *prefix;
    weft_status (*make)(const char *text, const char *at, struct wiring *w);
} makers[] = {{"torus:", torus_from},         {"mesh:", mesh_from}, {"hyperx:", hyperx_from},
              {"full:", full_from},           {"xgft:", xgft_from}, {"fattree:", fattree_from},
              {"dragonfly:", dragonfly_from}, {NULL, NULL}};

/* No number of a text is larger than anything can be. */
static weft_status check_numbers(const char *text)
{
    uint64_t value = 0;
    for (const char *at = text; *at && value <= WIRING_MAX_HOSTS; at++)
        value = *at >= '0' && *at <= '9' ? value * 10 + (uint64_t)(*at - '0') : 0;
    if (value <= WIRING_MAX_HOSTS)
        return WEFT_OK;
    return BAD_INPUT(NULL, ("'%.60s' has a number above %d", text, WIRING_MAX_HOSTS),
                     ("use smaller ones"));
}

weft_status wiring_make(const char *text, struct wiring *w)
{
    *w = (struct wiring){0};
    TRY(check_numbers(text));
    for (unsigned i = 0; makers[i].prefix; i++) {
        size_t length = strlen(makers[i].prefix);
        if (strncmp(text, makers[i].prefix, length) == 0)
            return makers[i].make(text, text + length, w);
    }
    return BAD_INPUT(NULL, ("'%.60s' is no kind of graph", text),
                     ("use dragonfly:, fattree:, xgft:, hyperx:, full:, torus: or mesh:"));
}

weft_status wiring_parse(const char *text, struct wiring *w)
{
    for (unsigned i = 0; makers[i].prefix; i++)
        if (strncmp(text, makers[i].prefix, strlen(makers[i].prefix)) == 0)
            return wiring_make(text, w);
    return wiring_read(text, w);
}
