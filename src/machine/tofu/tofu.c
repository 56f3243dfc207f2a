/* The Tofu family: the K computer and its kin. */
#include "machine/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "fabric/tofu/load.h"
#include "fabric/tofu/network.h"
#include "fabric/tofu/route.h"
#include "machine/machine.h"
#include "machine/tofu/swaps.h"
#include "node/tni/tni.h"

struct tofu_model {
    struct model base;
    const struct tofu_config *machine;
    const struct tni_params *tni;
    struct tofu_routing routing;
    struct tofu_outages outages; /* none: no unit is swapped */
    struct tofu_derived derived;
    struct tofu_face face;
    struct tofu_network *network;
    uint16_t *class; /* by node: computing or I/O; NULL: there is no I/O plane */
};

_Static_assert((int)TNI_ENGINES == TOFU_ENGINES && (int)TNI_PATHS == TOFU_PATHS,
               "the keys of the nic allow what the network has");

/* Traffic between compute nodes, and traffic to, from and between nodes of the I/O plane. */
enum traffic { TRAFFIC_COMPUTE, TRAFFIC_IO, TRAFFICS };

static struct tofu_config *config_tofu(const struct config *c)
{
    return config_section(c, &tofu_section);
}

static const struct tni_params *config_tni(const struct config *c)
{
    return config_section(c, &tni_section);
}

/* ---- configurations ---- */

static weft_status finish(struct config *c)
{
    const struct tni_params *tni = config_tni(c);
    const struct software_params *software = config_section(c, &software_section);
    TRY(tofu_config_finish(config_tofu(c)));
    TRY(model_check_node_memory(c, true));
    if (pattern_is_jobs(config_workload(c)->pattern))
        TRY(tofu_swaps_check(config_tofu(c), NULL));
    if (software->rendezvous == RENDEZVOUS_GET && software->rails > 1)
        return BAD_INPUT("machine.node.rendezvous machine.node.rails",
                         ("a message that its receiver gets goes over one path"),
                         ("use machine.node.rails=1, or machine.node.rendezvous=put"));
    if (tofu_lines(tni->header_bytes, tni->packet_bytes) > TOFU_MAX_LINES)
        return BAD_INPUT("machine.tni.payload_bytes machine.tni.header_bytes",
                         ("machine.tni.payload_bytes = %u with a header of %u does not fit a "
                          "packet of %d",
                          tni->packet_bytes, tni->header_bytes, TOFU_MAX_LINES * TOFU_LINE_BYTES),
                         ("use less"));
    return WEFT_OK;
}

static struct machine_facts facts(const struct config *c)
{
    return (struct machine_facts){
        .nodes = config_tofu(c)->shape.nodes,
        .dead_nodes = config_tofu(c)->faults.nodes,
        .damaged = tofu_faults_any(&config_tofu(c)->faults) || config_tofu(c)->swaps.count > 0,
        .cycles_per_second = config_tofu(c)->router.link_mb_per_s * 1e6 / TOFU_LINE_BYTES,
        .processors = config_tni(c)->queues,
        .sizes = {.most = config_tni(c)->packet_bytes, .most_key = "machine.tni.payload_bytes"}};
}

static unsigned offers(const struct config *c)
{
    (void)c;
    return SITE_COORDINATES | SITE_TOPOLOGY | SITE_CELLS;
}

/* Node groups, but those of I/O nodes. A job must not need a dead link: the node at its first end
 * counts as dead. */
static weft_status ground(const struct config *c, struct ground *g)
{
    const struct tofu_config *m = config_tofu(c);
    const struct jobs_params *p = config_section(c, &jobs_section);
    *g = (struct ground){.torus = m->shape, .cell = {1, 1, 1, 2, 3, 2}};
    if (p->cell.dims)
        return BAD_INPUT("jobs.cell", ("jobs.cell: here jobs are given node groups"), ("use auto"));
    if (m->io_plane && m->shape.size[2] == 1)
        return BAD_INPUT("machine.io_plane machine.dims", ("all nodes are I/O nodes"),
                         ("use more along z, or machine.io_plane = false"));
    if (m->shape.size[0] > SPACE_MOST_ALONG)
        return BAD_INPUT("machine.dims",
                         ("jobs can be placed on at most %d groups along x, not %u",
                          SPACE_MOST_ALONG, m->shape.size[0]),
                         ("use fewer"));
    for (unsigned d = 0; d < TOFU_AXES; d++)
        g->box.size[d] = m->shape.size[d];
    if (m->io_plane) {
        g->box.at[2] = 1;
        g->box.size[2]--;
    }
    for (uint32_t i = 0; i < m->faults.nodes; i++)
        ground_kill(g, m->faults.node[i]);
    for (uint32_t i = 0; i < m->faults.links; i++)
        ground_kill(g, m->faults.link[i].node);
    return WEFT_OK;
}

