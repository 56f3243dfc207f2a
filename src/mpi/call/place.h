/*
 * Where a process should be in a grid, so that neighbours there are neighbours in the machine. On a
 * torus, a grid of as many processes is folded onto it where its dimensions are products of the
 * torus's; elsewhere processes keep their places.
 */
#ifndef WEFT_MPI_CALL_PLACE_H
#define WEFT_MPI_CALL_PLACE_H

#include "mpi/call.h"

/* The rank of this process in the grid's order. All members of the communicator get different ones.
 */
int64_t place_in_grid(struct rank *r, const struct comm *c, uint32_t dims, const int *size,
                      uint32_t nodes);

#endif
