/* Reading the Standard Workload Format. */
#include "jobs/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "machine/jobs_params.h"

/* Fields of a line, in order. */
enum field {
    FIELD_NUMBER,
    FIELD_SUBMIT,
    FIELD_WAIT,
    FIELD_RUN,
    FIELD_USED_PROCESSORS,
    FIELD_PROCESSORS = 7,
    FIELD_ESTIMATE = 8,
    FIELDS = 18,
};

static const char *const field_names[FIELDS] = {"job number",
                                                "submit time",
                                                "wait time",
                                                "run time",
                                                "number of processors",
                                                "CPU time",
                                                "memory",
                                                "number of requested processors",
                                                "requested time",
                                                "requested memory",
                                                "status",
                                                "user",
                                                "group",
                                                "executable",
                                                "queue",
                                                "partition",
                                                "preceding job",
                                                "think time"};

static const char form[] = "write 18 numbers per job, -1 for what is not known, and ';' before "
                           "comments";

/* ---- one line ---- */

/* The largest value of a field that is not a time. */
#define FIELD_MOST 1e15

static double most_of(enum field field)
{
    bool is_time = field == FIELD_SUBMIT || field == FIELD_WAIT || field == FIELD_RUN ||
                   field == FIELD_ESTIMATE;
    return is_time ? JOBS_MOST_SECONDS : FIELD_MOST;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct lines *l)
{
    while (lines_left(l) && is_blank(*l->at))
        l->at++;
}

static bool is_end(const struct lines *l)
{
    return !lines_left(l) || *l->at == '\n';
}

/* The word that comes, cut to fit: for numbers, and for complaints. */
static const char *take_word(const struct lines *l, char text[64])
{
    const char *at = l->at;
    size_t length = 0;
    for (; at < l->end && *at != '\n' && !is_blank(*at); at++)
        if (length < 63)
            text[length++] = *at;
    text[length] = '\0';
    return at;
}

/* Refuses a word that is not a number: by its first byte that is not text, or else whole. */
static weft_status refuse_word(const struct lines *l, const char *end, enum field field,
                               const char *text)
{
    struct lines there = *l;
    for (; there.at < end; there.at++)
        if (*there.at <= ' ' || *there.at > '~')
            break;
    if (there.at < end)
        return lines_refuse(&there, field_names[field]);
    return LINES_REFUSE(l, l->line, lines_column(l, l->at),
                        ("'%s' is not a %s", text, field_names[field]), ("%s", form));
}

/* A number of the current line; a fraction is dropped. */
static weft_status read_field(struct lines *l, enum field field, int64_t *value)
{
    char text[64];
    const char *end = take_word(l, text);
    double real;
    if (end - l->at > 63 || memchr(l->at, '\0', (size_t)(end - l->at)) || !number_real(text, &real))
        return refuse_word(l, end, field, text);
    if (fabs(real) > most_of(field))
        return LINES_REFUSE(l, l->line, lines_column(l, l->at),
                            ("a %s of %s is out of range", field_names[field], text),
                            ("use at %s%.0f", real > 0 ? "most " : "least -", most_of(field)));
    *value = (int64_t)real;
    l->at = end;
    return WEFT_OK;
}

static weft_status read_fields(struct lines *l, int64_t value[FIELDS])
{
    for (unsigned field = 0; field < FIELDS; field++) {
        skip_blanks(l);
        if (is_end(l))
            return LINES_REFUSE(l, l->line, lines_column(l, l->at),
                                ("the line ends after %u of %d numbers", field, FIELDS),
                                ("%s", form));
        TRY(read_field(l, field, &value[field]));
    }
    skip_blanks(l);
    if (!is_end(l) && *l->at != ';')
        return LINES_REFUSE(l, l->line, lines_column(l, l->at),
                            ("the line goes on after %d numbers", FIELDS), ("%s", form));
    return WEFT_OK;
}

/* ---- the head ---- */

