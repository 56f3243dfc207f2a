/*
 * A process that computes one run and ends. It depends on the process that started it: it ignores
 * the terminal's signals, and ends with its parent, however that ends.
 *
 *   worker_start(&w, item, &task)
 *   worker_wait(w, count, ms)          which one has ended, or is about to
 *   worker_finish(&w, &text, &bytes)   or worker_kill(&w)
 */
#ifndef WEFT_STUDY_WORKER_H
#define WEFT_STUDY_WORKER_H

#include <sys/types.h>

#include "machine/run.h"

/* Waiting: for an end alone, and where something else is looked after, too. */
enum { WORKER_WAIT_MS = 200, WORKER_GLANCE_MS = 5 };

/* The text of a result's file, which the caller frees. */
typedef char *(*worker_text)(const struct config *config, const struct run_result *result);

struct worker_task {
    const struct config *config;
    const char *path; /* of its result; NULL: worker_finish() has its text */
    worker_text text;
    uint32_t threads;
};

struct worker {
    pid_t pid;     /* 0: idle, or another rank's */
    int error;     /* pipe in which it reports why it failed */
    int text;      /* file in memory with its result's text; -1: none */
    uint64_t item; /* the caller's number for it */
    uint32_t rank; /* where it runs */
    bool busy;     /* it has something to do, here or there */
    double since;  /* in seconds */
    const char *path;
};

weft_status worker_start(struct worker *w, uint64_t item, const struct worker_task *task);

/* Waits for one to end, but not for long; SIZE_MAX: none has. */
size_t worker_wait(const struct worker *worker, size_t workers, int milliseconds);

/* The outcome of a worker that has ended, or is about to; its result's text, if the task asked for
 * it. */
weft_status worker_finish(struct worker *w, char **text, size_t *bytes);

/* Ends it; nothing stays of what it was writing. */
void worker_kill(struct worker *w);

#endif
