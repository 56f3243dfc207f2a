/* Figures of an MPI program, for people and as JSON. */
#ifndef WEFT_REPORT_MPI_H
#define WEFT_REPORT_MPI_H

#include <jansson.h>
#include <stdio.h>

#include "mpi/result.h"

void mpi_print(FILE *out, const struct world_result *r);
json_t *mpi_json(const struct world_result *r);

#endif
