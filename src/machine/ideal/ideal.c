/* The ideal family: LogGOPS, a network without contention inside. */
#include "machine/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "fabric/ideal/network.h"
#include "machine/machine.h"
#include "node/ports/ports.h"
#include "workload/patterns/patterns.h"

struct ideal_model {
    struct model base;
    const struct ideal_config *machine;
    const struct ports_params *params;
    struct ideal_topology topology;
    struct ideal_network *network;
};

static struct ideal_config *config_ideal(const struct config *c)
{
    return config_section(c, &ideal_section);
}

/* ---- configurations ---- */

static weft_status finish(struct config *c)
{
    TRY(model_check_node_memory(c, false));
    return ideal_config_finish(config_ideal(c));
}

static struct machine_facts facts(const struct config *c)
{
    return (struct machine_facts){
        .nodes = config_ideal(c)->nodes,
        .cycles_per_second = IDEAL_CYCLES_PER_SECOND,
        .processors = ((const struct ports_params *)config_section(c, &ports_section))->processors,
        .sizes = {.most = config_ideal(c)->packet_bytes, .most_key = "machine.payload_bytes"}};
}

static unsigned offers(const struct config *c)
{
    const char *topology = config_ideal(c)->topology;
    bool grid = strncmp(topology, "torus:", 6) == 0 || strncmp(topology, "mesh:", 5) == 0;
    return grid ? SITE_COORDINATES : 0;
}

static const char *size_text(const struct config *c, char text[CONFIG_TEXT])
{
    const struct ideal_config *m = config_ideal(c);
    if (strcmp(m->topology, "none") == 0)
        snprintf(text, CONFIG_TEXT, "%u", m->nodes);
    else
        strcpy(text, m->topology);
    return text;
}

static weft_status check_routes(const struct config *c)
{
    struct ideal_topology t;
    weft_status status = ideal_topology_init(&t, config_ideal(c));
    ideal_topology_fini(&t);
    return status;
}

static weft_status prove(const struct config *c, char *text, size_t size)
{
    (void)c;
    text_append(text, size, 0, "no buffer inside the network can be full, so nothing waits");
    return WEFT_OK;
}

/* ---- the site ---- */

static const struct ideal_model *model_at(const struct site *site)
{
    return site->ctx;
}

static double slot(const struct site *site, double bytes)
{
    return ports_slot(model_at(site)->params, bytes);
}

static double tail(const struct site *site, double bytes)
{
    const struct ports_params *p = model_at(site)->params;
    return ports_slot(p, bytes) - bytes * 1e3 / p->mb_per_s;
}

static uint32_t distance(const struct site *site, uint32_t from, uint32_t to)
{
    return ideal_distance(&model_at(site)->topology, from, to);
}

static uint32_t diameter(const struct site *site)
{
    return model_at(site)->topology.diameter;
}

/* In a topology without links, neighbours are the nodes with the numbers before and after. */
static uint32_t behind(const struct site *site, uint32_t node, unsigned port)
{
    const struct ideal_topology *t = &model_at(site)->topology;
    if (t->torus.dims)
        return torus_neighbour(&t->torus, node, port);
    if (t->graph.nodes)
        return graph_end_at(&t->graph, node, port)->node;
    return t->nodes > 1 ? (node + (port ? t->nodes - 1 : 1)) % t->nodes : NOBODY;
}

/* Packets into each node. */
static void add_flow(void *ctx, uint32_t from, uint32_t to, double packets)
{
    double *into = ctx;
    (void)from;
    into[to] += packets;
}

/* The busiest port sets the bound. */
static double find_bound(const struct site *site, const struct flows *f, uint32_t *senders)
{
    const struct workload *w = f->workload;
    double most = flows_most(f);
    *senders = site->nodes;
    if (flows_are_hot(f)) {
        const struct hot_box *box = w->hot;
        *senders -= box->apart ? box->nodes : 0;
        double rest = most * (1 - box->share);
        double hot = (box->apart ? 0 : rest) + box->share * *senders / box->nodes;
        most = box->apart ? rest : most;
        most = hot > most ? hot : most;
    } else if (!f->uniform) {
        double *into = memory_alloc(site->nodes, sizeof(*into));
        *senders = flows_each(f, add_flow, into);
        for (uint32_t node = 0; node < site->nodes; node++)
            most = into[node] > most ? into[node] : most;
        free(into);
    }
    return most * slot(site, workload_mean_bytes(w));
}

static void fill_site(struct ideal_model *m)
{
    const struct torus *torus = &m->topology.torus;
    const struct graph *graph = &m->topology.graph;
    m->base.site = (struct site){.torus = torus->dims ? torus : NULL,
                                 .packet_payload = m->machine->packet_bytes,
                                 .tail = tail,
                                 .slot = slot,
                                 .distance = distance,
                                 .diameter = diameter,
                                 .behind = behind,
                                 .ports = torus->dims    ? 2 * torus->dims
                                          : graph->nodes ? graph->degree
                                                         : 2,
                                 .bound = find_bound};
}

/* ---- building ---- */

