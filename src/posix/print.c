/*
 * Functions that do not name their stream, or that write messages: printf(), scanf() and their
 * like; wide characters; perror(), psignal(), assert(), and those of err.h and error.h, which begin
 * with the name of the program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "posix/internal.h"

static FILE *out(void)
{
    return streams_get(posix_current(), POSIX_OUT);
}

static FILE *err(void)
{
    return streams_get(posix_current(), POSIX_ERR);
}

static FILE *in(void)
{
    return streams_get(posix_current(), POSIX_IN);
}

/* ---- bytes ---- */

/* Defines a function that passes on what follows its format, and gives a result. */
#define WITH_LIST(NAME, CALL, ...)                                                                 \
    static int NAME(__VA_ARGS__, ...)                                                              \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        int result = CALL;                                                                         \
        va_end(args);                                                                              \
        return result;                                                                             \
    }
/* Likewise, without a result. */
#define WITH_LIST_ONLY(NAME, CALL, ...)                                                            \
    static void NAME(__VA_ARGS__, ...)                                                             \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        CALL;                                                                                      \
        va_end(args);                                                                              \
    }

static int rank_vprintf(const char *format, va_list args)
{
    return vfprintf(out(), format, args);
}

WITH_LIST(rank_printf, rank_vprintf(format, args), const char *format)

static int rank_vprintf_chk(int flag, const char *format, va_list args)
{
    (void)flag;
    return rank_vprintf(format, args);
}

WITH_LIST(rank_printf_chk, rank_vprintf_chk(flag, format, args), int flag, const char *format)

static int rank_vdprintf(int file, const char *format, va_list args)
{
    char *text = NULL;
    int length = vasprintf(&text, format, args);
    if (length > 0)
        length = (int)rank_write(file, text, (size_t)length);
    free(text);
    return length;
}

WITH_LIST(rank_dprintf, rank_vdprintf(file, format, args), int file, const char *format)

static int rank_vdprintf_chk(int file, int flag, const char *format, va_list args)
{
    (void)flag;
    return rank_vdprintf(file, format, args);
}

WITH_LIST(rank_dprintf_chk, rank_vdprintf_chk(file, flag, format, args), int file, int flag,
          const char *format)

static int rank_puts(const char *text)
{
    return fputs(text, out()) < 0 || putc('\n', out()) == EOF ? EOF : 1;
}

static int rank_putchar(int letter)
{
    return putc(letter, out());
}

static int rank_getchar(void)
{
    return getc(in());
}

static int rank_vscanf(const char *format, va_list args)
{
    return vfscanf(in(), format, args);
}

WITH_LIST(rank_scanf, rank_vscanf(format, args), const char *format)

/*
 * ---- wide characters ----
 *
 * A stream of a rank's own takes bytes only, so they are written as bytes; other streams are left
 * to the C library.
 */

static int rank_vfwprintf(FILE *stream, const wchar_t *format, va_list args)
{
    wchar_t *text = NULL;
    size_t letters = 0;
    if (streams_file(stream) < 0)
        return vfwprintf(stream, format, args);
    FILE *memory = open_wmemstream(&text, &letters);
    int length = memory ? vfwprintf(memory, format, args) : -1;
    if (memory)
        fclose(memory);
    if (length >= 0 && fprintf(stream, "%ls", text) < 0)
        length = -1;
    free(text);
    return length;
}

WITH_LIST(rank_fwprintf, rank_vfwprintf(stream, format, args), FILE *stream, const wchar_t *format)

static int rank_vwprintf(const wchar_t *format, va_list args)
{
    return rank_vfwprintf(out(), format, args);
}

WITH_LIST(rank_wprintf, rank_vwprintf(format, args), const wchar_t *format)

static int rank_fputws(const wchar_t *text, FILE *stream)
{
    return streams_file(stream) < 0 ? fputws(text, stream) : fprintf(stream, "%ls", text);
}

static wint_t rank_fputwc(wchar_t letter, FILE *stream)
{
    if (streams_file(stream) < 0)
        return fputwc(letter, stream);
    return fprintf(stream, "%lc", (wint_t)letter) < 0 ? WEOF : (wint_t)letter;
}

static wint_t rank_putwchar(wchar_t letter)
{
    return rank_fputwc(letter, out());
}

/* Whether a stream is the end of input that most ranks have. */
static bool is_empty(FILE *stream)
{
    return streams_file(stream) == STDIN_FILENO && fileno(stream) < 0;
}

static wint_t rank_fgetwc(FILE *stream)
{
    return is_empty(stream) ? WEOF : fgetwc(stream);
}

static wint_t rank_getwchar(void)
{
    return rank_fgetwc(in());
}

static wchar_t *rank_fgetws(wchar_t *text, int letters, FILE *stream)
{
    return is_empty(stream) ? NULL : fgetws(text, letters, stream);
}

static int rank_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
    return is_empty(stream) ? EOF : vfwscanf(stream, format, args);
}

WITH_LIST(rank_fwscanf, rank_vfwscanf(stream, format, args), FILE *stream, const wchar_t *format)

static int rank_vwscanf(const wchar_t *format, va_list args)
{
    return rank_vfwscanf(in(), format, args);
}

WITH_LIST(rank_wscanf, rank_vwscanf(format, args), const wchar_t *format)

/* ---- messages ---- */

