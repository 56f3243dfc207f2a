/*
 * Traces in OTF2, the format of Score-P and others: an anchor file (traces.otf2), and beside it
 * definitions and the events of each location. They are read with libotf2; without it, Weft says so
 * where such a trace is given.
 *
 *   anchor.c   the files of a trace
 *   otf2.c     the library's readers: definitions and events, one after the other
 *   world.h    definitions: ranks, communicators, regions
 *   rank.h     events of a rank, as draft records
 *   sizes.h    what collective operations give and get
 *   finish.h   drafts of all ranks, as a recording
 *
 * Ranks are the locations that the trace calls MPI's. Time outside calls of MPI is computation, by
 * the clock of the trace; time that the measurement took for itself is none. Receives are replayed
 * from whom the message came.
 */
#ifndef WEFT_TRACE_OTF2_OTF2_H
#define WEFT_TRACE_OTF2_OTF2_H

#include <string.h>

#include "trace/record.h"

enum { OTF2_PATH = 4096 };

/* Letters of the path of an anchor file before ".otf2": those of the folder of events, too. */
static inline int otf2_stem(const char *path)
{
    return (int)strlen(path) - 5;
}

/* Reads the trace of an anchor file. */
weft_status otf2_read(const char *path, struct recording *to);

/* The version of libotf2; NULL: Weft was built without it. */
const char *otf2_library(void);

#endif
