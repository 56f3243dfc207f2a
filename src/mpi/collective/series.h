/*
 * Collective operations as series of rounds that need no attention between them. A round is a list
 * of steps: messages, which all start at once, and then, when they are over, work: copies and
 * combinations, in their order. Rounds are made one by one, by functions that know the operation
 * (its phases, one after the other): so a series takes little memory, however many rounds it has.
 * It goes on whenever its rank is in MPI; blocking operations wait for theirs.
 */
#ifndef WEFT_MPI_COLLECTIVE_SERIES_H
#define WEFT_MPI_COLLECTIVE_SERIES_H

#include "mpi/call.h"
#include "mpi/collective/collective.h"

struct schedule_limits;
struct send_order;

enum step_kind { STEP_SEND, STEP_RECEIVE, STEP_COPY, STEP_COMBINE };

struct round_step {
    enum step_kind kind;
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

/* Makes the steps of a round; false: the phase has no such round, and is over. */
typedef bool series_phase(struct series *s, uint32_t round);

/* Makes the steps of the one round that a phase has. */
typedef void series_once(struct series *s);

struct series {
    struct operands o;                        /* what the operation is to do */
    struct comm *comm;                        /* held */
    const struct group *group, *remote_group; /* of one side: both are its own */
    uint32_t size, me, remote_size;           /* of the group; this rank in it; of the other */
    uint32_t tag; /* of its messages: operations of a communicator are numbered */
    enum call call;
    const struct schedule_limits *limits; /* by which an algorithm is chosen */
    const struct send_order *order;       /* of an all-to-all; NULL: as is usual */
    enum algorithm_used used;
    struct {
        series_phase *rounds; /* NULL: there is one round */
        series_once *once;
    } phase[PHASES_MOST];
    unsigned phases, at;
    uint32_t round;
    struct round_step *step;
    size_t steps, room;
    size_t under_way;          /* messages that are not over */
    bool started, over, among; /* among: some members only */
    bool agreed;               /* members have agreed on it before */
    bool as_messages;          /* traces have no name for it, but its messages */
    uint32_t number;           /* that they give it */
    void *memory[6];           /* freed at its end */
    bool silent;               /* data are lengths alone: nobody has them */
    unsigned places;           /* that stand for data, so far */
    uint32_t root;             /* of phases within the group */
    struct block work, other;  /* vectors of a reduction: so far, and what has come */
    struct block sum;          /* of a scan: what will be the result */
    uint64_t signature;        /* of what it moves, for its messages */
    bool exclusive;            /* it leaves out this rank's own vector */
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

/* It is started again, with the number that its members have agreed on. */
void series_again(struct series *s, uint32_t number);

/* All members do the same, or this is the end. */
void series_agree(struct rank *r, const struct series *s);

void series_add_phase(struct series *s, series_phase *rounds);
void series_add_once(struct series *s, series_once *once);
void *series_memory(struct series *s, uint64_t bytes);

/* Memory for data; of a silent series a place that nobody may touch. */
unsigned char *series_data(struct series *s, uint64_t bytes);

/* Starts a series; it goes on until a round has to wait. All series of a rank go on as far as they
 * can. And what to wait for. */
void series_start(struct rank *r, struct series *s);
void series_progress(struct rank *r);
void series_add_waiting(struct rank *r, const struct series *s);

/* ---- steps of a round ---- */

void round_send(struct series *s, uint32_t process, struct block b);
void round_receive(struct series *s, uint32_t process, struct block b);
void round_copy(struct series *s, struct block to, struct block from);
void round_combine(struct series *s, struct block mine, struct block from, bool left);

/* The same, but nothing goes where there are counts, and the block is empty (as in MPICH). */
void round_send_some(struct series *s, uint32_t process, struct block b);
void round_receive_some(struct series *s, uint32_t process, struct block b);

/* Of bytes in one piece. */
struct block block_bytes(void *at, uint64_t bytes);

/* Messages of so many bytes and no data. */
void round_send_silent(struct series *s, uint32_t process, uint64_t bytes);
void round_receive_silent(struct series *s, uint32_t process, uint64_t bytes);

/* ---- operations over messages: a series gets the phases that its operands ask for ---- */

void start_barrier(struct series *s);
void start_broadcast(struct series *s);
void start_gather(struct series *s);
void start_scatter(struct series *s);
void start_allgather(struct series *s);
void start_alltoall(struct series *s);
void start_reduce(struct series *s);
void start_allreduce(struct series *s);
void start_reduce_scatter(struct series *s);
void start_scan(struct series *s);
void start_neighbours(struct series *s);

/* All agree on a number, as on a context: like a barrier, with a few bytes in each message. */
void start_agreement(struct series *s);

/* Everybody tells all others `bytes` bytes, and no more than how many. */
void start_silent_gather(struct series *s, uint64_t bytes);

/*
 * ---- phases: how messages go ----
 *
 * Each is what MPICH does (Thakur, Rabenseifner, Gropp 2005), in the group of one side.
 */

/* A process of the group, or of the remote one. */
static inline uint32_t process_of(const struct series *s, uint32_t rank)
{
    return group_at(s->group, rank);
}

static inline uint32_t remote_process(const struct series *s, uint32_t rank)
{
    return group_at(s->remote_group, rank);
}

/* A rank, counted from the root. */
static inline uint32_t relative_rank(const struct series *s, uint32_t rank)
{
    return (rank + s->size - s->root) % s->size;
}

static inline uint32_t rank_at(const struct series *s, uint32_t relative)
{
    return (uint32_t)(((uint64_t)relative + s->root) % s->size);
}

static inline uint32_t process_at(const struct series *s, uint32_t relative)
{
    return process_of(s, rank_at(s, relative));
}

/* Blocks below a process in a binomial tree, whose lowest bit says how many there may be. */
static inline uint32_t subtree_blocks(const struct series *s, uint32_t relative)
{
    uint32_t most = relative ? relative & -relative : s->size;
    return most < s->size - relative ? most : s->size - relative;
}

/* The block of a process. */
struct block side_block(const struct side *side, uint32_t i);
struct block out_block(const struct series *s, uint32_t i); /* in place: a copy of it */
struct block in_block(const struct series *s, uint32_t i);

/* Packed blocks, from one on. */
static inline struct block packed_blocks(const struct series *s, uint32_t first, uint32_t blocks)
{
    return block_bytes(s->bytes + first * s->each, blocks * s->each);
}

/* Room for elements of a type, as they are in memory. */
struct block series_vector(struct series *s, int64_t count, struct type *type);

/* The elements of a vector that belong to some processes; offset says where they begin. */
struct block vector_share(const struct series *s, struct block vector, uint32_t first,
                          uint32_t end);

/* ---- one to all, all to one ---- */

series_phase phase_barrier;  /* dissemination */
series_phase phase_notify;   /* all tell rank 0, by a binomial tree, that they are there */
series_once once_meet;       /* ranks 0 of both sides tell each other */
series_once once_swap;       /* and exchange their vectors `work` and `other` */
series_phase phase_cast;     /* `work` from the root, by a binomial tree */
series_phase phase_reduce;   /* `work` of all to the root, by a binomial tree */
series_once once_hand_on;    /* and from rank 0 to the real root, if that is another */
series_phase phase_gather;   /* packed blocks to the root, by a binomial tree, */
series_once once_gather_end; /* and from there to where they belong */
series_phase phase_scatter;  /* packed blocks from the root, by a binomial tree */
series_phase phase_schedule; /* a schedule of the message layer, with packed data */

/* ---- all to all ---- */

series_phase phase_allgather_ring;  /* blocks of any size */
series_phase phase_allgather_bruck; /* packed blocks */
series_once once_keep;              /* a copy of what goes out, as what comes in takes its place */
series_once once_alltoall_all;      /* everything at once */
series_phase phase_alltoall_pairs;  /* one after the other */
series_phase phase_alltoall_bruck;  /* packed blocks */
series_phase phase_halve;           /* reduces and scatters, by halving */
series_phase phase_reduce_pairs;    /* the same, one after the other */
series_phase phase_scan;
series_once once_neighbours;      /* everything at once */
series_phase phase_silent_gather; /* an allgather of `each` bytes that has no data */

/*
 * ---- operations of a communicator, as its members know them: by their number ----
 *
 * All members do the same operation; if they do not, that is found out here, before they wait for
 * each other for ever.
 */

/* Members of both sides; which of two sides is named first, as both of them think; this process
 * among all members. */
uint32_t comm_members(const struct comm *c);
bool comm_is_first(const struct comm *c);
uint32_t comm_member(const struct comm *c);

/* A key for an operation. Parts of one communicator that have no members in common may have the
 * same context: the group counts too. */
uint64_t comm_key(const struct comm *c, uint32_t number);

/* Operation `number` of a communicator begins here: all members must do the same, or this is the
 * end. */
void comm_check_agreement(struct rank *r, const struct comm *c, uint32_t number,
                          const struct agreement *what);

/* Comes to a meeting (meeting.h) before the next operation of a communicator begins, whose messages
 * bring what all members say there. */
struct meeting *comm_meet(struct rank *r, const struct comm *c, const int64_t *word,
                          unsigned words);

/* One of the machine's own networks, which know no communicators: all ranks must do the same
 * operations there in the same order. */
void comm_check_order(struct rank *r, const struct agreement *what);

/*
 * ---- operations by networks of the machine's own ----
 *
 * Blue Gene/L's tree, its global interrupts, and packets that the message layer spreads itself
 * (MSG, 3, 7 and 8). They are for blocking operations of all processes, with data in one piece;
 * what else there is goes over messages. Each function returns false if it does not apply.
 */

bool machine_barrier(struct rank *r, struct comm *c, const struct operands *o);
bool machine_broadcast(struct rank *r, struct comm *c, const struct operands *o);
bool machine_reduce(struct rank *r, struct comm *c, const struct operands *o);
bool machine_allreduce(struct rank *r, struct comm *c, const struct operands *o);
bool machine_alltoall(struct rank *r, struct comm *c, const struct operands *o);

#endif
