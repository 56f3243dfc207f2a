/*
 * Graphs by rule: the numbers in a text, one function per rule, and the table of rules. To add a
 * rule: its function and its row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "topology/graph/graph.h"

/* ---- numbers ---- */

enum { RULE_NUMBERS = 8 };

struct rule_numbers {
    uint32_t value[RULE_NUMBERS];
    unsigned count; /* there may be more than have room */
};

/* Digits, which check_numbers() has seen; moves behind them. */
static bool rule_number(const char **text, uint32_t *number)
{
    const char *start = *text;
    for (*number = 0; **text >= '0' && **text <= '9'; (*text)++)
        *number = *number * 10 + (uint32_t)(**text - '0');
    return *text > start;
}

/* Numbers above 0 joined by a separator; moves behind them. */
static bool rule_numbers(const char **text, char separator, struct rule_numbers *n)
{
    for (n->count = 0;; (*text)++) {
        uint32_t value;
        if (!rule_number(text, &value) || !value)
            return false;
        if (n->count < RULE_NUMBERS)
            n->value[n->count] = value;
        n->count++;
        if (!**text || **text != separator)
            return true;
    }
}

/* ":N"; a default, unless that is 0, if there is nothing more. */
static bool rule_more(const char **text, uint32_t otherwise, uint32_t *value)
{
    *value = otherwise;
    if (!**text)
        return otherwise != 0;
    return *(*text)++ == ':' && rule_number(text, value) && *value;
}

/* No number of a text is larger than anything can be. */
static weft_status check_numbers(const char *text)
{
    uint64_t value = 0;
    for (const char *at = text; *at && value <= GRAPH_MAX_HOSTS; at++)
        value = *at >= '0' && *at <= '9' ? value * 10 + (uint64_t)(*at - '0') : 0;
    if (value <= GRAPH_MAX_HOSTS)
        return WEFT_OK;
    return BAD_INPUT(NULL, ("'%.60s' has a number above %d", text, GRAPH_MAX_HOSTS),
                     ("use smaller ones"));
}

/* ---- what rules share ---- */

static weft_status refuse_many(const char *text, const char *what, int most)
{
    return BAD_INPUT(NULL, ("'%.60s' has more than %d %s", text, most, what), ("use fewer"));
}

static weft_status refuse_ports(const char *text, uint64_t ports)
{
    return BAD_INPUT(NULL,
                     ("'%.60s' needs switches with %llu ports", text, (unsigned long long)ports),
                     ("use at most %d", GRAPH_MAX_PORTS));
}

/* graph_init(), unless it would have too many switches or, with so many hosts at one, ports. */
static weft_status rule_init(const char *text, uint64_t nodes, uint64_t degree, uint32_t hosts,
                             struct graph *g)
{
    if (nodes > GRAPH_MAX_NODES)
        return refuse_many(text, "switches", GRAPH_MAX_NODES);
    if (degree + hosts > GRAPH_MAX_PORTS)
        return refuse_ports(text, degree + hosts);
    graph_init(g, (uint32_t)nodes, (uint32_t)degree);
    return WEFT_OK;
}

/* graph_finish() with the same hosts at the first `leaves` switches, none at the others. */
static weft_status rule_finish(struct graph *g, const char *text, uint32_t leaves, uint32_t hosts)
{
    uint32_t *at = memory_alloc(g->nodes, sizeof(*at));
    for (uint32_t node = 0; node < leaves; node++)
        at[node] = hosts;
    weft_status status = graph_finish(g, text, at);
    free(at);
    return status;
}

/* Names of links along dimensions, of tori and of HyperX. */
static const char dimension_names[TORUS_MAX_DIMS][2] = {"x", "y", "z", "a", "b", "c"};

/* ---- Kautz graphs ---- */

/*
 * kautz:3:6. A Kautz graph K(d, k) has (d + 1) d^(k-1) nodes, each with d links out and d in, and
 * no node is further than k hops from any other (KAUTZ, 5). Its nodes are numbered as by Imase and
 * Itoh (1981): node i has port p linked to node -(d i + p + 1) modulo the number of nodes.
 */

static uint64_t kautz_nodes(uint32_t degree, uint32_t diameter)
{
    uint64_t nodes = degree + 1;
    for (uint32_t k = 1; k < diameter; k++)
        nodes *= degree;
    return nodes;
}

