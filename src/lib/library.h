/* The inside of a weft_run, for the command line, which shows progress and summaries too. */
#ifndef WEFT_LIB_LIBRARY_H
#define WEFT_LIB_LIBRARY_H

#include "machine/run.h"

struct weft_run {
    struct config config;
    struct run_result result;
    bool executed; /* result is filled in */
    char *json;
};

/* A run with the configuration of a checkpoint, which gives it away. */
weft_run *weft_run_resumed(struct checkpoint *checkpoint);

weft_status weft_run_execute_with(weft_run *run, const struct run_options *options);

#endif
