/*
 * From text to a trace that can be run: text is compiled to the binary form (text.c), and whatever
 * is in that is checked (check.c).
 *
 * Text is as LogGOPSim's txt2bin has it:
 *
 *   num_ranks 2
 *   rank 0 {
 *   a: send 8b to 1 tag 5 cpu 0 nic 0     // tag, cpu and nic may be left out
 *   b: recv 8b from -1                    // from anybody; tag -1: any tag
 *   c: calc 1000 cpu 1                    // nanoseconds
 *   c requires a                          // labels that are known by then
 *   c irequires b
 *   }
 *
 * A statement is a line, or ends with ';'. Comments as in C++. Ranks come in any order; one that is
 * left out does nothing. Labels are a rank's own.
 */
#ifndef WEFT_TRACE_GOAL_COMPILE_H
#define WEFT_TRACE_GOAL_COMPILE_H

#include <zlib.h>

#include "trace/goal/goal.h"

enum { GOAL_RANKS_MOST = 1 << 23 };

/* A character of the text. */
struct goal_position {
    uint32_t line, column;
};

/* An operation, and where it is written. */
struct goal_spot {
    uint32_t rank, op;         /* op GOAL_NONE: there is none */
    struct goal_position from; /* 0: it was not found */
};

/* Compiles text to the binary form, which is written to a descriptor. `spot`: NULL, or which
 * operation to find meanwhile. */
weft_status goal_compile(const char *name, gzFile text, int descriptor, struct goal_spot *spot);

/* Whether bytes are a trace: every number in its range, every list what it says, no circle. Sets
 * what it holds. WEFT_BAD_INPUT names the byte; `circle`: an operation that waits for itself
 * through others, for those who know where it was written. */
weft_status goal_check(const char *name, struct goal *goal, struct goal_spot *circle);

#endif
