/*
 * Sums in two bins. Positions of bits count from that of 2^-1074, the lowest that a double has:
 * they are what a double's exponent says, less one. Integers only, so that no rounding mode
 * matters.
 */
#include "node/tni/sum.h"

#include <string.h>

enum {
    BIN_BITS = 112,
    LOWER_BINS = 18, /* bins with one above */
    WORDS = TOFU_SUM_WORDS,
    TOTAL_WORDS = 5, /* both mantissas in one: 256 bits, and a sign */
    NUMBER_BYTES = TOFU_SUM_BYTES / 2,
    MANTISSA_BYTES = NUMBER_BYTES - 2,
    FRACTION_BITS = 52, /* of a double; the leading bit is not stored */
    SEEN_ALL = 15,
};

static const uint64_t sign_bit = 1ull << 63, infinity = 0x7ffull << FRACTION_BITS,
                      not_a_number = 0xfffull << (FRACTION_BITS - 1);

/* ---- a double in two bins ---- */

static uint8_t seen_in(uint64_t bits)
{
    uint64_t size = bits & ~sign_bit;
    unsigned special = size > infinity    ? TOFU_SEEN_NAN
                       : size < infinity  ? 0
                       : bits == infinity ? TOFU_SEEN_INFINITY
                                          : TOFU_SEEN_MINUS_INFINITY;
    return (uint8_t)(special | (bits == sign_bit ? 0 : TOFU_SEEN_MORE));
}

static void set(uint64_t *mantissa, unsigned __int128 size, bool negative)
{
    unsigned __int128 value = negative ? -size : size;
    mantissa[0] = (uint64_t)value;
    mantissa[1] = (uint64_t)(value >> 64);
    mantissa[2] = negative && size ? UINT64_MAX : 0;
}

struct tofu_sum tofu_sum_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    uint64_t exponent = (bits & infinity) >> FRACTION_BITS;
    const unsigned __int128 in_bin = ((unsigned __int128)1 << BIN_BITS) - 1;
    unsigned __int128 digits = bits & ((1ull << FRACTION_BITS) - 1);
    struct tofu_sum sum = {.seen = seen_in(bits)};
    if (exponent == infinity >> FRACTION_BITS)
        return sum;
    if (exponent)
        digits |= 1ull << FRACTION_BITS;
    /* Subnormals have no leading bit there, but are in the lowest window all the same. */
    unsigned lowest = exponent ? (unsigned)exponent - 1 : 0;
    unsigned top = (lowest + FRACTION_BITS) / BIN_BITS;
    sum.bin = (uint8_t)(top ? top - 1 : 0);
    unsigned at = lowest - BIN_BITS * sum.bin; /* counted from the window's end */
    set(sum.low, at < BIN_BITS ? digits << at & in_bin : 0, bits & sign_bit);
    set(sum.high, at < BIN_BITS ? digits >> (BIN_BITS - at) : digits << (at - BIN_BITS),
        bits & sign_bit);
    return sum;
}

/* ---- two sums ---- */

/* The sign of `word`, of which 16 bits are left, in all of it. */
static uint64_t extended(uint64_t word)
{
    return (uint64_t)(int16_t)(uint16_t)word;
}

static void add(uint64_t *mine, const uint64_t *other)
{
    unsigned __int128 sum = 0; /* its upper half is the carry */
    for (unsigned i = 0; i < WORDS; i++) {
        sum = (sum >> 64) + mine[i] + other[i];
        mine[i] = (uint64_t)sum;
    }
    mine[WORDS - 1] = extended(mine[WORDS - 1]);
}

void tofu_sum_add(struct tofu_sum *into, const struct tofu_sum *other)
{
    bool rises = into->bin < other->bin;
    const struct tofu_sum *lower = rises ? into : other;
    struct tofu_sum sum = rises ? *other : *into;
    if (lower->bin == sum.bin) {
        add(sum.high, lower->high);
        add(sum.low, lower->low);
    } else if (lower->bin + 1 == sum.bin) {
        add(sum.low, lower->high);
    }
    sum.seen = into->seen | other->seen;
    *into = sum;
}

/* ---- rounding ---- */

/* A mantissa's word, and what two's complement has on either side. */
static uint64_t word(const uint64_t *mantissa, int i)
{
    if (i < 0)
        return 0;
    return i < WORDS ? mantissa[i] : mantissa[WORDS - 1] & sign_bit ? UINT64_MAX : 0;
}

static void total_of(const struct tofu_sum *sum, uint64_t *total)
{
    unsigned __int128 carry = 0;
    for (int i = 0; i < TOTAL_WORDS; i++) {
        uint64_t high =
            word(sum->high, i - 1) << (BIN_BITS - 64) | word(sum->high, i - 2) >> (128 - BIN_BITS);
        carry = (carry >> 64) + word(sum->low, i) + high;
        total[i] = (uint64_t)carry;
    }
}

