/* What the patterns `program`, `mpi`, `replay` and `goal` share: they run programs, or traces. */
#ifndef WEFT_WORKLOAD_PROGRAMS_PROGRAMS_H
#define WEFT_WORKLOAD_PROGRAMS_PROGRAMS_H

#include "mpi/common.h"
#include "trace/goal/goal.h"
#include "trace/goal/replay.h"
#include "workload/workload.h"

/* ---- program and mpi: which program, with what arguments, on which stacks ---- */

struct program_params {
    char program[CONFIG_TEXT], arguments[CONFIG_TEXT];
    uint32_t stack_bytes; /* 0: as is usual */
    enum collectives collectives;
};

extern const struct key_section program_section;

/* WEFT_BAD_INPUT: what collective operations are to use is not there. */
weft_status program_check_collectives(const struct workload *w, enum collectives collectives);

/* With the program, if that is a file. */
uint64_t program_fingerprint(const struct config *c);
bool program_describe(const struct config *c, enum layer as, char text[CONFIG_TEXT]);

/* ---- mpi and replay, and goal in part: what they compute and leave behind ---- */

struct mpi_run_params {
    enum compute compute;
    double compute_factor;
    enum check_types check_types;
    int64_t date; /* when the clocks of its ranks begin, in seconds of Unix */
    bool tag_output;
    char environment[CONFIG_TEXT];   /* variables of the first program's ranks */
    char more_programs[CONFIG_TEXT]; /* which ranks run beside it (mpi_programs.c) */
    char trace[CONFIG_TEXT];         /* the file of its time line; empty: none */
    char matrix[CONFIG_TEXT];        /* the file of who sent how much to whom; empty: none */
};

extern const struct key_section mpi_run_section;
extern const struct key_table mpi_run_keys;

/* ---- mpi: which ranks run which program ---- */

struct mpi_words {
    char *letters, **word;
    size_t count;
};

/* The programs, and the words that they point to. */
struct mpi_programs {
    struct mpi_program *item;
    uint32_t count, room;
    struct mpi_words arguments, environment, more;
};

weft_status mpi_programs_read(const struct config *c, uint32_t processes,
                              struct mpi_programs *programs);
void mpi_programs_drop(struct mpi_programs *programs);

/* Whether a word is NAME=VALUE. */
bool mpi_is_variable(const char *word);

/* ---- goal: a run of a trace, for what a result says about it ---- */

extern const struct pattern goal_pattern;

struct goal_run {
    struct goal goal;
    struct replay *replay;
    uint64_t hash; /* of the file, once somebody has asked */
};

/* NULL: the workload is none. */
const struct goal_run *goal_run_of(const struct workload *w);

#endif
