/* Elements, and their images for the ALU of a tree. */
#include "message/reduce.h"

#include <math.h>
#include <string.h>

/* ---- in software ---- */

/* An unsigned number whose order is that of the elements. */
static uint64_t image_of(weft_type type, uint64_t bits)
{
    const uint64_t sign = 1ull << 63;
    switch (type) {
    case WEFT_INT32:
        return bits ^ 1u << 31;
    case WEFT_INT64:
        return bits ^ sign;
    case WEFT_DOUBLE:
        return bits & sign ? ~bits : bits | sign;
    default:
        return bits;
    }
}

#define BITS(a, b)                                                                                 \
    (operation == WEFT_AND ? (a) & (b) : operation == WEFT_OR ? (a) | (b) : (a) ^ (b))

/* Sums wrap, those of signed integers too. */
#define COMBINE_INTEGERS(type, unsigned_type)                                                      \
    static void combine_##type(weft_operation operation, void *into, const void *from,             \
                               size_t count)                                                       \
    {                                                                                              \
        type *mine = into;                                                                         \
        const type *other = from;                                                                  \
        for (size_t i = 0; i < count; i++)                                                         \
            if (operation == WEFT_SUM)                                                             \
                mine[i] = (type)((unsigned_type)mine[i] + (unsigned_type)other[i]);                \
            else if (operation <= WEFT_MIN)                                                        \
                mine[i] = (mine[i] < other[i]) == (operation == WEFT_MAX) ? other[i] : mine[i];    \
            else                                                                                   \
                mine[i] = (type)BITS((unsigned_type)mine[i], (unsigned_type)other[i]);             \
    }

COMBINE_INTEGERS(int32_t, uint32_t)
COMBINE_INTEGERS(uint32_t, uint32_t)
COMBINE_INTEGERS(int64_t, uint64_t)
COMBINE_INTEGERS(uint64_t, uint64_t)

/* Maxima and minima are those of images, so that -0, 0 and what is no number have an order, too. */
static void combine_double(weft_operation operation, void *into, const void *from, size_t count)
{
    double *mine = into;
    const double *other = from;
    for (size_t i = 0; i < count; i++) {
        uint64_t a, b;
        memcpy(&a, &mine[i], sizeof(a));
        memcpy(&b, &other[i], sizeof(b));
        bool less = image_of(WEFT_DOUBLE, a) < image_of(WEFT_DOUBLE, b);
        if (operation == WEFT_SUM)
            mine[i] += other[i];
        else if (less == (operation == WEFT_MAX))
            mine[i] = other[i];
    }
}

static const struct {
    size_t size;
    void (*combine)(weft_operation operation, void *into, const void *from, size_t count);
} types[] = {
    [WEFT_INT32] = {4, combine_int32_t}, [WEFT_UINT32] = {4, combine_uint32_t},
    [WEFT_INT64] = {8, combine_int64_t}, [WEFT_UINT64] = {8, combine_uint64_t},
    [WEFT_DOUBLE] = {8, combine_double},
};

size_t reduce_size(weft_type type)
{
    return (size_t)type < sizeof(types) / sizeof(types[0]) ? types[type].size : 0;
}

bool reduce_is(weft_type type, weft_operation operation)
{
    bool known = reduce_size(type) && (unsigned)operation <= WEFT_XOR;
    return known && (type != WEFT_DOUBLE || operation <= WEFT_MIN);
}

void reduce_combine(weft_type type, weft_operation operation, void *mine, const void *other,
                    size_t count)
{
    types[type].combine(operation, mine, other, count);
}

/* ---- on a tree ---- */

enum nic_operation reduce_on_tree(weft_type type, weft_operation operation)
{
    static const enum nic_operation with[] = {
        [WEFT_SUM] = OPERATION_ADD, [WEFT_MAX] = OPERATION_MAX, [WEFT_MIN] = OPERATION_MAX,
        [WEFT_AND] = OPERATION_AND, [WEFT_OR] = OPERATION_OR,   [WEFT_XOR] = OPERATION_XOR};
    return type == WEFT_DOUBLE && operation == WEFT_SUM ? OPERATION_NONE : with[operation];
}

static uint64_t element_of(weft_type type, uint64_t image)
{
    const uint64_t sign = 1ull << 63;
    if (type == WEFT_DOUBLE)
        return image & sign ? image & ~sign : ~image;
    return image_of(type, image);
}

static void turn(weft_type type, weft_operation operation, void *data, size_t count,
                 uint64_t (*image)(weft_type, uint64_t), bool back)
{
    size_t size = reduce_size(type);
    unsigned char *at = data;
    if (operation != WEFT_MAX && operation != WEFT_MIN)
        return;
    for (size_t i = 0; i < count; i++, at += size) {
        uint64_t bits = 0;
        memcpy(&bits, at, size);
        bits = back && operation == WEFT_MIN ? ~bits : bits;
        bits = image(type, size == 4 ? (uint32_t)bits : bits);
        bits = !back && operation == WEFT_MIN ? ~bits : bits;
        memcpy(at, &bits, size);
    }
}

bool reduce_turns(weft_type type, weft_operation operation)
{
    bool is_unsigned = type == WEFT_UINT32 || type == WEFT_UINT64;
    return operation == WEFT_MIN || (operation == WEFT_MAX && !is_unsigned);
}

void reduce_to_tree(weft_type type, weft_operation operation, void *data, size_t count)
{
    turn(type, operation, data, count, image_of, false);
}

void reduce_from_tree(weft_type type, weft_operation operation, void *data, size_t count)
{
    turn(type, operation, data, count, element_of, true);
}

/* ---- sums of floating-point numbers ---- */

/* Exponents are above 0, that of 0 is 0; what is infinite, or no number, has the last one. */
enum { EXPONENT_BIAS = 2048, EXPONENT_LAST = UINT16_MAX };

/* With that one, a mantissa counts: how often infinity and minus infinity occur; what is no number
 * is both. */
enum { COUNT_BITS = 32 };

void reduce_exponents(const double *data, uint16_t *exponent, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int power;
        (void)frexp(data[i], &power);
        exponent[i] = !isfinite(data[i]) ? EXPONENT_LAST
                      : data[i] == 0     ? 0
                                         : (uint16_t)(power + EXPONENT_BIAS);
    }
}

/* Bits by which a number with a common exponent is shifted, so that sums of all fit. */
static int shift_of(uint16_t exponent, uint32_t processes)
{
    int carries = 0;
    while (1ull << carries < processes)
        carries++;
    return 62 - carries - ((int)exponent - EXPONENT_BIAS);
}

void reduce_mantissas(const double *data, const uint16_t *exponent, uint32_t processes,
                      uint64_t *mantissa, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t finite = isfinite(data[i]), plus = !finite && !(data[i] < 0);
        uint64_t minus = !finite && !(data[i] > 0);
        mantissa[i] = exponent[i] == EXPONENT_LAST
                          ? plus | minus << COUNT_BITS
                          : (uint64_t)llrint(ldexp(data[i], shift_of(exponent[i], processes)));
    }
}

void reduce_sums(const uint64_t *mantissa, const uint16_t *exponent, uint32_t processes,
                 double *data, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool plus = (uint32_t)mantissa[i], minus = mantissa[i] >> COUNT_BITS;
        data[i] = exponent[i] != EXPONENT_LAST
                      ? ldexp((double)(int64_t)mantissa[i], -shift_of(exponent[i], processes))
                  : plus && minus ? NAN
                  : plus          ? INFINITY
                                  : -INFINITY;
    }
}
