/*
 * libweft: a laboratory for supercomputer interconnects. The library's public interface.
 *
 * A run in one piece:
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
 * A machine that a host drives with its own traffic (co-simulation):
 *
 *   weft_run_create, weft_run_set ...
 *   weft_run_on_delivery(run, told, arg)     the function to call for each delivery
 *   weft_run_start(run, 1)                   the machine is built and idle, at cycle 0
 *   weft_run_inject(run, &message)           as often as needed, for now or later
 *   weft_run_advance(run, until)             runs the network; deliveries are reported
 *   weft_run_finish(run)                     weft_run_json() has the result
 *
 * Functions return a status; after a failure, weft_last_error() on the same thread has the text.
 * The library never ends its host: running out of memory is a status too. It prints nothing,
 * installs no signal handlers, starts no processes and does not use MPI. Only one thread at a time
 * may use a run, but several threads may each have a run of their own; only weft_run_cancel() may
 * be called from any thread. NULL for what a function needs is WEFT_BAD_INPUT; functions without a
 * status then do nothing, and return 0 or NULL. If a run fails halfway (out of memory), all that
 * can be done with it is weft_run_destroy(). Keys and the format of results are those of the
 * command line (docs/guide.md).
 */
#ifndef WEFT_H
#define WEFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_VERSION "0.2.0"

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

/* A status is also the exit code of the command line. */
typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_FAILED = 1,    /* the run or the check failed: deadlock, cancelled, claim missed */
    WEFT_BAD_INPUT = 2, /* the input is wrong, or too large for this computer */
} weft_status;

typedef struct weft_run weft_run;

/* The version of the library that is linked, as WEFT_VERSION. */
WEFT_API const char *weft_version(void);

/* The text of this thread's last failure, or "". */
WEFT_API const char *weft_last_error(void);

/* Sets the folder that holds machines/ and studies/; call it before anything else. NULL: WEFT_DATA
 * in the environment; or else share/weft beside the library, even if both have been moved since
 * they were installed; or else the folder this build was configured to be installed to. */
WEFT_API void weft_use_data(const char *folder);

/* ---- what there is ---- */

/* Calls `told` for each machine in the data folder, in alphabetical order. A file that cannot be
 * read is left out, and the status says so. The texts last until the function returns. */
WEFT_API weft_status weft_machines(void (*told)(void *arg, const char *name,
                                                const char *description),
                                   void *arg);

/* A figure of results. */
typedef struct weft_figure {
    const char *name; /* in the result; a * at its end stands for any further letters */
    const char *unit; /* "": none */
    const char *runs; /* that have it; "": all */
    const char *help;
} weft_figure;

/* Calls `told` for each figure that a result can have, in the order of the result. The texts last
 * as long as the library. */
WEFT_API void weft_figures(void (*told)(void *arg, const weft_figure *figure), void *arg);

/* ---- a run ---- */

/*
 * Creates a run of a machine (a name or a file) or of a study file; one of them may be NULL. With
 * both, the study runs on that machine. On failure *run is NULL.
 */
WEFT_API weft_status weft_run_create(const char *machine, const char *study, weft_run **run);

/* The same for a study given as text (YAML, as in a file). */
WEFT_API weft_status weft_run_create_text(const char *text, size_t size, weft_run **run);

WEFT_API void weft_run_destroy(weft_run *run);

/* Sets KEY=VALUE, like -s on the command line. */
WEFT_API weft_status weft_run_set(weft_run *run, const char *assignment);

typedef struct weft_key {
    const char *name;
    const char *value;          /* that the run has now */
    const char *default_value;  /* NULL: every machine gives its own */
    const char *unit;           /* "": none */
    const char *const *choices; /* words, the last one is NULL; NULL: any value of its kind */
    const char *source;         /* where the value is from; "": it is the default */
    const char *help;
} weft_key;

/* Calls `told` for each key that the run has. The texts last until `told` returns, which must not
 * use the run. */
WEFT_API weft_status weft_run_keys(weft_run *run, void (*told)(void *arg, const weft_key *key),
                                   void *arg);

/* WEFT_BAD_INPUT: no result of such a run has a number of this name ("response_cycles.mean"); the
 * one that was meant is named if it is near. */
WEFT_API weft_status weft_run_check_metric(weft_run *run, const char *name);

