/*
 * Units: a value may be given in any unit of its kind, and becomes a number of the key's own.
 *
 *   2 KB, 2KiB       of a key in B          1 KB is 1000 B, 1 KiB is 1024 B
 *   1 GB/s, 8 Gb/s   of a key in MB/s
 *   1.4 GHz          of a key in MHz
 *   90 ns, 1.5us     of a key in ns, s or h; and of a key in cycles, once a cycle's length is known
 */
#ifndef WEFT_CONFIG_UNITS_H
#define WEFT_CONFIG_UNITS_H

#include <stdbool.h>

enum { UNIT_NUMBER = 64 };

/* Whether a text is a number and a unit of the same kind as `unit`; copies the number, and sets how
 * many `unit`s that unit is. */
bool unit_split(const char *text, const char *unit, char number[UNIT_NUMBER], double *factor);

/* Whether a text is a time, with its unit. */
bool unit_seconds(const char *text, double *seconds);

/* The units of the same kind, for messages; NULL: there are none. */
const char *unit_list(const char *unit);

#endif
