/* A mutator's step for files of binary words: changes little, and leaves the length alone. */
#ifndef WEFT_TESTS_FUZZ_CHANGE_H
#define WEFT_TESTS_FUZZ_CHANGE_H

#include "fuzz.h"

#include "base/random.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Mutators of their own. */
size_t change_checkpoint(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t change_elf(uint8_t *data, size_t size, size_t most, unsigned seed);

/* A word that somebody might take for an index, a count or a time. */
static inline uint64_t odd_word(const uint8_t *data, size_t size, uint64_t draw)
{
    static const uint64_t words[] = {0,          1,         2,          15,        16,
                                     63,         64,        255,        256,       1023,
                                     UINT16_MAX, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    uint64_t there;
    if (draw % 4 == 0)
        return words[draw / 4 % (sizeof(words) / sizeof(words[0]))];
    memcpy(&there, data + random_below(draw, (uint32_t)(size - sizeof(there))), sizeof(there));
    return draw % 4 == 1 ? there : draw % 4 == 2 ? there + 1 : there - 1;
}

/* Changes a bit, a byte or a word at one place, more often where something is. */
static inline void change(uint8_t *data, size_t from, size_t size, uint64_t *random)
{
    static const uint8_t widths[] = {1, 2, 4, 8};
    size_t width = widths[random_next(random) % 4], at = 0;
    for (unsigned tries = 0; tries < 8; tries++) {
        at = from + random_next(random) % (size - from - width);
        if (data[at])
            break;
    }
    uint64_t draw = random_next(random), word = odd_word(data, size, random_next(random));
    if (draw % 2)
        at -= (at - from) % width;
    if (draw / 2 % 3 == 0)
        data[at] ^= (uint8_t)(1u << draw / 6 % 8);
    else if (draw / 2 % 3 == 1)
        data[at] = (uint8_t)(data[at] + (draw / 6 % 2 ? 1 : -1));
    else
        memcpy(data + at, &word, width);
}

#endif
