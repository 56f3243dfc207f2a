/*
 * Memory for flat state.
 *
 * memory_reserve() takes zeroed address space; the system commits only the pages that are touched,
 * so a table can be sized for its worst case and cost only what is used. It is released as a whole.
 * For small things at setup, use memory_alloc(), which is zeroed too; memory_alloc_lines() starts
 * on a cache line, for what several threads write side by side.
 *
 * None of them returns NULL: without memory, the work is given up (status.h).
 */
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *memory_alloc(size_t count, size_t size);
void *memory_alloc_lines(size_t count, size_t size);
void *memory_grow(void *block, size_t count, size_t size);
void *memory_reserve(size_t bytes);
void memory_release(void *block, size_t bytes);

/* A copy of a text. */
char *memory_copy(const char *text);

/* Frees a list whose items each begin with the pointer to the next one. */
void memory_free_list(void *first);

/* Enlarges a reserved block, which may move. */
void *memory_extend(void *block, size_t bytes, size_t more_bytes);

/* Memory of this computer in bytes. */
uint64_t memory_physical(void);

/* The cache that a core has to itself, in bytes; a likely size if unknown. */
uint64_t memory_core_cache(void);

/* Largest resident set of this process so far, in bytes. */
uint64_t memory_peak(void);

/* "1.5 GiB"; the text lives in `buffer`. */
const char *memory_text(uint64_t bytes, char buffer[32]);

#endif
