/*
 * The reduction unit of Tofu's barrier interface: sums of doubles that do not depend on the order.
 *
 * Of it the paper says (TOFU, "Integrated collective function"): "It converts a double-precision
 * floating-point number into two 160-bit floating-point data to obtain the same result at all nodes
 * with a single barrier synchronization sequence." The format of these data is not public. The one
 * below is ours (assumed): it has the published size and does what is claimed.
 *
 * The bits that a double can have, from 2^-1074 to 2^1023, are cut into 19 bins of 112 bits each,
 * always at the same places; bin 0 begins at 2^-1074. A 160-bit number is
 *
 *   byte 0   flags: what has been seen so far; of the lower number 0
 *        1   the bin
 *     2-19   a mantissa in units of the bin's lowest bit: 144 bits in two's complement, lowest byte
 *            first. 112 of them are the bin's; 32 are for carries and the sign
 *
 * and a sum is two of them, the higher one first, of two bins in succession:
 *
 *            bin b + 1           bin b
 *      ├────────────────────┼────────────────────┤ 0 0 0 ...
 *              ├ a double ┤                           53 bits, in at most two bins
 *
 * The window of an addend is the bin of its leading bit and the one below; for bin 0, which has
 * none below, it is bins 1 and 0. When two sums meet, the higher window stays, each of its bins
 * gets what the other sum has in it, and bins below are dropped.
 *
 * So the window is that of the largest addend, whatever cancels later, and holds the sum over all
 * addends of their bits in its two bins: nothing that a sum has dropped lies in a higher window.
 * These are sums of integers, and carries stay in the mantissa of their bin; all orders and
 * groupings therefore give the same 320 bits. Rounding happens once, at the end. 2^31 addends fit;
 * with more, mantissas may wrap, in all orders alike.
 *
 * How accurate it is:
 * - A sum is the exact one, rounded to the nearest (ties to even), if no addend has a bit below the
 *   window. That is so if all bits of all addends are at most 112 places below the leading bit of
 *   the largest; up to 223, where that is the highest bit of its bin; always, below 2^-850.
 * - Otherwise each addend is cut, towards zero, at the window's end, and loses less than 2^-112 of
 *   the largest. A sum that cancels further keeps nothing: 1e300 + 1 - 1e300 = 0. A tie that only
 *   lost bits would break goes to even.
 * - Partial sums do not overflow: DBL_MAX + DBL_MAX - DBL_MAX = DBL_MAX.
 *
 * What is no number, or infinities of both signs, make a NaN (the positive, quiet one without a
 * payload); a sum is -0 if all addends are, and 0 if it is zero otherwise.
 *
 * Integers, and maxima and minima of doubles, need no such format: alu_combine() combines them as
 * operands of 8 bytes, from images that message/reduce.h makes. Their order is one of all bit
 * patterns, so these do not depend on who is first, either: -NaN, -infinity, ..., -0, 0, ...,
 * infinity, NaN.
 */
#ifndef WEFT_NODE_TNI_SUM_H
#define WEFT_NODE_TNI_SUM_H

#include <stdbool.h>
#include <stdint.h>

enum { TOFU_SUM_BYTES = 40, TOFU_SUM_WORDS = 3 };

enum tofu_seen {
    TOFU_SEEN_NAN = 1,
    TOFU_SEEN_INFINITY = 2,
    TOFU_SEEN_MINUS_INFINITY = 4,
    TOFU_SEEN_MORE = 8, /* anything but -0 */
};

/* A sum at work; {0} is that of nothing, -0. Mantissas are words, the lowest first; the sign of 144
 * bits fills the last one. */
struct tofu_sum {
    uint64_t high[TOFU_SUM_WORDS], low[TOFU_SUM_WORDS];
    uint8_t bin;  /* of the lower number, 0..17 */
    uint8_t seen; /* enum tofu_seen */
};

struct tofu_sum tofu_sum_of(double x);

/* They may be the same. */
void tofu_sum_add(struct tofu_sum *into, const struct tofu_sum *other);

double tofu_sum_value(const struct tofu_sum *sum);

/* The two numbers as they travel. What unpacks packs into the same bytes again; false: no sum has
 * such bytes. */
void tofu_sum_pack(const struct tofu_sum *sum, unsigned char bytes[TOFU_SUM_BYTES]);
bool tofu_sum_unpack(const unsigned char bytes[TOFU_SUM_BYTES], struct tofu_sum *sum);

#endif
