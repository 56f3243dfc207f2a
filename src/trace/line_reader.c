/* Lines of a file as fields. */
#include "trace/line_reader.h"

#include <stdlib.h>

#include "base/list.h"

weft_status line_reader_open(struct line_reader *r, const char *path, const char *kind)
{
    *r = (struct line_reader){.count = 0};
    return stream_open(&r->stream, path, kind, "use a text file");
}

void line_reader_close(struct line_reader *r)
{
    stream_close(&r->stream);
    free(r->field);
    free(r->column);
}

weft_status line_reader_next(struct line_reader *r)
{
    weft_status status;
    size_t size;
    bool within = false; /* a field */
    r->count = 0;
    if (!stream_line(&r->stream, &status))
        return status;
    r->line = r->stream.lines.line;
    char *line = stream_text(&r->stream, &size);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)line[i];
        if (c > ' ' && c != 0x7f) {
            if (!within) {
                LIST_RESERVE(r->column, r->count + 2, r->columns);
                r->column[r->count] = (uint32_t)i + 1;
                *LIST_ADD(r->field, r->count, r->fields) = line + i;
            }
            within = true;
            continue;
        }
        if (c != ' ' && c != '\t' && c != '\r')
            return LINES_REFUSE(&r->stream.lines, r->line, (uint32_t)i + 1,
                                ("byte %u is no text", c), ("use a text file"));
        line[i] = '\0';
        within = false;
    }
    r->column[r->count] = (uint32_t)size + 1;
    return WEFT_OK;
}
