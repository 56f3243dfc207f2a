/*
 * Traces in OTF2, the format of Score-P and others: an anchor file (traces.otf2), and beside it
 * definitions and the events of each location. They are read with libotf2; without it, Weft says so
 * where such a trace is given.
 *
 *   otf2.c         the library's readers: definitions and events, one after the other
 *   otf2_world.h   definitions: ranks, communicators, regions
 *   otf2_rank.h    events of a rank, as notes
 *   otf2_sizes.h   what collective operations give and get
 *   otf2_finish.h  notes of all ranks, as a recording
 *
 * Ranks are the locations that the trace calls MPI's. Time outside calls of MPI is computation, by
 * the clock of the trace; time that the measurement took for itself is none. Receives are replayed
 * from whom the message came.
 */
#ifndef WEFT_TRACE_OTF2_OTF2_H
#define WEFT_TRACE_OTF2_OTF2_H

#include "trace/record.h"

/* Whether a path names an anchor file: by its end, or by what is in it. */
bool otf2_is_trace(const char *path);

weft_status otf2_read(const char *path, struct recording **recording);

/* A hash of the bytes of all its files. */
uint64_t otf2_hash(const char *path);

/* The version of libotf2; NULL: Weft was built without it. */
const char *otf2_library(void);

#endif
