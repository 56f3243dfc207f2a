/*
 * A time line of the calls of all ranks, as a browser's trace viewer reads it (the JSON of Chrome's
 * about:tracing and of Perfetto): a row per rank, a box per call.
 */
#ifndef WEFT_MPI_OBSERVE_TIMELINE_H
#define WEFT_MPI_OBSERVE_TIMELINE_H

#include "base/status.h"
#include "message/task.h"
#include "mpi_calls.h"

struct trace_call {
    struct task_moment begin, end;
    bool open; /* it has not ended, when the run has */
    enum call call;
    int peer;       /* of a message; TRACE_NOBODY: there is none */
    uint64_t bytes; /* of it */
};

enum { TRACE_NOBODY = -1000 };

struct trace {
    struct trace_call *call;
    size_t count, room;
};

void trace_add(struct trace *t, const struct trace_call *call);
void trace_drop(struct trace *t);

/* Writes the calls of all ranks: of(arg, rank), at when(arg, rank, moment) seconds. The file
 * appears whole, or not at all. */
struct trace_source {
    uint32_t ranks;
    double end; /* of the run, in seconds */
    const struct trace *(*of)(const void *arg, uint32_t rank);
    double (*when)(const void *arg, uint32_t rank, struct task_moment moment);
    const void *arg;
};
weft_status trace_write(const char *path, const struct trace_source *source);

#endif
