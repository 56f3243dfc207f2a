/* What the commands of `weft` share. */
#ifndef WEFT_CLI_CLI_H
#define WEFT_CLI_CLI_H

#include <stdio.h>

#include "lib/library.h"
#include "study/sweep.h"

/* -s KEY=VALUE, or an option that stands for a key. */
struct cli_setting {
    const char *option; /* "-s", "-w", "--seed" */
    const char *key;    /* NULL: in the value, KEY=VALUE */
    const char *value;
};

enum { CLI_METRICS_MAX = 8 };

struct cli_options {
    const struct cli_command *command;
    int argc; /* its arguments, without "weft" and its own name */
    char **argv;
    int exit_code; /* set by the command: of a check that fails, of a program; else 0 */

    const char *machine;        /* -m */
    const char *output;         /* -o */
    struct cli_setting set[64]; /* in order */
    unsigned sets;
    struct cli_setting once[32]; /* options that may be given once, as they were */
    unsigned onces;
    uint32_t threads; /* -j */
    uint32_t team[8]; /* -j T1,T2,...: the first is `threads` */
    unsigned teams;
    uint32_t repeat; /* --repeat; 0: not given */
    bool quiet, check;
    bool alone;                     /* --alone */
    const struct run_result *apart; /* what each of several workloads did alone; NULL: not known */
    bool full;                      /* --full: a study in its paper's size */
    bool tag_output;
    bool list, binary;                /* --list, --binary */
    const char *convert;              /* --convert */
    uint32_t ranks;                   /* -n; 0: not given */
    const char *over[SWEEP_AXES_MAX]; /* --over KEY=V1,V2 */
    unsigned overs;
    const char *metric[CLI_METRICS_MAX]; /* --metric */
    unsigned metrics;
    uint32_t seeds;                   /* --seeds; 0: not given */
    const char *title;                /* --title */
    bool log_x, log_y;                /* --log-x, --log-y */
    bool find_saturation;             /* --find-saturation */
    double precision;                 /* --precision; 0: not given */
    const char *checkpoint;           /* --checkpoint */
    double every;                     /* --every; 0: not given */
    const char *csv, *gantt, *frames; /* files of `weft jobs` */
    const char *links, *nodes;        /* --links, --nodes */
    const char *name[64];             /* further arguments */
    unsigned names;
    uint32_t debugged_rank;   /* --gdb: the rank that gdb is to look at; CLI_NO_RANK: none */
    const char *variable[64]; /* -x */
    unsigned variables;
    char *const *rest; /* of `weft mpirun`: the program and its arguments, and more behind colons */
};

#define CLI_NO_RANK UINT32_MAX

/* Reads the arguments of a command: its options anywhere, the rest as names. */
weft_status cli_parse(const struct cli_command *command, int argc, char **argv,
                      struct cli_options *options);

/* Puts the settings, or one of them, into a configuration. */
weft_status cli_apply(const struct cli_options *options, struct config *config);
weft_status cli_set(const struct cli_setting *setting, struct config *config);

/* Makes a run of a machine or a study (NULL: not given), does something with it, and releases it.
 */
weft_status cli_with_run(struct cli_options *options, const char *machine, const char *study,
                         weft_status (*body)(struct cli_options *options, weft_run *run));

/* ---- multiple_workloads.c: several workloads at once ---- */

/* Whether workloads have nodes of their own (--on): their settings are the pattern `parts`. */
bool several_given(const struct cli_options *options);
weft_status several_apply(const struct cli_options *options, struct config *config);

/* Runs each of a run's workloads alone. The caller frees the results, one for each. */
weft_status several_alone(const struct config *config, const struct cli_options *options,
                          struct run_result **apart);

/* From now on SIGINT, SIGTERM and SIGHUP end a run in good order. */
void cli_catch_signals(void);
bool cli_interrupted(void *arg);

/*
 * Does a command's work, which these signals end early: WEFT_FAILED, "interrupted; " and then
 * `left`, what is to be said of it.
 */
weft_status cli_protected_call(weft_status (*body)(void *arg), void *arg, const char *left);

/* Run options with a progress bar on a terminal. */
struct run_options cli_run_options(const struct cli_options *options, const char *label);
void cli_progress_end(void);

/* From now on what is printed on stdout has '?' in place of control characters. */
void cli_tame_output(void);

/* Prints on standard output what has to arrive as it is: texts of programs and for programs. */
void cli_print_exactly(const void *bytes, size_t size);

/* Whether all that was printed could be written. */
bool cli_output_arrived(void);

/* Ends the line that a program has left without an end. */
void cli_end_line(void);

/* Runs it, and writes and prints its result. */
weft_status cli_execute(weft_run *run, const struct cli_options *options,
                        struct checkpoint *resume);

/* A file of a command, under the option that names it; NULL: it is not given. */
struct cli_file {
    const char *name, *path;
    bool is_input;
};

/* Whether all outputs can be written, before hours are spent on what goes into them, and no two
 * files are the same. */
weft_status cli_try_files(const struct cli_file *file, size_t count);

/* Prints a line of a list: a name, and what it is, which a terminal has on several lines. */
void cli_list(const char *name, const char *text);

