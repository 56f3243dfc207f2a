/*
 * Memory for flat state.
 *
 * weft_reserve() takes zeroed address space; the system commits only the pages that are touched, so
 * a table can be sized for its worst case and cost only what is used. It is released as a whole.
 * For small things at setup, use weft_alloc(), which is zeroed too; weft_alloc_lines() starts on a
 * cache line, for what several threads write side by side.
 *
 * None of them returns NULL: without memory, the work is given up (attempt.h).
 */
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *weft_alloc(size_t count, size_t size);
void *weft_alloc_lines(size_t count, size_t size);
void *weft_grow(void *block, size_t count, size_t size);
void *weft_reserve(size_t bytes);
void weft_release(void *block, size_t bytes);

/* A copy of a text. */
char *weft_copy(const char *text);

/* Enlarges a reserved block, which may move. */
void *weft_extend(void *block, size_t bytes, size_t more_bytes);

/* Memory of this computer in bytes. */
uint64_t weft_physical_memory(void);

/* The cache that a core has to itself, in bytes; a likely size if unknown. */
uint64_t weft_core_cache(void);

/* Largest resident set of this process so far, in bytes. */
uint64_t weft_peak_rss(void);

/* "1.5 GiB"; the text lives in `buffer`. */
const char *weft_bytes_text(uint64_t bytes, char buffer[32]);

#endif
