/* Packets from a file, at their times (timetable.h). */
#include "workload/timetable.h"

static bool file_step(void *ctx, uint32_t node, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    if (!timetable_step(w->table, node, number, step))
        return false;
    if (step->to != NOBODY)
        workload_dress(w, node, number, step);
    return true;
}

weft_status file_packets(struct workload *w)
{
    if (!w->params.file[0])
        return BAD_INPUT("workload.file workload.pattern",
                         ("workload.pattern = file needs a file of packets"),
                         ("name it by workload.file"));
    weft_status status = timetable_open(w->site, w->params.file, &w->table);
    if (status != WEFT_OK)
        return status;
    const struct timetable_sums *sums = timetable_sums(w->table);
    w->program.step = file_step;
    w->program.timed = true;
    w->senders = sums->senders;
    w->deliveries = sums->packets;
    return WEFT_OK;
}
