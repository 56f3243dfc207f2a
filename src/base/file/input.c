/* Whole files, lines and streams. */
#include "base/file/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/list.h"
#include "base/text/text.h"

enum {
    MAX_FILE = 64 << 20,
    MAX_UNPACKED = 1 << 30,
    PIECE = 1 << 18,
    LINE_MOST = 1 << 25, /* sizes for each of a million members */
    UNPACK_AHEAD = 1 << 17
};

/* ---- whole files ---- */

weft_status input_no_folder(const char *path, const char *kind)
{
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode))
        return WEFT_OK;
    return BAD_INPUT(NULL, ("%s: %s", path, strerror(EISDIR)), ("name a %s", kind));
}

/* Up to the end, or until there is too much. Returns what is wrong with the file; NULL: nothing. */
static const char *read_all(FILE *f, char **text, size_t *size)
{
    size_t got = 1, room = 0;
    for (; got > 0 && *size <= MAX_FILE; *size += got) {
        LIST_RESERVE(*text, *size + PIECE, room);
        got = fread(*text + *size, 1, PIECE, f);
    }
    return ferror(f) ? "cannot be read" : *size > MAX_FILE ? "is over 64 MiB" : NULL;
}

/* All members, one after the other; false: one is damaged, or they are too large. */
static bool unpack_all(z_stream *z, char **text, size_t *size)
{
    size_t room = 0;
    int code = Z_OK;
    while (code == Z_OK || (code == Z_STREAM_END && z->avail_in && inflateReset(z) == Z_OK)) {
        LIST_RESERVE(*text, *size + PIECE, room);
        z->next_out = (Bytef *)*text + *size;
        z->avail_out = PIECE;
        code = inflate(z, Z_NO_FLUSH); /* Z_BUF_ERROR: the file ends within a member */
        *size += PIECE - z->avail_out;
        if (*size > MAX_UNPACKED)
            return false;
    }
    return code == Z_STREAM_END;
}

/* Replaces a packed text by what it holds. gzread() would pass over a damaged member that follows
 * a whole one, as if the file had ended before. */
static const char *unpack(char **text, size_t *size)
{
    enum { GZIP_HEADER = 16 };
    z_stream z = {.next_in = (Bytef *)*text, .avail_in = (uInt)*size};
    char *plain = NULL;
    size_t bytes = 0;
    bool whole =
        inflateInit2(&z, GZIP_HEADER + MAX_WBITS) == Z_OK && unpack_all(&z, &plain, &bytes);
    inflateEnd(&z);
    free(*text);
    *text = plain;
    *size = bytes;
    return whole ? NULL : "is a damaged gzip file, or over 1 GiB unpacked";
}

const char *input_whole(const char *path, char **text, size_t *size)
{
    protected_call_poll(); /* opening a pipe waits for its writer, and a signal has been already */
    FILE *f = fopen(path, "rb");
    if (!f)
        return strerror(errno);
    *text = NULL;
    *size = 0;
    const char *wrong = read_all(f, text, size);
    fclose(f);
    if (!wrong && *size > 2 && memcmp(*text, "\x1f\x8b", 2) == 0)
        wrong = unpack(text, size);
    if (wrong)
        free(*text);
    return wrong;
}

weft_status input_read(const char *path, const char *kind, const char *other, char **text,
                       size_t *size)
{
    TRY(input_no_folder(path, kind));
    if (access(path, R_OK) != 0)
        return BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)),
                         ("name a %s, or %s", kind, other));
    const char *wrong = input_whole(path, text, size);
    return wrong ? BAD_INPUT(NULL, ("%s: %s", path, wrong), ("name a %s", kind)) : WEFT_OK;
}

