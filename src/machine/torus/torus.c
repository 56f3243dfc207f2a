/* The torus family: Blue Gene/L and its kin. */
#include "machine/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "fabric/torus/config.h"
#include "fabric/torus/proof.h"
#include "machine/bricks.h"
#include "machine/coordinates.h"
#include "machine/machine.h"
#include "node/fifo/fifo.h"
#include "node/mapped/mapped.h"

struct torus_model {
    struct model base;
    const struct torus_config *machine;
    const struct fifo_params *node;
    struct torus_derived derived;
    struct fifos *fifos;   /* packets, and sends of a host; or */
    struct mapped *mapped; /* messages */
    struct core_params cores;
    struct tree *tree; /* NULL: nobody uses it */
    struct torus_network *network;
    struct bricks bricks;
    struct living living;
};

static struct torus_config *config_torus(const struct config *c)
{
    return config_section(c, &torus_section);
}

/* ---- configurations ---- */

/* Checks the size of a FIFO (0: unbounded) and its watermark. */
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

/* Refuses what dead nodes and links make impossible. */
static weft_status check_faults(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    const struct fifo_params *node = config_section(c, &fifo_section);
    const struct workload_params *w = config_workload(c);
    if (!faults_any(&t->faults))
        return WEFT_OK;
    if (node->hints == HINTS_HARDWARE)
        return BAD_INPUT("machine.node.hints machine.dead_nodes machine.dead_links",
                         ("hardware cannot set hint bits that route around dead nodes and links"),
                         ("use machine.node.hints = software"));
    bool whole = machine_uses(c, "workload.hops") || machine_uses(c, "workload.deposit");
    if (whole && machine_layer(c) != LAYER_MESSAGES)
        return BAD_INPUT("workload.pattern machine.dead_nodes machine.dead_links",
                         ("workload.pattern = %s needs a whole machine", w->pattern->name),
                         ("remove machine.dead_nodes and machine.dead_links"));
    return WEFT_OK;
}

/* Packets are made of whole chunks. */
static struct packet_sizes packet_sizes(const struct config *c)
{
    return (struct packet_sizes){.most = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES,
                                 .step = TORUS_CHUNK_BYTES,
                                 .header = config_torus(c)->software_header_bytes,
                                 .most_key = "",
                                 .header_key = "machine.software_header_bytes"};
}

/* Packets find their way into unbounded FIFOs before anybody looks at them; those of messages go
 * where the message layer says. */
static weft_status check_choice(const struct config *c)
{
    const struct fifo_params *node = config_section(c, &fifo_section);
    if (node->choice != FIFO_BY_DIRECTION)
        return WEFT_OK;
    if (machine_layer(c) == LAYER_MESSAGES)
        return BAD_INPUT("machine.node.injection_choice",
                         ("the message layer chooses the injection FIFOs of its packets"),
                         ("use machine.node.injection_choice=turn"));
    if (!config_torus(c)->router.injection_fifo_bytes)
        return BAD_INPUT("machine.node.injection_choice machine.node.injection_fifo_bytes",
                         ("packets cannot choose among unbounded injection FIFOs"),
                         ("use machine.node.injection_choice=turn, or give "
                          "machine.node.injection_fifo_bytes"));
    return WEFT_OK;
}

/* Refuses what does not go together with messages. */
static weft_status check_messages(const struct config *c)
{
    const struct fifo_params *node = config_section(c, &fifo_section);
    const struct steps_params *steps = config_section(c, &steps_section);
    const struct tree_params *tree = config_section(c, &tree_section);
    uint32_t header = config_torus(c)->software_header_bytes;
    if (machine_layer(c) != LAYER_MESSAGES)
        return WEFT_OK;
    if (node->consumer_mb_per_s > 0 || node->injection_watermark_bytes ||
        node->reception_watermark_bytes)
        return BAD_INPUT("machine.node.consumer_mb_per_s machine.node.injection_watermark_bytes "
                         "machine.node.reception_watermark_bytes",
                         ("machine.node.consumer_mb_per_s and watermarks are for packets, and "
                          "this workload has messages"),
                         ("set them to 0"));
    if (steps->metadata_bytes + header >= TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES)
        return BAD_INPUT(
            "machine.message.metadata_bytes machine.software_header_bytes",
            ("machine.message.metadata_bytes = %u leaves no room for data", steps->metadata_bytes),
            ("use less"));
    if (steps->each_bytes + header >= TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES)
        return BAD_INPUT(
            "machine.message.each_bytes machine.software_header_bytes",
            ("machine.message.each_bytes = %u leaves no room for data", steps->each_bytes),
            ("use less"));
    if (tree->packet_bytes % TREE_OPERAND_MOST)
        return BAD_INPUT("machine.tree.packet_bytes",
                         ("machine.tree.packet_bytes = %u would cut operands of %d bytes",
                          tree->packet_bytes, TREE_OPERAND_MOST),
                         ("use a multiple of that"));
    return WEFT_OK;
}

