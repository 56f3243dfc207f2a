/* The crosspoint family: the SC5832, and any other directed graph of such nodes. */
#include "machine/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "fabric/crosspoint/network.h"
#include "machine/machine.h"
#include "node/dma/dma.h"

struct crosspoint_model {
    struct model base;
    const struct crosspoint_config *machine;
    const struct dma_params *dma;
    struct graph whole; /* with what is dead, if something is */
    struct crosspoint_face face;
    struct crosspoint_network *network;
};

static struct crosspoint_config *config_crosspoint(const struct config *c)
{
    return config_section(c, &crosspoint_section);
}

/* ---- configurations ---- */

static weft_status finish(struct config *c)
{
    const struct dma_params *dma = config_section(c, &dma_section);
    TRY(dma_check(dma, CROSSPOINT_PAYLOAD_MOST));
    TRY(model_check_node_memory(c, true));
    return crosspoint_config_finish(config_crosspoint(c));
}

static unsigned offers(const struct config *c)
{
    (void)c;
    return SITE_TOPOLOGY;
}

static bool is_whole(const struct config *c)
{
    const struct crosspoint_config *m = config_crosspoint(c);
    return strcmp(m->dead_nodes, "none") == 0 && strcmp(m->dead_links, "none") == 0;
}

static struct machine_facts facts(const struct config *c)
{
    const struct dma_params *dma = config_section(c, &dma_section);
    return (struct machine_facts){
        .nodes = config_crosspoint(c)->nodes,
        .dead_nodes = config_crosspoint(c)->dead_count,
        .damaged = !is_whole(c),
        .cycles_per_second = config_crosspoint(c)->params.clock_mhz * 1e6,
        .processors = dma->queues,
        .sizes = {.most = dma->packet_bytes, .most_key = "machine.dma.payload_bytes"}};
}

static const char *size_text(const struct config *c, char text[CONFIG_TEXT])
{
    return strcpy(text, config_crosspoint(c)->graph);
}

static uint64_t fingerprint(const struct config *c)
{
    return crosspoint_config_hash(config_crosspoint(c));
}

/* ---- the site ---- */

static const struct crosspoint_model *model_at(const struct site *site)
{
    return site->ctx;
}

static double slot(const struct site *site, double bytes)
{
    return crosspoint_words((uint32_t)ceil(bytes)) + model_at(site)->machine->params.overhead_words;
}

static uint32_t distance(const struct site *site, uint32_t from, uint32_t to)
{
    const struct crosspoint_model *m = model_at(site);
    uint32_t leaf = m->base.routes.leaf[to];
    if (m->base.graph.dead[from] || leaf == GRAPH_NONE)
        return from == to ? 0 : UINT32_MAX;
    return graph_routes_hops(&m->base.routes, from, leaf);
}

static uint32_t behind(const struct site *site, uint32_t node, unsigned port)
{
    return graph_end_at(&model_at(site)->base.graph, node, port)->node;
}

/* The load of one packet from each sender: on each link, and on the way into each node. */
struct loads {
    const struct crosspoint_model *model;
    double *link, *into;
};

/* Adds packets to the links of a route. */
static void add_route(void *ctx, uint32_t from, uint32_t to, double packets)
{
    struct loads *loads = ctx;
    const struct graph *g = &loads->model->base.graph;
    struct graph_route route;
    if (!graph_route(&loads->model->base.routes, from, to, &route))
        return;
    loads->into[to] += packets;
    for (uint32_t hop = 0, x = from; hop < route.hops; hop++) {
        loads->link[x * g->degree + route.port[hop]] += packets;
        x = g->to[x * g->degree + route.port[hop]].node;
    }
}

