/*
 * Reads GOAL text, as LogGOPSim's txt2bin does:
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
#ifndef WEFT_TRACE_GOAL_TEXT_H
#define WEFT_TRACE_GOAL_TEXT_H

#include "trace/goal/write.h"

/* Where text comes from: fills a buffer; returns how much, 0 at the end, -1 if it is damaged. */
struct goal_source {
    void *ctx;
    long (*read)(void *ctx, void *buffer, size_t size);
};

enum { GOAL_RANKS_MOST = 1 << 23 };

/* An operation whose place in the text is asked for. */
struct goal_spot {
    uint32_t rank, op;
    uint32_t line, column; /* 0: it was not found */
};

/* Compiles text to the binary form, which is written to a descriptor. `spot`: NULL, or what to find
 * meanwhile. */
weft_status goal_compile(const char *name, const struct goal_source *source, int descriptor,
                         struct goal_spot *spot);

#endif
