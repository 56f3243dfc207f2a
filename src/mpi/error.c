/* What becomes of errors. */
#include "mpi/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/memory.h"
#include "mpi/object/comm.h"
#include "mpi/object/file.h"
#include "mpi/object/meeting.h"
#include "mpi/observe/debugger.h"

/* ---- texts ---- */

static const struct {
    const char *name, *meaning;
} texts[] = {
#define TEXT(NAME, MEANING) [NAME] = {#NAME, MEANING}
#include "mpi_errors.h"
#undef TEXT
};
enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };

const char *error_name(int class)
{
    return class >= 0 && class < TEXTS && texts[class].name ? texts[class].name
                                                            : "an error of the program";
}

const char *error_meaning(int class)
{
    return class >= 0 && class < TEXTS && texts[class].name ? texts[class].meaning
                                                            : "an error of the program";
}

/* ---- classes of the program ---- */

struct error_class *error_added(struct rank *r, int code)
{
    struct error_class *e = r->classes;
    while (e && e->code != code)
        e = e->next;
    return e;
}

int error_add(struct rank *r, int class)
{
    struct error_class *e = memory_alloc(1, sizeof(*e));
    e->code = ++r->last_code;
    e->class = class ? class : e->code;
    e->next = r->classes;
    r->classes = e;
    return e->code;
}

/* ---- raising ---- */

static void record_failure(const struct rank *r, uint32_t rank, enum call in, const char *text)
{
    const char *call = call_name(in);
    char program[256] = "";
    if (r->world->o.programs > 1)
        snprintf(program, sizeof(program), " (%.200s)", r->world->rank[rank].executable->o.path);
    if (r->posix.how == POSIX_RUNS) /* it still has a stack to look at */
        debugger_stop(rank, text);
    (void)RUN_FAILED(("rank %u%s: %s%s%s", rank, program, call ? call : "", call ? ": " : "", text),
                     NO_REMEDY);
    if (r->world->o.part)
        error_prefix("part %u, ", r->world->o.part);
}

static _Noreturn void end_program_with(const struct rank *r, const char *text)
{
    task_catch_up(r->task);
    record_failure(r, r->task->rank, r->call, text);
    task_fail(r->task, r->abort_code);
}

void error_of(struct rank *r, const struct speaker *s, const char *text, bool stops)
{
    record_failure(r, s->rank, (enum call)s->call, text);
    task_fail_as(r->task, s->rank, s->when, r->abort_code, stops);
}

void error_fatal(struct rank *r, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    end_program_with(r, text);
}

/* Of an error that belongs to no communicator, MPI_COMM_SELF is the judge; before MPI-4 it was
 * MPI_COMM_WORLD, and programs rely on it. */
static struct comm *judge_of(struct rank *r, struct comm *c)
{
    return c ? c : r->self && r->self->errors ? r->self : r->everybody;
}

bool error_is_fatal(struct rank *r, struct comm *c)
{
    const struct comm *judge = judge_of(r, c);
    return !judge || !judge->errors || judge->errors->kind == ERRORS_FATAL;
}

/* Has a handler (NULL: any error ends the program) deal with an error of an object. */
static int deal_with(struct rank *r, const struct errhandler *h, uintptr_t object, int code,
                     const char *what)
{
    char text[512];
    if (!h || h->kind == ERRORS_FATAL) {
        snprintf(text, sizeof(text), "%s (%s)", what, error_name(code));
        end_program_with(r, text);
    }
    if (h->kind == ERRORS_CALL) { /* of windows and files, in the same way */
        MPI_Comm handle = (MPI_Comm)object;
        h->function(&handle, &code);
    }
    return code;
}

static int raise_error(struct rank *r, struct comm *c, int code, const char *what)
{
    const struct comm *judge = judge_of(r, c);
    if (!c && r->judge.is_set)
        return deal_with(r, r->judge.errors, r->judge.handle, code, what);
    uintptr_t object = !judge ? 0 : judge->window ? judge->window : judge->handle;
    return deal_with(r, judge ? judge->errors : NULL, object, code, what);
}

static int raise_file_error(struct rank *r, const struct file *f, int code, const char *what)
{
    return deal_with(r, f ? f->errors : r->file_errors, f ? f->handle : (uintptr_t)MPI_FILE_NULL,
                     code, what);
}

int error_raise(struct rank *r, struct comm *c, int class, const char *format, ...)
{
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    return raise_error(r, c, class, what);
}

int error_raise_file(struct rank *r, struct file *f, int class, const char *format, ...)
{
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    return raise_file_error(r, f, class, what);
}

int error_pass_on_file(struct rank *r, struct file *f, int code)
{
    return code ? raise_file_error(r, f, code, error_meaning(code)) : code;
}

int error_pass_on(struct rank *r, struct comm *c, int code)
{
    return code ? raise_error(r, c, code, error_meaning(code)) : code;
}
