/* Words for people. */
#ifndef WEFT_BASE_TEXT_H
#define WEFT_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* 1234567 as "1 234 567". */
const char *text_count(uint64_t value, char text[32]);

/* Appends to `text` from letter `at` on; how long it would be. */
size_t text_append(char *text, size_t size, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