static weft_status check_kautz(uint32_t degree, uint32_t diameter)
{
    uint32_t largest = 1;
    if (degree < 1 || degree > GRAPH_ONE_WAY_LINKS)
        return BAD_INPUT(NULL, ("kautz:%u:%u has degree %u", degree, diameter, degree),
                         ("use a degree from 1 to %d", GRAPH_ONE_WAY_LINKS));
    if (diameter < 1)
        return BAD_INPUT(NULL, ("kautz:%u:0 has diameter 0", degree), ("use a diameter above 0"));
    if (degree == 1 && diameter > 1)
        return BAD_INPUT(NULL, ("kautz:1:%u has only two nodes, one hop apart", diameter),
                         ("use kautz:1:1 or a larger degree"));
    while (largest < diameter && kautz_nodes(degree, largest + 1) <= GRAPH_ONE_WAY_NODES)
        largest++;
    if (diameter > largest)
        return BAD_INPUT(
            NULL, ("kautz:%u:%u has more than %d nodes", degree, diameter, GRAPH_ONE_WAY_NODES),
            ("use a diameter of at most %u", largest));
    return WEFT_OK;
}

static weft_status rule_kautz(const char *text, const char *at, struct graph *g)
{
    uint32_t degree, diameter;
    if (!rule_number(&at, &degree) || *at++ != ':' || !rule_number(&at, &diameter) || *at)
        return BAD_INPUT(NULL, ("'%.60s' is not a Kautz graph", text),
                         ("use kautz:DEGREE:DIAMETER, as kautz:3:6"));
    TRY(check_kautz(degree, diameter));
    uint32_t nodes = (uint32_t)kautz_nodes(degree, diameter);
    graph_init(g, nodes, degree);
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t p = 0; p < degree; p++)
            graph_connect(g, i, nodes - 1 - (degree * i + p) % nodes);
    return graph_finish(g, text, NULL);
}

/* ---- tori ---- */

/* torus:4x4x8, mesh:4x4x8, and twisted: torus:4x4x8:xz4,yz4. */

/* TORUS_MAX_DIMS: there is no such dimension. */
static unsigned dimension_named(const struct torus *t, char name)
{
    for (unsigned d = 0; d < t->dims; d++)
        if (dimension_names[d][0] == name)
            return d;
    return TORUS_MAX_DIMS;
}

/* One item of a torus's twists, for complaints: "xz4". */
struct item {
    const char *text; /* of the whole graph */
    const char *at;
    int length;
};

#define TWIST_FORM                                                                                 \
    "write ring, dimension moved along, and by how much, as torus:4x4x8:xz4,yz4; or -z for a "     \
    "line along z"

#define REFUSE_ITEM(item, what, remedy)                                                            \
    BAD_INPUT(NULL, ("'%.60s': twist '%.*s' %s", (item)->text, (item)->length, (item)->at, what),  \
              remedy)

/* "4" of "xz4". */
static weft_status read_shift(const struct item *item, unsigned d, unsigned along,
                              const char **text, struct graph_grid *grid)
{
    const struct torus *t = &grid->torus;
    const char *start = *text;
    uint32_t amount = 0;
    bool zero = *start && strspn(start, "0") == strcspn(start, ",");
    if (along == d)
        return REFUSE_ITEM(item, "moves along its own dimension", ("name another one"));
    if (!zero && (!rule_number(text, &amount) || !amount))
        return REFUSE_ITEM(item, "has no amount", (TWIST_FORM));
    if (t->size[along] < 2 || t->size[d] < 2)
        return REFUSE_ITEM(item, "is of a dimension of size 1", ("leave it out"));
    if (zero || amount >= t->size[along])
        return REFUSE_ITEM(item, zero ? "moves by nothing" : "moves too far",
                           ("use 1 to %u", t->size[along] - 1));
    if (grid->shift[d][along])
        return REFUSE_ITEM(item, "is there already", ("name each once"));
    grid->shift[d][along] = amount;
    grid->twisted[d] = grid->any_twisted = true;
    return WEFT_OK;
}

/* "xz4,yz4,-a": twists, and dimensions that are lines. */
static weft_status read_twist(const char *graph, const char *text, struct graph_grid *grid)
{
    struct torus *t = &grid->torus;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        struct item item = {graph, text, length < 40 ? (int)length : 40};
        bool line = *text == '-';
        unsigned d = dimension_named(t, text[line]);
        unsigned along = d < TORUS_MAX_DIMS && !line ? dimension_named(t, text[1]) : 0;
        if (d == TORUS_MAX_DIMS || along == TORUS_MAX_DIMS)
            return REFUSE_ITEM(&item, "names no dimension of it", (TWIST_FORM));
        text += 2;
        if (line && !t->wrap[d])
            return REFUSE_ITEM(&item, "names a line again",
                               ("name each line once, and none of a mesh"));
        if (line)
            t->wrap[d] = false;
        else
            TRY(read_shift(&item, d, along, &text, grid));
        if (*text && *text != ',')
            return REFUSE_ITEM(&item, "goes on behind its end", (TWIST_FORM));
        if (!*text)
            return WEFT_OK;
    }
}

