/* Collective operations of a DUMPI trace as records. */
#ifndef WEFT_TRACE_DUMPI_OPERATIONS_H
#define WEFT_TRACE_DUMPI_OPERATIONS_H

#include "trace/dumpi/comms.h"
#include "trace/dumpi/types.h"

/* Fills the record of an operation by a call's arguments; the caller frees its list. `ranks`: of
 * MPI_COMM_WORLD. */
weft_status dumpi_operation_fill(const struct dumpi_types *types, const struct dumpi_comms *comms,
                                 uint32_t ranks, const struct dumpi_call *c,
                                 const struct collective_kind *kind, struct record *e);

#endif
