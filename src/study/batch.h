/*
 * Many runs at once, a process each, and their results in a folder:
 *
 *   weft-NAME/3f9c0a7be1d24c55.json     the result of a run, named by a hash of its configuration
 *                                       and of the program that computed it
 *
 *   weft-NAME/3f9c0a7be1d24c55.json.part    while it is being written
 *
 * A result that is there already is not computed again: a batch that was interrupted, or whose
 * study gained a curve, goes on where it stopped. Results appear whole or not at all. Workers end
 * with the process that started them, however that ends; what they were writing goes with them, or
 * with the next batch in the folder.
 */
#ifndef WEFT_STUDY_BATCH_H
#define WEFT_STUDY_BATCH_H

#include "machine/run.h"

struct batch_item {
    struct config config; /* finished: machine_finish() */
    char name[256];       /* for complaints; "": none */
    bool done;
    char path[4300]; /* of its result */
};

struct batch_options {
    const char *folder;
    bool in_passing;  /* the folder goes when the batch is over */
    uint32_t workers; /* processes at a time */
    /* A result as its file has it, for free(); called in the worker's process. */
    char *(*text)(const struct config *config, const struct run_result *result);
    void (*progress)(void *arg, size_t done, size_t items, double share);
    bool (*interrupted)(void *arg);
    void *arg;
};

/*
 * Runs what is not there yet. WEFT_FAILED: interrupted, or a run failed; what is done is kept.
 * *resumed: how many were there.
 */
weft_status batch_run(struct batch_item *item, size_t items, const struct batch_options *options,
                      size_t *resumed);

#endif