static const char *size_text(const struct config *c, char text[CONFIG_TEXT])
{
    return torus_text(&config_tofu(c)->shape, text);
}

static weft_status check_routes(const struct config *c)
{
    struct tofu_routing routing = tofu_config_routing(config_tofu(c));
    TRY(tofu_check_paths(&routing));
    return tofu_check_outages(&routing, &config_tofu(c)->swaps);
}

static weft_status prove(const struct config *c, char *text, size_t size)
{
    const struct tofu_config *m = config_tofu(c);
    struct tofu_routing routing = tofu_config_routing(m);
    return tofu_prove(&routing, &m->router, text, size);
}

/* ---- the site ---- */

static const struct tofu_model *model_at(const struct site *site)
{
    return site->ctx;
}

static double slot(const struct site *site, double bytes)
{
    return tofu_lines(model_at(site)->tni->header_bytes, (uint32_t)ceil(bytes));
}

static uint32_t behind(const struct site *site, uint32_t node, unsigned port)
{
    bool lives = tofu_link_lives(&model_at(site)->machine->faults, site->torus, node, port);
    return lives ? tofu_neighbour(site->torus, node, port) : NOBODY;
}

static void add_flow(void *load, uint32_t from, uint32_t to, double packets)
{
    tofu_load_add(load, from, to, packets);
}

static void add_boxes(void *load, const struct box_flow *flow)
{
    tofu_load_add_boxes(load, flow);
}

/* What limits one packet from each sender: the busiest link, or a node's engines. */
static double find_bound(const struct site *site, const struct flows *f, uint32_t *senders)
{
    const struct tofu_model *m = model_at(site);
    double *into = memory_alloc(site->nodes, sizeof(*into)), most = flows_most(f);
    const struct byte_list *sizes = &f->workload->params.packet_bytes;
    double lines = 0;
    struct tofu_load load;
    for (uint32_t i = 0; i < sizes->count; i++)
        lines += slot(site, sizes->value[i]);
    lines /= sizes->count;
    tofu_load_init(&load, &m->routing, m->tni->path == TNI_PATH_TURN ? 0 : m->tni->path);
    *senders = f->uniform ? flows_boxes(f, add_boxes, &load) : flows_each(f, add_flow, &load);
    flows_into(f, into);
    for (uint32_t node = 0; node < site->nodes; node++)
        most = fmax(most, into[node]);
    double link = tofu_load_worst(&load, lines, m->machine->router.control_lines);
    double engines = most * lines / m->tni->engines;
    tofu_load_fini(&load);
    free(into);
    return fmax(link, engines);
}

static bool is_dead(const void *faults, uint32_t node)
{
    return tofu_is_dead(faults, node);
}

static void fill_site(struct tofu_model *m)
{
    const struct tofu_config *c = m->machine;
    model_list_living(&m->base, c->shape.nodes, is_dead, &c->faults);
    m->base.site = (struct site){.ways = m->tni->engines,
                                 .torus = &c->shape,
                                 .gates = true,
                                 .whole = !tofu_faults_any(&c->faults),
                                 .packet_payload = m->tni->packet_bytes,
                                 .ack_cycles = c->router.control_lines,
                                 .slot = slot,
                                 .distance = coordinates_distance,
                                 .diameter = coordinates_diameter,
                                 .behind = behind,
                                 .ports = TOFU_LINKS,
                                 .bound = find_bound};
}

/* ---- building ---- */