static weft_status finish(struct config *c)
{
    struct torus_config *t = config_torus(c);
    const struct fifo_params *node = config_section(c, &fifo_section);
    TRY(torus_config_finish(t));
    TRY(check_choice(c));
    TRY(check_fifo("injection", t->router.injection_fifo_bytes, node->injection_watermark_bytes));
    TRY(check_fifo("reception", t->router.reception_fifo_bytes, node->reception_watermark_bytes));
    TRY(check_messages(c));
    return check_faults(c);
}

static uint32_t nodes(const struct config *c)
{
    return config_torus(c)->torus.nodes;
}

static uint32_t dead_nodes(const struct config *c)
{
    return config_torus(c)->faults.nodes;
}

static unsigned offers(const struct config *c)
{
    (void)c;
    return SITE_COORDINATES | SITE_DEPOSIT | SITE_CELLS;
}

enum { MIDPLANE_SIDE = 8 };

/* Midplanes, whose rings link chips close (MSG: they redirect signals, and keep partitions apart).
 * A partition must not need a dead link: its node counts as dead. */
static weft_status ground(const struct config *c, struct ground *g)
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

static bool is_whole(const struct config *c)
{
    return !faults_any(&config_torus(c)->faults);
}

static const char *size_text(const struct config *c, char text[CONFIG_TEXT])
{
    return torus_text(&config_torus(c)->torus, text);
}

static double cycles_per_second(const struct config *c)
{
    return config_torus(c)->router.link_mb_per_s * 1e6;
}

/* Which classes of packets there are. */
struct classes {
    bool dynamic, fixed, high;
};

static struct classes classes_of(const struct config *c)
{
    const struct workload_params *w = config_workload(c);
    bool vcs = config_torus(c)->router.dynamic_vcs > 0;
    const struct steps_params *steps = config_section(c, &steps_section);
    bool adaptive = steps->protocol == PROTOCOL_ADAPTIVE;
    if (machine_layer(c) == LAYER_MESSAGES)
        return (struct classes){.dynamic = vcs, .fixed = !adaptive || !vcs};
    return (struct classes){.dynamic = w->dynamic_share > 0 && vcs,
                            .fixed = w->dynamic_share < 1 || w->high_share > 0 || !vcs,
                            .high = w->high_share > 0};
}

static weft_status check_routes(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    const struct workload_params *w = config_workload(c);
    struct classes classes = classes_of(c);
    struct torus_derived derived;
    bool neighbours = w->pattern->kind == PATTERN_OPEN && !w->pattern->partner;
    if (!faults_any(&t->faults) || neighbours)
        return WEFT_OK;
    weft_status status = torus_params_derive(&t->router, &derived);
    if (status == WEFT_OK)
        status = faults_connected(&t->faults, &t->torus, derived.escape_order, classes.dynamic,
                                  classes.fixed);
    if (status != WEFT_OK && classes.fixed && machine_layer(c) == LAYER_MESSAGES)
        error_remedy("use machine.message.protocol = adaptive_eager, which needs no fixed paths");
    return status;
}

/* ---- the site ---- */

static const struct torus_model *model_at(const struct site *site)
{
    return site->ctx;
}

static double slot(const struct site *site, double bytes)
{
    const struct torus_params *p = &model_at(site)->machine->router;
    return bytes + p->trailer_bytes + p->gap_bytes;
}

static double tail(const struct site *site, double bytes)
{
    const struct torus_params *p = &model_at(site)->machine->router;
    (void)bytes;
    return p->trailer_bytes + p->gap_bytes + p->ack_bytes;
}

