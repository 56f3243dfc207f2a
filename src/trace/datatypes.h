/* Datatypes and operations of reductions, by the names and numbers that traces have for them. */
#ifndef WEFT_TRACE_DATATYPES_H
#define WEFT_TRACE_DATATYPES_H

#include "mpi/object/basics.h"

/* A basic type by its name without MPI_, as double; NULL: there is none. */
const struct type *datatype_named(const char *name);

/* The same by SimGrid's number. */
const struct type *datatype_of_simgrid(uint64_t number);

/* An operation by its name: its number in the standard ABI, or RECORD_OP_...; 0: there is none. */
unsigned reduction_named(const char *name);

#endif
