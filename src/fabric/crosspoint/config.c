/* The keys of a machine with a crosspoint fabric, and the parameters derived from them. */
#include "fabric/crosspoint/network.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- derived parameters ---- */

weft_status crosspoint_params_derive(const struct crosspoint_params *p, const struct graph *g,
                                     struct crosspoint_derived *d)
{
    *d = (struct crosspoint_derived){.ports = g->degree + 1};
    while (1u << d->route_bits < d->ports)
        d->route_bits++;
    d->most_hops = d->route_bits ? CROSSPOINT_ROUTE_BITS / d->route_bits : CROSSPOINT_ROUTE_BITS;
    d->hop_cycles = p->bypass_cycles + p->wire_cycles;
    d->control_cycles = p->control_bytes + p->wire_cycles;
    d->all_entries = (uint16_t)((1u << p->crosspoint_packets) - 1);
    uint32_t shared = d->all_entries & ~((1u << p->vcs) - 1);
    for (unsigned vc = 0; vc < p->vcs; vc++)
        d->vc_entries[vc] = (uint16_t)(shared | 1u << vc);
    if (!d->hop_cycles)
        return BAD_INPUT("machine.router.bypass_cycles machine.link.wire_cycles",
                         ("a hop takes no time"),
                         ("use machine.router.bypass_cycles or machine.link.wire_cycles above 0"));
    if (p->vcs > p->crosspoint_packets)
        return BAD_INPUT(
            "machine.router.vcs machine.router.crosspoint_packets",
            ("machine.router.vcs = %u: each needs an entry of its own in a crosspoint buffer of %u",
             p->vcs, p->crosspoint_packets),
            ("use fewer VCs, or more machine.router.crosspoint_packets"));
    return WEFT_OK;
}

const char *crosspoint_vc_name(unsigned vc)
{
    static const char *const names[CROSSPOINT_VCS] = {"VC0", "VC1", "VC2", "VC3",
                                                      "VC4", "VC5", "VC6", "VC7"};
    return names[vc];
}

uint32_t crosspoint_decrements_along(const struct crosspoint_params *p, const struct graph *g,
                                     uint32_t from, const struct graph_route *route)
{
    uint32_t x = from, count = 0;
    for (uint32_t hop = 0; hop + 1 < route->hops; hop++) {
        uint32_t y = g->to[x * g->degree + route->port[hop]].node;
        uint32_t z = g->to[y * g->degree + route->port[hop + 1]].node;
        count += crosspoint_decrements(p->vc_rule, x, y, z);
        x = y;
    }
    return count;
}

/* ---- keys ---- */

#define AT(field) offsetof(struct crosspoint_config, field)

static const char *const vc_rules[] = {"decrement", "none", NULL};
static const char *const vc_starts[] = {"exact", "highest", NULL};

static const struct key rows[] = {
    {"machine.graph", KEY_TEXT, AT(graph), "", NULL,
     .help =
         "kautz:DEGREE:DIAMETER or another graph rule, with a host at every node; or a file with "
         "one line `FROM: TO TO ...` per node"},
    {"machine.dead_nodes", KEY_TEXT, AT(dead_nodes), "", NULL,
     .help = "numbers joined by commas; software routes around them"},
    {"machine.dead_links", KEY_TEXT, AT(dead_links), "", NULL, .help = "as 5>77, joined by commas"},
    ERRORS_BAD_LINKS_KEY(AT(bad_links), "5>77"),
    {"machine.router.clock_mhz", KEY_REAL, AT(params.clock_mhz), "MHz", NULL, 1e-4, 1e8,
     .help = "of switch and links: a cycle is a word of 8 bytes on every path and link"},
    {"machine.link.wire_cycles", KEY_U32, AT(params.wire_cycles), "cycles", NULL, 0, 1024,
     .help = "serialiser, wire, deserialiser"},
    {"machine.link.overhead_words", KEY_U32, AT(params.overhead_words), "", NULL, 0, 16,
     .help = "that a packet occupies a link for, besides its header, payload and trailer"},
    {"machine.link.control_bytes", KEY_U32, AT(params.control_bytes), "B", NULL, 1, 128,
     .help = "size of a control packet; they follow each other at one byte per cycle"},
    ERRORS_KEYS(AT(params.protocol), AT(params.errors), "replay buffers and lost control packets",
                "data and control packets"),
    ERRORS_BAD_RATE_KEY(AT(params.errors)),
    {"machine.router.bypass_cycles", KEY_U32, AT(params.bypass_cycles), "cycles", NULL, 0, 1024,
     .help = "from input to output, without contention"},
    {"machine.router.buffer_cycles", KEY_U32, AT(params.buffer_cycles), "cycles", NULL, 0, 1024,
     .help = "extra for a packet that has waited in its crosspoint buffer"},
    {"machine.router.crosspoint_packets", KEY_U32, AT(params.crosspoint_packets), "", NULL, 1, 16,
     .help = "entries of each crosspoint buffer"},
    {"machine.router.vcs", KEY_U32, AT(params.vcs), "", NULL, 1, 8,
     .help = "virtual channels, each with an entry of its own in every buffer"},
    {"machine.routing.vc_rule", KEY_CHOICE, AT(params.vc_rule), "", NULL, .choices = vc_rules,
     .help = "decrement: at nodes with a higher number than both neighbours of the route; none can "
             "deadlock"},
    {"machine.routing.vc_start", KEY_CHOICE, AT(params.vc_start), "", NULL, .choices = vc_starts,
     .help = "exact: so that a packet ends on VC 0; highest: all start on the same VC"},
    {"run.partitions", KEY_U32, AT(partitions), "", "0", 0, 4096,
     .help = "partitions of the graph; 0: by the number of threads; results do not depend on it"},
};

