/* Packing in a form that all computers understand: "external32", big-endian and of fixed sizes. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/call.h"

/* Bytes of a basic element, or of each half of a complex one. */
static unsigned part_bytes(const struct type *t)
{
    return (unsigned)(t->basic == BASIC_COMPLEX ? t->size / 2 : t->size);
}

/* And of that in the external form, where some are shorter. */
static unsigned external_bytes(const struct type *t)
{
    bool is_long = t->handle == (uintptr_t)MPI_LONG || t->handle == (uintptr_t)MPI_UNSIGNED_LONG;
    return is_long ? 4 : t->handle == (uintptr_t)MPI_WCHAR ? 2 : part_bytes(t);
}

/* Goes through the basic elements of packed data, and converts each; both pointers move on. */
struct conversion {
    unsigned char *native, *external;
    bool outwards;
};

enum { PART_MOST = 16 };

/* The low bytes, the highest of them first; both sides may be the same place. */
static void convert_part(struct conversion *c, unsigned native, unsigned external, bool is_signed)
{
    unsigned char from[PART_MOST];
    memcpy(from, c->outwards ? c->native : c->external, external);
    for (unsigned i = 0; i < external; i++)
        (c->outwards ? c->external : c->native)[external - 1 - i] = from[i];
    bool negative = is_signed && from[0] & 0x80;
    for (unsigned i = external; i < native && !c->outwards; i++)
        c->native[i] = negative ? 0xff : 0;
    c->native += native;
    c->external += external;
}

static void convert(struct conversion *c, const struct type *t, int64_t count)
{
    for (int64_t n = 0; n < count; n++) {
        if (t->basic && t->basic != BASIC_PAIR) {
            unsigned parts = t->basic == BASIC_COMPLEX ? 2 : 1;
            for (unsigned i = 0; i < parts; i++)
                convert_part(c, part_bytes(t), external_bytes(t), t->basic == BASIC_SIGNED);
        } else if (t->child) {
            convert(c, t->child, t->count * t->length);
        }
        for (size_t i = 0; i < t->blocks; i++)
            convert(c, t->block[i].child, t->block[i].length);
    }
}

static int64_t external_size(const struct type *t)
{
    int64_t sum = 0;
    if (t->basic && t->basic != BASIC_PAIR)
        return (t->basic == BASIC_COMPLEX ? 2 : 1) * (int64_t)external_bytes(t);
    if (t->child)
        sum = t->count * t->length * external_size(t->child);
    for (size_t i = 0; i < t->blocks; i++)
        sum += t->block[i].length * external_size(t->block[i].child);
    return sum;
}

bool type_keeps_sizes(const struct type *t)
{
    return external_size(t) == t->size;
}

void type_convert_data(const struct type *t, int64_t count, unsigned char *native,
                       unsigned char *external, bool outwards)
{
    convert(&(struct conversion){native, external, outwards}, t, count);
}

static int find_external(struct rank *r, const char *form, MPI_Count count, MPI_Datatype type,
                         struct type **t)
{
    if (strcmp(form, "external32") != 0)
        return error_raise(r, NULL, MPI_ERR_ARG, "the representation is not external32");
    return find_data(r, NULL, count, type, t);
}

/* Data between memory and the external form; *position moves on. */
int type_convert(struct rank *r, const char *form, bool outwards, const void *data, MPI_Count count,
                 MPI_Datatype type, const void *external, MPI_Count size, MPI_Count *position)
{
    struct type *t;
    TRY_MPI(find_external(r, form, count, type, &t));
    int64_t bytes = count * external_size(t);
    struct block b = {(void *)data, count, t};
    uint64_t native = block_length(&b);
    if (*position < 0 || bytes > size - *position)
        return error_raise(r, NULL, MPI_ERR_TRUNCATE, "%lld bytes do not fit behind %lld of %lld",
                           (long long)bytes, (long long)*position, (long long)size);
    unsigned char *packed = memory_alloc(native + 1, 1);
    struct conversion c = {packed, (unsigned char *)external + *position, outwards};
    if (outwards)
        block_pack(&b, native, packed);
    convert(&c, t, count);
    if (!outwards)
        block_unpack(&b, native, packed);
    free(packed);
    rank_copy(r, (uint64_t)bytes);
    *position += bytes;
    return MPI_SUCCESS;
}

int mpi_Pack_external_size(struct rank *r, const char *datarep, MPI_Count incount,
                           MPI_Datatype type, MPI_Count *size)
{
    struct type *t;
    TRY_MPI(find_external(r, datarep, incount, type, &t));
    *size = incount * external_size(t);
    return MPI_SUCCESS;
}
