/*
 * Traces in GOAL, the Group Operation Assembly Language (Hoefler, Siebert, Lumsdaine 2009), as
 * LogGOPSim and ATLAHS read them: for every rank operations (send, recv, calc) and which of them
 * wait for the end (requires) or the start (irequires) of which others.
 *
 * There are two forms of a trace, and one that is run. Text is compiled to the binary form, rank by
 * rank, into a file that nobody else sees; a binary file is used as it is. Either is mapped, so
 * that a trace takes no memory of its own, however long it is.
 *
 *   binary form, all numbers little endian; places are counted from byte 8
 *     u64 4223 | u32 ranks | u8 most cpu | u8 most nic | ranks x { u64 start, u64 end } | ranks ...
 *     a rank:  u32 operations | u32 roots | roots x u32 operation
 *              operations x { u32 needs | u8 kind | u32 peer | u64 size | u32 tag | u8 cpu | u8 nic
 *                             | u32 number, u32 first of those that wait for its end
 *                             | u32 number, u32 first of those that wait for its start }
 *              u32 operations that wait: what the two lists of each are parts of
 */
#ifndef WEFT_TRACE_GOAL_GOAL_H
#define WEFT_TRACE_GOAL_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum goal_kind { GOAL_SEND = 1, GOAL_RECEIVE = 2, GOAL_CALC = 3 };

#define GOAL_ANY  UINT32_MAX /* of a receive: any source, any tag */
#define GOAL_NONE UINT32_MAX /* no operation */

/* The binary form, in bytes. */
enum {
    GOAL_MAGIC = 4223,
    GOAL_BASE = 8, /* what places are counted from */
    GOAL_TABLE = GOAL_BASE + 6,
    GOAL_TABLE_ENTRY = 16,
    GOAL_RANK_HEAD = 8,
    GOAL_OP_BYTES = 39,
};

struct goal_op {
    uint8_t kind; /* enum goal_kind */
    uint8_t cpu, nic;
    uint32_t peer, tag; /* of a send or receive */
    uint64_t size;      /* bytes of a message; nanoseconds of a calc */
};

/* Operations that wait for another one: 32-bit numbers, not aligned. */
struct goal_list {
    const unsigned char *at;
    uint32_t count;
};

struct goal_node {
    struct goal_op op;
    uint32_t needs;               /* how many it waits for */
    struct goal_list after, with; /* that wait for its end, and for its start */
};

/* Where a rank is. */
struct goal_rank {
    const unsigned char *roots, *ops, *lists;
    uint32_t op_count, root_count;
};

/* What a trace holds, as it was counted when it was opened. */
struct goal_totals {
    uint64_t ops, sends, receives, calcs;
    uint64_t bytes;      /* of sends */
    uint64_t largest;    /* message */
    bool tagged;         /* some message has a tag other than 0 */
    uint32_t cpus, nics; /* the highest number, plus one */
};

struct goal {
    const unsigned char *map;
    size_t size;
    bool mapped; /* it is ours to let go of */
    uint32_t ranks;
    struct goal_totals totals;
};

struct goal_rank goal_rank(const struct goal *goal, uint32_t rank);

/* Operation `op` of a rank, which has it. */
void goal_node(const struct goal_rank *rank, uint32_t op, struct goal_node *node);

/* Numbers as they lie there, on any computer. */
static inline uint32_t goal_read_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t goal_read_u64(const unsigned char *at)
{
    return (uint64_t)goal_read_u32(at + 4) << 32 | goal_read_u32(at);
}

/* Parts of an operation, for those who need no more. */
static inline uint32_t goal_needs(const struct goal_rank *rank, uint32_t op)
{
    return goal_read_u32(rank->ops + (size_t)op * GOAL_OP_BYTES);
}

static inline uint8_t goal_kind(const struct goal_rank *rank, uint32_t op)
{
    return rank->ops[(size_t)op * GOAL_OP_BYTES + 4];
}

static inline uint32_t goal_root(const struct goal_rank *rank, uint32_t index)
{
    return goal_read_u32(rank->roots + 4 * (size_t)index);
}

static inline uint32_t goal_list_at(const struct goal_list *list, uint32_t index)
{
    return goal_read_u32(list->at + 4 * (size_t)index);
}

/* Lets go of what was read: the system has it, and brings it back when it is asked for. */
void goal_forget(const struct goal *goal);

void goal_close(struct goal *goal);

#endif
