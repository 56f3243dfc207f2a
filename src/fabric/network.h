/*
 * A network on the engine, whatever its fabric: partitions with a future and measures of their own,
 * and what those who run it ask of it. A folder beside this file is a fabric.
 *
 *   *_network_create -> engine_run -> network_measure and the other questions -> network_destroy
 */
#ifndef WEFT_FABRIC_NETWORK_H
#define WEFT_FABRIC_NETWORK_H

#include "fabric/part.h"

struct network;

struct network_kind {
    size_t part_size;         /* of the fabric's partition */
    uint32_t events_per_node; /* pending at a time, about */
    /* Makes a partition's tables, on the thread that will run it. */
    void (*prepare)(struct network *network, struct network_part *part);
    /* Releases what the network and its partitions have besides tables. NULL: nothing. */
    void (*release)(struct network *network);
    /* Saves, or takes in, what a partition has besides tables; checks what was taken in. NULL:
     * nothing. */
    void (*archive)(struct network_part *part, struct archive *archive);
    /* For an engine at rest: nothing is lost or in two places. WEFT_FAILED with the first breach.
     */
    weft_status (*check)(struct network *network);
    /* Has what is known to happen before cycle `until` without an event happen now. NULL: there is
     * nothing of that kind. */
    void (*settle)(struct network_part *part, cycle_t until);
    /* Counts into part->measure what is only known at the end of a run. Links are measured up to
     * cycle `until`: what of a trailer, gap or acknowledgment lies behind it does not count. */
    void (*close)(struct network_part *part, cycle_t until);
    /* Packets that links keep, besides those in the pool, until they are acknowledged. */
    uint64_t (*kept)(const struct network_part *part);
    /* For a network that moves no more: names a cycle of buffers that wait for each other. */
    void (*explain)(const struct network *network, char *text, size_t size);
};

/* The first member of each fabric's network. */
struct network {
    const struct network_kind *kind;
    struct engine engine;
    char *part; /* of all ranks; only those of this one are ever prepared */
    cycle_t measure_from, measure_to, interval;
};

static inline struct network_part *network_part(const struct network *n, uint32_t index)
{
    return (struct network_part *)(n->part + index * n->kind->part_size);
}

/* What the engine asks of every network; a fabric adds receive and advance. */
struct engine_model network_engine_model(struct network *n, uint32_t body_size);

/* Makes the engine and room for the partitions, zeroed. */
void network_init(struct network *n, const struct network_kind *kind,
                  const struct engine_model *model, uint32_t partitions, cycle_t lookahead);
void network_destroy(struct network *n);

/* Saves the state of an engine at rest, or puts a saved one into a network made the same way. */
void network_archive(struct network *n, struct archive *archive);

/* Lets a run that ended be as it is just before cycle `until`; before it is asked anything. */
void network_settle(struct network *n, cycle_t until);

/* Adds up the partitions' counters, at the first rank those of all; measure_fini() is the caller's.
 * This and the sums below are asked by all ranks together. */
void network_measure(struct network *n, cycle_t end, struct measure *measure);

/* Packets in the network, and processes that have not come to their end. */
uint64_t network_pending(const struct network *n);
uint64_t network_awaited(const struct network *n);

/* Events taken, and packet-hops made, so far; the last cycle in which anything happened. */
uint64_t network_events(const struct network *n);
uint64_t network_hops(const struct network *n);
cycle_t network_now(const struct network *n);

/*
 * What is said of links that make errors at the end of a run: those whose CRCs over all good
 * packets differ at their two ends (a packet was corrupted and no check saw it), and those that
 * have sent again and again in vain.
 */
struct link_verdict {
    char name[64]; /* as machine.dead_links names it */
    bool differs;  /* else: in vain */
};
struct link_report {
    uint64_t links, differing, in_vain;
    struct link_verdict first[16];
    uint32_t named;
    bool times_out; /* a protocol with time-outs and link CRCs; else one that recovers */
    /* Checksums of what was injected, where a fabric keeps them: [node * per node + FIFO]; the
     * caller frees it. NULL: none. */
    uint32_t *checksum;
    uint32_t checksum_nodes, checksums_per_node;
};

/* One more link of the report; its name goes where the answer points, unless that is NULL. */
char *link_report_add(struct link_report *report, bool differs);

#endif
