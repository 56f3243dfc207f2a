/*
 * MPI for Fortran: what a program's undefined mpi_send_ is. The functions follow from MPI's list
 * (mpi/fortran.py); each does what differs between the languages and calls the one for C.
 */
#ifndef WEFT_MPI_CALL_FORTRAN_H
#define WEFT_MPI_CALL_FORTRAN_H

#include <stdint.h>

struct fortran_key;
struct image;

/* What stands for a function, by its name; NULL: Weft has no such function. */
void *fortran_find(const char *name);

/* Where MPI_BOTTOM and the like are in each rank's copy of a program; FORTRAN_NOWHERE: it has none.
 */
#define FORTRAN_NOWHERE UINT64_MAX
uint64_t fortran_places(const struct image *image);

/* Gives back what a rank has kept of the program's functions. */
void fortran_drop(struct fortran_key *keys);

#endif
