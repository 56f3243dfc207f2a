/*
 * Wide characters on standard streams. A stream of a rank's own takes bytes only, so they are
 * written as bytes; other streams are left to the C library.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <wchar.h>

#include "posix/parts.h"

static FILE *out(void)
{
    return streams_get(posix_current(), POSIX_OUT);
}

int rank_vfwprintf(FILE *stream, const wchar_t *format, va_list args)
{
    wchar_t *text = NULL;
    size_t letters = 0;
    if (streams_file(stream) < 0)
        return vfwprintf(stream, format, args);
    FILE *memory = open_wmemstream(&text, &letters);
    int length = memory ? vfwprintf(memory, format, args) : -1;
    if (memory)
        fclose(memory);
    if (length >= 0 && fprintf(stream, "%ls", text) < 0)
        length = -1;
    free(text);
    return length;
}

int rank_fwprintf(FILE *stream, const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = rank_vfwprintf(stream, format, args);
    va_end(args);
    return length;
}

int rank_vwprintf(const wchar_t *format, va_list args)
{
    return rank_vfwprintf(out(), format, args);
}

int rank_wprintf(const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = rank_vwprintf(format, args);
    va_end(args);
    return length;
}

int rank_fputws(const wchar_t *text, FILE *stream)
{
    return streams_file(stream) < 0 ? fputws(text, stream) : fprintf(stream, "%ls", text);
}

wint_t rank_fputwc(wchar_t letter, FILE *stream)
{
    if (streams_file(stream) < 0)
        return fputwc(letter, stream);
    return fprintf(stream, "%lc", (wint_t)letter) < 0 ? WEOF : (wint_t)letter;
}

wint_t rank_putwchar(wchar_t letter)
{
    return rank_fputwc(letter, out());
}

/* ---- input ---- */

/* Whether a stream is the end of input that most ranks have. */
static bool is_empty(FILE *stream)
{
    return streams_file(stream) == STDIN_FILENO && fileno(stream) < 0;
}

static FILE *in(void)
{
    return streams_get(posix_current(), POSIX_IN);
}

wint_t rank_fgetwc(FILE *stream)
{
    return is_empty(stream) ? WEOF : fgetwc(stream);
}

wint_t rank_getwchar(void)
{
    return rank_fgetwc(in());
}

wchar_t *rank_fgetws(wchar_t *text, int letters, FILE *stream)
{
    return is_empty(stream) ? NULL : fgetws(text, letters, stream);
}

int rank_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
    return is_empty(stream) ? EOF : vfwscanf(stream, format, args);
}

int rank_fwscanf(FILE *stream, const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int fields = rank_vfwscanf(stream, format, args);
    va_end(args);
    return fields;
}

int rank_vwscanf(const wchar_t *format, va_list args)
{
    return rank_vfwscanf(in(), format, args);
}

int rank_wscanf(const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int fields = rank_vwscanf(format, args);
    va_end(args);
    return fields;
}