const struct key_section crosspoint_section = {sizeof(struct crosspoint_config)};
const struct key_table crosspoint_keys = {rows, sizeof(rows) / sizeof(rows[0]),
                                          &crosspoint_section};

/* ---- texts ---- */

/* Reads a number below `most` at the start of a text; returns the rest. NULL: there is none. */
static const char *node_number(const char *text, uint32_t most, uint32_t *number)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return NULL;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return value < most ? end : NULL;
}

/* "5>77" */
static bool find_link(const struct graph *g, const char *text, uint32_t *node, uint32_t *port)
{
    uint32_t to;
    const char *end = node_number(text, g->nodes, node);
    if (!end || *end != '>' || !(end = node_number(end + 1, g->nodes, &to)) || *end)
        return false;
    *port = graph_port(g, *node, to);
    return *port < g->degree;
}

static bool find_graph_link(const void *ctx, const char *text, uint32_t *node, uint32_t *port)
{
    const struct crosspoint_config *c = ctx;
    struct graph g;
    if (graph_parse_direct(c->graph, &g) != WEFT_OK)
        return false;
    bool found = find_link(&g, text, node, port);
    graph_fini(&g);
    return found;
}

static weft_status kill_links(const struct crosspoint_config *c, struct graph *g)
{
    const char *text = strcmp(c->dead_links, "none") == 0 || !*c->dead_links ? NULL : c->dead_links;
    while (text) {
        char item[32];
        uint32_t node, port;
        text = key_list_item(text, item);
        if (!find_link(g, item, &node, &port))
            return BAD_INPUT("machine.dead_links",
                             ("machine.dead_links: '%s' is not a link, or is named twice", item),
                             ("use FROM>TO of two linked nodes"));
        graph_kill_link(g, node, port);
    }
    return WEFT_OK;
}

static weft_status kill_nodes(const struct crosspoint_config *c, struct graph *g)
{
    const char *text = strcmp(c->dead_nodes, "none") == 0 || !*c->dead_nodes ? NULL : c->dead_nodes;
    while (text) {
        char item[32];
        uint32_t node;
        text = key_list_item(text, item);
        const char *end = node_number(item, g->nodes, &node);
        if (!end || *end)
            return BAD_INPUT("machine.dead_nodes", ("machine.dead_nodes: '%s' is not a node", item),
                             ("use numbers from 0 to %u", g->nodes - 1));
        graph_kill_node(g, node);
    }
    if (g->dead_nodes == g->nodes)
        return BAD_INPUT("machine.dead_nodes", ("machine.dead_nodes: no node is left"),
                         ("name fewer"));
    return WEFT_OK;
}

weft_status crosspoint_config_graph(const struct crosspoint_config *c, struct graph *g)
{
    TRY(network_blame_key(graph_parse_direct(c->graph, g), "machine.graph"));
    weft_status status = kill_links(c, g); /* before nodes, which take their links with them */
    if (status == WEFT_OK)
        status = kill_nodes(c, g);
    if (status != WEFT_OK)
        graph_fini(g);
    return status;
}

uint64_t crosspoint_config_hash(const struct crosspoint_config *c)
{
    struct graph g;
    if (!c->graph[0] || graph_parse_direct(c->graph, &g) != WEFT_OK)
        return 0;
    uint64_t hash = graph_hash(&g);
    graph_fini(&g);
    return hash;
}

weft_status crosspoint_config_finish(struct crosspoint_config *c)
{
    struct graph g;
    struct crosspoint_derived derived;
    TRY(crosspoint_config_graph(c, &g));
    c->nodes = g.nodes;
    c->dead_count = g.dead_nodes;
    weft_status status = crosspoint_params_derive(&c->params, &g, &derived);
    graph_fini(&g);
    if (status == WEFT_OK)
        status = errors_parse_bad(c->bad_links, "5>77", find_graph_link, c, &c->params.errors);
    c->params.protocol |= errors_any(&c->params.errors);
    uint32_t map = 7 + 2 * derived.ports;
    if (status == WEFT_OK && c->params.protocol && c->params.control_bytes < map)
        return BAD_INPUT("machine.link.control_bytes",
                         ("machine.link.control_bytes = %u is too small for the map of %u outputs",
                          c->params.control_bytes, derived.ports),
                         ("use %u or more", map));
    return status;
}
