/* Operations on basic elements; sums and products of integers wrap. */
#include "mpi/object/type.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

typedef void combine_function(enum op_kind kind, const void *in, void *inout, int64_t count);

/* ---- which are defined ---- */

const char *op_name(enum op_kind kind)
{
    static const char *const names[] = {
        [OP_SUM] = "sum",         [OP_MIN] = "min",       [OP_MAX] = "max",
        [OP_PROD] = "prod",       [OP_BAND] = "band",     [OP_BOR] = "bor",
        [OP_BXOR] = "bxor",       [OP_LAND] = "land",     [OP_LOR] = "lor",
        [OP_LXOR] = "lxor",       [OP_MINLOC] = "minloc", [OP_MAXLOC] = "maxloc",
        [OP_REPLACE] = "replace", [OP_NO_OP] = "no_op"};
    return names[kind];
}

bool op_is_defined(enum op_kind kind, const struct type *t)
{
    bool integer = t->basic == BASIC_SIGNED || t->basic == BASIC_UNSIGNED;
    switch (kind) {
    case OP_MIN:
    case OP_MAX:
        return integer || t->basic == BASIC_FLOAT;
    case OP_SUM:
    case OP_PROD:
        return integer || t->basic == BASIC_FLOAT || t->basic == BASIC_COMPLEX;
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
        return integer || t->basic == BASIC_BYTE;
    case OP_LAND:
    case OP_LOR:
    case OP_LXOR:
        return integer || t->basic == BASIC_LOGICAL;
    case OP_MINLOC:
    case OP_MAXLOC:
        return t->basic == BASIC_PAIR;
    case OP_REPLACE:
    case OP_NO_OP:
        return true;
    default:
        return false;
    }
}

/* ---- numbers ---- */

#define EACH(TYPE, EXPRESSION)                                                                     \
    for (int64_t i = 0; i < count; i++) {                                                          \
        TYPE x = a[i], y = b[i];                                                                   \
        b[i] = (TYPE)(EXPRESSION);                                                                 \
    }                                                                                              \
    break

