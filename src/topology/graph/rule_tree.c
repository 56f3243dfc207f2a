/* xgft:16,8:1,8, extended generalised fat trees (Öhring et al. 1995); fattree:16:3. */
#include "topology/graph/rules.h"

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
            return rule_too_many_switches(text);
    }
    for (unsigned i = 0; i < levels; i++) {
        uint64_t ports = (i ? m->value[i] : 0) + (i + 1 < levels ? up->value[i + 1] : 0);
        first[i] = count;
        count += subtrees * tops;
        radix = ports > radix ? ports : radix;
        if (count > GRAPH_MAX_NODES)
            return rule_too_many_switches(text);
        subtrees = i + 1 < levels ? subtrees / m->value[i + 1] : subtrees;
        tops *= i + 1 < levels ? up->value[i + 1] : 1;
    }
    first[levels] = count;
    if (radix > GRAPH_MAX_PORTS)
        return rule_too_many_ports(text, radix);
    graph_init(g, (uint32_t)count, (uint32_t)radix);
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

weft_status rule_xgft(const char *text, const char *at, struct graph *g)
{
    struct rule_numbers m, up;
    if (!rule_numbers(&at, ',', &m) || *at++ != ':' || !rule_numbers(&at, ',', &up) || *at ||
        m.count != up.count || up.value[0] != 1)
        return BAD_INPUT(NULL, ("'%.60s' is not an extended generalised fat tree", text),
                         ("use xgft:M1,M2,...:1,W2,...: switches (first: hosts) below one of each "
                          "level, and parents; a host has one"));
    if (m.count > RULE_NUMBERS)
        return rule_too_many(text, "levels", RULE_NUMBERS);
    return make_tree(text, &m, &up, g);
}

weft_status rule_fattree(const char *text, const char *at, struct graph *g)
{
    struct rule_numbers n, m = {.count = 0}, up = {.count = 0};
    uint32_t levels;
    if (!rule_numbers(&at, '\0', &n) || !rule_more(&at, 3, &levels) || *at ||
        (levels > 1 && n.value[0] % 2))
        return BAD_INPUT(NULL, ("'%.60s' is not a fat tree", text),
                         ("use fattree:PORTS:LEVELS with an even number of ports per switch, as "
                          "fattree:16:3"));
    if (levels > RULE_NUMBERS)
        return rule_too_many(text, "levels", RULE_NUMBERS);
    if (n.value[0] > GRAPH_MAX_PORTS)
        return rule_too_many_ports(text, n.value[0]);
    for (m.count = up.count = levels; levels--;) {
        m.value[levels] = levels + 1 == m.count ? n.value[0] : n.value[0] / 2;
        up.value[levels] = levels ? n.value[0] / 2 : 1;
    }
    return make_tree(text, &m, &up, g);
}