static uint32_t neighbour(const struct site *site, uint32_t node, uint32_t turn, struct step *step)
{
    unsigned ports[TORUS_MAX_PORTS], count = 0;
    for (unsigned port = 0; port < 2 * site->torus->dims; port++)
        if (torus_neighbour(site->torus, node, port) != TORUS_NO_NODE)
            ports[count++] = port;
    if (count) {
        step->way = (struct step_way){true, (uint8_t)ports[turn % count], 1};
        step->to = torus_neighbour(site->torus, node, ports[turn % count]);
    }
    return count;
}

enum { PORT_SETS = 1 << TORUS_PORTS };

/* Packets of each node by the set of links that shortest routes can begin with, or end with. */
struct node_load {
    const struct torus *torus;
    double (*out)[PORT_SETS], (*in)[PORT_SETS];
};

/* The ports by which a shortest route from one node to another can leave. */
static unsigned ways_out(const struct torus *t, uint32_t from, uint32_t to)
{
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    unsigned ports = 0;
    torus_coordinates(t, from, a);
    torus_coordinates(t, to, b);
    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t up = b[d] >= a[d] ? b[d] - a[d] : b[d] + t->size[d] - a[d];
        bool wraps = t->wrap[d], any = up != 0;
        bool plus = wraps ? 2 * up <= t->size[d] : b[d] > a[d];
        bool minus = wraps ? 2 * up >= t->size[d] : b[d] < a[d];
        ports |= (any && plus ? 1u : 0) << 2 * d | (any && minus ? 1u : 0) << (2 * d + 1);
    }
    return ports;
}

static void add_flow(void *ctx, uint32_t from, uint32_t to, double packets)
{
    struct node_load *l = ctx;
    l->out[from][ways_out(l->torus, from, to)] += packets;
    l->in[to][ways_out(l->torus, to, from)] += packets;
}

/* Whatever a set of links must carry, one of them carries as much as all do on average. */
static double busiest_set(const double load[PORT_SETS])
{
    double worst = 0;
    for (unsigned set = 1; set < PORT_SETS; set++) {
        double sum = 0;
        for (unsigned part = set; part; part = (part - 1) & set)
            sum += load[part];
        worst = fmax(worst, sum / __builtin_popcount(set));
    }
    return worst;
}

/* Where nodes differ, a link of one may be busier than any plane: packets over the busiest. */
static double busiest_node(const struct site *site, const struct flows *f)
{
    double(*load)[PORT_SETS] = memory_alloc(2 * (size_t)site->nodes, sizeof(*load)), worst = 0;
    struct node_load l = {site->torus, load, load + site->nodes};
    flows_each(f, add_flow, &l);
    for (size_t i = 0; i < 2 * (size_t)site->nodes; i++)
        worst = fmax(worst, busiest_set(load[i]));
    free(load);
    return worst;
}

static double find_bound(const struct site *site, const struct flows *f, uint32_t *senders)
{
    struct bound b;
    double bytes = slot(site, workload_mean_bytes(f->workload));
    bound_init(&b, site->torus);
    *senders = flows_load(f, &b, NULL);
    double worst = bound_worst(&b, bytes, site->ack_cycles);
    bound_fini(&b);
    return f->workload->rates ? fmax(worst, busiest_node(site, f) * bytes) : worst;
}

static bool is_dead(const void *faults, uint32_t node)
{
    return faults_is_dead(faults, node);
}

static void fill_site(struct torus_model *m)
{
    const struct torus_config *t = m->machine;
    m->living = living_list(t->torus.nodes, is_dead, &t->faults);
    m->base.site = (struct site){.ctx = m,
                                 .usual = LAYER_PACKETS,
                                 .nodes = t->torus.nodes,
                                 .places = t->torus.nodes,
                                 .living = t->torus.nodes - t->faults.nodes,
                                 .living_at = m->living.node,
                                 .dead = m->living.dead,
                                 .ways = 2 * t->torus.dims,
                                 .torus = &t->torus,
                                 .processors = core_processes(m->cores.mode),
                                 .tasks = core_processes(m->cores.mode),
                                 .tree = true,
                                 .whole = !faults_any(&t->faults),
                                 .spreads = true,
                                 .packet_payload = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES -
                                                   t->software_header_bytes,
                                 .packet_header = t->software_header_bytes,
                                 .ack_cycles = t->router.ack_bytes,
                                 .tail = tail,
                                 .slot = slot,
                                 .distance = coordinates_distance,
                                 .diameter = coordinates_diameter,
                                 .neighbour = neighbour,
                                 .bound = find_bound};
}