/* What the network is to tell apart. */
static struct measure_classes divide(struct tofu_model *m)
{
    uint32_t all = m->machine->shape.nodes;
    if (!m->machine->io_plane || m->machine->shape.size[TOFU_Z] == 1)
        return (struct measure_classes){.count = 0};
    m->class = memory_alloc(all, sizeof(*m->class));
    for (uint32_t node = 0; node < all; node++)
        m->class[node] =
            tofu_group_of(&m->routing, node) == TOFU_GROUP_IO ? TRAFFIC_IO : TRAFFIC_COMPUTE;
    return (struct measure_classes){.count = TRAFFICS, .of = m->class};
}

static weft_status prepare(struct model *model)
{
    struct tofu_model *m = (struct tofu_model *)model;
    const struct tofu_config *t = m->machine = config_tofu(model->config);
    m->tni = config_tni(model->config);
    m->routing = tofu_config_routing(t);
    TRY(model_check_memory("machine.dims", t->shape.nodes,
                           tofu_network_memory(&t->router, t->shape.nodes), 0));
    TRY(tofu_params_derive(&t->router, &m->derived));
    TRY(check_routes(model->config));
    fill_site(m);
    return WEFT_OK;
}

static weft_status cut(struct model *model, const struct run_options *o)
{
    const struct tofu_model *m = (const struct tofu_model *)model;
    const struct torus *t = &m->machine->shape;
    double bytes = model->workload ? workload_mean_bytes(model->workload) : 1;
    return model_cut_bricks(model, o, t, m->machine->bricks,
                            (double)t->nodes * TOFU_LINKS * m->derived.hop_cycles /
                                slot(&model->site, bytes));
}

static weft_status build(struct model *model, const struct run_options *o)
{
    struct tofu_model *m = (struct tofu_model *)model;
    uint32_t nodes = m->machine->shape.nodes;
    bool swaps = m->machine->swaps.count > 0;
    (void)o;
    TRY(tofu_swaps_check(m->machine, model->workload));
    if (swaps)
        tofu_outages_init(&m->outages, &m->machine->shape, &m->machine->faults, &m->machine->swaps);
    const struct tofu_outages *outages = swaps ? &m->outages : NULL;
    m->face = tofu_face_make(&m->routing, &m->machine->router, outages, m->tni->header_bytes);
    model_attach(model, tnis_create(m->tni, &m->face.face, nodes, model->partitions));
    struct tofu_network_options no = {.routing = &m->routing,
                                      .params = &m->machine->router,
                                      .outages = outages,
                                      .client = nic_face_client(model->nic),
                                      .bricks = model->bricks,
                                      .seed = model->seed,
                                      .plan = model_plan(model)};
    weft_status status = tofu_network_create(&no, &m->network);
    model->network = (struct network *)m->network;
    if (status == WEFT_OK)
        model->network->classes = divide(m);
    return status;
}

static void release(struct model *model)
{
    struct tofu_model *m = (struct tofu_model *)model;
    tofu_outages_fini(&m->outages);
    free(m->class);
}

/* ---- gathering ---- */

static void map(const struct model *model, struct links_map *map)
{
    const struct tofu_model *m = (const struct tofu_model *)model;
    const struct torus *t = &m->machine->shape;
    *map = (struct links_map){.vertices = t->nodes,
                              .shape = *t,
                              .directions = TOFU_LINKS,
                              .rows = t->nodes,
                              .ports = TOFU_LINKS,
                              .bytes_per_cycle = TOFU_LINE_BYTES,
                              .vcs = m->machine->router.vcs,
                              .measures_room = true,
                              .rooms = 1};
    for (unsigned port = 0; port < TOFU_LINKS; port++)
        map->direction[port] = tofu_port_name(port);
    for (unsigned vc = 0; vc < map->vcs; vc++) {
        map->vc_name[vc] = tofu_vc_name(vc);
        map->queue[vc] = m->derived.vc_lines;
    }
}

static bool find_link(const struct model *model, uint32_t node, unsigned port,
                      struct machine_link *link)
{
    const struct tofu_model *m = (const struct tofu_model *)model;
    const struct torus *t = &m->machine->shape;
    uint32_t to = tofu_neighbour(t, node, port);
    if (to == TORUS_NO_NODE)
        return false;
    bool dead = !tofu_link_lives(&m->machine->faults, t, node, port);
    bool bad = errors_is_bad(&m->machine->router.errors, node, port, 0, CYCLE_NEVER);
    *link = model_link(model, node, port, to, tofu_opposite(port), link_state(dead, bad));
    return true;
}

