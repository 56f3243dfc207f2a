/* Pieces of whole lines. */
#include "base/file/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file/input.h"
#include "base/memory.h"

enum { PIECE = 1 << 18, LINE_MOST = 1 << 16, UNPACK_AHEAD = 1 << 17 };

weft_status stream_open(struct stream *s, const char *path, const char *kind, const char *form)
{
    TRY(input_no_folder(path, kind));
    gzFile file = gzopen(path, "rb");
    if (!file)
        return BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)), ("name a %s", kind));
    gzbuffer(file, UNPACK_AHEAD);
    *s = (struct stream){.path = path, .file = file, .text = memory_alloc(PIECE, 1)};
    s->lines = lines_of(path, s->text, 0, form);
    return WEFT_OK;
}

void stream_close(struct stream *s)
{
    if (s->file)
        gzclose(s->file);
    free(s->text);
    *s = (struct stream){.file = NULL};
}

/* Reads on behind what there is of a line. */
static weft_status fill(struct stream *s)
{
    struct lines *l = &s->lines;
    size_t left = (size_t)(l->end - l->start);
    int code;
    if (left > LINE_MOST)
        return LINES_REFUSE(l, l->line, 1, ("a line of more than %d bytes", LINE_MOST),
                            ("name a text file"));
    memmove(s->text, l->start, left);
    int got = gzread(s->file, s->text + left, (unsigned)(PIECE - left));
    gzerror(s->file, &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
        return BAD_PLACE(("%s", s->path), ("cannot be read after line %u", l->line),
                         ("name a text file, plain or packed by gzip, that is whole"));
    s->ended = !got;
    l->start = l->at = s->text;
    l->end = s->text + left + (size_t)got;
    return WEFT_OK;
}

/* Has the whole of the line that begins here, or of the last one. */
static weft_status fill_line(struct stream *s)
{
    const struct lines *l = &s->lines;
    weft_status status = WEFT_OK;
    while (status == WEFT_OK && !s->ended &&
           (l->at == l->end || !memchr(l->at, '\n', (size_t)(l->end - l->at))))
        status = fill(s);
    return status;
}

bool stream_line(struct stream *s, weft_status *status)
{
    struct lines *l = &s->lines;
    *status = s->within ? lines_next(l) : WEFT_OK;
    s->within = false;
    while (*status == WEFT_OK) {
        *status = fill_line(s);
        if (*status != WEFT_OK || !lines_left(l))
            return false;
        if (!lines_end(l))
            return s->within = true;
        *status = lines_next(l);
    }
    return false;
}
