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

#include "base/status.h"

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
    uint64_t ops, sends;
    uint64_t bytes;   /* of sends */
    uint64_t largest; /* message */
    bool tagged;      /* some message has a tag other than 0 */
    uint32_t cpus;    /* the highest number, plus one */
};

struct goal {
    const unsigned char *map;
    size_t size;
    bool mapped; /* it is ours to let go of */
    uint32_t ranks;
    struct goal_totals totals;
};

/* ---- a trace that was opened ---- */

/* Opens a trace of either form; text may be packed by gzip. WEFT_BAD_INPUT with the line and column
 * of text, or the byte of a binary file. */
weft_status goal_open(const char *path, struct goal *goal);

/* The same for text in memory; `name` stands for the file in complaints. */
weft_status goal_open_text(const char *name, const void *text, size_t size, struct goal *goal);

/* Checks a binary form in memory, which it keeps using. */
weft_status goal_open_bytes(const char *name, const void *bytes, size_t size, struct goal *goal);

void goal_close(struct goal *goal);

/* Lets go of what was read: the system has it, and brings it back when it is asked for. */
void goal_forget(const struct goal *goal);

/* Whether a file begins as a binary trace does. */
bool goal_is_binary(const char *path);

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

/*
 * ---- writing, as text or in binary form ----
 *
 *   goal_write_open(&w, path, ranks, binary)
 *   goal_write_rank(w, rank)         each once, ascending; those that are left out are empty
 *     a = goal_write_op(w, &op)      numbered from 0
 *     goal_write_edge(w, &edge)      one waits for another; both are known
 *   goal_write_close(w)              also ends `w`; a failure was kept until here
 *
 * A rank is kept until the next one begins, and no more.
 */

struct goal_writer;

struct goal_edge {
    uint32_t op, on;
    bool start; /* it waits for the start of the other, not for its end */
};

weft_status goal_write_open(struct goal_writer **writer, const char *path, uint32_t ranks,
                            bool binary);

/* The binary form to a descriptor, which stays its owner's. */
struct goal_writer *goal_write_to(int descriptor, uint32_t ranks);

void goal_write_rank(struct goal_writer *w, uint32_t rank);
uint32_t goal_write_op(struct goal_writer *w, const struct goal_op *op);
void goal_write_edge(struct goal_writer *w, const struct goal_edge *edge);
weft_status goal_write_close(struct goal_writer *w);

/* Leaves nothing behind. */
void goal_write_abandon(struct goal_writer *w);

/* Writes a whole trace. */
weft_status goal_convert(const struct goal *goal, const char *path, bool binary);

/*
 * ---- strands ----
 *
 * A trace of a rank, written as a program that does one thing after the other: what a strand starts
 * waits for what it has joined, and the strand goes on at once until it joins again.
 *
 *   strand_init(&s, w)
 *     strand_send(&s, to, bytes); strand_receive(&s, from, bytes)     side by side
 *     strand_join(&s)                                                 what follows waits for both
 *     strand_calc(&s, ns)                                             joins, works, joins
 *   strand_clear(&s)          for the next rank;      strand_fini(&s)
 *
 * A rank may have several strands, which run side by side.
 */

/* Operations. */
struct strand_list {
    uint32_t *op;
    uint32_t count, room;
};

struct strand {
    struct goal_writer *w;
    struct strand_list before, started; /* what it has joined; what it has not */
    uint32_t tag; /* of its messages; those of strands that exchange some side by side differ */
};

void strand_init(struct strand *s, struct goal_writer *w);
void strand_fini(struct strand *s);
void strand_clear(struct strand *s);

void strand_send(struct strand *s, uint32_t to, uint64_t bytes);
void strand_receive(struct strand *s, uint32_t from, uint64_t bytes);
void strand_join(struct strand *s);
void strand_calc(struct strand *s, uint64_t ns);

/* Sends, and does not wait for it when it joins: only the rank's end does. */
void strand_send_aside(struct strand *s, uint32_t to, uint64_t bytes);

/* What follows waits also for what another strand has joined. */
void strand_follow(struct strand *s, const struct strand *other);

#endif
