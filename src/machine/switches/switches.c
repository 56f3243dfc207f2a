/* The switches family: hosts at switches, in dragonflies, fat trees, HyperX, tori, other graphs. */
#include "machine/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "fabric/switches/network.h"
#include "machine/machine.h"
#include "node/adapter/adapter.h"

enum { TO_HOST, FROM_HOST, HOST_DIRECTIONS };

struct switches_model {
    struct model base;
    const struct switches_config *machine;
    const struct adapter_params *adapter;
    struct switches_routing routing;
    struct switches_face face;
    struct switches_network *network;
};

static struct switches_config *config_switches(const struct config *c)
{
    return config_section(c, &switches_section);
}

static const struct adapter_params *config_adapter(const struct config *c)
{
    return config_section(c, &adapter_section);
}

/* ---- configurations ---- */

static weft_status finish(struct config *c)
{
    TRY(model_check_node_memory(c, false));
    return switches_config_finish(config_switches(c), config_adapter(c)->packet_bytes);
}

static struct machine_facts facts(const struct config *c)
{
    return (struct machine_facts){.nodes = config_switches(c)->hosts,
                                  .cycles_per_second =
                                      switches_mhz(&config_switches(c)->params) * 1e6,
                                  .processors = config_adapter(c)->processors,
                                  .sizes = {.most = config_adapter(c)->packet_bytes,
                                            .most_key = "machine.adapter.payload_bytes"}};
}

static unsigned offers(const struct config *c)
{
    struct graph g;
    unsigned has = SITE_TOPOLOGY;
    if (switches_config_graph(config_switches(c), &g) == WEFT_OK)
        has |= (graph_torus(&g) ? SITE_COORDINATES : 0u) | (g.group ? SITE_GROUPS : 0u);
    graph_fini(&g);
    return has;
}

static const char *size_text(const struct config *c, char text[CONFIG_TEXT])
{
    return strcpy(text, config_switches(c)->graph);
}

static uint64_t fingerprint(const struct config *c)
{
    struct graph g;
    uint64_t hash = 0;
    if (switches_config_graph(config_switches(c), &g) == WEFT_OK)
        hash = graph_hash(&g);
    graph_fini(&g);
    return hash;
}

/* ---- the site ---- */

static const struct switches_model *model_at(const struct site *site)
{
    return site->ctx;
}

static double slot(const struct site *site, double bytes)
{
    return switches_words(&model_at(site)->machine->params, (uint32_t)ceil(bytes));
}

/* Links between the switches of two hosts. */
static uint32_t distance(const struct site *site, uint32_t from, uint32_t to)
{
    const struct graph_routes *routes = &model_at(site)->base.routes;
    const uint32_t *host_switch = model_at(site)->base.graph.host_switch;
    return graph_routes_hops(routes, host_switch[from], routes->leaf[host_switch[to]]);
}

/* The first hosts of the switches that a host's own is linked with, and those beside it. */
static uint32_t behind(const struct site *site, uint32_t host, unsigned port)
{
    const struct graph *g = &model_at(site)->base.graph;
    uint32_t node = g->host_switch[host];
    if (port < g->ports[node]) {
        uint32_t to = graph_end_at(g, node, port)->node;
        return graph_hosts_at(g, to) ? g->first_host[to] : NOBODY;
    }
    uint32_t other = g->first_host[node] + port - g->ports[node];
    return other < g->first_host[node + 1] && other != host ? other : NOBODY;
}

/* The load of one packet from each sender: on all links together, on those that packets must take,
 * and on the way into each host. */
struct loads {
    const struct switches_model *model;
    double hops, *into;
    double *forced; /* [switch * degree + port]; NULL: not asked for */
};

/* Along a minimal route as far as there is no choice. */
static void add_forced(struct loads *loads, uint32_t from, uint32_t to, double packets)
{
    const struct switches_model *m = loads->model;
    const struct graph *g = &m->base.graph;
    uint32_t node = g->host_switch[from], end = g->host_switch[to];
    while (node != end) {
        uint64_t ports = graph_routes_ports(&m->base.routes, node, m->base.routes.leaf[end]);
        unsigned port = (unsigned)__builtin_ctzll(ports);
        if (ports & (ports - 1))
            return;
        loads->forced[(size_t)node * g->degree + port] += packets;
        node = graph_end_at(g, node, port)->node;
    }
}

