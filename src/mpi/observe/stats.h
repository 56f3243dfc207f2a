/*
 * What a rank has done in MPI: how often it called what, and how long that took in simulated time;
 * how its collective operations were done; how long its messages were.
 */
#ifndef WEFT_MPI_OBSERVE_STATS_H
#define WEFT_MPI_OBSERVE_STATS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"

/* How a collective operation is done: over messages, as MPICH does, or by the machine. */
enum algorithm_used {
    USED_DISSEMINATION,
    USED_BINOMIAL,
    USED_SCATTER_DOUBLING,
    USED_SCATTER_RING,
    USED_DOUBLING,
    USED_HALVING,
    USED_RING,
    USED_BRUCK,
    USED_PAIRWISE,
    USED_LINEAR,
    USED_REDUCE_SCATTER,
    USED_NEIGHBOURS,
    USED_INTERRUPT,
    USED_GATES,
    USED_TREE,
    USED_DEPOSIT,
    USED_PACKETS,
    USED_ALONE,
    USED_MOST,
};

extern const char *const algorithm_names[USED_MOST];

enum { STATS_SIZES = 33 }; /* message sizes: 0, then powers of two */

/* Kinds of time, in which a rank's life is divided. */
enum stats_time { TIME_POINT_TO_POINT, TIME_COLLECTIVE, TIME_OTHER, STATS_TIMES };

/* One kind of operation with one algorithm. */
struct stats_row {
    uint16_t call; /* enum call */
    uint8_t used;  /* enum algorithm_used */
    uint32_t calls;
    double seconds;
};

enum { STATS_ROWS = 24 };

/* The communication matrix over blocks of consecutive ranks, few enough for every result. */
enum { MATRIX_BLOCKS = 16 };

struct rank_stats {
    double began, ended;      /* MPI_Init, MPI_Finalize */
    double in[STATS_TIMES];   /* seconds in calls */
    uint64_t messages, bytes; /* that it sent by point-to-point calls and accesses to windows */
    uint32_t sizes[STATS_SIZES];
    uint64_t sent_to[MATRIX_BLOCKS]; /* bytes, those of collective operations too */
    struct stats_row row[STATS_ROWS];
    unsigned rows;
};

/* An operation has been done. */
void stats_add(struct rank_stats *s, unsigned call, enum algorithm_used used, double seconds);

/* ---- numbers that a program puts into the result ---- */

enum { FIGURES_MOST = 16 };

struct figure {
    char name[32];
    double value;
};

struct figures {
    pthread_mutex_t lock;
    struct figure figure[FIGURES_MOST];
    unsigned count;
};

/* False: there is no room for another one. */
bool figures_set(struct figures *f, const char *name, double value);

/*
 * ---- with whom a rank exchanges ----
 *
 * What it has sent to each other process, by calls of the program and within collective operations
 * over messages. All ranks' together are the communication matrix.
 */

enum peer_use { USE_MESSAGES, USE_COLLECTIVE, PEER_USES };

struct peer_row {
    uint32_t process;
    uint64_t messages[PEER_USES], bytes[PEER_USES];
};

struct peers {
    struct map row; /* of a process, in peer */
    struct peer_row *peer;
    uint32_t count, room;
    uint32_t last; /* the row that was used last */
};

void peers_add(struct peers *p, uint32_t process, enum peer_use use, uint64_t bytes);

/* Writes the matrix as CSV, a row per pair: of(arg, rank). */
weft_status matrix_write(const char *path, uint32_t ranks,
                         const struct peers *(*of)(const void *arg, uint32_t rank),
                         const void *arg);

/* ---- what came of an MPI program: figures over all ranks ---- */

enum { WORLD_ROWS = 64 };

/* A collective operation with one algorithm, over all ranks. */
struct world_row {
    const char *call, *used;
    uint64_t calls; /* of ranks */
    double seconds; /* mean per rank */
};

struct world_result {
    uint32_t ranks; /* 0: there was no MPI program */
    int code;       /* of its exit: of the first rank whose own is not 0 */
    double seconds; /* until the last rank's end; from MPI_Init() to MPI_Finalize(): */
    double mean_seconds, least_seconds, most_seconds;
    double share[STATS_TIMES + 1]; /* of that time, by enum stats_time; then computation */
    uint64_t messages, bytes;
    uint64_t sizes[STATS_SIZES];
    uint64_t matrix[MATRIX_BLOCKS][MATRIX_BLOCKS]; /* bytes, from and to */
    uint32_t block_ranks, blocks;                  /* ranks in a block */
    uint64_t pairs; /* that have exchanged anything, if the whole matrix was asked for */
    uint32_t most_partners;
    struct figure figure[FIGURES_MOST]; /* of the program itself */
    unsigned figures;
    struct world_row row[WORLD_ROWS];
    unsigned rows;
};

#endif
