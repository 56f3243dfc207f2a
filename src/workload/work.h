/*
 * What a run was asked to do: in a line that a stranger understands, and as a text that is the same
 * where the work is the same, whatever the machine. Results of several machines are put side by
 * side only if they did the same work.
 *
 * The same work is the same pattern, as packets or as messages, with the same counts and sizes. Of
 * closed patterns it is done by as many nodes or processes. A load is relative to its machine: an
 * open loop offers the same share of each machine's bound, on any number of nodes, and, unless
 * their size is given, in each machine's full packets. How it is done does not matter: algorithms,
 * orders, mapping, routing. Nor does when an open loop is measured.
 */
#ifndef WEFT_WORKLOAD_WORK_H
#define WEFT_WORKLOAD_WORK_H

#include "workload/workload.h"

enum { WORK_TEXT = 1024 };

/* Where work is done. */
struct workplace {
    uint32_t nodes;             /* that live */
    uint32_t processors, tasks; /* as in struct site */
    uint32_t full, header;      /* bytes of a full packet, and those of it that are not payload */
};

struct work {
    char pattern[32];
    enum layer as;
    uint32_t participants;      /* nodes or processes; 0: as a file says */
    uint64_t count;             /* packets or messages, as the text says; 0: no number of them */
    char bytes[CONFIG_TEXT];    /* of each, "240" or "32,256"; "": they differ, or are none */
    char definition[WORK_TEXT]; /* equal: the same work */
    char text[WORK_TEXT];       /* "all-to-all of 512 nodes: each sends ..." */
};

/* The work of a finished configuration; false: nothing is sent. */
bool work_of(const struct config *c, enum layer as, const struct workplace *place,
             struct work *work);

/* WEFT_BAD_INPUT, with both works and what to do, if two machines would not do the same. */
weft_status work_check_same(const char *name, const struct work *work, const char *other_name,
                            const struct work *other);

#endif
