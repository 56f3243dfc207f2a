/* Lines of a file, one after the other. */
#include "trace/line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/list.h"
#include "base/memory.h"

/* The longest line: sizes for each of a million members. */
enum { PIECE = 1 << 16, LONGEST = 1 << 25 };

struct line_file {
    gzFile gz;
    char piece[PIECE];
    unsigned at, end;
    char *line;
    size_t room;
    uint32_t fields; /* that there is room for */
};

weft_status line_reader_open(struct line_reader *r, const char *path, const char *kind)
{
    gzFile gz = gzopen(path, "rb");
    if (!gz)
        return BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)), ("name %s", kind));
    *r = (struct line_reader){.path = path, .file = memory_alloc(1, sizeof(*r->file))};
    r->file->gz = gz;
    gzbuffer(gz, PIECE);
    return WEFT_OK;
}

void line_reader_close(struct line_reader *r)
{
    if (!r->file)
        return;
    gzclose(r->file->gz);
    free(r->file->line);
    free(r->file);
    free(r->field);
    free(r->column);
    *r = (struct line_reader){.path = NULL};
}

/* ---- bytes ---- */

static weft_status fill(struct line_reader *r)
{
    struct line_file *f = r->file;
    int got = gzread(f->gz, f->piece, PIECE), code;
    f->at = 0;
    f->end = got > 0 ? (unsigned)got : 0;
    const char *why = gzerror(f->gz, &code);
    if (got >= 0 && (code == Z_OK || code == Z_STREAM_END))
        return WEFT_OK;
    return BAD_PLACE(("%s", r->path),
                     ("it cannot be read: %s", code == Z_ERRNO ? strerror(errno) : why),
                     ("use a text file, or one packed by gzip"));
}

static weft_status add(struct line_reader *r, size_t *size, const char *from, size_t bytes)
{
    struct line_file *f = r->file;
    if (*size + bytes > LONGEST)
        return BAD_PLACE(("%s:%llu:1", r->path, (unsigned long long)r->line),
                         ("the line is longer than %d MiB", LONGEST >> 20), ("use a text file"));
    LIST_RESERVE(f->line, *size + bytes + 1, f->room);
    memcpy(f->line + *size, from, bytes);
    *size += bytes;
    return WEFT_OK;
}

/* Reads a line, without its end; *size SIZE_MAX: there is none. */
static weft_status read_line(struct line_reader *r, size_t *size)
{
    struct line_file *f = r->file;
    size_t length = 0;
    bool any = false;
    weft_status status = WEFT_OK;
    for (;;) {
        if (f->at == f->end) {
            status = fill(r);
            if (status != WEFT_OK || !f->end)
                break;
        }
        any = true;
        const char *from = f->piece + f->at, *end = memchr(from, '\n', f->end - f->at);
        size_t piece = end ? (size_t)(end - from) : f->end - f->at;
        f->at += (unsigned)piece + (end != NULL);
        status = add(r, &length, from, piece);
        if (status != WEFT_OK || end)
            break;
    }
    *size = any ? length : SIZE_MAX;
    return status;
}

/* ---- fields ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void add_field(struct line_reader *r, char *line, size_t at)
{
    struct line_file *f = r->file;
    if (r->count + 1 >= f->fields) {
        f->fields = f->fields ? 2 * f->fields : 16;
        r->field = memory_grow(r->field, f->fields, sizeof(*r->field));
        r->column = memory_grow(r->column, f->fields, sizeof(*r->column));
    }
    r->field[r->count] = line + at;
    r->column[r->count++] = (uint32_t)at + 1;
}

static weft_status cut(struct line_reader *r, size_t size)
{
    char *line = r->file->line;
    r->count = 0;
    for (size_t i = 0; i < size; i++) {
        if (is_blank(line[i])) {
            line[i] = '\0';
        } else if ((unsigned char)line[i] < ' ' || line[i] == 0x7f) {
            return BAD_PLACE(("%s:%llu:%zu", r->path, (unsigned long long)r->line, i + 1),
                             ("byte %u is no text", (unsigned char)line[i]), ("use a text file"));
        } else if (i == 0 || line[i - 1] == '\0') {
            if (r->count == 0 && line[i] == '#')
                return WEFT_OK;
            add_field(r, line, i);
        }
    }
    if (!r->count)
        return WEFT_OK;
    line[size] = '\0';
    r->column[r->count] = (uint32_t)size + 1;
    return WEFT_OK;
}

weft_status line_reader_next(struct line_reader *r)
{
    size_t size = 0;
    weft_status status = WEFT_OK;
    for (r->count = 0; status == WEFT_OK && !r->count;) {
        r->line++;
        status = read_line(r, &size);
        if (status != WEFT_OK || size == SIZE_MAX)
            return status;
        status = cut(r, size);
    }
    return status;
}
