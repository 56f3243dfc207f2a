/* Calls, in order; and the file. */
#include "mpi/observe/call_log.h"

#include <math.h>

#include "base/list.h"
#include "base/file/output.h"
#include "mpi/rank.h"

void trace_add(struct rank *r, bool open)
{
    struct trace *t = &r->trace;
    *LIST_ADD(t->call, t->count, t->room) = (struct trace_call){.begin = r->call_began,
                                                                .end = task_moment(r->task),
                                                                .open = open,
                                                                .call = r->call,
                                                                .peer = r->message_peer,
                                                                .bytes = r->message_bytes};
}

static void put_call(struct writer *w, const struct rank *r, const struct trace_call *c,
                     double run_end)
{
    double begin = task_seconds_at(r->task, c->begin);
    double end = c->open ? run_end : task_seconds_at(r->task, c->end);
    writer_put(w, ",\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":0,\"tid\":%u,\"ts\":%.6f,\"dur\":%.6f",
               call_name(c->call), r->task->rank, 1e6 * begin,
               end > begin ? 1e6 * (end - begin) : 0);
    if (c->peer != TRACE_NOBODY)
        writer_put(w, ",\"args\":{\"peer\":%d,\"bytes\":%llu}", c->peer,
                   (unsigned long long)c->bytes);
    writer_put(w, "}");
}

weft_status trace_write(const char *path, const struct world *world)
{
    const struct task_moment last = {.actions = UINT32_MAX};
    double end = 0;
    struct writer *w;
    for (uint32_t i = 0; i < world->o.processes; i++)
        if (world->rank[i].task)
            end = fmax(end, task_seconds_at(world->rank[i].task, last));
    TRY(writer_open(&w, path));
    writer_put(w, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                  "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":\"MPI\"}}");
    for (uint32_t rank = 0; rank < world->o.processes; rank++) {
        const struct rank *r = &world->rank[rank];
        writer_put(w, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":%u,", rank);
        writer_put(w, "\"args\":{\"name\":\"rank %u\"}}", rank);
        for (size_t i = 0; i < r->trace.count; i++)
            put_call(w, r, &r->trace.call[i], end);
    }
    writer_put(w, "\n]}\n");
    return writer_close(w);
}
