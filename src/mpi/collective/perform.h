/* Performs a series: starts it, and waits for it unless the program will. */
#ifndef WEFT_MPI_COLLECTIVE_PERFORM_H
#define WEFT_MPI_COLLECTIVE_PERFORM_H

#include "mpi/collective/series.h"

/* Performs a whole blocking operation of the call that the rank is in. */
void series_run(struct rank *r, struct comm *c, const struct operands *o,
                void (*start)(struct series *s));

/* request: not NULL: it is given to the program. */
int series_perform(struct rank *r, struct series *s, MPI_Request *request);

#endif