/* A twisted dimension and those that it moves along must be rings; and those must not be twisted
 * themselves, or moves along dimensions would not commute. */
static weft_status check_twist(const char *text, const struct graph_grid *grid)
{
    const struct torus *t = &grid->torus;
    for (unsigned d = 0; d < t->dims; d++)
        for (unsigned along = 0; along < t->dims; along++) {
            const char name[] = {dimension_names[d][0], dimension_names[along][0], '\0'};
            if (!grid->shift[d][along])
                continue;
            bool line = !t->wrap[d] || !t->wrap[along];
            if (line || grid->twisted[along])
                return BAD_INPUT(NULL,
                                 ("'%.60s': twist '%s%u', but %c is %s", text, name,
                                  grid->shift[d][along], name[t->wrap[d] ? 1 : 0],
                                  line ? "a line" : "twisted itself"),
                                 ("%s", line ? "twist rings along rings"
                                             : "move along dimensions without a twist"));
        }
    return WEFT_OK;
}

/* The links along a dimension, from each node to the one in front of it. */
static void connect_dimension(struct graph *g, unsigned d)
{
    const struct torus *t = &g->grid.torus;
    for (uint32_t node = 0; node < t->nodes; node++) {
        uint32_t at[TORUS_MAX_DIMS], next = torus_neighbour(t, node, 2 * d);
        bool wraps = next != TORUS_NO_NODE && torus_link_wraps(t, node, 2 * d);
        if (next == TORUS_NO_NODE)
            continue;
        torus_coordinates(t, next, at);
        for (unsigned along = 0; wraps && along < t->dims; along++)
            at[along] = (at[along] + g->grid.shift[d][along]) % t->size[along];
        graph_join(g, node, torus_node(t, at), (uint8_t)d, wraps);
    }
}

/* SIZES[:TWISTS]; a mesh has no rings. */
static weft_status rule_torus(const char *text, const char *sizes, struct graph *g)
{
    char dims[80];
    struct graph_grid grid = {.any_twisted = false};
    struct torus *t = &grid.torus;
    size_t length = strcspn(sizes, ":");
    snprintf(dims, sizeof(dims), "%.*s", (int)(length < 79 ? length : 79), sizes);
    TRY(torus_parse(dims, t));
    for (unsigned d = 0; d < t->dims; d++)
        t->wrap[d] = text_behind(text, "torus:") != NULL;
    if (sizes[length])
        TRY(read_twist(text, sizes + length + 1, &grid));
    TRY(check_twist(text, &grid));
    TRY(rule_init(text, t->nodes, 2 * t->dims, 0, g));
    g->form = GRAPH_TORUS;
    g->grid = grid;
    g->sorts = t->dims;
    for (unsigned d = 0; d < t->dims; d++) {
        g->sort_name[d] = dimension_names[d];
        connect_dimension(g, d);
    }
    return rule_finish(g, text, t->nodes, 1);
}

/* ---- HyperX ---- */

/* hyperx:8x8:4: all switches of a row linked with each other (Ahn et al. 2009); full:16:4: one row.
 */

static weft_status connect_rows(const char *text, const struct rule_numbers *sizes, uint32_t hosts,
                                struct graph *g)
{
    struct torus t = {.dims = sizes->count};
    uint64_t nodes = 1, degree = 0;
    for (unsigned d = 0; d < t.dims; d++) {
        t.size[d] = sizes->value[d];
        nodes *= nodes > GRAPH_MAX_NODES ? 1 : t.size[d];
        degree += t.size[d] - 1;
    }
    TRY(rule_init(text, nodes, degree, hosts, g));
    t.nodes = g->nodes;
    g->sorts = t.dims;
    for (unsigned d = 0; d < t.dims; d++) {
        g->sort_name[d] = t.dims == 1 ? "links" : dimension_names[d];
        for (uint32_t node = 0; node < t.nodes; node++) {
            uint32_t at[TORUS_MAX_DIMS];
            torus_coordinates(&t, node, at);
            while (++at[d] < t.size[d])
                graph_join(g, node, torus_node(&t, at), (uint8_t)d, false);
        }
    }
    return rule_finish(g, text, t.nodes, hosts);
}

