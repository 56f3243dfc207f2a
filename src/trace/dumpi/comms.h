/*
 * Communicators of a DUMPI trace, which has nothing but a rank's own handles of them.
 *
 * One is known by what all of its members say: that it is the nth that was made from another one,
 * and of which colour. Members are in the order of keys, and then of the one that it was made from;
 * or, if all of them ask MPI_Comm_rank(), in the order that they are told. Its members are known
 * once all ranks have been read.
 */
#ifndef WEFT_TRACE_DUMPI_COMMS_H
#define WEFT_TRACE_DUMPI_COMMS_H

#include "base/map.h"
#include "trace/dumpi/call.h"
#include "trace/record.h"

struct dumpi_comms {
    uint32_t me;
    struct map known;        /* handle: number of a communicator, of this rank */
    struct map splits;       /* number: how many were made from it, by this rank */
    struct map places;       /* number: this rank's rank in it, if that is known */
    struct dumpi_made *made; /* [number - COMM_FIRST] */
    uint32_t makes;
    struct map found; /* hash of an origin: the last one that has it */
};

void dumpi_comms_fini(struct dumpi_comms *m);

/* Another rank's calls come. */
void dumpi_comms_begin(struct dumpi_comms *m, uint32_t rank);

weft_status dumpi_comms_take(const struct dumpi_comms *m, const struct dumpi_call *c,
                             enum dumpi_argument argument, uint32_t *comm);

/* A call that makes one; *made 0: this rank is no member. */
weft_status dumpi_comms_make(struct dumpi_comms *m, const struct dumpi_call *c, uint32_t *parent,
                             uint32_t *made);

/* MPI_Comm_rank() */
void dumpi_comms_tell(struct dumpi_comms *m, const struct dumpi_call *c);

/* All ranks have been read: tells the recording who belongs to which. */
void dumpi_comms_settle(struct dumpi_comms *m, struct recording *to);

#endif
