/*
 * Any bytes as a checkpoint: as they are; and signed, so that the code after the checksum is
 * reached: the keys, a machine made from them, the state that is restored into it, and a run that
 * continues from there. The mutator changes little of a state at a time and leaves its length
 * alone, so that most of it is believed.
 */
#include "fuzz.h"

#include "base/random.h"
#include "forged.h"

enum { MOST_NODES = 32, CYCLES = 2000 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes = (unsigned char *)fuzz_text(data, size);
    if (size < FORGED_LEAST || !archive_whole(bytes, size))
        forged_resume(bytes, size, 0, 0);
    if (size >= FORGED_LEAST) {
        forged_sign(bytes, size);
        forged_resume(bytes, size, MOST_NODES, CYCLES);
    }
    free(bytes);
    return 0;
}

/* A word that somebody might take for an index, a count or a time. */
static uint64_t odd_word(const uint8_t *data, size_t size, uint64_t draw)
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
static void change(uint8_t *data, size_t from, size_t size, uint64_t *random)
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

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t random = random_key(seed, 0, RANDOM_ORDER);
    if (size < FORGED_LEAST)
        return LLVMFuzzerMutate(data, size, most);
    forged_sign(data, size);
    size_t state = forged_state(data, size), end = size - sizeof(uint64_t);
    if (random_next(&random) % 64 == 0 || !state || end - state < 64) {
        size = LLVMFuzzerMutate(data, size, most);
    } else {
        for (uint64_t changes = 1 + random_next(&random) % 3; changes; changes--)
            change(data, state, end, &random);
    }
    if (size >= FORGED_LEAST)
        forged_sign(data, size);
    return size;
}
