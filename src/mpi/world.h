/*
 * MPI programs and all their ranks: each loaded once (image/), started on its processes of the
 * machine, and what comes of it: what ranks print, in the order of simulated time, their exit
 * codes, and where their time went.
 */
#ifndef WEFT_MPI_WORLD_H
#define WEFT_MPI_WORLD_H

#include "message/task.h"
#include "mpi/common.h"

/* Loads the programs. WEFT_BAD_INPUT: one cannot be run, and why. */
weft_status world_create(const struct world_options *options, struct world **world);
void world_destroy(struct world *world);

/* What the message layer runs. */
struct task_program world_program(struct world *world);

/* Says what is doubtful: functions that the program calls, and by which its ranks may disturb each
 * other; time that is not simulated. */
void world_doubts(const struct world *world, output_sink *sink, void *arg);

/* Writes the calls of all ranks as a time line (struct trace), and beside it what they did, without
 * times (call_log_path()). Once, at the end of the run. */
weft_status world_trace(struct world *world, const char *path);

/* Writes who sent how much to whom. */
weft_status world_matrix(const struct world *world, const char *path);

/* Figures over all ranks. */
void world_result(const struct world *world, struct world_result *result);

/* What ranks wait for that have not ended, or have left under way, those that wait for the same
 * together. Returns the text's length. */
size_t world_explain(const struct world *world, char *text, size_t size);

#endif
