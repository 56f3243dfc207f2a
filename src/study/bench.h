/*
 * How fast this build is on this computer: fixed traffic on fixed machines (`weft bench`). Each row
 * runs in its own process, so that its memory can be measured separately.
 */
#ifndef WEFT_STUDY_BENCH_H
#define WEFT_STUDY_BENCH_H

#include "machine/run.h"

struct bench_row {
    const char *traffic, *size;
    const char *machine, *settings; /* keys, separated by spaces */
    const char *arguments;          /* of an MPI program; NULL: none */
    cycle_t warm, cycles;           /* cycles before timing; timed cycles, 0: to the end */
    uint32_t nodes;

    /* Measured. */
    uint32_t threads;
    uint64_t hops, events;
    uint64_t messages; /* of an MPI program, those of its collective operations too */
    double cpu_seconds, wall_seconds, setup_seconds;
    double simulated_us;
    uint64_t bytes; /* memory in excess of the empty program's */
};

extern const struct bench_row bench_rows[];
extern const size_t bench_row_count;

/* Runs a row on this many threads and fills it in; `interrupted` as in run_options. Samples, if
 * they are asked for, say where its time goes: how many are of each stage. */
weft_status bench_measure(struct bench_row *row, uint32_t threads, uint64_t samples[STAGES_MOST],
                          bool (*interrupted)(void *));

/* Names of the stages that its router reports, then NULL; NULL: it reports none. */
const char *const *bench_stage_names(const struct bench_row *row);

#endif
