/*
 * Numbers as people write them into options and files.
 *
 *   [+-] digits [. digits] [e [+-] digits]        42, -0.5, .5, 5., 1e6, 2.5e3
 *
 * as in YAML's core schema. Nothing else is a number: no blanks on either side, no
 * hexadecimal digits, no inf or nan. The decimal point is a point, whatever the locale says.
 *
 * Both readers set *value only if they return true. number_is_written() distinguishes a number that
 * does not fit ("out of range") from a text that is not a number at all.
 */
#ifndef WEFT_BASE_TEXT_NUMBER_H
#define WEFT_BASE_TEXT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a text has the form of a number. */
bool number_is_written(const char *text);

/* The nearest double. Refuses numbers that are too large for one or would lose digits near 0:
 * 1e-400 is not 0. */
bool number_real(const char *text, double *value);

/* A whole number, exactly: 1e6, 2.5e3 and 7.0 are whole, 2.5 is not. */
bool number_integer(const char *text, int64_t *value);

#endif
