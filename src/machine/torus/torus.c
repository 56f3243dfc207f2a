/* The torus family: configurations, building, gathering, and its rows, one for each nic. */
#include <math.h>
#include <stdlib.h>

#include "base/text/text.h"
#include "engine/ranks.h"
#include "machine/machine.h"
#include "machine/torus/model.h"
#include "workload/patterns/patterns.h"

/* ---- configurations ---- */

/* Refuses what dead nodes and links make impossible. */
static weft_status check_faults(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    const struct workload_params *w = config_workload(c);
    if (!faults_any(&t->faults))
        return WEFT_OK;
    if (machine_uses(c, "workload.deposit") && machine_layer(c) != LAYER_MESSAGES)
        return BAD_INPUT("workload.pattern machine.dead_nodes machine.dead_links",
                         ("workload.pattern = %s needs a whole machine", w->pattern->name),
                         ("remove machine.dead_nodes and machine.dead_links"));
    return WEFT_OK;
}

static weft_status finish(struct config *c)
{
    TRY(torus_config_finish(config_torus(c)));
    TRY(config_torus_nic(c)->finish(c));
    return check_faults(c);
}

static struct machine_facts facts(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    uint32_t tasks = 0, processors = config_torus_nic(c)->processors(c, &tasks);
    return (struct machine_facts){.nodes = t->torus.nodes,
                                  .dead_nodes = t->faults.nodes,
                                  .damaged = faults_any(&t->faults),
                                  .cycles_per_second = t->router.link_mb_per_s * 1e6,
                                  .processors = processors,
                                  .tasks = tasks,
                                  .sizes = config_torus_nic(c)->sizes(c)};
}

static unsigned offers(const struct config *c)
{
    const struct io_params *io = config_section(c, &io_section);
    return SITE_COORDINATES | SITE_CELLS | config_torus_nic(c)->offers |
           (io->buffer_bytes && io->nodes_per ? SITE_IO : 0u);
}

enum { MIDPLANE_SIDE = 8 };

/* Midplanes, whose rings link chips close (MSG: they redirect signals, and keep partitions apart).
 * A partition must not need a dead link: its node counts as dead. */
weft_status torus_ground(const struct config *c, struct ground *g)
{
    const struct torus_config *m = config_torus(c);
    const struct jobs_params *p = config_section(c, &jobs_section);
    const struct torus *t = &m->torus;
    *g = (struct ground){.torus = *t, .wired = true};
    if (t->dims > SPACE_AXES || (p->cell.dims && p->cell.dims != t->dims))
        return BAD_INPUT(
            "jobs.cell machine.dims",
            ("jobs.cell must have as many dimensions as the machine, at most %d", SPACE_AXES),
            ("use %u", t->dims < SPACE_AXES ? t->dims : SPACE_AXES));
    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t usual = t->size[d] < MIDPLANE_SIDE ? t->size[d] : MIDPLANE_SIDE;
        g->cell[d] = p->cell.dims ? p->cell.size[d] : usual;
        g->box.size[d] = t->size[d];
        if (t->size[d] % g->cell[d] || t->size[d] / g->cell[d] > SPACE_MOST_ALONG)
            return BAD_INPUT("jobs.cell machine.dims",
                             ("%u nodes cannot be cut into at most %d cells of %u (jobs.cell)",
                              t->size[d], SPACE_MOST_ALONG, g->cell[d]),
                             ("use another jobs.cell"));
    }
    for (uint32_t i = 0; i < m->faults.nodes; i++)
        ground_kill(g, m->faults.node[i]);
    for (uint32_t i = 0; i < m->faults.links; i++)
        ground_kill(g, m->faults.link[i].node);
    return WEFT_OK;
}

static const char *size_text(const struct config *c, char text[CONFIG_TEXT])
{
    return torus_text(&config_torus(c)->torus, text);
}

/* Whose registers know nothing of faults; of those in idle midplanes they need not. */
static weft_status check_hints(const struct config *c, const struct torus_wired *t)
{
    const struct fifo_params *node = config_section(c, &fifo_section);
    bool hardware = node && node->hints == HINTS_HARDWARE;
    for (uint32_t i = 0; hardware && i < t->faults.wounded; i++)
        if (!wiring_idles(&t->torus, t->faults.wound[i].node))
            return BAD_INPUT(
                "machine.node.hints machine.dead_nodes machine.dead_links",
                ("hardware cannot set hint bits that route around dead nodes and links"),
                ("use machine.node.hints = software"));
    return WEFT_OK;
}

