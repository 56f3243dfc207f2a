/* Bytes and records of a file. */
#define _GNU_SOURCE
#include "trace/dumpi/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Releases have SST's numbers by now; this one's form is that of 0.6.9. */
enum { MAJOR_MOST = 15, FUNCTIONS = 290, INDEX_MOST = 64, TYPES_MOST = 1 << 15 };

static const uint64_t magic = 0xffaadd44554d5049, footer_magic = 0xf007fee7;

void dumpi_file_refuse(struct dumpi_file *f, uint64_t byte, const char *format, ...)
{
    char what[256];
    va_list list;
    if (f->status != WEFT_OK)
        return;
    va_start(list, format);
    vsnprintf(what, sizeof(what), format, list);
    va_end(list);
    f->status = BAD_PLACE(("%s:byte %llu", f->path, (unsigned long long)byte), ("%s", what),
                          ("use a whole file that libdumpi has written"));
}

/* ---- bytes ---- */

static void seek(struct dumpi_file *f, uint64_t to)
{
    f->base = to;
    f->at = f->end = 0;
    if (fseeko(f->stream, (off_t)to, SEEK_SET) != 0)
        dumpi_file_refuse(f, to, "it cannot be read: %s", strerror(errno));
}

const unsigned char *dumpi_file_more(struct dumpi_file *f, size_t bytes)
{
    static const unsigned char zeros[8];
    size_t rest = f->end - f->at;
    uint64_t left = dumpi_file_left(f);
    if (f->status != WEFT_OK)
        return zeros;
    if (left < bytes) {
        dumpi_file_refuse(f, f->limit, "it ends within a record");
        return zeros;
    }
    memmove(f->buffer, f->buffer + f->at, rest);
    f->base += f->at;
    size_t room = left < DUMPI_BUFFER ? (size_t)left : DUMPI_BUFFER;
    f->at = 0;
    f->end = rest + fread(f->buffer + rest, 1, room - rest, f->stream);
    if (f->end < bytes) {
        dumpi_file_refuse(f, f->base + f->end, "it cannot be read: %s",
                          ferror(f->stream) ? strerror(errno) : "it has become shorter");
        return zeros;
    }
    f->at = bytes;
    return f->buffer;
}

void dumpi_file_skip(struct dumpi_file *f, uint64_t bytes)
{
    uint64_t to = dumpi_file_at(f) + bytes;
    if (bytes <= f->end - f->at)
        f->at += (size_t)bytes;
    else if (bytes > dumpi_file_left(f))
        dumpi_file_refuse(f, f->limit, "it ends within a record");
    else
        seek(f, to);
}

/* ---- records ---- */

/* Where records are; 0: there is none. */
struct dumpi_index {
    uint64_t start; /* of the index itself */
    uint64_t sizes, names, counters, header, body, footer, keys;
};

/* Older ones are shorter: they lack the first records. */
static void find_index(struct dumpi_file *f, struct dumpi_index *x)
{
    uint64_t *const where[] = {&x->sizes, &x->names,  &x->counters, &x->header,
                               &x->body,  &x->footer, &x->keys};
    for (unsigned lacking = 0; lacking <= 3 && f->status == WEFT_OK; lacking++) {
        uint64_t bytes = INDEX_MOST - 8 * lacking;
        if (f->size < 8 + bytes)
            break;
        seek(f, x->start = f->size - bytes);
        if (dumpi_file_u64(f) != magic)
            continue;
        for (unsigned i = lacking; i < 7; i++)
            *where[i] = dumpi_file_u64(f);
        return;
    }
    dumpi_file_refuse(f, f->size,
                      "it has no index at its end: it is cut off, or the program did "
                      "not come to MPI_Finalize()");
}

static void check_index(struct dumpi_file *f, const struct dumpi_index *x)
{
    const struct {
        const char *name;
        uint64_t at;
    } records[] = {{"calls", x->body},       {"header", x->header}, {"footer", x->footer},
                   {"datatypes", x->sizes},  {"names", x->names},   {"keys", x->keys},
                   {"counters", x->counters}};
    for (unsigned i = 0; i < sizeof(records) / sizeof(records[0]); i++)
        if ((i < 3 && records[i].at < 8) || records[i].at > x->start)
            dumpi_file_refuse(f, x->start, "its index has the %s at byte %llu, where none can be",
                              records[i].name, (unsigned long long)records[i].at);
}

