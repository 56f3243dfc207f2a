/* Zeroed memory, reserved or allocated, and what happens when there is none. */
#define _GNU_SOURCE
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/status.h"

/* With AddressSanitizer nothing behind a reserved block may be touched, as with allocated ones. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
enum { GUARD_BYTES = 4096 };
#define GUARD(block, bytes)   ASAN_POISON_MEMORY_REGION((char *)(block) + (bytes), GUARD_BYTES)
#define UNGUARD(block, bytes) ASAN_UNPOISON_MEMORY_REGION((char *)(block) + (bytes), GUARD_BYTES)
#else
enum { GUARD_BYTES = 0 };
#define GUARD(block, bytes)   (void)0
#define UNGUARD(block, bytes) (void)0
#endif

static _Noreturn void out_of_memory(size_t bytes)
{
    char text[32];
    BAD_INPUT(NULL, ("out of memory (%s requested)", memory_text(bytes, text)),
              ("use a smaller machine"));
    protected_call_abandon();
}

/* count x size; if that overflows, more than any computer has. */
static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        out_of_memory(SIZE_MAX);
    return bytes;
}

void *memory_alloc(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size ? size : 1);
    if (!block)
        out_of_memory(product(count, size));
    return block;
}

void *memory_alloc_lines(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    if (bytes > SIZE_MAX - 63) /* rounding up would wrap around to 0 */
        out_of_memory(bytes);
    bytes = (bytes + 63) / 64 * 64;
    void *block = aligned_alloc(64, bytes ? bytes : 64);
    if (!block)
        out_of_memory(bytes);
    return memset(block, 0, bytes);
}

void *memory_grow(void *block, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *grown = realloc(block, bytes ? bytes : 1);
    if (!grown)
        out_of_memory(bytes);
    return grown;
}

char *memory_copy(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(memory_alloc(size, 1), text, size);
}

void memory_free_list(void *first)
{
    for (void *next; first; first = next) {
        memcpy(&next, first, sizeof(next));
        free(first);
    }
}

void *memory_reserve(size_t bytes)
{
    void *block = mmap(NULL, (bytes ? bytes : 1) + GUARD_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        out_of_memory(bytes);
    GUARD(block, bytes);
    return block;
}

void *memory_extend(void *block, size_t bytes, size_t more_bytes)
{
    UNGUARD(block, bytes);
    void *larger = mremap(block, bytes + GUARD_BYTES, more_bytes + GUARD_BYTES, MREMAP_MAYMOVE);
    if (larger == MAP_FAILED)
        out_of_memory(more_bytes);
    GUARD(larger, more_bytes);
    return larger;
}

void memory_release(void *block, size_t bytes)
{
    if (!block)
        return;
    UNGUARD(block, bytes);
    munmap(block, (bytes ? bytes : 1) + GUARD_BYTES);
}

uint64_t memory_physical(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t memory_core_cache(void)
{
    long bytes = -1;
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return bytes > 0 ? (uint64_t)bytes : 1 << 20;
}

uint64_t memory_peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

const char *memory_text(uint64_t bytes, char buffer[32])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    unsigned unit = 0;
    while (value >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0])) {
        value /= 1024;
        unit++;
    }
    snprintf(buffer, 32, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return buffer;
}
