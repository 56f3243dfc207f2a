/*
 * Open-loop traffic: where each packet goes, and how much of it the network can carry.
 *
 * The literature defines the bit patterns for powers of two only. Here each is a permutation on
 * every machine (nodes without a partner are silent), and equals the usual one where that exists.
 */
#include "workload/patterns/patterns.h"

#include "base/memory.h"
#include "base/random.h"

struct open {
    struct rates *rates;   /* of senders that are not all alike; NULL: they are */
    double spacing_cycles; /* of the packets in a burst */
    uint64_t permutation_key;
    uint32_t rows, columns; /* of endpoints, for a transpose without coordinates */
    struct hot_box hot;     /* of a hot region */
};

static const struct open *open_of(const struct workload *w)
{
    return w->state;
}

/* ---- where packets go ---- */

static uint64_t destination_draw(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    uint64_t key = random_key(w->seed, site_node(w->site, endpoint), RANDOM_DESTINATION);
    return random_draw(key, sequence);
}

static uint32_t any_other(const struct workload *w, uint32_t endpoint, uint64_t draw)
{
    uint32_t other = random_below(draw, w->site->endpoints - 1);
    return other + (other >= endpoint);
}

static uint32_t uniform(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    return any_other(w, endpoint, destination_draw(w, endpoint, sequence));
}

/* A share of the packets goes to the hot box, others anywhere (TORUS, Figure 3), or outside it. */
static uint32_t hot_region(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    uint64_t draw = destination_draw(w, endpoint, sequence);
    bool apart = w->hot->apart;
    if (apart && workload_is_hot(w, site_node(w->site, endpoint)))
        return endpoint;
    if ((double)(draw & 0xffffff) >= w->hot->share * (1 << 24)) {
        uint32_t other = any_other(w, endpoint, draw);
        while (apart && workload_is_hot(w, site_node(w->site, other))) /* there is one outside */
            other = any_other(w, endpoint, draw = random_mix(draw + 1));
        return other;
    }
    uint32_t hot = workload_hot_node(w, random_below(draw, w->hot->nodes));
    return hot == endpoint ? any_other(w, endpoint, draw) : hot;
}

/* To the node with the same digits in reverse order: (x,y,z) to (z,y,x) on a cube. Without
 * coordinates, endpoints are the blocks of a matrix, row by row. */
static uint32_t transpose(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    const struct torus *t = w->site->torus;
    uint32_t c[TORUS_MAX_DIMS], to = 0;
    (void)sequence;
    if (!t)
        return endpoint % open_of(w)->columns * open_of(w)->rows + endpoint / open_of(w)->columns;
    torus_coordinates(t, endpoint, c);
    for (unsigned d = 0; d < t->dims; d++)
        to = to * t->size[d] + c[d];
    return to;
}

static uint32_t tornado(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    const struct torus *t = w->site->torus;
    uint32_t c[TORUS_MAX_DIMS];
    (void)sequence;
    torus_coordinates(t, endpoint, c);
    for (unsigned d = 0; d < t->dims; d++)
        c[d] = (c[d] + (t->size[d] + 1) / 2 - 1) % t->size[d];
    return torus_node(t, c);
}

/* Somewhere in the next group: the n-th packets of a group go to its endpoints in some order, so
 * that each gets one. */
static uint32_t next_group(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    uint32_t size = w->site->group, endpoints = w->site->endpoints,
             groups = (endpoints + size - 1) / size;
    uint32_t group = (endpoint / size + 1) % groups, first = group * size;
    uint32_t there = endpoints - first < size ? endpoints - first : size;
    uint32_t shift =
        random_below(random_draw(random_key(w->seed, group, RANDOM_DESTINATION), sequence), there);
    return first + (endpoint % size + shift) % there;
}

/* On a torus, every coordinate c to k-1-c. */
static uint32_t bit_complement(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    (void)sequence;
    return w->site->endpoints - 1 - endpoint;
}

