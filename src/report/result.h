/* A run's result as JSON (the format of docs/guide.md, which other programs read), and as numbers
 * by name. */
#ifndef WEFT_REPORT_RESULT_H
#define WEFT_REPORT_RESULT_H

#include "study/run.h"

/* The whole result as text; the caller frees it. */
char *result_json(const struct config *config, const struct run_result *result);

/* A file that appears whole or not at all: written beside its place, then renamed. */
struct output_file {
    char path[4096], temporary[4112];
    int descriptor;
    bool direct; /* a device or pipe: written as it is */
};

/* Fails at once if the place cannot be written. */
weft_status output_open(struct output_file *file, const char *path);
weft_status output_commit(struct output_file *file, const char *text);
void output_abandon(struct output_file *file);

#endif
