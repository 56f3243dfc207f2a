/*
 * DUMPI traces of SST (github.com/sstsimulator/sst-dumpi): a .meta file, and beside it a file of
 * each rank, as libdumpi has written it (lu-0003.bin, dumpi_file.h), or else as its dumpi2ascii has
 * made a text of that (lu-0003.txt, dumpi_text.c). Of a rank that has both, the first is read: only
 * it has sizes of datatypes that no call makes.
 *
 *   hostname=...  numprocs=64  fileprefix=lu  ...
 *
 * What lies between two calls, by the wall clock, is computation. Communicators are known by what
 * their members say of them (dumpi_comms.h). Calls of which neither messages nor time come are
 * skipped.
 */
#ifndef WEFT_TRACE_DUMPI_DUMPI_H
#define WEFT_TRACE_DUMPI_DUMPI_H

#include "trace/record.h"

/* Whether a file is a .meta file: its first line is a word with '='. */
bool dumpi_is_meta(const char *path);

/* Reads the trace of a .meta file. WEFT_BAD_INPUT: what is wrong, as "FILE:LINE:COLUMN: ..." or
 * "FILE:byte N: ...". */
weft_status dumpi_read(const char *path, struct recording **recording);

/* A hash of the bytes of all its files. */
uint64_t dumpi_hash(const char *path);

#endif
