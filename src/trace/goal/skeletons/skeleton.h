/*
 * Skeletons: who exchanges which messages with whom, and computes for how long in between, in
 * common kinds of programs. Each is written as a trace in GOAL, rank by rank.
 */
#ifndef WEFT_TRACE_GOAL_SKELETONS_SKELETON_H
#define WEFT_TRACE_GOAL_SKELETONS_SKELETON_H

#include "config/keys.h"
#include "message/process_grid.h"
#include "trace/goal/goal.h"

/* How vectors are combined for all. */
enum skeleton_algorithm { SKELETON_RING, SKELETON_DOUBLING, SKELETON_HALVING };

/* A vector of every rank is combined, and each gets a block of the result or all of it; or each has
 * a block, and gets all. */
enum skeleton_operation { SKELETON_ALLREDUCE, SKELETON_REDUCE_SCATTER, SKELETON_ALLGATHER };

struct skeleton_params {
    uint32_t ranks;      /* 0: as many as the others say */
    uint32_t iterations; /* or steps of training */
    struct torus grid;   /* of ranks; dims 0: as even as can be */
    uint64_t bytes;      /* of a message */
    uint64_t compute_ns; /* between messages */
    bool periodic;       /* the grid has no ends */
    uint32_t blocks;     /* of a wavefront, one after the other */
    uint32_t points;     /* of a transform, along each side */
    enum skeleton_operation operation;
    uint32_t ways; /* slices of a vector that go different ways at once; 0: one per link */

    /* Training. */
    uint32_t data, tensor, pipeline; /* ranks in each direction; 0: what is left of all */
    uint32_t layers, microbatches;
    uint64_t activation_bytes; /* of a microbatch, between layers */
    uint64_t gradient_bytes;   /* of a layer, on one rank */
    uint64_t backward_ns, update_ns;
    enum skeleton_algorithm algorithm;
    double combine_mb_per_s;
};

struct skeleton {
    const char *name;
    const char *help; /* one line */
    struct key_table keys;
    /* Fills in what was left out, `ranks` too. WEFT_BAD_INPUT: it does not fit. */
    weft_status (*complete)(struct skeleton_params *p);
    /* Writes the rank that was begun, with a strand that has done nothing yet. */
    void (*write)(const struct skeleton_params *p, struct strand *s, uint32_t rank);
};

extern const struct skeleton *const skeletons[];
extern const size_t skeleton_count;

/* NULL: there is none of that name. */
const struct skeleton *skeleton_find(const char *name);

/* All keys at their defaults. */
void skeleton_defaults(const struct skeleton *s, struct skeleton_params *p);

/* Sets one of its keys. */
weft_status skeleton_set(const struct skeleton *s, const char *key, const char *value,
                         struct skeleton_params *p);

/* Writes a completed one. */
weft_status skeleton_write(const struct skeleton *s, const struct skeleton_params *p,
                           const char *path, bool binary);

/* ---- for those who write one ---- */

#define SKELETON_AT(field) offsetof(struct skeleton_params, field)
#define SKELETON_KEYS(ROWS)                                                                        \
    {                                                                                              \
        ROWS, sizeof(ROWS) / sizeof((ROWS)[0]), NULL                                               \
    }

extern const struct skeleton skeleton_rings, skeleton_halo, skeleton_wavefront, skeleton_fft,
    skeleton_data, skeleton_tensor, skeleton_pipeline, skeleton_training;

/* A grid of `dims` dimensions for all ranks: the one that was asked for, if it fits; its sides are
 * rings, or have ends. */
weft_status skeleton_grid(struct skeleton_params *p, unsigned dims, bool rings);

/* Block `index` of a vector that is cut as evenly as can be. */
static inline uint64_t group_block(uint64_t bytes, uint32_t count, uint32_t index)
{
    return bytes * (index + 1) / count - bytes * index / count;
}

/* A rank in a ring: how many there are, its number among them, and its neighbours. Blocks go to the
 * one behind, and come from the one before. */
struct ring {
    uint32_t count, me, before, behind;
};

/* Combines; returns the bytes of the block that the rank has in the end. And the way back, to all
 * blocks at each rank. */
uint64_t ring_scatter(struct strand *s, const struct ring *r, uint64_t bytes, double mb_per_s);
void ring_gather(struct strand *s, const struct ring *r, uint64_t bytes);

/* `bytes` from each to each other, all at once. */
void group_alltoall(struct strand *s, const struct process_group *g, uint64_t bytes);

/* A vector combined for all: in a ring (a reduce-scatter, then an allgather), or as MPICH does it
 * (message/schedule.h). */
void group_allreduce(struct strand *s, const struct process_group *g, uint64_t bytes,
                     enum skeleton_algorithm algorithm, double combine_mb_per_s);

#endif
