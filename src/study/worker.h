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

/*
 * ---- station.c ----
 *
 * Runs of a batch on other ranks (`mpirun -n R weft sweep`): the first rank hands them out, and the
 * others, its stations, compute them one process per run, as the first rank does itself.
 *
 *   rank 0                                    every other rank
 *   station_order(rank, item, config)   --->  forks a process that runs it
 *   station_take(&answer)               <---  its result's text, or its error
 *   station_halt_all()                  --->  kills what still runs
 *   station_dismiss()                   --->  station_serve() returns
 *
 * Nothing but these messages connects them: a result is written by the first rank alone, into a
 * folder that the others need not see. Files that a configuration names, they must be able to read.
 */
/* First rank: has a rank run a configuration. `item`: the caller's own number for it. */
void station_order(uint32_t rank, uint64_t item, const struct config *config, uint32_t threads);

/* What became of an order. */
struct station_answer {
    uint64_t item;
    uint64_t bytes; /* of the result's text, which follows; 0: it failed */
    struct error error;
    char *text; /* at the first rank */
};

/* First rank: takes an answer, if there is one. The caller frees its text. */
bool station_take(struct station_answer *answer);

/* First rank: all stations drop what they run; answers under way are thrown away. */
void station_halt_all(void);

/* First rank: lets all stations go. Nothing happens if there are none. */
void station_dismiss(void);

/* Every other rank: works until it is dismissed. */
void station_serve(worker_text text);

#endif
