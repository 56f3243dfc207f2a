/* What came of an MPI program: figures over all ranks. */
#ifndef WEFT_MPI_RESULT_H
#define WEFT_MPI_RESULT_H

#include "mpi/observe/figures.h"
#include "mpi/observe/stats.h"

enum { WORLD_ROWS = 64 };

/* A collective operation with one algorithm, over all ranks. */
struct world_row {
    const char *call, *used;
    uint64_t calls; /* of ranks */
    double seconds; /* mean per rank */
};

struct world_result {
    uint32_t ranks; /* 0: there was no MPI program */
    int code;       /* of its exit */
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
