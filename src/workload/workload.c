/* What all workloads share: names, packet sizes, the hot box, life cycle. */
#include "workload/workload.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

const char *const pattern_names[PATTERN_COUNT + 1] = {
    [PATTERN_ALLTOALL] = "alltoall",     [PATTERN_UNIFORM] = "uniform",
    [PATTERN_HOTREGION] = "hotregion",   [PATTERN_HOTSPOT] = "hotspot",
    [PATTERN_NEIGHBOUR] = "neighbour",   [PATTERN_PINGPONG] = "pingpong",
    [PATTERN_LINEFILL] = "linefill",     [PATTERN_PLANEFILL] = "planefill",
    [PATTERN_TRANSPOSE] = "transpose",   [PATTERN_BITCOMPLEMENT] = "bitcomplement",
    [PATTERN_BITREVERSE] = "bitreverse", [PATTERN_TORNADO] = "tornado",
    [PATTERN_SHUFFLE] = "shuffle",       [PATTERN_PERMUTATION] = "permutation",
    [PATTERN_PAIRS] = "pairs",           [PATTERN_RING] = "ring",
    [PATTERN_ALLREDUCE] = "allreduce",   [PATTERN_SURVEY] = "survey",
};

const char *pattern_name(enum pattern pattern)
{
    return pattern_names[pattern];
}

bool pattern_is_open(enum pattern pattern)
{
    switch (pattern) {
    case PATTERN_ALLTOALL:
    case PATTERN_HOTSPOT:
    case PATTERN_PINGPONG:
    case PATTERN_LINEFILL:
    case PATTERN_PLANEFILL:
    case PATTERN_PAIRS:
    case PATTERN_RING:
    case PATTERN_ALLREDUCE:
    case PATTERN_SURVEY:
        return false;
    default:
        return true;
    }
}

bool pattern_is_for_torus(enum pattern pattern)
{
    return pattern < PATTERN_PAIRS;
}

bool pattern_is_scripted(enum pattern pattern)
{
    return !pattern_is_open(pattern) && pattern != PATTERN_SURVEY;
}

uint64_t workload_message_packets(const struct workload *w, uint64_t payload)
{
    uint64_t full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES - w->software_header_bytes;
    return (payload + full - 1) / full;
}

void workload_message_packet(const struct workload *w, uint64_t payload, uint32_t index,
                             struct send *send)
{
    uint64_t full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES - w->software_header_bytes;
    uint64_t left = payload - full * index, bytes = left < full ? left : full;
    uint64_t filled = bytes + w->software_header_bytes;
    send->chunks = (uint8_t)((filled + TORUS_CHUNK_BYTES - 1) / TORUS_CHUNK_BYTES);
    send->padding = (uint8_t)(send->chunks * TORUS_CHUNK_BYTES - filled);
}

void workload_dress(const struct workload *w, uint32_t node, uint32_t sequence, struct send *send)
{
    const struct workload_params *p = &w->params;
    if (!send->chunks) {
        uint32_t pick = 0;
        if (p->sizes > 1)
            pick = random_below(random_draw(random_key(w->seed, node, RANDOM_SIZE), sequence),
                                p->sizes);
        send->chunks = p->chunks[pick];
    }
    bool high = false, dynamic = p->dynamic_share >= 1;
    if ((p->high_share > 0 && !w->open) || (p->dynamic_share > 0 && p->dynamic_share < 1)) {
        uint64_t draw = random_draw(random_key(w->seed, node, RANDOM_CLASS), sequence);
        dynamic = (double)(draw >> 40) < p->dynamic_share * (1 << 24);
        high = !w->open && (double)(draw & 0xffffff) < p->high_share * (1 << 24);
    }
    if (high)
        send->flags |= TORUS_HIGH;
    else if (dynamic)
        send->flags |= TORUS_DYNAMIC;
    if (p->groups == 2 && (sequence & 1))
        send->flags |= TORUS_GROUP1;
}

double workload_mean_slot(const struct workload *w, const struct torus_params *router)
{
    double bytes = 0;
    for (uint32_t i = 0; i < w->params.sizes; i++)
        bytes += w->params.chunks[i] * (double)TORUS_CHUNK_BYTES / w->params.sizes;
    return bytes + router->trailer_bytes + router->gap_bytes;
}

