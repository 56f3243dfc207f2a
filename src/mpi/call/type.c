/* Datatypes: made, asked about, packed. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/object/attribute.h"
#include "mpi/object/basics.h"
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

static int check_count(struct rank *r, int count)
{
    return count < 0 ? error_raise(r, NULL, MPI_ERR_COUNT, "the count is %d", count) : MPI_SUCCESS;
}

static int check_lengths(struct rank *r, int count, const int lengths[])
{
    int error = check_count(r, count);
    for (int i = 0; i < count && !error; i++)
        if (lengths[i] < 0)
            error = error_raise(r, NULL, MPI_ERR_ARG, "block %d has length %d", i, lengths[i]);
    return error;
}

/* ---- regular types ---- */

int call_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_contiguous);
    struct type *old;
    int error = check_count(r, count);
    if (!error)
        error = find_type(r, NULL, oldtype, &old);
    if (error)
        return call_end(r, error);
    struct origin o = {
        .combiner = MPI_COMBINER_CONTIGUOUS, {&count}, {1}, .type = &old, .types = 1};
    return call_end(r, give(r, type_regular(old, 1, count, 0), &o, newtype));
}

static int make_vector(struct rank *r, int count, int length, int64_t stride, struct type *old,
                       const struct origin *o, MPI_Datatype *newtype)
{
    int error = check_count(r, count);
    if (!error && length < 0)
        error = error_raise(r, NULL, MPI_ERR_ARG, "the block's length is %d", length);
    return error ? error : give(r, type_regular(old, count, length, stride), o, newtype);
}

int call_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_vector);
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (error)
        return call_end(r, error);
    struct origin o = {.combiner = MPI_COMBINER_VECTOR,
                       {&count, &blocklength, &stride},
                       {1, 1, 1},
                       .type = &old,
                       .types = 1};
    return call_end(r, make_vector(r, count, blocklength, stride * old->extent, old, &o, newtype));
}

static int hvector(struct rank *r, int count, int blocklength, MPI_Aint stride,
                   MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (error)
        return error;
    struct origin o = {
        .combiner = MPI_COMBINER_HVECTOR, {&count, &blocklength}, {1, 1}, &stride, 1, &old, 1};
    return make_vector(r, count, blocklength, stride, old, &o, newtype);
}

int call_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                             MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_hvector);
    return call_end(r, hvector(r, count, blocklength, stride, oldtype, newtype));
}

int call_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                      MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_hvector);
    return call_end(r, hvector(r, count, blocklength, stride, oldtype, newtype));
}

/* ---- listed types ---- */

/* Blocks of one type; displacements are in elements or in bytes, lengths are equal if there is one.
 */
static int make_listed(struct rank *r, int count, const int *lengths, int length,
                       const int *elements, const MPI_Aint *bytes, struct type *old,
                       const struct origin *o, MPI_Datatype *newtype)
{
    int error = lengths ? check_lengths(r, count, lengths) : check_count(r, count);
    if (!error && length < 0)
        error = error_raise(r, NULL, MPI_ERR_ARG, "the block's length is %d", length);
    if (error)
        return error;
    struct type_block *block = memory_alloc((size_t)count + 1, sizeof(*block));
    for (int i = 0; i < count; i++)
        block[i] = (struct type_block){bytes ? bytes[i] : elements[i] * old->extent,
                                       lengths ? lengths[i] : length, old};
    struct type *t = type_listed(block, (size_t)count);
    free(block);
    return give(r, t, o, newtype);
}

int call_Type_indexed(int count, const int blocklengths[], const int displs[], MPI_Datatype oldtype,
                      MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_indexed);
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (!error)
        error = check_count(r, count);
    if (error)
        return call_end(r, error);
    size_t n = (size_t)count;
    struct origin o = {.combiner = MPI_COMBINER_INDEXED,
                       {&count, blocklengths, displs},
                       {1, n, n},
                       .type = &old,
                       .types = 1};
    return call_end(r, make_listed(r, count, blocklengths, 0, displs, NULL, old, &o, newtype));
}

