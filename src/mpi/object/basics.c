/* Basic types, as C and Fortran have them on this computer. */
#include "mpi/object/type.h"

#include <stdio.h>
#include <wchar.h>

/* A type by the low byte of its handle. */
struct row {
    unsigned short handle;
    enum basic basic;
    unsigned char bytes, alignment;
    const char *name;
};

#define ROW(HANDLE, BASIC, TYPE, NAME)                                                             \
    {                                                                                              \
        HANDLE, BASIC, (unsigned char)sizeof(TYPE), (unsigned char)_Alignof(TYPE), "MPI_" NAME     \
    }

static const struct row rows[] = {
    ROW(0x201, BASIC_SIGNED, intptr_t, "AINT"),
    ROW(0x202, BASIC_SIGNED, int64_t, "COUNT"),
    ROW(0x203, BASIC_SIGNED, int64_t, "OFFSET"),
    ROW(0x207, BASIC_BYTE, char, "PACKED"),
    ROW(0x208, BASIC_SIGNED, short, "SHORT"),
    ROW(0x209, BASIC_SIGNED, int, "INT"),
    ROW(0x20a, BASIC_SIGNED, long, "LONG"),
    ROW(0x20b, BASIC_SIGNED, long long, "LONG_LONG_INT"),
    ROW(0x20c, BASIC_UNSIGNED, unsigned short, "UNSIGNED_SHORT"),
    ROW(0x20d, BASIC_UNSIGNED, unsigned, "UNSIGNED"),
    ROW(0x20e, BASIC_UNSIGNED, unsigned long, "UNSIGNED_LONG"),
    ROW(0x20f, BASIC_UNSIGNED, unsigned long long, "UNSIGNED_LONG_LONG"),
    ROW(0x210, BASIC_FLOAT, float, "FLOAT"),
    ROW(0x212, BASIC_COMPLEX, float _Complex, "C_COMPLEX"),
    ROW(0x213, BASIC_COMPLEX, float _Complex, "CXX_FLOAT_COMPLEX"),
    ROW(0x214, BASIC_FLOAT, double, "DOUBLE"),
    ROW(0x216, BASIC_COMPLEX, double _Complex, "C_DOUBLE_COMPLEX"),
    ROW(0x217, BASIC_COMPLEX, double _Complex, "CXX_DOUBLE_COMPLEX"),
    ROW(0x218, BASIC_LOGICAL, int, "LOGICAL"),
    ROW(0x219, BASIC_SIGNED, int, "INTEGER"),
    ROW(0x21a, BASIC_FLOAT, float, "REAL"),
    ROW(0x21b, BASIC_COMPLEX, float _Complex, "COMPLEX"),
    ROW(0x21c, BASIC_FLOAT, double, "DOUBLE_PRECISION"),
    ROW(0x21d, BASIC_COMPLEX, double _Complex, "DOUBLE_COMPLEX"),
    ROW(0x21e, BASIC_CHARACTER, char, "CHARACTER"),
    ROW(0x220, BASIC_FLOAT, long double, "LONG_DOUBLE"),
    ROW(0x224, BASIC_COMPLEX, long double _Complex, "C_LONG_DOUBLE_COMPLEX"),
    ROW(0x225, BASIC_COMPLEX, long double _Complex, "CXX_LONG_DOUBLE_COMPLEX"),
    ROW(0x238, BASIC_LOGICAL, _Bool, "C_BOOL"),
    ROW(0x239, BASIC_LOGICAL, _Bool, "CXX_BOOL"),
    ROW(0x23c, BASIC_CHARACTER, wchar_t, "WCHAR"),
    ROW(0x240, BASIC_SIGNED, int8_t, "INT8_T"),
    ROW(0x241, BASIC_UNSIGNED, uint8_t, "UINT8_T"),
    ROW(0x243, BASIC_CHARACTER, char, "CHAR"),
    ROW(0x244, BASIC_SIGNED, signed char, "SIGNED_CHAR"),
    ROW(0x245, BASIC_UNSIGNED, unsigned char, "UNSIGNED_CHAR"),
    ROW(0x247, BASIC_BYTE, unsigned char, "BYTE"),
    ROW(0x248, BASIC_SIGNED, int16_t, "INT16_T"),
    ROW(0x249, BASIC_UNSIGNED, uint16_t, "UINT16_T"),
    ROW(0x250, BASIC_SIGNED, int32_t, "INT32_T"),
    ROW(0x251, BASIC_UNSIGNED, uint32_t, "UINT32_T"),
    ROW(0x258, BASIC_SIGNED, int64_t, "INT64_T"),
    ROW(0x259, BASIC_UNSIGNED, uint64_t, "UINT64_T"),
    ROW(0x2c0, BASIC_LOGICAL, int8_t, "LOGICAL1"),
    ROW(0x2c1, BASIC_SIGNED, int8_t, "INTEGER1"),
    ROW(0x2c8, BASIC_LOGICAL, int16_t, "LOGICAL2"),
    ROW(0x2c9, BASIC_SIGNED, int16_t, "INTEGER2"),
    ROW(0x2d0, BASIC_LOGICAL, int32_t, "LOGICAL4"),
    ROW(0x2d1, BASIC_SIGNED, int32_t, "INTEGER4"),
    ROW(0x2d2, BASIC_FLOAT, float, "REAL4"),
    ROW(0x2d8, BASIC_LOGICAL, int64_t, "LOGICAL8"),
    ROW(0x2d9, BASIC_SIGNED, int64_t, "INTEGER8"),
    ROW(0x2da, BASIC_FLOAT, double, "REAL8"),
    ROW(0x2db, BASIC_COMPLEX, float _Complex, "COMPLEX8"),
    ROW(0x2e3, BASIC_COMPLEX, double _Complex, "COMPLEX16"),
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* A value and its place. */
static const struct pair {
    unsigned short handle, value, place;
    const char *name;
} pairs[] = {
    {0x228, 0x210, 0x209, "MPI_FLOAT_INT"}, {0x229, 0x214, 0x209, "MPI_DOUBLE_INT"},
    {0x22a, 0x20a, 0x209, "MPI_LONG_INT"},  {0x22b, 0x209, 0x209, "MPI_2INT"},
    {0x22c, 0x208, 0x209, "MPI_SHORT_INT"}, {0x22d, 0x220, 0x209, "MPI_LONG_DOUBLE_INT"},
    {0x230, 0x21a, 0x21a, "MPI_2REAL"},     {0x231, 0x21c, 0x21c, "MPI_2DOUBLE_PRECISION"},
    {0x232, 0x219, 0x219, "MPI_2INTEGER"},
};
enum { PAIRS = sizeof(pairs) / sizeof(pairs[0]) };

static struct type types[BASICS_END - BASICS_FIRST];
static struct type_block blocks[PAIRS][2];

static struct type *type_at(unsigned handle)
{
    return &types[handle - BASICS_FIRST];
}

/* A type whose elements have so many bytes, the last of which ends at `high`. */
static struct type *fill_type(unsigned short handle, const char *name, enum basic basic,
                              uint8_t alignment, int64_t bytes, int64_t high)
{
    struct type *t = type_at(handle);
    int64_t extent = (high + alignment - 1) / alignment * alignment;
    *t = (struct type){.holders = 1,
                       .basic = basic,
                       .predefined = true,
                       .committed = true,
                       .dense = bytes == extent,
                       .alignment = alignment,
                       .size = bytes,
                       .handle = handle,
                       .extent = extent,
                       .true_high = high};
    snprintf(t->name, sizeof(t->name), "%s", name);
    return t;
}

/* As C lays out a structure of both. */
static void fill_pair(const struct pair *p, struct type_block block[2])
{
    struct type *value = type_at(p->value), *place = type_at(p->place);
    int64_t at = (value->size + place->alignment - 1) / place->alignment * place->alignment;
    uint8_t alignment = value->alignment > place->alignment ? value->alignment : place->alignment;
    block[0] = (struct type_block){0, 1, value};
    block[1] = (struct type_block){at, 1, place};
    struct type *t = fill_type(p->handle, p->name, BASIC_PAIR, alignment, value->size + place->size,
                               at + place->size);
    t->block = block;
    t->blocks = 2;
}

/* Before any thread asks. */
__attribute__((constructor)) static void fill(void)
{
    for (const struct row *r = rows; r < rows + ROWS; r++)
        fill_type(r->handle, r->name, r->basic, r->alignment, r->bytes, r->bytes);
    for (unsigned i = 0; i < PAIRS; i++)
        fill_pair(&pairs[i], blocks[i]);
}

struct type *basics_find(unsigned handle)
{
    if (handle < BASICS_FIRST || handle >= BASICS_END || !type_at(handle)->predefined)
        return NULL;
    return type_at(handle);
}

unsigned basics_match(enum basic basic, unsigned bytes)
{
    static const unsigned short fortran[] = {0x2c1, 0x2c9, 0x2d1, 0x2d9, 0x2d2, 0x2da, 0x2db,
                                             0x2e3, 0x21a, 0x21c, 0x21b, 0x21d, 0x220, 0x224};
    for (unsigned i = 0; i < sizeof(fortran) / sizeof(fortran[0]); i++) {
        const struct type *t = type_at(fortran[i]);
        if (t->basic == basic && t->size == bytes)
            return fortran[i];
    }
    return 0;
}