/* Links along x and y between compute nodes: what I/O should leave alone. */
static void gather_planes(const struct tofu_model *m, struct run_result *r)
{
    const struct torus *t = &m->machine->shape;
    uint64_t sums[2] = {0, 0}; /* links that were used at all, and their cycles */
    uint64_t links = 0;
    for (uint32_t node = 0; node < t->nodes; node++)
        for (unsigned port = 0; port < 4; port++) {
            if (tofu_group_of(&m->routing, node) == TOFU_GROUP_IO ||
                tofu_neighbour(t, node, port) == TORUS_NO_NODE)
                continue;
            uint64_t busy = network_link_busy(m->base.network, node, port);
            links++;
            sums[0] += busy > 0;
            sums[1] += busy;
        }
    ranks_sum(sums, 2);
    if (!m->machine->io_plane || !links)
        return;
    run_result_add(r, "compute_plane_links", (double)links);
    run_result_add(r, "compute_plane_links_used", (double)sums[0] / (double)links);
    run_result_add(r, "compute_plane_utilisation",
                   run_ratio((double)sums[1], (double)links * (double)r->span));
}

/* Response of compute packets beside I/O, and of I/O beside them. */
static void gather_traffic(const struct tofu_model *m, struct run_result *r)
{
    static const char *const names[TRAFFICS][3] = {
        {"compute_packets", "compute_response_cycles", "compute_response_p99_cycles"},
        {"io_packets", "io_response_cycles", "io_response_p99_cycles"}};
    bool told_apart = m->class && r->measure.classes.of == m->class;
    for (uint32_t i = 0; told_apart && i < TRAFFICS; i++) {
        const struct histogram *h = &r->measure.by_class[i].response;
        run_result_add(r, names[i][0], (double)h->count);
        if (!h->count)
            continue;
        run_result_add(r, names[i][1], run_ratio((double)h->sum, (double)h->count));
        run_result_add(r, names[i][2], (double)histogram_quantile(h, 0.99));
    }
}

/* The largest machines on which paths without a common link, and pairs cut off, are counted. */
enum { SURVEY_APART_NODES = 1024, SURVEY_CUTS_NODES = 108 };

/* Different paths from a node to the others, or those without a common link. */
static void add_paths(struct run_result *r, struct tofu_path_counts paths, bool apart)
{
    static const char *const names[2][4] = {
        {"paths_between_groups_least", "paths_between_groups_most", "paths_within_a_group_least",
         "paths_within_a_group_most"},
        {"paths_apart_between_groups_least", "paths_apart_between_groups_most",
         "paths_apart_within_a_group_least", "paths_apart_within_a_group_most"}};
    if (paths.between_most) {
        run_result_add(r, names[apart][0], paths.between_least);
        run_result_add(r, names[apart][1], paths.between_most);
    }
    run_result_add(r, names[apart][2], paths.within_least);
    run_result_add(r, names[apart][3], paths.within_most);
}

static uint64_t count_links(const struct torus *t)
{
    uint64_t links = 0;
    for (unsigned port = 0; port < TOFU_LINKS; port++)
        links += tofu_links(t, port);
    return links;
}

static double mean_distance(const struct torus *t)
{
    double hops = 0;
    for (unsigned axis = 0; axis < TOFU_AXES; axis++)
        hops += torus_mean_hops(t, axis);
    return hops;
}

