/*
 * Formats of traces. Each has a folder with its readers and its row; formats.c lists the rows, and
 * nothing else knows what a file of a format looks like.
 */
#ifndef WEFT_TRACE_FORMAT_H
#define WEFT_TRACE_FORMAT_H

#include "trace/record.h"

/* A file whose format is to be found. */
enum { TRACE_FIRST_BYTES = 8 };
struct trace_file {
    const char *path;
    unsigned char first[TRACE_FIRST_BYTES];
    size_t size; /* how many of the first bytes there are */
    bool binary; /* they are neither text nor gzip's */
};

struct trace_format {
    const char *name;
    /* Whether the file is the one by which a trace of this format is named. */
    bool (*matches)(const struct trace_file *file);
    /* Refuses a file that belongs to such a trace when another one should be named, and says which.
     * NULL: a trace is one file. */
    weft_status (*refuse_file)(const struct trace_file *file);
    /* Reads a trace as calls of MPI. WEFT_BAD_INPUT: what is wrong, as "FILE:LINE:COLUMN: ..." or
     * "FILE:byte N: ...". NULL: it has none, and `pattern` replays it. */
    weft_status (*read)(const char *path, struct recording *to);
    const char *pattern;
    /* A hash of the bytes of all files of the trace. */
    uint64_t (*hash)(const char *path);
    /* The version of the library that the format is read with; it returns NULL in a build without
     * the library. NULL: no library is needed. */
    const char *(*reader_version)(void);
};

/* The one that matches a file comes first; ends with NULL. */
extern const struct trace_format *const trace_formats[];

struct trace_file trace_file_at(const char *path);

/* Reads a trace of MPI calls, whose format is found out. */
weft_status trace_read(const char *path, struct recording **recording);

/* The same when the format is known. */
weft_status trace_read_as(const struct trace_format *format, const char *path,
                          struct recording **recording);

/* A hash of the bytes of all files of a trace; 0: there is no such file. */
uint64_t trace_hash(const char *path);

/* Continues a hash with that of another file's bytes. */
uint64_t trace_hash_add(uint64_t hash, const char *path);

#endif
