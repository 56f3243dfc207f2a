/* Tags, the style sheet, texts that are safe within XML, and rasters. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "report/picture/drawing.h"

static const char style_sheet[] =
    "text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;font-size:12px;fill:#222}\n"
    ".title{font-size:18px;font-weight:bold}\n.note{fill:#555}\n"
    ".tick{font-size:11px;fill:#444}\n.small{font-size:10px;fill:#777}\n\n"
    ".middle{text-anchor:middle}\n.end{text-anchor:end}\n"
    ".frame{fill:none;stroke:#666}\n.grid{fill:none;stroke:#ddd}\n"
    ".mark{fill:none;stroke:#333;stroke-dasharray:5 4}\n";

weft_status svg_open(struct writer **writer, const char *path, unsigned width, unsigned height)
{
    TRY(writer_open(writer, path));
    writer_put(*writer,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" "
               "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%u\" height=\"%u\" "
               "viewBox=\"0 0 %u %u\">\n",
               width, height, width, height);
    writer_put(*writer, "<style>\n%s</style>\n", style_sheet);
    writer_put(*writer, "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n", width, height);
    return WEFT_OK;
}

weft_status svg_close(struct writer *w)
{
    writer_put(w, "</svg>\n");
    return writer_close(w);
}

/* ---- text ---- */

/* Characters that fit the width of a picture, more or less. */
enum { LONGEST = 170, LONGEST_TITLE = 85 };

/* Bytes of the character that a text begins with; 0: it is none that XML can hold. */
static unsigned character(const char *text)
{
    bool control = (unsigned char)*text < ' ' || *text == 0x7f;
    bool none = strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0;
    return control || none ? 0 : text_character(text);
}

static void put_character(struct writer *w, const char *text, unsigned bytes)
{
    if (*text == '&')
        writer_put(w, "&amp;");
    else if (*text == '<')
        writer_put(w, "&lt;");
    else if (*text == '>')
        writer_put(w, "&gt;");
    else
        writer_put(w, "%.*s", (int)bytes, text);
}

static void put_text(struct writer *w, const char *text, unsigned longest)
{
    unsigned count = 0;
    for (unsigned bytes; *text && count < longest; text += bytes ? bytes : 1) {
        bytes = character(text);
        if (bytes)
            put_character(w, text, bytes);
        count += bytes > 0;
    }
    writer_put(w, "%s</text>\n", *text ? "..." : "");
}

void svg_text(struct writer *w, double x, double y, const char *style, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    writer_put(w, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, style);
    put_text(w, text, strcmp(style, "title") == 0 ? LONGEST_TITLE : LONGEST);
}

void svg_text_up(struct writer *w, double x, double y, const char *style, const char *text)
{
    writer_put(w, "<text transform=\"translate(%.1f %.1f) rotate(-90)\" class=\"%s\">", x, y,
               style);
    put_text(w, text, LONGEST);
}

/* ---- lines ---- */

void svg_line(struct writer *w, const char *style, double x0, double y0, double x1, double y1)
{
    writer_put(w, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", style, x0, y0, x1, y1);
}

void svg_frame(struct writer *w, struct svg_box b)
{
    writer_put(w, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
               b.x, b.y, b.width, b.height);
}

/* ---- rasters ---- */

/* A PNG is a signature and three chunks: what the picture is, its rows compressed, and the end. */
static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

enum { HEAD = 13, FRAME = 12, RGB = 3 }; /* bytes: of the head; around each chunk; of a pixel */

static unsigned char *put_word(unsigned char *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (unsigned char)(word >> (24 - 8 * i));
    return at + 4;
}

/* Frames what already lies behind the place of a chunk's length and name. */
static unsigned char *close_chunk(unsigned char *chunk, const char *name, size_t size)
{
    put_word(chunk, (uint32_t)size);
    memcpy(chunk + 4, name, 4);
    return put_word(chunk + 8 + size, (uint32_t)crc32(0, chunk + 4, (uInt)size + 4));
}

/* Each row with the number of its filter before it: 0, none. Flat colours gain nothing from the
 * others. */
static unsigned char *filter(const unsigned char *rgb, size_t row_bytes, uint32_t height)
{
    unsigned char *rows = memory_alloc(height, row_bytes + 1);
    for (uint32_t y = 0; y < height; y++)
        memcpy(rows + y * (row_bytes + 1) + 1, rgb + y * row_bytes, row_bytes);
    return rows;
}

unsigned char *png_encode(const unsigned char *rgb, uint32_t width, uint32_t height, size_t *size)
{
    static const unsigned char kind[5] = {8, 2}; /* bits, RGB; the only compression and filters */
    size_t row_bytes = RGB * (size_t)width, raw = height * (row_bytes + 1);
    unsigned char *rows = filter(rgb, row_bytes, height);
    uLongf packed = compressBound(raw);
    unsigned char *file = memory_alloc(1, sizeof(signature) + 3 * FRAME + HEAD + packed);
    memcpy(file, signature, sizeof(signature));
    unsigned char *at = file + sizeof(signature);
    memcpy(put_word(put_word(at + 8, width), height), kind, sizeof(kind));
    at = close_chunk(at, "IHDR", HEAD);
    int status = compress2(at + 8, &packed, rows, raw, Z_DEFAULT_COMPRESSION);
    free(rows);
    WEFT_CHECK(status == Z_OK && packed <= INT32_MAX, "a picture of %u x %u pixels", width, height);
    at = close_chunk(at, "IDAT", packed);
    at = close_chunk(at, "IEND", 0);
    *size = (size_t)(at - file);
    return file;
}

static void put_base64(struct writer *w, const unsigned char *bytes, size_t size)
{
    enum { PIECE = 540 }; /* bytes: whole groups of three */
    char text[PIECE / 3 * 4];
    for (size_t at = 0; at < size; at += PIECE) {
        size_t piece = size - at < PIECE ? size - at : PIECE;
        base64_encode(bytes + at, piece, text);
        writer_put(w, "%.*s", (int)base64_letters(piece), text);
    }
}

void svg_image(struct writer *w, struct svg_box b, const unsigned char *rgb, uint32_t columns,
               uint32_t rows)
{
    size_t size;
    unsigned char *png = png_encode(rgb, columns, rows, &size);
    writer_put(w,
               "<image x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
               "preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,",
               b.x, b.y, b.width, b.height);
    put_base64(w, png, size);
    writer_put(w, "\"/>\n");
    free(png);
}
