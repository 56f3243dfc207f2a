/* What there is, its keys, and what several of them do. */
#include "trace/goal/skeletons/skeleton.h"

#include <string.h>

#include "base/text/suggest.h"
#include "message/schedule.h"
#include "node/program.h"

const struct skeleton *const skeletons[] = {
    &skeleton_halo,   &skeleton_wavefront, &skeleton_fft,      &skeleton_data,
    &skeleton_tensor, &skeleton_pipeline,  &skeleton_training, &skeleton_rings};
const size_t skeleton_count = sizeof(skeletons) / sizeof(skeletons[0]);

const struct skeleton *skeleton_find(const char *name)
{
    for (size_t i = 0; i < skeleton_count; i++)
        if (strcmp(skeletons[i]->name, name) == 0)
            return skeletons[i];
    return NULL;
}

void skeleton_defaults(const struct skeleton *s, struct skeleton_params *p)
{
    *p = (struct skeleton_params){.iterations = 1, .combine_mb_per_s = 1};
    for (size_t i = 0; i < s->keys.keys; i++) {
        weft_status status = key_parse(&s->keys.key[i], s->keys.key[i].default_value, p);
        WEFT_CHECK(status == WEFT_OK, "a default of %s does not fit", s->keys.key[i].name);
    }
}

weft_status skeleton_set(const struct skeleton *s, const char *key, const char *value,
                         struct skeleton_params *p)
{
    for (size_t i = 0; i < s->keys.keys; i++)
        if (strcmp(s->keys.key[i].name, key) == 0)
            return key_parse(&s->keys.key[i], value, p);
    struct suggestion suggestion = suggestion_for(key);
    for (size_t i = 0; i < s->keys.keys; i++)
        suggestion_offer(&suggestion, s->keys.key[i].name);
    return suggestion_remedy(&suggestion, BAD_INPUT(NULL, ("%s has no '%.60s'", s->name, key),
                                                    ("`weft goal --list` lists what it has")));
}

weft_status skeleton_grid(struct skeleton_params *p, unsigned dims, bool rings)
{
    struct torus *g = &p->grid;
    char text[128];
    if (!g->dims && !p->ranks)
        return BAD_INPUT(NULL, ("no number of ranks"), ("give -n RANKS or grid="));
    if (!g->dims)
        torus_near(p->ranks, dims, g);
    p->ranks = p->ranks ? p->ranks : g->nodes;
    if (g->dims != dims || g->nodes != p->ranks)
        return BAD_INPUT(NULL,
                         ("grid=%s is no grid of %u ranks in %u dimensions", torus_text(g, text),
                          p->ranks, dims),
                         ("use %u sides whose product is that", dims));
    for (unsigned d = 0; d < dims; d++)
        g->wrap[d] = rings;
    return WEFT_OK;
}

weft_status skeleton_write(const struct skeleton *s, const struct skeleton_params *p,
                           const char *path, bool binary)
{
    struct goal_writer *w;
    struct strand strand;
    TRY(goal_write_open(&w, path, p->ranks, binary));
    strand_init(&strand, w);
    for (uint32_t rank = 0; rank < p->ranks; rank++) {
        strand_clear(&strand);
        goal_write_rank(w, rank);
        s->write(p, &strand, rank);
    }
    strand_fini(&strand);
    return goal_write_close(w);
}

/* ---- collective operations of some of the ranks ---- */

void group_alltoall(struct strand *s, const struct process_group *g, uint64_t bytes)
{
    for (uint32_t i = 1; i < g->count; i++)
        strand_send(s, group_rank(g, (g->me + i) % g->count), bytes);
    for (uint32_t i = 1; i < g->count; i++)
        strand_receive(s, group_rank(g, (g->me + g->count - i) % g->count), bytes);
    strand_join(s);
}

/* Works through two vectors. */
static void combine(struct strand *s, uint64_t bytes, double mb_per_s)
{
    strand_calc(s, (uint64_t)((double)bytes * 1e3 / mb_per_s + 0.5));
}

/* A step around a ring: one block goes to the next rank, another comes from the one before. */
static void pass(struct strand *s, const struct ring *r, uint64_t bytes, uint32_t out, uint32_t in)
{
    strand_send(s, r->behind, group_block(bytes, r->count, out % r->count));
    strand_receive(s, r->before, group_block(bytes, r->count, in % r->count));
}

uint64_t ring_scatter(struct strand *s, const struct ring *r, uint64_t bytes, double mb_per_s)
{
    uint32_t n = r->count, first = r->me + n;
    for (uint32_t i = 0; i + 1 < n; i++) {
        pass(s, r, bytes, first - i, first - i - 1);
        combine(s, group_block(bytes, n, (first - i - 1) % n), mb_per_s);
    }
    return group_block(bytes, n, (r->me + 1) % n);
}

void ring_gather(struct strand *s, const struct ring *r, uint64_t bytes)
{
    uint32_t n = r->count, first = r->me + n + 1;
    for (uint32_t i = 0; i + 1 < n; i++) {
        pass(s, r, bytes, first - i, first - i - 1);
        strand_join(s);
    }
}

static void by_schedule(struct strand *s, const struct process_group *g,
                        const struct schedule *schedule, double mb_per_s)
{
    struct schedule_step step = {.to = NOBODY, .from = NOBODY};
    for (uint32_t i = 0; schedule_step(schedule, g->me, i, &step); i++) {
        if (step.to != NOBODY)
            strand_send(s, group_rank(g, step.to), step.out_bytes);
        if (step.from != NOBODY)
            strand_receive(s, group_rank(g, step.from), step.in_bytes);
        if (step.combine)
            combine(s, step.in_bytes, mb_per_s);
        else
            strand_join(s);
    }
}

void group_allreduce(struct strand *s, const struct process_group *g, uint64_t bytes,
                     enum skeleton_algorithm algorithm, double combine_mb_per_s)
{
    struct schedule schedule = {.kind = algorithm == SKELETON_DOUBLING ? SCHEDULE_ALLREDUCE_DOUBLING
                                                                       : SCHEDULE_ALLREDUCE_HALVING,
                                .processes = g->count,
                                .unit = 1,
                                .bytes = bytes};
    if (g->count < 2 || !bytes)
        return;
    if (algorithm == SKELETON_RING) {
        struct ring r = {g->count, g->me, group_rank(g, (g->me + g->count - 1) % g->count),
                         group_rank(g, (g->me + 1) % g->count)};
        ring_scatter(s, &r, bytes, combine_mb_per_s);
        ring_gather(s, &r, bytes);
    } else {
        by_schedule(s, g, &schedule, combine_mb_per_s);
    }
}
