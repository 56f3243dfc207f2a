/* Lines of a file, one after the other. */
#include "trace/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

/* The longest line: sizes for each of a million members. */
enum { PIECE = 1 << 16, LONGEST = 1 << 25 };

struct words_file {
    gzFile gz;
    char piece[PIECE];
    unsigned at, end;
    char *line;
    size_t room;
    uint32_t words; /* that there is room for */
};

weft_status words_open(struct trace_words *w, const char *path, const char *kind)
{
    gzFile gz = gzopen(path, "rb");
    if (!gz)
        return BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)), ("name %s", kind));
    *w = (struct trace_words){.path = path, .file = memory_alloc(1, sizeof(*w->file))};
    w->file->gz = gz;
    gzbuffer(gz, PIECE);
    return WEFT_OK;
}

void words_close(struct trace_words *w)
{
    if (!w->file)
        return;
    gzclose(w->file->gz);
    free(w->file->line);
    free(w->file);
    free(w->word);
    free(w->column);
    *w = (struct trace_words){.path = NULL};
}

/* ---- bytes ---- */

static weft_status fill(struct trace_words *w)
{
    struct words_file *f = w->file;
    int got = gzread(f->gz, f->piece, PIECE), code;
    f->at = 0;
    f->end = got > 0 ? (unsigned)got : 0;
    const char *why = gzerror(f->gz, &code);
    if (got >= 0 && (code == Z_OK || code == Z_STREAM_END))
        return WEFT_OK;
    return BAD_PLACE(("%s", w->path),
                     ("it cannot be read: %s", code == Z_ERRNO ? strerror(errno) : why),
                     ("use a text file, or one packed by gzip"));
}

static weft_status add(struct trace_words *w, size_t *size, const char *from, size_t bytes)
{
    struct words_file *f = w->file;
    if (*size + bytes > LONGEST)
        return BAD_PLACE(("%s:%llu:1", w->path, (unsigned long long)w->line),
                         ("the line is longer than %d MiB", LONGEST >> 20), ("use a text file"));
    if (*size + bytes + 1 > f->room) {
        f->room = 2 * (*size + bytes + 1);
        f->line = memory_grow(f->line, f->room, 1);
    }
    memcpy(f->line + *size, from, bytes);
    *size += bytes;
    return WEFT_OK;
}

/* Reads a line, without its end; *size SIZE_MAX: there is none. */
static weft_status read_line(struct trace_words *w, size_t *size)
{
    struct words_file *f = w->file;
    size_t length = 0;
    bool any = false;
    weft_status status = WEFT_OK;
    for (;;) {
        if (f->at == f->end) {
            status = fill(w);
            if (status != WEFT_OK || !f->end)
                break;
        }
        any = true;
        const char *from = f->piece + f->at, *end = memchr(from, '\n', f->end - f->at);
        size_t piece = end ? (size_t)(end - from) : f->end - f->at;
        f->at += (unsigned)piece + (end != NULL);
        status = add(w, &length, from, piece);
        if (status != WEFT_OK || end)
            break;
    }
    *size = any ? length : SIZE_MAX;
    return status;
}

/* ---- words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void add_word(struct trace_words *w, char *line, size_t at)
{
    struct words_file *f = w->file;
    if (w->count + 1 >= f->words) {
        f->words = f->words ? 2 * f->words : 16;
        w->word = memory_grow(w->word, f->words, sizeof(*w->word));
        w->column = memory_grow(w->column, f->words, sizeof(*w->column));
    }
    w->word[w->count] = line + at;
    w->column[w->count++] = (uint32_t)at + 1;
}

static weft_status cut(struct trace_words *w, size_t size)
{
    char *line = w->file->line;
    w->count = 0;
    for (size_t i = 0; i < size; i++) {
        if (is_blank(line[i])) {
            line[i] = '\0';
        } else if ((unsigned char)line[i] < ' ' || line[i] == 0x7f) {
            return BAD_PLACE(("%s:%llu:%zu", w->path, (unsigned long long)w->line, i + 1),
                             ("byte %u is no text", (unsigned char)line[i]), ("use a text file"));
        } else if (i == 0 || line[i - 1] == '\0') {
            if (w->count == 0 && line[i] == '#')
                return WEFT_OK;
            add_word(w, line, i);
        }
    }
    if (!w->count)
        return WEFT_OK;
    line[size] = '\0';
    w->column[w->count] = (uint32_t)size + 1;
    return WEFT_OK;
}

weft_status words_next(struct trace_words *w)
{
    size_t size = 0;
    weft_status status = WEFT_OK;
    for (w->count = 0; status == WEFT_OK && !w->count;) {
        w->line++;
        status = read_line(w, &size);
        if (status != WEFT_OK || size == SIZE_MAX)
            return status;
        status = cut(w, size);
    }
    return status;
}