/* ---- building ---- */

/* The ranks on this computer hold their share of the machine. */
static weft_status check_memory(const struct torus_config *t)
{
    uint64_t bytes = torus_network_memory(&t->router, t->torus.nodes);
    return model_check_memory("machine.dims", t->torus.nodes, bytes * ranks_here() / ranks_count());
}

/* The most packet-hops in a window: few in an open loop that offers little load. */
static double window_hops(const struct torus_model *m)
{
    const struct workload *w = m->base.workload;
    const struct torus *t = &m->machine->torus;
    if (!w || w->pattern->kind != PATTERN_OPEN || w->as != LAYER_PACKETS)
        return INFINITY;
    return w->params.load * t->nodes * 2 * t->dims * m->derived.hop_cycles / workload_mean_bytes(w);
}

/* The tree beside the torus, for workloads that use it. */
static void build_tree(struct torus_model *m, const struct config *c)
{
    const struct torus_config *t = m->machine;
    const struct run_params *run = config_section(c, &run_section);
    struct tree_options o = {.params = config_section(c, &tree_section),
                             .errors = &t->router.link.errors,
                             .link_mb_per_s = t->router.link_mb_per_s,
                             .nodes = t->torus.nodes,
                             .dead = m->living.dead,
                             .bricks = m->bricks,
                             .seed = run->seed};
    if (m->base.workload && workload_uses_tree(m->base.workload))
        m->tree = tree_create(&o);
}

/* Processors that write and read every packet: for messages. */
static weft_status build_mapped(struct torus_model *m, const struct config *c)
{
    const struct torus_config *t = m->machine;
    struct mapped_options o = {.torus = &t->torus,
                               .router = &t->router,
                               .faults = &t->faults,
                               .hints = m->node->hints,
                               .software_header_bytes = t->software_header_bytes,
                               .bricks = m->bricks};
    const struct tree_params *tree = config_section(c, &tree_section);
    build_tree(m, c);
    o.tree = m->tree;
    o.tree_packet_bytes = tree->packet_bytes;
    TRY(mapped_create(&o, &m->mapped));
    m->base.cores = &m->cores;
    m->base.steps = config_section(c, &steps_section);
    model_attach(&m->base, mapped_nic(m->mapped), config_section(c, &software_section));
    return WEFT_OK;
}

/* FIFOs that run a program of packets, or serve a host. */
static weft_status build_fifos(struct torus_model *m, const struct config *c)
{
    const struct torus_config *t = m->machine;
    const struct run_params *run = config_section(c, &run_section);
    const struct workload *w = m->base.workload;
    struct fifos_options o = {.torus = &t->torus,
                              .router = &t->router,
                              .faults = &t->faults,
                              .params = m->node,
                              .software_header_bytes = t->software_header_bytes,
                              .program = w ? w->program : (struct program){.ctx = NULL},
                              .bricks = m->bricks,
                              .seed = run->seed};
    if (w && workload_mixes_loops(w))
        return BAD_INPUT("workload.parts",
                         ("some parts are open loops or files, and others programs that end: a "
                          "node of this machine writes packets in one way"),
                         ("use open loops and files for all parts, or for none"));
    weft_status status = fifos_create(&o, &m->fifos);
    if (status == WEFT_OK && !w)
        model_attach(&m->base, fifos_nic(m->fifos), config_section(c, &software_section));
    return status;
}

static weft_status build_node(struct torus_model *m, const struct config *c)
{
    const struct workload *w = m->base.workload;
    bool messages = !m->base.host && (!w || w->as == LAYER_MESSAGES);
    return messages ? build_mapped(m, c) : build_fifos(m, c);
}