/* A message that takes too long does not fit into the simulator's times. */
static weft_status check_times(const struct ideal_model *m, const struct run_options *o)
{
    const struct workload *w = m->base.workload;
    const struct ports_params *p = m->params;
    double bytes = o->host || !w ? UINT32_MAX : (double)w->params.message_bytes;
    double wire = m->machine->latency_ns + m->machine->hop_ns * m->topology.diameter;
    const struct software_params *software = config_section(m->base.config, &software_section);
    double cycles = wire + ports_slot(p, bytes) + 2 * bytes * software->byte_ns;
    if (cycles <= IDEAL_LONGEST_CYCLES)
        return WEFT_OK;
    return BAD_INPUT(
        "machine.port.mb_per_s",
        ("a message of %.0f B may take %.0f s of simulated time", bytes, cycles * 1e-9),
        ("use faster ports, shorter latencies or shorter messages, for at most %.0f s",
         IDEAL_LONGEST_CYCLES * 1e-9));
}

static weft_status prepare(struct model *model)
{
    struct ideal_model *m = (struct ideal_model *)model;
    m->machine = config_ideal(model->config);
    m->params = config_section(model->config, &ports_section);
    TRY(model_check_memory("machine.nodes", m->machine->nodes,
                           ideal_network_memory(m->machine->nodes), 0));
    TRY(ideal_topology_init(&m->topology, m->machine));
    fill_site(m);
    return WEFT_OK;
}

static weft_status cut(struct model *model, const struct run_options *o)
{
    const struct ideal_config *c = ((const struct ideal_model *)model)->machine;
    return model_cut(model, o, c->nodes, c->partitions);
}

static weft_status build(struct model *model, const struct run_options *o)
{
    struct ideal_model *m = (struct ideal_model *)model;
    TRY(check_times(m, o));
    model_attach(model, ports_create(m->params, &ideal_face, model->partitions));
    struct ideal_network_options no = {.config = m->machine,
                                       .topology = &m->topology,
                                       .client = nic_face_client(model->nic),
                                       .partitions = model->partitions,
                                       .plan = model_plan(model)};
    weft_status status = ideal_network_create(&no, &m->network);
    model->network = (struct network *)m->network;
    return status;
}

static void release(struct model *model)
{
    ideal_topology_fini(&((struct ideal_model *)model)->topology);
}

/* ---- what it is ---- */

/* A node's ports are all that is measured, and only with run.detail. */
static void map(const struct model *model, struct links_map *map)
{
    const struct ideal_model *m = (const struct ideal_model *)model;
    *map = (struct links_map){.vertices = m->machine->nodes,
                              .shape = m->topology.torus,
                              .direction = {"out", "in"},
                              .directions = IDEAL_PORTS,
                              .rows = model->network->plan.detail ? m->machine->nodes : 0,
                              .ports = IDEAL_PORTS,
                              .rooms = 1};
}

static bool find_link(const struct model *model, uint32_t node, unsigned port,
                      struct machine_link *link)
{
    struct nic_node at = model_locate(model, node);
    uint32_t slot = ideal_slot(at.local, port);
    *link = (struct machine_link){.from = node,
                                  .to = node,
                                  .direction = (uint8_t)port,
                                  .busy = network_slot_busy(model->network, at.partition, slot),
                                  .sender = {at.partition, slot},
                                  .receiver = {NO_PARTITION, 0}};
    return true;
}

static void gather(const struct model *model, struct run_result *r)
{
    const struct ideal_model *m = (const struct ideal_model *)model;
    for (unsigned port = 0; port < IDEAL_PORTS; port++)
        r->links_by_port[port] = m->machine->nodes;
    run_result_links(r, m->params->mb_per_s / 1e3);
    /* run_result_links() counts payload per hop; here each byte passes one port out. */
    double payload =
        (double)(r->open ? r->measure.window_payload_hop_bytes : r->measure.payload_bytes);
    r->payload_utilisation =
        run_ratio(payload * 1e3 / m->params->mb_per_s, (double)m->machine->nodes * (double)r->span);
}

static void show(FILE *out, const struct config *c)
{
    const struct ideal_config *m = config_ideal(c);
    const struct ports_params *p = config_section(c, &ports_section);
    const struct software_params *s = config_section(c, &software_section);
    char count[32];
    double fixed = s->send_ns + m->latency_ns + s->receive_ns;
    double byte = 1e3 / p->mb_per_s + 2 * s->byte_ns;
    fprintf(out, "  nodes                  %s, with a port of %.6g MB/s each way\n",
            text_count(m->nodes, count), p->mb_per_s);
    fprintf(out, "  one way, n bytes       %.6g ns", fixed);
    if (m->hop_ns > 0)
        fprintf(out, " + %.6g ns per hop", m->hop_ns);
    fprintf(out, " + n x %.6g ns; above %u B, a request and its answer come first\n", byte,
            s->eager_bytes);
}

static const struct key_table *const tables[] = {
    &ideal_keys,    &ports_keys,      &protocol_keys,    &clock_keys, &byte_keys,
    &reduce_keys,   &memory_keys,     &node_memory_keys, &io_keys,    &mpi_keys,
    &workload_keys, &coordinate_keys, &run_keys,         NULL};

const struct family ideal_family = {.schema = {"ideal", "ports", tables, nic_refusals},
                                    .usual = LAYER_MESSAGES,
                                    .model_size = sizeof(struct ideal_model),
                                    FAMILY_FUNCTIONS,
                                    .release = release};
