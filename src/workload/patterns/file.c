/* Packets and messages from a file, at their times (timetable.h). */
#include "workload/patterns/timetable.h"

static bool file_step(void *ctx, uint32_t node, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    if (!timetable_step(w->state, node, number, step))
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
    struct timetable *table;
    weft_status status = timetable_open(w, &table);
    w->program.timed = true;
    w->state = table;
    return status;
}

static weft_status file_packets(struct workload *w)
{
    TRY(open_table(w));
    w->program.step = file_step;
    w->senders = timetable_sums(w->state)->senders;
    w->deliveries = timetable_sums(w->state)->packets;
    return WEFT_OK;
}

/* A process sends and receives at the times of its lines: whoever it has a message from, it has
 * posted the receive for it by then. */
static bool message_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    return timetable_step(((const struct workload *)ctx)->state, process, number, step);
}

static weft_status file_messages(struct workload *w)
{
    w->program.step = message_step;
    w->program.stop_at = CYCLE_NEVER;
    w->open = false;
    return open_table(w);
}

static void fini(struct workload *w)
{
    timetable_free(w->state);
    w->state = NULL;
}

static void archive(struct workload *w, struct archive *a)
{
    timetable_archive(w->state, a);
}

const struct pattern file_pattern = {.name = "file",
                                     .from_file = true,
                                     .packets = file_packets,
                                     .packet_keys = "file",
                                     .messages = file_messages,
                                     .message_keys = "file processes_per_node processes mapping",
                                     .fini = fini,
                                     .archive = archive};
