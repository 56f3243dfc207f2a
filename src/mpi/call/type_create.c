/* Constructors of datatypes. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/call.h"

/* ---- how a type was made ---- */

/* Numbers that a program gave; kept for MPI_Type_get_contents(), in their order. Counts are
 * integers, and displacements addresses, but for MPI_Type_..._c(), where both are counts. */
struct given {
    enum { GIVEN_INTEGER, GIVEN_COUNT, GIVEN_ADDRESS } kind;
    struct numbers list;
    size_t length;
};

struct origin {
    int combiner;
    struct given given[6];
    struct type *const *type;
    size_t types;
};

#define ONE_INTEGER(VARIABLE)                                                                      \
    {                                                                                              \
        GIVEN_INTEGER, {.small = &(VARIABLE)}, 1                                                   \
    }
#define ONE_COUNT(VARIABLE)                                                                        \
    {                                                                                              \
        GIVEN_COUNT, {.large = &(VARIABLE)}, 1                                                     \
    }
#define ONE_ADDRESS(VARIABLE)                                                                      \
    {                                                                                              \
        GIVEN_ADDRESS, {.large = &(VARIABLE)}, 1                                                   \
    }

static enum origin_list list_of(const struct rank *r, const struct given *g)
{
    static const enum origin_list lists[] = {ORIGIN_INTEGERS, ORIGIN_INTEGERS, ORIGIN_ADDRESSES};
    return r->large && g->kind != GIVEN_INTEGER ? ORIGIN_COUNTS : lists[g->kind];
}

static void keep_origin(struct rank *r, struct type *t, const struct origin *o)
{
    struct type_origin *to = &t->origin;
    size_t most = 1;
    to->combiner = o->combiner;
    for (unsigned i = 0; i < 6; i++)
        most += o->given[i].length;
    for (unsigned list = 0; list < ORIGIN_LISTS; list++)
        to->number[list] = memory_alloc(most, sizeof(*to->number[list]));
    for (const struct given *g = o->given; g < o->given + 6; g++) {
        enum origin_list list = list_of(r, g);
        for (size_t i = 0; i < g->length; i++)
            to->number[list][to->length[list]++] = number_at(g->list, i);
    }
    to->type = memory_alloc(o->types + 1, sizeof(struct type *));
    for (; to->types < o->types; to->types++)
        to->type[to->types] = type_hold(o->type[to->types]);
}