/* Packets from each node to every other, evenly: added along the tree of routes to each. */
static uint32_t add_uniform(struct loads *loads, double packets)
{
    const struct crosspoint_model *m = loads->model;
    const struct graph *g = &m->base.graph;
    struct graph_trees t;
    uint32_t living = m->base.site.endpoints;
    double *flow = memory_alloc(g->nodes, sizeof(*flow));
    graph_trees_init(&t, &m->base.routes);
    for (uint32_t i = 0; i < living; i++) {
        protected_call_poll();
        uint32_t to = m->base.living.node ? m->base.living.node[i] : i;
        graph_trees_to(&t, to);
        for (uint32_t k = 0; k < t.count; k++)
            flow[t.order[k]] = packets / (living - 1);
        loads->into[to] = packets;
        for (uint32_t k = t.count; k-- > 0;) {
            uint32_t x = t.order[k], link = x * g->degree + t.port[x];
            loads->link[link] += flow[x];
            flow[g->to[link].node] += flow[x];
        }
    }
    graph_trees_fini(&t);
    free(flow);
    return living > 1 ? living : 0;
}

/* What limits one packet from each sender: the busiest link, or a node's engine or its port. */
static double find_bound(const struct site *site, const struct flows *f, uint32_t *senders)
{
    const struct crosspoint_model *m = model_at(site);
    const struct graph *g = &m->base.graph;
    const struct byte_list *sizes = &f->workload->params.packet_bytes;
    size_t links = (size_t)g->nodes * g->degree;
    struct loads loads = {.model = m,
                          .link = memory_alloc(links + 1, sizeof(double)),
                          .into = memory_alloc(g->nodes, sizeof(double))};
    /* A sender has one way out of its node. */
    double most = 0, into = flows_most(f), words = 0, bytes = 0;
    for (uint32_t i = 0; i < sizes->count; i++) {
        words += crosspoint_words(sizes->value[i]);
        bytes += sizes->value[i];
    }
    words /= sizes->count;
    bytes /= sizes->count;
    if (f->uniform)
        *senders = add_uniform(&loads, f->packets);
    else
        *senders = flows_each(f, add_route, &loads);
    for (size_t i = 0; i < links; i++)
        most = loads.link[i] > most ? loads.link[i] : most;
    for (uint32_t i = 0; i < g->nodes; i++)
        into = loads.into[i] > into ? loads.into[i] : into;
    free(loads.link);
    free(loads.into);
    double engine = bytes / m->dma->mb_per_s * m->machine->params.clock_mhz;
    double port = into * (engine > words ? engine : words);
    double link = most * (words + m->machine->params.overhead_words);
    return port > link ? port : link;
}

static bool is_dead(const void *graph, uint32_t node)
{
    return ((const struct graph *)graph)->dead[node];
}

static void fill_site(struct crosspoint_model *m)
{
    model_list_living(&m->base, m->base.graph.nodes, is_dead, &m->base.graph);
    m->base.site = (struct site){.node_at = m->base.living.node,
                                 .packet_payload = m->dma->packet_bytes,
                                 .slot = slot,
                                 .distance = distance,
                                 .diameter = graph_model_diameter,
                                 .behind = behind,
                                 .ports = m->base.graph.degree,
                                 .bound = find_bound};
}

/* ---- building ---- */

static weft_status build_graph(struct crosspoint_model *m, const struct config *c)
{
    m->machine = config_crosspoint(c);
    m->dma = config_section(c, &dma_section);
    const struct crosspoint_params *p = &m->machine->params;
    TRY(crosspoint_config_graph(m->machine, &m->base.graph));
    TRY(model_check_memory("machine.graph", m->base.graph.nodes,
                           crosspoint_network_memory(p, &m->base.graph),
                           graph_routes_memory(&m->base.graph))); /* whole, for every rank */
    if (!is_whole(c))
        TRY(graph_parse_direct(m->machine->graph, &m->whole));
    TRY(crosspoint_check_graph(&m->base.graph, p));
    TRY(graph_routes_init(&m->base.routes, &m->base.graph));
    TRY(crosspoint_check_routes(&m->base.routes, p));
    return crosspoint_face_init(&m->face, &m->base.graph, &m->base.routes, p);
}

static weft_status prepare(struct model *model)
{
    struct crosspoint_model *m = (struct crosspoint_model *)model;
    TRY(build_graph(m, model->config));
    model->input_hash = fingerprint(model->config);
    fill_site(m);
    return WEFT_OK;
}

