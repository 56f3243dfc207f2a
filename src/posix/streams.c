/*
 * Standard streams. What a rank prints goes line by line to its host, which knows when that was in
 * simulated time, and puts the lines of all ranks in order. Rank 0 reads the simulator's standard
 * input, the others find it at its end. A rank may put a file in a stream's place: freopen().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <string.h>

#include "posix/internal.h"

enum { BUFFER = 1024 };

static const int numbers[] = {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO};

static bool reads(const struct posix_rank *r)
{
    return r->number == 0;
}

/* The file in a stream's place; -1: none. */
static int file_of(const struct posix_rank *r, enum posix_stream stream)
{
    return r->file[stream] ? fileno(r->file[stream]) : -1;
}

static ssize_t pass_on(struct posix_rank *r, enum posix_stream stream, const char *text,
                       size_t bytes)
{
    int file = file_of(r, stream);
    if (r->closed[stream]) {
        errno = EBADF;
        return -1;
    }
    if (file < 0 && life_is_child(r))
        file = numbers[stream];
    if (file >= 0)
        return write(file, text, bytes);
    r->host->write(r->owner, stream, text, bytes);
    return (ssize_t)bytes;
}

/* The file that a rank's input comes from; -1: there is none. */
static int input_of(const struct posix_rank *r)
{
    int file = file_of(r, POSIX_IN);
    return file >= 0 || r->closed[POSIX_IN] || !reads(r) ? file : STDIN_FILENO;
}

/* A stream that the rank made: which one, and whose (r->cookie). */
static ssize_t write_cookie(void *cookie, const char *text, size_t bytes)
{
    const struct posix_cookie *c = cookie;
    ssize_t written = pass_on(c->rank, c->stream, text, bytes);
    return written < 0 ? 0 : written;
}

static ssize_t read_cookie(void *cookie, char *to, size_t bytes)
{
    int file = input_of(((const struct posix_cookie *)cookie)->rank);
    return file < 0 ? 0 : read(file, to, bytes);
}

static int seek_cookie(void *cookie, off64_t *at, int from)
{
    const struct posix_cookie *c = cookie;
    off64_t now = lseek64(file_of(c->rank, c->stream), *at, from);
    *at = now < 0 ? *at : now;
    return now < 0 ? -1 : 0;
}

static FILE *make_stream(struct posix_rank *r, enum posix_stream stream)
{
    static const cookie_io_functions_t calls = {
        .write = write_cookie, .read = read_cookie, .seek = seek_cookie};
    if (stream == POSIX_IN && reads(r)) { /* a file, with all that the C library can do */
        int file = dup(STDIN_FILENO);
        return fdopen(file < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : file, "r");
    }
    r->cookie[stream] = (struct posix_cookie){r, stream};
    FILE *f = fopencookie(&r->cookie[stream], stream == POSIX_IN ? "r" : "w", calls);
    if (f && stream != POSIX_IN)
        setvbuf(f, NULL, stream == POSIX_OUT ? _IOLBF : _IONBF, BUFFER);
    return f;
}

/* Where the program has a stream's variable, which it may have changed. */
static FILE **stream_of(const struct posix_rank *r, enum posix_stream stream)
{
    return variable_of(r, VARIABLE_STREAM + stream);
}

FILE *streams_get(struct posix_rank *r, enum posix_stream stream)
{
    FILE *chosen = *stream_of(r, stream);
    if (!r->stream[stream])
        r->stream[stream] = make_stream(r, stream);
    return chosen ? chosen : r->stream[stream];
}

/* A program may hold streams in variables from the start. */
void streams_begin(struct posix_rank *r)
{
    size_t count;
    const struct image_variable *variable = posix_variables(&count);
    for (unsigned s = 0; s < POSIX_STREAMS; s++)
        if (variable[VARIABLE_STREAM + s].used)
            *stream_of(r, s) = streams_get(r, s);
}

static void drop_file(struct posix_rank *r, enum posix_stream stream)
{
    if (r->file[stream])
        fclose(r->file[stream]);
    r->file[stream] = NULL;
}

void streams_end(struct posix_rank *r)
{
    for (unsigned s = 0; s < POSIX_STREAMS; s++) {
        if (r->stream[s] && s != POSIX_IN)
            fflush(r->stream[s]);
        drop_file(r, s);
    }
}

