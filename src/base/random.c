/* The longer draws: exponential numbers, computed permutations. */
#include "base/random.h"

double random_exponential(uint64_t draw)
{
    /* u = mantissa * 2^-exponent in (0, 1]; -ln u = exponent ln 2 - ln mantissa, 1 <= m < 2. */
    uint64_t bits = (draw >> 11) | 1;
    int shift = __builtin_clzll(bits) - 11;
    double mantissa = (double)(bits << shift) / 4503599627370496.0; /* 2^52 */
    double z = (mantissa - 1) / (mantissa + 1), zz = z * z;
    double series = 0;
    for (int term = 21; term >= 1; term -= 2)
        series = series * zz + 1.0 / term;
    return (shift + 1) * 0.69314718055994530942 - 2 * z * series;
}

uint32_t random_permute(uint64_t key, uint32_t count, uint32_t index)
{
    if (count <= 1)
        return 0;
    unsigned bits = 32 - (unsigned)__builtin_clz(count - 1);
    uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    unsigned half = (bits + 1) / 2;
    uint32_t multiplier = (uint32_t)key | 1, offset = (uint32_t)(key >> 32);
    /* Each round is a bijection of `bits` bits; walk the cycle until it lands below count. */
    do {
        for (int round = 0; round < 4; round++) {
            index = (index * multiplier + offset) & mask;
            index ^= index >> half;
            index = (index * 0x9e3779b1u) & mask;
            index ^= index >> (half > 1 ? half - 1 : 1);
            offset = offset * 0x85ebca6bu + 0x27d4eb2fu;
        }
        offset = (uint32_t)(key >> 32);
    } while (index >= count);
    return index;
}
