/* Basic types, as C and Fortran have them on this computer. */
#include "mpi/object/type.h"

#include <stdio.h>
#include <wchar.h>

/* A type by its handle; of a pair, the types of its value and its place. */
static const struct row {
    unsigned short handle;
    enum basic basic;
    unsigned char bytes, alignment;
    const char *name;
    unsigned short value, place;
} rows[] = {
#define BASIC(HANDLE, CLASS, TYPE, NAME)                                                           \
    {                                                                                              \
        HANDLE, CLASS, sizeof(TYPE), _Alignof(TYPE), NAME, 0, 0                                    \
    }
#define PAIR(HANDLE, VALUE, PLACE, NAME)                                                           \
    {                                                                                              \
        HANDLE, BASIC_PAIR, 0, 0, NAME, VALUE, PLACE                                               \
    }
#include "mpi_basics.h"
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static struct type types[BASICS_END - BASICS_FIRST];
static struct type_block blocks[ROWS][2];

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
                       .low_bound = BOUND_DATA,
                       .high_bound = BOUND_DATA,
                       .true_high = high};
    snprintf(t->name, sizeof(t->name), "%s", name);
    return t;
}

/* As C lays out a structure of both. */
static void fill_pair(const struct row *p, struct type_block block[2])
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
    struct signature_sum sum = {.length = 0};
    signature_add(&sum, value->signature, (uint64_t)value->size);
    signature_add(&sum, place->signature, (uint64_t)place->size);
    t->signature = signature_end(&sum);
}

/* What is packed may be of any values. */
static void fill_basic(const struct row *r)
{
    struct type *t = fill_type(r->handle, r->name, r->basic, r->alignment, r->bytes, r->bytes);
    if (r->handle != (uintptr_t)MPI_PACKED)
        t->signature = signature_of_basic(r->basic, r->bytes);
}

/* Marks of MPI-1: they have no data, and set a bound where they stand. */
static void fill_marks(void)
{
    struct type *low = fill_type((uintptr_t)MPI_LB, "MPI_LB", BASIC_NONE, 1, 0, 0);
    struct type *high = fill_type((uintptr_t)MPI_UB, "MPI_UB", BASIC_NONE, 1, 0, 0);
    low->low_bound = high->high_bound = BOUND_MARK;
    low->high_bound = high->low_bound = BOUND_NONE;
}

/* Before any thread asks. */
__attribute__((constructor)) static void fill(void)
{
    for (unsigned i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        if (r->basic == BASIC_PAIR)
            fill_pair(r, blocks[i]);
        else
            fill_basic(r);
    }
    fill_marks();
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

unsigned basics_pair(const struct type *value, const struct type *place)
{
    for (const struct row *p = rows; p < rows + ROWS; p++)
        if (p->value && type_at(p->value) == value && type_at(p->place) == place)
            return p->handle;
    return 0;
}
