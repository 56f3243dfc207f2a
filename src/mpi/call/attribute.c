/* Attributes of communicators and datatypes, those that are predefined among them. */
#include <limits.h>
#include <string.h>

#include "mpi/call.h"

int find_comm_owner(struct rank *r, MPI_Comm handle, struct owner *o)
{
    struct comm *c;
    TRY_MPI(find_comm(r, handle, &c));
    *o = (struct owner){false, c, handle, &c->attributes};
    return MPI_SUCCESS;
}

int find_type_owner(struct rank *r, MPI_Datatype handle, struct owner *o)
{
    struct type *t;
    TRY_MPI(find_type(r, NULL, handle, &t));
    *o = (struct owner){true, NULL, handle, &t->attributes};
    return MPI_SUCCESS;
}

/* ---- keys ---- */

enum { FIRST_KEY = MPI_TAG_UB }; /* of those that MPI itself has, one after the other */

static bool is_predefined(int key)
{
    return key >= FIRST_KEY && key <= MPI_UNIVERSE_SIZE;
}

static int find_key(struct rank *r, const struct owner *o, int key, struct keyval **k)
{
    *k = keyval_find(r, o->is_type, key);
    if (*k)
        return MPI_SUCCESS;
    bool predefined = !o->is_type && is_predefined(key);
    return error_raise(r, o->comm, MPI_ERR_KEYVAL,
                       predefined ? "key %d is predefined" : "there is no key %d", key);
}

int attribute_free_key(struct rank *r, bool is_type, int *key)
{
    struct keyval *k;
    TRY_MPI(find_key(r, &(struct owner){.is_type = is_type}, *key, &k));
    keyval_free(r, k);
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

int mpi_Comm_create_keyval(struct rank *r, MPI_Comm_copy_attr_function *copy,
                           MPI_Comm_delete_attr_function *remove, int *key, void *extra)
{
    *key = keyval_new(r, false, copy, remove, extra);
    return MPI_SUCCESS;
}

int mpi_Type_create_keyval(struct rank *r, MPI_Type_copy_attr_function *copy,
                           MPI_Type_delete_attr_function *remove, int *key, void *extra)
{
    MPI_Comm_copy_attr_function *as_copy;
    MPI_Comm_delete_attr_function *as_remove;
    memcpy(&as_copy, &copy, sizeof(as_copy)); /* handles are pointers all */
    memcpy(&as_remove, &remove, sizeof(as_remove));
    *key = keyval_new(r, true, as_copy, as_remove, extra);
    return MPI_SUCCESS;
}

/* ---- values ---- */

int attribute_store(struct rank *r, struct owner o, int key, void *value)
{
    struct keyval *k;
    TRY_MPI(find_key(r, &o, key, &k));
    return error_pass_on(r, o.comm, attribute_set(o.list, o.handle, k, value));
}

int attribute_value(struct rank *r, struct owner o, int key, void *value, int *flag)
{
    struct keyval *k;
    TRY_MPI(find_key(r, &o, key, &k));
    const struct attribute *a = attribute_find(*o.list, k);
    *flag = a != NULL;
    if (a)
        *(void **)value = a->value;
    return MPI_SUCCESS;
}

int attribute_remove(struct rank *r, struct owner o, int key)
{
    struct keyval *k;
    TRY_MPI(find_key(r, &o, key, &k));
    struct attribute *a = attribute_find(*o.list, k);
    return a ? error_pass_on(r, o.comm, attribute_delete(r, o.list, o.handle, a)) : MPI_SUCCESS;
}

/* What MPI itself says; NULL: nothing. */
static int *predefined(struct rank *r, int key)
{
    static int fixed[] = {[MPI_TAG_UB - FIRST_KEY] = INT_MAX,
                          [MPI_IO - FIRST_KEY] = MPI_ANY_SOURCE,
                          [MPI_HOST - FIRST_KEY] = MPI_PROC_NULL,
                          [MPI_WTIME_IS_GLOBAL - FIRST_KEY] = 1};
    r->universe = (int)r->task->size;
    if (key == MPI_LASTUSEDCODE || key == MPI_UNIVERSE_SIZE)
        return key == MPI_LASTUSEDCODE ? &r->last_code : &r->universe;
    if (key == MPI_APPNUM)
        return &r->executable->number;
    return is_predefined(key) ? &fixed[key - FIRST_KEY] : NULL;
}

int mpi_Comm_get_attr(struct rank *r, struct owner o, int key, void *value, int *flag)
{
    int *known = predefined(r, key);
    *flag = known != NULL;
    if (!known)
        return attribute_value(r, o, key, value, flag);
    *(int **)value = known;
    return MPI_SUCCESS;
}
