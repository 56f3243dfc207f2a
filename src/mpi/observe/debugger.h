/*
 * A debugger that looks at one rank. It does not know the images of ranks, which the system has not
 * loaded: when the rank begins, commands that name them are written for it, and the process stops.
 * There is one debugger of a process, whatever runs in it.
 */
#ifndef WEFT_MPI_OBSERVE_DEBUGGER_H
#define WEFT_MPI_OBSERVE_DEBUGGER_H

#include "image/image.h"

/* This process runs under gdb, which is to see a rank, and reads commands from a file when the
 * process stops. */
void debugger_expect(uint32_t rank, const char *path);

bool debugger_is_expected(void);

/* A rank is about to run its program, in its copy of the image. */
void debugger_meet(uint32_t rank, const struct image *image, const unsigned char *copy);

/* A rank is about to end the run, and has its stack still: if it is debugged, the process stops. */
void debugger_stop(uint32_t rank, const char *why);

#endif
