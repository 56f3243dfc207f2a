/* Every predefined operation on every type of integers, and on characters. */
#include "check.h"
#include <stdint.h>

enum { COUNT = 3, OPS = 10 };

static const char *const names[OPS] = {"sum",         "product",    "maximum",     "minimum",
                                       "logical and", "logical or", "logical xor", "and",
                                       "or",          "xor"};

/* Small, so that sums fit into a byte with its sign: 0 or 1 but for a few. */
static long long term(int who, int i)
{
    return i == 0 ? who % 2 : i == 1 ? who < 3 : 1 + (who == 1);
}

static long long combine(int op, long long a, long long b)
{
    switch (op) {
    case 0:
        return a + b;
    case 1:
        return a * b;
    case 2:
        return a > b ? a : b;
    case 3:
        return a < b ? a : b;
    case 4:
        return a && b;
    case 5:
        return a || b;
    case 6:
        return !a != !b;
    case 7:
        return a & b;
    case 8:
        return a | b;
    default:
        return a ^ b;
    }
}

static long long expected(int op, int i)
{
    long long result = term(0, i);
    if (size == 1)
        return result;
    for (int who = 1; who < size; who++)
        result = combine(op, result, term(who, i));
    return result;
}

static MPI_Op operation(int op)
{
    MPI_Op ops[OPS] = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,
                       MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
    return ops[op];
}

#define CHECK(c_type)                                                                              \
    static void check_##c_type(MPI_Datatype mpi)                                                   \
    {                                                                                              \
        for (int op = 0; op < OPS; op++) {                                                         \
            c_type out[COUNT], in[COUNT];                                                          \
            for (int i = 0; i < COUNT; i++)                                                        \
                out[i] = (c_type)term(rank, i);                                                    \
            MPI_Allreduce(out, in, COUNT, mpi, operation(op), MPI_COMM_WORLD);                     \
            for (int i = 0; i < COUNT; i++)                                                        \
                expect(names[op], (long long)(c_type)expected(op, i), (long long)in[i]);           \
        }                                                                                          \
    }

typedef signed char signed_char;
typedef unsigned char unsigned_char;
typedef unsigned short unsigned_short;
typedef unsigned long unsigned_long;
typedef long long long_long;
typedef unsigned long long unsigned_long_long;

CHECK(char)
CHECK(signed_char)
CHECK(unsigned_char)
CHECK(short)
CHECK(unsigned_short)
CHECK(int)
CHECK(unsigned)
CHECK(long)
CHECK(unsigned_long)
CHECK(long_long)
CHECK(unsigned_long_long)
CHECK(int8_t)
CHECK(int16_t)
CHECK(int32_t)
CHECK(int64_t)
CHECK(uint8_t)
CHECK(uint16_t)
CHECK(uint32_t)
CHECK(uint64_t)

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    check_char(MPI_CHAR);
    check_char(MPI_CHARACTER);
    check_signed_char(MPI_SIGNED_CHAR);
    check_unsigned_char(MPI_UNSIGNED_CHAR);
    check_short(MPI_SHORT);
    check_unsigned_short(MPI_UNSIGNED_SHORT);
    check_int(MPI_INT);
    check_unsigned(MPI_UNSIGNED);
    check_long(MPI_LONG);
    check_unsigned_long(MPI_UNSIGNED_LONG);
    check_long_long(MPI_LONG_LONG);
    check_unsigned_long_long(MPI_UNSIGNED_LONG_LONG);
    check_int8_t(MPI_INT8_T);
    check_int16_t(MPI_INT16_T);
    check_int32_t(MPI_INT32_T);
    check_int64_t(MPI_INT64_T);
    check_uint8_t(MPI_UINT8_T);
    check_uint16_t(MPI_UINT16_T);
    check_uint32_t(MPI_UINT32_T);
    check_uint64_t(MPI_UINT64_T);
    return finish("op_integers");
}
