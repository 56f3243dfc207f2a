/*
 * Messages to standard error: perror(), psignal(), assert(), and those of err.h and error.h, which
 * begin with the name of the program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "posix/parts.h"

static FILE *stream(void)
{
    return streams_get(posix_current(), POSIX_ERR);
}

static const char *program(void)
{
    const char *path = posix_current()->words.argv[0], *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

void messages_begin(struct posix_rank *r)
{
    const char *path = r->words.argc > 0 ? r->words.argv[0] : "", *name = program();
    const struct posix_variables *v = r->variable;
    const uint64_t paths[] = {v->program_path, v->program_path_old};
    const uint64_t names[] = {v->program_name, v->program_name_old};
    for (unsigned i = 0; i < 2; i++) {
        memcpy(r->copy + paths[i], &path, sizeof(path));
        memcpy(r->copy + names[i], &name, sizeof(name));
    }
}

/* "TEXT: SIGNAL" or "TEXT: ERROR". */
static void say(const char *text, const char *what)
{
    fprintf(stream(), "%s%s%s\n", text ? text : "", text && *text ? ": " : "", what);
}

void rank_perror(const char *text)
{
    say(text, strerror(errno));
}

void rank_psignal(int number, const char *text)
{
    say(text, strsignal(number));
}

_Noreturn void rank_stack_chk_fail(void)
{
    say(NULL, "*** stack smashing detected ***");
    rank_abort();
}

_Noreturn void rank_assert_fail(const char *what, const char *file, unsigned line,
                                const char *function)
{
    fprintf(stream(), "%s: %s:%u: %s: Assertion `%s' failed.\n", program(), file, line,
            function ? function : "?", what);
    rank_abort();
}

/* ---- err.h ---- */

/* Written at once, as lines of other ranks are. `code`: an errno to name, or 0. */
static void tell(const char *start, int code, const char *format, va_list args)
{
    char text[1024] = "";
    if (format)
        vsnprintf(text, sizeof(text), format, args);
    fprintf(stream(), "%s: %s%s%s\n", start, text, code && format ? ": " : "",
            code ? strerror(code) : "");
}

void rank_vwarn(const char *format, va_list args)
{
    tell(program(), errno, format, args);
}

void rank_vwarnx(const char *format, va_list args)
{
    tell(program(), 0, format, args);
}

_Noreturn void rank_verr(int status, const char *format, va_list args)
{
    rank_vwarn(format, args);
    rank_exit(status);
}

_Noreturn void rank_verrx(int status, const char *format, va_list args)
{
    rank_vwarnx(format, args);
    rank_exit(status);
}

void rank_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rank_vwarn(format, args);
    va_end(args);
}

void rank_warnx(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rank_vwarnx(format, args);
    va_end(args);
}

_Noreturn void rank_err(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rank_verr(status, format, args);
}

_Noreturn void rank_errx(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rank_verrx(status, format, args);
}

/* ---- error.h ---- */

void rank_error(int status, int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rank_fflush(NULL);
    tell(posix_current()->words.argv[0], code, format, args);
    va_end(args);
    if (status)
        rank_exit(status);
}

void rank_error_at_line(int status, int code, const char *file, unsigned line, const char *format,
                        ...)
{
    char start[1024];
    va_list args;
    va_start(args, format);
    rank_fflush(NULL);
    snprintf(start, sizeof(start), "%s:%s:%u", posix_current()->words.argv[0], file, line);
    tell(start, code, format, args);
    va_end(args);
    if (status)
        rank_exit(status);
}