static struct core_params core_params(const struct config *c)
{
    const struct fifo_params *node = config_section(c, &fifo_section);
    struct core_params cores = *(const struct core_params *)config_section(c, &core_section);
    cores.clock_mhz = node->clock_mhz;
    cores.write_cycles = node->write_cycles;
    cores.read_cycles = node->read_cycles;
    cores.packet_bytes = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES;
    return cores;
}

static weft_status build_network(struct torus_model *m, const struct config *c,
                                 const struct run_options *o)
{
    const struct torus_config *t = m->machine;
    const struct run_params *run = config_section(c, &run_section);
    struct torus_network_options no = {
        .torus = &t->torus,
        .params = &t->router,
        .faults = &t->faults,
        .client = m->mapped ? mapped_client(m->mapped) : fifos_client(m->fifos),
        .bricks = m->bricks,
        .seed = run->seed,
        .plan = model_plan(&m->base),
        .software_header_bytes = t->software_header_bytes,
        .stages = o->stages != NULL,
        .threads = o->threads * ranks_count(),
        .least_other_cycles = m->tree ? tree_least_cycles(config_section(c, &tree_section)) : 0,
    };
    weft_status status = torus_network_create(&no, &m->network);
    if (status == WEFT_OK && m->tree)
        tree_connect(m->tree, m->network);
    m->base.network = (struct network *)m->network;
    return status;
}

static weft_status build(struct torus_model *m, const struct config *c, const struct run_options *o)
{
    TRY(check_memory(m->machine));
    TRY(torus_params_derive(&m->machine->router, &m->derived));
    TRY(check_routes(c));
    fill_site(m);
    TRY(model_workload(&m->base, o));
    TRY(model_cut_bricks(&m->base, o, &m->machine->torus, m->machine->bricks, window_hops(m),
                         &m->bricks));
    TRY(build_node(m, c));
    return build_network(m, c, o);
}

static weft_status create(const struct config *c, const struct run_options *o, struct model **model)
{
    struct torus_model *m = memory_alloc(1, sizeof(*m));
    m->base.config = c;
    m->machine = config_torus(c);
    m->node = config_section(c, &fifo_section);
    m->cores = core_params(c);
    *model = &m->base;
    return build(m, c, o);
}

static void destroy(struct model *model)
{
    struct torus_model *m = (struct torus_model *)model;
    network_destroy(m->base.network);
    fifos_destroy(m->fifos);
    mapped_destroy(m->mapped);
    tree_destroy(m->tree);
    living_fini(&m->living);
    free(m);
}

static void archive(struct model *model, struct archive *a)
{
    struct torus_model *m = (struct torus_model *)model;
    if (m->mapped)
        mapped_archive(m->mapped, a);
    else
        fifos_archive(m->fifos, a);
}

static void locate(const struct model *model, struct nic_node *at)
{
    bricks_find(&((const struct torus_model *)model)->bricks, at->node, &at->partition, &at->local);
}

static void cuts(const struct model *model, uint32_t out[MODEL_CUTS])
{
    const struct torus_model *m = (const struct torus_model *)model;
    for (unsigned d = 0; d < m->machine->torus.dims; d++)
        out[d] = m->bricks.cuts[d];
}

/* ---- gathering ---- */

static void gather_links(const struct torus_model *m, struct run_result *r)
{
    const struct torus *t = &m->machine->torus;
    for (unsigned port = 0; port < 2 * t->dims; port++) {
        unsigned d = port / 2;
        if (t->size[d] > 1)
            r->links_by_port[port] =
                (uint64_t)(t->nodes / t->size[d]) * (t->wrap[d] ? t->size[d] : t->size[d] - 1) -
                faults_links(&m->machine->faults, t, port);
        r->port_name[port] = torus_port_name(port);
    }
    run_result_links(r, 1);
}

static void gather_vcs(const struct torus_model *m, struct run_result *r)
{
    const struct torus_derived *d = &m->derived;
    double links = 0, span = (double)r->span;
    for (unsigned port = 0; port < MEASURE_PORTS; port++)
        links += (double)r->links_by_port[port];
    r->vcs = d->vcs;
    for (unsigned v = 0; v < d->vcs; v++)
        r->vc[v] = (struct run_vc){
            .name = torus_vc_name(&m->machine->router, v),
            .share = run_ratio((double)r->measure.hops_by_vc[v], (double)r->measure.hops),
            .occupancy = run_ratio((double)r->measure.occupied[v], links * span * d->capacity[v]),
            .unavailable_share = run_ratio((double)r->measure.unavailable[v], links * span),
        };
}