/* Says, in a line that lasts until cli_progress_end(), what is being done. */
void cli_show_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a line on standard error, for logs that nobody watches. */
void cli_log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A bar: starts its clock, and says whether anybody sees it; shows it. */
bool cli_bar_start(const struct cli_options *options, const char *label);
void cli_bar_show(double share, const char *where);

/* ---- batches.c: runs of studies and sweeps ---- */

/* Asks for every setting whether it is refused: one that a study or a sweep makes itself. */
weft_status cli_refuse_settings(const struct cli_options *options,
                                weft_status (*refuse)(const void *arg, const char *option,
                                                      const char *key),
                                const void *arg);

/* Runs a batch, in a folder and with a care for failures that `batch` says, with a progress bar or,
 * where nobody sees one, with a line for each run. *resumed: results that were in the folder
 * already. */
weft_status cli_batch(const struct cli_options *options, const char *label,
                      struct batch_options batch, struct batch_item *item, size_t items,
                      size_t *resumed);

/* Says where pictures, data and results are, and why there is no picture. */
struct plot;
void cli_say_files(const struct plot *plot, unsigned plots, const char *csv, const char *folder);

/* ---- commands.c, options.c: what there is, for the parser, help, the manual and completion ----
 */

/* What a word can be completed to: nothing but a file's name, or one of these. */
enum cli_completion {
    CLI_NOTHING,
    CLI_COMMANDS,
    CLI_MACHINES,
    CLI_PATTERNS,
    CLI_METRICS,
    CLI_KEYS,     /* KEY=VALUE */
    CLI_PREFIXES, /* keys alone */
    CLI_STUDIES,  /* what `weft study` can do; then the studies */
    CLI_ROWS,     /* of the benchmark */
};

/* Arguments that are not the command's own. */
enum cli_passing { CLI_PASSES_NONE, CLI_PASSES_PROGRAM, CLI_PASSES_ALL };

typedef weft_status cli_work(struct cli_options *options);

struct cli_command {
    const char *name;
    cli_work *run;
    const char *usage;
    const char *help;     /* one line */
    const char *text;     /* a paragraph */
    unsigned least, most; /* names that it takes; most is 0: none, or as many as there are */
    const char *takes;    /* "one machine", for complaints; NULL: the command counts them itself */
    const char *remedy;   /* of such a complaint */
    enum cli_completion completes; /* a name */
    enum cli_passing passes;
    bool on_ranks;      /* it works on several ranks */
    const char *called; /* names of links to `weft` that stand for it; NULL: there are none */
};

struct cli_option {
    const char *name;
    const char *value; /* what its value is called; NULL: it takes none */
    const char *help;
    const char *commands; /* those that take it, separated by spaces */
    weft_status (*take)(struct cli_options *options, const struct cli_option *option,
                        const char *value); /* NULL: the command itself looks for it */
    size_t member;                          /* of struct cli_options, where it is put */
    const char *key;                        /* that it is short for */
    double least, most;                     /* of a number */
    const char *is, *remedy; /* "a number of ranks", and what to use; for complaints */
    enum cli_completion completes;
    bool repeated; /* it may be given several times */
    bool written;  /* the value is a file to write: - is standard output */
};

extern const struct cli_command cli_commands[];
extern const size_t cli_command_count;
extern const struct cli_option cli_known_options[];
extern const size_t cli_known_option_count;

/* What `weft study` can do, then NULL. */
extern const char *const cli_study_verbs[];

/* NULL: there is none of that name. */
const struct cli_command *cli_find_command(const char *name);

/* The command that a link to `weft` stands for, by the link's name; NULL: none. */
const struct cli_command *cli_find_called(const char *name);

/* WEFT_BAD_INPUT, with the command that may be meant. */
weft_status cli_unknown_command(const char *name);

/* What an option means to a command, or, without one, to most; NULL: there is no such option. */
const struct cli_option *cli_option_of(const struct cli_command *command, const char *name);

/* Whether two names are of one option. */
bool cli_same_thing(const char *a, const char *b);

/* ---- launcher.c ---- */

/* Makes arguments of `weft mpirun` of a command line of mpirun, as other MPIs have it. NULL: it was
 * a question, and is answered. */
weft_status launcher_translate(int *argc, char ***argv);
void launcher_drop(int argc, char **argv);

/* ---- help.c ---- */

void help_all(FILE *out);
void help_command(FILE *out, const struct cli_command *command);

/* Prints the manual page, in troff's man macros. */
void help_manual(void);

/* ---- complete.c ---- */

/* Prints, one per line, all that the last of the words after "weft" may be the beginning of;
 * nothing if it is a file. */
void complete(int count, char **word);

/* ---- the commands ---- */

cli_work cmd_run;
cli_work cmd_resume;
cli_work cmd_mpirun;
cli_work cmd_compiler;
cli_work cmd_jobs;
cli_work cmd_goal;
cli_work cmd_sweep;
cli_work cmd_study;
cli_work cmd_view;
cli_work cmd_compare;
cli_work cmd_check;
cli_work cmd_bench;
cli_work cmd_machines;
cli_work cmd_show;
cli_work cmd_keys;
cli_work cmd_help;
cli_work cmd_version;

#endif
