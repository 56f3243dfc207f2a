/*
 * What ranks did, in order and without times: computed, sent, received, waited, and called
 * collective operations. A program can be replayed from it, on another machine too.
 *
 * The file is a time-independent trace as SimGrid has them: "RANK ACTION ARGUMENTS" in each line,
 * sizes in bytes (its type 6), peers as ranks of MPI_COMM_WORLD, computation in processor cycles.
 * What that format has no words for:
 *
 *   ... comm N                 ends the line of what is not MPI_COMM_WORLD's
 *   R comm_split N MEMBERS     makes communicator N; the first line that has it lists its members,
 *                              in their order: 0-14/2 or 3,1,17; of two sides, this and the other
 *   R wait operation N         waits for the rank's Nth nonblocking collective operation, from 0
 *
 * Operations between two groups or among neighbours, and those that make communicators, are written
 * as the messages that they consist of.
 */
#ifndef WEFT_MPI_DEEDS_H
#define WEFT_MPI_DEEDS_H

#include "mpi/group.h"
#include "mpi_calls.h"
#include "weft.h"

enum deed_kind {
    DEED_NOTHING, /* it has come to nothing: it was cancelled, or not over at the end */
    DEED_COMPUTE,
    DEED_SEND,
    DEED_RECEIVE,
    DEED_START_SEND,
    DEED_START_RECEIVE,
    DEED_END_SEND,
    DEED_END_RECEIVE,
    DEED_OPERATION,
    DEED_END_OPERATION,
    DEED_COMM, /* was made */
};

struct deed {
    uint8_t kind;  /* enum deed_kind */
    bool first;    /* of its call */
    bool spelt;    /* a message of an operation without a name */
    uint16_t call; /* enum call, of an operation */
    uint32_t context;
    int32_t peer; /* of a message; root of an operation */
    uint32_t tag; /* of a message; number of an operation that is waited for */
    union {
        uint64_t bytes; /* of a message */
        double cycles;  /* of computation */
        uint64_t sizes; /* of an operation: its first one in deeds.size */
        size_t comm;    /* its place in deeds.comm */
    };
};

/* A communicator that was made; its groups are held. */
struct deed_comm {
    uint32_t context;
    const struct group *group, *remote; /* remote: of the other side; NULL: there is only one */
};

struct deeds {
    struct deed *deed;
    size_t count, room;
    size_t call_began; /* deeds before this call */
    uint64_t *size;    /* of operations: bytes, block by block */
    size_t sizes, size_room;
    struct deed_comm *comm;
    size_t comms, comm_room;
    uint32_t operations; /* nonblocking ones, so far */
    bool begun, ended;   /* it has called MPI_Init(), and MPI_Finalize() */
};

/* Notes a deed; returns its place. */
size_t deeds_add(struct deeds *d, const struct deed *deed);
void deeds_compute(struct deeds *d, double cycles);

/* A communicator was made. */
void deeds_comm(struct deeds *d, const struct deed_comm *comm);

/* One more size of the operation that is noted next. */
void deeds_size(struct deeds *d, uint64_t bytes);

void deeds_drop(struct deeds *d, struct groups *groups);

/* The file that goes with that of a time line: its name, with ".ti" in place of ".json". False:
 * none goes with it, as it is a device or a pipe. */
enum { DEEDS_PATH = 4096 };
bool deeds_path(const char *timeline, char path[DEEDS_PATH]);

/* Writes the deeds of all ranks: of(arg, rank). */
weft_status deeds_write(const char *path, uint32_t ranks,
                        const struct deeds *(*of)(const void *arg, uint32_t rank), const void *arg);

#endif
