/*
 * Why a network stands still: buffers whose packets wait for room in other buffers. Following each
 * to the next, a cycle is what nobody can leave.
 */
#ifndef WEFT_FABRIC_WAITING_H
#define WEFT_FABRIC_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct waiting {
    uint32_t next;     /* 1 + number of the buffer that its head waits for; 0: none */
    uint32_t occupied; /* in the fabric's units */
};

/* Appends to `text` from letter `at` on; how long it would be. */
size_t waiting_print(char *text, size_t size, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes down the first cycle, by name() a line a buffer; false: there is none. */
bool waiting_cycle(const struct waiting *all, uint32_t count,
                   size_t (*name)(const void *ctx, uint32_t buffer, uint32_t occupied, char *text,
                                  size_t size, size_t at),
                   const void *ctx, char *text, size_t size);

#endif
