/* The basic types, by their handles. */
#ifndef WEFT_MPI_OBJECT_BASICS_H
#define WEFT_MPI_OBJECT_BASICS_H

#include "mpi/object/type.h"

/* The handles of basic types are small numbers of the standard ABI, from BASICS_FIRST on. */
enum { BASICS_FIRST = 0x201, BASICS_END = 0x300 };

/* The type of a handle's number; NULL: there is none. It lives as long as the program. */
struct type *basics_find(unsigned handle);

/* The handle of the type of a class and size, as of Fortran's kinds; 0: there is none. */
unsigned basics_match(enum basic basic, unsigned bytes);

#endif