/* A new type gets a handle; NULL: its numbers are too large. */
static int give(struct rank *r, struct type *t, const struct origin *o, MPI_Datatype *handle)
{
    if (!t)
        return error_raise(r, NULL, MPI_ERR_ARG, "the datatype would be too large");
    keep_origin(r, t, o);
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

static int check_lengths(struct rank *r, MPI_Count count, struct numbers lengths)
{
    TRY_MPI(check_count(r, NULL, count));
    for (size_t i = 0; i < (size_t)count; i++)
        if (number_at(lengths, i) < 0)
            return error_raise(r, NULL, MPI_ERR_ARG, "block %zu has length %lld", i,
                               (long long)number_at(lengths, i));
    return MPI_SUCCESS;
}

/* ---- regular types ---- */

int mpi_Type_contiguous(struct rank *r, MPI_Count count, struct type *old, MPI_Datatype *newtype)
{
    struct origin o = {.combiner = MPI_COMBINER_CONTIGUOUS, {ONE_COUNT(count)}};
    TRY_MPI(check_count(r, NULL, count));
    return give_derived(r, type_regular(old, 1, count, 0), old, o, newtype);
}

static int check_block(struct rank *r, MPI_Count count, MPI_Count length)
{
    TRY_MPI(check_count(r, NULL, count));
    if (length < 0)
        return error_raise(r, NULL, MPI_ERR_ARG, "the block's length is %lld", (long long)length);
    return MPI_SUCCESS;
}

int mpi_Type_vector(struct rank *r, MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                    struct type *old, MPI_Datatype *newtype)
{
    struct origin o = {.combiner = MPI_COMBINER_VECTOR,
                       {ONE_COUNT(count), ONE_COUNT(blocklength), ONE_COUNT(stride)}};
    MPI_Count bytes;
    TRY_MPI(check_block(r, count, blocklength));
    bool fits = !__builtin_mul_overflow(stride, old->extent, &bytes);
    return give_derived(r, fits ? type_regular(old, count, blocklength, bytes) : NULL, old, o,
                        newtype);
}

int mpi_Type_create_hvector(struct rank *r, MPI_Count count, MPI_Count blocklength,
                            MPI_Count stride, struct type *old, MPI_Datatype *newtype)
{
    struct origin o = {.combiner = MPI_COMBINER_HVECTOR,
                       {ONE_COUNT(count), ONE_COUNT(blocklength), ONE_ADDRESS(stride)}};
    TRY_MPI(check_block(r, count, blocklength));
    return give_derived(r, type_regular(old, count, blocklength, stride), old, o, newtype);
}

/* ---- listed types ---- */

/* Blocks of one type. A list that is not there is of the other kind: one length for all,
 * displacements in elements instead of bytes. */
int type_of_blocks(struct rank *r, int combiner, MPI_Count count, struct numbers lengths,
                   MPI_Count length, struct numbers elements, const MPI_Count bytes[],
                   struct type *old, MPI_Datatype *newtype)
{
    bool listed = numbers_are_there(lengths);
    TRY_MPI(listed ? check_lengths(r, count, lengths) : check_block(r, count, length));
    size_t n = (size_t)count;
    struct origin o = {
        .combiner = combiner,
        {ONE_COUNT(count),
         {GIVEN_COUNT, listed ? lengths : (struct numbers){.large = &length}, listed ? n : 1},
         {GIVEN_COUNT, elements, bytes ? 0 : n},
         {GIVEN_ADDRESS, {.large = bytes}, bytes ? n : 0}}};
    struct type_block *block = memory_alloc(n + 1, sizeof(*block));
    bool fits = true;
    for (size_t i = 0; i < n; i++) {
        block[i] = (struct type_block){0, listed ? number_at(lengths, i) : length, old};
        if (bytes)
            block[i].at = bytes[i];
        else
            fits &= !__builtin_mul_overflow(number_at(elements, i), old->extent, &block[i].at);
    }
    struct type *t = fits ? type_listed(block, n) : NULL;
    free(block);
    return give_derived(r, t, old, o, newtype);
}

/* As a compiler pads a structure: to the alignment of its members. A mark is where it is. */
static struct type *pad(struct type *t)
{
    bool open = t && t->high_bound != BOUND_MARK;
    int64_t rest = open && t->alignment > 1 ? t->extent % t->alignment : 0;
    if (rest) {
        t->extent += t->alignment - rest;
        t->dense = false;
    }
    return t;
}

int mpi_Type_create_struct(struct rank *r, MPI_Count count, struct numbers blocklengths,
                           const MPI_Count displs[], const MPI_Datatype types[],
                           MPI_Datatype *newtype)
{
    int error = MPI_SUCCESS;
    TRY_MPI(check_lengths(r, count, blocklengths));
    size_t n = (size_t)count;
    struct type_block *block = memory_alloc(n + 1, sizeof(*block));
    struct type **child = memory_alloc(n + 1, sizeof(struct type *));
    for (size_t i = 0; i < n && !error; i++) {
        error = find_type(r, NULL, types[i], &child[i]);
        block[i] = (struct type_block){displs[i], number_at(blocklengths, i), child[i]};
    }
    struct origin o = {
        .combiner = MPI_COMBINER_STRUCT,
        {ONE_COUNT(count), {GIVEN_COUNT, blocklengths, n}, {GIVEN_ADDRESS, {.large = displs}, n}},
        child,
        n};
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

static int check_array(struct rank *r, const struct type_array *a)
{
    if (a->dims < 1)
        return error_raise(r, NULL, MPI_ERR_DIMS, "an array of %d dimensions", a->dims);
    for (size_t d = 0; d < (size_t)a->dims; d++) {
        int64_t size = number_at(a->size, d), part = number_at(a->subsize, d);
        int64_t start = number_at(a->start, d);
        if (size < 1 || part < 1 || start < 0 || part > size || start > size - part)
            return error_raise(r, NULL, MPI_ERR_ARG,
                               "dimension %zu: %lld elements from %lld on, of %lld", d,
                               (long long)part, (long long)start, (long long)size);
    }
    return MPI_SUCCESS;
}

int mpi_Type_create_subarray(struct rank *r, int ndims, struct numbers sizes,
                             struct numbers subsizes, struct numbers starts, int order,
                             struct type *old, MPI_Datatype *newtype)
{
    struct type_array a = {ndims, sizes, subsizes, starts, order == MPI_ORDER_FORTRAN, old};
    TRY_MPI(check_array(r, &a));
    TRY_MPI(check_order(r, order));
    size_t n = (size_t)ndims;
    struct origin o = {.combiner = MPI_COMBINER_SUBARRAY,
                       {ONE_INTEGER(ndims),
                        {GIVEN_COUNT, sizes, n},
                        {GIVEN_COUNT, subsizes, n},
                        {GIVEN_COUNT, starts, n},
                        ONE_INTEGER(order)}};
    return give_derived(r, type_subarray(&a), old, o, newtype);
}

static int check_shares(struct rank *r, const struct type_shares *s)
{
    int64_t all = 1;
    for (int d = 0; d < s->dims; d++) {
        int64_t size = number_at(s->size, (size_t)d);
        int block = s->argument[d], kind = s->distribution[d];
        bool known = kind == MPI_DISTRIBUTE_NONE || kind == MPI_DISTRIBUTE_BLOCK ||
                     kind == MPI_DISTRIBUTE_CYCLIC;
        bool covers = kind != MPI_DISTRIBUTE_BLOCK || block == MPI_DISTRIBUTE_DFLT_DARG ||
                      (int64_t)block * s->grid[d] >= size;
        all *= s->grid[d] > 0 ? s->grid[d] : 0;
        if (size < 1 || s->grid[d] < 1 || !known || !covers || block < 1 ||
            (kind == MPI_DISTRIBUTE_NONE && s->grid[d] != 1))
            return error_raise(r, NULL, MPI_ERR_ARG, "dimension %d cannot be distributed so", d);
    }
    if (all != s->processes || s->rank < 0 || s->rank >= s->processes || s->dims < 1)
        return error_raise(r, NULL, MPI_ERR_ARG, "a grid of %lld processes, of %d", (long long)all,
                           s->processes);
    return MPI_SUCCESS;
}

int mpi_Type_create_darray(struct rank *r, int size, int rank, int ndims, struct numbers gsizes,
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
                       {{GIVEN_INTEGER, {.small = head}, 3},
                        {GIVEN_COUNT, gsizes, n},
                        {GIVEN_INTEGER, {.small = distribs}, n},
                        {GIVEN_INTEGER, {.small = dargs}, n},
                        {GIVEN_INTEGER, {.small = psizes}, n},
                        ONE_INTEGER(order)}};
    return give_derived(r, type_darray(&s), old, o, newtype);
}

int mpi_Type_create_resized(struct rank *r, struct type *old, MPI_Count lb, MPI_Count extent,
                            MPI_Datatype *newtype)
{
    struct origin o = {.combiner = MPI_COMBINER_RESIZED, {ONE_ADDRESS(lb), ONE_ADDRESS(extent)}};
    return give_derived(r, type_resized(old, lb, extent), old, o, newtype);
}

int mpi_Type_dup(struct rank *r, struct type *old, MPI_Datatype *newtype)
{
    struct type *t = type_resized(old, old->low, old->extent);
    struct origin o = {.combiner = MPI_COMBINER_DUP};
    if (t) {
        t->committed = old->committed;
        t->alignment = old->alignment;
        t->low_bound = old->low_bound;
        t->high_bound = old->high_bound;
        t->dense = old->dense;
        TRY_MPI(attributes_copy(r, old->attributes, (void *)old->handle, &t->attributes));
    }
    return give_derived(r, t, old, o, newtype);
}

int mpi_Type_get_value_index(struct rank *r, struct type *value, struct type *index,
                             MPI_Datatype *pair)
{
    unsigned handle = basics_pair(value, index);
    (void)r;
    *pair = handle ? (MPI_Datatype)(uintptr_t)handle : MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
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
        .combiner = combiner,
        {{GIVEN_INTEGER, {.small = &precision}, combiner != MPI_COMBINER_F90_INTEGER},
         ONE_INTEGER(range)}};
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
