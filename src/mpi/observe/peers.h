/*
 * With whom a rank exchanges: what it has sent to each other process, by calls of the program and
 * within collective operations over messages. All ranks' together are the communication matrix.
 */
#ifndef WEFT_MPI_OBSERVE_PEERS_H
#define WEFT_MPI_OBSERVE_PEERS_H

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

void peers_add(struct peers *p, uint32_t process, enum peer_use use, uint64_t bytes);
void peers_drop(struct peers *p);

/* Writes the matrix as CSV, a row per pair: of(arg, rank). */
weft_status matrix_write(const char *path, uint32_t ranks,
                         const struct peers *(*of)(const void *arg, uint32_t rank),
                         const void *arg);

#endif
