/* Lists of numbers as programs give them: ints or, to MPI_..._c(), large ones. */
#ifndef WEFT_MPI_OBJECT_NUMBERS_H
#define WEFT_MPI_OBJECT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

/* One of them, or none: then there is no list. MPI_Count and MPI_Aint are the same type of C. */
struct numbers {
    const int *small;
    const MPI_Count *large;
};

#define NO_NUMBERS ((struct numbers){NULL, NULL})

static inline bool numbers_are_there(struct numbers n)
{
    return n.small || n.large;
}

static inline int64_t number_at(struct numbers n, size_t i)
{
    return n.large ? n.large[i] : n.small[i];
}

#endif
