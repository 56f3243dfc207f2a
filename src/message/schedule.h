/*
 * Collective operations over messages, as MPICH does them (Thakur, Rabenseifner, Gropp 2005),
 * wherever the processes are. An operation is a schedule: in each step a process sends a piece of
 * its data, or receives one, or both at once. Steps are pure functions of the process and of their
 * number, so that scripts (workload/patterns/collectives.c) and programs (collect.c) follow the
 * same ones.
 *
 *   barrier    dissemination: in round k to the process 2^k after, from the one 2^k before
 *   broadcast  binomial: a tree over ranks; scatter: a binomial scatter, then an allgather
 *   reduce     binomial; halving: a reduce-scatter as that of an allreduce, then a binomial gather
 *              (Rabenseifner)
 *   allgather  doubling: with a partner 2^k away what both have; ring: a block at a time to the
 *              next
 *   allreduce  doubling: whole vectors, with a partner 2^k away; halving: a reduce-scatter by
 *              halving, with the partner 1 away first, then an allgather by doubling, with it last.
 *              Processes beyond a power of two first give their vector to a neighbour, and get the
 *              result from it at the end
 */
#ifndef WEFT_MESSAGE_SCHEDULE_H
#define WEFT_MESSAGE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum schedule_kind {
    SCHEDULE_BARRIER,
    SCHEDULE_BROADCAST,         /* binomial */
    SCHEDULE_BROADCAST_SCATTER, /* a scatter, then an allgather by doubling; */
    SCHEDULE_BROADCAST_RING,    /* or by a ring */
    SCHEDULE_REDUCE,            /* binomial */
    SCHEDULE_REDUCE_HALVING,
    SCHEDULE_ALLGATHER_DOUBLING, /* processes must be a power of two */
    SCHEDULE_ALLGATHER_RING,
    SCHEDULE_ALLREDUCE_DOUBLING,
    SCHEDULE_ALLREDUCE_HALVING,
};

struct schedule {
    enum schedule_kind kind;
    uint32_t processes;
    uint32_t root;  /* of a broadcast or reduce */
    uint32_t unit;  /* bytes that are not cut: an element */
    uint64_t bytes; /* of the whole vector; an allgather: of a process's own block */
};

/* Data that are sent and received, as pieces of the vector; NOBODY (node/program.h): nothing is. */
struct schedule_step {
    uint32_t to, from;
    uint64_t out_at, out_bytes, in_at, in_bytes;
    bool combine; /* what comes is combined with what is there */
};

/* Bytes at which the choice changes. */
struct schedule_limits {
    uint64_t allreduce_bytes; /* and of a reduce: halving above, doubling or binomial up to this */
    uint64_t broadcast_bytes; /* a scatter from this on, binomial below */
    uint64_t gather_bytes;    /* of all blocks: a ring from this on, doubling below */
};

/* What MPICH chooses: by size, and by whether processes are a power of two. */
enum schedule_kind schedule_broadcast_kind(const struct schedule_limits *limits, uint32_t processes,
                                           uint64_t bytes);
enum schedule_kind schedule_allgather_kind(const struct schedule_limits *limits, uint32_t processes,
                                           uint64_t bytes);
enum schedule_kind schedule_allreduce_kind(const struct schedule_limits *limits, uint32_t processes,
                                           uint64_t bytes);

enum schedule_kind schedule_reduce_kind(const struct schedule_limits *limits, uint32_t processes,
                                        uint64_t bytes);

/* Whether blocks can go by doubling. */
bool schedule_can_double(uint32_t processes);

/* Step `at` of a process; false: it has no such step, and no later one. */
bool schedule_step(const struct schedule *s, uint32_t rank, uint32_t at,
                   struct schedule_step *step);

/* How many it has. */
uint32_t schedule_steps(const struct schedule *s, uint32_t rank);

#endif
