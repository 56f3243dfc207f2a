/* Attributes of communicators, those that are predefined among them. */
#define _GNU_SOURCE
#include <limits.h>

#include "mpi/object/attribute.h"
#include "mpi/call.h"

static int new_key(struct rank *r, MPI_Comm_copy_attr_function *copy,
                   MPI_Comm_delete_attr_function *remove, int *key, void *extra)
{
    *key = keyval_new(r, false, copy, remove, extra);
    return MPI_SUCCESS;
}

int call_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
                            MPI_Comm_delete_attr_function *remove, int *key, void *extra)
{
    struct rank *r = call_begin(CALL_Comm_create_keyval);
    return call_end(r, new_key(r, copy, remove, key, extra));
}

int call_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *remove, int *key, void *extra)
{
    struct rank *r = call_begin(CALL_Keyval_create);
    return call_end(r, new_key(r, copy, remove, key, extra));
}

/* Whether a key is one that MPI itself has. */
static bool is_predefined(int key)
{
    return key >= MPI_TAG_UB && key <= MPI_UNIVERSE_SIZE;
}

static int find_key(struct rank *r, struct comm *c, int key, struct keyval **k)
{
    *k = keyval_find(r, false, key);
    if (*k)
        return MPI_SUCCESS;
    return error_raise(r, c, MPI_ERR_KEYVAL,
                       is_predefined(key) ? "key %d is predefined" : "there is no key %d", key);
}

static int free_key(struct rank *r, int *key)
{
    struct keyval *k;
    int error = find_key(r, NULL, *key, &k);
    if (error)
        return error;
    keyval_free(r, k);
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

int call_Comm_free_keyval(int *key)
{
    struct rank *r = call_begin(CALL_Comm_free_keyval);
    return call_end(r, free_key(r, key));
}

int call_Keyval_free(int *key)
{
    struct rank *r = call_begin(CALL_Keyval_free);
    return call_end(r, free_key(r, key));
}

static int set(struct rank *r, MPI_Comm comm, int key, void *value)
{
    struct comm *c;
    struct keyval *k;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = find_key(r, c, key, &k);
    return error ? error : error_pass_on(r, c, attribute_set(r, &c->attributes, comm, k, value));
}

int call_Comm_set_attr(MPI_Comm comm, int key, void *value)
{
    struct rank *r = call_begin(CALL_Comm_set_attr);
    return call_end(r, set(r, comm, key, value));
}

int call_Attr_put(MPI_Comm comm, int key, void *value)
{
    struct rank *r = call_begin(CALL_Attr_put);
    return call_end(r, set(r, comm, key, value));
}

/* What MPI itself says; NULL: nothing. */
static int *predefined(struct rank *r, int key)
{
    static int tag_most = INT_MAX, yes = 1, host = MPI_PROC_NULL, any = MPI_ANY_SOURCE, first = 0;
    switch (key) {
    case MPI_TAG_UB:
        return &tag_most;
    case MPI_WTIME_IS_GLOBAL:
        return &yes;
    case MPI_HOST:
        return &host;
    case MPI_IO:
        return &any;
    case MPI_APPNUM:
        return &first;
    case MPI_UNIVERSE_SIZE:
        r->universe = (int)r->task->size;
        return &r->universe;
    case MPI_LASTUSEDCODE:
        if (r->last_code < MPI_ERR_LASTCODE)
            r->last_code = MPI_ERR_LASTCODE;
        return &r->last_code;
    default:
        return NULL;
    }
}

static int get(struct rank *r, MPI_Comm comm, int key, void *value, int *flag)
{
    struct comm *c;
    struct keyval *k;
    int error = find_comm(r, comm, &c);
    int *known = error ? NULL : predefined(r, key);
    *flag = known != NULL;
    if (known)
        *(int **)value = known;
    if (error || known)
        return error;
    error = find_key(r, c, key, &k);
    const struct attribute *a = error ? NULL : attribute_find(c->attributes, k);
    *flag = a != NULL;
    if (a)
        *(void **)value = a->value;
    return error;
}

int call_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag)
{
    struct rank *r = call_begin(CALL_Comm_get_attr);
    return call_end(r, get(r, comm, key, value, flag));
}

int call_Attr_get(MPI_Comm comm, int key, void *value, int *flag)
{
    struct rank *r = call_begin(CALL_Attr_get);
    return call_end(r, get(r, comm, key, value, flag));
}

static int delete (struct rank *r, MPI_Comm comm, int key)
{
    struct comm *c;
    struct keyval *k;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = find_key(r, c, key, &k);
    struct attribute *a = error ? NULL : attribute_find(c->attributes, k);
    return a ? error_pass_on(r, c, attribute_delete(r, &c->attributes, comm, a)) : error;
}

int call_Comm_delete_attr(MPI_Comm comm, int key)
{
    struct rank *r = call_begin(CALL_Comm_delete_attr);
    return call_end(r, delete (r, comm, key));
}

int call_Attr_delete(MPI_Comm comm, int key)
{
    struct rank *r = call_begin(CALL_Attr_delete);
    return call_end(r, delete (r, comm, key));
}
