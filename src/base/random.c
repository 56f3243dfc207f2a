/* The longer draws: exponential numbers and Pareto's, computed permutations. */
#include "base/random.h"

#define LN_2 0.69314718055994530942

/* Half of ln m, for 1 <= m < 2. */
static double half_logarithm(double mantissa)
{
    double z = (mantissa - 1) / (mantissa + 1), zz = z * z;
    double series = 0;
    for (int term = 21; term >= 1; term -= 2)
        series = series * zz + 1.0 / term;
    return z * series;
}

double random_exponential(uint64_t draw)
{
    /* u = mantissa * 2^-exponent in (0, 1]; -ln u = exponent ln 2 - ln mantissa, 1 <= m < 2. */
    uint64_t bits = (draw >> 11) | 1;
    int shift = __builtin_clzll(bits) - 11;
    double mantissa = (double)(bits << shift) / 4503599627370496.0; /* 2^52 */
    return (shift + 1) * LN_2 - 2 * half_logarithm(mantissa);
}

double random_logarithm(double value)
{
    int halved = 0;
    for (; value >= 2; value /= 2)
        halved++;
    return halved * LN_2 + 2 * half_logarithm(value);
}

/* u^(-1/shape) = e^(-ln u / shape) */
double random_pareto(uint64_t draw, double shape)
{
    double power = random_exponential(draw) / shape, series = 1, two = 1;
    unsigned halves = (unsigned)(power / LN_2);
    double rest = power - halves * LN_2;
    for (int term = 20; term >= 1; term--)
        series = 1 + series * rest / term;
    while (halves-- > 0)
        two *= 2;
    return series * two;
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
