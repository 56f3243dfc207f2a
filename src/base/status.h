/*
 * How a failure travels.
 *
 * Three kinds only:
 *   - a user's mistake or a run that cannot go on: the first function that knows of it calls
 *     weft_fail() with the text (place, what, remedy) and everybody above forwards the status;
 *   - a broken invariant: WEFT_CHECK(), always compiled in, stops the program with its context;
 *   - a debug assertion: assert().
 */
#ifndef WEFT_BASE_STATUS_H
#define WEFT_BASE_STATUS_H

#include "weft.h" /* weft_status, weft_last_error() */

/* Keeps the text as this thread's last error and returns `status`. */
weft_status weft_fail(weft_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

_Noreturn void weft_panic(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define WEFT_CHECK(condition, ...)                                                                 \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            weft_panic(__FILE__, __LINE__, __VA_ARGS__);                                           \
    } while (0)

#endif