static void negate(uint64_t *total)
{
    bool carry = true;
    for (int i = 0; i < TOTAL_WORDS; i++) {
        total[i] = ~total[i] + carry;
        carry = carry && !total[i];
    }
}

/* The position of the highest bit; -1: there is none. */
static int leading_bit(const uint64_t *total)
{
    for (int i = TOTAL_WORDS - 1; i >= 0; i--)
        if (total[i])
            return 64 * i + 63 - __builtin_clzll(total[i]);
    return -1;
}

static bool is_bit_below(const uint64_t *total, int end)
{
    uint64_t any = total[end / 64] & ((1ull << end % 64) - 1);
    for (int i = 0; i < end / 64; i++)
        any |= total[i];
    return any;
}

/* The total in units of bit `unit`, to the nearest, ties to even. It has at most 53 bits above. */
static uint64_t rounded(const uint64_t *total, int unit)
{
    if (unit <= 0)
        return total[0] << -unit;
    int i = unit / 64, half = unit - 1;
    unsigned __int128 words = (unsigned __int128)total[i + 1] << 64 | total[i];
    uint64_t whole = (uint64_t)(words >> unit % 64);
    bool at_least_half = total[half / 64] >> half % 64 & 1;
    return whole + (at_least_half && (is_bit_below(total, half) || whole & 1));
}

/* The leading bit, where there is one, adds one to the exponent; so does one that rounding makes.
 */
static uint64_t finite_bits(const struct tofu_sum *sum)
{
    uint64_t total[TOTAL_WORDS];
    total_of(sum, total);
    uint64_t sign = total[TOTAL_WORDS - 1] & sign_bit;
    if (sign)
        negate(total);
    int leading = leading_bit(total), window = BIN_BITS * sum->bin;
    if (leading < 0)
        return sum->seen & TOFU_SEEN_MORE ? 0 : sign_bit;
    int unit = window + leading - FRACTION_BITS;
    unit = unit < 0 ? 0 : unit;
    uint64_t bits = ((uint64_t)unit << FRACTION_BITS) + rounded(total, unit - window);
    return sign | (bits < infinity ? bits : infinity);
}

double tofu_sum_value(const struct tofu_sum *sum)
{
    bool plus = sum->seen & TOFU_SEEN_INFINITY, minus = sum->seen & TOFU_SEEN_MINUS_INFINITY;
    uint64_t bits = sum->seen & TOFU_SEEN_NAN || (plus && minus) ? not_a_number
                    : plus                                       ? infinity
                    : minus                                      ? infinity | sign_bit
                                                                 : finite_bits(sum);
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* ---- as it travels ---- */

static void pack(unsigned char *bytes, unsigned seen, unsigned bin, const uint64_t *mantissa)
{
    bytes[0] = (unsigned char)seen;
    bytes[1] = (unsigned char)bin;
    for (unsigned i = 0; i < MANTISSA_BYTES; i++)
        bytes[2 + i] = (unsigned char)(mantissa[i / 8] >> i % 8 * 8);
}

static void unpack(const unsigned char *bytes, uint64_t *mantissa)
{
    memset(mantissa, 0, WORDS * sizeof(*mantissa));
    for (unsigned i = 0; i < MANTISSA_BYTES; i++)
        mantissa[i / 8] |= (uint64_t)bytes[2 + i] << i % 8 * 8;
    mantissa[WORDS - 1] = extended(mantissa[WORDS - 1]);
}

void tofu_sum_pack(const struct tofu_sum *sum, unsigned char bytes[TOFU_SUM_BYTES])
{
    pack(bytes, sum->seen, sum->bin + 1, sum->high);
    pack(bytes + NUMBER_BYTES, 0, sum->bin, sum->low);
}

/* A sum of nothing but -0 has seen, and holds, nothing else. */
static bool is_possible(const struct tofu_sum *sum)
{
    uint64_t any = sum->seen | sum->bin;
    for (unsigned i = 0; i < WORDS; i++)
        any |= sum->high[i] | sum->low[i];
    bool exists = !(sum->seen & ~SEEN_ALL) && sum->bin < LOWER_BINS;
    return exists && (!any || sum->seen & TOFU_SEEN_MORE);
}

bool tofu_sum_unpack(const unsigned char bytes[TOFU_SUM_BYTES], struct tofu_sum *sum)
{
    const unsigned char *lower = bytes + NUMBER_BYTES;
    struct tofu_sum found = {.seen = bytes[0], .bin = lower[1]};
    unpack(bytes, found.high);
    unpack(lower, found.low);
    if (lower[0] || bytes[1] != lower[1] + 1 || !is_possible(&found))
        return false;
    *sum = found;
    return true;
}
