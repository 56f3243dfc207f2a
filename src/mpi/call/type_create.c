/* Constructors of datatypes. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/call.h"

/* ---- how a type was made ---- */

/* What a program gave; kept for MPI_Type_get_contents(). */
struct origin {
    int combiner;
    const int *integer[6];
    size_t integers[6];
    const MPI_Aint *address;
    size_t addresses;
    struct type *const *type;
    size_t types;
};

static void keep_origin(struct type *t, const struct origin *o)
{
    struct type_origin *to = &t->origin;
    to->combiner = o->combiner;
    for (unsigned i = 0; i < 6; i++)
        to->integers += o->integers[i];
    to->integer = memory_alloc(to->integers + 1, sizeof(*to->integer));
    for (size_t i = 0, at = 0; i < 6; at += o->integers[i++])
        if (o->integers[i])
            memcpy(to->integer + at, o->integer[i], o->integers[i] * sizeof(int));
    to->address = memory_alloc(o->addresses + 1, sizeof(*to->address));
    for (; to->addresses < o->addresses; to->addresses++)
        to->address[to->addresses] = o->address[to->addresses];
    to->type = memory_alloc(o->types + 1, sizeof(struct type *));
    for (; to->types < o->types; to->types++)
        to->type[to->types] = type_hold(o->type[to->types]);
}

/* A new type gets a handle; NULL: its numbers are too large. */
static int give(struct rank *r, struct type *t, const struct origin *o, MPI_Datatype *handle)
{
    if (!t)
        return error_raise(r, NULL, MPI_ERR_ARG, "the datatype would be too large");
    keep_origin(t, o);
    *handle = give_type(r, t);
    return MPI_SUCCESS;
}

/* The same of a type that was made of one other. */
static int give_derived(struct rank *r, struct type *t, struct type *old, struct origin o,
                        MPI_Datatype *handle)
{
    o.type = &old;
    o.types = 1;
    return give(r, t, &o, handle);
}

static int check_lengths(struct rank *r, int count, const int lengths[])
{
    TRY_MPI(check_count(r, NULL, count));
    for (int i = 0; i < count; i++)
        if (lengths[i] < 0)
            return error_raise(r, NULL, MPI_ERR_ARG, "block %d has length %d", i, lengths[i]);
    return MPI_SUCCESS;
}

/* ---- regular types ---- */

int mpi_Type_contiguous(struct rank *r, int count, struct type *old, MPI_Datatype *newtype)
{
    struct origin o = {.combiner = MPI_COMBINER_CONTIGUOUS, {&count}, {1}};
    TRY_MPI(check_count(r, NULL, count));
    return give_derived(r, type_regular(old, 1, count, 0), old, o, newtype);
}

static int check_block(struct rank *r, int count, int length)
{
    TRY_MPI(check_count(r, NULL, count));
    if (length < 0)
        return error_raise(r, NULL, MPI_ERR_ARG, "the block's length is %d", length);
    return MPI_SUCCESS;
}

int mpi_Type_vector(struct rank *r, int count, int blocklength, int stride, struct type *old,
                    MPI_Datatype *newtype)
{
    struct origin o = {.combiner = MPI_COMBINER_VECTOR, {&count, &blocklength, &stride}, {1, 1, 1}};
    TRY_MPI(check_block(r, count, blocklength));
    return give_derived(r, type_regular(old, count, blocklength, stride * old->extent), old, o,
                        newtype);
}

int mpi_Type_create_hvector(struct rank *r, int count, int blocklength, MPI_Aint stride,
                            struct type *old, MPI_Datatype *newtype)
{
    struct origin o = {.combiner = MPI_COMBINER_HVECTOR,
                       {&count, &blocklength},
                       {1, 1},
                       .address = &stride,
                       .addresses = 1};
    TRY_MPI(check_block(r, count, blocklength));
    return give_derived(r, type_regular(old, count, blocklength, stride), old, o, newtype);
}

/* ---- listed types ---- */

/* Blocks of one type. NULL stands for a list of the other kind: one length for all, displacements
 * in elements instead of bytes. */
