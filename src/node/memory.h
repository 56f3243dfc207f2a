/*
 * The memory of a node, which all that moves data there share: its processors, when they copy,
 * combine, stream, or write and read packets of buffers that no cache holds; and its engines, which
 * fetch what they send and store what comes. Each has a rate of its own; together they move no more
 * than machine.node.memory_total_mb_per_s.
 *
 *   requests    a ──────── own ────────>          b ── own ──>
 *   memory      [ work a ][ work b ]···························
 *                          <─ behind ─> when b begins: b waits for it, or for a fair share of it
 *
 * A transfer is one request, whatever its length, and takes O(1): memory works on requests in the
 * order in which they are made, at the total rate, and knows only until when it has work. (One that
 * is made ahead of its time, as scripts do, is worked on at once.) A transfer ends when its own
 * rate allows and when its work is done, but does not wait longer than it would if all other users
 * of the node had a request of its length: users take turns, and none of them stands in front of
 * another's whole buffer. Whoever overtakes in this way leaves its work behind, for those who come
 * later. So each of two users that copy without a break has half of the total rate, and all users
 * together never have more than the total for longer than one request takes.
 *
 * Left out: banks and pages, the turn-around between reads and writes, refresh, caches but for
 * their size (node/core.h), and that a transfer which was told its end is slowed by those that
 * begin later (programs' are cut into pieces of MEMORY_PIECE bytes, which limits that).
 */
#ifndef WEFT_NODE_MEMORY_H
#define WEFT_NODE_MEMORY_H

#include "base/file/archive.h"
#include "config/keys.h"
#include "engine/fine.h"

struct memory_params {
    double total_mb_per_s; /* read and written, by all of a node; 0: unlimited */
};

extern const struct key_section node_memory_section;
extern const struct key_table node_memory_keys;

/* Bytes that are read and written for each byte of what is done: a copy reads it and writes it; two
 * vectors that are combined are read, and one is written. */
enum { MEMORY_COPY = 2, MEMORY_COMBINE = 3 };

/* Bytes that a program's processor asks for at once. */
enum { MEMORY_PIECE = 32768 };

/* Of a node. */
struct node_memory {
    fine_t until;  /* it has work until then */
    fine_t busy;   /* all of its work so far; */
    fine_t waited; /* and how much longer transfers took because of others, or of the total rate */
};

struct memory_part {
    struct node_memory *node; /* [local] */
    uint32_t nodes;
} __attribute__((aligned(64)));

struct memories {
    fine_t byte_24; /* of a byte, at the total rate, with 24 more bits */
    uint32_t users; /* of a node, at most */
    uint32_t partitions;
    struct memory_part *part;
};

/* WEFT_BAD_INPUT: a rate that is none. */
weft_status memory_check(const struct memory_params *params);

/* NULL: there is no limit. */
struct memories *memories_create(const struct memory_params *params, uint32_t users,
                                 double cycles_per_us, uint32_t partitions);
void memories_destroy(struct memories *memories);

/* On the thread that will run the partition. */
void memories_prepare(struct memories *memories, uint32_t partition, uint32_t nodes);

/* Saves or restores a partition, and says what is wrong with it. */
void memories_archive(struct memories *memories, uint32_t partition, struct archive *archive);

/* Time, of the memory alone, for so many bytes. */
static inline fine_t memory_work(const struct memories *m, uint64_t bytes)
{
    unsigned __int128 work = (unsigned __int128)bytes * m->byte_24 >> 24;
    return work < 1ull << 56 ? (fine_t)work : 1ull << 56;
}

/* At `now`, a transfer is asked for that is to begin at `start` and takes `own` by itself; returns
 * when it ends. */
static inline fine_t memory_use(const struct memories *m, struct node_memory *n, fine_t now,
                                fine_t start, uint64_t bytes, fine_t own)
{
    fine_t work = memory_work(m, bytes), behind = n->until > start ? n->until - start : 0;
    fine_t share = work * (m->users - 1), time = work + (behind < share ? behind : share);
    time = fine_max(time, own);
    n->until = fine_max(n->until, start < now ? start : now) + work;
    n->busy += work;
    n->waited += time - own;
    return start + time;
}

/* Sums over all nodes, in cycles, of which work only until `end`; all ranks must call it. */
struct memory_counts {
    double busy, waited;
};
struct memory_counts memories_counts(const struct memories *memories, cycle_t end);

#endif
