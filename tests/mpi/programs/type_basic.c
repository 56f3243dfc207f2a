/* Predefined types of C: their sizes, their names, and an array of each sent around. */
#include "check.h"
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

enum { COUNT = 9 };

struct basic {
    MPI_Datatype type;
    const char *name;
    size_t bytes;
};

static void ring(const struct basic *basic)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, bytes, count, length;
    unsigned char out[COUNT * 32], in[COUNT * 32];
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Status status;
    MPI_Type_size(basic->type, &bytes);
    expect(basic->name, (long long)basic->bytes, bytes);
    MPI_Type_get_name(basic->type, name, &length);
    expect_text("name", basic->name, name);
    expect("length of the name", (long long)strlen(basic->name), length);
    for (int i = 0; i < COUNT * bytes; i++)
        out[i] = (unsigned char)((rank + i) % 2); /* a truth value may be no more than one */
    memset(in, 9, sizeof(in));
    MPI_Sendrecv(out, COUNT, basic->type, next, 0, in, COUNT, basic->type, last, 0, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, basic->type, &count);
    expect("count", COUNT, count);
    for (int i = 0; i < COUNT * bytes; i++)
        expect(basic->name, (last + i) % 2, in[i]);
    expect("byte behind", 9, in[COUNT * bytes < (int)sizeof(in) ? COUNT * bytes : 0]);
}

#define BASIC(type, c_type)                                                                        \
    {                                                                                              \
        type, #type, sizeof(c_type)                                                                \
    }

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    const struct basic basics[] = {
        BASIC(MPI_CHAR, char),
        BASIC(MPI_SIGNED_CHAR, signed char),
        BASIC(MPI_UNSIGNED_CHAR, unsigned char),
        BASIC(MPI_BYTE, char),
        BASIC(MPI_WCHAR, wchar_t),
        BASIC(MPI_SHORT, short),
        BASIC(MPI_UNSIGNED_SHORT, unsigned short),
        BASIC(MPI_INT, int),
        BASIC(MPI_UNSIGNED, unsigned),
        BASIC(MPI_LONG, long),
        BASIC(MPI_UNSIGNED_LONG, unsigned long),
        BASIC(MPI_UNSIGNED_LONG_LONG, unsigned long long),
        BASIC(MPI_INT8_T, int8_t),
        BASIC(MPI_INT16_T, int16_t),
        BASIC(MPI_INT32_T, int32_t),
        BASIC(MPI_INT64_T, int64_t),
        BASIC(MPI_UINT8_T, uint8_t),
        BASIC(MPI_UINT16_T, uint16_t),
        BASIC(MPI_UINT32_T, uint32_t),
        BASIC(MPI_UINT64_T, uint64_t),
        BASIC(MPI_FLOAT, float),
        BASIC(MPI_DOUBLE, double),
        BASIC(MPI_C_BOOL, bool),
        BASIC(MPI_C_DOUBLE_COMPLEX, double complex),
        BASIC(MPI_AINT, MPI_Aint),
        BASIC(MPI_OFFSET, MPI_Offset),
        BASIC(MPI_COUNT, MPI_Count),
    };
    for (size_t i = 0; i < sizeof(basics) / sizeof(basics[0]); i++)
        ring(&basics[i]);
    return finish("type_basic");
}