static const char *program(void)
{
    const char *path = posix_current()->words.argv[0], *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

void print_begin(struct posix_rank *r)
{
    const char *path = r->words.argc > 0 ? r->words.argv[0] : "", *name = program();
    memcpy(variable_of(r, VARIABLE_PATH), &path, sizeof(path));
    memcpy(variable_of(r, VARIABLE_PATH_OLD), &path, sizeof(path));
    memcpy(variable_of(r, VARIABLE_NAME), &name, sizeof(name));
    memcpy(variable_of(r, VARIABLE_NAME_OLD), &name, sizeof(name));
}

/* "TEXT: SIGNAL" or "TEXT: ERROR". */
static void say(const char *text, const char *what)
{
    fprintf(err(), "%s%s%s\n", text ? text : "", text && *text ? ": " : "", what);
}

static void rank_perror(const char *text)
{
    say(text, strerror(errno));
}

static void rank_psignal(int number, const char *text)
{
    say(text, strsignal(number));
}

static _Noreturn void rank_stack_chk_fail(void)
{
    say(NULL, "*** stack smashing detected ***");
    rank_abort();
}

static _Noreturn void rank_assert_fail(const char *what, const char *file, unsigned line,
                                       const char *function)
{
    fprintf(err(), "%s: %s:%u: %s: Assertion `%s' failed.\n", program(), file, line,
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
    fprintf(err(), "%s: %s%s%s\n", start, text, code && format ? ": " : "",
            code ? strerror(code) : "");
}

static void rank_vwarn(const char *format, va_list args)
{
    tell(program(), errno, format, args);
}

static void rank_vwarnx(const char *format, va_list args)
{
    tell(program(), 0, format, args);
}

static _Noreturn void rank_verr(int status, const char *format, va_list args)
{
    rank_vwarn(format, args);
    rank_exit(status);
}

static _Noreturn void rank_verrx(int status, const char *format, va_list args)
{
    rank_vwarnx(format, args);
    rank_exit(status);
}

WITH_LIST_ONLY(rank_warn, rank_vwarn(format, args), const char *format)
WITH_LIST_ONLY(rank_warnx, rank_vwarnx(format, args), const char *format)
WITH_LIST_ONLY(rank_err, rank_verr(status, format, args), int status, const char *format)
WITH_LIST_ONLY(rank_errx, rank_verrx(status, format, args), int status, const char *format)

/* ---- error.h ---- */

/* A status that is not 0 ends the program. */
static void report(const char *start, int status, int code, const char *format, va_list args)
{
    rank_fflush(NULL);
    tell(start, code, format, args);
    if (status)
        rank_exit(status);
}

WITH_LIST_ONLY(rank_error, report(posix_current()->words.argv[0], status, code, format, args),
               int status, int code, const char *format)

static void rank_error_at_line(int status, int code, const char *file, unsigned line,
                               const char *format, ...)
{
    char start[1024];
    va_list args;
    va_start(args, format);
    snprintf(start, sizeof(start), "%s:%s:%u", posix_current()->words.argv[0], file, line);
    report(start, status, code, format, args);
    va_end(args);
}

const struct posix_function print_functions[] = {
    FUNCTION_AS("__stack_chk_fail", rank_stack_chk_fail),
    FUNCTION_AS("__assert_fail", rank_assert_fail),
    FUNCTION(psignal),
    FUNCTION(warn),
    FUNCTION(warnx),
    FUNCTION(vwarn),
    FUNCTION(vwarnx),
    FUNCTION(err),
    FUNCTION(errx),
    FUNCTION(verr),
    FUNCTION(verrx),
    FUNCTION(error),
    FUNCTION(error_at_line),
    FUNCTION(printf),
    FUNCTION(vprintf),
    FUNCTION_AS("__printf_chk", rank_printf_chk),
    FUNCTION_AS("__vprintf_chk", rank_vprintf_chk),
    FUNCTION(dprintf),
    FUNCTION(vdprintf),
    FUNCTION_AS("__dprintf_chk", rank_dprintf_chk),
    FUNCTION_AS("__vdprintf_chk", rank_vdprintf_chk),
    FUNCTION_AS("scanf __isoc99_scanf __isoc23_scanf", rank_scanf),
    FUNCTION_AS("vscanf __isoc99_vscanf __isoc23_vscanf", rank_vscanf),
    FUNCTION_AS("getchar getchar_unlocked", rank_getchar),
    FUNCTION(vfwprintf),
    FUNCTION(fwprintf),
    FUNCTION(vwprintf),
    FUNCTION(wprintf),
    FUNCTION(fputws),
    FUNCTION_AS("fputwc putwc", rank_fputwc),
    FUNCTION(putwchar),
    FUNCTION_AS("fgetwc getwc", rank_fgetwc),
    FUNCTION(getwchar),
    FUNCTION(fgetws),
    FUNCTION_AS("vfwscanf __isoc99_vfwscanf", rank_vfwscanf),
    FUNCTION_AS("fwscanf __isoc99_fwscanf", rank_fwscanf),
    FUNCTION_AS("vwscanf __isoc99_vwscanf", rank_vwscanf),
    FUNCTION_AS("wscanf __isoc99_wscanf", rank_wscanf),
    FUNCTION(puts),
    FUNCTION_AS("putchar putchar_unlocked", rank_putchar),
    FUNCTION(perror),
    {NULL, NULL},
};
