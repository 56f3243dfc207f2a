/* Machines on a directed graph: building them, and what is measured of them alone. */
#include "machine/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ranks.h"
#include "fabric/crosspoint/network.h"
#include "fabric/crosspoint/proof.h"
#include "node/dma/source.h"
#include "workload/digraph_workload.h"

struct graph_model {
    struct model base;
    struct digraph graph;
    struct digraph_routes routes;
    struct paths paths;
    uint32_t *partition; /* of each node */
    struct digraph_workload *workload;
    struct sources *sources;
    struct processes *processes;
    struct dmas *dmas;
    struct crosspoint_network *network;
};

/* ---- building ---- */

/* The table of routes is every rank's own; of the network each has its share. */
static weft_status check_memory(const struct config *c, const struct digraph *g)
{
    uint64_t routes = (uint64_t)g->nodes * g->nodes * ranks_here();
    uint64_t network = crosspoint_network_memory(&c->crosspoint, g) * ranks_here() / ranks_count();
    return model_check_memory("machine.graph", g->nodes, routes + network);
}

static weft_status build_graph(struct graph_model *m, const struct config *c)
{
    weft_status status = config_graph(c, &m->graph);
    if (status == WEFT_OK)
        status = check_memory(c, &m->graph);
    if (status != WEFT_OK)
        return status;
    digraph_routes_init(&m->routes, &m->graph);
    status = crosspoint_check_routes(&m->graph, &m->routes, &c->crosspoint);
    return status == WEFT_OK ? paths_init(&m->paths, &m->graph, &m->routes, &c->crosspoint)
                             : status;
}

/* One partition a thread: a graph that is no torus is cut with many links between its parts. */
static weft_status cut(struct graph_model *m, const struct config *c, const struct run_options *o)
{
    uint32_t threads, nodes = m->graph.nodes;
    weft_status status = model_threads(o, &threads);
    uint32_t parts = o->resume ? o->resume->head.cuts[0] : c->partitions ? c->partitions : threads;
    if (status != WEFT_OK)
        return status;
    if (parts > nodes && !c->partitions)
        parts = nodes;
    if (parts > nodes || parts < ranks_count())
        return BAD_INPUT(
            "run.partitions",
            ("%u nodes cannot be cut into %u partitions for %u ranks", nodes, parts, ranks_count()),
            ("use fewer ranks, and run.partitions from their number to that of the nodes"));
    m->base.partitions = parts;
    m->partition = weft_alloc(nodes, sizeof(*m->partition));
    digraph_cut(&m->graph, parts, m->partition);
    return WEFT_OK;
}

/* The clients of the engines: sources of packets, or processes; of a survey, none of them. */
static struct dma_client build_traffic(struct graph_model *m, const struct config *c)
{
    const struct digraph_workload *w = m->workload;
    cycle_t from = c->workload.warmup_cycles, to = from + c->workload.cycles;
    if (w && !w->scripted) {
        struct source_options so = {.paths = &m->paths,
                                    .ctx = m->workload,
                                    .packet = digraph_workload_packet,
                                    .mean_gap_cycles = w->mean_gap_cycles,
                                    .stop_at = to,
                                    .partitions = m->base.partitions,
                                    .seed = c->seed};
        m->sources = sources_create(&so);
        return sources_client(m->sources);
    }
    struct processes_options po = {.paths = &m->paths,
                                   .software = &c->software,
                                   .dma = &c->dma,
                                   .script = w ? w->script : (struct script){.ctx = NULL},
                                   .processes = w ? w->processes : 0,
                                   .per_node = w ? w->per_node : 1,
                                   .partitions = m->base.partitions,
                                   .measure_from = m->base.open ? from : 0,
                                   .measure_to = m->base.open ? to : CYCLE_NEVER};
    m->processes = processes_create(&po);
    return processes_client(m->processes);
}

static weft_status build_network(struct graph_model *m, const struct config *c)
{
    const struct workload_params *w = &c->workload;
    struct dma_options dma = {.params = &c->dma,
                              .switch_params = &c->crosspoint,
                              .partitions = m->base.partitions,
                              .client = build_traffic(m, c)};
    m->dmas = dmas_create(&dma);
    if (m->sources)
        sources_attach(m->sources, m->dmas);
    else
        processes_attach(m->processes, m->dmas);
    struct crosspoint_network_options no = {
        .graph = &m->graph,
        .params = &c->crosspoint,
        .client = dmas_client(m->dmas),
        .partitions = m->base.partitions,
        .partition = m->partition,
        .seed = c->seed,
        .measure_from = m->base.open ? w->warmup_cycles : 0,
        .measure_to = m->base.open ? w->warmup_cycles + w->cycles : CYCLE_NEVER,
        .interval = c->interval_cycles,
    };
    return crosspoint_network_create(&no, &m->network);
}

