/* What runs of MPI programs (`mpi`, `replay`, and `goal` in part) compute and leave behind. */
#ifndef WEFT_WORKLOAD_PROGRAMS_MPI_H
#define WEFT_WORKLOAD_PROGRAMS_MPI_H

#include "workload/programs/program.h"

struct mpi_run_params {
    enum compute compute;
    double compute_factor;
    bool tag_output;
    char trace[CONFIG_TEXT];  /* the file of its time line; empty: none */
    char matrix[CONFIG_TEXT]; /* the file of who sent how much to whom; empty: none */
};

extern const struct key_section mpi_run_section;
extern const struct key_table mpi_run_keys;

/* What the run is to write can be written. */
weft_status mpi_try_outputs(const struct mpi_run_params *params);
bool mpi_names(const struct mpi_run_params *params, const char *path);

/* For rows; the state of a pattern with the latter begins with its mpi_run_params. */
bool mpi_writes(const struct config *c, const char *path);
weft_status mpi_write(const struct workload *w);

#endif
