/* Sequences of basic values, packed into words. */
#include "mpi/object/signature.h"

#include <stddef.h>
#include <stdio.h>

/* A value: its kind in the high half, and in the low one the power of two that is its size. */
static unsigned value_at(uint64_t signature, unsigned i)
{
    return signature >> (8 * i) & 0xff;
}

static enum basic kind_of(unsigned value)
{
    return (enum basic)(value >> 4);
}

static unsigned bytes_of(unsigned value)
{
    return 1u << (value & 0xf);
}

static unsigned length_of(uint64_t signature)
{
    unsigned length = 0;
    while (length < SIGNATURE_MOST && value_at(signature, length))
        length++;
    return length;
}

/* ---- making them ---- */

/* A complex value is two reals. */
uint64_t signature_of_basic(enum basic basic, int64_t bytes)
{
    enum basic kind = basic == BASIC_COMPLEX ? BASIC_FLOAT : basic;
    unsigned power = (unsigned)__builtin_ctzll((uint64_t)bytes) - (basic == BASIC_COMPLEX);
    return (unsigned)kind << 4 | power;
}

/* The shortest sequence that one of so many values repeats. */
static uint64_t shorten(uint64_t signature, unsigned length)
{
    for (unsigned period = 1; period < length; period++) {
        bool repeats = length % period == 0;
        for (unsigned i = period; i < length && repeats; i++)
            repeats = value_at(signature, i) == value_at(signature, i - period);
        if (repeats)
            return signature & ((1ull << 8 * period) - 1);
    }
    return signature;
}

/* Values in so many bytes. */
static uint64_t count_values(uint64_t signature, uint64_t bytes)
{
    unsigned length = length_of(signature);
    uint64_t once = 0;
    for (unsigned i = 0; i < length; i++)
        once += bytes_of(value_at(signature, i));
    return bytes / once * length;
}

void signature_add(struct signature_sum *sum, uint64_t signature, uint64_t bytes)
{
    sum->unknown |= bytes && !signature;
    if (!bytes || !signature)
        return;
    sum->first = sum->first ? sum->first : signature;
    sum->differ |= signature != sum->first;
    uint64_t values = count_values(signature, bytes);
    for (uint64_t v = 0; v < values && sum->length + v < SIGNATURE_MOST; v++)
        sum->all |= (uint64_t)value_at(signature, (unsigned)v % length_of(signature))
                    << 8 * (sum->length + v);
    sum->length = values > SIGNATURE_MOST ? SIGNATURE_MOST + 1 : sum->length + values;
}

uint64_t signature_end(const struct signature_sum *sum)
{
    if (sum->unknown)
        return 0;
    if (!sum->differ)
        return sum->first;
    return sum->length > SIGNATURE_MOST ? 0 : shorten(sum->all, (unsigned)sum->length);
}

/* ---- comparing them ---- */

static bool has_bytes(uint64_t signature)
{
    for (unsigned i = 0; i < SIGNATURE_MOST && value_at(signature, i); i++)
        if (bytes_of(value_at(signature, i)) == 1)
            return true;
    return false;
}

static bool fits(unsigned sent, unsigned received, bool strictly)
{
    bool real = kind_of(sent) == BASIC_FLOAT;
    return sent == received || (!strictly && bytes_of(sent) == bytes_of(received) &&
                                real == (kind_of(received) == BASIC_FLOAT));
}

/* Two sequences that are alike for as long as both together are alike for ever. */
bool signature_differs(uint64_t sent, uint64_t received, uint64_t bytes, bool strictly)
{
    if (sent == received || !sent || !received ||
        (!strictly && (has_bytes(sent) || has_bytes(received))))
        return false;
    unsigned lengths[2] = {length_of(sent), length_of(received)};
    for (unsigned i = 0; i < lengths[0] + lengths[1] && bytes; i++) {
        unsigned value = value_at(sent, i % lengths[0]);
        if (!fits(value, value_at(received, i % lengths[1]), strictly))
            return true;
        bytes -= bytes < bytes_of(value) ? bytes : bytes_of(value);
    }
    return false;
}

/* ---- for reports ---- */

void signature_describe(uint64_t signature, char text[SIGNATURE_TEXT])
{
    static const char *const names[] = {
        [BASIC_SIGNED] = "integers", [BASIC_UNSIGNED] = "unsigned integers",
        [BASIC_FLOAT] = "reals",     [BASIC_LOGICAL] = "logicals",
        [BASIC_BYTE] = "bytes",      [BASIC_CHARACTER] = "characters"};
    int at = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < length_of(signature) && at < SIGNATURE_TEXT; i++) {
        unsigned value = value_at(signature, i);
        const char *comma = i ? ", " : "", *name = names[kind_of(value)];
        size_t room = (size_t)(SIGNATURE_TEXT - at);
        at += bytes_of(value) == 1
                  ? snprintf(text + at, room, "%s%s", comma, name)
                  : snprintf(text + at, room, "%s%u-byte %s", comma, bytes_of(value), name);
    }
}