static uint32_t bit_reverse(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    uint32_t to = 0;
    (void)sequence;
    for (uint32_t bit = 1; bit < w->site->endpoints; bit <<= 1) {
        to = to << 1 | (endpoint & 1);
        endpoint >>= 1;
    }
    return to;
}

/* 2i, with the top bit rotated in at the bottom: 2i mod (N-1) for even N, 2i mod N for odd N. */
static uint32_t shuffle(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    uint32_t endpoints = w->site->endpoints;
    (void)sequence;
    if (endpoint == endpoints - 1 && endpoints % 2 == 0)
        return endpoint;
    return (uint32_t)(2ull * endpoint % (endpoints % 2 ? endpoints : endpoints - 1));
}

static uint32_t permutation(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    (void)sequence;
    return random_permute(open_of(w)->permutation_key, w->site->endpoints, endpoint);
}

uint32_t open_by_rates(const struct workload *w, uint32_t endpoint, uint32_t sequence)
{
    const struct rates *rates = open_of(w)->rates;
    return rates ? rates_draw(rates, endpoint, destination_draw(w, endpoint, sequence)) : endpoint;
}

/* ---- packets ---- */

bool open_destination(const struct workload *w, uint32_t node, uint32_t sequence, struct step *step)
{
    if (!w->pattern->partner)
        return site_neighbour(w->site, node, sequence, step) > 0;
    uint32_t endpoint = site_endpoint(w->site, node),
             other = w->pattern->partner(w, endpoint, sequence);
    if (other >= w->site->endpoints || other == endpoint)
        return false;
    step->to = site_node(w->site, other);
    return true;
}

static bool open_step(void *ctx, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload *w = ctx;
    step->bytes = BYTES_DRAWN;
    if (w->site->endpoints < 2 || !open_destination(w, node, sequence, step))
        return false;
    workload_dress(w, node, sequence, step);
    return true;
}

/* ---- the bound ---- */

/* Packets that must pass the links into the hot box, if each node that sends, sends one. */
static double into_box(const struct workload *w)
{
    double nodes = w->site->endpoints, hot = w->hot->nodes, share = w->hot->share;
    if (!w->hot->links)
        return 0;
    return (nodes - hot) * (w->hot->apart ? share : share + (1 - share) * hot / (nodes - 1));
}

/* Cycles that these links need for them, and for the acknowledgments of those the other way. */
static double hot_box_cycles(const struct workload *w)
{
    double nodes = w->site->endpoints, hot = w->hot->nodes;
    double slot = w->site->slot(w->site, workload_mean_bytes(w)), ack = w->site->ack_cycles;
    if (!w->hot->links)
        return 0;
    double out = w->hot->apart ? 0 : hot * (1 - w->hot->share) * (nodes - hot) / (nodes - 1);
    return (into_box(w) * slot + out * ack) / w->hot->links;
}

static void setup_open_bound(struct workload *w)
{
    struct flows flows = {.workload = w,
                          .uniform = w->hot || w->pattern->partner == uniform,
                          .neighbours = !w->pattern->partner,
                          .rates = open_of(w)->rates,
                          .packets = 1};
    if (w->site->torus)
        flows.group_dims = (1u << w->site->torus->dims) - 1;
    if (w->site->endpoints < 2)
        return;
    double worst = w->site->bound(w->site, &flows, &w->senders);
    double box = w->hot ? hot_box_cycles(w) : 0;
    bool boxed = box > worst;
    worst = boxed ? box : worst;
    w->rate_bound = w->rate_peak = w->senders && worst > 0 ? 1 / worst : 0;
    /* The most that can arrive of an overloaded hot region: what passes the box at the bound, and
     * all that need not; if something else is the bound, all that is offered. */
    double in = boxed ? into_box(w) / w->senders : 0, offered = w->params.load * w->rate_bound;
    if (w->hot && w->params.load > 1)
        w->rate_peak = in * w->rate_bound + (1 - in) * offered;
}

