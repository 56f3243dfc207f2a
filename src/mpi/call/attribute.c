/* Attributes of communicators, those that are predefined among them. */
#define _GNU_SOURCE
#include <limits.h>

#include "mpi/object/attribute.h"
#include "mpi/call.h"

int call_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
                            MPI_Comm_delete_attr_function *remove, int *key, void *extra)
{
    struct rank *r = call_begin(CALL_Comm_create_keyval);
    *key = keyval_new(r, false, copy, remove, extra);
    return call_end(r, MPI_SUCCESS);
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

int call_Comm_free_keyval(int *key)
{
    struct rank *r = call_begin(CALL_Comm_free_keyval);
    struct keyval *k;
    int error = find_key(r, NULL, *key, &k);
    if (error)
        return call_end(r, error);
    keyval_free(r, k);
    *key = MPI_KEYVAL_INVALID;
    return call_end(r, MPI_SUCCESS);
}

int call_Comm_set_attr(MPI_Comm comm, int key, void *value)
{
    struct rank *r = call_begin(CALL_Comm_set_attr);
    struct comm *c;
    struct keyval *k;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = find_key(r, c, key, &k);
    return call_end(
        r, error ? error : error_pass_on(r, c, attribute_set(r, &c->attributes, comm, k, value)));
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

int call_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag)
{
    struct rank *r = call_begin(CALL_Comm_get_attr);
    struct comm *c;
    struct keyval *k;
    int error = find_comm(r, comm, &c);
    int *known = error ? NULL : predefined(r, key);
    *flag = known != NULL;
    if (known)
        *(int **)value = known;
    if (error || known)
        return call_end(r, error);
    error = find_key(r, c, key, &k);
    const struct attribute *a = error ? NULL : attribute_find(c->attributes, k);
    *flag = a != NULL;
    if (a)
        *(void **)value = a->value;
    return call_end(r, error);
}

int call_Comm_delete_attr(MPI_Comm comm, int key)
{
    struct rank *r = call_begin(CALL_Comm_delete_attr);
    struct comm *c;
    struct keyval *k;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = find_key(r, c, key, &k);
    struct attribute *a = error ? NULL : attribute_find(c->attributes, k);
    return call_end(r,
                    a ? error_pass_on(r, c, attribute_delete(r, &c->attributes, comm, a)) : error);
}