static void add_flow(void *ctx, uint32_t from, uint32_t to, double packets)
{
    struct loads *loads = ctx;
    loads->hops += packets * distance(&loads->model->base.site, from, to);
    loads->into[to] += packets;
    if (loads->forced)
        add_forced(loads, from, to, packets);
}

/*
 * What no routing can beat: a host's lanes, and all links together, if every packet takes a minimal
 * route and they share the work evenly. Rates between hosts also count what minimal routes leave no
 * choice about; patterns do not, so that their load means the same whatever the routing.
 */
static double find_bound(const struct site *site, const struct flows *f, uint32_t *senders)
{
    const struct switches_model *m = model_at(site);
    const struct graph *g = &m->base.graph;
    const struct byte_list *sizes = &f->workload->params.packet_bytes;
    struct loads loads = {.model = m, .into = memory_alloc(g->hosts, sizeof(double))};
    double words = 0, into = flows_most(f), forced = 0;
    size_t ends = (size_t)g->nodes * g->degree;
    if (f->rates && !routing_rules[m->machine->params.algorithm].can_detour)
        loads.forced = memory_alloc(ends, sizeof(double));
    for (uint32_t i = 0; i < sizes->count; i++)
        words += switches_words(&m->machine->params, sizes->value[i]) / (double)sizes->count;
    if (f->uniform) {
        *senders = g->hosts > 1 ? g->hosts : 0;
        loads.hops = f->packets * g->hosts * m->base.routes.mean_distance;
    } else {
        *senders = flows_each(f, add_flow, &loads);
    }
    for (uint32_t host = 0; host < g->hosts; host++)
        into = loads.into[host] > into ? loads.into[host] : into;
    for (size_t i = 0; loads.forced && i < ends; i++)
        forced = fmax(forced, loads.forced[i]);
    free(loads.into);
    free(loads.forced);
    double lanes = into * words / m->machine->params.lanes;
    double links = g->links ? loads.hops * words / (double)g->links : 0;
    return fmax(fmax(lanes, links), forced * words);
}

static void fill_site(struct switches_model *m)
{
    m->base.site = (struct site){.torus = graph_torus(&m->base.graph),
                                 .whole = true,
                                 .ways = m->machine->params.lanes,
                                 .packet_payload = m->adapter->packet_bytes,
                                 .group = m->base.graph.group * graph_hosts_at(&m->base.graph, 0),
                                 .slot = slot,
                                 .distance = distance,
                                 .diameter = graph_model_diameter,
                                 .behind = behind,
                                 .ports = GRAPH_MAX_PORTS,
                                 .bound = find_bound};
}

/* ---- building ---- */

static weft_status build_routes(struct switches_model *m, const struct config *c)
{
    const struct run_params *run = config_section(c, &run_section);
    m->machine = config_switches(c);
    m->adapter = config_adapter(c);
    TRY(switches_config_graph(m->machine, &m->base.graph));
    TRY(model_check_memory("machine.graph", m->base.graph.hosts,
                           switches_network_memory(&m->machine->params, &m->base.graph),
                           graph_routes_memory(&m->base.graph)));
    TRY(graph_routes_init(&m->base.routes, &m->base.graph));
    return switches_routing_init(&m->routing, &m->machine->params, &m->base.graph, &m->base.routes,
                                 run->seed);
}

static weft_status prepare(struct model *model)
{
    struct switches_model *m = (struct switches_model *)model;
    TRY(build_routes(m, model->config));
    model->input_hash = graph_hash(&m->base.graph);
    fill_site(m);
    return WEFT_OK;
}

static weft_status cut(struct model *model, const struct run_options *o)
{
    return model_cut_graph(model, o, ((struct switches_model *)model)->machine->partitions);
}

static weft_status build(struct model *model, const struct run_options *o)
{
    struct switches_model *m = (struct switches_model *)model;
    const struct switches_params *p = &m->machine->params;
    bool ordered = !model->workload || model->workload->as == LAYER_MESSAGES;
    (void)o;
    m->face = switches_face_make(&m->routing);
    model_attach(model, adapters_create(m->adapter, &m->face.face, ordered, model->partitions));
    struct switches_network_options no = {.routing = &m->routing,
                                          .client = nic_face_client(model->nic),
                                          .partitions = model->partitions,
                                          .partition = model->partition,
                                          .full_words = switches_words(p, m->adapter->packet_bytes),
                                          .plan = model_plan(model)};
    weft_status status = switches_network_create(&no, &m->network);
    model->network = (struct network *)m->network;
    return status;
}

