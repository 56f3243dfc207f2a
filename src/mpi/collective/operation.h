/* Operations of reductions, by their handles. */
#ifndef WEFT_MPI_COLLECTIVE_OPERATION_H
#define WEFT_MPI_COLLECTIVE_OPERATION_H

#include "mpi/collective/collective.h"

/* An operation for elements of a type (NULL: of any); MPI_SUCCESS, or the error was raised. */
int find_op(struct rank *r, struct comm *c, MPI_Op handle, const struct type *t, struct op **op);

#endif
