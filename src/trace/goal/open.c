/* Traces, from files and from text, and as they lie in memory. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/input.h"
#include "base/file/output.h"
#include "trace/format.h"
#include "trace/goal/compile.h"

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
static weft_status show_circle(const char *name, gzFile text, struct goal_spot *circle)
{
    int again;
    TRY(temporary_open(&again));
    gzrewind(text);
    weft_status status = goal_compile(name, text, again, circle);
    close(again);
    if (status != WEFT_OK)
        return status;
    return BAD_PLACE(("%s:%u:%u", name, circle->from.line, circle->from.column),
                     ("this operation waits for itself, through others"),
                     ("remove one of the `requires` of rank %u", circle->rank));
}

/* Maps what a descriptor has, and checks it. */
static weft_status open_mapped(const char *name, int descriptor, struct goal *g,
                               struct goal_spot *circle)
{
    weft_status status = map_file(name, descriptor, g);
    if (status == WEFT_OK)
        status = goal_check(name, g, circle);
    if (status != WEFT_OK)
        goal_close(g);
    return status;
}

/* ---- text ---- */

static weft_status open_text(const char *name, gzFile text, struct goal *g)
{
    if (!text)
        return BAD_PLACE(("%s", name), ("%s", strerror(errno)), ("name a trace in GOAL"));
    struct goal_spot circle = {.op = GOAL_NONE};
    int compiled;
    gzbuffer(text, 1 << 18);
    weft_status status = temporary_open(&compiled);
    if (status == WEFT_OK) {
        status = goal_compile(name, text, compiled, NULL);
        if (status == WEFT_OK)
            status = open_mapped(name, compiled, g, &circle);
        close(compiled);
    }
    if (circle.op != GOAL_NONE)
        status = show_circle(name, text, &circle);
    gzclose(text);
    return status;
}

weft_status goal_open_text(const char *name, const void *text, size_t size, struct goal *g)
{
    int file;
    *g = (struct goal){0};
    TRY(temporary_open(&file));
    struct output_file copy = {.descriptor = file};
    output_write(&copy, text, size);
    if (!copy.error && lseek(file, 0, SEEK_SET) != 0)
        copy.error = errno;
    if (copy.error) {
        close(file);
        return temporary_failed(copy.error);
    }
    return open_text(name, gzdopen(file, "rb"), g);
}

/* ---- either ---- */

weft_status goal_open_bytes(const char *name, const void *bytes, size_t size, struct goal *g)
{
    struct goal_spot circle;
    *g = (struct goal){.map = bytes, .size = size};
    return goal_check(name, g, &circle);
}

static bool matches(const struct trace_file *file)
{
    return file->size >= GOAL_BASE && goal_read_u64(file->first) == GOAL_MAGIC;
}

bool goal_is_binary(const char *path)
{
    struct trace_file file = trace_file_at(path);
    return matches(&file);
}

weft_status goal_open(const char *path, struct goal *g)
{
    struct goal_spot circle;
    *g = (struct goal){0};
    TRY(input_lasts(path, "trace in GOAL"));
    if (!goal_is_binary(path))
        return open_text(path, gzopen(path, "rb"), g);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return BAD_PLACE(("%s", path), ("%s", strerror(errno)), ("name a trace in GOAL"));
    weft_status status = open_mapped(path, descriptor, g, &circle);
    close(descriptor);
    return status;
}

const struct trace_format goal_format = {
    .name = "GOAL", .matches = matches, .pattern = "goal", .hash = input_hash};

/* ---- what lies where ---- */

struct goal_rank goal_rank(const struct goal *g, uint32_t rank)
{
    uint64_t start = goal_read_u64(g->map + GOAL_TABLE + (size_t)rank * GOAL_TABLE_ENTRY);
    const unsigned char *at = g->map + GOAL_BASE + start;
    struct goal_rank r = {.op_count = goal_read_u32(at), .root_count = goal_read_u32(at + 4)};
    r.roots = at + GOAL_RANK_HEAD;
    r.ops = r.roots + 4 * (size_t)r.root_count;
    r.lists = r.ops + (size_t)r.op_count * GOAL_OP_BYTES;
    return r;
}

static struct goal_list list_at(const struct goal_rank *r, const unsigned char *at)
{
    return (struct goal_list){r->lists + 4 * (size_t)goal_read_u32(at + 4), goal_read_u32(at)};
}

void goal_node(const struct goal_rank *r, uint32_t op, struct goal_node *node)
{
    const unsigned char *at = r->ops + (size_t)op * GOAL_OP_BYTES;
    *node = (struct goal_node){.needs = goal_read_u32(at),
                               .op = {.kind = at[4],
                                      .peer = goal_read_u32(at + 5),
                                      .size = goal_read_u64(at + 9),
                                      .tag = goal_read_u32(at + 17),
                                      .cpu = at[21],
                                      .nic = at[22]},
                               .after = list_at(r, at + 23),
                               .with = list_at(r, at + 31)};
}

void goal_forget(const struct goal *g)
{
    if (g->mapped)
        madvise((void *)(uintptr_t)g->map, g->size, MADV_DONTNEED);
}

void goal_close(struct goal *g)
{
    if (g->mapped)
        munmap((void *)(uintptr_t)g->map, g->size);
    *g = (struct goal){0};
}