static int hindexed(struct rank *r, int count, const int blocklengths[], const MPI_Aint displs[],
                    MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (!error)
        error = check_count(r, count);
    if (error)
        return error;
    size_t n = (size_t)count;
    struct origin o = {
        .combiner = MPI_COMBINER_HINDEXED, {&count, blocklengths}, {1, n}, displs, n, &old, 1};
    return make_listed(r, count, blocklengths, 0, NULL, displs, old, &o, newtype);
}

int call_Type_create_hindexed(int count, const int blocklengths[], const MPI_Aint displs[],
                              MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_hindexed);
    return call_end(r, hindexed(r, count, blocklengths, displs, oldtype, newtype));
}

int call_Type_hindexed(int count, int blocklengths[], MPI_Aint displs[], MPI_Datatype oldtype,
                       MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_hindexed);
    return call_end(r, hindexed(r, count, blocklengths, displs, oldtype, newtype));
}

int call_Type_create_indexed_block(int count, int blocklength, const int displs[],
                                   MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_indexed_block);
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (!error)
        error = check_count(r, count);
    if (error)
        return call_end(r, error);
    struct origin o = {.combiner = MPI_COMBINER_INDEXED_BLOCK,
                       {&count, &blocklength, displs},
                       {1, 1, (size_t)count},
                       .type = &old,
                       .types = 1};
    return call_end(r, make_listed(r, count, NULL, blocklength, displs, NULL, old, &o, newtype));
}

int call_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint displs[],
                                    MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_hindexed_block);
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (!error)
        error = check_count(r, count);
    if (error)
        return call_end(r, error);
    struct origin o = {.combiner = MPI_COMBINER_HINDEXED_BLOCK,
                       {&count, &blocklength},
                       {1, 1},
                       displs,
                       (size_t)count,
                       &old,
                       1};
    return call_end(r, make_listed(r, count, NULL, blocklength, NULL, displs, old, &o, newtype));
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

static int make_struct(struct rank *r, int count, const int blocklengths[], const MPI_Aint displs[],
                       const MPI_Datatype types[], MPI_Datatype *newtype)
{
    int error = check_lengths(r, count, blocklengths);
    if (error)
        return error;
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

int call_Type_create_struct(int count, const int blocklengths[], const MPI_Aint displs[],
                            const MPI_Datatype types[], MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_struct);
    return call_end(r, make_struct(r, count, blocklengths, displs, types, newtype));
}

int call_Type_struct(int count, int blocklengths[], MPI_Aint displs[], MPI_Datatype types[],
                     MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_struct);
    return call_end(r, make_struct(r, count, blocklengths, displs, types, newtype));
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

int call_Type_create_subarray(int ndims, const int sizes[], const int subsizes[],
                              const int starts[], int order, MPI_Datatype oldtype,
                              MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_subarray);
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (!error)
        error = check_array(r, ndims, sizes, subsizes, starts);
    if (!error)
        error = check_order(r, order);
    if (error)
        return call_end(r, error);
    size_t n = (size_t)ndims;
    struct type_array a = {ndims, sizes, subsizes, starts, order == MPI_ORDER_FORTRAN, old};
    struct origin o = {.combiner = MPI_COMBINER_SUBARRAY,
                       {&ndims, sizes, subsizes, starts, &order},
                       {1, n, n, n, 1},
                       .type = &old,
                       .types = 1};
    return call_end(r, give(r, type_subarray(&a), &o, newtype));
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