static void map(const struct model *model, struct link_map *map)
{
    const struct torus_model *m = (const struct torus_model *)model;
    const struct torus *t = &m->machine->torus;
    *map = (struct link_map){.vertices = t->nodes,
                             .shape = *t,
                             .directions = 2 * t->dims,
                             .numbers = (uint64_t)t->nodes * 2 * t->dims,
                             .rooms = 1};
    for (unsigned port = 0; port < map->directions; port++)
        map->direction[port] = torus_port_name(port);
    for (unsigned vc = 0; vc < m->derived.vcs; vc++)
        map->queue[vc] = m->derived.capacity[vc];
}

static bool find_link(const struct model *model, uint64_t number, struct machine_link *link)
{
    const struct torus_model *m = (const struct torus_model *)model;
    const struct torus *t = &m->machine->torus;
    uint32_t node = (uint32_t)(number / (2 * t->dims)), local, there;
    unsigned port = (unsigned)(number % (2 * t->dims));
    uint32_t to = torus_neighbour(t, node, port);
    if (to == TORUS_NO_NODE)
        return false;
    bool dead = faults_neighbour(&m->machine->faults, t, node, port) == TORUS_NO_NODE;
    bool bad = errors_is_bad(&m->machine->router.link.errors, node, port);
    *link = (struct machine_link){.from = node,
                                  .to = to,
                                  .direction = (uint8_t)port,
                                  .state = link_state(dead, bad),
                                  .busy = torus_network_link_busy(m->network, node, port)};
    if (!model->network->plan.detail)
        return true;
    bricks_find(&m->bricks, node, &link->sender.partition, &local);
    bricks_find(&m->bricks, to, &link->receiver.partition, &there);
    link->sender.slot = torus_slot(local, port);
    link->receiver.slot = torus_slot(there, port); /* numbered by where packets go */
    return true;
}

/* Mean utilisation of the links that lead into the hot box. */
static double hot_links(const struct torus_model *m, const struct run_result *r)
{
    const struct workload *w = m->base.workload;
    const struct torus *t = &m->machine->torus;
    if (!w || !w->hot_links || !machine_uses(m->base.config, "workload.hot_dims"))
        return -1;
    uint64_t busy = 0;
    for (uint32_t i = 0; i < w->hot_nodes; i++) {
        uint32_t node = workload_hot_node(w, i);
        for (unsigned port = 0; port < 2 * t->dims; port++) {
            uint32_t from = torus_neighbour(t, node, port);
            if (from != TORUS_NO_NODE && !workload_is_hot(w, from))
                busy += torus_network_link_busy(m->network, from, torus_opposite(port));
        }
    }
    ranks_sum(&busy, 1);
    return run_ratio((double)busy, (double)w->hot_links * (double)r->span);
}

/* With several packet sizes: the bytes that were drawn relative to those expected. */
static double drawn_size(const struct torus_model *m, const struct measure *measured)
{
    const struct workload *w = m->base.workload;
    bool drawn = w && !w->open && machine_uses(m->base.config, "workload.packet_bytes") &&
                 w->params.packet_bytes.count > 1 && !w->params.bytes_per_pair;
    if (!drawn || !measured->delivered)
        return 1;
    double bytes = (double)measured->payload_bytes / (double)measured->delivered +
                   m->machine->software_header_bytes;
    double ack = m->base.site.ack_cycles;
    return (slot(&m->base.site, bytes) + ack) / (slot(&m->base.site, workload_mean_bytes(w)) + ack);
}

static void gather(const struct model *model, struct run_result *r)
{
    const struct torus_model *m = (const struct torus_model *)model;
    gather_links(m, r);
    gather_vcs(m, r);
    r->bound_cycles *= drawn_size(m, &r->measure);
    r->hot_link_utilisation = hot_links(m, r);
    r->link_protocol = m->machine->router.link.protocol;
    torus_network_links(m->network, &r->link_report);
    if (m->tree) {
        struct tree_counts tree = tree_counts(m->tree);
        run_result_add(r, "tree_packet_hops", (double)tree.packets);
        run_result_add(r, "tree_retransmissions", (double)tree.retransmitted);
    }
    if (!m->fifos)
        return;
    struct watermark_counts marks = fifos_watermarks(m->fifos);
    r->injection_watermarks = marks.injection;
    r->reception_watermarks = marks.reception;
}