static weft_status rule_hyperx(const char *text, const char *at, struct graph *g)
{
    bool one_row = text_behind(text, "full:");
    struct rule_numbers sizes;
    uint32_t hosts;
    if (!rule_numbers(&at, one_row ? '\0' : 'x', &sizes) || !rule_more(&at, 1, &hosts) || *at)
        return BAD_INPUT(NULL, ("'%.60s' is not a %s", text, one_row ? "full mesh" : "HyperX"),
                         ("use %s", one_row ? "full:SWITCHES:HOSTS, as full:16:4"
                                            : "hyperx:SIZES:HOSTS, as hyperx:8x8:4"));
    if (sizes.count > TORUS_MAX_DIMS)
        return refuse_many(text, "dimensions", TORUS_MAX_DIMS);
    return connect_rows(text, &sizes, hosts, g);
}

/* ---- dragonflies ---- */

/* dragonfly:4:8:4[:33] (Kim et al. 2008). */

enum { LOCAL, GLOBAL };

/*
 * Global link k of a group leads k + 1 groups ahead, modulo their number, and starts at its switch
 * k / h (as in Kim et al. 2008, with the links in order). Of fewer groups than there could be, each
 * pair has several links; those without a partner stay away.
 */
static void connect_groups(struct graph *g, uint32_t a, uint32_t h, uint32_t groups)
{
    uint32_t others = groups - 1;
    for (uint32_t group = 0; group < groups; group++)
        for (uint32_t k = 0; others && k < a * h; k++) {
            uint32_t ahead = k % others, copy = k / others;
            uint32_t there = (group + ahead + 1) % groups;
            uint32_t back = copy * others + (others - 1 - ahead);
            if (back < a * h && group < there)
                graph_join(g, group * a + k / h, there * a + back / h, GLOBAL, false);
        }
}

static weft_status rule_dragonfly(const char *text, const char *at, struct graph *g)
{
    uint32_t hosts, a, h, groups;
    if (!rule_number(&at, &hosts) || !hosts || !rule_more(&at, 0, &a) || !rule_more(&at, 0, &h) ||
        !rule_more(&at, (uint64_t)a * h < GRAPH_MAX_HOSTS ? a * h + 1 : 1, &groups) || *at ||
        groups > (uint64_t)a * h + 1)
        return BAD_INPUT(NULL, ("'%.60s' is not a dragonfly", text),
                         ("use dragonfly:HOSTS:SWITCHES:LINKS[:GROUPS]: hosts per switch, switches "
                          "per group, global links per switch, and at most SWITCHES x LINKS + 1 "
                          "groups, as dragonfly:4:8:4"));
    TRY(rule_init(text, (uint64_t)a * groups, a - 1 + h, hosts, g));
    g->form = GRAPH_DRAGONFLY;
    g->group = a;
    g->sorts = 2;
    g->sort_name[LOCAL] = "local";
    g->sort_name[GLOBAL] = "global";
    g->weight[GLOBAL] = 3;
    g->is_long[GLOBAL] = true;
    for (uint32_t group = 0; group < groups; group++)
        for (uint32_t i = 0; i < a; i++)
            for (uint32_t j = i + 1; j < a; j++)
                graph_join(g, group * a + i, group * a + j, LOCAL, false);
    connect_groups(g, a, h, groups);
    return rule_finish(g, text, g->nodes, hosts);
}

/* ---- fat trees ---- */

/* xgft:16,8:1,8, extended generalised fat trees (Öhring et al. 1995); fattree:16:3. */

static const char *const level_sorts[GRAPH_SORTS] = {"level 1", "level 2", "level 3", "level 4",
                                                     "level 5", "level 6", "level 7", "level 8"};

/*
 * XGFT(h; m_1 .. m_h; w_1 .. w_h): a switch of level i has m_i below it and w_(i+1) above. It has
 * two numbers: A, of its subtree among those of its level, and B, of itself among the tops of that
 * subtree. Its parents have A / m_(i+1), and B w_(i+1) + 0, 1, ...
 */
