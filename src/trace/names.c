/* Tables of names. */
#include "trace/names.h"

#include <string.h>

#include "trace/record.h"

/* SimGrid's numbers are those of its table of datatypes; those of Fortran's types there have the
 * same sizes as C's here. */
static const struct type_name types[] = {
    {"double", 0x214, 8, 0},
    {"int", 0x209, 4, 1},
    {"char", 0x243, 1, 2},
    {"short", 0x208, 2, 3},
    {"long", 0x20a, 8, 4},
    {"float", 0x210, 4, 5},
    {"byte", 0x247, 1, 6},
    {"long_long_int", 0x20b, 8, 7},
    {"signed_char", 0x244, 1, 8},
    {"unsigned_char", 0x245, 1, 9},
    {"unsigned_short", 0x20c, 2, 10},
    {"unsigned", 0x20d, 4, 11},
    {"unsigned_long", 0x20e, 8, 12},
    {"unsigned_long_long", 0x20f, 8, 13},
    {"long_double", 0x220, 16, 14},
    {"wchar", 0x23c, 4, 15},
    {"c_bool", 0x238, 1, 16},
    {"int8_t", 0x240, 1, 17},
    {"int16_t", 0x248, 2, 18},
    {"int32_t", 0x250, 4, 19},
    {"int64_t", 0x258, 8, 20},
    {"uint8_t", 0x241, 1, 21},
    {"uint16_t", 0x249, 2, 22},
    {"uint32_t", 0x251, 4, 23},
    {"uint64_t", 0x259, 8, 24},
    {"c_complex", 0x212, 8, 25},
    {"c_double_complex", 0x216, 16, 26},
    {"c_long_double_complex", 0x224, 32, 27},
    {"aint", 0x201, 8, 28},
    {"offset", 0x203, 8, 29},
    {"float_int", 0x228, 8, 30},
    {"long_int", 0x22a, 12, 31},
    {"double_int", 0x229, 12, 32},
    {"short_int", 0x22c, 6, 33},
    {"2int", 0x22b, 8, 34},
    {"2real", 0x230, 8, 35},
    {"2double_precision", 0x231, 16, 36},
    {"2integer", 0x232, 8, -1},
    {"real", 0x21a, 4, 38},
    {"real4", 0x2d2, 4, 39},
    {"real8", 0x2da, 8, 40},
    {"complex8", 0x2db, 8, 42},
    {"complex16", 0x2e3, 16, 43},
    {"integer1", 0x2c1, 1, 45},
    {"integer2", 0x2c9, 2, 46},
    {"integer4", 0x2d1, 4, 47},
    {"integer8", 0x2d9, 8, 48},
    {"long_double_int", 0x22d, 20, 50},
    {"cxx_bool", 0x239, 1, 51},
    {"cxx_float_complex", 0x213, 8, 52},
    {"cxx_double_complex", 0x217, 16, 53},
    {"cxx_long_double_complex", 0x225, 32, 54},
    {"packed", 0x207, 1, 57},
    {"count", 0x202, 8, 59},
    {"logical", 0x218, 4, -1},
    {"integer", 0x219, 4, -1},
    {"complex", 0x21b, 8, -1},
    {"double_precision", 0x21c, 8, -1},
    {"double_complex", 0x21d, 16, -1},
    {"character", 0x21e, 1, -1},
    {"logical1", 0x2c0, 1, -1},
    {"logical2", 0x2c8, 2, -1},
    {"logical4", 0x2d0, 4, -1},
    {"logical8", 0x2d8, 8, -1},
};
enum { TYPES = sizeof(types) / sizeof(types[0]) };

static const struct {
    const char *name;
    uint8_t number;
} ops[] = {
    {"sum", 0x21},     {"min", 0x22},   {"max", 0x23},          {"prod", 0x24},
    {"band", 0x28},    {"bor", 0x29},   {"bxor", 0x2a},         {"land", 0x30},
    {"lor", 0x31},     {"lxor", 0x32},  {"minloc", 0x38},       {"maxloc", 0x39},
    {"replace", 0x3c}, {"no_op", 0x3d}, {"own", RECORD_OP_OWN}, {"ordered", RECORD_OP_ORDERED},
};
enum { OPS = sizeof(ops) / sizeof(ops[0]) };

const struct type_name *type_by_name(const char *name)
{
    for (unsigned i = 0; i < TYPES; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

const struct type_name *type_by_simgrid(uint64_t number)
{
    for (unsigned i = 0; i < TYPES; i++)
        if (types[i].simgrid >= 0 && (uint64_t)types[i].simgrid == number)
            return &types[i];
    return NULL;
}

const struct type_name *type_by_number(unsigned number)
{
    for (unsigned i = 0; i < TYPES; i++)
        if (types[i].number == number)
            return &types[i];
    return NULL;
}

unsigned op_by_name(const char *name)
{
    for (unsigned i = 0; i < OPS; i++)
        if (strcmp(ops[i].name, name) == 0)
            return ops[i].number;
    return 0;
}