/* ---- the proof ---- */

static bool has_small_packets(const struct config *c)
{
    const struct workload_params *w = config_workload(c);
    if (machine_uses(c, "workload.message_bytes") || w->bytes_per_pair)
        return true;
    for (uint32_t i = 0; i < w->packet_bytes.count; i++)
        if (w->packet_bytes.value[i] < TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES)
            return true;
    return false;
}

static weft_status prove(const struct config *c, char *text, size_t size)
{
    const struct torus_config *t = config_torus(c);
    struct classes classes = classes_of(c);
    struct proof_traffic traffic = {.dynamic = classes.dynamic,
                                    .high = classes.high,
                                    .long_ways = machine_uses(c, "workload.deposit"),
                                    .small_packets = has_small_packets(c)};
    return torus_prove(&t->torus, &t->router, &t->faults, &traffic, text, size);
}

/* ---- show ---- */

static void print_topology(FILE *out, const struct config *c)
{
    const struct torus_config *m = config_torus(c);
    const struct torus *t = &m->torus;
    char dims[80], a[32];
    double hops = 0, mb = m->router.link_mb_per_s;
    fprintf(out, "%s, %s\n\n", config_name(c), torus_text(t, dims));
    fprintf(out, "  nodes                  %s\n", text_count(t->nodes, a));
    fprintf(out, "  links, one way         %s at %.6g MB/s\n", text_count(torus_links(t), a), mb);
    if (faults_any(&m->faults))
        fprintf(out,
                "  dead                   %u nodes, %u links; the figures below are for the "
                "whole machine\n",
                m->faults.nodes, m->faults.links);
    fprintf(out, "  diameter               %u hop%s\n", torus_diameter(t),
            torus_diameter(t) == 1 ? "" : "s");
    fprintf(out, "  mean distance          ");
    for (unsigned d = 0; d < t->dims; d++)
        hops += torus_mean_hops(t, d);
    fprintf(out, "%.4f hops (", hops);
    for (unsigned d = 0; d < t->dims; d++)
        fprintf(out, d ? ", %c %.4f" : "%c %.4f", "xyzuvw"[d], torus_mean_hops(t, d));
    uint64_t bisection = torus_bisection_links(t),
             memory = torus_network_memory(&m->router, t->nodes);
    fprintf(out, ")\n  bisection              %s links, %.6g GB/s\n", text_count(bisection, a),
            (double)bisection * mb / 1e3);
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
        fprintf(out, "  zero-load hop          %u cycles = %.1f ns\n", d.hop_cycles,
                d.hop_cycles * 1e3 / p->link_mb_per_s);
}

static void print_head(FILE *out, const struct config *c)
{
    print_topology(out, c);
    print_peaks(out, c);
}

static const struct key_table *const tables[] = {&torus_keys,    &fifo_keys,
                                                 &core_keys,     &tree_keys,
                                                 &steps_keys,    &reduce_keys,
                                                 &mpi_keys,      &adaptive_keys,
                                                 &workload_keys, &coordinate_keys,
                                                 &class_keys,    &jobs_keys,
                                                 &run_keys,      NULL};

const struct family torus_family = {.schema = {"torus", tables},
                                    .offers = offers,
                                    .usual = LAYER_PACKETS,
                                    .stages = torus_stage_names,
                                    .finish = finish,
                                    .sizes = packet_sizes,
                                    .nodes = nodes,
                                    .dead_nodes = dead_nodes,
                                    .is_whole = is_whole,
                                    .size_text = size_text,
                                    .cycles_per_second = cycles_per_second,
                                    .check_routes = check_routes,
                                    .ground = ground,
                                    .prove = prove,
                                    .show = print_head,
                                    .create = create,
                                    .destroy = destroy,
                                    .archive = archive,
                                    .locate = locate,
                                    .cuts = cuts,
                                    .map = map,
                                    .link = find_link,
                                    .gather = gather};
