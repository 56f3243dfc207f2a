/*
 * Lines of text as calls:
 *
 *   MPI_Send entering at walltime 12.000000300, cputime 0.000000100 seconds in thread 0.
 *   int count=10
 *   MPI_Comm comm=2 (MPI_COMM_WORLD)
 *   MPI_Send returning at walltime 12.000000900, cputime 0.000000300 seconds in thread 0.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "trace/dumpi/dumpi.h"
#include "trace/line_reader.h"

enum { NAME = 40, SECONDS_MOST = INT32_MAX };

struct dumpi_text {
    struct dumpi_reader reader;
    struct line_reader w;
    char name[NAME]; /* of the function */
    bool inside;
};

static weft_status refuse(const struct dumpi_text *t, const char *what)
{
    return dumpi_call_refuse(&t->reader.call, &(struct dumpi_value){.where = t->w.line}, what);
}

/* ---- arguments ---- */

/* "[1, 2, 3]", from a field on; what is none has no numbers. */
static void read_array(struct dumpi_text *t, struct dumpi_value *v, const char *text)
{
    const struct line_reader *w = &t->w;
    for (uint32_t word = 1;;) {
        char *end;
        text += *text == '[';
        long long value = strtoll(text, &end, 10);
        if (end == text)
            break;
        dumpi_call_add(&t->reader.call, v, value);
        if (*end != ',' || ++word >= w->count)
            break;
        text = w->field[word];
    }
}

/* What MPI predefines goes by its name, "(MPI_INT)", not by the number that a version has for it.
 */
static void read_meaning(const struct line_reader *w, struct dumpi_value *v)
{
    char name[NAME];
    const char *text = w->count < 3 ? NULL : text_behind(w->field[2], "(MPI_");
    if (!text)
        return;
    snprintf(name, NAME, "%.*s", (int)strcspn(text, ")"), text);
    int64_t handle = dumpi_handle_by_name(name);
    v->value = handle >= 0 ? handle : v->value;
}

/* "int count=1", "MPI_Comm comm=2 (MPI_COMM_WORLD)", "int counts[2]=[1, 2]" */
static void read_argument(struct dumpi_text *t)
{
    const struct line_reader *w = &t->w;
    const char *text = w->count > 1 ? w->field[1] : "", *equals = strchr(text, '=');
    char name[NAME];
    if (!equals)
        return;
    snprintf(name, NAME, "%.*s", (int)strcspn(text, "=["), text);
    enum dumpi_argument argument = dumpi_argument_by_name(name);
    if (argument == DUMPI_ARGUMENTS || dumpi_call_find(&t->reader.call, argument))
        return;
    struct dumpi_value *v = dumpi_call_give(&t->reader.call, argument, w->line);
    if (equals[1] == '[')
        read_array(t, v, equals + 1);
    else
        v->value = strtoll(equals + 1, NULL, 10);
    read_meaning(w, v);
}

/* ---- times ---- */

/* "12.000000300," */
static bool read_time(const char *text, int64_t *ns)
{
    char *end;
    long long seconds = strtoll(text, &end, 10), fraction = 0;
    if (!isdigit((unsigned char)*text) || seconds < 0 || seconds > SECONDS_MOST)
        return false;
    int digits = 0;
    if (*end == '.')
        for (end++; isdigit((unsigned char)*end); end++)
            if (digits < 9) {
                fraction = 10 * fraction + (*end - '0');
                digits++;
            }
    for (; digits < 9; digits++)
        fraction *= 10;
    *ns = seconds * 1000000000 + fraction;
    return *end == ',' || !*end;
}

/* By the wall clock; a trace that has none says 0, and then the processor's counts. */
static weft_status take_time(struct dumpi_text *t, enum dumpi_clock *clock, int64_t *ns)
{
    const struct line_reader *w = &t->w;
    int64_t cpu;
    *clock = DUMPI_CLOCK_WALL;
    if (w->count < 5 || !read_time(w->field[4], ns))
        return refuse(t, "has no wall time");
    if (!*ns && w->count > 6 && read_time(w->field[6], &cpu) && cpu) {
        *clock = DUMPI_CLOCK_CPU;
        *ns = cpu;
    }
    return WEFT_OK;
}

/* ---- calls ---- */

static weft_status enter(struct dumpi_text *t)
{
    enum dumpi_clock clock;
    int64_t now;
    TRY(take_time(t, &clock, &now));
    if (t->inside)
        return refuse(t, "has not returned before the next call");
    snprintf(t->name, NAME, "%s", t->w.field[0]);
    dumpi_call_begin(&t->reader.call, dumpi_function_by_name(t->name), t->w.line);
    t->reader.call.name = t->name;
    t->reader.call.clock = clock;
    t->reader.call.entered_ns = now;
    t->inside = true;
    return WEFT_OK;
}

static weft_status leave(struct dumpi_text *t)
{
    enum dumpi_clock clock;
    TRY(take_time(t, &clock, &t->reader.call.left_ns));
    if (!t->inside || strcmp(t->name, t->w.field[0]) != 0)
        return refuse(t, "has not been entered");
    if (clock != t->reader.call.clock)
        t->reader.call.clock = DUMPI_CLOCK_NONE;
    t->inside = false;
    return WEFT_OK;
}

static weft_status next_call(struct dumpi_reader *reader)
{
    struct dumpi_text *t = (struct dumpi_text *)reader;
    const struct line_reader *w = &t->w;
    weft_status status;
    reader->call.name = "the line"; /* until a call is entered */
    while ((status = line_reader_next(&t->w)) == WEFT_OK && w->count) {
        bool event =
            w->count > 3 && strncmp(w->field[0], "MPI", 3) == 0 && strcmp(w->field[2], "at") == 0;
        if (event && strcmp(w->field[1], "returning") == 0)
            return leave(t);
        if (event && strcmp(w->field[1], "entering") == 0)
            TRY(enter(t));
        else if (t->inside)
            read_argument(t);
    }
    if (status == WEFT_OK && t->inside)
        return dumpi_call_refuse(&reader->call, NULL, "does not return");
    dumpi_call_begin(&reader->call, DUMPI_END, w->line);
    return status;
}

static void close_text(struct dumpi_reader *reader)
{
    struct dumpi_text *t = (struct dumpi_text *)reader;
    line_reader_close(&t->w);
    free(reader->call.number);
    free(t);
}

weft_status dumpi_text_open(const char *path, struct dumpi_reader **reader)
{
    struct line_reader w;
    TRY(line_reader_open(&w, path, "text of a rank"));
    struct dumpi_text *t = memory_alloc(1, sizeof(*t));
    t->w = w;
    t->reader = (struct dumpi_reader){.call.path = path, .next = next_call, .close = close_text};
    *reader = &t->reader;
    return WEFT_OK;
}
