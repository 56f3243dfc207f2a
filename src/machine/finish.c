/* What has to fit together once all keys are set, and what is made of texts. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "machine/config.h"
#include "workload/digraph_workload.h"

/* Rows of a timeline: more are no use to anybody. */
#define MOST_INTERVALS 1000000

static weft_status find_datelines(struct config *c)
{
    const char *text = c->dateline;
    bool highest = strcmp(text, "highest") == 0, none = strcmp(text, "none") == 0;
    for (unsigned d = 0; d < c->torus.dims; d++) {
        char item[32], *end;
        c->router.dateline[d] = highest ? (int32_t)c->torus.size[d] - 1 : -1;
        if (highest || none)
            continue;
        text = text ? config_list_item(text, item) : NULL;
        long line = strtol(item, &end, 10);
        if (end == item || *end || line < 0 || line > UINT16_MAX ||
            !text != (d + 1 == c->torus.dims))
            return BAD_INPUT("machine.router.dateline",
                             ("machine.router.dateline = '%.60s' does not work", c->dateline),
                             ("use highest, none, or a coordinate of each dimension as 7,7,7"));
        c->router.dateline[d] = (int32_t)line;
    }
    return WEFT_OK;
}

/* The one link that a text names. */
static bool find_torus_link(const struct config *c, const char *text, uint32_t *node,
                            uint32_t *port)
{
    struct torus_faults one;
    if (faults_parse(&c->torus, "none", text, &one) != WEFT_OK || one.links != 1)
        return false;
    *node = one.link[0].node;
    *port = one.link[0].port;
    return true;
}

/* A link of dead_links' kind, and when: "1/2/3:x+@1000-5000". */
static weft_status find_bad_links(struct config *c, struct error_params *l,
                                  bool (*find)(const struct config *, const char *, uint32_t *,
                                               uint32_t *))
{
    const char *text = strcmp(c->bad_links, "none") == 0 ? "" : c->bad_links;
    for (l->bad_links = 0; *text; l->bad_links++) {
        char link[64], *end = NULL;
        uint32_t node = 0, port = 0;
        size_t length = strcspn(text, "@");
        unsigned long long from = 0, to = CYCLE_NEVER;
        snprintf(link, sizeof(link), "%.*s", (int)(length < 63 ? length : 63), text);
        bool right =
            text[length] == '@' && l->bad_links < ERRORS_BAD_MAX && find(c, link, &node, &port);
        if (right) {
            from = strtoull(text + length + 1, &end, 10);
            right = isdigit((unsigned char)text[length + 1]) && *end == '-';
        }
        if (right && end[1] && end[1] != ',') {
            char *start = end + 1;
            to = strtoull(start, &end, 10);
            right = isdigit((unsigned char)*start) && to > from;
        } else if (right) {
            end++;
        }
        if (!right || (*end && *end != ','))
            return BAD_INPUT("machine.link.bad_links",
                             ("machine.link.bad_links = '%.60s' does not work", c->bad_links),
                             ("use up to %d as %s@1000-5000, joined by commas, or none",
                              ERRORS_BAD_MAX, config_fabric(c)->link_example));
        l->bad[l->bad_links].node = node;
        l->bad[l->bad_links].port = port;
        l->bad[l->bad_links].from = from;
        l->bad[l->bad_links].to = to;
        text = *end ? end + 1 : end;
    }
    return WEFT_OK;
}

static weft_status find_torus_errors(struct config *c)
{
    weft_status status = find_bad_links(c, &c->router.link.errors, find_torus_link);
    if (status != WEFT_OK)
        return status;
    c->router.link.protocol |= errors_any(&c->router.link.errors);
    if (c->router.link.protocol && c->router.ack_bytes != 8)
        return BAD_INPUT("machine.link.ack_bytes",
                         ("machine.link.ack_bytes = %u: the link protocol has acknowledgments of 8",
                          c->router.ack_bytes),
                         ("use 8"));
    if (c->router.link.protocol && c->router.trailer_bytes != 4)
        return BAD_INPUT("machine.link.trailer_bytes",
                         ("machine.link.trailer_bytes = %u: the link protocol has trailers of 4",
                          c->router.trailer_bytes),
                         ("use 4"));
    return WEFT_OK;
}

