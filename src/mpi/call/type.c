/* Datatypes: their life, sizes, names and attributes; addresses; packing. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/object/attribute.h"
#include "mpi/call.h"

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
