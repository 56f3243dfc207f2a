/*
 * Ranks that do again what ranks of a program did (record.h): they make the same calls, with the
 * same lengths and no data, on a machine that may be another one.
 */
#ifndef WEFT_TRACE_MPI_REPLAY_H
#define WEFT_TRACE_MPI_REPLAY_H

#include "mpi/common.h"
#include "trace/record.h"

struct mpi_replay {
    struct recording *recording;
    double rate;   /* operations per second; 0: one per processor cycle */
    double factor; /* of the time of computation */
    int *none;     /* displacements of operations: zeros, for every rank */
    struct world_body body;
};

/* Takes over the recording. */
struct mpi_replay *mpi_replay_create(struct recording *recording, double rate, double factor);
void mpi_replay_destroy(struct mpi_replay *replay);

#endif