static weft_status find_faults(struct config *c)
{
    weft_status status = faults_parse(&c->torus, c->dead_nodes, c->dead_links, &c->faults);
    if (status != WEFT_OK || !faults_any(&c->faults))
        return status;
    if (c->node.hints == HINTS_HARDWARE)
        return BAD_INPUT("machine.node.hints",
                         ("hardware cannot set hint bits around dead nodes and links"),
                         ("use machine.node.hints = software"));
    if (c->workload.pattern == PATTERN_PINGPONG || c->workload.pattern == PATTERN_LINEFILL ||
        c->workload.pattern == PATTERN_PLANEFILL)
        return BAD_INPUT(
            "workload.pattern machine.dead_nodes machine.dead_links",
            ("workload.pattern = %s is for a whole machine", pattern_name(c->workload.pattern)),
            ("remove machine.dead_nodes and machine.dead_links"));
    return WEFT_OK;
}

/* The size of a FIFO, 0 if it is unbounded, and the filling that wakes its processor. */
static weft_status check_fifo(const char *which, uint32_t bytes, uint32_t watermark)
{
    uint32_t full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES;
    char size[64], mark[64], both[128];
    snprintf(size, sizeof(size), "machine.node.%s_fifo_bytes", which);
    snprintf(mark, sizeof(mark), "machine.node.%s_watermark_bytes", which);
    snprintf(both, sizeof(both), "%s %s", size, mark);
    if (bytes && bytes < full)
        return BAD_INPUT(size, ("%s = %u does not hold a packet", size, bytes),
                         ("use at least %u, or 0 for an unbounded FIFO", full));
    if (bytes % TORUS_CHUNK_BYTES)
        return BAD_INPUT(size, ("%s = %u is not made of whole chunks", size, bytes),
                         ("use a multiple of %d", TORUS_CHUNK_BYTES));
    if (watermark && !bytes)
        return BAD_INPUT(both, ("%s needs a bounded FIFO", mark), ("set %s too", size));
    if (watermark > bytes)
        return BAD_INPUT(both, ("%s = %u is never reached", mark, watermark),
                         ("use at most %s, %u", size, bytes));
    return WEFT_OK;
}

static weft_status finish_torus(struct config *c)
{
    struct torus_derived derived;
    if (c->torus.dims > TORUS_ROUTER_DIMS)
        return BAD_INPUT(
            "machine.dims",
            ("machine.dims has %u dimensions; this router has links for 3", c->torus.dims),
            ("use at most %d", TORUS_ROUTER_DIMS));
    for (unsigned d = 0; d < c->torus.dims; d++)
        if (c->torus.size[d] > UINT16_MAX)
            return BAD_INPUT("machine.dims",
                             ("machine.dims = %u along a dimension is too much", c->torus.size[d]),
                             ("use at most 65535"));
    weft_status status =
        check_fifo("injection", c->router.injection_fifo_bytes, c->node.injection_watermark_bytes);
    if (status == WEFT_OK)
        status = check_fifo("reception", c->router.reception_fifo_bytes,
                            c->node.reception_watermark_bytes);
    if (status == WEFT_OK)
        status = find_datelines(c);
    if (status == WEFT_OK)
        status = find_faults(c);
    if (status == WEFT_OK)
        status = find_torus_errors(c);
    return status == WEFT_OK ? torus_params_derive(&c->router, &derived) : status;
}

/* ---- graphs ---- */

/* A number from 0 to below `most` at the start of a text; the rest of it. NULL: there is none. */
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
static bool find_link(const struct digraph *g, const char *text, uint32_t *node, uint32_t *port)
{
    uint32_t to;
    const char *end = node_number(text, g->nodes, node);
    if (!end || *end != '>' || !(end = node_number(end + 1, g->nodes, &to)) || *end)
        return false;
    *port = digraph_port(g, *node, to);
    return *port < g->degree;
}

