/* Places beside the thread's pointer. */
#define _GNU_SOURCE
#include "image/thread.h"

#include <link.h>

/* reserve.S, if the program has it; resolve.S */
extern _Thread_local unsigned char thread_room[] __attribute__((weak));
extern const char thread_has_room __attribute__((weak));
void thread_resolve_fixed(void);
void thread_resolve_image(void);

enum { ROOM = 16384, HEAD = 16 }; /* HEAD: bytes at aarch64's pointer, which are the system's */

static unsigned char *pointer(void)
{
    return __builtin_thread_pointer();
}

#if defined(__x86_64__)

enum { ALIGNMENT = 64 }; /* of the end, which is the thread's pointer */

int64_t thread_add(struct thread_layout *l, uint64_t bytes, uint64_t alignment)
{
    l->bytes = round_up(l->bytes + bytes, alignment);
    return -(int64_t)l->bytes;
}

uint64_t thread_offset(const struct thread_layout *l, int64_t place)
{
    return (uint64_t)((int64_t)thread_span(l) + place);
}

void *thread_reserve(uint64_t bytes)
{
    return pointer() - bytes;
}

/* Whether nothing is between the reserve and the pointer but what aligns it. */
static bool is_beside(const unsigned char *room, const unsigned char *data, uint64_t bytes)
{
    return data && room + ROOM == data + bytes;
}

#else

enum { ALIGNMENT = HEAD };

int64_t thread_add(struct thread_layout *l, uint64_t bytes, uint64_t alignment)
{
    uint64_t place = round_up(HEAD + l->bytes, alignment);
    l->bytes = place + bytes - HEAD;
    return (int64_t)place;
}

uint64_t thread_offset(const struct thread_layout *l, int64_t place)
{
    (void)l;
    return (uint64_t)place - HEAD;
}

void *thread_reserve(uint64_t bytes)
{
    (void)bytes;
    return pointer() + HEAD;
}

static bool is_beside(const unsigned char *room, const unsigned char *data, uint64_t bytes)
{
    (void)bytes;
    return room == data;
}

#endif

uint64_t thread_span(const struct thread_layout *l)
{
    return round_up(l->bytes, ALIGNMENT);
}

/* The first object is the program itself. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
    uint64_t bytes = 0;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            bytes = info->dlpi_phdr[i].p_memsz;
    *(bool *)arg = bytes && is_beside(thread_room, info->dlpi_tls_data, bytes);
    return 1;
}

uint64_t thread_most(void)
{
    bool beside = false;
    if (&thread_has_room)
        dl_iterate_phdr(look, &beside);
    return beside ? ROOM : 0;
}

void *thread_address(const struct thread_index *index)
{
    bool fixed = index->module + ROOM + HEAD <= 2 * (ROOM + HEAD);
    uint64_t module = index->module + (fixed ? (uint64_t)(uintptr_t)pointer() : 0);
    return (void *)(uintptr_t)(module + index->offset);
}

uint64_t thread_resolver(bool fixed)
{
    return (uint64_t)(uintptr_t)(fixed ? thread_resolve_fixed : thread_resolve_image);
}
