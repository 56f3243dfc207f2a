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

weft_status line_reader_open(struct line_reader *r, const char *path, const char *kind)
{
    gzFile file = gzopen(path, "rb");
    if (!file)
        return BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)), ("name %s", kind));
    *r = (struct line_reader){.path = path, .file = file};
    gzbuffer(file, PIECE);
    return WEFT_OK;
}

void line_reader_close(struct line_reader *r)
{
    if (!r->file)
        return;
    gzclose(r->file);
    free(r->text);
    free(r->field);
    free(r->column);
    *r = (struct line_reader){.path = NULL};
}

/* Reads a line, without its end; *size SIZE_MAX: there is none. */
static weft_status read_line(struct line_reader *r, size_t *size)
{
    size_t length = 0;
    z_off_t start = gztell(r->file);
    do {
        LIST_RESERVE(r->text, length + PIECE, r->room);
        if (!gzgets(r->file, r->text + length, PIECE))
            break;
        length = (size_t)(gztell(r->file) - start); /* it may have NULs */
        if (length > LONGEST)
            return BAD_PLACE(("%s:%llu:1", r->path, (unsigned long long)r->line),
                             ("the line is longer than %d MiB", LONGEST >> 20),
                             ("use a text file"));
    } while (r->text[length - 1] != '\n');
    int code;
    const char *why = gzerror(r->file, &code);
    if (code != Z_OK && code != Z_STREAM_END)
        return BAD_PLACE(("%s", r->path),
                         ("it cannot be read: %s", code == Z_ERRNO ? strerror(errno) : why),
                         ("use a text file, or one packed by gzip"));
    *size = !length ? SIZE_MAX : length - (r->text[length - 1] == '\n');
    return WEFT_OK;
}

/* ---- fields ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void add_field(struct line_reader *r, char *line, size_t at)
{
    if (r->count + 1 >= r->fields) {
        r->fields = r->fields ? 2 * r->fields : 16;
        r->field = memory_grow(r->field, r->fields, sizeof(*r->field));
        r->column = memory_grow(r->column, r->fields, sizeof(*r->column));
    }
    r->field[r->count] = line + at;
    r->column[r->count++] = (uint32_t)at + 1;
}

static weft_status cut(struct line_reader *r, size_t size)
{
    char *line = r->text;
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
    for (r->count = 0; !r->count;) {
        r->line++;
        TRY(read_line(r, &size));
        if (size == SIZE_MAX)
            return WEFT_OK;
        TRY(cut(r, size));
    }
    return WEFT_OK;
}