/* WIDE: in which sums and products wrap instead of being undefined. */
#define INTEGER(NAME, TYPE, WIDE)                                                                  \
    static void NAME(enum op_kind kind, const void *in, void *inout, int64_t count)                \
    {                                                                                              \
        const TYPE *a = in;                                                                        \
        TYPE *b = inout;                                                                           \
        switch (kind) {                                                                            \
        case OP_SUM:                                                                               \
            EACH(TYPE, (WIDE)x + (WIDE)y);                                                         \
        case OP_PROD:                                                                              \
            EACH(TYPE, (WIDE)x *(WIDE)y);                                                          \
        case OP_MIN:                                                                               \
            EACH(TYPE, x < y ? x : y);                                                             \
        case OP_MAX:                                                                               \
            EACH(TYPE, x > y ? x : y);                                                             \
        case OP_BAND:                                                                              \
            EACH(TYPE, x &y);                                                                      \
        case OP_BOR:                                                                               \
            EACH(TYPE, x | y);                                                                     \
        case OP_BXOR:                                                                              \
            EACH(TYPE, x ^ y);                                                                     \
        case OP_LAND:                                                                              \
            EACH(TYPE, x &&y);                                                                     \
        case OP_LOR:                                                                               \
            EACH(TYPE, x || y);                                                                    \
        case OP_LXOR:                                                                              \
            EACH(TYPE, !x != !y);                                                                  \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
    }

#define FLOATING(NAME, TYPE)                                                                       \
    static void NAME(enum op_kind kind, const void *in, void *inout, int64_t count)                \
    {                                                                                              \
        const TYPE *a = in;                                                                        \
        TYPE *b = inout;                                                                           \
        switch (kind) {                                                                            \
        case OP_SUM:                                                                               \
            EACH(TYPE, x + y);                                                                     \
        case OP_PROD:                                                                              \
            EACH(TYPE, x *y);                                                                      \
        case OP_MIN:                                                                               \
            EACH(TYPE, x < y ? x : y);                                                             \
        case OP_MAX:                                                                               \
            EACH(TYPE, x > y ? x : y);                                                             \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
    }

#define COMPLEX(NAME, TYPE)                                                                        \
    static void NAME(enum op_kind kind, const void *in, void *inout, int64_t count)                \
    {                                                                                              \
        const TYPE *a = in;                                                                        \
        TYPE *b = inout;                                                                           \
        switch (kind) {                                                                            \
        case OP_SUM:                                                                               \
            EACH(TYPE, x + y);                                                                     \
        case OP_PROD:                                                                              \
            EACH(TYPE, x *y);                                                                      \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
    }

INTEGER(combine_i8, int8_t, uint32_t)
INTEGER(combine_i16, int16_t, uint32_t)
INTEGER(combine_i32, int32_t, uint32_t)
INTEGER(combine_i64, int64_t, uint64_t)
INTEGER(combine_u8, uint8_t, uint32_t)
INTEGER(combine_u16, uint16_t, uint32_t)
INTEGER(combine_u32, uint32_t, uint32_t)
INTEGER(combine_u64, uint64_t, uint64_t)
FLOATING(combine_f, float)
FLOATING(combine_d, double)
FLOATING(combine_l, long double)
COMPLEX(combine_cf, float complex)
COMPLEX(combine_cd, double complex)
COMPLEX(combine_cl, long double complex)

static combine_function *function_of(const struct type *t)
{
    switch (t->basic) {
    case BASIC_SIGNED:
    case BASIC_LOGICAL:
        return t->size == 1   ? combine_i8
               : t->size == 2 ? combine_i16
               : t->size == 4 ? combine_i32
                              : combine_i64;
    case BASIC_FLOAT:
        return t->size == 4 ? combine_f : t->size == 8 ? combine_d : combine_l;
    case BASIC_COMPLEX:
        return t->size == 8 ? combine_cf : t->size == 16 ? combine_cd : combine_cl;
    default:
        return t->size == 1   ? combine_u8
               : t->size == 2 ? combine_u16
               : t->size == 4 ? combine_u32
                              : combine_u64;
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

void op_apply(enum op_kind kind, const struct type *t, const void *in, void *inout, int64_t count)
{
    if (kind == OP_REPLACE)
        memcpy(inout, in, (size_t)(count * t->extent));
    else if (t->basic == BASIC_PAIR && kind != OP_NO_OP)
        combine_pairs(kind, t, in, inout, count);
    else if (kind != OP_NO_OP)
        function_of(t)(kind, in, inout, count);
}

/* ---- operations as programs have them ---- */

#define PREDEFINED(KIND)                                                                           \
    [KIND] = {.kind = KIND, .commutes = (KIND) != OP_REPLACE, .predefined = true, .handle = KIND}

static struct op predefined[] = {
    PREDEFINED(OP_SUM),     PREDEFINED(OP_MIN),   PREDEFINED(OP_MAX),    PREDEFINED(OP_PROD),
    PREDEFINED(OP_BAND),    PREDEFINED(OP_BOR),   PREDEFINED(OP_BXOR),   PREDEFINED(OP_LAND),
    PREDEFINED(OP_LOR),     PREDEFINED(OP_LXOR),  PREDEFINED(OP_MINLOC), PREDEFINED(OP_MAXLOC),
    PREDEFINED(OP_REPLACE), PREDEFINED(OP_NO_OP),
};
enum { PREDEFINED_END = sizeof(predefined) / sizeof(predefined[0]) };

struct op *op_predefined(uintptr_t handle)
{
    bool known = handle < PREDEFINED_END && predefined[handle].predefined;
    return known ? &predefined[handle] : NULL;
}

void op_release(struct op *op)
{
    if (op && !op->predefined && --op->holders == 0)
        free(op);
}

void op_combine(const struct op *op, const struct type *t, const void *in, void *inout,
                int64_t count)
{
    if (op->kind) {
        const struct type *basic = type_basic(t);
        int64_t each = basic->size ? t->size / basic->size : 0;
        op_apply((enum op_kind)op->kind, basic, in, inout, count * each);
        return;
    }
    int length = (int)count;
    MPI_Datatype handle = (MPI_Datatype)t->handle;
    op->function((void *)in, inout, &length, &handle);
}