/* "; MaxProcs: 100": the machine's size, by its processors or else its nodes. */
static void read_comment(struct lines *l, struct swf_log *log)
{
    static const char *const names[] = {"MaxProcs:", "MaxNodes:"};
    const char *at = l->at;
    while (at < l->end && (*at == ';' || is_blank(*at)))
        at++;
    for (unsigned i = 0; i < 2; i++) {
        size_t length = strlen(names[i]);
        if ((size_t)(l->end - at) < length || memcmp(at, names[i], length) != 0)
            continue;
        struct lines rest = *l;
        char text[64];
        int64_t value;
        rest.at = at + length;
        skip_blanks(&rest);
        take_word(&rest, text);
        if (number_integer(text, &value) && value > log->processors && value <= INT32_MAX)
            log->processors = value;
    }
}

/* ---- the log ---- */

static int compare(const void *a, const void *b)
{
    const struct job *p = a, *q = b;
    if (p->submit != q->submit)
        return p->submit < q->submit ? -1 : 1;
    if (p->number != q->number)
        return p->number < q->number ? -1 : 1;
    return p->order < q->order ? -1 : 1;
}

void swf_sort(struct swf_log *log)
{
    for (uint32_t i = 0; i < log->jobs; i++)
        log->job[i].order = i;
    qsort(log->job, log->jobs, sizeof(*log->job), compare);
}

static void add(struct swf_log *log, const int64_t value[FIELDS], uint32_t *room)
{
    struct job job = {.number = value[FIELD_NUMBER],
                      .submit = value[FIELD_SUBMIT] > 0 ? value[FIELD_SUBMIT] : 0,
                      .run = value[FIELD_RUN],
                      .estimate = value[FIELD_ESTIMATE],
                      .processors = value[FIELD_PROCESSORS]};
    if (job.processors <= 0)
        job.processors = value[FIELD_USED_PROCESSORS];
    log->lines++;
    log->no_run += job.run < 0;
    log->no_processors += job.run >= 0 && job.processors <= 0;
    if (job.run < 0 || job.processors <= 0)
        return;
    log->no_submit += value[FIELD_SUBMIT] < 0;
    log->zero_run += job.run == 0;
    job.run += job.run == 0;
    log->no_estimate += job.estimate <= 0;
    log->overrun += job.estimate > 0 && job.estimate < job.run;
    job.estimate = job.estimate < job.run ? job.run : job.estimate;
    log->unsorted += log->jobs && job.submit < log->job[log->jobs - 1].submit;
    *LIST_ADD(log->job, log->jobs, *room) = job;
}

static weft_status read_lines(struct lines *l, struct swf_log *log)
{
    uint32_t room = 0;
    while (lines_left(l)) {
        int64_t value[FIELDS];
        skip_blanks(l);
        if (!is_end(l) && *l->at == ';') {
            read_comment(l, log);
        } else if (!is_end(l)) {
            TRY(read_fields(l, value));
            add(log, value, &room);
        }
        TRY(lines_next(l));
    }
    return WEFT_OK;
}

weft_status swf_read_text(const char *name, const char *text, size_t size, struct swf_log *log)
{
    struct lines l = lines_of(name, text, size, form);
    *log = (struct swf_log){.job = NULL};
    weft_status status = read_lines(&l, log);
    if (status == WEFT_OK && !log->jobs)
        status = BAD_PLACE(("%s", name), ("has no job that ran"), ("%s", form));
    if (status != WEFT_OK) {
        swf_fini(log);
        return status;
    }
    swf_sort(log);
    for (uint32_t i = 0; i < log->jobs; i++)
        if (log->job[i].processors > log->processors)
            log->processors = log->job[i].processors;
    return WEFT_OK;
}

weft_status swf_read(const char *path, struct swf_log *log)
{
    char *text;
    size_t size;
    TRY(input_read(path, "log of jobs", "leave jobs.log out to generate jobs", &text, &size));
    weft_status status = swf_read_text(path, text, size, log);
    free(text);
    return status;
}

void swf_fini(struct swf_log *log)
{
    free(log->job);
    *log = (struct swf_log){.job = NULL};
}
