/*
 * Datatypes of a rank in a DUMPI trace: how many bytes their elements have.
 *
 * A type that the program makes has the size that its parts give it. One that nothing has made, as
 * those of Fortran, has the size that the trace says at its end; a text says none.
 */
#ifndef WEFT_TRACE_DUMPI_TYPES_H
#define WEFT_TRACE_DUMPI_TYPES_H

#include "base/map.h"
#include "trace/dumpi/call.h"

struct dumpi_types {
    struct map own;      /* handle: bytes, of those that the program made */
    struct map asked;    /* likewise, as MPI_Type_size() told it */
    const int32_t *size; /* [sizes], by handle, of the whole trace of the rank; 0: not known */
    uint32_t sizes;
};

void dumpi_types_fini(struct dumpi_types *t);

/* The number of a type that MPI predefines, "MPI_INT"; -1: there is none of this name. */
int64_t dumpi_type_by_name(const char *name);

/* Bytes of an element; *number: of a basic type, in the standard ABI of MPI, or 0. */
weft_status dumpi_types_take(const struct dumpi_types *t, const struct dumpi_call *c,
                             enum dumpi_argument argument, uint64_t *bytes, uint16_t *number);

/* The same of one of several types, for which `value` is blamed. */
weft_status dumpi_types_find(const struct dumpi_types *t, const struct dumpi_call *c,
                             const struct dumpi_value *value, int64_t handle, uint64_t *bytes,
                             uint16_t *number);

/* Bytes of so many elements. */
weft_status dumpi_types_size(const struct dumpi_types *t, const struct dumpi_call *c,
                             enum dumpi_argument count, enum dumpi_argument type, uint64_t *bytes);

/* A complaint about more bytes than MPI counts. */
weft_status dumpi_types_refuse(const struct dumpi_call *c);

/* MPI_Type_...() */
void dumpi_types_do(struct dumpi_types *t, const struct dumpi_call *c);

#endif
