/* Keys and values. */
#include "mpi/object/comm.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mpi/rank.h"

/* ---- keys ---- */

enum { FIRST_KEY = 1024 };

int keyval_new(struct rank *r, enum keyval_kind kind, MPI_Comm_copy_attr_function *copy,
               MPI_Comm_delete_attr_function *remove, void *extra)
{
    struct keyval *k = memory_alloc(1, sizeof(*k));
    *k = (struct keyval){.next = r->keyvals,
                         .number = FIRST_KEY + r->keys++,
                         .holders = 1,
                         .kind = kind,
                         .copy = copy,
                         .remove = remove,
                         .extra = extra};
    r->keyvals = k;
    return k->number;
}

struct keyval *keyval_find(struct rank *r, enum keyval_kind kind, int number)
{
    for (struct keyval *k = r->keyvals; k; k = k->next)
        if (k->number == number && k->kind == kind)
            return k;
    return NULL;
}

static void release_key(struct rank *r, struct keyval *k)
{
    struct keyval **link = &r->keyvals;
    if (--k->holders)
        return;
    while (*link != k)
        link = &(*link)->next;
    *link = k->next;
    free(k);
}

void keyval_free(struct rank *r, struct keyval *k)
{
    if (!k->freed) {
        k->freed = true;
        release_key(r, k);
    }
}

/* ---- values ---- */

struct attribute *attribute_find(struct attribute *list, const struct keyval *key)
{
    while (list && list->key != key)
        list = list->next;
    return list;
}

static int call_remove(void *owner, const struct attribute *a)
{
    const struct keyval *k = a->key;
    return k->remove != MPI_COMM_NULL_DELETE_FN ? k->remove(owner, k->number, a->value, k->extra)
                                                : MPI_SUCCESS;
}

int attribute_set(struct attribute **list, void *owner, struct keyval *key, void *value)
{
    struct attribute *a = attribute_find(*list, key);
    if (a) {
        int error = call_remove(owner, a);
        if (!error)
            a->value = value;
        return error;
    }
    a = memory_alloc(1, sizeof(*a));
    *a = (struct attribute){*list, key, value};
    key->holders++;
    *list = a;
    return MPI_SUCCESS;
}

int attribute_delete(struct rank *r, struct attribute **list, void *owner, struct attribute *a)
{
    int error = call_remove(owner, a);
    if (error)
        return error;
    while (*list != a)
        list = &(*list)->next;
    *list = a->next;
    release_key(r, a->key);
    free(a);
    return MPI_SUCCESS;
}

/* Copies those before it first: they come in the order in which they were set. */
int attributes_copy(struct rank *r, const struct attribute *from, void *owner,
                    struct attribute **to)
{
    if (!from)
        return MPI_SUCCESS;
    int error = attributes_copy(r, from->next, owner, to), wanted = 0;
    struct keyval *k = from->key;
    void *value = NULL;
    if (error || k->copy == MPI_COMM_NULL_COPY_FN)
        return error;
    if (k->copy == MPI_COMM_DUP_FN)
        value = from->value, wanted = 1;
    else
        error = k->copy(owner, k->number, k->extra, from->value, &value, &wanted);
    return error || !wanted ? error : attribute_set(to, owner, k, value);
}

/* The last that was set goes first. */
int attributes_drop(struct rank *r, struct attribute **list, void *owner)
{
    int error = MPI_SUCCESS;
    while (*list && !error)
        error = attribute_delete(r, list, owner, *list);
    return error;
}
