/*
 * Operations of a communicator, as its members know them: by their number. All members do the same
 * operation; if they do not, that is found out here, before they wait for each other for ever.
 */
#ifndef WEFT_MPI_COLLECTIVE_AGREEMENT_H
#define WEFT_MPI_COLLECTIVE_AGREEMENT_H

#include "mpi/call.h"

/* Members of both sides; which of two sides is named first, as both of them think; this process
 * among all members. */
uint32_t comm_members(const struct comm *c);
bool comm_is_first(const struct comm *c);
uint32_t comm_member(const struct comm *c);

/* A key for an operation. Parts of one communicator that have no members in common may have the
 * same context: the group counts too. */
uint64_t comm_key(const struct comm *c, uint32_t number);

/* Operation `number` of a communicator begins here: all members must do the same, or this is the
 * end. */
void comm_check_agreement(struct rank *r, const struct comm *c, uint32_t number,
                          const struct agreement *what);

/* One of the machine's own networks, which know no communicators: all ranks must do the same
 * operations there in the same order. */
void comm_check_order(struct rank *r, const struct agreement *what);

#endif