static void locate(const struct model *model, struct nic_node *at)
{
    switches_network_locate(((const struct switches_model *)model)->network, at->node,
                            &at->partition, &at->local);
}

/* ---- gathering ---- */

/* A virtual channel in results. */
static const struct {
    const char *name, *wait, *wait_most;
} vc_names[SWITCHES_VCS] = {
#define VC(NUMBER)                                                                                 \
    {                                                                                              \
        "VC" #NUMBER, "head_wait_vc" #NUMBER, "head_wait_most_vc" #NUMBER                          \
    }
    VC(0), VC(1), VC(2), VC(3), VC(4),
    VC(5), VC(6), VC(7)
#undef VC
};

/* Links between switches by (switch, port); with run.detail also those of hosts: what a port of a
 * switch gives to a host, and what it gets from one. */
static void map(const struct model *model, struct links_map *map)
{
    const struct switches_model *m = (const struct switches_model *)model;
    const struct graph *g = &m->base.graph;
    const struct switches_params *p = &m->machine->params;
    double inputs = (double)g->links + (double)g->hosts * p->lanes;
    *map = (struct links_map){.vertices = g->hosts + g->nodes,
                              .switches = g->nodes,
                              .shape = g->grid.torus,
                              .directions = g->sorts + HOST_DIRECTIONS,
                              .of_hosts = HOST_DIRECTIONS,
                              .rows = model->network->plan.detail ? 2 * g->nodes : g->nodes,
                              .ports = GRAPH_MAX_PORTS,
                              .bytes_per_cycle = p->word_bytes,
                              .vcs = p->vcs,
                              .rooms = 1,
                              .switch_of = memory_alloc(g->hosts, sizeof(uint32_t))};
    for (uint32_t host = 0; host < g->hosts; host++)
        map->switch_of[host] = g->hosts + g->host_switch[host];
    for (unsigned sort = 0; sort < g->sorts; sort++)
        map->direction[sort] = g->sort_name[sort];
    map->direction[g->sorts + TO_HOST] = "to host";
    map->direction[g->sorts + FROM_HOST] = "from host";
    for (unsigned vc = 0; vc < p->vcs; vc++) {
        map->vc_name[vc] = vc_names[vc].name;
        map->queue[vc] = p->vc_words;
        map->queues[vc] = inputs * p->vc_words;
    }
}

/* A link between a switch and a host at its port, to it or from it. */
static bool find_host_link(const struct switches_model *m, uint32_t node, unsigned port, bool to,
                           struct machine_link *link)
{
    const struct graph *g = &m->base.graph;
    uint32_t host = g->first_host[node] + (port - g->ports[node]) / m->machine->params.lanes;
    const struct network *n = m->base.network;
    if (!n->plan.detail || host >= g->first_host[node + 1])
        return false;
    uint32_t partition = m->base.partition[node], slot = network_slot(n, node, port);
    uint32_t sender = to ? slot : slot + n->slots / 2;
    *link = (struct machine_link){.from = to ? g->hosts + node : host,
                                  .to = to ? host : g->hosts + node,
                                  .direction = (uint8_t)(g->sorts + (to ? TO_HOST : FROM_HOST)),
                                  .busy = network_slot_busy(n, partition, sender),
                                  .sender = {partition, sender},
                                  .receiver = {to ? NO_PARTITION : partition, slot}};
    return true;
}

static bool find_link(const struct model *model, uint32_t row, unsigned port,
                      struct machine_link *link)
{
    const struct switches_model *m = (const struct switches_model *)model;
    const struct graph *g = &m->base.graph;
    uint32_t node = row % g->nodes;
    bool from_host = row >= g->nodes;
    if (port >= g->ports[node])
        return find_host_link(m, node, port, !from_host, link);
    if (from_host)
        return false;
    const struct graph_end *e = graph_end_at(g, node, port);
    *link = model_link(model, node, port, e->node, e->port, LINK_GOOD);
    link->from += g->hosts;
    link->to += g->hosts;
    link->direction = e->sort;
    return true;
}

/* How long heads of queues waited, by VC; and how equal that is, by Jain's index: 1 if all VCs wait
 * the same on average, 1/n if only one of n does. */
