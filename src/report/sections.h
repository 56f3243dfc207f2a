/* Sections of a result that have a text for people, and JSON: jobs, MPI programs, and parts. */
#ifndef WEFT_REPORT_SECTIONS_H
#define WEFT_REPORT_SECTIONS_H

#include <jansson.h>
#include <stdio.h>

#include "jobs/jobs.h"
#include "machine/jobs_params.h"
#include "machine/result.h"
#include "mpi/observe/stats.h"

/* ---- jobs.c: a machine that is shared ---- */

void jobs_print(FILE *out, const struct jobs_params *params, const struct jobs_report *report);

/* NULL: it is no run of jobs. */
json_t *jobs_json(const struct run_result *r);

/* The columns of `jobs.runs`, who was where and when, packed: numbers of a run, and bytes of each.
 */
enum { RUN_JOB, RUN_START, RUN_END, RUN_AT, RUN_SIZE, RUN_HELD, RUN_LOST, RUN_COLUMNS };
enum run_ceiling {
    CEILING_NONE,
    CEILING_CELL,
    CEILING_SIZE,
    CEILING_CELLS,
    CEILING_FLAG,
    CEILINGS
};
struct run_column {
    const char *name;
    unsigned numbers, bytes;
    enum run_ceiling below; /* what they must be below */
};
extern const struct run_column run_columns[RUN_COLUMNS];

/* One line per job, in the order of their submission. */
weft_status jobs_write_csv(const char *path, const struct jobs_report *report);

/* Cells that a run holds; how many runs were lost to a node that died. */
uint32_t run_cells(const struct schedule_result *result, const struct job_run *run);
uint32_t lost_runs(const struct schedule_result *result);

/* ---- mpi.c: a program ---- */

void mpi_print(FILE *out, const struct world_result *r);
json_t *mpi_json(const struct world_result *r);

/* ---- workload_parts.c: what each of several workloads did ---- */

void workload_parts_print(FILE *out, const struct run_result *r);

/* "part_1", "part_2", ..., and the part of each node, from 1; 0: none. NULL: it has no parts. */
json_t *workload_parts_json(const struct run_result *r);
json_t *workload_part_of_node_json(const struct run_result *r);

#endif
