/* Traces, from files and from text. */
#define _GNU_SOURCE
#include "trace/goal/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file/input.h"
#include "base/file/temporary.h"
#include "trace/format.h"
#include "trace/goal/check.h"
#include "trace/goal/text.h"

/* ---- files ---- */

static weft_status map_file(const char *path, int descriptor, struct goal *g)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0 || !about.st_size)
        return BAD_PLACE(("%s", path), ("is empty, or cannot be read"), ("name a trace in GOAL"));
    g->size = (size_t)about.st_size;
    void *map = mmap(NULL, g->size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (map == MAP_FAILED)
        return BAD_PLACE(("%s", path), ("cannot be mapped: %s", strerror(errno)),
                         ("name a trace in GOAL"));
    g->map = map;
    g->mapped = true;
    madvise(map, g->size, MADV_RANDOM); /* ranks are all over the file, and read little at a time */
    return WEFT_OK;
}

/* Where in the text the circle is, which is known by its operation only. */
static weft_status show_circle(const char *name, const struct goal_source *source,
                               const struct goal_circle *circle)
{
    struct goal_spot spot = {.rank = circle->rank, .op = circle->op};
    int again;
    TRY(temporary_open(&again));
    weft_status status = goal_compile(name, source, again, &spot);
    close(again);
    if (status != WEFT_OK)
        return status;
    return BAD_PLACE(("%s:%u:%u", name, spot.line, spot.column),
                     ("this operation waits for itself, through others"),
                     ("remove one of the `requires` of rank %u", circle->rank));
}

static weft_status open_compiled(const char *name, const struct goal_source *source,
                                 void (*rewind_source)(void *ctx), struct goal *g)
{
    struct goal_circle circle = {0, GOAL_NONE};
    int compiled;
    TRY(temporary_open(&compiled));
    weft_status status = goal_compile(name, source, compiled, NULL);
    if (status == WEFT_OK)
        status = map_file(name, compiled, g);
    close(compiled);
    if (status == WEFT_OK)
        status = goal_check(name, g, &circle);
    if (circle.op != GOAL_NONE) {
        rewind_source(source->ctx);
        status = show_circle(name, source, &circle);
    }
    if (status != WEFT_OK)
        goal_close(g);
    return status;
}

/* ---- text ---- */

static long read_packed(void *ctx, void *buffer, size_t size)
{
    return gzread(ctx, buffer, (unsigned)size);
}

static void rewind_packed(void *ctx)
{
    gzrewind(ctx);
}

static weft_status open_text(const char *path, struct goal *g)
{
    gzFile file = gzopen(path, "rb");
    if (!file)
        return BAD_PLACE(("%s", path), ("%s", strerror(errno)), ("name a trace in GOAL"));
    gzbuffer(file, 1 << 18);
    weft_status status =
        open_compiled(path, &(struct goal_source){file, read_packed}, rewind_packed, g);
    gzclose(file);
    return status;
}

/* Text in memory. */
struct text {
    const char *text;
    size_t size, at;
};

static long read_memory(void *ctx, void *buffer, size_t size)
{
    struct text *t = ctx;
    size_t left = t->size - t->at, piece = size < left ? size : left;
    memcpy(buffer, t->text + t->at, piece);
    t->at += piece;
    return (long)piece;
}

static void rewind_memory(void *ctx)
{
    ((struct text *)ctx)->at = 0;
}

weft_status goal_open_text(const char *name, const void *text, size_t size, struct goal *g)
{
    struct text t = {text, size, 0};
    *g = (struct goal){0};
    return open_compiled(name, &(struct goal_source){&t, read_memory}, rewind_memory, g);
}

/* ---- either ---- */

weft_status goal_open_bytes(const char *name, const void *bytes, size_t size, struct goal *g)
{
    struct goal_circle circle;
    *g = (struct goal){.map = bytes, .size = size};
    return goal_check(name, g, &circle);
}

static bool begins_binary(const unsigned char *bytes, size_t size)
{
    return size >= GOAL_BASE && goal_read_u64(bytes) == GOAL_MAGIC;
}

/* -1: there is no such file, or it cannot be read. */
static int is_binary(const char *path)
{
    unsigned char magic[GOAL_BASE] = {0};
    FILE *f = fopen(path, "rb");
    if (!f)
        return -1;
    size_t got = fread(magic, 1, sizeof(magic), f);
    bool failed = ferror(f);
    fclose(f);
    if (failed) {
        errno = EISDIR;
        return -1;
    }
    return begins_binary(magic, got);
}

bool goal_is_binary(const char *path)
{
    return is_binary(path) > 0;
}

static weft_status open_binary(const char *path, struct goal *g)
{
    struct goal_circle circle;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return BAD_PLACE(("%s", path), ("%s", strerror(errno)), ("name a trace in GOAL"));
    weft_status status = map_file(path, descriptor, g);
    close(descriptor);
    if (status == WEFT_OK)
        status = goal_check(path, g, &circle);
    if (status != WEFT_OK)
        goal_close(g);
    return status;
}

weft_status goal_open(const char *path, struct goal *g)
{
    int binary = is_binary(path);
    *g = (struct goal){0};
    if (binary < 0)
        return BAD_PLACE(("%s", path), ("%s", strerror(errno)), ("name a trace in GOAL"));
    return binary ? open_binary(path, g) : open_text(path, g);
}

static bool matches(const struct trace_file *file)
{
    return begins_binary(file->first, file->size);
}

const struct trace_format goal_format = {
    .name = "GOAL", .matches = matches, .pattern = "goal", .hash = input_hash};
