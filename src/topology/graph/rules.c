/* The texts that name graphs: a table of rules, and what reading them takes. */
#include "topology/graph/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct rule {
    const char *prefix;
    weft_status (*make)(const char *text, const char *at, struct graph *g);
} rules[] = {{"kautz:", rule_kautz},     {"torus:", rule_torus},         {"mesh:", rule_mesh},
             {"hyperx:", rule_hyperx},   {"full:", rule_full},           {"xgft:", rule_xgft},
             {"fattree:", rule_fattree}, {"dragonfly:", rule_dragonfly}, {NULL, NULL}};

const char *const rule_dimension_names[TORUS_MAX_DIMS] = {"x", "y", "z", "a", "b", "c"};

/* ---- numbers ---- */

bool rule_number(const char **text, uint32_t *number)
{
    uint64_t value = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9'; at++)
        value = value < UINT32_MAX ? value * 10 + (uint64_t)(*at - '0') : value;
    bool digits = at > *text;
    *text = at;
    *number = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    return digits;
}

bool rule_numbers(const char **text, char separator, struct rule_numbers *n)
{
    for (n->count = 0;; (*text)++) {
        uint32_t value;
        if (!rule_number(text, &value) || !value || value > GRAPH_MAX_HOSTS)
            return false;
        if (n->count < RULE_NUMBERS)
            n->value[n->count] = value;
        n->count++;
        if (!**text || **text != separator)
            return true;
    }
}

bool rule_more(const char **text, uint32_t otherwise, uint32_t *value)
{
    struct rule_numbers n;
    *value = otherwise;
    if (!**text)
        return otherwise != 0;
    if (*(*text)++ != ':' || !rule_numbers(text, '\0', &n))
        return false;
    *value = n.value[0];
    return true;
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

/* ---- what rules refuse ---- */

weft_status rule_too_many_switches(const char *text)
{
    return rule_too_many(text, "switches", GRAPH_MAX_NODES);
}

weft_status rule_too_many_ports(const char *text, uint64_t ports)
{
    return BAD_INPUT(NULL,
                     ("'%.60s' needs switches with %llu ports", text, (unsigned long long)ports),
                     ("use at most %d", GRAPH_MAX_PORTS));
}

weft_status rule_too_many(const char *text, const char *what, int most)
{
    return BAD_INPUT(NULL, ("'%.60s' has more than %d %s", text, most, what), ("use fewer"));
}

/* ---- graphs ---- */

weft_status rule_finish(struct graph *g, const char *text, uint32_t leaves, uint32_t hosts)
{
    uint32_t *at = memory_alloc(g->nodes, sizeof(*at));
    for (uint32_t node = 0; node < leaves; node++)
        at[node] = hosts;
    weft_status status = graph_finish(g, text, at);
    free(at);
    return status;
}

/* ---- texts ---- */

/* NULL: it begins as none. */
static const struct rule *find_rule(const char *text)
{
    const struct rule *rule = rules;
    while (rule->prefix && strncmp(text, rule->prefix, strlen(rule->prefix)) != 0)
        rule++;
    return rule->prefix ? rule : NULL;
}

weft_status graph_by_rule(const char *text, struct graph *g)
{
    const struct rule *rule = find_rule(text);
    *g = (struct graph){0};
    TRY(check_numbers(text));
    if (rule)
        return rule->make(text, text + strlen(rule->prefix), g);
    return BAD_INPUT(NULL, ("'%.60s' is no kind of graph", text),
                     ("use dragonfly:, fattree:, xgft:, hyperx:, full:, torus:, mesh: or kautz:"));
}

static weft_status parse(const char *text, const char *example, struct graph *g)
{
    return find_rule(text) ? graph_by_rule(text, g) : graph_read(text, example, g);
}

/* After a failure nothing is left to free. */
static weft_status settle(weft_status status, struct graph *g)
{
    if (status != WEFT_OK)
        graph_fini(g);
    return status;
}

static weft_status check_switches(const struct graph *g, const char *text)
{
    if (!g->one_way)
        return WEFT_OK;
    return BAD_INPUT(
        NULL, ("'%.60s' has one-way links, and those of switches are two-way", text),
        ("use a graph as dragonfly:4:8:4, or a file of lines SWITCH HOSTS: TO TO ..."));
}

weft_status graph_parse_switches(const char *text, struct graph *g)
{
    weft_status status = parse(text, "dragonfly:4:8:4", g);
    return settle(status == WEFT_OK ? check_switches(g, text) : status, g);
}

static weft_status check_node(const struct graph *g, const char *text, uint32_t node)
{
    if (graph_hosts_at(g, node) != 1)
        return BAD_INPUT(NULL,
                         ("'%.60s' has %u hosts at switch %u, and here every node is its own host",
                          text, graph_hosts_at(g, node), node),
                         ("use a graph as kautz:DEGREE:DIAMETER, or with one host at each switch"));
    for (uint32_t port = 0; port < g->ports[node]; port++) {
        uint32_t to = graph_end_at(g, node, port)->node;
        if (graph_port(g, node, to) != port)
            return BAD_INPUT(NULL,
                             ("'%.60s' has two links from node %u to node %u", text, node, to),
                             ("use a graph with one: ports are identified by their neighbour"));
    }
    return WEFT_OK;
}

static weft_status check_direct(const struct graph *g, const char *text)
{
    if (g->nodes > GRAPH_ONE_WAY_NODES)
        return rule_too_many(text, "nodes", GRAPH_ONE_WAY_NODES);
    if (g->degree > GRAPH_ONE_WAY_LINKS)
        return rule_too_many(text, "links at a node", GRAPH_ONE_WAY_LINKS);
    for (uint32_t node = 0; node < g->nodes; node++)
        TRY(check_node(g, text, node));
    return WEFT_OK;
}

weft_status graph_parse_direct(const char *text, struct graph *g)
{
    weft_status status = parse(text, "kautz:DEGREE:DIAMETER", g);
    return settle(status == WEFT_OK ? check_direct(g, text) : status, g);
}
