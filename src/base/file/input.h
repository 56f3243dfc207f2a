/* Whole files as text, for readers that name line and column in their complaints. */
#ifndef WEFT_BASE_FILE_INPUT_H
#define WEFT_BASE_FILE_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/*
 * Reads a file of at most 64 MiB, or one packed by gzip that has at most 1 GiB unpacked; the caller
 * frees the text, which does not end with a NUL.
 * Complaints ask for a file of this `kind` ("graph file") or, if there is none at the path, for
 * what could be meant instead (`other`: "a graph as kautz:DEGREE:DIAMETER").
 */
weft_status input_read(const char *path, const char *kind, const char *other, char **text,
                       size_t *size);

/* Refuses a folder, which opens as a file does and cannot be read. */
weft_status input_no_folder(const char *path, const char *kind);

/* Refuses a folder, and a path that gives its text only once, as a pipe does, for a `kind` of file
 * that is read again and again. */
weft_status input_lasts(const char *path, const char *kind);

/* A hash of a file's bytes, or of the name of what is no file, such as a pipe; 0: there is none. */
uint64_t input_hash(const char *path);

#endif
