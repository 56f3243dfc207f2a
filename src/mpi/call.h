/*
 * What all MPI functions begin and end with, and how they find what their handles stand for.
 * MPI_Send() is call_Send() here, as Weft may be linked with an MPI library of the computer's own.
 * It begins the call, looks up handles, and has mpi_Send(), by MPI's chapters in mpi/call/, do the
 * rest (mpi/generate.sh).
 */
#ifndef WEFT_MPI_CALL_H
#define WEFT_MPI_CALL_H

#include <limits.h>
#include <stdint.h>

#include "mpi/error.h"
#include "mpi/object/comm.h"
#include "mpi/object/type.h"

/* Forwards an error of a call, which was raised. */
#define TRY_MPI(CALL)                                                                              \
    do {                                                                                           \
        int error_ = (CALL);                                                                       \
        if (error_)                                                                                \
            return error_;                                                                         \
    } while (0)

/* Defines mpi_NAME(), of parameters that follow, which does nothing but give a value. */
#define MPI_ANSWER(NAME, TYPE, VALUE, ...)                                                         \
    int mpi_##NAME(__VA_ARGS__, TYPE *answer)                                                      \
    {                                                                                              \
        (void)r;                                                                                   \
        *answer = VALUE;                                                                           \
        return MPI_SUCCESS;                                                                        \
    }

/* Likewise, for a function that gives two values. */
#define MPI_ANSWERS(NAME, TYPE, FIRST, SECOND, ...)                                                \
    int mpi_##NAME(__VA_ARGS__, TYPE *first, TYPE *second)                                         \
    {                                                                                              \
        (void)r;                                                                                   \
        *first = FIRST;                                                                            \
        *second = SECOND;                                                                          \
        return MPI_SUCCESS;                                                                        \
    }

/* The rank that calls; what calls and is none, as a thread of it, is refused. */
struct rank *call_rank(void);

/* A call begins: it costs processor time, and MPI must be usable. It ends with a code. */
struct rank *call_begin(enum call call);
int call_end(struct rank *r, int code);

/* What a program may refer to, and Weft has not got: calling it ends the program. */
bool call_is_missing(enum call call);
int call_missing(enum call call);

/* What stands for an MPI function, by its name; NULL: Weft has no such function. */
void *call_find(const char *name);

/* A function by its name without MPI_, in small or capital letters; CALLS: there is none. */
enum call call_named(const char *name);

/* ---- objects by their handles: MPI_SUCCESS, or the error was raised ---- */

int find_comm(struct rank *r, MPI_Comm handle, struct comm **c);
int find_sides(struct rank *r, unsigned sides, MPI_Comm handle, struct comm **c); /* with 1 or 2 */
int find_topology(struct rank *r, enum topology_kind kind, MPI_Comm handle, struct comm **c);
int find_type(struct rank *r, struct comm *c, MPI_Datatype handle, struct type **t);
int find_group(struct rank *r, MPI_Group handle, const struct group **g);
int find_request(struct rank *r, MPI_Request handle, struct mpi_request **q); /* NULL: none */
int find_info(struct rank *r, MPI_Info handle, struct info **info);
int find_window(struct rank *r, MPI_Win handle, struct mpi_window **w);
int find_errhandler(struct rank *r, struct comm *c, MPI_Errhandler handle, struct errhandler **h);
int find_session(struct rank *r, MPI_Session handle, struct mpi_session **s);
int find_file(struct rank *r, MPI_File handle, struct file **f);

/* An object with attributes. */
struct owner {
    enum keyval_kind kind;
    struct comm *comm; /* whose handler gets errors; NULL: that of no communicator */
    void *handle;
    struct attribute **list;
};
int find_comm_owner(struct rank *r, MPI_Comm handle, struct owner *o);
int find_type_owner(struct rank *r, MPI_Datatype handle, struct owner *o);
int find_win_owner(struct rank *r, MPI_Win handle, struct owner *o);

/* The same of a type that data are described by: it must be committed, and the count not negative.
 */
int find_data(struct rank *r, struct comm *c, int64_t count, MPI_Datatype handle, struct type **t);

/* An operation for elements of a type (NULL: of any). */
int find_op(struct rank *r, struct comm *c, MPI_Op handle, const struct type *t, struct op **op);

/* ---- checks: MPI_SUCCESS, or the error was raised ---- */

int check_count(struct rank *r, struct comm *c, int64_t count);
int check_sides(struct rank *r, struct comm *c, unsigned sides);
int check_rank(struct rank *r, struct comm *c, int rank, uint32_t size);

/* A number as an argument; MPI_UNDEFINED: it is too large. */
static inline int as_int(int64_t value)
{
    return value > INT_MAX || value < INT_MIN ? MPI_UNDEFINED : (int)value;
}

/* A handle for a new object. */
MPI_Datatype give_type(struct rank *r, struct type *t);
MPI_Group give_group(struct rank *r, const struct group *g);

/* Has an object keep another error handler; and the handle of the one that it has (NULL: errors are
 * fatal). */
void errhandler_keep(struct errhandler **kept, struct errhandler *h);
MPI_Errhandler give_errhandler(struct rank *r, struct errhandler *h);

/* How groups are alike: MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. */
int group_compare(const struct group *a, const struct group *b);

/* MPI_COMM_WORLD and MPI_COMM_SELF from now on exist. */
void environment_begin(struct rank *r);

/* ---- operations of communicators that others use too ---- */

/* Members of a group, who know each other by it and a number, make a communicator of one side or
 * (`remote`) of two. */
void comm_among(struct rank *r, const struct group *members, const struct group *group,
                const struct group *remote, int number, struct errhandler *errors,
                MPI_Comm *newcomm);

/* A context for the messages of two requests, of which one process has made one and its peer the
 * other one: with one tag, they meet in the order in which they are made. */
uint32_t comm_channel(struct rank *r, const struct comm *c, bool receives, int peer, int tag);

/* Divides a communicator by colours, each part in the order of keys; MPI_UNDEFINED: in none. */
void comm_split(struct rank *r, struct comm *c, int64_t colour, int64_t key, MPI_Comm *newcomm);

/* Whether the elements of a type have the same sizes in external32; and that conversion, of packed
 * data. */
bool type_keeps_sizes(const struct type *t);
void type_convert_data(const struct type *t, int64_t count, unsigned char *native,
                       unsigned char *external, bool outwards);

/*
 * ---- Fortran: what a program's undefined mpi_send_ is ----
 *
 * The functions follow from MPI's list (mpi/fortran.py); each does what differs between the
 * languages and calls the one for C.
 */

struct image;

/* What stands for a function, by its name; NULL: Weft has no such function. */
void *fortran_find(const char *name);

/* Where MPI_BOTTOM and the like are in each rank's copy of a program; FORTRAN_NOWHERE: it has none.
 */
#define FORTRAN_NOWHERE UINT64_MAX
uint64_t fortran_places(const struct image *image);

#endif
