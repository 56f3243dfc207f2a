/* Collective operations over messages: gives a series the phases that its operands ask for. */
#ifndef WEFT_MPI_COLLECTIVE_START_H
#define WEFT_MPI_COLLECTIVE_START_H

#include "mpi/collective/series.h"

void start_barrier(struct series *s);
void start_broadcast(struct series *s);
void start_gather(struct series *s);
void start_scatter(struct series *s);
void start_allgather(struct series *s);
void start_alltoall(struct series *s);
void start_reduce(struct series *s);
void start_allreduce(struct series *s);
void start_reduce_scatter(struct series *s);
void start_scan(struct series *s);
void start_exscan(struct series *s);
void start_neighbours(struct series *s);

/* All agree on a number, as on a context: like a barrier, with a few bytes in each message. */
void start_agreement(struct series *s);

/* Everybody tells all others `bytes` bytes, and no more than how many. */
void start_silent_gather(struct series *s, uint64_t bytes);

#endif
