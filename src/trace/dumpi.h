/*
 * DUMPI traces of SST (github.com/sstsimulator/sst-dumpi), in the text form that its dumpi2ascii
 * writes: a file of each rank beside the .meta file,
 *
 *   dumpi2ascii lu-0003.bin > lu-0003.txt          hostname=...  numprocs=64  fileprefix=lu
 *
 *   MPI_Send entering at walltime 12.000000300, cputime 0.000000000 seconds in thread 0.
 *   int count=10
 *   MPI_Datatype datatype=9 (MPI_INT)
 *   ...
 *   MPI_Send returning at walltime 12.000000900, cputime 0.000000000 seconds in thread 0.
 *
 * What lies between two calls, by the wall clock, is computation. Communicators are known by who
 * called MPI_Comm_split() or MPI_Comm_dup() as which one's nth; those of MPI_Comm_create() have
 * their members in the old one's order. Calls of which neither messages nor time come are skipped.
 */
#ifndef WEFT_TRACE_DUMPI_H
#define WEFT_TRACE_DUMPI_H

#include "trace/record.h"

/* Whether a file is a .meta file: its first line is a word with '='. */
bool dumpi_is_meta(const char *path);

/* Reads the trace of a .meta file. WEFT_BAD_INPUT: what is wrong, as "FILE:LINE:COLUMN: ...". */
weft_status dumpi_read(const char *path, struct recording **recording);

/* A hash of the bytes of all its files. */
uint64_t dumpi_hash(const char *path);

#endif
