/*
 * Standard streams. What a rank prints goes line by line to its host, which knows when that was in
 * simulated time, and puts the lines of all ranks in order. Rank 0 reads the simulator's standard
 * input, the others find it at its end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
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

static ssize_t read_nothing(void *cookie, char *to, size_t bytes)
{
    (void)cookie;
    (void)to;
    (void)bytes;
    return 0;
}

static bool reads(const struct posix_rank *r)
{
    return r->number == 0;
}

static FILE *make_stream(struct posix_rank *r, enum posix_stream stream)
{
    const cookie_io_functions_t calls = {.read = read_nothing,
                                         .write = stream == POSIX_OUT ? write_out : write_err};
    if (stream == POSIX_IN && reads(r))
        return stdin;
    FILE *f = fopencookie(r, stream == POSIX_IN ? "r" : "w", calls);
    if (f && stream != POSIX_IN)
        setvbuf(f, NULL, stream == POSIX_OUT ? _IOLBF : _IONBF, BUFFER);
    return f;
}

/* Where the program has a stream's variable, which it may have changed. */
static FILE **variable_of(const struct posix_rank *r, enum posix_stream stream)
{
    const uint64_t at[] = {r->variable->out, r->variable->err, r->variable->in};
    return (FILE **)(r->copy + at[stream]);
}

FILE *streams_get(struct posix_rank *r, enum posix_stream stream)
{
    FILE *chosen = *variable_of(r, stream);
    if (!r->stream[stream])
        r->stream[stream] = make_stream(r, stream);
    return chosen ? chosen : r->stream[stream];
}

/* A program may hold streams in variables from the start. */
void streams_begin(struct posix_rank *r)
{
    size_t count;
    const struct image_variable *variable = posix_variables(&count);
    for (size_t i = 0; i < count; i++)
        for (unsigned s = 0; s < POSIX_STREAMS; s++)
            if (r->copy + variable[i].at == (unsigned char *)variable_of(r, s) && variable[i].used)
                *variable_of(r, s) = streams_get(r, s);
}

void streams_end(struct posix_rank *r)
{
    for (unsigned s = 0; s < POSIX_STREAMS; s++)
        if (r->stream[s] && r->stream[s] != stdin)
            fflush(r->stream[s]);
}

void streams_drop(struct posix_rank *r)
{
    for (unsigned s = 0; s < POSIX_STREAMS; s++) {
        if (r->stream[s] && r->stream[s] != stdin)
            fclose(r->stream[s]);
        r->stream[s] = NULL;
    }
}

/* ---- functions that do not name their stream ---- */

static FILE *out(void)
{
    return streams_get(posix_current(), POSIX_OUT);
}

static FILE *in(void)
{
    return streams_get(posix_current(), POSIX_IN);
}

int rank_vprintf(const char *format, va_list args)
{
    return vfprintf(out(), format, args);
}

int rank_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = rank_vprintf(format, args);
    va_end(args);
    return length;
}

int rank_vprintf_chk(int flag, const char *format, va_list args)
{
    (void)flag;
    return rank_vprintf(format, args);
}

int rank_printf_chk(int flag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = rank_vprintf_chk(flag, format, args);
    va_end(args);
    return length;
}

int rank_vdprintf(int file, const char *format, va_list args)
{
    char *text = NULL;
    int length = vasprintf(&text, format, args);
    if (length > 0)
        length = (int)rank_write(file, text, (size_t)length);
    free(text);
    return length;
}

int rank_dprintf(int file, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = rank_vdprintf(file, format, args);
    va_end(args);
    return length;
}

int rank_vdprintf_chk(int file, int flag, const char *format, va_list args)
{
    (void)flag;
    return rank_vdprintf(file, format, args);
}

int rank_dprintf_chk(int file, int flag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = rank_vdprintf_chk(file, flag, format, args);
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

int rank_getchar(void)
{
    return getc(in());
}

int rank_vscanf(const char *format, va_list args)
{
    return vfscanf(in(), format, args);
}

int rank_scanf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int fields = rank_vscanf(format, args);
    va_end(args);
    return fields;
}

/* ---- streams as a whole ---- */

/* All streams are the rank's own; files are flushed when they are closed. */
int rank_fflush(FILE *stream)
{
    struct posix_rank *r = posix_current();
    int result = 0;
    if (stream)
        return fflush(stream);
    for (unsigned s = POSIX_OUT; s <= POSIX_ERR; s++)
        if (r->stream[s])
            result |= fflush(r->stream[s]);
    return result;
}

int rank_fcloseall(void)
{
    return rank_fflush(NULL);
}

int streams_file(const FILE *stream)
{
    static const int files[] = {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO};
    const struct posix_rank *r = posix_current();
    for (unsigned s = 0; stream && s < POSIX_STREAMS; s++)
        if (stream == r->stream[s])
            return files[s];
    return -1;
}

/* The standard streams stay until the rank ends. */
int rank_fclose(FILE *stream)
{
    int file = streams_file(stream);
    return file < 0 ? fclose(stream) : file == STDIN_FILENO ? 0 : fflush(stream);
}

int rank_fileno(FILE *stream)
{
    int file = streams_file(stream);
    return file < 0 ? fileno(stream) : file;
}

/* ---- files by number ---- */

static bool is_standard(int file)
{
    return file >= STDIN_FILENO && file <= STDERR_FILENO;
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

ssize_t rank_read(int file, void *to, size_t bytes)
{
    return file == STDIN_FILENO && !reads(posix_current()) ? 0 : read(file, to, bytes);
}

ssize_t rank_readv(int file, const struct iovec *part, int parts)
{
    return file == STDIN_FILENO && !reads(posix_current()) ? 0 : readv(file, part, parts);
}

int rank_close(int file)
{
    return is_standard(file) ? 0 : close(file);
}

/* Nobody sits before a rank, wherever the simulator was started. */
int rank_isatty(int file)
{
    if (!is_standard(file))
        return isatty(file);
    errno = ENOTTY;
    return 0;
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
