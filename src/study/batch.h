/*
 * Many runs at once, one process per run, and their results in a folder:
 *
 *   weft-NAME/3f9c0a7be1d24c55.json     the result of a run, named by a hash of its configuration
 *                                       and of the program that computed it
 *
 *   weft-NAME/3f9c0a7be1d24c55.json.part    while it is being written
 *
 * A result that exists is not computed again: a batch that was interrupted, or whose study gained a
 * curve, continues where it stopped. Results appear whole or not at all. Workers end with the
 * process that started them, however that ends; their partial files are removed then, or by the
 * next batch in the folder. With several ranks, all of them work (worker.h).
 */
#ifndef WEFT_STUDY_BATCH_H
#define WEFT_STUDY_BATCH_H

#include "study/worker.h"

struct batch_item {
    struct config config; /* finished: machine_finish() */
    char name[256];       /* for error messages; "": none */
    bool done;
    bool failed;     /* for this reason: */
    char why[1200];  /* "what; remedy" in one line; set by the caller, it is not run at all */
    double seconds;  /* that it took */
    char path[4300]; /* of its result */
};

/* Of which kinds its runs are, as bits of enum run_kind; those that have failed do not count. */
unsigned batch_kinds(const struct batch_item *item, size_t items);

/* Has a failure's record as the reason of an item. */
void batch_fail(struct batch_item *item);

struct batch_options {
    const char *folder;
    bool in_passing;  /* the caller removes the folder: nothing is kept */
    uint32_t workers; /* processes at a time, on each rank */
    bool go_on;       /* a run that fails is marked, and the others go on */
    worker_text text; /* of a result's file; called in the worker's process */
    /* A run has ended, as the `done`th of all; not called for results that existed. */
    void (*ended)(const struct batch_item *item, size_t done, size_t items);
    void (*progress)(size_t done, size_t items, double share);
    bool (*interrupted)(void *arg); /* arg: NULL */
};

/*
 * Computes the missing results. WEFT_FAILED: interrupted, or a run failed and the others were not
 * to go on; finished results are kept. Sets *resumed to the number of results that existed.
 */
weft_status batch_run(struct batch_item *item, size_t items, const struct batch_options *options,
                      size_t *resumed);

#endif
