/* What the ranks of a program have in common. */
#ifndef WEFT_MPI_COMMON_H
#define WEFT_MPI_COMMON_H

#include <stdatomic.h>

#include "image/image.h"
#include "mpi/object/group.h"
#include "mpi/object/meeting.h"
#include "mpi/object/storage.h"
#include "mpi/observe/stats.h"
#include "mpi/options.h"
#include "mpi/output.h"
#include "node/io.h"
#include "posix/posix.h"

struct rank;

/* What ranks do that run no program. They have no data, only lengths. */
struct world_body {
    void (*run)(struct rank *r, const void *arg); /* from MPI_Init() to MPI_Finalize() */
    const void *arg;
    bool nonblocking; /* it has nonblocking collective operations */
};

/* A program, and which ranks run it: so many after those of the programs before it. */
struct mpi_program {
    const char *path;
    uint32_t ranks;
    int argc; /* its arguments, the first of them its own name */
    char **argv;
    char **environment; /* NAME=VALUE, beside this computer's; ends with NULL */
};

struct world_options {
    const struct mpi_program *program; /* copied; what it points to is not, but for the path */
    uint32_t programs;
    const struct world_body *body; /* NULL: ranks run programs */
    uint32_t processes, per_node;
    struct mpi_params cost;
    struct io_params io; /* of files */
    enum compute compute;
    double compute_factor;
    enum check_types check_types;
    int64_t date; /* when its clocks begin, in seconds of Unix */
    bool tag_output;
    bool trace;    /* every call is kept, with its times */
    bool matrix;   /* and how much every rank sends to every other one */
    uint32_t part; /* its number among several workloads; 0: it is the only one */
    bool quiet;    /* does not say what is doubtful */
};

/* A program that is loaded. */
struct executable {
    struct mpi_program o;
    uint32_t first; /* its first rank */
    int number;     /* MPI_APPNUM */
    struct image image;
    struct copies copies;
    struct posix_places places;
    uint64_t fortran_at; /* fortran_places() */
    bool floats;         /* posix_has_floats() */
};

struct world {
    struct world_options o;
    struct executable *executable; /* o.programs */
    bool blocks_only;              /* no program calls a nonblocking collective operation */
    struct groups *groups;
    const struct group *everybody, *nobody;
    struct meetings meetings;
    _Atomic(uint32_t) next_context;
    struct rank *rank;    /* [process] */
    uint32_t block_ranks; /* of a block of the matrix that every result has */
    void (*fail)(struct rank *r, const char *text); /* ends the program */
    struct output output;
    struct storage storage;
    struct figures figures;
    atomic_flag told; /* that a rank computes for long */
};

/* Where data are that nobody has: far apart, so that they can be told apart, and never touched. */
enum { PLACE_OUT = 1, PLACE_IN, PLACES_OF_CALLS };

static inline unsigned char *place_apart(unsigned place)
{
    return (unsigned char *)((uintptr_t)place << 44);
}

/* A context that nobody has; which one makes no difference to anything but itself. */
static inline uint32_t world_new_context(struct world *w)
{
    return atomic_fetch_add(&w->next_context, 2);
}

#endif
