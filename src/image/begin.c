/* Entering programs. */
#include "image/begin.h"

#include <string.h>

#include "image/thread.h"

/* jump.S */
_Noreturn void begin_jump(void *stack, const void *entry);

typedef void begin_function(int argc, char **argv, char **environment);

static void call(const unsigned char *at, const struct begin_words *w)
{
    begin_function *function;
    memcpy(&function, &at, sizeof(function));
    function(w->argc, w->argv, w->environment);
}

/* A function by its address in a table of the copy, where patches have put it. */
static const unsigned char *function_at(const struct image_object *o, const unsigned char *copy,
                                        const struct elf_table *t, uint64_t index)
{
    const unsigned char *function;
    memcpy(&function, copy + o->base + t->at + index * sizeof(function), sizeof(function));
    return function;
}

static void begin_object(const struct image_object *o, const unsigned char *copy,
                         const struct begin_words *w)
{
    if (o->elf.first_begin)
        call(copy + o->base + o->elf.first_begin, w);
    for (uint64_t i = 0; i < o->elf.begin.bytes / 8; i++)
        call(function_at(o, copy, &o->elf.begin, i), w);
}

static void end_object(const struct image_object *o, const unsigned char *copy)
{
    const struct begin_words none = {.argc = 0};
    for (uint64_t i = o->elf.end.bytes / 8; i--;)
        call(function_at(o, copy, &o->elf.end, i), &none);
    if (o->elf.last_end)
        call(copy + o->base + o->elf.last_end, &none);
}

static void set_thread_data(const struct image *image, unsigned char *copy)
{
    for (size_t i = 0; i < image->objects; i++) {
        const struct image_object *o = &image->object[i];
        if (o->elf.thread_data.bytes)
            memcpy(copy + o->thread_at, copy + o->base + o->elf.thread_data.at,
                   o->elf.thread_data.bytes);
    }
}

void begin_thread(const struct image *image, const unsigned char *copy)
{
    unsigned char *reserve = thread_reserve(image->fixed_bytes);
    memset(reserve, 0, image->fixed_bytes);
    for (size_t i = 0; i < image->objects; i++) {
        const struct image_object *o = &image->object[i];
        if (o->fixed && o->elf.thread_data.bytes)
            memcpy(reserve + (o->thread_at - image->fixed_at),
                   copy + o->base + o->elf.thread_data.at, o->elf.thread_data.bytes);
    }
}

void begin_main(const struct image *image, unsigned char *copy, const struct begin_words *w)
{
    begin_object(&image->object[0], copy, w);
}

void end_program(const struct image *image, unsigned char *copy)
{
    for (size_t i = 0; i < image->objects; i++)
        end_object(&image->object[i], copy);
}

/* What the system puts onto a stack is empty here: no arguments, no environment, nothing else. The
 * host's __libc_start_main() knows them. */
void begin_program(const struct image *image, unsigned char *copy, const struct begin_words *w)
{
    _Alignas(16) uintptr_t top[8] = {0};
    set_thread_data(image, copy);
    if (image->fixed_bytes)
        memcpy(thread_reserve(image->fixed_bytes), copy + image->fixed_at, image->fixed_bytes);
    for (size_t i = image->objects; i-- > 1;)
        begin_object(&image->object[i], copy, w);
    begin_jump(top, copy + image->object[0].base + image->object[0].elf.entry);
}
