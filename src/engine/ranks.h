/*
 * Processes that run one simulation together: MPI ranks (`mpirun -n R weft run ...`). This is the
 * carrier between processes; team.h has the threads inside one.
 *
 * Every rank reads the same input and takes the same steps; each runs its own partitions. All ranks
 * must make the calls marked "All" in the same order. A process not started as a rank is rank 0 of
 * 1, and nothing here costs it anything. Without MPI, every process is.
 *
 * If a rank dies, MPI ends the others.
 */
#ifndef WEFT_ENGINE_RANKS_H
#define WEFT_ENGINE_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The first and the last call of main(). All. */
weft_status ranks_begin(void);
void ranks_end(void);

/* The MPI that ranks would use, in its own words; NULL: there is none. */
const char *ranks_library(void);

uint32_t ranks_count(void);
uint32_t ranks_me(void);

/* The rank that owns an item, when `items` are dealt out in consecutive runs. */
uint32_t ranks_owner(uint32_t item, uint32_t items);

/* Ranks on this computer. */
uint32_t ranks_here(void);

/* How many of these may use the same cores as this rank, and this rank's place among them. */
uint32_t ranks_sharing(void);
uint32_t ranks_me_sharing(void);

/*
 * Whether all ranks got here without failure and with the same input; `fingerprint` is its hash. If
 * not, all fail alike, with the message of the first that failed. All.
 */
weft_status ranks_agree(weft_status status, uint64_t fingerprint);

/* Adds up the ranks' values, in place. All. */
void ranks_sum(uint64_t *values, size_t count);
void ranks_sum_32(uint32_t *values, size_t count);

/* The largest of the ranks' values. All. */
uint64_t ranks_max(uint64_t value);

/* Every rank's bytes, rank by rank. All. */
void ranks_gather(const void *mine, void *all, size_t size);

/* Hands the first rank every other rank's bytes, in order of ranks. All. */
void ranks_collect(const void *mine, size_t size,
                   void (*take)(void *arg, const void *theirs, size_t size), void *arg);

/* Of a process that a rank has forked: from now on it is rank 0 of 1, and must not talk to ranks.
 */
void ranks_leave(void);

/* Whether a message is there, and from whom; does not wait. */
bool ranks_has_message(uint32_t *from);

/* Sends one message to another rank; `bytes` must stay valid until ranks_sent(). */
void ranks_send(uint32_t to, const void *bytes, size_t size);
void ranks_sent(void);

/* Whether what was sent is, without waiting: two that send to each other wait for ever. */
bool ranks_are_sent(void);

/* Waits for a message; the buffer grows as needed. Returns its size. */
size_t ranks_receive(uint32_t from, void **buffer, size_t *capacity);

#endif