int call_Type_create_darray(int size, int rank, int ndims, const int gsizes[], const int distribs[],
                            const int dargs[], const int psizes[], int order, MPI_Datatype oldtype,
                            MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_darray);
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (error)
        return call_end(r, error);
    struct type_shares s = {.processes = size,
                            .rank = rank,
                            .dims = ndims,
                            .size = gsizes,
                            .distribution = distribs,
                            .argument = dargs,
                            .grid = psizes,
                            .fortran = order == MPI_ORDER_FORTRAN,
                            .child = old};
    error = check_shares(r, &s);
    if (!error)
        error = check_order(r, order);
    if (error)
        return call_end(r, error);
    size_t n = (size_t)ndims;
    int head[3] = {size, rank, ndims}, *tail = memory_alloc(n + 1, sizeof(*tail));
    memcpy(tail, psizes, n * sizeof(*tail));
    tail[n] = order;
    struct origin o = {.combiner = MPI_COMBINER_DARRAY,
                       {head, gsizes, distribs, dargs, tail},
                       {3, n, n, n, n + 1},
                       .type = &old,
                       .types = 1};
    error = give(r, type_darray(&s), &o, newtype);
    free(tail);
    return call_end(r, error);
}

int call_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                             MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_resized);
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (error)
        return call_end(r, error);
    MPI_Aint address[2] = {lb, extent};
    struct origin o = {.combiner = MPI_COMBINER_RESIZED,
                       .address = address,
                       .addresses = 2,
                       .type = &old,
                       .types = 1};
    return call_end(r, give(r, type_resized(old, lb, extent), &o, newtype));
}

int call_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_dup);
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (error)
        return call_end(r, error);
    struct type *t = type_resized(old, old->low, old->extent);
    struct origin o = {.combiner = MPI_COMBINER_DUP, .type = &old, .types = 1};
    if (t) {
        t->committed = old->committed;
        t->alignment = old->alignment;
        t->dense = old->dense;
        error = attributes_copy(r, old->attributes, (void *)old->handle, &t->attributes);
    }
    return call_end(r, error ? error : give(r, t, &o, newtype));
}

/* ---- types of Fortran, by what they can hold ---- */

static int give_basic(struct rank *r, unsigned basic, int combiner, int a, int b, unsigned integers,
                      MPI_Datatype *newtype)
{
    if (!basic)
        return error_raise(r, NULL, MPI_ERR_ARG, "there is no such type");
    struct type *old = basics_find(basic), *t = type_resized(old, 0, old->extent);
    struct origin o = {.combiner = combiner, {&a, &b}, {1, integers - 1}};
    t->committed = true;
    return give(r, t, &o, newtype);
}

int call_Type_create_f90_integer(int range, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_f90_integer);
    unsigned bytes = range <= 2 ? 1 : range <= 4 ? 2 : range <= 9 ? 4 : range <= 18 ? 8 : 99;
    return call_end(r, give_basic(r, basics_match(BASIC_SIGNED, bytes), MPI_COMBINER_F90_INTEGER,
                                  range, 0, 1, newtype));
}

/* Bytes of a real number with so many digits and such exponents; MPI_UNDEFINED: any. */
static unsigned real_bytes(int precision, int range)
{
    return precision <= 6 && range <= 37 ? 4 : precision <= 15 && range <= 307 ? 8 : 99;
}

int call_Type_create_f90_real(int precision, int range, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_f90_real);
    unsigned basic = basics_match(BASIC_FLOAT, real_bytes(precision, range));
    return call_end(r, give_basic(r, basic, MPI_COMBINER_F90_REAL, precision, range, 2, newtype));
}

int call_Type_create_f90_complex(int precision, int range, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_f90_complex);
    unsigned basic = basics_match(BASIC_COMPLEX, 2 * real_bytes(precision, range));
    return call_end(r,
                    give_basic(r, basic, MPI_COMBINER_F90_COMPLEX, precision, range, 2, newtype));
}

int call_Type_match_size(int typeclass, int size, MPI_Datatype *type)
{
    struct rank *r = call_begin(CALL_Type_match_size);
    enum basic basic = typeclass == MPI_TYPECLASS_INTEGER   ? BASIC_SIGNED
                       : typeclass == MPI_TYPECLASS_REAL    ? BASIC_FLOAT
                       : typeclass == MPI_TYPECLASS_COMPLEX ? BASIC_COMPLEX
                                                            : BASIC_NONE;
    unsigned found = basic && size > 0 ? basics_match(basic, (unsigned)size) : 0;
    if (!found)
        return call_end(r, error_raise(r, NULL, MPI_ERR_ARG, "there is no type of %d bytes", size));
    *type = (MPI_Datatype)(uintptr_t)found;
    return call_end(r, MPI_SUCCESS);
}

