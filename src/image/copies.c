/* Mapping copies of an image, within the system's limits; entering programs in them. */
#define _GNU_SOURCE
#include "image/image.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fiber.h"
#include "image/thread.h"

enum {
    MAPPINGS_USUAL = 65530, /* vm.max_map_count, unless the system says otherwise */
    MAPPINGS_SPARE = 1500,  /* for what the simulator and the programs map later */
};

/* ---- limits ---- */

static size_t read_number(const char *path, size_t usual)
{
    size_t number = usual;
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%zu", &number) != 1)
        number = usual;
    if (f)
        fclose(f);
    return number;
}

static size_t mappings_used(void)
{
    size_t lines = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    for (int c; f && (c = getc(f)) != EOF;)
        lines += c == '\n';
    if (f)
        fclose(f);
    return lines;
}

/* ---- one copy ---- */

static weft_status no_room(const char *what)
{
    return RUN_FAILED(("no room for %s: %s", what, strerror(errno)), ("use fewer ranks"));
}

static bool map_at(const struct image *image, unsigned char *copy, uint64_t at, uint64_t bytes,
                   int protection)
{
    void *to = copy + at;
    return mmap(to, bytes, protection, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, image->file,
                (off_t)at) == to;
}

static bool map_copy(const struct copies *c, unsigned char *copy)
{
    const struct image *image = c->image;
    if (!c->protected)
        return map_at(image, copy, 0, image->bytes, PROT_READ | PROT_WRITE | PROT_EXEC);
    uint64_t before = image->segment[0].at / image->page * image->page;
    if (before && !map_at(image, copy, 0, before, PROT_READ | PROT_WRITE))
        return false;
    for (size_t i = 0; i < image->segments; i++) {
        const struct image_segment *s = &image->segment[i];
        uint64_t first = s->at / image->page * image->page;
        uint64_t end = round_up(s->at + s->bytes, image->page);
        if (!map_at(image, copy, first, end - first, s->protection))
            return false;
    }
    return true;
}

/* Into memory that all of the last copies have in common. */
static void write_copy(const struct image *image, unsigned char *copy)
{
    memcpy(copy, image->template, image->segment[0].at);
    for (size_t i = 0; i < image->segments; i++) {
        const struct image_segment *s = &image->segment[i];
        memcpy(copy + s->at, image->template + s->at, s->file_bytes);
    }
    for (size_t i = 0; i < image->copied; i++)
        memcpy(copy + image->copy[i].at, image->template + image->copy[i].at, image->copy[i].bytes);
    __builtin___clear_cache((char *)copy, (char *)copy + image->bytes);
}

/* Runs the functions that choose others, in the first copy: what they say holds for all. */
static void choose(struct image *image, unsigned char *copy)
{
    size_t choices = image->choice.count;
    image->choice.count = 0;
    for (size_t i = 0; i < choices; i++) {
        uint64_t (*function)(void);
        struct patch p = image->choice.item[i];
        const unsigned char *entry = copy + p.value;
        memcpy(&function, &entry, sizeof(function));
        uint64_t address = function(), offset = address - (uint64_t)(uintptr_t)copy;
        if (offset < image->bytes)
            patch_add(&image->patch, p.at, offset);
        else
            memcpy(image->template + p.at, &address, sizeof(address));
        memcpy(copy + p.at, &address, sizeof(address));
    }
}

/* ---- all copies ---- */

/* Addresses that nobody else gets; what lies between copies stays unusable. */
static weft_status find_room(struct copies *c)
{
    size_t bytes = c->stride * c->count;
    void *at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return no_room("so many copies of the program");
    c->first = at;
    return WEFT_OK;
}