static bool find_graph_link(const struct config *c, const char *text, uint32_t *node,
                            uint32_t *port)
{
    struct digraph g;
    if (digraph_parse(c->graph, &g) != WEFT_OK)
        return false;
    bool found = find_link(&g, text, node, port);
    digraph_fini(&g);
    return found;
}

static weft_status kill_links(const struct config *c, struct digraph *g)
{
    const char *text = strcmp(c->dead_links, "none") == 0 || !*c->dead_links ? NULL : c->dead_links;
    while (text) {
        char item[32];
        uint32_t node, port;
        text = config_list_item(text, item);
        if (!find_link(g, item, &node, &port))
            return BAD_INPUT("machine.dead_links",
                             ("machine.dead_links: '%s' is no link, or named twice", item),
                             ("use FROM>TO of two nodes that have one"));
        digraph_kill_link(g, node, port);
    }
    return WEFT_OK;
}

static weft_status kill_nodes(const struct config *c, struct digraph *g)
{
    const char *text = strcmp(c->dead_nodes, "none") == 0 || !*c->dead_nodes ? NULL : c->dead_nodes;
    while (text) {
        char item[32];
        uint32_t node;
        text = config_list_item(text, item);
        const char *end = node_number(item, g->nodes, &node);
        if (!end || *end)
            return BAD_INPUT("machine.dead_nodes", ("machine.dead_nodes: '%s' is no node", item),
                             ("use numbers from 0 to %u", g->nodes - 1));
        digraph_kill_node(g, node);
    }
    if (g->dead_nodes == g->nodes)
        return BAD_INPUT("machine.dead_nodes", ("machine.dead_nodes: no node is left"),
                         ("name fewer"));
    return WEFT_OK;
}

weft_status config_graph(const struct config *c, struct digraph *g)
{
    weft_status status = digraph_parse(c->graph, g);
    if (status != WEFT_OK) {
        if (!error_last()->place[0]) { /* a line of its file is a place already */
            error_keys("machine.graph");
            error_prefix("machine.graph: ");
        }
        return status;
    }
    status = kill_links(c, g); /* before nodes, which take theirs with them */
    if (status == WEFT_OK)
        status = kill_nodes(c, g);
    if (status != WEFT_OK)
        digraph_fini(g);
    return status;
}

uint64_t config_graph_hash(const struct config *c)
{
    struct digraph g;
    uint64_t hash = 0;
    if (!c->graph[0] || digraph_parse(c->graph, &g) != WEFT_OK)
        return 0;
    for (size_t i = 0; i < (size_t)g.nodes * g.degree; i++)
        hash = random_mix(hash ^ g.to[i].node) + i;
    digraph_fini(&g);
    return hash;
}

static weft_status finish_graph(struct config *c)
{
    struct digraph g;
    struct crosspoint_derived derived;
    weft_status status = config_graph(c, &g);
    if (status != WEFT_OK)
        return status;
    c->graph_nodes = g.nodes;
    c->graph_dead = g.dead_nodes;
    status = crosspoint_params_derive(&c->crosspoint, &g, &derived);
    digraph_fini(&g);
    if (status == WEFT_OK)
        status = find_bad_links(c, &c->crosspoint.errors, find_graph_link);
    c->crosspoint.protocol |= errors_any(&c->crosspoint.errors);
    uint32_t map = 7 + 2 * derived.ports;
    if (status == WEFT_OK && c->crosspoint.protocol && c->crosspoint.control_bytes < map)
        return BAD_INPUT("machine.link.control_bytes",
                         ("machine.link.control_bytes = %u does not hold the map of %u outputs",
                          c->crosspoint.control_bytes, derived.ports),
                         ("use %u or more", map));
    uint32_t words = dma_words(&c->dma, c->dma.packet_bytes), most = 0;
    for (uint32_t i = 0; i < c->workload.payloads.count; i++)
        most = c->workload.payloads.value[i] > most ? c->workload.payloads.value[i] : most;
    if (status == WEFT_OK && words > CROSSPOINT_MAX_WORDS)
        return BAD_INPUT(
            "machine.dma.packet_bytes",
            ("machine.dma.packet_bytes = %u makes packets of %u words", c->dma.packet_bytes, words),
            ("use fewer, for at most %d", CROSSPOINT_MAX_WORDS));
    if (status == WEFT_OK && most > c->dma.packet_bytes)
        return BAD_INPUT(
            "workload.packet_bytes machine.dma.packet_bytes",
            ("workload.packet_bytes = %u: a packet holds %u (machine.dma.packet_bytes)", most,
             c->dma.packet_bytes),
            ("use at most as many"));
    return status;
}

