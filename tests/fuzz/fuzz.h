/* What the fuzz targets share. All are in one program, which libFuzzer drives; main.c has a row for
 * each. */
#ifndef WEFT_TESTS_FUZZ_H
#define WEFT_TESTS_FUZZ_H

#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The targets: each takes any bytes. */
#define FUZZ_TARGETS(X)                                                                            \
    X(checkpoint)                                                                                  \
    X(dumpi) X(dumpi_binary) X(elf) X(expression) X(goal) X(goal_binary) X(graph) X(mapping)       \
        X(nodes) X(otf2) X(override) X(pairs) X(parts) X(rates) X(study) X(swf) X(ti) X(timetable) \
            X(view) X(yaml)

#define FUZZ_DECLARE(NAME) int fuzz_##NAME(const uint8_t *data, size_t size);
FUZZ_TARGETS(FUZZ_DECLARE)

/* The input as a string; the caller frees it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* The input as a file, by its path. One at a time; it goes with the descriptor. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[32])
{
    int descriptor = memfd_create("fuzz", 0);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size)
        abort();
    snprintf(path, 32, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

#endif