static weft_status check_wired_routes(const struct config *c, const struct torus_wired *t)
{
    const struct workload_params *w = config_workload(c);
    struct torus_classes classes = config_torus_nic(c)->classes(c);
    struct torus_derived derived;
    bool neighbours = w->pattern->kind == PATTERN_OPEN && !w->pattern->partner;
    TRY(check_hints(c, t));
    if (!faults_any(&t->faults) || neighbours)
        return WEFT_OK;
    weft_status status = torus_params_derive(&config_torus(c)->router, &derived);
    if (status == WEFT_OK)
        status = faults_connected(&t->faults, &t->torus, derived.escape_order, classes.dynamic,
                                  classes.fixed);
    bool steps = config_section(c, &steps_section) != NULL;
    if (status != WEFT_OK && classes.fixed && machine_layer(c) == LAYER_MESSAGES)
        error_remedy("%s", steps ? "use machine.message.protocol = adaptive_eager, which needs no "
                                   "fixed paths"
                                 : "use machine.router.escape_order = direction, which has more "
                                   "fixed paths");
    return status;
}

static weft_status check_routes(const struct config *c)
{
    struct torus_wired wired;
    weft_status status = torus_wire(c, &wired);
    if (status == WEFT_OK)
        status = check_wired_routes(c, &wired);
    torus_unwire(&wired);
    return status;
}

static bool has_small_packets(const struct config *c)
{
    const struct workload_params *w = config_workload(c);
    if (machine_uses(c, "workload.message_bytes") || pairwise_bytes(c))
        return true;
    for (uint32_t i = 0; i < w->packet_bytes.count; i++)
        if (w->packet_bytes.value[i] < TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES)
            return true;
    return false;
}

static weft_status prove(const struct config *c, char *text, size_t size)
{
    const struct torus_config *t = config_torus(c);
    struct torus_classes classes = config_torus_nic(c)->classes(c);
    struct proof_traffic traffic = {.dynamic = classes.dynamic,
                                    .high = classes.high,
                                    .long_ways = machine_uses(c, "workload.deposit"),
                                    .small_packets = has_small_packets(c)};
    struct torus_wired wired;
    weft_status status = torus_wire(c, &wired);
    if (status == WEFT_OK)
        status = torus_prove(&wired.torus, &t->router, &wired.faults, &traffic, text, size);
    torus_unwire(&wired);
    return status;
}

/* ---- building ---- */

static weft_status prepare(struct model *model)
{
    struct torus_model *m = (struct torus_model *)model;
    const struct torus_config *t = m->machine = config_torus(model->config);
    m->nic = config_torus_nic(model->config);
    TRY(model_check_memory("machine.dims", t->torus.nodes,
                           torus_network_memory(&t->router, t->torus.nodes), 0));
    TRY(torus_params_derive(&t->router, &m->derived));
    TRY(torus_wire(model->config, &m->wired));
    TRY(check_wired_routes(model->config, &m->wired));
    torus_fill_site(m);
    return WEFT_OK;
}

static void release(struct model *model)
{
    torus_unwire(&((struct torus_model *)model)->wired);
}

static weft_status cut(struct model *model, const struct run_options *o)
{
    const struct torus_model *m = (const struct torus_model *)model;
    const struct torus *t = &m->wired.torus;
    double bytes = model->workload ? workload_mean_bytes(model->workload) : 1;
    return model_cut_bricks(model, o, t, m->machine->bricks,
                            (double)t->nodes * 2 * t->dims * m->derived.hop_cycles / bytes);
}