bool input_is_plain(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

weft_status input_lasts(const char *path, const char *kind)
{
    struct stat s;
    weft_status status = input_no_folder(path, kind);
    if (status != WEFT_OK || stat(path, &s) != 0 || S_ISREG(s.st_mode))
        return status; /* if there is nothing, whoever opens it complains */
    return BAD_INPUT(
        NULL,
        ("%s: is not a file but a pipe or a device, and a %s is read several times", path, kind),
        ("write it to a file first"));
}

uint64_t input_hash(const char *path)
{
    char piece[1 << 14];
    uint64_t hash = TEXT_HASH;
    struct stat s;
    if (stat(path, &s) != 0)
        return 0;
    if (!S_ISREG(s.st_mode))
        return text_hash(hash, path, strlen(path));
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    for (size_t got; (got = fread(piece, 1, sizeof(piece), f)) > 0;) {
        hash = text_hash(hash, piece, got);
        protected_call_poll();
    }
    fclose(f);
    return hash;
}

/* ---- lines ---- */

struct lines lines_of(const char *name, const char *text, size_t size, const char *form)
{
    return (struct lines){
        .name = name, .at = text, .end = text + size, .start = text, .line = 1, .form = form};
}

bool lines_end(struct lines *l)
{
    while (l->at < l->end && (*l->at == ' ' || *l->at == '\t' || *l->at == '\r'))
        l->at++;
    return l->at == l->end || *l->at == '\n' || *l->at == '#';
}

weft_status lines_next(struct lines *l)
{
    for (; l->at < l->end && *l->at != '\n'; l->at++)
        if (*l->at == '\0')
            return lines_refuse(l, "text");
    l->at += l->at < l->end;
    l->start = l->at;
    l->line++;
    return WEFT_OK;
}

weft_status lines_each(struct lines *l, weft_status (*read)(void *ctx, struct lines *l), void *ctx)
{
    while (lines_left(l)) {
        if (!lines_end(l))
            TRY(read(ctx, l));
        TRY(lines_next(l));
    }
    return WEFT_OK;
}

weft_status lines_number(struct lines *l, const char *what, uint64_t *value)
{
    const char *start = l->at;
    uint64_t sum = 0;
    for (; lines_is_digit(l, l->at); l->at++) {
        uint64_t digit = (uint64_t)(*l->at - '0');
        sum = sum > (UINT64_MAX - digit) / 10 ? UINT64_MAX : sum * 10 + digit;
    }
    if (l->at == start)
        return lines_refuse(l, what);
    *value = sum;
    return WEFT_OK;
}

weft_status lines_word(struct lines *l, const char *what, char *word, size_t size)
{
    const char *start = l->at;
    size_t length = 0;
    for (; l->at<l->end && * l->at> ' ' && *l->at <= '~' && *l->at != '#'; l->at++)
        if (length + 1 < size)
            word[length++] = *l->at;
    word[length] = '\0';
    if (l->at > start + length)
        return LINES_REFUSE(l, l->line, lines_column(l, start),
                            ("'%.20s...' is not a %s", word, what), ("%s", l->form));
    const char *behind = l->at;
    if (!lines_end(l) && l->at == behind) /* a byte that no word has */
        return lines_refuse(l, what);
    return length ? WEFT_OK
                  : LINES_REFUSE(l, l->line, lines_column(l, start),
                                 ("the line ends before its %s", what), ("%s", l->form));
}

weft_status lines_refuse(const struct lines *l, const char *what)
{
    uint32_t where = lines_column(l, l->at);
    unsigned char byte = (unsigned char)*l->at;
    if (byte == 0)
        return LINES_REFUSE(l, l->line, where, ("a NUL byte"), ("name a text file"));
    if (byte < ' ' || byte > '~')
        return LINES_REFUSE(l, l->line, where, ("byte 0x%02x is not a %s", byte, what),
                            ("%s", l->form));
    if ((byte == '-' || byte == '+') && lines_is_digit(l, l->at + 1))
        return LINES_REFUSE(l, l->line, where, ("a number with a sign"),
                            ("count from 0, without signs"));
    return LINES_REFUSE(l, l->line, where, ("'%c' is not a %s", byte, what), ("%s", l->form));
}

/* ---- streams ---- */

weft_status stream_open(struct stream *s, const char *path, const char *kind, const char *form)
{
    TRY(input_no_folder(path, kind));
    protected_call_poll();
    gzFile file = gzopen(path, "rb"); /* zlib reads a file that is not packed as it is */
    if (!file)
        return BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)), ("name a %s", kind));
    gzbuffer(file, UNPACK_AHEAD);
    *s = (struct stream){.path = path, .file = file};
    LIST_RESERVE(s->text, PIECE, s->room);
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
    if (left > LINE_MOST)
        return LINES_REFUSE(l, l->line, 1, ("a line of more than %d bytes", LINE_MOST),
                            ("name a text file"));
    memmove(s->text, l->start, left);
    LIST_RESERVE(s->text, left + PIECE / 2, s->room);
    int code, got = gzread(s->file, s->text + left, (unsigned)(s->room - left - 1));
    gzerror(s->file, &code);
    if (got < 0 ||
        (code != Z_OK && code != Z_STREAM_END)) /* the piece is not what the file holds */
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

char *stream_text(struct stream *s, size_t *size)
{
    struct lines *l = &s->lines;
    char *text = s->text + (l->start - s->text);
    const char *end = memchr(l->at, '\n', (size_t)(l->end - l->at));
    *size = (size_t)((end ? end : l->end) - l->start);
    text[*size] = '\0';
    l->at = l->start = end ? end + 1 : l->end;
    l->line++;
    s->within = false;
    return text;
}
