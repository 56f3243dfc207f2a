/*
 * Communicators: groups whose messages meet no others. A communicator has two contexts, one for
 * messages and the next one for collective operations, which all of its members have agreed on.
 */
#ifndef WEFT_MPI_OBJECT_COMM_H
#define WEFT_MPI_OBJECT_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi.h"
#include "mpi/object/buffer.h"
#include "mpi/object/group.h"

struct attribute;
struct errhandler;
struct info;
struct rank;
struct topology;

struct comm {
    uint32_t holders;
    uint32_t context;
    const struct group *group;  /* of this side */
    const struct group *remote; /* of the other side; NULL: there is only one */
    uint32_t rank;              /* here, in the group */
    uint32_t operations;        /* collective ones, so far */
    uint32_t tree_class;        /* 1 + its class of the tree's packets; 0: nobody has looked */
    uintptr_t handle;           /* 0: it was freed */
    uintptr_t window;           /* the handle of the window that it belongs to; 0: none */
    struct errhandler *errors;  /* NULL: any error ends the program */
    struct attribute *attributes;
    struct topology *topology; /* NULL: none */
    struct info *info;
    struct mpi_session *session; /* of whose groups it was made; NULL: of none */
    struct send_buffer buffer;   /* MPI_Comm_attach_buffer() */
    char name[128];
};

/* The group that messages go to. */
static inline const struct group *comm_peer_group(const struct comm *c)
{
    return c->remote ? c->remote : c->group;
}

/* A communicator of this rank, held by its handle. Takes over the caller's hold on the groups.
 * `traced`: traces mention it. */
struct comm *comm_new(struct rank *r, uint32_t context, const struct group *group,
                      const struct group *remote, bool traced);

struct comm *comm_hold(struct comm *c);
void comm_release(struct rank *r, struct comm *c);

/* Takes its handle away: it goes when nothing is under way on it any more. */
void comm_free(struct rank *r, struct comm *c);

/* A communicator by its handle; NULL: it is none. */
struct comm *comm_find(struct rank *r, uintptr_t handle);

/*
 * ---- attributes ----
 *
 * What programs attach to communicators, datatypes and windows, under keys of their own, with
 * functions that are called when the object is copied or goes.
 */

/* A key; it lives, and is known by its number, as long as there are values under it. */
enum keyval_kind { KEY_OF_COMM, KEY_OF_TYPE, KEY_OF_WIN };

struct keyval {
    struct keyval *next; /* first: memory_free_list() */
    int number;
    unsigned holders;
    enum keyval_kind kind;
    bool freed;                        /* by the program */
    MPI_Comm_copy_attr_function *copy; /* all are called in the same way */
    MPI_Comm_delete_attr_function *remove;
    void *extra;
};

struct attribute {
    struct attribute *next; /* the one that was set before */
    struct keyval *key;
    void *value;
};

int keyval_new(struct rank *r, enum keyval_kind kind, MPI_Comm_copy_attr_function *copy,
               MPI_Comm_delete_attr_function *remove, void *extra);
struct keyval *keyval_find(struct rank *r, enum keyval_kind kind,
                           int number); /* NULL: there is none */
void keyval_free(struct rank *r, struct keyval *k);

/* The value under a key; NULL: none. */
struct attribute *attribute_find(struct attribute *list, const struct keyval *key);

/* Codes of these are MPI_SUCCESS, or what a function of the program returned. `owner`: the object's
 * handle. */
int attribute_set(struct attribute **list, void *owner, struct keyval *key, void *value);
int attribute_delete(struct rank *r, struct attribute **list, void *owner, struct attribute *a);
int attributes_copy(struct rank *r, const struct attribute *from, void *owner,
                    struct attribute **to);
int attributes_drop(struct rank *r, struct attribute **list, void *owner);

/* ---- hints: pairs of texts, in the order in which they were set ---- */

struct info_pair {
    char *key, *value;
};

struct info {
    struct info_pair *pair;
    size_t pairs;
};

struct info *info_new(void);
struct info *info_copy(const struct info *info); /* of NULL: NULL */
void info_drop(struct info *info);

void info_set(struct info *info, const char *key, const char *value);
const char *info_get(const struct info *info, const char *key); /* NULL: there is none */
int info_remove(struct info *info, const char *key);            /* 0: there was none */

/*
 * ---- virtual topologies ----
 *
 * Grids, graphs, and graphs of which every process knows its own edges. A communicator has at most
 * one; communicators that are copies share it.
 */

enum topology_kind { TOPOLOGY_GRID, TOPOLOGY_GRAPH, TOPOLOGY_EDGES };

struct topology {
    uint32_t holders;
    enum topology_kind kind;
    /* A grid, in C's order: */
    uint32_t dims;
    int *size, *wraps, *here; /* [dims]; here: coordinates of this process */
    /* A graph of all processes: */
    uint32_t nodes, edges;
    int *index, *edge; /* index[i]: the end of node i's edges */
    /* Neighbours of this process, those that messages come from and go to; below 0: none there. */
    uint32_t ins, outs;
    int *in, *out;
    bool weighted;
    int *in_weight, *out_weight; /* if weighted */
};

struct topology *topology_hold(struct topology *t);
void topology_release(struct topology *t);

/* A grid, and where a process is in it. */
struct topology *topology_grid(uint32_t dims, const int *size, const int *wraps, uint32_t rank);
struct topology *topology_graph(uint32_t nodes, const int *index, const int *edge, uint32_t rank);

/* Edges of this process alone; if not weighted, weights may be anything. */
struct topology *topology_edges(bool weighted, uint32_t ins, const int *in, const int *in_weight,
                                uint32_t outs, const int *out, const int *out_weight);

/* The rank at coordinates; below 0: it is outside. And the coordinates of a rank. */
int topology_rank(const struct topology *t, const int *coordinates);
void topology_coordinates(const struct topology *t, uint32_t rank, int *coordinates);

/* Who is `step` away in a dimension; below 0: nobody. */
int topology_shifted(const struct topology *t, uint32_t dim, int step);

/* Factors of a number, as equal as they can be, largest first; sizes that are not 0 stay. False: it
 * cannot be done. */
bool topology_factors(int nodes, int dims, int *size);

/* ---- handlers: what becomes of an error ---- */

enum errhandler_kind { ERRORS_FATAL, ERRORS_RETURN, ERRORS_CALL };

struct errhandler {
    uint32_t holders;
    enum errhandler_kind kind;
    bool predefined;
    MPI_Comm_errhandler_function *function;
    uintptr_t handle;
};

/* The handler of a handle; NULL: it is none. Who keeps one holds it. */
struct errhandler *errhandler_find(struct rank *r, uintptr_t handle);
struct errhandler *errhandler_hold(struct errhandler *h);
void errhandler_release(struct errhandler *h);

#endif
