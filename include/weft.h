/*
 * libweft: a laboratory for supercomputer interconnects. The public face of the library.
 *
 *   weft_run *run;
 *   if (weft_run_create("bluegene-l", NULL, &run) == WEFT_OK &&
 *       weft_run_set(run, "machine.dims=8x8x8") == WEFT_OK &&
 *       weft_run_set(run, "workload.pattern=alltoall") == WEFT_OK &&
 *       weft_run_execute(run, 2) == WEFT_OK)
 *       puts(weft_run_json(run));
 *   else
 *       fprintf(stderr, "%s\n", weft_last_error());
 *   weft_run_destroy(run);
 *
 * Functions return a status; the text of a failure is this thread's weft_last_error(). Keys and
 * the result's format are those of the command line (docs/guide.md).
 */
#ifndef WEFT_H
#define WEFT_H

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_VERSION "0.1.0"

/* A status is also the exit code of the command line. */
typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_FAILED = 1,    /* the run or the check failed: deadlock, claim missed */
    WEFT_BAD_INPUT = 2, /* the input is wrong, or the computer at hand cannot hold it */
} weft_status;

typedef struct weft_run weft_run;

/* The text of this thread's last failure, or "". */
const char *weft_last_error(void);

/*
 * A run of a machine (a name or a file) or of a study file; either may be NULL, not both. With
 * both, the study runs on that machine.
 */
weft_status weft_run_create(const char *machine, const char *study, weft_run **run);
void weft_run_destroy(weft_run *run);

/* KEY=VALUE, as -s on the command line. */
weft_status weft_run_set(weft_run *run, const char *assignment);

/* Runs it on so many threads; the result is the same for any number. */
weft_status weft_run_execute(weft_run *run, unsigned threads);

/* The result as JSON text, owned by the run; NULL before it was executed. */
const char *weft_run_json(weft_run *run);

#ifdef __cplusplus
}
#endif

#endif