static void gather_waits(const struct switches_model *m, struct run_result *r)
{
    struct switches_waits w = switches_network_waits(m->network);
    double sum = 0, squares = 0, used = 0;
    for (unsigned vc = 0; vc < m->machine->params.vcs; vc++) {
        if (!w.packets[vc])
            continue;
        double mean = (double)w.cycles[vc] / (double)w.packets[vc];
        run_result_add(r, vc_names[vc].wait, mean);
        run_result_add(r, vc_names[vc].wait_most, (double)w.longest[vc]);
        sum += mean;
        squares += mean * mean;
        used++;
    }
    if (squares > 0)
        run_result_add(r, "vc_fairness", run_fairness(sum, squares, used));
    if (w.decided)
        run_result_add(r, "detour_share", (double)w.detours / (double)w.decided);
}

static void survey(const struct model *model, struct run_result *r)
{
    const struct switches_model *m = (const struct switches_model *)model;
    run_result_add(r, "hosts", m->base.graph.hosts);
    run_result_add(r, "switches", m->base.graph.nodes);
    run_result_add(r, "links", (double)m->base.graph.links);
    run_result_add(r, "diameter", m->base.routes.diameter);
    run_result_add(r, "mean_distance", m->base.routes.mean_distance);
    run_result_add(r, "vcs_needed", m->routing.needed);
}

static void gather(const struct model *model, struct run_result *r)
{
    gather_waits((const struct switches_model *)model, r);
    run_result_hops(r);
}

/* ---- before a run ---- */

/* Without a text: that all routes exist. */
static weft_status prove(const struct config *c, char *text, size_t size)
{
    struct switches_model m = {.base.config = c};
    weft_status status = build_routes(&m, c);
    if (status == WEFT_OK && text)
        status = switches_prove(&m.routing, text, size);
    model_release_graph(&m.base);
    return status;
}

static weft_status check_routes(const struct config *c)
{
    return prove(c, NULL, 0);
}

/* ---- show ---- */

static void show(FILE *out, const struct config *c)
{
    struct switches_model m = {.base.config = c};
    const struct switches_params *p = &config_switches(c)->params;
    char a[32], b[32];
    if (build_routes(&m, c) == WEFT_OK) {
        const struct graph *g = &m.base.graph;
        uint32_t full = config_adapter(c)->packet_bytes, words = switches_words(p, full);
        double link = p->mb_per_s * full / ((double)words * p->word_bytes);
        fprintf(out, "  hosts                  %s at %s switch%s, %u processor%s each\n",
                text_count(g->hosts, a), text_count(g->nodes, b), g->nodes == 1 ? "" : "es",
                config_adapter(c)->processors, config_adapter(c)->processors == 1 ? "" : "s");
        fprintf(out, "  links, one way         %s at %.6g MB/s between switches\n",
                text_count(g->links, a), p->mb_per_s);
        show_diameter(out, m.base.routes.diameter, " between switches");
        show_mean_distance(out, m.base.routes.mean_distance);
        fprintf(out, "  virtual channels       %u; routes need %u\n", p->vcs, m.routing.needed);
        show_packet(out, full, words, "words", link);
        if (m.base.routes.mean_distance > 0)
            fprintf(out, "  even traffic at most   %.1f MB/s per host\n",
                    fmin(link * p->lanes,
                         link * (double)g->links / g->hosts / m.base.routes.mean_distance));
        uint32_t hop = p->switch_cycles + p->wire_cycles;
        show_hop(out, hop, hop * 1e3 / switches_mhz(p));
    } else {
        fprintf(out, "  %s\n", weft_last_error());
    }
    model_release_graph(&m.base);
}

static const struct key_table *const tables[] = {
    &switches_keys, &adapter_keys,    &protocol_keys,    &room_keys, &clock_keys,
    &reduce_keys,   &memory_keys,     &node_memory_keys, &io_keys,   &mpi_keys,
    &workload_keys, &coordinate_keys, &run_keys,         NULL};

const struct family switches_family = {.schema = {"switches", "adapter", tables, nic_refusals},
                                       .usual = LAYER_MESSAGES,
                                       .model_size = sizeof(struct switches_model),
                                       FAMILY_FUNCTIONS,
                                       .fingerprint = fingerprint,
                                       .locate = locate,
                                       .survey = survey};
