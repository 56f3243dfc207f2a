/* The table of units. */
#include "config/units.h"

#include <stdio.h>
#include <string.h>

#include "base/text/number.h"

enum kind { KIND_BYTES, KIND_RATE, KIND_FREQUENCY, KIND_TIME, KINDS };

static const struct {
    const char *name;
    enum kind kind;
    double size; /* in bytes, bytes per second, Hz or seconds */
} units[] = {
    {"B", KIND_BYTES, 1},         {"KB", KIND_BYTES, 1e3},      {"kB", KIND_BYTES, 1e3},
    {"MB", KIND_BYTES, 1e6},      {"GB", KIND_BYTES, 1e9},      {"KiB", KIND_BYTES, 0x1p10},
    {"MiB", KIND_BYTES, 0x1p20},  {"GiB", KIND_BYTES, 0x1p30},  {"B/s", KIND_RATE, 1},
    {"KB/s", KIND_RATE, 1e3},     {"kB/s", KIND_RATE, 1e3},     {"MB/s", KIND_RATE, 1e6},
    {"GB/s", KIND_RATE, 1e9},     {"KiB/s", KIND_RATE, 0x1p10}, {"MiB/s", KIND_RATE, 0x1p20},
    {"GiB/s", KIND_RATE, 0x1p30}, {"Mb/s", KIND_RATE, 1e6 / 8}, {"Gb/s", KIND_RATE, 1e9 / 8},
    {"Hz", KIND_FREQUENCY, 1},    {"kHz", KIND_FREQUENCY, 1e3}, {"MHz", KIND_FREQUENCY, 1e6},
    {"GHz", KIND_FREQUENCY, 1e9}, {"ps", KIND_TIME, 1e-12},     {"ns", KIND_TIME, 1e-9},
    {"us", KIND_TIME, 1e-6},      {"ms", KIND_TIME, 1e-3},      {"s", KIND_TIME, 1},
    {"min", KIND_TIME, 60},       {"h", KIND_TIME, 3600},       {"d", KIND_TIME, 86400},
};
enum { UNITS = sizeof(units) / sizeof(units[0]) };

static unsigned find_unit(const char *name)
{
    unsigned i = 0;
    while (i < UNITS && strcmp(units[i].name, name) != 0)
        i++;
    return i;
}

/* The unit behind a number; UNITS: there is none. */
static unsigned split(const char *text, char number[UNIT_NUMBER])
{
    size_t length = strlen(text);
    if (length >= UNIT_NUMBER)
        return UNITS;
    memcpy(number, text, length + 1);
    while (length && !number_is_written(number))
        number[--length] = '\0';
    if (!length)
        return UNITS;
    return find_unit(text + length + strspn(text + length, " "));
}

/* What a size is of another one, without the error of 1e-9 and its like. */
static double ratio(double size, double of)
{
    return size < of ? 1 / (of / size) : size / of;
}

bool unit_split(const char *text, const char *unit, char number[UNIT_NUMBER], double *factor)
{
    unsigned to = find_unit(unit), from = to < UNITS ? split(text, number) : UNITS;
    if (from == UNITS || units[from].kind != units[to].kind)
        return false;
    *factor = ratio(units[from].size, units[to].size);
    return true;
}

bool unit_seconds(const char *text, double *seconds)
{
    char number[UNIT_NUMBER];
    double value, factor;
    if (!unit_split(text, "s", number, &factor) || !number_real(number, &value))
        return false;
    *seconds = value * factor;
    return true;
}

const char *unit_list(const char *unit)
{
    static const char *const lists[KINDS] = {
        [KIND_BYTES] = "B, KB, MB, GB, KiB, MiB or GiB",
        [KIND_RATE] = "KB/s, MB/s, GB/s, MiB/s, Mb/s or Gb/s",
        [KIND_FREQUENCY] = "kHz, MHz or GHz",
        [KIND_TIME] = "ps, ns, us, ms, s, min, h or d",
    };
    unsigned i = find_unit(unit);
    return i < UNITS ? lists[units[i].kind] : NULL;
}
