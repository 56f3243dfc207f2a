/* The torus: building it, and what is measured of it alone. */
#include "machine/model.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ranks.h"
#include "fabric/torus/proof.h"
#include "topology/bricks.h"

struct torus_model {
    struct model base;
    struct workload *workload;
    struct endpoints *endpoints;
    struct torus_network *network;
    struct bricks bricks;
};

/* ---- building ---- */

/* The ranks on this computer hold their share. */
static weft_status check_memory(const struct config *c)
{
    uint64_t bytes = torus_network_memory(&c->router, c->torus.nodes);
    return model_check_memory("machine.dims", c->torus.nodes, bytes * ranks_here() / ranks_count());
}

/* Packet-hops in a window, at most: of open loops that offer little, few. */
static double window_hops(const struct config *c)
{
    const struct workload_params *w = &c->workload;
    struct torus_derived derived;
    double bytes = 0;
    if (!pattern_is_open(w->pattern) || torus_params_derive(&c->router, &derived) != WEFT_OK)
        return INFINITY;
    for (uint32_t i = 0; i < w->sizes; i++)
        bytes += (double)w->chunks[i] * TORUS_CHUNK_BYTES / w->sizes;
    return w->load * c->torus.nodes * 2 * c->torus.dims * derived.hop_cycles / bytes;
}

/* Threads for which there is a packet-hop in a window: more would only meet. One a rank at least.
 */
static uint32_t useful_threads(const struct config *c, uint32_t threads)
{
    double hops = window_hops(c);
    uint32_t useful = hops < threads ? (uint32_t)ceil(hops) : threads;
    return useful > ranks_count() ? useful : ranks_count();
}

/* `threads`: of all ranks. */
static weft_status choose_bricks(const struct config *c, uint32_t threads, struct bricks *bricks)
{
    enum { MOST_BRICKS = 4096 };
    struct torus cuts;
    if (strcmp(c->bricks, "auto") == 0) {
        threads = useful_threads(c, threads);
        /* Few large ones cost least; some for each thread let the work be shared out evenly. */
        struct bricks_wish wish = {.most_nodes = 16384,
                                   .least = threads,
                                   .good = threads > 1 ? 4 * threads : 1,
                                   .good_nodes = 1024};
        bricks_init(bricks, &c->torus, &wish);
        if (bricks->count < ranks_count())
            return BAD_INPUT(NULL,
                             ("%u nodes are too few for %u ranks", c->torus.nodes, ranks_count()),
                             ("use fewer ranks"));
        return WEFT_OK;
    }
    if (torus_parse(c->bricks, &cuts) != WEFT_OK || cuts.dims != c->torus.dims)
        return BAD_INPUT(
            "run.bricks", ("run.bricks = '%s' does not fit the machine", c->bricks),
            ("use cuts of each of its %u dimensions, as 2x2x1, or auto", c->torus.dims));
    bricks_init_cuts(bricks, &c->torus, cuts.size);
    if (bricks->count < ranks_count())
        return BAD_INPUT("run.bricks",
                         ("run.bricks = '%s' makes %u partitions for %u ranks", c->bricks,
                          bricks->count, ranks_count()),
                         ("use more, or auto"));
    if (bricks->count > MOST_BRICKS)
        return BAD_INPUT("run.bricks",
                         ("run.bricks = '%s' makes %u partitions", c->bricks, bricks->count),
                         ("use at most %d", MOST_BRICKS));
    return WEFT_OK;
}

static weft_status cut(const struct config *c, const struct run_options *o, struct bricks *bricks)
{
    uint32_t threads;
    if (o->resume) {
        bricks_init_cuts(bricks, &c->torus, o->resume->head.cuts);
        return WEFT_OK;
    }
    weft_status status = model_threads(o, &threads);
    return status == WEFT_OK ? choose_bricks(c, threads, bricks) : status;
}

static weft_status check_routes(const struct config *c)
{
    struct torus_derived derived;
    const struct workload_params *w = &c->workload;
    if (!faults_any(&c->faults))
        return WEFT_OK;
    weft_status status = torus_params_derive(&c->router, &derived);
    bool dynamic = w->dynamic_share > 0 && c->router.dynamic_vcs;
    bool fixed = w->dynamic_share < 1 || w->high_share > 0 || !c->router.dynamic_vcs;
    if (status == WEFT_OK && w->pattern != PATTERN_NEIGHBOUR)
        status = faults_connected(&c->faults, &c->torus, derived.escape_order, dynamic, fixed);
    return status;
}

