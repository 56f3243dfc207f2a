/*
 * Storage: the files of an MPI program, and the I/O nodes over which ranks reach them. Files are
 * the computer's own. All accesses of all ranks are performed in the order of simulated time, then
 * of ranks, one after the other: so what a rank reads does not depend on the threads of the run.
 *
 *   asked for ─── a window later, whoever looks first performs all up to its own ───> looked at
 *       └── I/O node: processor (call_us) ── to storage (mb_per_s) ───> over
 *
 * A rank asks at its own time, and looks when all that was asked for until then, on any thread, is
 * known (task_settling). An I/O node makes the calls of its ranks in that order, and moves their
 * data one after the other, each way, while it makes the next calls.
 */
#ifndef WEFT_MPI_OBJECT_STORAGE_H
#define WEFT_MPI_OBJECT_STORAGE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/fine.h"

struct file;
struct type;

/* A file that ranks have opened together. */
struct stored_file {
    struct stored_file *next;
    int descriptor, mode;
    int error;        /* why it is not open: a class of MPI's; 0: it is open */
    uint32_t context; /* of its communicator */
    uint32_t holders;
    int64_t pointer, size; /* the shared pointer, in etypes; bytes when it was opened */
    char *path;            /* by which it was opened */
};

/* What a rank sees of a file: data of `filetype`, repeated from `displacement` on. */
struct file_view {
    int64_t displacement;
    struct type *etype, *filetype; /* held */
    bool external;                 /* data are in external32 */
};

/* The order of accesses: by time, rank, and number among those of the rank. */
struct turn {
    fine_t asked;
    uint32_t rank;
    uint64_t number;
};

enum access_kind {
    ACCESS_CALL, /* nothing but the call */
    ACCESS_OPEN, /* `path` with `flags`; done: its bytes */
    ACCESS_DELETE,
    ACCESS_READ,
    ACCESS_WRITE,
    ACCESS_MOVE,    /* the shared pointer, by `etypes`; offset: where it was */
    ACCESS_SEEK,    /* it goes to `offset` */
    ACCESS_SIZE,    /* done: bytes of the file */
    ACCESS_RESIZE,  /* to `bytes` */
    ACCESS_RESERVE, /* room for `bytes` */
    ACCESS_SYNC,
};

struct access {
    enum access_kind kind;
    struct stored_file *file;
    struct file *owner;     /* NULL: no access to data */
    struct file_view view;  /* its types are held */
    bool shared;            /* begins at the shared pointer, which it moves */
    int64_t offset, etypes; /* in the view */
    uint64_t bytes;
    unsigned char *data; /* [bytes], packed */
    const char *path;    /* ACCESS_OPEN, ACCESS_DELETE; it does not depend on a folder */
    int flags, descriptor;
    /* What came of it: */
    uint64_t done; /* bytes */
    int error;     /* errno */
    fine_t end;
    /* What it asks for: */
    struct turn turn;
    uint32_t server;       /* its I/O node */
    fine_t call;           /* how long that takes */
    double byte;           /* and a byte, in fine time */
    bool performed, known; /* known: to its rank */
};

/* An I/O node: until when its processor is busy, and its way to storage and back. */
struct io_server {
    fine_t processor, wire[2];
};

struct storage {
    pthread_mutex_t lock;
    struct access **waiting; /* [1..count], not performed yet: a heap */
    size_t count, room;
    struct io_server *server;
    uint32_t servers; /* that there is room for */
    struct stored_file *files;
    fine_t done_until; /* when the last one was asked for that has been performed */
};

void storage_init(struct storage *s);
void storage_fini(struct storage *s);

/* Keeps an open file, until all holders have let it go. */
void storage_keep(struct storage *s, struct stored_file *file);
void storage_let_go(struct storage *s, struct stored_file *file);

/* An access that is asked for; it stays until it is over. And performs all up to one of them, which
 * nobody can come before any more. */
void storage_add(struct storage *s, struct access *a);
void storage_perform(struct storage *s, const struct access *a);

#endif
