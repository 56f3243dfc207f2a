/* Packets and messages from a file, at their times (timetable.h). */
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

static weft_status open_table(struct workload *w)
{
    if (!w->params.file[0])
        return BAD_INPUT("workload.file workload.pattern",
                         ("workload.pattern = file needs a file of %s",
                          w->as == LAYER_PACKETS ? "packets" : "messages"),
                         ("name it by workload.file"));
    w->program.timed = true;
    return timetable_open(w, &w->table);
}

weft_status file_packets(struct workload *w)
{
    TRY(open_table(w));
    w->program.step = file_step;
    w->senders = timetable_sums(w->table)->senders;
    w->deliveries = timetable_sums(w->table)->packets;
    return WEFT_OK;
}

/* A process sends and receives at the times of its lines: whoever it has a message from, it has
 * posted the receive for it by then. */
static bool message_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    return timetable_step(((const struct workload *)ctx)->table, process, number, step);
}

weft_status file_messages(struct workload *w)
{
    w->program.step = message_step;
    w->program.stop_at = CYCLE_NEVER;
    w->open = false;
    return open_table(w);
}
