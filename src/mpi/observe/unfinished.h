/*
 * What ranks have left under way, or wait for, at the end of a run: for reports, and so that traces
 * say what came of it.
 */
#ifndef WEFT_MPI_OBSERVE_UNFINISHED_H
#define WEFT_MPI_OBSERVE_UNFINISHED_H

#include "mpi/object/request.h"

/* The first send or receive of a rank that is not over, in the order of handles; NULL: none. */
const struct mpi_request *unfinished_message(const struct rank *r);

/* Receives become in the rank's log what came of them; what is not over comes to nothing. */
void unfinished_settle(struct rank *r);

#endif
