/* Operations on basic elements; sums and products of integers wrap. */
#include "mpi/object/type.h"

#include <limits.h>
#include <complex.h>
#include <stdlib.h>
#include <string.h>

typedef void combine_function(enum op_kind kind, const void *in, void *inout, int64_t count);

/* ---- the operations, and the basic types that they are defined for ---- */

enum {
    INTEGERS = 1 << BASIC_SIGNED | 1 << BASIC_UNSIGNED,
    REALS = INTEGERS | 1 << BASIC_FLOAT,
    NUMBERS = REALS | 1 << BASIC_COMPLEX,
    BITS = INTEGERS | 1 << BASIC_BYTE,
    TRUTHS = INTEGERS | 1 << BASIC_LOGICAL,
    PAIRS = 1 << BASIC_PAIR,
    ANYTHING = -1,
};

#define ROW(KIND, NAME, BASICS)                                                                    \
    [KIND] = {                                                                                     \
        NAME,                                                                                      \
        BASICS,                                                                                    \
        {.kind = KIND, .commutes = (KIND) != OP_REPLACE, .predefined = true, .handle = KIND}}

static struct {
    const char *name;
    int basics;
    struct op op;
} predefined[] = {
    ROW(OP_SUM, "sum", NUMBERS),
    ROW(OP_MIN, "min", REALS),
    ROW(OP_MAX, "max", REALS),
    ROW(OP_PROD, "prod", NUMBERS),
    ROW(OP_BAND, "band", BITS),
    ROW(OP_BOR, "bor", BITS),
    ROW(OP_BXOR, "bxor", BITS),
    ROW(OP_LAND, "land", TRUTHS),
    ROW(OP_LOR, "lor", TRUTHS),
    ROW(OP_LXOR, "lxor", TRUTHS),
    ROW(OP_MINLOC, "minloc", PAIRS),
    ROW(OP_MAXLOC, "maxloc", PAIRS),
    ROW(OP_REPLACE, "replace", ANYTHING),
    ROW(OP_NO_OP, "no_op", ANYTHING),
};
enum { PREDEFINED_END = sizeof(predefined) / sizeof(predefined[0]) };

struct op *op_predefined(uintptr_t handle)
{
    return handle < PREDEFINED_END && predefined[handle].name ? &predefined[handle].op : NULL;
}

const char *op_name(enum op_kind kind)
{
    return predefined[kind].name;
}

/* MPI leaves characters out, but MPICH and Open MPI take MPI_CHAR for a small integer, and programs
 * rely on it. */
bool op_is_defined(enum op_kind kind, const struct type *t)
{
    bool small = t->basic == BASIC_CHARACTER && t->size == 1;
    return predefined[kind].basics >> (small ? BASIC_SIGNED : t->basic) & 1;
}

/* ---- numbers ---- */

#define EACH(KIND, TYPE, EXPRESSION)                                                               \
    case KIND:                                                                                     \
        for (int64_t i = 0; i < count; i++) {                                                      \
            TYPE x = a[i], y = b[i];                                                               \
            b[i] = (TYPE)(EXPRESSION);                                                             \
        }                                                                                          \
        break;

/* WIDE: in which sums and products of integers wrap instead of being undefined. */
#define SUMS(TYPE, WIDE)                                                                           \
    EACH(OP_SUM, TYPE, (WIDE)x + (WIDE)y)                                                          \
    EACH(OP_PROD, TYPE, (WIDE)x *(WIDE)y)
#define REAL(TYPE, WIDE)                                                                           \
    SUMS(TYPE, WIDE)                                                                               \
    EACH(OP_MIN, TYPE, x < y ? x : y)                                                              \
    EACH(OP_MAX, TYPE, x > y ? x : y)
#define INTEGER(TYPE, WIDE)                                                                        \
    REAL(TYPE, WIDE)                                                                               \
    EACH(OP_BAND, TYPE, x &y)                                                                      \
    EACH(OP_BOR, TYPE, x | y)                                                                      \
    EACH(OP_BXOR, TYPE, x ^ y)                                                                     \
    EACH(OP_LAND, TYPE, x &&y)                                                                     \
    EACH(OP_LOR, TYPE, x || y)                                                                     \
    EACH(OP_LXOR, TYPE, !x != !y)

#define COMBINE(NAME, TYPE, CASES)                                                                 \
    static void NAME(enum op_kind kind, const void *in, void *inout, int64_t count)                \
    {                                                                                              \
        const TYPE *a = in;                                                                        \
        TYPE *b = inout;                                                                           \
        switch ((int)kind) { /* others are not defined for the type */                             \
            CASES                                                                                  \
        }                                                                                          \
    }
