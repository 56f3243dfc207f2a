/* What the commands of `weft` share. */
#ifndef WEFT_CLI_CLI_H
#define WEFT_CLI_CLI_H

#include "report/library.h"

struct cli_options {
    const char *file;    /* STUDY.yaml */
    const char *machine; /* -m */
    const char *output;  /* -o */
    const char *set[64]; /* -s, -w and --seed, in order */
    unsigned sets;
    char made[8][128]; /* settings made of -w and --seed */
    unsigned mades;
    uint32_t threads; /* -j */
    bool quiet, check;
    const char *name[64]; /* further arguments */
    unsigned names;
};

/* Reads the arguments of a command: options anywhere, the rest as names. */
weft_status cli_parse(int argc, char **argv, struct cli_options *options);

/* From now on SIGINT, SIGTERM and SIGHUP end a run in good order. */
void cli_catch_signals(void);

/* Run options with a progress bar on a terminal. */
struct run_options cli_run_options(const struct cli_options *options, const char *label);
void cli_progress_end(void);

/* Each command: its arguments without "weft" and its own name. */
int cmd_run(int argc, char **argv);
int cmd_study(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_machines(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_keys(int argc, char **argv);

/* Prints the last error as one line; returns the exit code. */
int cli_fail(weft_status status);

#endif