/* ---- life ---- */

int call_Type_commit(MPI_Datatype *type)
{
    struct rank *r = call_begin(CALL_Type_commit);
    struct type *t;
    int error = find_type(r, NULL, *type, &t);
    if (!error && !t->predefined)
        t->committed = true;
    return call_end(r, error);
}

int call_Type_free(MPI_Datatype *type)
{
    struct rank *r = call_begin(CALL_Type_free);
    struct type *t;
    int error = find_type(r, NULL, *type, &t);
    if (!error && t->predefined)
        error = error_raise(r, NULL, MPI_ERR_TYPE, "the datatype is predefined");
    if (!error)
        error = attributes_drop(r, &t->attributes, (void *)t->handle);
    if (error)
        return call_end(r, error);
    handle_drop(&r->handles, t->handle);
    t->handle = 0;
    type_release(t);
    *type = MPI_DATATYPE_NULL;
    return call_end(r, MPI_SUCCESS);
}

/* ---- sizes ---- */

static int as_int(int64_t value)
{
    return value > INT_MAX || value < INT_MIN ? MPI_UNDEFINED : (int)value;
}

int call_Type_size(MPI_Datatype type, int *size)
{
    struct rank *r = call_begin(CALL_Type_size);
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (!error)
        *size = as_int(t->size);
    return call_end(r, error);
}

int call_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
    struct rank *r = call_begin(CALL_Type_size_x);
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (!error)
        *size = t->size;
    return call_end(r, error);
}

