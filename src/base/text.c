/* Numbers with spaces, and texts that grow. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

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