static weft_status build(struct torus_model *m, const struct config *c, const struct run_options *o)
{
    weft_status status = check_memory(c);
    if (status == WEFT_OK)
        status = check_routes(c);
    if (status == WEFT_OK)
        status = cut(c, o, &m->bricks);
    if (status == WEFT_OK)
        status = workload_create(&c->workload, &c->torus, &c->router, c->software_header_bytes,
                                 c->seed, &m->workload);
    if (status != WEFT_OK)
        return status;
    struct fifo_params node = c->node;
    double link_cycles = c->router.link_mb_per_s / c->clock_mhz; /* in a processor cycle */
    node.write_cycles = c->packet_write_cycles * link_cycles;
    node.read_cycles = c->packet_read_cycles * link_cycles;
    struct endpoints_options eo = {.torus = &c->torus,
                                   .router = &c->router,
                                   .faults = &c->faults,
                                   .node = &node,
                                   .program = m->workload->program,
                                   .bricks = m->bricks,
                                   .seed = c->seed};
    status = endpoints_create(&eo, &m->endpoints);
    if (status != WEFT_OK)
        return status;
    const struct workload_params *w = &c->workload;
    bool open = m->workload->open;
    struct torus_network_options no = {
        .torus = &c->torus,
        .params = &c->router,
        .faults = &c->faults,
        .client = endpoints_client(m->endpoints),
        .bricks = m->bricks,
        .seed = c->seed,
        .measure_from = open ? w->warmup_cycles : 0,
        .measure_to = open ? w->warmup_cycles + w->cycles : CYCLE_NEVER,
        .interval = c->interval_cycles,
        .software_header_bytes = c->software_header_bytes,
        .stages = o->stages,
        .threads = o->threads * ranks_count(),
    };
    return torus_network_create(&no, &m->network);
}

static weft_status create(const struct config *c, const struct run_options *o, struct model **model)
{
    struct torus_model *m = weft_alloc(1, sizeof(*m));
    m->base.config = c;
    *model = &m->base;
    weft_status status = build(m, c, o);
    m->base.partitions = m->bricks.count;
    if (status != WEFT_OK)
        return status;
    m->base.network = (struct network *)m->network;
    m->base.open = m->workload->open;
    m->base.deliveries = m->workload->deliveries;
    return WEFT_OK;
}

static void destroy(struct model *model)
{
    struct torus_model *m = (struct torus_model *)model;
    network_destroy(m->base.network);
    endpoints_destroy(m->endpoints);
    if (m->workload)
        workload_destroy(m->workload);
    free(m);
}

static void archive(struct model *model, struct archive *a)
{
    struct torus_model *m = (struct torus_model *)model;
    workload_archive(m->workload, a);
    endpoints_archive(m->endpoints, a);
}

static void cuts(const struct model *model, uint32_t out[TORUS_MAX_DIMS])
{
    const struct torus_model *m = (const struct torus_model *)model;
    for (unsigned d = 0; d < TORUS_MAX_DIMS; d++)
        out[d] = d < model->config->torus.dims ? m->bricks.cuts[d] : 1;
}

/* ---- gathering ---- */

static uint64_t live_links(const struct config *c)
{
    uint64_t links = torus_links(&c->torus);
    for (unsigned port = 0; port < 2 * c->torus.dims; port++)
        links -= faults_links(&c->faults, &c->torus, port);
    return links;
}

static void gather_links(const struct torus_model *m, struct run_result *r)
{
    const struct torus *t = &m->base.config->torus;
    double busy = 0, links = (double)live_links(m->base.config), span = (double)r->span;
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        unsigned d = port / 2;
        if (d < t->dims && t->size[d] > 1)
            r->links_by_port[port] =
                (uint64_t)(t->nodes / t->size[d]) * (t->wrap[d] ? t->size[d] : t->size[d] - 1) -
                faults_links(&m->base.config->faults, t, port);
        r->utilisation_by_port[port] =
            model_ratio((double)r->measure.busy[port], (double)r->links_by_port[port] * span);
        r->port_name[port] = torus_port_name(port);
        busy += (double)r->measure.busy[port];
    }
    r->link_utilisation = model_ratio(busy, links * span);
    double payload =
        (double)(r->open ? r->measure.window_payload_hop_bytes : r->measure.payload_hop_bytes);
    r->payload_utilisation = model_ratio(payload, links * span);
}