void streams_drop(struct posix_rank *r)
{
    for (unsigned s = 0; s < POSIX_STREAMS; s++) {
        if (r->stream[s])
            fclose(r->stream[s]);
        r->stream[s] = NULL;
        drop_file(r, s);
    }
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

static int rank_fcloseall(void)
{
    return rank_fflush(NULL);
}

/* Which of the rank's own a stream is, or the file of this number; POSIX_STREAMS: none. */
static enum posix_stream which(const FILE *stream)
{
    const struct posix_rank *r = posix_current();
    unsigned s = 0;
    while (s < POSIX_STREAMS && (!stream || stream != r->stream[s]))
        s++;
    return s;
}

static enum posix_stream which_number(int file)
{
    unsigned s = 0;
    while (s < POSIX_STREAMS && file != numbers[s])
        s++;
    return s;
}

int streams_file(const FILE *stream)
{
    enum posix_stream s = which(stream);
    return s < POSIX_STREAMS ? numbers[s] : -1;
}

/* The standard streams themselves stay until the rank ends. Here output is written, and input that
 * was read ahead is dropped. */
static int rank_fclose(FILE *stream)
{
    enum posix_stream s = which(stream);
    if (s == POSIX_STREAMS)
        return fclose(stream);
    struct posix_rank *r = threads_master(posix_current());
    int result = s == POSIX_IN ? 0 : fflush(stream);
    __fpurge(stream);
    clearerr(stream);
    drop_file(r, s);
    r->closed[s] = true;
    return result;
}

/* Without a path, a stream gets another mode: these have the only one that fits. */
static FILE *rank_freopen(const char *path, const char *mode, FILE *stream)
{
    enum posix_stream s = which(stream);
    if (s == POSIX_STREAMS)
        return freopen(path, mode, stream);
    if (!path)
        return stream;
    struct posix_rank *r = threads_master(posix_current());
    rank_fclose(stream);
    r->file[s] = fopen(path, mode);
    r->closed[s] = !r->file[s];
    if (s == POSIX_IN && reads(r) && r->file[s])
        return freopen(path, mode, stream);
    return r->file[s] ? stream : NULL;
}

static int rank_fileno(FILE *stream)
{
    int file = streams_file(stream);
    return file < 0 ? fileno(stream) : file;
}

/* ---- files by number ---- */

static bool is_standard(int file)
{
    return which_number(file) < POSIX_STREAMS;
}

static bool is_stream(int file)
{
    return file == STDOUT_FILENO || file == STDERR_FILENO;
}

ssize_t rank_write(int file, const void *bytes, size_t count)
{
    if (is_stream(file))
        return pass_on(threads_master(posix_current()), which_number(file), bytes, count);
    return write(file, bytes, count);
}

static ssize_t rank_writev(int file, const struct iovec *part, int parts)
{
    ssize_t written = 0;
    if (!is_stream(file))
        return writev(file, part, parts);
    for (int i = 0; i < parts; i++)
        written += rank_write(file, part[i].iov_base, part[i].iov_len);
    return written;
}

/* The file of a number, as the rank has it for input; -1: it is at its end. */
static int actual(int file)
{
    return file == STDIN_FILENO ? input_of(threads_master(posix_current())) : file;
}

static ssize_t rank_read(int file, void *to, size_t bytes)
{
    int from = actual(file);
    return from < 0 && file >= 0 ? 0 : read(from, to, bytes);
}

static ssize_t rank_readv(int file, const struct iovec *part, int parts)
{
    int from = actual(file);
    return from < 0 && file >= 0 ? 0 : readv(from, part, parts);
}

static int rank_close(int file)
{
    return is_standard(file) ? 0 : close(file);
}

/* Nobody sits before a rank, wherever the simulator was started. */
static int rank_isatty(int file)
{
    if (!is_standard(file))
        return isatty(file);
    errno = ENOTTY;
    return 0;
}

/* Wherever the simulator's output goes, a rank's is no file: Fortran's library would keep all of it
 * until the rank ends. */
static int rank_fstat(int file, struct stat *what)
{
    enum posix_stream s = which_number(file);
    int own = s < POSIX_STREAMS ? file_of(threads_master(posix_current()), s) : -1;
    int result = fstat(own < 0 ? file : own, what);
    if (result == 0 && is_stream(file) && own < 0) {
        what->st_mode = (what->st_mode & ~(mode_t)S_IFMT) | S_IFCHR;
        what->st_size = 0;
    }
    return result;
}

const struct posix_function streams_functions[] = {
    FUNCTION_AS("fflush fflush_unlocked", rank_fflush),
    FUNCTION(fcloseall),
    FUNCTION(fclose),
    FUNCTION_AS("freopen freopen64", rank_freopen),
    FUNCTION(fileno),
    FUNCTION(write),
    FUNCTION(writev),
    FUNCTION(read),
    FUNCTION(readv),
    FUNCTION(close),
    FUNCTION(isatty),
    FUNCTION_AS("fstat fstat64", rank_fstat), /* the same structure */
    {NULL, NULL},
};