int type_of_blocks(struct rank *r, int combiner, int count, const int lengths[], int length,
                   const int elements[], const MPI_Aint bytes[], struct type *old,
                   MPI_Datatype *newtype)
{
    TRY_MPI(lengths ? check_lengths(r, count, lengths) : check_block(r, count, length));
    size_t n = (size_t)count;
    struct origin o = {.combiner = combiner,
                       {&count, lengths ? lengths : &length, elements},
                       {1, lengths ? n : 1, elements ? n : 0},
                       .address = bytes,
                       .addresses = bytes ? n : 0};
    struct type_block *block = memory_alloc(n + 1, sizeof(*block));
    for (size_t i = 0; i < n; i++)
        block[i] = (struct type_block){bytes ? bytes[i] : elements[i] * old->extent,
                                       lengths ? lengths[i] : length, old};
    struct type *t = type_listed(block, n);
    free(block);
    return give_derived(r, t, old, o, newtype);
}

/* As a compiler pads a structure: to the alignment of its members. */
static struct type *pad(struct type *t)
{
    int64_t rest = t && t->alignment > 1 ? t->extent % t->alignment : 0;
    if (rest) {
        t->extent += t->alignment - rest;
        t->dense = false;
    }
    return t;
}

int mpi_Type_create_struct(struct rank *r, int count, const int blocklengths[],
                           const MPI_Aint displs[], const MPI_Datatype types[],
                           MPI_Datatype *newtype)
{
    int error = MPI_SUCCESS;
    TRY_MPI(check_lengths(r, count, blocklengths));
    size_t n = (size_t)count;
    struct type_block *block = memory_alloc(n + 1, sizeof(*block));
    struct type **child = memory_alloc(n + 1, sizeof(struct type *));
    for (size_t i = 0; i < n && !error; i++) {
        error = find_type(r, NULL, types[i], &child[i]);
        block[i] = (struct type_block){displs[i], blocklengths[i], child[i]};
    }
    struct origin o = {
        .combiner = MPI_COMBINER_STRUCT, {&count, blocklengths}, {1, n}, displs, n, child, n};
    if (!error)
        error = give(r, pad(type_listed(block, n)), &o, newtype);
    free(child);
    free(block);
    return error;
}

/* ---- arrays ---- */

static int check_order(struct rank *r, int order)
{
    return order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN
               ? MPI_SUCCESS
               : error_raise(r, NULL, MPI_ERR_ARG, "the order is %d", order);
}

static int check_array(struct rank *r, int dims, const int sizes[], const int subsizes[],
                       const int starts[])
{
    if (dims < 1)
        return error_raise(r, NULL, MPI_ERR_DIMS, "an array of %d dimensions", dims);
    for (int d = 0; d < dims; d++)
        if (sizes[d] < 1 || subsizes[d] < 1 || starts[d] < 0 || subsizes[d] > sizes[d] ||
            starts[d] > sizes[d] - subsizes[d])
            return error_raise(r, NULL, MPI_ERR_ARG, "dimension %d: %d elements from %d on, of %d",
                               d, subsizes[d], starts[d], sizes[d]);
    return MPI_SUCCESS;
}

int mpi_Type_create_subarray(struct rank *r, int ndims, const int sizes[], const int subsizes[],
                             const int starts[], int order, struct type *old, MPI_Datatype *newtype)
{
    TRY_MPI(check_array(r, ndims, sizes, subsizes, starts));
    TRY_MPI(check_order(r, order));
    size_t n = (size_t)ndims;
    struct type_array a = {ndims, sizes, subsizes, starts, order == MPI_ORDER_FORTRAN, old};
    struct origin o = {.combiner = MPI_COMBINER_SUBARRAY,
                       {&ndims, sizes, subsizes, starts, &order},
                       {1, n, n, n, 1}};
    return give_derived(r, type_subarray(&a), old, o, newtype);
}

static int check_shares(struct rank *r, const struct type_shares *s)
{
    int64_t all = 1;
    for (int d = 0; d < s->dims; d++) {
        int block = s->argument[d], kind = s->distribution[d];
        bool known = kind == MPI_DISTRIBUTE_NONE || kind == MPI_DISTRIBUTE_BLOCK ||
                     kind == MPI_DISTRIBUTE_CYCLIC;
        bool covers = kind != MPI_DISTRIBUTE_BLOCK || block == MPI_DISTRIBUTE_DFLT_DARG ||
                      (int64_t)block * s->grid[d] >= s->size[d];
        all *= s->grid[d] > 0 ? s->grid[d] : 0;
        if (s->size[d] < 1 || s->grid[d] < 1 || !known || !covers || block < 1 ||
            (kind == MPI_DISTRIBUTE_NONE && s->grid[d] != 1))
            return error_raise(r, NULL, MPI_ERR_ARG, "dimension %d cannot be distributed so", d);
    }
    if (all != s->processes || s->rank < 0 || s->rank >= s->processes || s->dims < 1)
        return error_raise(r, NULL, MPI_ERR_ARG, "a grid of %lld processes, of %d", (long long)all,
                           s->processes);
    return MPI_SUCCESS;
}