static void gather_vcs(const struct torus_model *m, struct run_result *r)
{
    const struct torus_derived *d = torus_network_derived(m->network);
    double links = (double)live_links(m->base.config), span = (double)r->span;
    r->vcs = d->vcs;
    for (unsigned v = 0; v < d->vcs; v++)
        r->vc[v] = (struct run_vc){
            .name = torus_vc_name(&m->base.config->router, v),
            .share = model_ratio((double)r->measure.hops_by_vc[v], (double)r->measure.hops),
            .occupancy = model_ratio((double)r->measure.occupied[v], links * span * d->capacity[v]),
            .unavailable_share = model_ratio((double)r->measure.unavailable[v], links * span),
        };
}

/* Mean utilisation of the links that lead into the hot box. */
static double hot_links(const struct torus_model *m, const struct run_result *r)
{
    const struct workload *w = m->workload;
    const struct torus *t = w->torus;
    bool box = w->params.pattern == PATTERN_HOTREGION || w->params.pattern == PATTERN_HOTSPOT;
    if (!box || !w->hot_links)
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
    return model_ratio((double)busy, (double)w->hot_links * (double)r->span);
}

/* Packets of several sizes: how the bytes that were drawn compare with those expected. */
static double drawn_size(const struct torus_model *m, const struct measure *measured)
{
    const struct workload *w = m->workload;
    bool drawn = w->params.pattern == PATTERN_ALLTOALL || w->params.pattern == PATTERN_HOTSPOT;
    if (!drawn || w->params.sizes == 1 || w->params.bytes_per_pair || !measured->delivered)
        return 1;
    const struct torus_params *p = &m->base.config->router;
    double bytes =
        (double)measured->payload_bytes / (double)measured->delivered + w->software_header_bytes;
    return (bytes + p->trailer_bytes + p->gap_bytes + p->ack_bytes) /
           (workload_mean_slot(w, p) + p->ack_bytes);
}

static void gather(const struct model *model, struct run_result *r)
{
    const struct torus_model *m = (const struct torus_model *)model;
    const struct workload *w = m->workload;
    gather_links(m, r);
    gather_vcs(m, r);
    r->bound_cycles = w->bound_cycles * drawn_size(m, &r->measure);
    if (w->open && w->rate_bound > 0)
        r->fraction_of_peak = model_ratio((double)r->measure.window_delivered,
                                          (double)r->span * w->senders * w->rate_bound);
    else if (!w->open && w->bound_cycles > 0)
        r->fraction_of_peak = model_ratio(r->bound_cycles, (double)r->cycles);
    if (w->params.pattern == PATTERN_PINGPONG && w->deliveries)
        r->one_way_cycles = (double)r->cycles / (2.0 * w->params.messages);
    r->hot_link_utilisation = hot_links(m, r);
    r->link_protocol = model->config->router.link.protocol;
    torus_network_links(m->network, &r->link_report);
    struct watermark_counts marks = endpoints_watermarks(m->endpoints);
    r->injection_watermarks = marks.injection;
    r->reception_watermarks = marks.reception;
}

/* ---- the proof ---- */

static bool has_small_packets(const struct workload_params *w)
{
    bool messages = w->pattern == PATTERN_PINGPONG || w->pattern == PATTERN_LINEFILL ||
                    w->pattern == PATTERN_PLANEFILL || w->bytes_per_pair;
    for (uint32_t i = 0; i < w->sizes; i++)
        messages |= w->chunks[i] < TORUS_MAX_CHUNKS;
    return messages;
}

static weft_status prove(const struct config *c, char *text, size_t size)
{
    const struct workload_params *w = &c->workload;
    struct proof_traffic traffic = {.dynamic = w->dynamic_share > 0 && c->router.dynamic_vcs,
                                    .high = w->high_share > 0,
                                    .long_ways = w->pattern == PATTERN_LINEFILL ||
                                                 w->pattern == PATTERN_PLANEFILL,
                                    .small_packets = has_small_packets(w)};
    return torus_prove(&c->torus, &c->router, &c->faults, &traffic, text, size);
}

const struct model_kind model_torus = {.create = create,
                                       .destroy = destroy,
                                       .archive = archive,
                                       .cuts = cuts,
                                       .gather = gather,
                                       .check_routes = check_routes,
                                       .prove = prove};