/* ---- births ---- */

/* The packets of a burst follow each other as a node's links can take them, or as the pause that
 * was asked for leaves time for them. */
static struct arrival_process arrival_process_at(const struct workload *w, double mean)
{
    const struct workload_params *p = &w->params;
    double spacing = open_of(w)->spacing_cycles;
    if (mean <= 0) /* it sends nothing */
        return (struct arrival_process){.mean_gap_cycles = 0};
    if (p->burst_gap_cycles)
        spacing = mean - (double)p->burst_gap_cycles / p->burst_packets;
    return arrival_process_spaced(p->burst, mean, p->burst_packets, p->burst_shape, spacing);
}

static struct arrival_process own_arrivals(void *ctx, uint32_t node)
{
    const struct workload *w = ctx;
    const struct rates *rates = open_of(w)->rates;
    double rate = rates ? rates->of[site_endpoint(w->site, node)] : 1;
    return arrival_process_at(w, rate > 0 ? w->program.mean_gap_cycles / rate : 0);
}

static weft_status setup_arrivals(struct workload *w)
{
    const struct workload_params *p = &w->params;
    struct open *open = w->state;
    double least = w->program.mean_gap_cycles / (open->rates ? open->rates->busiest : 1);
    uint32_t ways = w->site->ways ? w->site->ways : 1;
    if (least <= 0 || (p->burst == BURST_NONE && !open->rates))
        return WEFT_OK;
    open->spacing_cycles = w->site->slot(w->site, workload_mean_bytes(w)) / ways;
    w->program.arrivals = own_arrivals;
    if (p->burst != BURST_NONE && arrival_process_at(w, least).spacing_cycles < 0)
        return BAD_INPUT("workload.burst_gap_cycles workload.burst_packets workload.load",
                         ("workload.burst_gap_cycles = %llu: at this load a burst and its pause "
                          "take %.0f cycles",
                          (unsigned long long)p->burst_gap_cycles, least * p->burst_packets),
                         ("use at most that many, longer bursts or less load"));
    return WEFT_OK;
}

/* As workload.load has it. */
enum { LOAD_MOST = 1000 };

static weft_status check_groups(const struct workload *w)
{
    const char *name = w->pattern->name;
    if (!(w->pattern->needs & SITE_GROUPS))
        return WEFT_OK;
    if (w->site->endpoints <= w->site->group)
        return BAD_INPUT(
            "workload.pattern",
            ("workload.pattern = %s needs two groups of nodes, and there is one", name),
            ("use a dragonfly with more groups, or another pattern"));
    if (!w->site->group)
        return BAD_INPUT("workload.pattern",
                         ("workload.pattern = %s needs groups of nodes, and there are none", name),
                         ("use a whole dragonfly, or another pattern"));
    return WEFT_OK;
}

static weft_status setup_region(struct workload *w, struct hot_box *hot)
{
    TRY(hot_setup(w, true, hot));
    if (hot->apart && w->site->endpoints < hot->nodes + 2)
        return BAD_INPUT("workload.hot_apart workload.hot_dims",
                         ("workload.hot_apart needs two nodes outside the hot box, which has %u of "
                          "%u",
                          hot->nodes, w->site->endpoints),
                         ("use a smaller workload.hot_dims"));
    return WEFT_OK;
}

