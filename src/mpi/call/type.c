/* Datatypes: their life, sizes, names; addresses; packing. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"

/* ---- life ---- */

int mpi_Type_commit(struct rank *r, MPI_Datatype *type)
{
    struct type *t;
    TRY_MPI(find_type(r, NULL, *type, &t));
    if (!t->predefined)
        t->committed = true;
    return MPI_SUCCESS;
}

int mpi_Type_free(struct rank *r, MPI_Datatype *type)
{
    struct type *t;
    TRY_MPI(find_type(r, NULL, *type, &t));
    if (t->predefined)
        return error_raise(r, NULL, MPI_ERR_TYPE, "the datatype is predefined");
    TRY_MPI(attributes_drop(r, &t->attributes, (void *)t->handle));
    handle_drop(&r->handles, t->handle);
    t->handle = 0;
    type_release(t);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

/* ---- sizes ---- */

static int as_int(int64_t value)
{
    return value > INT_MAX || value < INT_MIN ? MPI_UNDEFINED : (int)value;
}

int mpi_Type_size(struct rank *r, struct type *t, int *size)
{
    (void)r;
    *size = as_int(t->size);
    return MPI_SUCCESS;
}

int mpi_Type_size_x(struct rank *r, struct type *t, MPI_Count *size)
{
    (void)r;
    *size = t->size;
    return MPI_SUCCESS;
}

#define EXTENT(NAME, TYPE, LOW, EXTENT_OF)                                                         \
    int mpi_##NAME(struct rank *r, struct type *t, TYPE *lb, TYPE *extent)                         \
    {                                                                                              \
        (void)r;                                                                                   \
        *lb = LOW;                                                                                 \
        *extent = EXTENT_OF;                                                                       \
        return MPI_SUCCESS;                                                                        \
    }
EXTENT(Type_get_extent, MPI_Aint, t->low, t->extent)
EXTENT(Type_get_extent_x, MPI_Count, t->low, t->extent)
EXTENT(Type_get_true_extent, MPI_Aint, t->true_low, t->true_high - t->true_low)
EXTENT(Type_get_true_extent_x, MPI_Count, t->true_low, t->true_high - t->true_low)

/* Functions of MPI-1, each for one half. */
#define BOUND(NAME, VALUE)                                                                         \
    int mpi_##NAME(struct rank *r, struct type *t, MPI_Aint *value)                                \
    {                                                                                              \
        (void)r;                                                                                   \
        *value = VALUE;                                                                            \
        return MPI_SUCCESS;                                                                        \
    }
BOUND(Type_extent, t->extent)
BOUND(Type_lb, t->low)
BOUND(Type_ub, t->low + t->extent)

/* ---- how it was made ---- */

int mpi_Type_get_envelope(struct rank *r, struct type *t, int *integers, int *addresses,
                          int *datatypes, int *combiner)
{
    (void)r;
    *integers = (int)t->origin.integers;
    *addresses = (int)t->origin.addresses;
    *datatypes = (int)t->origin.types;
    *combiner = t->predefined ? MPI_COMBINER_NAMED : t->origin.combiner;
    return MPI_SUCCESS;
}

int mpi_Type_get_contents(struct rank *r, struct type *t, int max_integers, int max_addresses,
                          int max_datatypes, int integers[], MPI_Aint addresses[],
                          MPI_Datatype datatypes[])
{
    const struct type_origin *o = &t->origin;
    if (t->predefined || max_integers < (int)o->integers || max_addresses < (int)o->addresses ||
        max_datatypes < (int)o->types)
        return error_raise(r, NULL, MPI_ERR_TYPE,
                           t->predefined ? "the datatype is predefined"
                                         : "there is not room for its contents");
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
    return MPI_SUCCESS;
}

/* ---- names ---- */

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

int mpi_Type_set_name(struct rank *r, struct type *t, const char *name)
{
    snprintf(name_of(r, t, true), sizeof(t->name), "%s", name);
    return MPI_SUCCESS;
}

int mpi_Type_get_name(struct rank *r, struct type *t, char *name, int *length)
{
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", name_of(r, t, false));
    return MPI_SUCCESS;
}

/* ---- addresses ---- */

int mpi_Get_address(struct rank *r, const void *location, MPI_Aint *address)
{
    (void)r;
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
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

/* Data of a type, and what they are packed into. */
struct packing {
    struct type *type;
    int64_t bytes;
};

static int find_packing(struct rank *r, struct comm *c, int count, MPI_Datatype type, int64_t size,
                        int64_t position, const char *mistake, struct packing *p)
{
    TRY_MPI(find_data(r, c, count, type, &p->type));
    p->bytes = count * p->type->size;
    if (position >= 0 && p->bytes <= size - position)
        return MPI_SUCCESS;
    return error_raise(r, c, MPI_ERR_TRUNCATE, "%lld bytes %s behind %lld of %lld",
                       (long long)p->bytes, mistake, (long long)position, (long long)size);
}

int mpi_Pack(struct rank *r, const void *inbuf, int incount, MPI_Datatype type, void *outbuf,
             int outsize, int *position, struct comm *c)
{
    struct packing p;
    TRY_MPI(find_packing(r, c, incount, type, outsize, *position, "do not fit", &p));
    type_pack(p.type, incount, inbuf, 0, (uint64_t)p.bytes, (unsigned char *)outbuf + *position);
    rank_copy(r, (uint64_t)p.bytes);
    *position += (int)p.bytes;
    return MPI_SUCCESS;
}

int mpi_Unpack(struct rank *r, const void *inbuf, int insize, int *position, void *outbuf,
               int outcount, MPI_Datatype type, struct comm *c)
{
    struct packing p;
    TRY_MPI(find_packing(r, c, outcount, type, insize, *position, "are not", &p));
    type_unpack(p.type, outcount, outbuf, 0, (uint64_t)p.bytes,
                (const unsigned char *)inbuf + *position);
    rank_copy(r, (uint64_t)p.bytes);
    *position += (int)p.bytes;
    return MPI_SUCCESS;
}

int mpi_Pack_size(struct rank *r, int incount, MPI_Datatype type, struct comm *c, int *size)
{
    struct type *t;
    TRY_MPI(find_data(r, c, incount, type, &t));
    *size = as_int(incount * t->size);
    return MPI_SUCCESS;
}
