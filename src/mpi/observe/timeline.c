/* Calls, in order; and the file. */
#include "mpi/observe/call_log.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/file/output.h"

void trace_add(struct trace *t, const struct trace_call *call)
{
    *LIST_ADD(t->call, t->count, t->room) = *call;
}

void trace_drop(struct trace *t)
{
    free(t->call);
    *t = (struct trace){.call = NULL};
}

static void put_call(struct writer *w, const struct trace_source *s, uint32_t rank,
                     const struct trace_call *c)
{
    double begin = s->when(s->arg, rank, c->begin);
    double end = c->open ? s->end : s->when(s->arg, rank, c->end);
    writer_put(w, ",\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":0,\"tid\":%u,\"ts\":%.6f,\"dur\":%.6f",
               call_name(c->call), rank, 1e6 * begin, end > begin ? 1e6 * (end - begin) : 0);
    if (c->peer != TRACE_NOBODY)
        writer_put(w, ",\"args\":{\"peer\":%d,\"bytes\":%llu}", c->peer,
                   (unsigned long long)c->bytes);
    writer_put(w, "}");
}

static void put_rank(struct writer *w, const struct trace_source *s, uint32_t rank)
{
    const struct trace *t = s->of(s->arg, rank);
    writer_put(w, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":%u,", rank);
    writer_put(w, "\"args\":{\"name\":\"rank %u\"}}", rank);
    for (size_t i = 0; i < t->count; i++)
        put_call(w, s, rank, &t->call[i]);
}

weft_status trace_write(const char *path, const struct trace_source *s)
{
    struct writer *w;
    TRY(writer_open(&w, path));
    writer_put(w, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                  "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":\"MPI\"}}");
    for (uint32_t rank = 0; rank < s->ranks; rank++)
        put_rank(w, s, rank);
    writer_put(w, "\n]}\n");
    return writer_close(w);
}
