/*
 * Windows: memory of a rank that other ranks read and change without its program. An access is a
 * call of the message layer (task_call()): the origin's data travel to the target, where
 * window_serve() does what is to be done at their arrival, and a reply ends it.
 *
 *   put, get       into or from memory in one piece: by engines, where there are any
 *   all others     by the target's processor, as soon as it handles what has come
 *   lock, unlock   likewise; who asks for a lock waits for the reply, in a queue
 *
 * So an origin that has all replies knows that its accesses are complete at the target. A rank
 * touches its own window only: what others know of it stands in a table that never changes.
 */
#ifndef WEFT_MPI_OBJECT_WINDOW_H
#define WEFT_MPI_OBJECT_WINDOW_H

#include "base/map.h"
#include "mpi/object/comm.h"
#include "mpi/object/type.h"
#include "weft_program.h"

struct meeting;
struct mpi_request;
struct task_parcel;
struct task_served;

enum window_access_kind {
    ACCESS_PUT,
    ACCESS_GET,
    ACCESS_ACCUMULATE, /* from here on: those of an origin are done in order */
    ACCESS_FETCH,      /* accumulates, and returns what was there */
    ACCESS_COMPARE,    /* and swaps */
    ACCESS_LOCK,
    ACCESS_UNLOCK,
};

static inline bool access_is_ordered(enum window_access_kind kind)
{
    return kind >= ACCESS_ACCUMULATE && kind <= ACCESS_COMPARE;
}

/* What an origin does to a window. It does not change while it is under way. */
struct window_access {
    uint32_t holders; /* requests of the origin */
    enum window_access_kind kind;
    struct mpi_window *window; /* the target's */
    uint32_t origin;           /* rank in the window */
    uint32_t number;           /* of an ordered access, among those of this origin */
    bool exclusive;            /* a lock, and the end of one */
    const struct op *op;
    struct block at;     /* in the target's memory; its type is held, as those of the others */
    struct block result; /* in the origin's, for the reply */
    weft_request task;
    bool over;
    int error;
};

/* A rank's part of a window. */
struct window_part {
    unsigned char *base;
    MPI_Aint size;
    int unit;
    uint32_t node;
    struct mpi_window *window;
};

struct requests {
    struct mpi_request **q;
    size_t count, room;
};

/* What the rank may do to others. */
enum epoch {
    EPOCH_NONE,
    EPOCH_FENCE,
    EPOCH_START,
    EPOCH_LOCKS,
    EPOCH_LOCK_ALL, /* locks are taken when they are first needed */
};

/* A lock that the rank has of another one. */
enum lock { LOCK_SHARED, LOCK_EXCLUSIVE, LOCK_UNCHECKED };

struct mpi_window {
    struct comm *comm; /* its own, of the same ranks: messages, errors, name, hints */
    uintptr_t handle;
    struct window_part part;
    const struct window_part *member; /* [rank] */
    struct meeting *meeting;          /* which has that table */
    void *memory;                     /* that MPI_Win_allocate() made; NULL: none */
    int flavor, model;
    struct attribute *attributes;

    enum epoch epoch;
    bool used;                             /* something was accessed since the last fence */
    bool unchecked;                        /* MPI_Win_lock_all(MPI_MODE_NOCHECK) */
    const struct group *started, *exposed; /* MPI_Win_start(), MPI_Win_post(); NULL: not open */
    struct map locks;                      /* rank: enum lock */
    uint32_t lock_calls;                   /* locks so far that are not unlocked */
    struct map given;                      /* rank: ordered accesses so far */
    struct requests calls;                 /* accesses that may be under way */
    size_t calls_most;                     /* so many; then it looks which are over */
    struct requests completions;           /* of the ranks that `exposed` has */

    /* Of window_serve(). */
    struct map taken;      /* rank: its ordered accesses so far */
    struct early *early;   /* those that have come before their turn */
    struct waiter *waiter; /* who waits for the lock, the oldest first */
    uint32_t holders;      /* of the lock */
    bool exclusive;        /* the lock is */
    struct region *region; /* attached memory */
};

/* The program's serve() (message/task.h). */
void window_serve(void *arg, uint32_t process, const struct task_served *call);

/* Attaches memory; false: some of it is attached already. And detaches what begins there; false:
 * nothing does. */
bool window_attach(struct mpi_window *w, unsigned char *base, MPI_Aint size);
bool window_detach(struct mpi_window *w, const void *base);

void access_release(struct window_access *a);

/* Frees what a window keeps for others. */
void window_fini(struct mpi_window *w);

/*
 * ---- epochs: when a rank may access a window, and what it waits for ----
 *
 * Those that return a code: MPI_SUCCESS, or the error was raised.
 */

/* Tags of a window's own messages. */
enum { TAG_POST, TAG_COMPLETE };

/* Whether the rank may access a target now; takes the target's lock if it needs it. */
int epoch_check(struct rank *r, struct mpi_window *w, int target);

/* Whether the rank may access nobody, and nobody may access it. */
int epoch_check_closed(struct rank *r, struct mpi_window *w);

/* Starts an access, which it takes over, with data of the origin. `request`: the program waits for
 * it, too. */
void epoch_access(struct rank *r, struct mpi_window *w, int target, struct window_access *a,
                  const struct task_parcel *out, MPI_Request *request);

/* Waits until all accesses to a target, or to all (MPI_ANY_SOURCE), are complete there. */
int epoch_flush(struct rank *r, struct mpi_window *w, int target);

#endif