/* Where the record at a byte must be over. */
static uint64_t end_of(const struct dumpi_index *x, uint64_t at)
{
    const uint64_t others[] = {x->sizes,  x->names, x->counters, x->header,
                               x->footer, x->keys,  x->body};
    uint64_t end = x->start;
    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (others[i] > at && others[i] < end)
            end = others[i];
    return end;
}

static void go_to(struct dumpi_file *f, const struct dumpi_index *x, uint64_t at)
{
    f->limit = end_of(x, at);
    if (f->status == WEFT_OK)
        seek(f, at);
}

static void read_version(struct dumpi_file *f)
{
    uint64_t at = dumpi_file_at(f);
    unsigned major = dumpi_file_u8(f), minor = dumpi_file_u8(f), patch = dumpi_file_u8(f);
    f->version = 10000 * major + 100 * minor + patch;
    if (f->status == WEFT_OK && (major > MAJOR_MOST || minor > 99 || patch > 99))
        f->status = BAD_PLACE(
            ("%s:byte %llu", f->path, (unsigned long long)at),
            ("it is of DUMPI's version %u.%u.%u, which is not known", major, minor, patch),
            ("use one up to %d, or the text of its dumpi2ascii", MAJOR_MOST));
}

/* Its footer counts calls of each function, and so tells how many functions there were. */
static void check_footer(struct dumpi_file *f)
{
    uint64_t at = dumpi_file_at(f);
    if (dumpi_file_u64(f) != footer_magic)
        dumpi_file_refuse(f, at, "its footer does not begin as one");
    else if (dumpi_file_left(f) < 2 * 4 * (FUNCTIONS + 1))
        dumpi_file_refuse(f, at, "its footer counts calls of fewer than %d functions", FUNCTIONS);
}

static void read_sizes(struct dumpi_file *f)
{
    uint64_t at = dumpi_file_at(f);
    uint32_t count = dumpi_file_u32(f);
    if (f->status != WEFT_OK)
        return;
    if (count > TYPES_MOST || 4 * (uint64_t)count > dumpi_file_left(f)) {
        dumpi_file_refuse(f, at, "sizes of %u datatypes do not fit into it", count);
        return;
    }
    f->type_sizes = count;
    f->type_size = memory_alloc(count + 1, sizeof(*f->type_size));
    for (uint32_t i = 0; i < count; i++)
        f->type_size[i] = (int32_t)dumpi_file_u32(f);
}

static void read_records(struct dumpi_file *f)
{
    struct dumpi_index x = {.start = 0};
    if (f->size < 8 || dumpi_file_u64(f) != magic)
        dumpi_file_refuse(f, 0, "its first bytes are not those of a DUMPI trace");
    find_index(f, &x);
    check_index(f, &x);
    go_to(f, &x, x.header);
    read_version(f);
    go_to(f, &x, x.footer);
    check_footer(f);
    if (x.sizes) {
        go_to(f, &x, x.sizes);
        read_sizes(f);
    }
    go_to(f, &x, x.body);
    f->cpu_s = (int32_t)dumpi_file_u32(f);
    f->wall_s = (int32_t)dumpi_file_u32(f);
}

weft_status dumpi_file_open(struct dumpi_file *f, const char *path)
{
    f->path = path;
    f->stream = fopen(path, "rb");
    if (!f->stream || fseeko(f->stream, 0, SEEK_END) != 0) {
        weft_status status =
            BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)), ("name a trace that can be read"));
        dumpi_file_close(f);
        return status;
    }
    setvbuf(f->stream, NULL, _IONBF, 0); /* it has a buffer of its own */
    off_t size = ftello(f->stream);
    f->status = WEFT_OK;
    f->type_size = NULL;
    f->type_sizes = 0;
    f->limit = f->size = size > 0 ? (uint64_t)size : 0;
    seek(f, 0);
    read_records(f);
    weft_status status = f->status;
    if (status != WEFT_OK)
        dumpi_file_close(f);
    return status;
}

void dumpi_file_close(struct dumpi_file *f)
{
    if (f->stream)
        fclose(f->stream);
    f->stream = NULL;
    free(f->type_size);
    f->type_size = NULL;
}
