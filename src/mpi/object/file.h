/* Files as ranks have opened them (storage.h). */
#ifndef WEFT_MPI_OBJECT_FILE_H
#define WEFT_MPI_OBJECT_FILE_H

#include "mpi/object/comm.h"
#include "mpi/object/storage.h"
#include "weft_program.h"

struct mpi_request;

struct file {
    struct stored_file *at;
    struct comm *comm; /* its own, of those who opened it together */
    struct errhandler *errors;
    struct info *info;
    struct file_view view;
    int64_t position; /* the rank's own pointer, in etypes */
    bool atomic;
    struct mpi_request *split; /* an operation that has begun; NULL: none */
    int split_how;             /* enum file_how */
    uint32_t under_way;        /* accesses whose requests are not over */
    uintptr_t handle;
};

/* ---- accesses of a rank ---- */

/* Asks for an access; whether it is over, and when to look again. */
void access_ask(struct rank *r, struct access *a);
bool access_is_over(struct rank *r, struct access *a);
fine_t access_look(const struct rank *r, const struct access *a);

/* Waits until a time, or until one of some messages is over; time for files alone is logged as
 * work, so that replays take it. */
void access_wait(struct rank *r, const weft_request *message, size_t count, fine_t until);

/* Asks for one that needs no request, and waits for it. */
void access_perform(struct rank *r, struct access *a);

/* Frees it and what it has. */
void access_drop(struct access *a);

/* ---- what calls share ---- */

/* What functions that access data differ in. */
enum file_how {
    FILE_READS = 1,
    FILE_WRITES = 2,
    FILE_AT = 4,       /* at an offset, */
    FILE_OWN = 8,      /* the rank's own pointer, */
    FILE_SHARED = 16,  /* the shared pointer, */
    FILE_ORDERED = 32, /* or from there on, in the order of ranks */
    FILE_ALL = 64,     /* all take part */
    FILE_BEGINS = 128, /* another function ends it */
};

/* The class of an error of the computer's. */
int file_class(int error);

/* All members of a communicator come, and say some words; the caller leaves the meeting. */
struct meeting *file_meet(struct rank *r, struct comm *c, const int64_t *word, unsigned words);

/* The same of a file, with words that must be equal: else MPI_ERR_NOT_SAME is raised. */
int file_agree(struct rank *r, struct file *f, const int64_t *word, unsigned words);

/* Data of the first member go to all. */
void file_tell(struct rank *r, struct comm *c, void *data, int64_t bytes);

/* Raises the error of an access that has been performed. */
int file_raise(struct rank *r, struct file *f, const struct access *a);

/* Bytes before an offset, as the file has them; and the first offset that is not before a byte. */
int64_t file_view_byte(const struct file_view *v, int64_t offset);
int64_t file_view_offset(const struct file_view *v, int64_t byte);

#endif