#define EXTENT(NAME, TYPE, LOW, EXTENT_OF)                                                         \
    int call_##NAME(MPI_Datatype type, TYPE *lb, TYPE *extent)                                     \
    {                                                                                              \
        struct rank *r = call_begin(CALL_##NAME);                                                  \
        struct type *t;                                                                            \
        int error = find_type(r, NULL, type, &t);                                                  \
        if (!error) {                                                                              \
            *lb = LOW;                                                                             \
            *extent = EXTENT_OF;                                                                   \
        }                                                                                          \
        return call_end(r, error);                                                                 \
    }
EXTENT(Type_get_extent, MPI_Aint, t->low, t->extent)
EXTENT(Type_get_extent_x, MPI_Count, t->low, t->extent)
EXTENT(Type_get_true_extent, MPI_Aint, t->true_low, t->true_high - t->true_low)
EXTENT(Type_get_true_extent_x, MPI_Count, t->true_low, t->true_high - t->true_low)

#define BOUND(NAME, VALUE)                                                                         \
    int call_##NAME(MPI_Datatype type, MPI_Aint *value)                                            \
    {                                                                                              \
        struct rank *r = call_begin(CALL_##NAME);                                                  \
        struct type *t;                                                                            \
        int error = find_type(r, NULL, type, &t);                                                  \
        if (!error)                                                                                \
            *value = VALUE;                                                                        \
        return call_end(r, error);                                                                 \
    }
BOUND(Type_extent, t->extent)
BOUND(Type_lb, t->low)
BOUND(Type_ub, t->low + t->extent)

/* ---- how it was made ---- */

int call_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *datatypes,
                           int *combiner)
{
    struct rank *r = call_begin(CALL_Type_get_envelope);
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (error)
        return call_end(r, error);
    *integers = (int)t->origin.integers;
    *addresses = (int)t->origin.addresses;
    *datatypes = (int)t->origin.types;
    *combiner = t->predefined ? MPI_COMBINER_NAMED : t->origin.combiner;
    return call_end(r, MPI_SUCCESS);
}

int call_Type_get_contents(MPI_Datatype type, int max_integers, int max_addresses,
                           int max_datatypes, int integers[], MPI_Aint addresses[],
                           MPI_Datatype datatypes[])
{
    struct rank *r = call_begin(CALL_Type_get_contents);
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (error)
        return call_end(r, error);
    const struct type_origin *o = &t->origin;
    if (t->predefined || max_integers < (int)o->integers || max_addresses < (int)o->addresses ||
        max_datatypes < (int)o->types)
        return call_end(r, error_raise(r, NULL, MPI_ERR_TYPE,
                                       t->predefined ? "the datatype is predefined"
                                                     : "there is not room for its contents"));
    for (size_t i = 0; i < o->integers; i++)
        integers[i] = o->integer[i];
    for (size_t i = 0; i < o->addresses; i++)
        addresses[i] = o->address[i];
    for (size_t i = 0; i < o->types; i++) {
        struct type *child = o->type[i];
        /* Derived types are as new, and the program is to free them. */
        if (!child->predefined && !child->handle)
            give_type(r, child);
        datatypes[i] = child->predefined
                           ? (MPI_Datatype)child->handle
                           : (MPI_Datatype)handle_new(&r->handles, HANDLE_TYPE, type_hold(child));
    }
    return call_end(r, MPI_SUCCESS);
}

/* ---- names and attributes ---- */

/* Types that all ranks share have names of their own in a rank that has given them some. */
struct type_name {
    struct type_name *next;
    const struct type *type;
    char name[MPI_MAX_OBJECT_NAME];
};

static char *name_of(struct rank *r, struct type *t, bool change)
{
    struct type_name *n = r->type_names;
    if (!t->predefined)
        return t->name;
    while (n && n->type != t)
        n = n->next;
    if (!n && !change)
        return t->name;
    if (!n) {
        n = memory_alloc(1, sizeof(*n));
        *n = (struct type_name){.next = r->type_names, .type = t};
        r->type_names = n;
    }
    return n->name;
}

void type_names_drop(struct rank *r)
{
    for (struct type_name *next; r->type_names; r->type_names = next) {
        next = r->type_names->next;
        free(r->type_names);
    }
}

int call_Type_set_name(MPI_Datatype type, const char *name)
{
    struct rank *r = call_begin(CALL_Type_set_name);
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (!error)
        snprintf(name_of(r, t, true), sizeof(t->name), "%s", name);
    return call_end(r, error);
}

int call_Type_get_name(MPI_Datatype type, char *name, int *length)
{
    struct rank *r = call_begin(CALL_Type_get_name);
    struct type *t;
    int error = find_type(r, NULL, type, &t);
    if (!error)
        *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", name_of(r, t, false));
    return call_end(r, error);
}

int call_Type_create_keyval(MPI_Type_copy_attr_function *copy,
                            MPI_Type_delete_attr_function *remove, int *key, void *extra)
{
    struct rank *r = call_begin(CALL_Type_create_keyval);
    MPI_Comm_copy_attr_function *as_copy;
    MPI_Comm_delete_attr_function *as_remove;
    memcpy(&as_copy, &copy, sizeof(as_copy)); /* handles are pointers all */
    memcpy(&as_remove, &remove, sizeof(as_remove));
    *key = keyval_new(r, true, as_copy, as_remove, extra);
    return call_end(r, MPI_SUCCESS);
}

static int find_key(struct rank *r, int key, struct keyval **k)
{
    *k = keyval_find(r, true, key);
    return *k ? MPI_SUCCESS : error_raise(r, NULL, MPI_ERR_KEYVAL, "there is no key %d", key);
}

int call_Type_free_keyval(int *key)
{
    struct rank *r = call_begin(CALL_Type_free_keyval);
    struct keyval *k;
    int error = find_key(r, *key, &k);
    if (error)
        return call_end(r, error);
    keyval_free(r, k);
    *key = MPI_KEYVAL_INVALID;
    return call_end(r, MPI_SUCCESS);
}

int call_Type_set_attr(MPI_Datatype type, int key, void *value)
{
    struct rank *r = call_begin(CALL_Type_set_attr);
    struct type *t;
    struct keyval *k;
    int error = find_type(r, NULL, type, &t);
    if (!error)
        error = find_key(r, key, &k);
    if (!error)
        error = error_pass_on(r, NULL, attribute_set(r, &t->attributes, type, k, value));
    return call_end(r, error);
}

int call_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag)
{
    struct rank *r = call_begin(CALL_Type_get_attr);
    struct type *t;
    struct keyval *k;
    int error = find_type(r, NULL, type, &t);
    if (!error)
        error = find_key(r, key, &k);
    if (error)
        return call_end(r, error);
    const struct attribute *a = attribute_find(t->attributes, k);
    *flag = a != NULL;
    if (a)
        *(void **)value = a->value;
    return call_end(r, MPI_SUCCESS);
}

