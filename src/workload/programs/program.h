/* What patterns that run programs share (`program`, `mpi`, and `replay` in part): which, with what
 * arguments, on which stacks, and how its collective operations are done. */
#ifndef WEFT_WORKLOAD_PROGRAMS_PROGRAM_H
#define WEFT_WORKLOAD_PROGRAMS_PROGRAM_H

#include "mpi/options.h"
#include "workload/workload.h"

struct program_params {
    char program[CONFIG_TEXT], arguments[CONFIG_TEXT];
    uint32_t stack_bytes; /* 0: as is usual */
    enum collectives collectives;
};

extern const struct key_section program_section;
extern const struct key_table program_keys;

/* WEFT_BAD_INPUT: what collective operations are to use is not there. */
weft_status program_check_collectives(const struct workload *w, enum collectives collectives);

/* With the program, if that is a file. */
uint64_t program_fingerprint(const struct config *c);
bool program_describe(const struct config *c, enum layer as, char text[CONFIG_TEXT]);

#endif