static weft_status cut(struct model *model, const struct run_options *o)
{
    return model_cut_graph(model, o, ((struct crosspoint_model *)model)->machine->partitions);
}

static weft_status build(struct model *model, const struct run_options *o)
{
    struct crosspoint_model *m = (struct crosspoint_model *)model;
    (void)o;
    model_attach(model, dmas_create(m->dma, &m->face.face, model->partitions));
    struct crosspoint_network_options no = {
        .graph = &m->base.graph,
        .params = &m->machine->params,
        .client = nic_face_client(model->nic),
        .partitions = model->partitions,
        .partition = model->partition,
        .seed = model->seed,
        .plan = model_plan(model),
    };
    weft_status status = crosspoint_network_create(&no, &m->network);
    model->network = (struct network *)m->network;
    return status;
}

static void release(struct model *model)
{
    graph_fini(&((struct crosspoint_model *)model)->whole);
}

/* ---- gathering ---- */

static void map(const struct model *model, struct links_map *map)
{
    const struct crosspoint_model *m = (const struct crosspoint_model *)model;
    const struct crosspoint_params *p = &m->machine->params;
    uint32_t degree = m->base.graph.degree, ports = degree + 1;
    *map = (struct links_map){.vertices = m->base.graph.nodes,
                              .direction = {"out0", "out1", "out2", "out3", "out4", "out5", "out6"},
                              .directions = degree,
                              .rows = m->base.graph.nodes,
                              .ports = degree,
                              .bytes_per_cycle = CROSSPOINT_WORD_BYTES,
                              .vcs = p->vcs,
                              .rooms = ports}; /* a buffer for each output of the next switch */
    for (unsigned vc = 0; vc < p->vcs; vc++) {
        map->vc_name[vc] = crosspoint_vc_name(vc);
        map->queue[vc] = p->crosspoint_packets * ports;
        map->queues[vc] = (double)m->base.graph.nodes * (ports * ports - 1) * p->crosspoint_packets;
    }
}

static bool find_link(const struct model *model, uint32_t node, unsigned output,
                      struct machine_link *link)
{
    const struct crosspoint_model *m = (const struct crosspoint_model *)model;
    size_t number = (size_t)node * m->base.graph.degree + output;
    const struct graph_end *alive = &m->base.graph.to[number];
    const struct graph_end *to = m->whole.to ? &m->whole.to[number] : alive;
    if (to->node == GRAPH_NONE)
        return false;
    bool dead = alive->node == GRAPH_NONE;
    bool bad = errors_is_bad(&m->machine->params.errors, node, output, 0, CYCLE_NEVER);
    *link = model_link(model, node, output, to->node, to->port, link_state(dead, bad));
    return true;
}

/* Routes that share nothing, over all pairs: the fewest of any pair, and their mean length. */
static void survey_disjoint(const struct crosspoint_model *m, struct run_result *r)
{
    const struct graph *g = &m->base.graph;
    struct graph_route route[GRAPH_ONE_WAY_LINKS];
    uint32_t least = UINT32_MAX;
    double hops = 0, routes = 0;
    for (uint32_t from = 0; from < g->nodes; from++)
        for (uint32_t to = 0; to < g->nodes; to++) {
            if (from == to || g->dead[from] || g->dead[to])
                continue;
            uint32_t count = graph_disjoint_routes(g, from, to, g->degree, route);
            least = count < least ? count : least;
            routes += count;
            for (uint32_t i = 0; i < count; i++)
                hops += route[i].hops;
        }
    if (!routes)
        return;
    run_result_add(r, "disjoint_routes_least", least);
    run_result_add(r, "disjoint_mean_distance", hops / routes);
}

/* Adds a diameter, unless a failure cuts the graph. */
static void add_diameter(struct run_result *r, const char *name, uint32_t diameter)
{
    if (diameter != UINT32_MAX)
        run_result_add(r, name, diameter);
}

/*
 * A lower bound on the links that a cut into halves cuts: (d + 1) d^k / 2k for a whole Kautz graph
 * (Rolim et al. 1998; KAUTZ, 5). Halves of the living nodes are part of halves of all, which are
 * cut apart by that many links, less those that are dead or lead to dead nodes.
 */
