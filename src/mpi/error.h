/*
 * Errors of MPI calls. What happens is up to the communicator: the program ends with one line that
 * names rank, call and reason, the call returns the error's class, or a function of the program is
 * called.
 */
#ifndef WEFT_MPI_ERROR_H
#define WEFT_MPI_ERROR_H

#include "mpi.h"
#include "mpi/rank.h"

/* Deals with an error of a call on a communicator (NULL: none, then MPI_COMM_SELF's handler
 * counts). Returns what the call returns, if it returns. */
int error_raise(struct rank *r, struct comm *c, int class, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same with an error that was found elsewhere, and needs no words. */
int error_pass_on(struct rank *r, struct comm *c, int code);

/* Likewise of a file (NULL: MPI_FILE_NULL's handler counts). */
int error_raise_file(struct rank *r, struct file *f, int class, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int error_pass_on_file(struct rank *r, struct file *f, int code);

/* Whether an error on a communicator ends the program. */
bool error_is_fatal(struct rank *r, struct comm *c);

/* Ends the program for what a member of a collective operation said, maybe another one than this
 * rank, which goes on unless it `stops`. */
struct speaker;
void error_of(struct rank *r, const struct speaker *s, const char *text, bool stops);

/* Ends the program: whatever its handlers say, it cannot go on. */
_Noreturn void error_fatal(struct rank *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The text of a class, "MPI_ERR_TAG"; and its meaning. */
const char *error_name(int class);
const char *error_meaning(int class);

/* A class or a code that the program added, or its text. */
struct error_class {
    struct error_class *next; /* first: memory_free_list() */
    int code, class;
    char text[MPI_MAX_ERROR_STRING];
};

/* NULL: it added none of this number. */
struct error_class *error_added(struct rank *r, int code);
int error_add(struct rank *r, int class); /* class 0: a new one */

#endif
