/*
 * Communicators: groups whose messages meet no others. A communicator has two contexts, one for
 * messages and the next one for collective operations, which all of its members have agreed on.
 */
#ifndef WEFT_MPI_OBJECT_COMM_H
#define WEFT_MPI_OBJECT_COMM_H

#include <stddef.h>

#include "mpi/object/group.h"

struct attribute;
struct errhandler;
struct info;
struct rank;
struct topology;

enum {
    CONTEXT_WORLD = 2, /* 0 and 1 are those of Weft's own programs */
    CONTEXT_SELF = 4,
    CONTEXT_FIRST = 6,
};

struct comm {
    uint32_t holders;
    uint32_t context;
    const struct group *group;  /* of this side */
    const struct group *remote; /* of the other side; NULL: there is only one */
    uint32_t rank;              /* here, in the group */
    uint32_t operations;        /* collective ones, so far */
    uintptr_t handle;           /* 0: it was freed */
    struct errhandler *errors;  /* NULL: any error ends the program */
    struct attribute *attributes;
    struct topology *topology; /* NULL: none */
    struct info *info;
    char name[128];
};

/* The group that messages go to. */
static inline const struct group *comm_peer_group(const struct comm *c)
{
    return c->remote ? c->remote : c->group;
}

/* A communicator of this rank, held by its handle. Takes over the caller's hold on the groups. */
struct comm *comm_new(struct rank *r, uint32_t context, const struct group *group,
                      const struct group *remote);

/* The same of one that traces do not mention. */
struct comm *comm_untraced(struct rank *r, uint32_t context, const struct group *group,
                           const struct group *remote);

struct comm *comm_hold(struct comm *c);
void comm_release(struct rank *r, struct comm *c);

/* Takes its handle away: it goes when nothing is under way on it any more. */
void comm_free(struct rank *r, struct comm *c);

/* A communicator by its handle; NULL: it is none. */
struct comm *comm_find(struct rank *r, uintptr_t handle);

#endif