/* Sets *hash to a number that stands for all that the result depends on: this library, the
 * settings, and what is in the files that they name. Runs with equal hashes have equal results. */
WEFT_API weft_status weft_run_hash(weft_run *run, uint64_t *hash);

/* WEFT_BAD_INPUT: the two runs would not do the same work, that is, send the same pattern as
 * packets or messages with the same counts and sizes. What is measured of them, on different
 * machines, then says little about the machines; the failure's text names both works. */
WEFT_API weft_status weft_run_same_work(weft_run *run, weft_run *other);

/* Runs it on this many threads; the result is the same for any number of them. */
WEFT_API weft_status weft_run_execute(weft_run *run, unsigned threads);

/* The result as JSON text, owned by the run; NULL until the run has been executed or finished. */
WEFT_API const char *weft_run_json(weft_run *run);

/* The mean of a figure of several runs that differ in their seeds, and half the width of its 95 %
 * interval by Student's distribution: NAN for a single run, and both are NAN for none. */
WEFT_API void weft_interval(const double *value, size_t count, double *mean, double *half_width);

/* ---- watching ---- */

typedef struct weft_progress {
    double share; /* done, 0 to 1; negative: unknown */
    uint64_t cycle;
    uint64_t packets_delivered;
} weft_progress;

/* Calls `told` with the progress several times per second, on the thread that runs it; NULL: no
 * reports. Of this run, the function may only call weft_run_cancel(). */
WEFT_API void weft_run_on_progress(weft_run *run,
                                   void (*told)(void *arg, const weft_progress *progress),
                                   void *arg);

/* Ends what the run is doing with WEFT_FAILED, within a second. May be called from any thread or
 * signal handler. A cancelled run stays cancelled: it can only be finished, to get what was
 * measured so far, and destroyed. */
WEFT_API void weft_run_cancel(weft_run *run);

typedef struct weft_counters {
    uint64_t cycle; /* everything before this cycle has been run */
    uint64_t packet_hops, events;
    uint64_t packets_pending; /* in the network */
    uint64_t messages_injected, messages_delivered;
} weft_counters;

/* The counters of a run that was started; call it between two calls of weft_run_advance(). */
WEFT_API weft_status weft_run_counters(weft_run *run, weft_counters *counters);

/* ---- co-simulation ---- */

typedef struct weft_message {
    uint64_t cycle;    /* when it is posted; must not have been run yet; at most 7e13 */
    uint32_t from, to; /* nodes */
    uint64_t bytes;    /* below 2^32; a message that fits into one packet is one packet */
    uint64_t tag;      /* for the host's own use */
} weft_message;

typedef struct weft_delivery {
    weft_message message; /* as it was injected */
    uint64_t cycle;       /* when its last byte had arrived and been read */
} weft_delivery;

/* Builds the machine, idle: only the host sends. A workload that the run had is dropped for good.
 */
WEFT_API weft_status weft_run_start(weft_run *run, unsigned threads);

/* The message is posted in its cycle, no matter how long before that it is injected; messages of
 * one node for the same cycle are posted in the order of injection. */
WEFT_API weft_status weft_run_inject(weft_run *run, const weft_message *message);

/* Runs everything before cycle `until`. Deliveries in that time are reported before it returns, in
 * order of time, then of receiver, sender and injection: the same on any number of threads and for
 * steps of any length. WEFT_FAILED: the run was cancelled, or it is deadlocked, which
 * weft_run_finish() explains. */
WEFT_API weft_status weft_run_advance(weft_run *run, uint64_t until);

/* Sets the function to call for each delivery; NULL: none. It may inject messages, for cycles from
 * `until` on, read counters and cancel the run; other calls are refused, and it must not destroy
 * the run. */
WEFT_API void weft_run_on_delivery(weft_run *run,
                                   void (*told)(void *arg, const weft_delivery *delivery),
                                   void *arg);

/* Ends the run: what was measured so far is the result, even if messages are still under way; these
 * are never reported. The run may be started again, from cycle 0. */
WEFT_API weft_status weft_run_finish(weft_run *run);

/* The machine's nodes, and its cycles per second of simulated time; call them after the start. */
WEFT_API uint32_t weft_run_nodes(const weft_run *run);
WEFT_API double weft_run_cycles_per_second(const weft_run *run);

#ifdef __cplusplus
}
#endif

#endif
