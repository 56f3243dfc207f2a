/*
 * A pattern's steps as operations: a step sends, or receives, or both at once; the next one waits
 * for them if the step does; what is combined then is a calc. So a trace has the messages that the
 * pattern has, in the same order, and costs as much.
 */
#include "trace/goal/goal.h"
#include "workload/workload.h"

static weft_status check_export(const struct workload *w)
{
    struct step step = {.to = NOBODY, .from = NOBODY};
    if (w->as != LAYER_MESSAGES || w->task.main || w->pattern->kind == PATTERN_PARTS || w->own.make)
        return BAD_INPUT("workload.pattern",
                         ("workload.pattern = %s has no steps of messages", w->pattern->name),
                         ("use another pattern, or another workload.algorithm"));
    if (w->open)
        return BAD_INPUT("workload.messages", ("workload.messages = 0: a trace must end"),
                         ("use 1 or more"));
    if (w->program.step(w->program.ctx, 0, 0, &step) && step.collective)
        return BAD_INPUT("workload.algorithm",
                         ("the machine itself does this operation, without messages"),
                         ("use another workload.algorithm"));
    return WEFT_OK;
}

static void write_step(struct strand *s, const struct step *step, double ns_per_byte)
{
    if (step->to != NOBODY)
        strand_send(s, step->to, step->bytes);
    if (step->from != NOBODY)
        strand_receive(s, step->from, step->from_bytes);
    if (step->reduce_bytes)
        strand_calc(s, (uint64_t)((double)step->reduce_bytes * ns_per_byte + 0.5));
    else if (!step->sends_left && !step->receives_left)
        strand_join(s);
}

weft_status workload_export(const struct workload *w, double combine_mb_per_s, const char *path,
                            bool binary)
{
    const struct program *p = &w->program;
    struct goal_writer *out;
    struct strand s;
    TRY(check_export(w));
    TRY(goal_write_open(&out, path, w->processes, binary));
    strand_init(&s, out);
    for (uint32_t rank = 0; rank < w->processes; rank++) {
        struct step step = {.to = NOBODY, .from = NOBODY};
        strand_clear(&s);
        goal_write_rank(out, rank);
        for (uint32_t i = 0; p->step(p->ctx, rank, i, &step); i++)
            write_step(&s, &step, 1e3 / combine_mb_per_s);
    }
    strand_fini(&s);
    return goal_write_close(out);
}
