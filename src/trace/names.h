/* Datatypes and operations of reductions by the names and numbers that traces have for them. */
#ifndef WEFT_TRACE_NAMES_H
#define WEFT_TRACE_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* A basic type: its name without MPI_, its number in the standard ABI of MPI, SimGrid's, or -1. */
struct type_name {
    const char *name;
    uint16_t number;
    uint8_t bytes;
    int8_t simgrid;
};

/* NULL: there is none. */
const struct type_name *type_by_name(const char *name);
const struct type_name *type_by_simgrid(uint64_t number);
const struct type_name *type_by_number(unsigned number);

/* An operation: its number in the standard ABI, or RECORD_OP_...; 0: there is none. */
unsigned op_by_name(const char *name);

#endif