static void add_bisection(const struct crosspoint_model *m, struct run_result *r)
{
    unsigned degree, diameter;
    if (sscanf(m->machine->graph, "kautz:%u:%u", &degree, &diameter) != 2)
        return;
    double links = (double)m->base.graph.nodes * degree, bound = links / (2 * diameter);
    double dead = links - (double)m->base.graph.links;
    run_result_add(r, "bisection_bound", bound > dead ? bound - dead : 0);
}

/* Above this many nodes, going through all pairs or all failures would take hours. */
enum { SURVEY_NODES = 4096 };

/* Properties of the graph, without traffic. */
static void survey(const struct model *model, struct run_result *r)
{
    const struct crosspoint_model *m = (const struct crosspoint_model *)model;
    const struct graph *g = &m->base.graph;
    struct crosspoint_need need = crosspoint_need(&m->base.routes, &m->machine->params);
    run_result_add(r, "nodes", g->nodes - g->dead_nodes);
    run_result_add(r, "links", (double)g->links);
    run_result_add(r, "diameter", m->base.routes.diameter);
    run_result_add(r, "mean_distance", m->base.routes.mean_distance);
    run_result_add(r, "vcs_needed", need.vcs);
    run_result_add(r, "decrements_most", need.vcs - 1);
    add_bisection(m, r);
    if (g->nodes > SURVEY_NODES)
        return;
    add_diameter(r, "diameter_any_link_dead", graph_diameter_link_dead(g));
    add_diameter(r, "diameter_any_node_dead", graph_diameter_node_dead(g));
    survey_disjoint(m, r);
}

static void gather(const struct model *model, struct run_result *r)
{
    const struct crosspoint_model *m = (const struct crosspoint_model *)model;
    run_result_hops(r);
    r->link_protocol = m->machine->params.protocol;
    crosspoint_network_links(m->network, &r->link_report);
}

/* ---- before a run ---- */

/* Without a text: that all routes exist. */
static weft_status prove(const struct config *c, char *text, size_t size)
{
    struct crosspoint_model m = {.base.config = c};
    const struct software_params *software = config_section(c, &software_section);
    bool messages = machine_uses(c, "workload.processes");
    /* Routes of a message that share nothing; 1: messages take the shortest route. */
    uint32_t rails = messages && config_workload(c)->message_bytes >= software->rails_bytes
                         ? software->rails
                         : 1;
    weft_status status = build_graph(&m, c);
    if (status == WEFT_OK && text)
        status = crosspoint_prove(&m.base.routes, &m.machine->params, rails, text, size);
    model_release_graph(&m.base);
    release(&m.base);
    return status;
}

static weft_status check_routes(const struct config *c)
{
    return prove(c, NULL, 0);
}

/* ---- show ---- */

static void print_graph(FILE *out, const struct config *c, const struct graph *g)
{
    const struct crosspoint_config *m = config_crosspoint(c);
    const struct dma_params *dma = config_section(c, &dma_section);
    char a[32];
    struct graph_survey survey = graph_survey(g);
    fprintf(out, "  nodes                  %s of degree %u, %u processors\n",
            text_count(g->nodes - g->dead_nodes, a), g->degree,
            (g->nodes - g->dead_nodes) * dma->queues);
    fprintf(out, "  links, one way         %s at %.6g MB/s\n", text_count(g->links, a),
            m->params.clock_mhz * CROSSPOINT_WORD_BYTES);
    if (!survey.connected) {
        fprintf(out, "  not connected          no route from node %u to node %u\n", survey.cut_from,
                survey.cut_to);
        return;
    }
    show_diameter(out, survey.diameter, "");
    show_mean_distance(out, survey.mean_distance);
}

