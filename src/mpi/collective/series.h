/*
 * Collective operations as series of rounds that need no attention between them. A round is a list
 * of parts: messages, which all start at once, and then, when they are over, work: copies and
 * combinations, in their order. Rounds are made one by one, by functions that know the operation
 * (its phases, one after the other): so a series takes little memory, however many rounds it has.
 * It goes on whenever its rank is in MPI; blocking operations wait for theirs.
 */
#ifndef WEFT_MPI_COLLECTIVE_SERIES_H
#define WEFT_MPI_COLLECTIVE_SERIES_H

#include "mpi/collective/operands.h"

struct schedule_limits;
struct waiting;

enum part_kind { PART_SEND, PART_RECEIVE, PART_COPY, PART_COMBINE };

/* Elements of a type in memory. */
struct block {
    void *at;
    int64_t count;
    struct type *type;
};

struct round_part {
    enum part_kind kind;
    bool silent;          /* a message that has a length, and no data */
    bool left;            /* a combination: block = block op from; else block = from op block */
    uint32_t process;     /* of a message: the other one */
    struct block block;   /* what is sent, received, or changed by the work */
    struct block from;    /* what it is copied from, or combined with */
    weft_request request; /* of a message */
    size_t entry;         /* that started it */
    struct series *series;
};

enum { PHASES_MOST = 4 };

/* Makes the parts of a round; false: the phase has no such round, and is over. */
typedef bool series_phase(struct series *s, uint32_t round);

struct series {
    struct operands o;                        /* what the operation is to do */
    struct comm *comm;                        /* held */
    const struct group *group, *remote_group; /* of one side: both are its own */
    uint32_t size, me, remote_size;           /* of the group; this rank in it; of the other */
    uint32_t tag; /* of its messages: operations of a communicator are numbered */
    enum call call;
    const struct schedule_limits *limits; /* by which an algorithm is chosen */
    enum algorithm_used used;
    series_phase *phase[PHASES_MOST];
    unsigned phases, at;
    uint32_t round;
    struct round_part *part;
    size_t parts, room;
    size_t under_way;          /* messages that are not over */
    bool started, over, among; /* among: some members only */
    bool as_messages;          /* traces have no name for it, but its messages */
    uint32_t number;           /* that they give it */
    void *memory[6];           /* freed at its end */
    bool silent;               /* data are lengths alone: nobody has them */
    unsigned places;           /* that stand for data, so far */
    uint32_t root;             /* of phases within the group */
    struct block work, other;  /* vectors of a reduction: so far, and what has come */
    struct block sum;          /* of a scan: what will be the result */
    unsigned char *bytes;      /* packed data, */
    uint64_t each;             /* of so many bytes per process, */
    uint64_t *offset;          /* or from there on */
    struct schedule *schedule;
    const struct topology *topology; /* of neighbours */
    double since;
    int error;           /* what went wrong; MPI_SUCCESS: nothing */
    struct series *next; /* of the rank's */
};

/* A new series of a communicator. */
struct series *series_new(struct rank *r, struct comm *c, enum call call, const struct operands *o);
void series_drop(struct rank *r, struct series *s);

/* It is of some members only, who know each other by a tag, or of this process and another. */
void series_among(struct series *s, const struct group *group, uint32_t me, uint32_t tag);
void series_add_phase(struct series *s, series_phase *phase);
void *series_memory(struct series *s, uint64_t bytes);

/* Memory for data; of a silent series a place that nobody may touch. */
unsigned char *series_data(struct series *s, uint64_t bytes);

/* Starts a series; it goes on until a round has to wait. All series of a rank go on as far as they
 * can. And what to wait for. */
void series_start(struct rank *r, struct series *s);
void series_progress(struct rank *r);
void series_add_waiting(struct series *s, struct waiting *w);

/* ---- parts of a round ---- */

void round_send(struct series *s, uint32_t process, struct block b);
void round_receive(struct series *s, uint32_t process, struct block b);
void round_copy(struct series *s, struct block to, struct block from);
void round_combine(struct series *s, struct block mine, struct block from, bool left);

/* Of bytes in one piece. */
struct block block_bytes(void *at, uint64_t bytes);

/* Messages of so many bytes and no data. */
void round_send_silent(struct series *s, uint32_t process, uint64_t bytes);
void round_receive_silent(struct series *s, uint32_t process, uint64_t bytes);

#endif