static weft_status check_pattern(const struct config *c)
{
    bool (*has)(enum pattern) = config_fabric(c)->has_pattern;
    if (has(c->workload.pattern))
        return WEFT_OK;
    char list[512] = "";
    for (unsigned i = 0; i < PATTERN_COUNT; i++)
        if (has((enum pattern)i))
            snprintf(list + strlen(list), sizeof(list) - strlen(list), *list ? ", %s" : "%s",
                     pattern_name((enum pattern)i));
    return BAD_INPUT("workload.pattern",
                     ("workload.pattern = %s is not for a machine with a %s fabric",
                      pattern_name(c->workload.pattern), config_fabric(c)->name),
                     ("use one of %s", list));
}

static weft_status check_interval(const struct config *c)
{
    uint64_t end = c->workload.warmup_cycles + c->workload.cycles;
    if (c->interval_cycles && pattern_is_open(c->workload.pattern) &&
        end / c->interval_cycles > MOST_INTERVALS)
        return BAD_INPUT("run.interval_cycles",
                         ("run.interval_cycles = %llu makes too long a timeline",
                          (unsigned long long)c->interval_cycles),
                         ("use at least %llu", (unsigned long long)(end / MOST_INTERVALS + 1)));
    return WEFT_OK;
}

weft_status config_finish(struct config *c)
{
    weft_status status = check_pattern(c);
    if (status == WEFT_OK)
        status = check_interval(c);
    if (status == WEFT_OK)
        status = config_fabric(c)->finish(c);
    return config_locate(c, status);
}

/* ---- the fabrics ---- */

static uint32_t torus_nodes(const struct config *c)
{
    return c->torus.nodes;
}

static uint32_t torus_dead_nodes(const struct config *c)
{
    return c->faults.nodes;
}

static const char *torus_size_text(const struct config *c, char *text)
{
    return torus_text(&c->torus, text);
}

static double torus_cycles_per_second(const struct config *c)
{
    return c->router.link_mb_per_s * 1e6;
}

static uint32_t graph_nodes(const struct config *c)
{
    return c->graph_nodes;
}

static uint32_t graph_dead_nodes(const struct config *c)
{
    return c->graph_dead;
}

static const char *graph_size_text(const struct config *c, char *text)
{
    return strcpy(text, c->graph);
}

static double graph_cycles_per_second(const struct config *c)
{
    return c->crosspoint.link_mb_per_s * 1e6 / CROSSPOINT_WORD_BYTES;
}

const struct fabric_kind fabric_kinds[FABRICS] = {
    [FABRIC_TORUS] = {.name = "torus",
                      .link_example = "1/2/3:x+",
                      .has_stages = true,
                      .finish = finish_torus,
                      .nodes = torus_nodes,
                      .dead_nodes = torus_dead_nodes,
                      .size_text = torus_size_text,
                      .cycles_per_second = torus_cycles_per_second,
                      .has_pattern = pattern_is_for_torus},
    [FABRIC_CROSSPOINT] = {.name = "crosspoint",
                           .link_example = "5>77",
                           .has_processes = true,
                           .finish = finish_graph,
                           .nodes = graph_nodes,
                           .dead_nodes = graph_dead_nodes,
                           .size_text = graph_size_text,
                           .cycles_per_second = graph_cycles_per_second,
                           .has_pattern = digraph_workload_has},
};