int call_Type_delete_attr(MPI_Datatype type, int key)
{
    struct rank *r = call_begin(CALL_Type_delete_attr);
    struct type *t;
    struct keyval *k;
    int error = find_type(r, NULL, type, &t);
    if (!error)
        error = find_key(r, key, &k);
    struct attribute *a = error ? NULL : attribute_find(t->attributes, k);
    if (a)
        error = error_pass_on(r, NULL, attribute_delete(r, &t->attributes, type, a));
    return call_end(r, error);
}

/* ---- addresses ---- */

int call_Get_address(const void *location, MPI_Aint *address)
{
    struct rank *r = call_begin(CALL_Get_address);
    *address = (MPI_Aint)location;
    return call_end(r, MPI_SUCCESS);
}

int call_Address(void *location, MPI_Aint *address)
{
    struct rank *r = call_begin(CALL_Address);
    *address = (MPI_Aint)location;
    return call_end(r, MPI_SUCCESS);
}

MPI_Aint call_Aint_add(MPI_Aint base, MPI_Aint disp)
{
    return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp);
}

MPI_Aint call_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
    return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2);
}

/* ---- packing ---- */

static int pack(struct rank *r, struct comm *c, const void *from, int count, MPI_Datatype type,
                void *to, int64_t size, int64_t *position)
{
    struct type *t;
    int error = find_data(r, c, count, type, &t);
    if (error)
        return error;
    int64_t bytes = count * t->size;
    if (*position < 0 || bytes > size - *position)
        return error_raise(r, c, MPI_ERR_TRUNCATE, "%lld bytes do not fit behind %lld of %lld",
                           (long long)bytes, (long long)*position, (long long)size);
    type_pack(t, count, from, 0, (uint64_t)bytes, (unsigned char *)to + *position);
    rank_copy(r, (uint64_t)bytes);
    *position += bytes;
    return MPI_SUCCESS;
}

static int unpack(struct rank *r, struct comm *c, const void *from, int64_t size, int64_t *position,
                  void *to, int count, MPI_Datatype type)
{
    struct type *t;
    int error = find_data(r, c, count, type, &t);
    if (error)
        return error;
    int64_t bytes = count * t->size;
    if (*position < 0 || bytes > size - *position)
        return error_raise(r, c, MPI_ERR_TRUNCATE, "%lld bytes are not behind %lld of %lld",
                           (long long)bytes, (long long)*position, (long long)size);
    type_unpack(t, count, to, 0, (uint64_t)bytes, (const unsigned char *)from + *position);
    rank_copy(r, (uint64_t)bytes);
    *position += bytes;
    return MPI_SUCCESS;
}

int call_Pack(const void *inbuf, int incount, MPI_Datatype type, void *outbuf, int outsize,
              int *position, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Pack);
    struct comm *c;
    int64_t at = *position;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = pack(r, c, inbuf, incount, type, outbuf, outsize, &at);
    *position = (int)at;
    return call_end(r, error);
}

int call_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
                MPI_Datatype type, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Unpack);
    struct comm *c;
    int64_t at = *position;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = unpack(r, c, inbuf, insize, &at, outbuf, outcount, type);
    *position = (int)at;
    return call_end(r, error);
}

int call_Pack_size(int incount, MPI_Datatype type, MPI_Comm comm, int *size)
{
    struct rank *r = call_begin(CALL_Pack_size);
    struct comm *c;
    struct type *t;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = find_data(r, c, incount, type, &t);
    if (!error)
        *size = as_int(incount * t->size);
    return call_end(r, error);
}