int mpi_Type_create_darray(struct rank *r, int size, int rank, int ndims, const int gsizes[],
                           const int distribs[], const int dargs[], const int psizes[], int order,
                           struct type *old, MPI_Datatype *newtype)
{
    struct type_shares s = {.processes = size,
                            .rank = rank,
                            .dims = ndims,
                            .size = gsizes,
                            .distribution = distribs,
                            .argument = dargs,
                            .grid = psizes,
                            .fortran = order == MPI_ORDER_FORTRAN,
                            .child = old};
    TRY_MPI(check_shares(r, &s));
    TRY_MPI(check_order(r, order));
    size_t n = (size_t)ndims;
    int head[3] = {size, rank, ndims};
    struct origin o = {.combiner = MPI_COMBINER_DARRAY,
                       {head, gsizes, distribs, dargs, psizes, &order},
                       {3, n, n, n, n, 1}};
    return give_derived(r, type_darray(&s), old, o, newtype);
}

int mpi_Type_create_resized(struct rank *r, struct type *old, MPI_Aint lb, MPI_Aint extent,
                            MPI_Datatype *newtype)
{
    MPI_Aint address[2] = {lb, extent};
    struct origin o = {.combiner = MPI_COMBINER_RESIZED, .address = address, .addresses = 2};
    return give_derived(r, type_resized(old, lb, extent), old, o, newtype);
}

int mpi_Type_dup(struct rank *r, struct type *old, MPI_Datatype *newtype)
{
    struct type *t = type_resized(old, old->low, old->extent);
    struct origin o = {.combiner = MPI_COMBINER_DUP};
    if (t) {
        t->committed = old->committed;
        t->alignment = old->alignment;
        t->dense = old->dense;
        TRY_MPI(attributes_copy(r, old->attributes, (void *)old->handle, &t->attributes));
    }
    return give_derived(r, t, old, o, newtype);
}

/* ---- types of Fortran, by what they can hold ---- */

/* Bytes of a real number with so many digits and such exponents; MPI_UNDEFINED: any. */
static unsigned real_bytes(int precision, int range)
{
    return precision <= 6 && range <= 37 ? 4 : precision <= 15 && range <= 307 ? 8 : 99;
}

static unsigned find_basic(int combiner, int precision, int range)
{
    if (combiner == MPI_COMBINER_F90_REAL)
        return basics_match(BASIC_FLOAT, real_bytes(precision, range));
    if (combiner == MPI_COMBINER_F90_COMPLEX)
        return basics_match(BASIC_COMPLEX, 2 * real_bytes(precision, range));
    unsigned bytes = range <= 2 ? 1 : range <= 4 ? 2 : range <= 9 ? 4 : range <= 18 ? 8 : 99;
    return basics_match(BASIC_SIGNED, bytes);
}

int type_of_fortran(struct rank *r, int combiner, int precision, int range, MPI_Datatype *newtype)
{
    unsigned basic = find_basic(combiner, precision, range);
    if (!basic)
        return error_raise(r, NULL, MPI_ERR_ARG, "there is no such type");
    struct type *old = basics_find(basic), *t = type_resized(old, 0, old->extent);
    struct origin o = {
        .combiner = combiner, {&precision, &range}, {combiner != MPI_COMBINER_F90_INTEGER, 1}};
    t->committed = true;
    return give(r, t, &o, newtype);
}

int mpi_Type_match_size(struct rank *r, int typeclass, int size, MPI_Datatype *type)
{
    enum basic basic = typeclass == MPI_TYPECLASS_INTEGER   ? BASIC_SIGNED
                       : typeclass == MPI_TYPECLASS_REAL    ? BASIC_FLOAT
                       : typeclass == MPI_TYPECLASS_COMPLEX ? BASIC_COMPLEX
                                                            : BASIC_NONE;
    unsigned found = basic && size > 0 ? basics_match(basic, (unsigned)size) : 0;
    if (!found)
        return error_raise(r, NULL, MPI_ERR_ARG, "there is no type of %d bytes", size);
    *type = (MPI_Datatype)(uintptr_t)found;
    return MPI_SUCCESS;
}
