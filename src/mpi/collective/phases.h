/*
 * Phases of collective operations (series.h): how messages go, for operands that the series has.
 * Each is what MPICH does (Thakur, Rabenseifner, Gropp 2005), in the group of one side.
 */
#ifndef WEFT_MPI_COLLECTIVE_PHASES_H
#define WEFT_MPI_COLLECTIVE_PHASES_H

#include "mpi/collective/series.h"

/* A process of the group, or of the remote one. */
static inline uint32_t process_of(const struct series *s, uint32_t rank)
{
    return group_at(s->group, rank);
}

static inline uint32_t remote_process(const struct series *s, uint32_t rank)
{
    return group_at(s->remote_group, rank);
}

/* The place of a rank, counted from the root. */
static inline uint32_t place_of(const struct series *s, uint32_t rank)
{
    return (rank + s->size - s->root) % s->size;
}

static inline uint32_t rank_at(const struct series *s, uint32_t place)
{
    return (uint32_t)(((uint64_t)place + s->root) % s->size);
}

/* Blocks below a place in a binomial tree, whose lowest bit says how many there may be. */
static inline uint32_t subtree_blocks(const struct series *s, uint32_t place)
{
    uint32_t most = place ? place & -place : s->size;
    return most < s->size - place ? most : s->size - place;
}

/* The block of a process. */
struct block side_block(const struct side *side, uint32_t i);
struct block out_block(const struct series *s, uint32_t i); /* in place: a copy of it */
struct block in_block(const struct series *s, uint32_t i);
uint64_t block_length(const struct block *b);

/* Packed blocks, from one place on. */
static inline struct block packed_blocks(const struct series *s, uint32_t first, uint32_t blocks)
{
    return block_bytes(s->bytes + first * s->each, blocks * s->each);
}

/* Room for elements of a type, as they are in memory. */
struct block series_vector(struct series *s, int64_t count, struct type *type);

/* ---- one to all, all to one ---- */

series_phase phase_barrier;     /* dissemination */
series_phase phase_notify;      /* all tell rank 0, by a binomial tree, that they are there */
series_phase phase_meet;        /* ranks 0 of both sides tell each other */
series_phase phase_swap;        /* and exchange their vectors `work` and `other` */
series_phase phase_cast;        /* `work` from the root, by a binomial tree */
series_phase phase_reduce;      /* `work` of all to the root, by a binomial tree */
series_phase phase_hand_on;     /* and from rank 0 to the real root, if that is another */
series_phase phase_gather;      /* packed blocks to the root, by a binomial tree, */
series_phase phase_gather_end;  /* and from there to where they belong */
series_phase phase_gather_all;  /* blocks to the root, all at once */
series_phase phase_scatter;     /* packed blocks from the root, by a binomial tree */
series_phase phase_scatter_all; /* blocks from the root, all at once */
series_phase phase_schedule;    /* a schedule of the message layer, with packed data */

/* ---- all to all ---- */

series_phase phase_allgather_ring;  /* blocks of any size */
series_phase phase_allgather_bruck; /* packed blocks */
series_phase phase_keep;            /* a copy of what goes out, as what comes in takes its place */
series_phase phase_alltoall_all;    /* everything at once */
series_phase phase_alltoall_pairs;  /* one after the other */
series_phase phase_alltoall_bruck;  /* packed blocks */
series_phase phase_halve;           /* reduces and scatters, by halving */
series_phase phase_reduce_pairs;    /* the same, one after the other */
series_phase phase_scan, phase_exscan;
series_phase phase_neighbours;    /* everything at once */
series_phase phase_silent_gather; /* an allgather of `each` bytes that has no data */

#endif