static weft_status make_tree(const char *text, const struct rule_numbers *m,
                             const struct rule_numbers *up, struct graph *g)
{
    uint64_t first[RULE_NUMBERS + 1], subtrees = 1, tops = 1, count = 0, radix = 0;
    unsigned levels = m->count;
    for (unsigned i = 1; i < levels; i++) {
        subtrees *= m->value[i];
        if (subtrees > GRAPH_MAX_NODES)
            return refuse_many(text, "switches", GRAPH_MAX_NODES);
    }
    for (unsigned i = 0; i < levels; i++) {
        uint64_t ports = (i ? m->value[i] : 0) + (i + 1 < levels ? up->value[i + 1] : 0);
        first[i] = count;
        count += subtrees * tops;
        radix = ports > radix ? ports : radix;
        if (count > GRAPH_MAX_NODES)
            return refuse_many(text, "switches", GRAPH_MAX_NODES);
        subtrees = i + 1 < levels ? subtrees / m->value[i + 1] : subtrees;
        tops *= i + 1 < levels ? up->value[i + 1] : 1;
    }
    first[levels] = count;
    TRY(rule_init(text, count, radix, 0, g));
    g->form = GRAPH_TREE;
    g->sorts = levels > 1 ? levels - 1 : 1;
    tops = 1;
    for (unsigned i = 0; i + 1 < levels; i++) {
        uint32_t below = m->value[i + 1], above = up->value[i + 1];
        g->sort_name[i] = level_sorts[i];
        for (uint64_t s = 0; s < first[i + 1] - first[i]; s++) {
            uint64_t a = s / tops, b = s % tops;
            for (uint32_t y = 0; y < above; y++)
                graph_join(g, (uint32_t)(first[i] + s),
                           (uint32_t)(first[i + 1] + a / below * tops * above + b * above + y),
                           (uint8_t)i, false);
        }
        tops *= above;
    }
    return rule_finish(g, text, (uint32_t)first[1], m->value[0]);
}

static weft_status rule_xgft(const char *text, const char *at, struct graph *g)
{
    struct rule_numbers m, up;
    if (!rule_numbers(&at, ',', &m) || *at++ != ':' || !rule_numbers(&at, ',', &up) || *at ||
        m.count != up.count || up.value[0] != 1)
        return BAD_INPUT(NULL, ("'%.60s' is not an extended generalised fat tree", text),
                         ("use xgft:M1,M2,...:1,W2,...: switches (first: hosts) below one of each "
                          "level, and parents; a host has one"));
    if (m.count > RULE_NUMBERS)
        return refuse_many(text, "levels", RULE_NUMBERS);
    return make_tree(text, &m, &up, g);
}

static weft_status rule_fattree(const char *text, const char *at, struct graph *g)
{
    struct rule_numbers m, up;
    uint32_t ports, levels;
    if (!rule_number(&at, &ports) || !ports || !rule_more(&at, 3, &levels) || *at ||
        (levels > 1 && ports % 2))
        return BAD_INPUT(NULL, ("'%.60s' is not a fat tree", text),
                         ("use fattree:PORTS:LEVELS with an even number of ports per switch, as "
                          "fattree:16:3"));
    if (levels > RULE_NUMBERS)
        return refuse_many(text, "levels", RULE_NUMBERS);
    if (ports > GRAPH_MAX_PORTS)
        return refuse_ports(text, ports);
    for (m.count = up.count = levels; levels--;) {
        m.value[levels] = levels + 1 == m.count ? ports : ports / 2;
        up.value[levels] = levels ? ports / 2 : 1;
    }
    return make_tree(text, &m, &up, g);
}

/* ---- rules ---- */

static const struct rule {
    const char *prefix;
    weft_status (*make)(const char *text, const char *at, struct graph *g);
} rules[] = {{"kautz:", rule_kautz},     {"torus:", rule_torus},         {"mesh:", rule_torus},
             {"hyperx:", rule_hyperx},   {"full:", rule_hyperx},         {"xgft:", rule_xgft},
             {"fattree:", rule_fattree}, {"dragonfly:", rule_dragonfly}, {NULL, NULL}};

/* The last one, without a prefix: it begins as none. */
static const struct rule *find_rule(const char *text)
{
    const struct rule *rule = rules;
    while (rule->prefix && !text_behind(text, rule->prefix))
        rule++;
    return rule;
}

bool graph_is_rule(const char *text)
{
    return find_rule(text)->prefix;
}

weft_status graph_by_rule(const char *text, struct graph *g)
{
    const struct rule *rule = find_rule(text);
    *g = (struct graph){0};
    TRY(check_numbers(text));
    if (rule->prefix)
        return rule->make(text, text + strlen(rule->prefix), g);
    return BAD_INPUT(NULL, ("'%.60s' is no kind of graph", text),
                     ("use dragonfly:, fattree:, xgft:, hyperx:, full:, torus:, mesh: or kautz:"));
}
