/* Looking for a cycle. */
#include "fabric/waiting.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

size_t waiting_print(char *text, size_t size, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = at < size ? vsnprintf(text + at, size - at, format, args) : 0;
    va_end(args);
    return at + (size_t)(length > 0 ? length : 0);
}

/* A buffer on a cycle; `count`: there is none. */
static uint32_t find_cycle(const struct waiting *all, uint32_t count)
{
    uint32_t *walk = weft_alloc(count, sizeof(*walk)); /* in which a buffer was seen */
    uint32_t found = count;
    for (uint32_t start = 0; start < count && found == count; start++) {
        uint32_t at = start;
        while (!walk[at] && all[at].next) {
            walk[at] = start + 1;
            at = all[at].next - 1;
        }
        if (all[at].next && walk[at] == start + 1)
            found = at;
    }
    free(walk);
    return found;
}

bool waiting_cycle(const struct waiting *all, uint32_t count,
                   size_t (*name)(const void *, uint32_t, uint32_t, char *, size_t, size_t),
                   const void *ctx, char *text, size_t size)
{
    enum { SHOWN = 16 };
    uint32_t first = find_cycle(all, count), length = 0, at = first;
    if (first == count)
        return false;
    do {
        at = all[at].next - 1;
        length++;
    } while (at != first);
    size_t written = waiting_print(text, size, 0, "%u buffers wait for each other:\n", length);
    for (uint32_t i = 0; i < length && i < SHOWN; i++, at = all[at].next - 1)
        written = name(ctx, at, all[at].occupied, text, size, written);
    if (length > SHOWN)
        written = waiting_print(text, size, written, "  ... (%u more)\n", length - SHOWN);
    waiting_print(text, size, written, "  the first one again\n");
    return true;
}
