/*
 * With whom a rank exchanges: what it has sent to each other process, by calls of the program and
 * within collective operations over messages. All ranks' together are the communication matrix.
 */
#ifndef WEFT_MPI_PEERS_H
#define WEFT_MPI_PEERS_H

#include "base/map.h"
#include "base/status.h"

enum peer_use { USE_MESSAGES, USE_COLLECTIVE, PEER_USES };

struct peer_row {
    uint32_t process;
    uint64_t messages[PEER_USES], bytes[PEER_USES];
};

struct peers {
    struct map place; /* of a process's peer */
    struct peer_row *peer;
    uint32_t count, room;
    uint32_t last; /* the place that was used last */
};

/* The matrix over blocks of consecutive ranks, few enough for a result. */
enum { MATRIX_BLOCKS = 16 };

struct matrix {
    uint32_t ranks_per_block, blocks;
    uint64_t bytes[MATRIX_BLOCKS][MATRIX_BLOCKS]; /* from, to */
    uint64_t pairs;                               /* that sent something */
    uint32_t most;                                /* processes that one rank sent to */
};

void peers_add(struct peers *p, uint32_t process, enum peer_use use, uint64_t bytes);
void peers_drop(struct peers *p);

/* An empty matrix of so many ranks, and one rank's part. */
void matrix_init(struct matrix *m, uint32_t ranks);
void matrix_add(struct matrix *m, uint32_t rank, const struct peers *p);

/* The whole matrix as CSV, a row per pair: of(arg, rank). */
weft_status matrix_write(const char *path, uint32_t ranks,
                         const struct peers *(*of)(const void *arg, uint32_t rank),
                         const void *arg);

#endif