static void print_graph_peaks(FILE *out, const struct config *c, const struct graph *g)
{
    const struct crosspoint_params *p = &config_crosspoint(c)->params;
    const struct dma_params *dma = config_section(c, &dma_section);
    struct crosspoint_derived d;
    double words = crosspoint_words(dma->packet_bytes) + p->overhead_words;
    double link = p->clock_mhz * dma->packet_bytes / words;
    double port = p->clock_mhz * dma->packet_bytes / crosspoint_words(dma->packet_bytes);
    double engine = dma->mb_per_s < port ? dma->mb_per_s : port;
    struct graph_survey survey = graph_survey(g);
    show_packet(out, dma->packet_bytes, words, "words", link);
    fprintf(out, "  DMA engine at most     %.1f MB/s of payload, each way\n", engine);
    double even = link * (double)g->links / (g->nodes - g->dead_nodes) / survey.mean_distance;
    if (survey.connected && survey.mean_distance > 0)
        fprintf(out, "  even traffic at most   %.1f MB/s per node, %.1f MB/s per processor\n", even,
                even / dma->queues);
    if (crosspoint_params_derive(p, g, &d) == WEFT_OK)
        show_hop(out, d.hop_cycles, d.hop_cycles * 1e3 / p->clock_mhz);
}

/* KAUTZ, Table 1: diameter and bisection, with the tori as in the paper (roots of the number of
 * nodes, no wrap links) and as the nearest real tori. */
static void print_table_1(FILE *out)
{
    fprintf(
        out,
        "\n  diameter/bisection width (KAUTZ, Table 1); real tori and Kautz in one-way links\n");
    fprintf(out, "  %-42s %10s %10s %10s\n", "nodes", "108", "324", "972");
    static const uint32_t sizes[3] = {108, 324, 972};
    char row[5][3][24];
    for (unsigned i = 0; i < 3; i++) {
        static const char *const graphs[3] = {"kautz:3:4", "kautz:3:5", "kautz:3:6"};
        struct graph g;
        uint32_t k = 4 + i, n = sizes[i];
        double root2 = sqrt(n), root3 = cbrt(n);
        struct torus flat, cube;
        torus_near(n, 2, &flat);
        torus_near(n, 3, &cube);
        if (graph_by_rule(graphs[i], &g) != WEFT_OK)
            return;
        snprintf(row[0][i], 24, "%u/%.0f", graph_survey(&g).diameter, 4 * pow(3, k) / (2.0 * k));
        snprintf(row[1][i], 24, "%.1f/%.1f", root2, root2);
        snprintf(row[2][i], 24, "%.1f/%.1f", 1.5 * root3, root3 * root3);
        snprintf(row[3][i], 24, "%u/%u", torus_diameter(&flat),
                 (unsigned)torus_bisection_links(&flat));
        snprintf(row[4][i], 24, "%u/%u", torus_diameter(&cube),
                 (unsigned)torus_bisection_links(&cube));
        graph_fini(&g);
    }
    static const char *const names[5] = {
        "Kautz, d = 3; bound (d+1) d^k / 2k", "2-D torus in the paper: N^1/2, N^1/2",
        "3-D torus in the paper: 3/2 N^1/3, N^2/3", "2-D torus, real", "3-D torus, real"};
    for (unsigned r = 0; r < 5; r++)
        fprintf(out, "  %-42s %10s %10s %10s\n", names[r], row[r][0], row[r][1], row[r][2]);
}

static void show(FILE *out, const struct config *c)
{
    struct graph g;
    if (crosspoint_config_graph(config_crosspoint(c), &g) != WEFT_OK)
        return;
    print_graph(out, c, &g);
    print_graph_peaks(out, c, &g);
    if (strncmp(config_crosspoint(c)->graph, "kautz:3:", 8) == 0)
        print_table_1(out);
    graph_fini(&g);
}

static const struct key_table *const tables[] = {
    &crosspoint_keys, &dma_keys,    &protocol_keys,    &room_keys, &clock_keys, &rails_keys,
    &reduce_keys,     &memory_keys, &node_memory_keys, &io_keys,   &mpi_keys,   &workload_keys,
    &run_keys,        NULL};

const struct family crosspoint_family = {.schema = {"crosspoint", "dma", tables, nic_refusals},
                                         .usual = LAYER_MESSAGES,
                                         .model_size = sizeof(struct crosspoint_model),
                                         FAMILY_FUNCTIONS,
                                         .fingerprint = fingerprint,
                                         .survey = survey,
                                         .release = release};
