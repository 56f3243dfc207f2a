/*
 * The table of figures: what a result can hold, one row each, in the order of the result file. The
 * result file, the summary, the metrics of sweeps and studies, the guide and the library all ask
 * this table; a new figure is a row and the line that measures it.
 *
 * Which figures a run has depends on its machine and workload. Rows tell kinds of runs apart: what
 * a run of jobs has, no run of packets has. Within a kind, a run may lack a figure.
 */
#ifndef WEFT_MACHINE_FIGURES_H
#define WEFT_MACHINE_FIGURES_H

#include "machine/result.h"

/* The kinds of runs, as far as figures go; machine_run_kinds() says which a configuration is of. */
enum run_kind {
    RUNS_ALL = 0,
    RUNS_TRAFFIC = 1,  /* packets go over links */
    RUNS_DETAIL = 2,   /* with run.detail */
    RUNS_MESSAGES = 4, /* between processes */
    RUNS_PARTS = 8,    /* of several workloads: the figure is of one of them */
    RUNS_PROGRAM = 16, /* programs, which have figures of their own */
    RUNS_JOBS = 32,    /* jobs and views */
    RUNS_SURVEY = 64,
};

/* Where a figure is. */
enum figure_form {
    FIGURE_ADDED,   /* where it is measured, run_result_add() adds it by its name */
    FIGURE_U32,     /* in struct run_result, as the following */
    FIGURE_U64,     /* */
    FIGURE_REAL,    /* negative: this run has none */
    FIGURE_MEDIAN,  /* of a histogram */
    FIGURE_P99,     /* likewise */
    FIGURE_MEMBER,  /* the section above writes it */
    FIGURE_SECTION, /* no number: an object, a list or a text, which the report writes */
};

struct result_figure {
    const char *name;  /* in the result file; a * at its end stands for any further letters */
    const char *words; /* what axes and titles call it; NULL: its name as words */
    const char *unit;  /* "": none; NULL: the name ends in it */
    unsigned runs;     /* the kinds of runs that have it, as bits of enum run_kind */
    const char *help;  /* NULL: that of the row above */
    enum figure_form form;
    size_t at;                                  /* offset in struct run_result */
    bool (*present)(const struct run_result *); /* NULL: always */
    struct {
        const char *label, *after;
    } line; /* of its own in the summary; label NULL: it has none */
};

extern const struct result_figure figures[];
extern const size_t figure_count;

/* What a user reads who asks for a figure that other runs have. */
struct run_kind_text {
    enum run_kind kind;
    const char *runs, *remedy;
};
extern const struct run_kind_text run_kind_texts[];
extern const size_t run_kind_count;

/* The row of a name; NULL: there is none. Sections, and figures of parts, are rows too. */
const struct result_figure *figure_find(const char *name);

/* Whether it is a number: no section. */
static inline bool figure_is_number(const struct result_figure *f)
{
    return f->form != FIGURE_SECTION;
}

/* Whether its value is a member of struct run_result. */
static inline bool figure_is_stored(const struct result_figure *f)
{
    return f->form >= FIGURE_U32 && f->form <= FIGURE_P99;
}

/* Whether it is counted, in whole numbers. */
static inline bool figure_is_count(const struct result_figure *f)
{
    return figure_is_stored(f) && f->form != FIGURE_REAL;
}

/* The value of a figure that is stored or was added; false: this run has none. */
bool figure_value(const struct result_figure *figure, const struct run_result *result,
                  double *value);

/* The same, exactly, of one that is counted. */
uint64_t figure_counted(const struct result_figure *figure, const struct run_result *result);

/* Its help, be it its own or that of a row above. */
const char *figure_help(const struct result_figure *figure);

/* The runs that have it, for a user. */
const struct run_kind_text *figure_runs(const struct result_figure *figure);

#endif
