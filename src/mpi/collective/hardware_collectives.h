/*
 * Collective operations by networks of the machine's own: Blue Gene/L's tree, its global
 * interrupts, and packets that the message layer spreads itself (MSG, 3, 7 and 8). They are for
 * blocking operations of all processes, with data in one piece; what else there is goes over
 * messages. Each function returns false if it does not apply.
 */
#ifndef WEFT_MPI_COLLECTIVE_HARDWARE_COLLECTIVES_H
#define WEFT_MPI_COLLECTIVE_HARDWARE_COLLECTIVES_H

#include "mpi/collective/operands.h"

bool machine_barrier(struct rank *r, struct comm *c, const struct operands *o);
bool machine_broadcast(struct rank *r, struct comm *c, const struct operands *o);
bool machine_reduce(struct rank *r, struct comm *c, const struct operands *o);
bool machine_allreduce(struct rank *r, struct comm *c, const struct operands *o);
bool machine_alltoall(struct rank *r, struct comm *c, const struct operands *o);

#endif
