/* Births, and what the engines have in their hands. */
#include "node/dma/source.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

/* Packets that an engine is given ahead. */
enum { IN_HAND = 8 };

struct source {
    fine_t birth; /* of the next packet */
    uint32_t sequence, in_hand;
    uint32_t done;
};

struct sources {
    struct source_options options;
    struct dmas *dmas;
    struct source **source; /* [partition][local] */
    uint32_t *nodes;        /* [partition] */
};

static fine_t gap(const struct sources *s, uint32_t node, uint32_t sequence)
{
    uint64_t key = random_key(s->options.seed, node, RANDOM_INTERVAL);
    double cycles = random_exponential(random_draw(key, sequence)) * s->options.mean_gap_cycles;
    return cycles < 0x1p45 ? fine_length(cycles) + 1 : fine_at(1ull << 45);
}

/* The next packet goes to the engine; false: the node has no more. */
static bool send_next(struct sources *s, struct source *source, uint32_t partition, uint32_t local,
                      uint32_t node)
{
    const struct source_options *o = &s->options;
    uint32_t to, bytes;
    cycle_t birth = source->birth >> FRACTION_BITS;
    if (birth >= o->stop_at || !o->packet(o->ctx, node, source->sequence, &to, &bytes))
        return false;
    struct dma_send send = {.birth = birth,
                            .ready = fine_at(fine_cycle_after(source->birth)),
                            .bytes = bytes,
                            .destination = to,
                            .route = paths_shortest(o->paths, node, to),
                            .kind = DMA_STREAM};
    source->sequence++;
    source->in_hand++;
    source->birth += gap(s, node, source->sequence);
    dma_post(s->dmas, partition, local, 0, &send);
    return true;
}

static void serve(void *ctx, uint32_t partition, uint32_t local, uint32_t node, cycle_t now)
{
    struct sources *s = ctx;
    struct source *source = &s->source[partition][local];
    (void)now; /* births have times of their own */
    if (!source->sequence && !source->done) {
        source->birth = gap(s, node, 0);
        source->done = s->options.mean_gap_cycles <= 0;
    }
    while (!source->done && source->in_hand < IN_HAND)
        source->done = !send_next(s, source, partition, local, node);
}

static void arrived(void *ctx, uint32_t partition, uint32_t local, uint32_t node,
                    const struct crosspoint_packet *packet, fine_t when)
{
    (void)ctx;
    (void)partition;
    (void)local;
    (void)node;
    (void)packet;
    (void)when;
}

static void sent(void *ctx, uint32_t partition, uint32_t local, uint32_t node,
                 const struct dma_send *send, fine_t when)
{
    struct sources *s = ctx;
    (void)send;
    (void)when;
    s->source[partition][local].in_hand--;
    serve(s, partition, local, node, 0);
}

static void prepare(void *ctx, struct crosspoint_part *part, uint32_t partition, uint32_t nodes)
{
    struct sources *s = ctx;
    (void)part;
    s->nodes[partition] = nodes;
    s->source[partition] = weft_alloc(nodes, sizeof(**s->source));
}

struct sources *sources_create(const struct source_options *o)
{
    struct sources *s = weft_alloc(1, sizeof(*s));
    s->options = *o;
    s->source = weft_alloc(o->partitions, sizeof(*s->source));
    s->nodes = weft_alloc(o->partitions, sizeof(*s->nodes));
    return s;
}

void sources_destroy(struct sources *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->options.partitions; i++)
        free(s->source[i]);
    free(s->source);
    free(s->nodes);
    free(s);
}

struct dma_client sources_client(struct sources *s)
{
    return (struct dma_client){
        .ctx = s, .prepare = prepare, .serve = serve, .arrived = arrived, .sent = sent};
}

void sources_attach(struct sources *s, struct dmas *dmas)
{
    s->dmas = dmas;
}

void sources_archive(struct sources *s, struct archive *a)
{
    for (uint32_t i = 0; i < s->options.partitions; i++)
        archive_bytes(a, s->source[i], s->nodes[i] * sizeof(**s->source));
}
