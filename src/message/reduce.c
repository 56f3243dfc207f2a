/* Elements, and their images for the ALU of a tree. */
#include "message/reduce.h"

#include <math.h>
#include <string.h>

/* ---- in software ---- */

size_t reduce_size(weft_type type)
{
    switch (type) {
    case WEFT_INT32:
    case WEFT_UINT32:
        return 4;
    case WEFT_INT64:
    case WEFT_UINT64:
    case WEFT_DOUBLE:
        return 8;
    }
    return 0;
}

bool reduce_is(weft_type type, weft_operation operation)
{
    bool known = reduce_size(type) && (unsigned)operation <= WEFT_XOR;
    return known && (type != WEFT_DOUBLE || operation <= WEFT_MIN);
}

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
    static void combine_##type(weft_operation operation, type *mine, const type *other,            \
                               size_t count)                                                       \
    {                                                                                              \
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
static void combine_double(weft_operation operation, double *mine, const double *other,
                           size_t count)
{
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

void reduce_combine(weft_type type, weft_operation operation, void *mine, const void *other,
                    size_t count)
{
    switch (type) {
    case WEFT_INT32:
        combine_int32_t(operation, mine, other, count);
        break;
    case WEFT_UINT32:
        combine_uint32_t(operation, mine, other, count);
        break;
    case WEFT_INT64:
        combine_int64_t(operation, mine, other, count);
        break;
    case WEFT_UINT64:
        combine_uint64_t(operation, mine, other, count);
        break;
    case WEFT_DOUBLE:
        combine_double(operation, mine, other, count);
        break;
    }
}

/* ---- on a tree ---- */

enum nic_operation reduce_on_tree(weft_type type, weft_operation operation)
{
    switch (operation) {
    case WEFT_SUM:
        return type == WEFT_DOUBLE ? OPERATION_NONE : OPERATION_ADD;
    case WEFT_AND:
        return OPERATION_AND;
    case WEFT_OR:
        return OPERATION_OR;
    case WEFT_XOR:
        return OPERATION_XOR;
    default:
        return OPERATION_MAX;
    }
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

static uint64_t special(double x)
{
    uint64_t plus = !isfinite(x) && !(x < 0), minus = !isfinite(x) && !(x > 0);
    return plus | minus << COUNT_BITS;
}

void reduce_mantissas(const double *data, const uint16_t *exponent, uint32_t processes,
                      uint64_t *mantissa, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mantissa[i] = exponent[i] == EXPONENT_LAST
                          ? special(data[i])
                          : (uint64_t)llrint(ldexp(data[i], shift_of(exponent[i], processes)));
}

static double special_sum(uint64_t counts)
{
    bool plus = (uint32_t)counts, minus = counts >> COUNT_BITS;
    return plus && minus ? NAN : plus ? INFINITY : -INFINITY;
}

void reduce_sums(const uint64_t *mantissa, const uint16_t *exponent, uint32_t processes,
                 double *data, size_t count)
{
    for (size_t i = 0; i < count; i++)
        data[i] = exponent[i] == EXPONENT_LAST
                      ? special_sum(mantissa[i])
                      : ldexp((double)(int64_t)mantissa[i], -shift_of(exponent[i], processes));
}
