/* Numbers, growing texts, names of files, base64, terminals. */
#include "base/text/text.h"

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Appends a text if all of it fits. */
static bool append(char *out, size_t size, size_t *length, const char *text)
{
    size_t more = strlen(text);
    if (*length + more >= size)
        return false;
    memcpy(out + *length, text, more + 1);
    *length += more;
    return true;
}

static bool quote(const char *path, char *out, size_t size)
{
    /* A shell leaves a word of these unchanged. */
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-./,:=@%+";
    size_t length = 0;
    bool plain = *path && !path[strspn(path, safe)];
    bool fits = append(out, size, &length, plain ? "" : "'");
    if (path[0] == '-') /* not an option */
        fits = fits && append(out, size, &length, "./");
    for (const char *c = path; *c && fits; c++)
        fits = append(out, size, &length, *c == '\'' ? "'\\''" : (char[]){*c, '\0'});
    return fits && append(out, size, &length, plain ? "" : "'");
}

const char *text_quote(const char *path, char *out, size_t size)
{
    if (!quote(path, out, size))
        snprintf(out, size, "...");
    return out;
}

const char *text_stem(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    snprintf(out, size, "%.*s", (int)length, base);
    return out;
}

const char *text_time(double seconds, char text[32])
{
    bool micro = seconds < 1e-3, milli = !micro && seconds < 1;
    snprintf(text, 32, "%.3f %s",
             seconds * (micro   ? 1e6
                        : milli ? 1e3
                                : 1),
             micro   ? "us"
             : milli ? "ms"
                     : "s");
    return text;
}

const char *text_bytes(double bytes, char text[32])
{
    static const char *const units[] = {"KB", "MB", "GB", "TB", "PB"};
    unsigned unit = 0;
    if (bytes < 1000) {
        snprintf(text, 32, "%.0f byte%s", bytes, bytes == 1 ? "" : "s");
        return text;
    }
    for (bytes /= 1000; bytes >= 1000 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
        bytes /= 1000;
    snprintf(text, 32, "%.4g %s", bytes, units[unit]);
    return text;
}

const char *text_count(uint64_t value, char text[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value), at = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[at++] = ' ';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

size_t text_append(char *text, size_t size, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = at < size ? vsnprintf(text + at, size - at, format, args) : 0;
    va_end(args);
    return at + (size_t)(length > 0 ? length : 0);
}

size_t text_columns(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80; /* not in the middle of a character */
    return columns;
}

unsigned text_character(const char *text)
{
    const unsigned char *t = (const unsigned char *)text;
    unsigned bytes = t[0] < 0x80 ? 1 : t[0] < 0xc2 ? 0 : t[0] < 0xe0 ? 2 : t[0] < 0xf0 ? 3 : 4;
    if (t[0] > 0xf4)
        return 0;
    for (unsigned i = 1; i < bytes; i++)
        if ((t[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (t[0] == 0xe0 && t[1] < 0xa0) || (t[0] == 0xf0 && t[1] < 0x90);
    bool surrogate = t[0] == 0xed && t[1] >= 0xa0, beyond = t[0] == 0xf4 && t[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : bytes;
}

bool text_is_control(const char *text)
{
    const unsigned char *t = (const unsigned char *)text;
    return t[0] < ' ' || t[0] == 0x7f || (t[0] == 0xc2 && t[1] >= 0x80 && t[1] < 0xa0);
}

void text_tame(char *text, bool lines)
{
    for (unsigned bytes; *text; text += bytes) {
        bytes = text_character(text);
        if (bytes && (!text_is_control(text) || (*text == '\n' && lines)))
            continue;
        bytes = bytes ? bytes : 1;
        memset(text, '?', bytes);
    }
}

bool text_has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

bool text_ends(const char *text, const char *end)
{
    size_t length = strlen(text), behind = strlen(end);
    return length > behind && strcmp(text + length - behind, end) == 0;
}

const char *text_behind(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

size_t text_word(const char *text, size_t at, char *to)
{
    char quote = 0;
    for (; text[at] && (quote || !strchr(TEXT_BLANKS, text[at])); at++) {
        if (quote ? text[at] == quote : text[at] == '\'' || text[at] == '"')
            quote = quote ? 0 : text[at];
        else if (text[at] == '\\' && quote != '\'' && text[at + 1])
            *to++ = text[++at];
        else
            *to++ = text[at];
    }
    *to = '\0';
    return at;
}

uint64_t text_hash(uint64_t hash, const void *bytes, size_t size)
{
    for (const unsigned char *at = bytes; size-- > 0; at++)
        hash = (hash ^ *at) * 0x100000001b3u;
    return hash;
}

void text_wrap(FILE *out, const char *text, unsigned column, unsigned indent, unsigned width)
{
    bool first = true; /* no word has been printed yet */
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        if (!first && column + 1 + length > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        column += (unsigned)length;
        for (; length; length--, text++)
            fputc(*text == TEXT_HARD_SPACE ? ' ' : *text, out);
        first = false;
    }
    fputc('\n', out);
}

/* ---- base64 ---- */

static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(const unsigned char *bytes, size_t size, char *text)
{
    for (size_t at = 0; at < size; at += 3) {
        size_t left = size - at;
        unsigned b = left > 1 ? bytes[at + 1] : 0, c = left > 2 ? bytes[at + 2] : 0;
        unsigned word = (unsigned)bytes[at] << 16 | b << 8 | c;
        *text++ = digit[word >> 18];
        *text++ = digit[word >> 12 & 63];
        *text++ = left > 1 ? digit[word >> 6 & 63] : '=';
        *text++ = left > 2 ? digit[word & 63] : '=';
    }
}

size_t base64_decode(const char *text, size_t length, unsigned char *bytes)
{
    unsigned char value[256]; /* of each letter; 64: it is none */
    size_t missing = 0, size = 0;
    memset(value, 64, sizeof(value));
    for (unsigned char i = 0; i < 64; i++)
        value[(unsigned char)digit[i]] = i;
    if (length % 4)
        return SIZE_MAX;
    for (; missing < 2 && length > 0 && text[length - 1] == '='; length--)
        missing++;
    for (size_t at = 0; at < length; at += 4) {
        unsigned word = 0;
        size_t letters = length - at < 4 ? length - at : 4;
        for (size_t i = 0; i < 4; i++) {
            unsigned v = i < letters ? value[(unsigned char)text[at + i]] : 0;
            if (v > 63)
                return SIZE_MAX;
            word = word << 6 | v;
        }
        for (size_t i = 0; i + 1 < letters; i++)
            bytes[size++] = (unsigned char)(word >> (16 - 8 * i));
    }
    return size;
}

/* ---- terminals ---- */

unsigned terminal_width(void)
{
    enum { LEAST = 60, MOST = 120 };
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
        return 0;
    return size.ws_col < LEAST ? LEAST : size.ws_col > MOST ? MOST : size.ws_col;
}

unsigned terminal_columns(void)
{
    enum { USUAL = 80 };
    unsigned width = terminal_width();
    return width ? width : USUAL;
}