/* Properties of the topology, without traffic. */
static void survey(const struct model *model, struct run_result *r)
{
    const struct tofu_model *m = (const struct tofu_model *)model;
    const struct torus *t = &m->machine->shape;
    uint64_t links = count_links(t);
    run_result_add(r, "nodes", t->nodes - m->machine->faults.nodes);
    run_result_add(r, "links", (double)links);
    run_result_add(r, "links_per_node", (double)links / t->nodes);
    run_result_add(r, "diameter", torus_diameter(t));
    run_result_add(r, "mean_distance", mean_distance(t));
    run_result_add(r, "bisection_links", (double)tofu_bisection_links(t));
    run_result_add(r, "io_nodes", m->machine->io_plane ? (double)t->nodes / t->size[TOFU_Z] : 0);
    add_paths(r, tofu_count_paths(&m->routing, false), false);
    if (tofu_faults_any(&m->machine->faults))
        return;
    if (t->nodes <= SURVEY_APART_NODES)
        add_paths(r, tofu_count_paths(&m->routing, true), true);
    if (t->nodes > SURVEY_CUTS_NODES)
        return;
    struct tofu_cut_counts cuts = tofu_count_cuts(&m->routing);
    run_result_add(r, "pairs_cut_by_a_node", (double)cuts.node);
    run_result_add(r, "pairs_cut_by_a_board", (double)cuts.board);
    run_result_add(r, "pairs_cut_by_a_group", (double)cuts.group);
}

static void gather(const struct model *model, struct run_result *r)
{
    const struct tofu_model *m = (const struct tofu_model *)model;
    gather_planes(m, r);
    gather_traffic(m, r);
    run_result_hops(r);
    tofu_swaps_gather(m->machine, m->network, r);
    r->link_protocol = m->machine->router.protocol;
    tofu_network_links(m->network, &r->link_report);
}

/* ---- show ---- */

static void print_topology(FILE *out, const struct config *c)
{
    const struct tofu_config *m = config_tofu(c);
    const struct torus *t = &m->shape;
    char a[32];
    double mb = m->router.link_mb_per_s;
    uint64_t links = count_links(t);
    fprintf(out, "  nodes                  %s", text_count(t->nodes, a));
    fprintf(out, " in %s group%s of twelve", text_count(t->nodes / TOFU_GROUP_NODES, a),
            t->nodes == TOFU_GROUP_NODES ? "" : "s");
    if (m->io_plane)
        fprintf(out, "; %s of them for I/O", text_count(t->nodes / t->size[TOFU_Z], a));
    fprintf(out, "\n  links, one way         %s at %.6g MB/s, %.4g per node\n",
            text_count(links, a), mb, (double)links / t->nodes);
    show_dead(out, m->faults.nodes, m->faults.links);
    if (m->swaps.count)
        fprintf(out, "  out for a time         %u unit%s (machine.swap)\n", m->swaps.count,
                m->swaps.count == 1 ? "" : "s");
    show_diameter(out, torus_diameter(t), "");
    show_mean_distance(out, mean_distance(t));
    show_bisection(out, tofu_bisection_links(t), mb);
}

static void show(FILE *out, const struct config *c)
{
    const struct tofu_config *m = config_tofu(c);
    const struct tni_params *tni = config_tni(c);
    struct tofu_derived d;
    double lines = tofu_lines(tni->header_bytes, tni->packet_bytes), mb = m->router.link_mb_per_s;
    double link = mb * tni->packet_bytes / (lines * TOFU_LINE_BYTES);
    double links = (double)count_links(&m->shape) / m->shape.nodes;
    print_topology(out, c);
    show_packet(out, tni->packet_bytes, lines, "lines", link);
    fprintf(out,
            "  node                   %.6g MB/s into and out of %.4g links, %.1f MB/s by %u "
            "engines\n",
            mb * links, links, link * tni->engines, tni->engines);
    if (tofu_params_derive(&m->router, &d) == WEFT_OK)
        show_hop(out, d.hop_cycles, d.hop_cycles * 1e3 * TOFU_LINE_BYTES / mb);
}

static const struct key_table *const tables[] = {
    &tofu_keys,     &tni_keys,        &protocol_keys, &room_keys,        &clock_keys, &rails_keys,
    &gets_keys,     &reduce_keys,     &memory_keys,   &node_memory_keys, &io_keys,    &mpi_keys,
    &workload_keys, &coordinate_keys, &jobs_keys,     &run_keys,         NULL};

const struct family tofu_family = {.schema = {"tofu", "tni", tables, nic_refusals},
                                   .usual = LAYER_MESSAGES,
                                   .model_size = sizeof(struct tofu_model),
                                   FAMILY_FUNCTIONS,
                                   .ground = ground,
                                   .survey = survey,
                                   .release = release};
