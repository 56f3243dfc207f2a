/* The error record of each thread. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local struct error last;
static _Thread_local char last_text[sizeof(struct error) + 8];

const struct error *error_last(void)
{
    return &last;
}

weft_status error_restore(const struct error *error)
{
    if (error != &last)
        last = *error;
    return last.status;
}

void error_begin(weft_status status, const char *keys)
{
    last.status = status;
    snprintf(last.keys, sizeof(last.keys), "%s", keys ? keys : "");
    last.place[0] = last.what[0] = last.remedy[0] = '\0';
}

#define FORMAT_INTO(field)                                                                         \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        vsnprintf(field, sizeof(field), format, args);                                             \
        va_end(args);                                                                              \
    } while (0)

void error_place(const char *format, ...)
{
    FORMAT_INTO(last.place);
}

void error_what(const char *format, ...)
{
    FORMAT_INTO(last.what);
}

void error_remedy(const char *format, ...)
{
    FORMAT_INTO(last.remedy);
}

void error_prefix(const char *format, ...)
{
    char before[512];
    FORMAT_INTO(before);
    size_t length = strlen(before), rest = strlen(last.what) + 1;
    if (length + rest > sizeof(last.what))
        rest = sizeof(last.what) - length;
    memmove(last.what + length, last.what, rest);
    memcpy(last.what, before, length);
    last.what[sizeof(last.what) - 1] = '\0';
}

void error_keys(const char *keys)
{
    snprintf(last.keys, sizeof(last.keys), "%s", keys);
}

weft_status error_status(void)
{
    return last.status;
}

const char *weft_last_error(void)
{
    snprintf(last_text, sizeof(last_text), "%s%s%s%s%s", last.place, last.place[0] ? ": " : "",
             last.what, last.remedy[0] ? "; " : "", last.remedy);
    return last_text;
}