static weft_status build(struct model *model, const struct run_options *o)
{
    struct torus_model *m = (struct torus_model *)model;
    const struct config *c = model->config;
    const struct torus_config *t = m->machine;
    struct torus_network_options no = {
        .torus = &m->wired.torus,
        .params = &t->router,
        .faults = &m->wired.faults,
        .bricks = model->bricks,
        .seed = model->seed,
        .plan = model_plan(model),
        .software_header_bytes = t->software_header_bytes,
        .stages = o->stages != NULL,
        .threads = o->threads * ranks_count(),
    };
    TRY(m->nic->build(m, &no.client));
    no.least_other_cycles = m->tree ? tree_least_cycles(config_section(c, &tree_section)) : 0;
    weft_status status = torus_network_create(&no, &m->network);
    if (status == WEFT_OK && m->tree)
        tree_connect(m->tree, m->network);
    model->network = (struct network *)m->network;
    return status;
}

/* ---- gathering ---- */

static void map(const struct model *model, struct links_map *map)
{
    const struct torus_model *m = (const struct torus_model *)model;
    const struct torus *t = &m->wired.torus;
    *map = (struct links_map){.vertices = t->nodes,
                              .shape = *t,
                              .directions = 2 * t->dims,
                              .rows = t->nodes,
                              .ports = 2 * t->dims,
                              .bytes_per_cycle = 1,
                              .vcs = m->derived.vcs,
                              .measures_room = true,
                              .rooms = 1};
    for (unsigned port = 0; port < map->directions; port++)
        map->direction[port] = torus_port_name(port);
    for (unsigned vc = 0; vc < map->vcs; vc++) {
        map->vc_name[vc] = torus_vc_name(&m->machine->router, vc);
        map->queue[vc] = m->derived.capacity[vc];
    }
}

static bool find_link(const struct model *model, uint32_t node, unsigned port,
                      struct machine_link *link)
{
    const struct torus_model *m = (const struct torus_model *)model;
    const struct torus *t = &m->wired.torus;
    uint32_t to = torus_neighbour(t, node, port);
    if (to == TORUS_NO_NODE)
        return false;
    bool dead = faults_neighbour(&m->wired.faults, t, node, port) == TORUS_NO_NODE;
    bool bad = errors_is_bad(&m->machine->router.link.errors, node, port, 0, CYCLE_NEVER);
    /* Receivers are numbered by where packets go. */
    *link = model_link(model, node, port, to, port, link_state(dead, bad));
    return true;
}

/* Mean utilisation of the links that lead into the hot box. */
static double hot_links(const struct torus_model *m, const struct run_result *r)
{
    const struct workload *w = m->base.workload;
    const struct torus *t = &m->wired.torus;
    const struct hot_box *hot = w ? w->hot : NULL;
    if (!hot || !hot->links)
        return -1;
    uint64_t busy = 0;
    for (uint32_t i = 0; i < hot->nodes; i++) {
        uint32_t node = workload_hot_node(w, i);
        for (unsigned port = 0; port < 2 * t->dims; port++) {
            uint32_t from = torus_neighbour(t, node, port);
            if (from != TORUS_NO_NODE && !workload_is_hot(w, from))
                busy += network_link_busy(m->base.network, from, torus_opposite(port));
        }
    }
    ranks_sum(&busy, 1);
    return run_ratio((double)busy, (double)hot->links * (double)r->span);
}

/* With several packet sizes: the bytes that were drawn relative to those expected. */
static double drawn_size(const struct torus_model *m, const struct measure *measured)
{
    const struct workload *w = m->base.workload;
    bool drawn = w && !w->open && machine_uses(m->base.config, "workload.packet_bytes") &&
                 w->params.packet_bytes.count > 1 && !pairwise_bytes(m->base.config);
    if (!drawn || !measured->delivered)
        return 1;
    double bytes =
        (double)measured->payload_bytes / (double)measured->delivered + m->base.site.packet_header;
    const struct site *site = &m->base.site;
    double ack = site->ack_cycles;
    return (site->slot(site, bytes) + ack) / (site->slot(site, workload_mean_bytes(w)) + ack);
}

static void gather(const struct model *model, struct run_result *r)
{
    const struct torus_model *m = (const struct torus_model *)model;
    r->bound_cycles *= drawn_size(m, &r->measure);
    r->hot_link_utilisation = hot_links(m, r);
    r->link_protocol = m->machine->router.link.protocol;
    torus_network_links(m->network, &r->link_report);
    if (m->nic->gather)
        m->nic->gather(m, r);
}

