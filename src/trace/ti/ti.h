/*
 * Time-independent traces, as SimGrid has them (its documentation, "Replaying a time-independent
 * trace"; the actions of smpi_replay.cpp) and as `weft mpirun --trace` writes them
 * (mpi/observe/log.h).
 *
 * Each line is "RANK ACTION ARGUMENTS". The file holds the lines of all ranks, in any order as far
 * as those of one rank are in theirs; or it is an index, which names a file in each of its lines,
 * by paths from its own folder or from the current one.
 *
 * Sizes count elements of a datatype, by SimGrid's numbers: of the action's, or else of bytes, or
 * else, if `init` has an argument, of doubles. Older traces have no tags: "send PEER SIZE [TYPE]",
 * and `wait` waits for what was started last; one line of either form says that a trace is old.
 *
 * Weft's own actions: "wait operation N" for the rank's Nth nonblocking operation, "comm_split N
 * MEMBERS", "probe PEER TAG" and "iprobe PEER TAG", "poll", "copy BYTES" and "combine BYTES" (see
 * mpi/observe/log.h). And its own words, behind the arguments of an action:
 *
 *   calls             of compute: what calls cost that did nothing else
 *   more              it belongs to the call of the rank's line before
 *   by CALL           the call, if it is not the action's: sendrecv, ssend, cart_create ...
 *   in_place          MPI_IN_PLACE
 *   strided           the data are not in one piece
 *   op OP TYPE [N]    of a reduction: sum, double, and the bytes of an element of several
 *   comm N            the communicator, if it is not MPI_COMM_WORLD; self: MPI_COMM_SELF
 */
#ifndef WEFT_TRACE_TI_TI_H
#define WEFT_TRACE_TI_TI_H

#include "trace/record.h"

/* WEFT_BAD_INPUT: what is wrong, as "FILE:LINE:COLUMN: ...". */
weft_status ti_read(const char *path, struct recording **recording);

/* A hash of the bytes of all files that it consists of; 0: there is no such file. */
uint64_t ti_hash(const char *path);

#endif
