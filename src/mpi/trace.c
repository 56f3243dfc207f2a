/* Calls, in order; and the file. */
#define _GNU_SOURCE
#include "mpi/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/output.h"

void trace_add(struct trace *t, const struct trace_call *call)
{
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->call = memory_grow(t->call, t->room, sizeof(*t->call));
    }
    t->call[t->count++] = *call;
}

void trace_drop(struct trace *t)
{
    free(t->call);
    *t = (struct trace){.call = NULL};
}

/* Text on its way to a file. */
struct writer {
    struct output_file file;
    size_t used;
    char text[1 << 16];
};

enum { PIECE = 256 }; /* the longest that is added at once */

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...)
{
    va_list args;
    if (w->used + PIECE > sizeof(w->text)) {
        output_write(&w->file, w->text, w->used);
        w->used = 0;
    }
    va_start(args, format);
    w->used += (size_t)vsnprintf(w->text + w->used, PIECE, format, args);
    va_end(args);
}

static void put_call(struct writer *w, uint32_t rank, const struct trace_call *c)
{
    put(w, ",\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":0,\"tid\":%u,\"ts\":%.6f,\"dur\":%.6f",
        call_name(c->call), rank, 1e6 * c->begin, 1e6 * (c->end - c->begin));
    if (c->peer != TRACE_NOBODY)
        put(w, ",\"args\":{\"peer\":%d,\"bytes\":%llu}", c->peer, (unsigned long long)c->bytes);
    put(w, "}");
}

static void put_rank(struct writer *w, uint32_t rank, const struct trace *t)
{
    put(w, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":%u,", rank);
    put(w, "\"args\":{\"name\":\"rank %u\"}}", rank);
    for (size_t i = 0; i < t->count; i++)
        put_call(w, rank, &t->call[i]);
}

weft_status trace_write(const char *path, uint32_t ranks,
                        const struct trace *(*of)(const void *arg, uint32_t rank), const void *arg)
{
    struct writer *w = memory_alloc(1, sizeof(*w));
    weft_status status = output_open(&w->file, path);
    if (status == WEFT_OK) {
        put(w, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
               "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":\"MPI\"}}");
        for (uint32_t rank = 0; rank < ranks; rank++)
            put_rank(w, rank, of(arg, rank));
        put(w, "\n]}\n");
        output_write(&w->file, w->text, w->used);
        status = output_commit(&w->file);
    }
    free(w);
    return status;
}
