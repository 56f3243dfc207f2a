/*
 * Files that are written atomically: beside their place, then renamed.
 *
 *   output_open(&f, path)     fails at once if the place cannot be written
 *   output_write(&f, ...)     as often as needed; a failure is kept for the end
 *   output_commit(&f)         or output_abandon(&f), which leaves no trace
 *
 * The same for long texts, through a buffer:
 *
 *   writer_open(&w, path)
 *   writer_put(w, "%u,%u\n", x, y)
 *   writer_close(w)           also ends `w`
 */
#ifndef WEFT_BASE_FILE_OUTPUT_H
#define WEFT_BASE_FILE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* The suffix of a file that output_open_again() is writing. */
#define OUTPUT_PART ".part"

struct output_file {
    char path[4096], temporary[4112];
    int descriptor;
    int error;   /* errno of the first failed write; 0: none failed */
    bool direct; /* a device, a pipe or standard output: written directly */
};

weft_status output_open(struct output_file *file, const char *path);

/* From now on "-" is a name of standard output, which has nothing else: what is printed there later
 * goes to standard error. */
weft_status output_take_standard(void);

/* Whether a file can be written, before hours are spent on what goes into it. Nothing stays open: a
 * run that is killed leaves nothing beside it. */
weft_status output_try(const char *path);

/* The same for a file that is written again and again: if a kill leaves PATH.part behind, the next
 * write reuses it. If two write at once, one waits. */
weft_status output_open_again(struct output_file *file, const char *path);

/* Removes what a kill left beside a file of output_open_again(), unless it is being written. */
void output_clean(const char *path);

void output_write(struct output_file *file, const void *bytes, size_t size);
weft_status output_commit(struct output_file *file);
void output_abandon(struct output_file *file);

/* Whether two names are of one file, which exists or not; a device or a pipe is none. */
bool output_is_same(const char *a, const char *b);

/* Writes a text and commits. */
weft_status output_commit_text(struct output_file *file, const char *text);

/* A whole file of what a function prints. For long ones, use a writer. */
weft_status output_whole(const char *path, void (*print)(FILE *out, const void *what),
                         const void *what);

enum { WRITER_PIECE = 1024 }; /* the longest text that is put at once, with its end */

/* Text on its way to a file. */
struct writer;

weft_status writer_open(struct writer **writer, const char *path);
void writer_put(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
weft_status writer_close(struct writer *w);

/* Opens a temporary file to be read and written, in the folder $TMPDIR, or else /tmp. It has no
 * name, so that nothing is left of it when the program ends. WEFT_FAILED: there is no place for it.
 */
weft_status temporary_open(int *file);

/* WEFT_FAILED, with what to do: such a file could not be written or read, for this errno. */
weft_status temporary_failed(int error);

#endif
