/* Collective operations as strands. */
#include "trace/goal/skeletons/group.h"

#include "message/schedule.h"
#include "node/program.h"

void group_alltoall(struct strand *s, const struct process_group *g, uint64_t bytes)
{
    for (uint32_t i = 1; i < g->count; i++)
        strand_send(s, group_rank(g, (g->me + i) % g->count), bytes);
    for (uint32_t i = 1; i < g->count; i++)
        strand_receive(s, group_rank(g, (g->me + g->count - i) % g->count), bytes);
    strand_join(s);
}

void group_combine(struct strand *s, uint64_t bytes, double mb_per_s)
{
    strand_calc(s, (uint64_t)((double)bytes * 1e3 / mb_per_s + 0.5));
}

/* Blocks go round twice: at first each is combined with what is there, then all copy it. */
static void ring(struct strand *s, const struct process_group *g, uint64_t bytes, double mb_per_s)
{
    uint32_t n = g->count;
    for (uint32_t i = 0; i < 2 * (n - 1); i++) {
        uint32_t out = (g->me + 2 * n - i) % n, in = (g->me + 2 * n - i - 1) % n;
        strand_send(s, group_rank(g, (g->me + 1) % n), group_block(bytes, n, out));
        strand_receive(s, group_rank(g, (g->me + n - 1) % n), group_block(bytes, n, in));
        if (i < n - 1)
            group_combine(s, group_block(bytes, n, in), mb_per_s);
        else
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
            group_combine(s, step.in_bytes, mb_per_s);
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
    if (algorithm == SKELETON_RING)
        ring(s, g, bytes, combine_mb_per_s);
    else
        by_schedule(s, g, &schedule, combine_mb_per_s);
}
