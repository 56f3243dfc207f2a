/* Constructors of datatypes. */
#define _GNU_SOURCE
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

/* The type of a list's elements. */
static int find_old(struct rank *r, int count, MPI_Datatype oldtype, struct type **old)
{
    int error = find_type(r, NULL, oldtype, old);
    return error ? error : check_count(r, count);
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

int call_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                             MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_hvector);
    struct type *old;
    int error = find_type(r, NULL, oldtype, &old);
    if (error)
        return call_end(r, error);
    struct origin o = {
        .combiner = MPI_COMBINER_HVECTOR, {&count, &blocklength}, {1, 1}, &stride, 1, &old, 1};
    return call_end(r, make_vector(r, count, blocklength, stride, old, &o, newtype));
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
    int error = find_old(r, count, oldtype, &old);
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

int call_Type_create_hindexed(int count, const int blocklengths[], const MPI_Aint displs[],
                              MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_hindexed);
    struct type *old;
    int error = find_old(r, count, oldtype, &old);
    if (error)
        return call_end(r, error);
    size_t n = (size_t)count;
    struct origin o = {
        .combiner = MPI_COMBINER_HINDEXED, {&count, blocklengths}, {1, n}, displs, n, &old, 1};
    return call_end(r, make_listed(r, count, blocklengths, 0, NULL, displs, old, &o, newtype));
}

int call_Type_create_indexed_block(int count, int blocklength, const int displs[],
                                   MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_indexed_block);
    struct type *old;
    int error = find_old(r, count, oldtype, &old);
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
    int error = find_old(r, count, oldtype, &old);
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

int call_Type_create_struct(int count, const int blocklengths[], const MPI_Aint displs[],
                            const MPI_Datatype types[], MPI_Datatype *newtype)
{
    struct rank *r = call_begin(CALL_Type_create_struct);
    int error = check_lengths(r, count, blocklengths);
    if (error)
        return call_end(r, error);
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
    return call_end(r, error);
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
