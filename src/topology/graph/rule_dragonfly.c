/* dragonfly:4:8:4[:33] (Kim et al. 2008). */
#include "topology/graph/rules.h"

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

weft_status rule_dragonfly(const char *text, const char *at, struct graph *g)
{
    struct rule_numbers n;
    uint32_t a, h, groups;
    if (!rule_numbers(&at, '\0', &n) || !rule_more(&at, 0, &a) || !rule_more(&at, 0, &h) ||
        !rule_more(&at, (uint64_t)a * h < GRAPH_MAX_HOSTS ? a * h + 1 : 1, &groups) || *at ||
        groups > (uint64_t)a * h + 1)
        return BAD_INPUT(NULL, ("'%.60s' is not a dragonfly", text),
                         ("use dragonfly:HOSTS:SWITCHES:LINKS[:GROUPS]: hosts per switch, switches "
                          "per group, global links per switch, and at most SWITCHES x LINKS + 1 "
                          "groups, as dragonfly:4:8:4"));
    if ((uint64_t)a * groups > GRAPH_MAX_NODES)
        return rule_too_many_switches(text);
    if ((uint64_t)a - 1 + h + n.value[0] > GRAPH_MAX_PORTS)
        return rule_too_many_ports(text, (uint64_t)a - 1 + h + n.value[0]);
    graph_init(g, a * groups, a - 1 + h);
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
    return rule_finish(g, text, g->nodes, n.value[0]);
}
