/* Attributes of communicators, datatypes and windows, those that are predefined among them. */
#include <limits.h>
#include <string.h>

#include "mpi/call.h"
#include "mpi/object/window.h"

int find_comm_owner(struct rank *r, MPI_Comm handle, struct owner *o)
{
    struct comm *c;
    TRY_MPI(find_comm(r, handle, &c));
    *o = (struct owner){KEY_OF_COMM, c, handle, &c->attributes};
    return MPI_SUCCESS;
}

int find_type_owner(struct rank *r, MPI_Datatype handle, struct owner *o)
{
    struct type *t;
    TRY_MPI(find_type(r, NULL, handle, &t));
    *o = (struct owner){KEY_OF_TYPE, NULL, handle, &t->attributes};
    return MPI_SUCCESS;
}

int find_win_owner(struct rank *r, MPI_Win handle, struct owner *o)
{
    struct mpi_window *w;
    TRY_MPI(find_window(r, handle, &w));
    *o = (struct owner){KEY_OF_WIN, w->comm, handle, &w->attributes};
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
    *k = keyval_find(r, o->kind, key);
    if (*k)
        return MPI_SUCCESS;
    bool predefined = (o->kind == KEY_OF_COMM && is_predefined(key)) ||
                      (o->kind == KEY_OF_WIN && key >= MPI_WIN_BASE && key <= MPI_WIN_MODEL);
    return error_raise(r, o->comm, MPI_ERR_KEYVAL,
                       predefined ? "key %d is predefined" : "there is no key %d", key);
}

int attribute_free_key(struct rank *r, int kind, int *key)
{
    struct keyval *k;
    TRY_MPI(find_key(r, &(struct owner){.kind = (enum keyval_kind)kind}, *key, &k));
    keyval_free(r, k);
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

int mpi_Comm_create_keyval(struct rank *r, MPI_Comm_copy_attr_function *copy,
                           MPI_Comm_delete_attr_function *remove, int *key, void *extra)
{
    *key = keyval_new(r, KEY_OF_COMM, copy, remove, extra);
    return MPI_SUCCESS;
}

/* Handles are pointers all, so functions that get them are called in the same way. */
#define CREATE_KEYVAL(NAME, KIND, COPY, REMOVE)                                                    \
    int mpi_##NAME(struct rank *r, COPY *copy, REMOVE *remove, int *key, void *extra)              \
    {                                                                                              \
        MPI_Comm_copy_attr_function *as_copy;                                                      \
        MPI_Comm_delete_attr_function *as_remove;                                                  \
        memcpy(&as_copy, &copy, sizeof(as_copy));                                                  \
        memcpy(&as_remove, &remove, sizeof(as_remove));                                            \
        *key = keyval_new(r, KIND, as_copy, as_remove, extra);                                     \
        return MPI_SUCCESS;                                                                        \
    }
CREATE_KEYVAL(Type_create_keyval, KEY_OF_TYPE, MPI_Type_copy_attr_function,
              MPI_Type_delete_attr_function)
CREATE_KEYVAL(Win_create_keyval, KEY_OF_WIN, MPI_Win_copy_attr_function,
              MPI_Win_delete_attr_function)

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

/* What MPI itself says of a window. */
static void *predefined_of_window(struct mpi_window *w, int key)
{
    switch (key) {
    case MPI_WIN_BASE:
        return w->part.base;
    case MPI_WIN_SIZE:
        return &w->part.size;
    case MPI_WIN_DISP_UNIT:
        return &w->part.unit;
    case MPI_WIN_CREATE_FLAVOR:
        return &w->flavor;
    default:
        return &w->model;
    }
}

int mpi_Win_get_attr(struct rank *r, struct owner o, int key, void *value, int *flag)
{
    *flag = key >= MPI_WIN_BASE && key <= MPI_WIN_MODEL;
    if (!*flag)
        return attribute_value(r, o, key, value, flag);
    struct mpi_window *w = handle_object(&r->handles, HANDLE_WINDOW, (uintptr_t)o.handle);
    *(void **)value = predefined_of_window(w, key);
    return MPI_SUCCESS;
}
