/*
 * Standard output and error. What a rank prints goes line by line to its host, which knows when
 * that was in simulated time, and puts the lines of all ranks in order.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "posix/parts.h"

enum { BUFFER = 1024 };

static ssize_t pass_on(struct posix_rank *r, enum posix_stream stream, const char *text,
                       size_t bytes)
{
    r->host->write(r->owner, stream, text, bytes);
    return (ssize_t)bytes;
}

static ssize_t write_out(void *cookie, const char *text, size_t bytes)
{
    return pass_on(cookie, POSIX_OUT, text, bytes);
}

static ssize_t write_err(void *cookie, const char *text, size_t bytes)
{
    return pass_on(cookie, POSIX_ERR, text, bytes);
}

FILE *streams_get(struct posix_rank *r, enum posix_stream stream)
{
    const cookie_io_functions_t calls = {.write = stream == POSIX_OUT ? write_out : write_err};
    if (r->stream[stream])
        return r->stream[stream];
    FILE *f = fopencookie(r, "w", calls);
    if (f)
        setvbuf(f, NULL, stream == POSIX_OUT ? _IOLBF : _IONBF, BUFFER);
    return r->stream[stream] = f;
}

/* A program may hold streams in variables from the start. */
void streams_begin(struct posix_rank *r)
{
    size_t count;
    const struct image_variable *variable = posix_variables(&count);
    const uint64_t at[] = {r->variable->out, r->variable->err};
    for (size_t i = 0; i < count; i++)
        for (unsigned s = 0; s < POSIX_STREAMS; s++)
            if (variable[i].at == at[s] && variable[i].used)
                *(FILE **)(r->copy + at[s]) = streams_get(r, s);
}

void streams_end(struct posix_rank *r)
{
    for (unsigned s = 0; s < POSIX_STREAMS; s++)
        if (r->stream[s]) {
            fclose(r->stream[s]);
            r->stream[s] = NULL;
        }
}

/* ---- functions that do not name their stream ---- */

static FILE *out(void)
{
    return streams_get(posix_current(), POSIX_OUT);
}

int rank_vprintf(const char *format, va_list args)
{
    return vfprintf(out(), format, args);
}

int rank_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vfprintf(out(), format, args);
    va_end(args);
    return length;
}

int rank_vprintf_chk(int flag, const char *format, va_list args)
{
    (void)flag;
    return vfprintf(out(), format, args);
}

int rank_printf_chk(int flag, const char *format, ...)
{
    va_list args;
    (void)flag;
    va_start(args, format);
    int length = vfprintf(out(), format, args);
    va_end(args);
    return length;
}

int rank_puts(const char *text)
{
    return fputs(text, out()) < 0 || putc('\n', out()) == EOF ? EOF : 1;
}

int rank_putchar(int letter)
{
    return putc(letter, out());
}

void rank_perror(const char *text)
{
    const char *what = strerror(errno);
    fprintf(streams_get(posix_current(), POSIX_ERR), "%s%s%s\n", text ? text : "",
            text && *text ? ": " : "", what);
}

/* All streams are the rank's two; files are flushed when they are closed. */
int rank_fflush(FILE *stream)
{
    struct posix_rank *r = posix_current();
    int result = 0;
    if (stream)
        return fflush(stream);
    for (unsigned s = 0; s < POSIX_STREAMS; s++)
        if (r->stream[s])
            result |= fflush(r->stream[s]);
    return result;
}

static bool is_own(const FILE *stream)
{
    const struct posix_rank *r = posix_current();
    return stream && (stream == r->stream[POSIX_OUT] || stream == r->stream[POSIX_ERR]);
}

/* The standard streams stay until the rank ends. */
int rank_fclose(FILE *stream)
{
    return is_own(stream) ? fflush(stream) : fclose(stream);
}

int rank_fileno(FILE *stream)
{
    return !is_own(stream)                                ? fileno(stream)
           : stream == posix_current()->stream[POSIX_OUT] ? STDOUT_FILENO
                                                          : STDERR_FILENO;
}

static bool is_stream(int file)
{
    return file == STDOUT_FILENO || file == STDERR_FILENO;
}

ssize_t rank_write(int file, const void *bytes, size_t count)
{
    if (is_stream(file))
        return pass_on(posix_current(), file == STDOUT_FILENO ? POSIX_OUT : POSIX_ERR, bytes,
                       count);
    return write(file, bytes, count);
}

ssize_t rank_writev(int file, const struct iovec *part, int parts)
{
    ssize_t written = 0;
    if (!is_stream(file))
        return writev(file, part, parts);
    for (int i = 0; i < parts; i++)
        written += rank_write(file, part[i].iov_base, part[i].iov_len);
    return written;
}

/* Wherever the simulator's output goes, a rank's is no file: Fortran's library would keep all of it
 * until the rank ends. */
int rank_fstat(int file, struct stat *what)
{
    int result = fstat(file, what);
    if (result == 0 && is_stream(file)) {
        what->st_mode = (what->st_mode & ~(mode_t)S_IFMT) | S_IFCHR;
        what->st_size = 0;
    }
    return result;
}
