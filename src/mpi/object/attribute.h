/*
 * Attributes: what programs attach to communicators and datatypes, under keys of their own, with
 * functions that are called when the object is copied or goes.
 */
#ifndef WEFT_MPI_OBJECT_ATTRIBUTE_H
#define WEFT_MPI_OBJECT_ATTRIBUTE_H

#include <stdbool.h>

#include "mpi.h"

struct comm;
struct rank;
struct type;

/* A key; it lives, and is known by its number, as long as there are values under it. */
struct keyval {
    struct keyval *next;
    int number;
    unsigned holders;
    bool of_type;                      /* else of communicators */
    bool freed;                        /* by the program */
    MPI_Comm_copy_attr_function *copy; /* those of types are called in the same way */
    MPI_Comm_delete_attr_function *remove;
    void *extra;
};

struct attribute {
    struct attribute *next; /* the one that was set before */
    struct keyval *key;
    void *value;
};

int keyval_new(struct rank *r, bool of_type, MPI_Comm_copy_attr_function *copy,
               MPI_Comm_delete_attr_function *remove, void *extra);
struct keyval *keyval_find(struct rank *r, bool of_type, int number); /* NULL: there is none */
void keyval_free(struct rank *r, struct keyval *k);
void keyvals_drop(struct rank *r);

/* The value under a key; NULL: none. */
struct attribute *attribute_find(struct attribute *list, const struct keyval *key);

/* Codes of these are MPI_SUCCESS, or what a function of the program returned. `owner`: the object's
 * handle. */
int attribute_set(struct attribute **list, void *owner, struct keyval *key, void *value);
int attribute_delete(struct rank *r, struct attribute **list, void *owner, struct attribute *a);
int attributes_copy(struct rank *r, const struct attribute *from, void *owner,
                    struct attribute **to);
int attributes_drop(struct rank *r, struct attribute **list, void *owner);

#endif