static weft_status make_shared(const struct copies *c)
{
    unsigned char *first = copy_at(c, c->shared);
    size_t bytes = c->stride * (c->count - c->shared);
    void *at = mmap(first, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (at != first)
        return no_room("copies of the program");
    madvise(at, bytes, MADV_NOHUGEPAGE); /* or each touch commits 2 MiB */
    return WEFT_OK;
}

static weft_status make_copy(struct image *image, const struct copies *c, uint32_t rank)
{
    unsigned char *copy = copy_at(c, rank);
    if (rank >= c->shared)
        write_copy(image, copy);
    else if (!map_copy(c, copy))
        return no_room("a copy of the program");
    for (size_t i = 0; i < image->patch.count; i++) {
        uint64_t word = (uint64_t)(uintptr_t)copy + image->patch.item[i].value;
        memcpy(copy + image->patch.item[i].at, &word, sizeof(word));
    }
    if (rank == 0)
        choose(image, copy);
    return WEFT_OK;
}

weft_status copies_create(struct image *image, uint32_t count, struct copies *c)
{
    size_t most = read_number("/proc/sys/vm/max_map_count", MAPPINGS_USUAL);
    size_t used = mappings_used() + MAPPINGS_SPARE, left = most > used ? most - used : 0;
    size_t each = image->segments + 1; /* and what is before the first */
    *c = (struct copies){.image = image, .count = count, .stride = image->bytes};
    c->protected =
        count <= COPIES_PROTECTED && count * 2 * each <= left; /* and gaps between them */
    c->stride += c->protected ? image->page : 0;
    c->shared = count <= left ? count : (uint32_t)left;
    weft_status status = find_room(c);
    if (status == WEFT_OK && c->shared < count)
        status = make_shared(c);
    for (uint32_t rank = 0; rank < count && status == WEFT_OK; rank++)
        status = make_copy(image, c, rank);
    if (status != WEFT_OK)
        copies_destroy(c);
    return status;
}

void copies_destroy(struct copies *c)
{
    if (c->first)
        munmap(c->first, c->stride * c->count);
    *c = (struct copies){.first = NULL};
}

bool copies_find(const struct copies *c, const void *address, uint32_t *rank)
{
    size_t offset = (size_t)((const unsigned char *)address - c->first);
    if (!c->first || offset >= c->stride * c->count || offset % c->stride >= c->image->bytes)
        return false;
    *rank = (uint32_t)(offset / c->stride);
    return true;
}

/* ---- a rank's life in its copy ---- */

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

void begin_thread(const struct image *image, const unsigned char *copy)
{
    unsigned char *reserve = thread_reserve(image->fixed_bytes);
    memset(reserve, 0, image->fixed_bytes);
    for (size_t i = 0; i < image->objects; i++) {
        const struct image_object *o = &image->object[i];
        if (o->fixed && o->elf.thread_data.bytes)
            memcpy(reserve + o->thread_at, copy + o->base + o->elf.thread_data.at,
                   o->elf.thread_data.bytes);
    }
}

void begin_main(const struct image *image, unsigned char *copy, const struct begin_words *w)
{
    begin_object(&image->object[0], copy, w);
}

void end_program(const struct image *image, unsigned char *copy)
{
    const struct begin_words none = {.argc = 0};
    for (const struct image_object *o = image->object; o < image->object + image->objects; o++) {
        for (uint64_t i = o->elf.end.bytes / 8; i--;)
            call(function_at(o, copy, &o->elf.end, i), &none);
        if (o->elf.last_end)
            call(copy + o->base + o->elf.last_end, &none);
    }
}

/* What the system puts onto a stack is empty here: no arguments, no environment, nothing else. The
 * host's __libc_start_main() knows them. */
void begin_program(const struct image *image, unsigned char *copy, const struct begin_words *w)
{
    _Alignas(16) uintptr_t top[8] = {0};
    for (const struct image_object *o = image->object; o < image->object + image->objects; o++)
        if (o->elf.thread_data.bytes)
            memcpy(copy + o->thread_at, copy + o->base + o->elf.thread_data.at,
                   o->elf.thread_data.bytes);
    if (image->fixed_bytes)
        memcpy(thread_reserve(image->fixed_bytes), copy, image->fixed_bytes);
    for (size_t i = 0; i < image->objects; i++)
        if (image->object[i].elf.code_on_stack)
            fibers_allow_code();
    for (size_t i = image->objects; i-- > 1;)
        begin_object(&image->object[i], copy, w);
    begin_jump(top, copy + image->object[0].base + image->object[0].elf.entry);
}