/* ---- show ---- */

static void print_topology(FILE *out, const struct config *c)
{
    const struct torus_config *m = config_torus(c);
    const struct torus *t = &m->torus;
    char a[32];
    double hops = 0, mb = m->router.link_mb_per_s;
    fprintf(out, "  nodes                  %s\n", text_count(t->nodes, a));
    fprintf(out, "  links, one way         %s at %.6g MB/s\n", text_count(torus_links(t), a), mb);
    show_dead(out, m->faults.nodes, m->faults.links);
    show_diameter(out, torus_diameter(t), "");
    fprintf(out, "  mean distance          ");
    for (unsigned d = 0; d < t->dims; d++)
        hops += torus_mean_hops(t, d);
    fprintf(out, "%.4f hops (", hops);
    for (unsigned d = 0; d < t->dims; d++)
        fprintf(out, d ? ", %c %.4f" : "%c %.4f", "xyzuvw"[d], torus_mean_hops(t, d));
    fputs(")\n", out);
    show_bisection(out, torus_bisection_links(t), mb);
    uint64_t memory = torus_network_memory(&m->router, t->nodes);
    fprintf(out, "  memory of its state    %.0f bytes per node, %.1f MB if all of it is used\n",
            (double)memory / t->nodes, (double)memory / 1e6);
}

static void print_peaks(FILE *out, const struct config *c)
{
    const struct torus_config *m = config_torus(c);
    const struct torus_params *p = &m->router;
    const struct torus *t = &m->torus;
    struct torus_derived d;
    struct bound b;
    double full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES;
    double slot = full + p->trailer_bytes + p->gap_bytes, ack = p->ack_bytes;
    double payload = (full - m->software_header_bytes) / (slot + ack);
    bound_init(&b, t);
    bound_add_uniform(&b, (1u << t->dims) - 1, 1);
    double peak = bound_peak_utilisation(&b, slot, ack);
    double worst = bound_worst(&b, slot, ack);
    bound_fini(&b);
    fprintf(out, "  256-byte packet        %.0f byte times, acknowledgment included\n", slot + ack);
    fprintf(out, "  all-to-all at peak     %.1f %% of all links busy, %.1f %% with payload",
            100 * peak, 100 * peak * payload);
    if (worst > 0)
        fprintf(out, ", %.1f MB/s per node",
                (full - m->software_header_bytes) / worst * p->link_mb_per_s);
    fputc('\n', out);
    if (torus_params_derive(p, &d) == WEFT_OK)
        show_hop(out, d.hop_cycles, d.hop_cycles * 1e3 / p->link_mb_per_s);
}

static void show(FILE *out, const struct config *c)
{
    print_topology(out, c);
    print_peaks(out, c);
}

/* ---- the rows ---- */

#define TORUS_FAMILY(NIC, TABLES, OWN)                                                             \
    {                                                                                              \
        .schema = {"torus", NIC, TABLES, nic_refusals}, .own = OWN, .usual = LAYER_PACKETS,        \
        .stages = torus_stage_names, .model_size = sizeof(struct torus_model), FAMILY_FUNCTIONS,   \
        .ground = torus_ground, .release = release, .apart = torus_is_apart                        \
    }

static const struct key_table *const fifo_tables[] = {
    &torus_keys,      &fifo_keys,   &core_keys,        &tree_keys, &io_keys,      &tree_io_keys,
    &steps_keys,      &reduce_keys, &node_memory_keys, &mpi_keys,  &packets_keys, &workload_keys,
    &coordinate_keys, &class_keys,  &jobs_keys,        &run_keys,  NULL};

static const struct key_table *const dma_tables[] = {
    &torus_keys,    &dma_keys,        &protocol_keys,    &room_keys, &clock_keys,
    &reduce_keys,   &memory_keys,     &node_memory_keys, &io_keys,   &mpi_keys,
    &workload_keys, &coordinate_keys, &jobs_keys,        &run_keys,  NULL};

const struct family torus_family = TORUS_FAMILY("fifo", fifo_tables, &torus_fifo_nic);
const struct family torus_dma_family = TORUS_FAMILY("dma", dma_tables, &torus_dma_nic);
