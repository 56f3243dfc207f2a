/* Operations of communicators that other functions of MPI use too. */
#ifndef WEFT_MPI_CALL_COMM_MAKE_H
#define WEFT_MPI_CALL_COMM_MAKE_H

#include "mpi/call.h"

/* Divides a communicator by colours, each part in the order of keys; MPI_UNDEFINED: in none. */
void comm_split(struct rank *r, struct comm *c, int64_t colour, int64_t key, MPI_Comm *newcomm);

/* Everybody tells each other one number; and blocks of so many items, as these numbers say. */
void comm_exchange(struct rank *r, struct comm *c, const int *out, int *in);
void comm_exchange_blocks(struct rank *r, struct comm *c, const void *out, const int *out_counts,
                          const int *out_at, void *in, const int *in_counts, const int *in_at,
                          uint64_t item_bytes);

#endif
