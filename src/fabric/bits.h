/* Fields of packed headers, and what packets carry. */
#ifndef WEFT_FABRIC_BITS_H
#define WEFT_FABRIC_BITS_H

#include <stdint.h>

#include "base/random.h"

/* Appends a field to a packed word; `left`: bits still free, counted from the top. */
static inline void put_bits(uint64_t *word, unsigned *left, unsigned bits, uint64_t value)
{
    *left -= bits;
    *word |= (value & ((1ull << bits) - 1)) << *left;
}

static inline uint64_t take_bits(uint64_t word, unsigned *left, unsigned bits)
{
    *left -= bits;
    return word >> *left & ((1ull << bits) - 1);
}

/* Words as they are on a wire, most significant byte first. */
static inline void put_word(uint8_t *bytes, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(word >> (56 - 8 * i));
}

static inline uint64_t get_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word = word << 8 | bytes[i];
    return word;
}

/* A packet's payload, derived from its name: arbitrary, but the same wherever it is made. */
static inline uint64_t payload_word(uint32_t source, uint32_t sequence, uint32_t number)
{
    uint64_t name = (uint64_t)source << 32 | sequence;
    return random_mix(name + number * 0x9e3779b97f4a7c15u);
}

#endif