static weft_status build(struct graph_model *m, const struct config *c, const struct run_options *o)
{
    weft_status status = build_graph(m, c);
    if (status == WEFT_OK)
        status = cut(m, c, o);
    if (status == WEFT_OK && c->workload.pattern != PATTERN_SURVEY)
        status = digraph_workload_create(&c->workload, &m->paths, &c->dma, c->dma.queues, c->seed,
                                         &m->workload);
    if (status != WEFT_OK)
        return status;
    m->base.open = m->workload && m->workload->open;
    if (m->workload && m->workload->scripted && m->base.open) /* they go on for ever */
        m->base.stop_at = c->workload.warmup_cycles + c->workload.cycles;
    status = build_network(m, c);
    m->base.network = (struct network *)m->network;
    return status;
}

static weft_status create(const struct config *c, const struct run_options *o, struct model **model)
{
    struct graph_model *m = weft_alloc(1, sizeof(*m));
    m->base.config = c;
    *model = &m->base;
    return build(m, c, o);
}

static void destroy(struct model *model)
{
    struct graph_model *m = (struct graph_model *)model;
    network_destroy(m->base.network);
    dmas_destroy(m->dmas);
    sources_destroy(m->sources);
    processes_destroy(m->processes);
    digraph_workload_destroy(m->workload);
    free(m->partition);
    digraph_routes_fini(&m->routes);
    digraph_fini(&m->graph);
    free(m);
}

static void archive(struct model *model, struct archive *a)
{
    struct graph_model *m = (struct graph_model *)model;
    archive_same(a, config_graph_hash(model->config)); /* a file may have changed */
    if (m->sources)
        sources_archive(m->sources, a);
    else
        processes_archive(m->processes, a);
    dmas_archive(m->dmas, a);
}

static void cuts(const struct model *model, uint32_t out[TORUS_MAX_DIMS])
{
    out[0] = model->partitions;
    for (unsigned d = 1; d < TORUS_MAX_DIMS; d++)
        out[d] = 1;
}

/* ---- gathering ---- */

static void gather_links(const struct graph_model *m, struct run_result *r)
{
    static const char *const names[MEASURE_PORTS] = {"out0", "out1", "out2", "out3",
                                                     "out4", "out5", "out6"};
    const struct digraph *g = &m->graph;
    double busy = 0, links = (double)g->links, span = (double)r->span;
    for (uint32_t port = 0; port < g->degree; port++) {
        for (uint32_t node = 0; node < g->nodes; node++)
            r->links_by_port[port] += g->to[node * g->degree + port].node != DIGRAPH_NO_NODE;
        r->port_name[port] = names[port];
        r->utilisation_by_port[port] =
            model_ratio((double)r->measure.busy[port], (double)r->links_by_port[port] * span);
        busy += (double)r->measure.busy[port];
    }
    r->link_utilisation = model_ratio(busy, links * span);
    double payload =
        (double)(r->open ? r->measure.window_payload_hop_bytes : r->measure.payload_hop_bytes);
    r->payload_utilisation = model_ratio(payload, links * span * CROSSPOINT_WORD_BYTES);
    run_result_add(r, "busiest_link_utilisation",
                   model_ratio((double)crosspoint_network_busiest(m->network), span));
}

static void gather_vcs(const struct graph_model *m, struct run_result *r)
{
    const struct crosspoint_params *p = &m->base.config->crosspoint;
    double ports = m->graph.degree + 1, span = (double)r->span;
    double entries = m->graph.nodes * (ports * ports - 1) * p->buffer_packets;
    r->vcs = p->vcs;
    for (unsigned v = 0; v < p->vcs; v++)
        r->vc[v] = (struct run_vc){
            .name = crosspoint_vc_name(v),
            .share = model_ratio((double)r->measure.hops_by_vc[v], (double)r->measure.hops),
            .occupancy = model_ratio((double)r->measure.occupied[v], entries * span),
            .unavailable_share = -1, /* not measured: a VC may take shared entries */
        };
}

static void gather_processes(const struct graph_model *m, struct run_result *r)
{
    const struct config *c = m->base.config;
    struct processes_result p = processes_result(m->processes);
    double rate = config_cycles_per_second(c), rounds = c->workload.messages;
    double seconds = (double)(r->open ? c->workload.cycles : p.ended) / rate;
    if (!p.active)
        return;
    if (!r->open) {
        r->cycles = p.ended;
        r->sim_seconds = seconds;
    }
    run_result_add(r, "processes", (double)p.active);
    run_result_add(r, "messages_received", (double)p.messages);
    run_result_add(r, "bytes_per_process_second", p.mean_rate);
    run_result_add(r, "least_bytes_per_process_second", p.receivers ? (double)p.least_rate : 0);
    run_result_add(r, "most_bytes_per_process_second", (double)p.most_rate);
    run_result_add(r, "total_bytes_per_second", model_ratio((double)p.bytes, seconds));
    if (!r->open)
        run_result_add(r, "seconds_per_round", seconds / rounds);
    if (p.rail_messages)
        run_result_add(r, "rails_per_message", (double)p.rail_streams / (double)p.rail_messages);
    if (c->workload.pattern == PATTERN_PINGPONG)
        r->one_way_cycles = (double)p.ended / (2 * rounds);
}