/* ---- the hot box ---- */

bool workload_is_hot(const struct workload *w, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(w->torus, node, c);
    for (unsigned d = 0; d < w->torus->dims; d++)
        if (c[d] >= w->params.hot.size[d])
            return false;
    return true;
}

uint32_t workload_hot_node(const struct workload *w, uint32_t index)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(&w->params.hot, index, c);
    return torus_node(w->torus, c);
}

static weft_status setup_hot_box(struct workload *w)
{
    struct torus *hot = &w->params.hot;
    const struct torus *t = w->torus;
    if (!hot->dims) {
        /* Half of each dimension, an eighth of a cube (TORUS, Figure 3); or one node. */
        *hot = *t;
        for (unsigned d = 0; d < t->dims; d++)
            hot->size[d] = w->params.pattern == PATTERN_HOTREGION ? (t->size[d] + 1) / 2 : 1;
    }
    if (hot->dims != t->dims)
        return BAD_INPUT(
            "workload.hot_dims",
            ("workload.hot_dims has %u dimensions, the machine %u", hot->dims, t->dims),
            ("give as many"));
    hot->nodes = 1;
    for (unsigned d = 0; d < t->dims; d++) {
        if (hot->size[d] > t->size[d])
            return BAD_INPUT("workload.hot_dims", ("workload.hot_dims is larger than the machine"),
                             ("use at most its size"));
        hot->nodes *= hot->size[d];
    }
    w->hot_nodes = hot->nodes;
    for (unsigned d = 0; d < t->dims; d++)
        if (w->params.pattern == PATTERN_HOTREGION && t->size[d] > 16384)
            return BAD_INPUT(
                "workload.pattern",
                ("workload.pattern = hotregion on %u nodes along a dimension is too much",
                 t->size[d]),
                ("use at most 16384"));
    for (unsigned d = 0; d < t->dims; d++)
        if (hot->size[d] < t->size[d]) /* a line's box starts at its end: one face is no link */
            w->hot_links += (t->wrap[d] ? 2 : 1) * (hot->nodes / hot->size[d]);
    return WEFT_OK;
}

/* ---- life cycle ---- */

static bool send_packet(void *ctx, uint32_t node, uint32_t sequence, struct send *send)
{
    const struct workload *w = ctx;
    if (w->torus->nodes == 1 || !pattern_send(w, node, sequence, send))
        return false;
    workload_dress(w, node, sequence, send);
    return true;
}

static void setup_open(struct workload *w, const struct torus_params *router)
{
    const struct workload_params *p = &w->params;
    pattern_bound(w, router);
    w->program.packet = send_packet;
    w->program.high_share = p->high_share;
    w->program.stop_at = p->warmup_cycles + p->cycles;
    if (p->load > 0 && w->rate_bound > 0)
        w->program.mean_gap_cycles = 1 / (p->load * w->rate_bound);
    else
        w->program.stop_at = 0;
}

weft_status workload_create(const struct workload_params *params, const struct torus *torus,
                            const struct torus_params *router, uint32_t software_header_bytes,
                            uint64_t seed, struct workload **workload)
{
    struct workload *w = weft_alloc(1, sizeof(*w));
    *w = (struct workload){.params = *params,
                           .torus = torus,
                           .seed = seed,
                           .software_header_bytes = software_header_bytes,
                           .open = pattern_is_open(params->pattern)};
    w->program = (struct program){.ctx = w, .stop_at = CYCLE_NEVER};
    w->permutation_key = random_key(seed, 0, RANDOM_PERMUTATION);
    weft_status status = setup_hot_box(w);
    if (status == WEFT_OK) {
        if (w->open)
            setup_open(w, router);
        else
            status = program_setup(w, router);
    }
    if (status != WEFT_OK) {
        free(w);
        return status;
    }
    *workload = w;
    return WEFT_OK;
}

void workload_destroy(struct workload *w)
{
    free(w);
}

void workload_archive(struct workload *w, struct archive *a)
{
    archive_bytes(a, w->arrived, sizeof(w->arrived));
    archive_bytes(a, w->arrived_last, sizeof(w->arrived_last));
}
