/*
 * Processes that run one simulation together: MPI ranks (`mpirun -n R weft run ...`). The carrier
 * between processes; threads inside one are team.h.
 *
 * Every rank reads the same input and takes the same steps; each runs its own partitions. Calls
 * marked "all" are made by all ranks in the same order. A process that nobody started as a rank is
 * rank 0 of 1, and nothing here costs it anything. Built without MPI, that is all there is.
 *
 * If a rank dies, MPI ends the others.
 */
#ifndef WEFT_ENGINE_RANKS_H
#define WEFT_ENGINE_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* First and last of main(). All. */
weft_status ranks_begin(void);
void ranks_end(void);

uint32_t ranks_count(void);
uint32_t ranks_me(void);

/* The rank that has an item, of so many that are dealt out in rows. */
uint32_t ranks_owner(uint32_t item, uint32_t items);

/* Ranks on this computer. */
uint32_t ranks_here(void);

/* Of these, ranks that may use the same cores, and the how-manieth of them this one is. */
uint32_t ranks_sharing(void);
uint32_t ranks_me_sharing(void);

/*
 * Whether all ranks got here well and with the same input, of which `fingerprint` is a hash. If
 * not, all fail alike, with the words of the first that did. All.
 */
weft_status ranks_agree(weft_status status, uint64_t fingerprint);

/* What the ranks' values add up to, in place. All. */
void ranks_sum(uint64_t *values, size_t count);
void ranks_sum_32(uint32_t *values, size_t count);

/* The largest of the ranks' values. All. */
uint64_t ranks_max(uint64_t value);

/* Every rank's `count` values, rank by rank. All. */
void ranks_share(const uint64_t *mine, uint64_t *all, size_t count);

/* Hands the first rank every other rank's bytes, in order of ranks. All. */
void ranks_collect(const void *mine, size_t size,
                   void (*take)(void *arg, const void *theirs, size_t size), void *arg);

/* One message in each direction between two ranks; `bytes` must stay until ranks_sent(). */
void ranks_send(uint32_t to, const void *bytes, size_t size);
void ranks_sent(void);

/* Waits for a message; the buffer grows as needed. Returns its size. */
size_t ranks_receive(uint32_t from, void **buffer, size_t *capacity);

#endif
