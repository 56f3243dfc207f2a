/* Datatypes: their life, sizes, names; addresses; packing. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/call.h"

/* ---- life ---- */

int mpi_Type_commit(struct rank *r, struct type *t)
{
    (void)r;
    if (!t->predefined)
        t->committed = true;
    return MPI_SUCCESS;
}

int mpi_Type_free(struct rank *r, struct type *t, MPI_Datatype *type)
{
    if (t->predefined)
        return error_raise(r, NULL, MPI_ERR_TYPE, "the datatype is predefined");
    if (t->handle == (uintptr_t)*type) { /* MPI_Type_get_contents() may have given another one */
        TRY_MPI(attributes_drop(r, &t->attributes, (void *)t->handle));
        t->handle = 0;
    }
    handle_drop(&r->handles, (uintptr_t)*type);
    type_release(t);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

/* ---- sizes ---- */

MPI_ANSWER(Type_size, MPI_Count, t->size, struct rank *r, struct type *t)

MPI_ANSWERS(Type_get_extent, MPI_Count, t->low, t->extent, struct rank *r, struct type *t)
MPI_ANSWERS(Type_get_true_extent, MPI_Count, t->true_low, t->true_high - t->true_low,
            struct rank *r, struct type *t)

/* Functions of MPI-1, each for one half. */
MPI_ANSWER(Type_extent, MPI_Aint, t->extent, struct rank *r, struct type *t)
MPI_ANSWER(Type_lb, MPI_Aint, t->low, struct rank *r, struct type *t)
MPI_ANSWER(Type_ub, MPI_Aint, t->low + t->extent, struct rank *r, struct type *t)

/* ---- how it was made ---- */

/* What was made with large counts has nothing for functions with small ones. */
static int check_counts(struct rank *r, const struct type *t)
{
    return t->origin.length[ORIGIN_COUNTS]
               ? error_raise(r, NULL, MPI_ERR_TYPE, "the datatype was made with large counts")
               : MPI_SUCCESS;
}

int mpi_Type_get_envelope_c(struct rank *r, struct type *t, MPI_Count *integers,
                            MPI_Count *addresses, MPI_Count *large_counts, MPI_Count *datatypes,
                            int *combiner)
{
    const struct type_origin *o = &t->origin;
    (void)r;
    *integers = (MPI_Count)o->length[ORIGIN_INTEGERS];
    *addresses = (MPI_Count)o->length[ORIGIN_ADDRESSES];
    *large_counts = (MPI_Count)o->length[ORIGIN_COUNTS];
    *datatypes = (MPI_Count)o->types;
    *combiner = t->predefined ? MPI_COMBINER_NAMED : o->combiner;
    return MPI_SUCCESS;
}

int mpi_Type_get_envelope(struct rank *r, struct type *t, int *integers, int *addresses,
                          int *datatypes, int *combiner)
{
    MPI_Count of[4];
    TRY_MPI(check_counts(r, t));
    mpi_Type_get_envelope_c(r, t, &of[0], &of[1], &of[2], &of[3], combiner);
    *integers = (int)of[0];
    *addresses = (int)of[1];
    *datatypes = (int)of[3];
    return MPI_SUCCESS;
}

int mpi_Type_get_contents_c(struct rank *r, struct type *t, MPI_Count max_integers,
                            MPI_Count max_addresses, MPI_Count max_large_counts,
                            MPI_Count max_datatypes, int integers[], MPI_Aint addresses[],
                            MPI_Count large_counts[], MPI_Datatype datatypes[])
{
    const struct type_origin *o = &t->origin;
    if (t->predefined || max_integers < (MPI_Count)o->length[ORIGIN_INTEGERS] ||
        max_addresses < (MPI_Count)o->length[ORIGIN_ADDRESSES] ||
        max_large_counts < (MPI_Count)o->length[ORIGIN_COUNTS] ||
        max_datatypes < (MPI_Count)o->types)
        return error_raise(r, NULL, MPI_ERR_TYPE,
                           t->predefined ? "the datatype is predefined"
                                         : "there is not room for its contents");
    for (size_t i = 0; i < o->length[ORIGIN_INTEGERS]; i++)
        integers[i] = (int)o->number[ORIGIN_INTEGERS][i];
    for (size_t i = 0; i < o->length[ORIGIN_ADDRESSES]; i++)
        addresses[i] = o->number[ORIGIN_ADDRESSES][i];
    for (size_t i = 0; i < o->length[ORIGIN_COUNTS]; i++)
        large_counts[i] = o->number[ORIGIN_COUNTS][i];
    for (size_t i = 0; i < o->types; i++) {
        struct type *child = o->type[i];
        /* Derived types are as new, and the program is to free them. */
        uintptr_t handle = child->predefined
                               ? child->handle
                               : handle_new(&r->handles, HANDLE_TYPE, type_hold(child));
        child->handle = child->handle ? child->handle : handle;
        datatypes[i] = (MPI_Datatype)handle;
    }
    return MPI_SUCCESS;
}

int mpi_Type_get_contents(struct rank *r, struct type *t, int max_integers, int max_addresses,
                          int max_datatypes, int integers[], MPI_Aint addresses[],
                          MPI_Datatype datatypes[])
{
    TRY_MPI(check_counts(r, t));
    return mpi_Type_get_contents_c(r, t, max_integers, max_addresses, 0, max_datatypes, integers,
                                   addresses, NULL, datatypes);
}

/* ---- names ---- */

/* Types that all ranks share have names of their own in a rank that has given them some. */
struct type_name {
    struct type_name *next; /* first: memory_free_list() */
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

MPI_ANSWER(Get_address, MPI_Aint, (MPI_Aint)location, struct rank *r, const void *location)

MPI_Aint call_Aint_add(MPI_Aint base, MPI_Aint disp)
{
    return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp);
}

MPI_Aint call_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
    return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2);
}

/* ---- packing ---- */

/* Between memory and a packed piece, from *position on, which moves on. */
int type_transfer(struct rank *r, bool outwards, const void *packed, MPI_Count size,
                  MPI_Count *position, const void *data, MPI_Count count, MPI_Datatype type,
                  struct comm *c)
{
    struct block b = {(void *)data, count, NULL};
    TRY_MPI(find_data(r, c, count, type, &b.type));
    int64_t bytes = (int64_t)block_length(&b);
    if (*position < 0 || bytes > size - *position)
        return error_raise(r, c, MPI_ERR_TRUNCATE, "%lld bytes %s behind %lld of %lld",
                           (long long)bytes, outwards ? "do not fit" : "are not",
                           (long long)*position, (long long)size);
    unsigned char *at = (unsigned char *)packed + *position;
    if (outwards)
        block_pack(&b, (uint64_t)bytes, at);
    else
        block_unpack(&b, (uint64_t)bytes, at);
    rank_copy(r, (uint64_t)bytes);
    *position += bytes;
    return MPI_SUCCESS;
}

int mpi_Pack_size(struct rank *r, MPI_Count incount, MPI_Datatype type, struct comm *c,
                  MPI_Count *size)
{
    struct type *t;
    TRY_MPI(find_data(r, c, incount, type, &t));
    *size = incount * t->size;
    return MPI_SUCCESS;
}