COMBINE(combine_i8, int8_t, INTEGER(int8_t, uint32_t))
COMBINE(combine_i16, int16_t, INTEGER(int16_t, uint32_t))
COMBINE(combine_i32, int32_t, INTEGER(int32_t, uint32_t))
COMBINE(combine_i64, int64_t, INTEGER(int64_t, uint64_t))
COMBINE(combine_u8, uint8_t, INTEGER(uint8_t, uint32_t))
COMBINE(combine_u16, uint16_t, INTEGER(uint16_t, uint32_t))
COMBINE(combine_u32, uint32_t, INTEGER(uint32_t, uint32_t))
COMBINE(combine_u64, uint64_t, INTEGER(uint64_t, uint64_t))
COMBINE(combine_f, float, REAL(float, float))
COMBINE(combine_d, double, REAL(double, double))
COMBINE(combine_l, long double, REAL(long double, long double))
COMBINE(combine_cf, float complex, SUMS(float complex, float complex))
COMBINE(combine_cd, double complex, SUMS(double complex, double complex))
COMBINE(combine_cl, long double complex, SUMS(long double complex, long double complex))

/* The function for elements of so many bytes, 1 to 32 by powers of two. */
static combine_function *function_of(const struct type *t)
{
    static combine_function *const is_signed[] = {combine_i8, combine_i16, combine_i32,
                                                  combine_i64};
    static combine_function *const is_unsigned[] = {combine_u8, combine_u16, combine_u32,
                                                    combine_u64};
    unsigned power = (unsigned)__builtin_ctzll((uint64_t)t->size);
    switch (t->basic) {
    case BASIC_SIGNED:
    case BASIC_LOGICAL:
    case BASIC_CHARACTER:
        return is_signed[power];
    case BASIC_FLOAT:
        return power == 2 ? combine_f : power == 3 ? combine_d : combine_l;
    case BASIC_COMPLEX:
        return power == 3 ? combine_cf : power == 4 ? combine_cd : combine_cl;
    default:
        return is_unsigned[power];
    }
}

/* ---- values and places ---- */

/* Compares values: -1, 0, 1; and places, of which the lower one wins. */
static int compare(const struct type *t, const void *a, const void *b)
{
#define COMPARE(TYPE)                                                                              \
    do {                                                                                           \
        TYPE x, y;                                                                                 \
        memcpy(&x, a, sizeof(x));                                                                  \
        memcpy(&y, b, sizeof(y));                                                                  \
        return x < y ? -1 : x > y;                                                                 \
    } while (0)
    if (t->basic == BASIC_FLOAT && t->size == 4)
        COMPARE(float);
    if (t->basic == BASIC_FLOAT && t->size == 8)
        COMPARE(double);
    if (t->basic == BASIC_FLOAT)
        COMPARE(long double);
    if (t->size == 2)
        COMPARE(int16_t);
    if (t->size == 4)
        COMPARE(int32_t);
    COMPARE(int64_t);
#undef COMPARE
}

static void combine_pairs(enum op_kind kind, const struct type *t, const unsigned char *in,
                          unsigned char *inout, int64_t count)
{
    const struct type *value = t->block[0].child, *place = t->block[1].child;
    int64_t at = t->block[1].at;
    for (int64_t i = 0; i < count; i++, in += t->extent, inout += t->extent) {
        int order = compare(value, in, inout);
        bool better = kind == OP_MINLOC ? order < 0 : order > 0;
        if (better || (order == 0 && compare(place, in + at, inout + at) < 0)) {
            memcpy(inout, in, (size_t)value->size);
            memcpy(inout + at, in + at, (size_t)place->size);
        }
    }
}

/* ---- operations as programs have them ---- */

void op_release(struct op *op)
{
    if (op && !op->predefined && --op->holders == 0)
        free(op);
}

/* A function of the program that counts by ints gets as many elements as they can count. */
static void call_own(const struct op *op, const struct type *t, const unsigned char *in,
                     unsigned char *inout, MPI_Count count)
{
    MPI_Datatype handle = (MPI_Datatype)t->handle;
    if (op->large)
        op->large((void *)in, inout, &count, &handle);
    while (!op->large && count > 0) {
        int length = count > INT_MAX ? INT_MAX : (int)count;
        op->function((void *)in, inout, &length, &handle);
        in += length * t->extent;
        inout += length * t->extent;
        count -= length;
    }
}

void op_combine(const struct op *op, const struct type *t, const void *in, void *inout,
                int64_t count)
{
    enum op_kind kind = (enum op_kind)op->kind;
    if (!kind) {
        call_own(op, t, in, inout, count);
        return;
    }
    const struct type *basic = type_basic(t); /* whose elements follow each other an extent apart */
    count *= basic->size ? t->size / basic->size : 0;
    if (kind == OP_REPLACE)
        memcpy(inout, in, (size_t)(count * basic->extent));
    else if (basic->basic == BASIC_PAIR && kind != OP_NO_OP)
        combine_pairs(kind, basic, in, inout, count);
    else if (kind != OP_NO_OP)
        function_of(basic)(kind, in, inout, count);
}
