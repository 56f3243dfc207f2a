/*
 * What all MPI functions begin and end with, and how they find what their handles stand for. The
 * functions themselves are in the files call_*.c, by MPI's chapters; MPI_Send() is call_Send()
 * there, as Weft may be linked with an MPI library of the computer's own.
 */
#ifndef WEFT_MPI_CALL_H
#define WEFT_MPI_CALL_H

#include "mpi/object/comm.h"
#include "mpi/error.h"
#include "mpi/object/type.h"

/* A call begins: it costs processor time, and MPI must be usable. It ends with a code. */
struct rank *call_begin(enum call call);
int call_end(struct rank *r, int code);

/* What stands for an MPI function, by its name; NULL: Weft has no such function. */
void *call_find(const char *name);

/* A function by its name without MPI_, in small or capital letters; CALLS: there is none. */
enum call call_named(const char *name);

/* ---- objects by their handles: MPI_SUCCESS, or the error was raised ---- */

int find_comm(struct rank *r, MPI_Comm handle, struct comm **c);
int find_type(struct rank *r, struct comm *c, MPI_Datatype handle, struct type **t);
int find_group(struct rank *r, MPI_Group handle, const struct group **g);
int find_request(struct rank *r, MPI_Request handle, struct mpi_request **q); /* NULL: none */

/* The same of a type that data are described by: it must be committed, and the count not negative.
 */
int find_data(struct rank *r, struct comm *c, int64_t count, MPI_Datatype handle, struct type **t);

/* A handle for a new object. */
MPI_Datatype give_type(struct rank *r, struct type *t);
MPI_Group give_group(struct rank *r, const struct group *g);

/* Names that a rank has given to predefined types go. */
void type_names_drop(struct rank *r);

/* How groups are alike: MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. */
int group_compare(const struct group *a, const struct group *b);

#endif