/* Routes that share nothing, of all pairs: the fewest that there are, and their mean length. */
static void survey_disjoint(const struct graph_model *m, struct run_result *r)
{
    const struct digraph *g = &m->graph;
    struct digraph_route route[DIGRAPH_MAX_DEGREE];
    uint32_t rails = m->base.config->software.rails, least = UINT32_MAX;
    double hops = 0, routes = 0;
    for (uint32_t from = 0; from < g->nodes; from++)
        for (uint32_t to = 0; to < g->nodes; to++) {
            if (from == to || g->dead[from] || g->dead[to])
                continue;
            uint32_t count = digraph_disjoint_routes(g, from, to, rails, route);
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

/* Unless a failure cuts the graph. */
static void add_diameter(struct run_result *r, const char *name, uint32_t diameter)
{
    if (diameter != UINT32_MAX)
        run_result_add(r, name, diameter);
}

/* Beyond so many nodes what takes all pairs of them, or all failures, would take hours. */
enum { SURVEY_NODES = 4096 };

/* What the graph is: without traffic. */
static void gather_survey(const struct graph_model *m, struct run_result *r)
{
    const struct digraph *g = &m->graph;
    struct digraph_survey survey = digraph_survey(g);
    struct crosspoint_need need = crosspoint_need(g, &m->routes, &m->base.config->crosspoint);
    run_result_add(r, "nodes", g->nodes - g->dead_nodes);
    run_result_add(r, "links", (double)g->links);
    run_result_add(r, "diameter", survey.diameter);
    run_result_add(r, "mean_distance", survey.mean_distance);
    run_result_add(r, "vcs_needed", need.vcs);
    run_result_add(r, "decrements_most", need.vcs - 1);
    if (strncmp(m->base.config->graph, "kautz:", 6) == 0) /* Rolim et al. 1998 (KAUTZ, 5) */
        run_result_add(r, "bisection_bound", (double)g->nodes * g->degree / (2 * survey.diameter));
    if (g->nodes > SURVEY_NODES)
        return;
    add_diameter(r, "diameter_any_link_dead", digraph_diameter_link_dead(g));
    add_diameter(r, "diameter_any_node_dead", digraph_diameter_node_dead(g));
    survey_disjoint(m, r);
}

static void gather(const struct model *model, struct run_result *r)
{
    const struct graph_model *m = (const struct graph_model *)model;
    const struct digraph_workload *w = m->workload;
    if (!w) {
        gather_survey(m, r);
        return;
    }
    gather_links(m, r);
    gather_vcs(m, r);
    if (!w->scripted && w->rate_bound > 0)
        r->fraction_of_peak = model_ratio((double)r->measure.window_delivered,
                                          (double)r->span * w->senders * w->rate_bound);
    if (w->scripted)
        gather_processes(m, r);
    if (r->measure.delivered)
        run_result_add(r, "hops_per_packet",
                       (double)r->measure.hops / (double)r->measure.delivered);
    r->link_protocol = model->config->crosspoint.protocol;
    crosspoint_network_links(m->network, &r->link_report);
}

/* ---- before it runs ---- */

static weft_status check_routes(const struct config *c)
{
    struct graph_model m = {.base.config = c};
    weft_status status = build_graph(&m, c);
    digraph_routes_fini(&m.routes);
    digraph_fini(&m.graph);
    return status;
}

/* Routes of a message that share nothing; 1: its messages take the shortest. */
static uint32_t rails_in_use(const struct config *c)
{
    bool messages = pattern_is_scripted(c->workload.pattern);
    return messages && c->workload.message_bytes >= c->software.rails_bytes ? c->software.rails : 1;
}

static weft_status prove(const struct config *c, char *text, size_t size)
{
    struct graph_model m = {.base.config = c};
    weft_status status = build_graph(&m, c);
    if (status == WEFT_OK)
        status = crosspoint_prove(&m.graph, &m.routes, &c->crosspoint, rails_in_use(c), text, size);
    digraph_routes_fini(&m.routes);
    digraph_fini(&m.graph);
    return status;
}

const struct model_kind model_graph = {.create = create,
                                       .destroy = destroy,
                                       .archive = archive,
                                       .cuts = cuts,
                                       .gather = gather,
                                       .check_routes = check_routes,
                                       .prove = prove};
