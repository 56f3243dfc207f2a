/*
 * What a rank has done in MPI: how often it called what, and how long that took in simulated time;
 * how its collective operations were done; how long its messages were.
 */
#ifndef WEFT_MPI_OBSERVE_STATS_H
#define WEFT_MPI_OBSERVE_STATS_H

#include <stdint.h>

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
    double computed;          /* seconds of computation */
    uint64_t messages, bytes; /* that it sent by point-to-point calls */
    uint32_t sizes[STATS_SIZES];
    uint64_t sent_to[MATRIX_BLOCKS]; /* bytes, those of collective operations too */
    struct stats_row row[STATS_ROWS];
    unsigned rows;
};

/* An operation has been done. */
void stats_add(struct rank_stats *s, unsigned call, enum algorithm_used used, double seconds);

#endif