/* How many packets each node sends. */
static weft_status setup_load(struct workload *w)
{
    const struct workload_params *p = &w->params;
    setup_open_bound(w);
    if (workload_rates_absolute(p)) { /* MB/s of payload, as a share of the bound */
        double bytes_per_cycle = open_of(w)->rates->mean * 1e6 / w->site->cycles_per_second;
        double payload = workload_mean_bytes(w) - w->site->packet_header;
        bool bounded = w->rate_bound > 0 && payload > 0;
        w->params.load = bounded ? bytes_per_cycle / payload / w->rate_bound : 0;
    }
    if (w->params.load > LOAD_MOST)
        return BAD_INPUT(
            "workload.file",
            ("the rates of %s come to %.3g times what can be carried", p->file, w->params.load),
            ("use at most %d times that", LOAD_MOST));
    w->program.step = open_step;
    w->program.high_share = p->high_share;
    w->program.stop_at = workload_warmup(p) + p->cycles;
    if (p->load > 0 && w->rate_bound > 0)
        w->program.mean_gap_cycles = 1 / (p->load * w->rate_bound);
    else
        w->program.stop_at = 0;
    return setup_arrivals(w);
}

weft_status open_setup_rates(struct workload *w, struct rates *rates)
{
    struct open *open = w->state = memory_alloc(1, sizeof(*open));
    struct torus grid;
    torus_near(w->site->endpoints, 2, &grid);
    *open = (struct open){.rates = rates,
                          .permutation_key = random_key(w->seed, 0, RANDOM_PERMUTATION),
                          .rows = grid.size[0],
                          .columns = grid.size[1]};
    w->uneven = rates != NULL;
    TRY(check_groups(w));
    if (w->pattern->partner == hot_region)
        TRY(setup_region(w, &open->hot));
    return setup_load(w);
}

static weft_status open_setup(struct workload *w)
{
    return open_setup_rates(w, NULL);
}

void open_fini(struct workload *w)
{
    struct open *open = w->state;
    rates_free(open->rates);
}

/* ---- rows ---- */

#define OPEN_ROW(NAME, OWN_KEYS, ...)                                                              \
    {                                                                                              \
        .name = NAME, .kind = PATTERN_OPEN, .packets = open_setup,                                 \
        .packet_keys = OPEN_KEYS OWN_KEYS, __VA_ARGS__                                             \
    }

const struct pattern uniform_pattern = OPEN_ROW("uniform", "", .partner = uniform);
const struct pattern neighbour_pattern = OPEN_ROW("neighbour", "", .alias = "neighbor");
const struct pattern nextgroup_pattern =
    OPEN_ROW("nextgroup", "", .needs = SITE_GROUPS, .partner = next_group);
const struct pattern transpose_pattern = OPEN_ROW("transpose", "", .partner = transpose);
const struct pattern bitcomplement_pattern =
    OPEN_ROW("bitcomplement", "", .partner = bit_complement);
const struct pattern bitreverse_pattern = OPEN_ROW("bitreverse", "", .partner = bit_reverse);
const struct pattern tornado_pattern =
    OPEN_ROW("tornado", "", .needs = SITE_COORDINATES, .partner = tornado);
const struct pattern shuffle_pattern = OPEN_ROW("shuffle", "", .partner = shuffle);
const struct pattern permutation_pattern = OPEN_ROW("permutation", "", .partner = permutation);
const struct pattern hotregion_pattern =
    OPEN_ROW("hotregion", "hot_share hot_apart hot_dims", .needs = SITE_COORDINATES,
             .coordinate_keys = &hot_keys, .partner = hot_region);

/* ---- a matrix of rates ---- */

static weft_status matrix_packets(struct workload *w)
{
    struct rates *rates = NULL;
    if (!w->params.file[0])
        return BAD_INPUT("workload.file workload.pattern",
                         ("workload.pattern = matrix needs a file of rates"),
                         ("name it by workload.file"));
    TRY(rates_read(w->site, w->params.rates, w->params.file, &rates));
    return open_setup_rates(w, rates);
}

const struct pattern matrix_pattern = {.name = "matrix",
                                       .kind = PATTERN_OPEN,
                                       .from_file = true,
                                       .packets = matrix_packets,
                                       .packet_keys = OPEN_KEYS "file rates",
                                       .packet_work = "rates of {file}: {who} send {what}",
                                       .partner = open_by_rates,
                                       .fini = open_fini};
