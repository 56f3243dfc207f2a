/*
 * Packets from a file (pattern `file`), a line TIME FROM TO BYTES for each: when a node has how
 * much to send to whom. The file is in the order of its times, and may be as long as it likes: it
 * is read as the simulated time goes on, in batches of some thousand lines.
 *
 *   file     | batch 0      | batch 1      | batch 2 (not read yet)
 *            +--------------+--------------+---------
 *   node 0       ^ here                                 lines of its own in a batch, one by one;
 *   node 1                     ^                        then it is told to ask again when the next
 *   node 2              ^                               batch begins
 *
 * Where a batch ends depends on the file alone. It is kept until all nodes have gone on: so the
 * memory is that of a few batches, and of those that a node is behind with, if the network cannot
 * take what the file asks for. Nodes keep no more than a position, which a checkpoint saves; after
 * that the file is read again.
 */
#ifndef WEFT_WORKLOAD_PATTERNS_TIMETABLE_H
#define WEFT_WORKLOAD_PATTERNS_TIMETABLE_H

#include "workload/workload.h"

struct timetable;

/* What the file has in all. */
struct timetable_sums {
    uint64_t lines, packets, bytes;
    uint32_t senders;
    cycle_t last; /* time */
};

/* Reads a workload's file through and checks it. */
weft_status timetable_open(const struct workload *workload, struct timetable **table);
const struct timetable_sums *timetable_sums(const struct timetable *table);

/* The packet, or message to send or receive, with this number of a node, which is asked for in
 * order, at a time. It is to and from NOBODY if there is none that early: ask again at step->birth.
 * False: there are no more. */
bool timetable_step(struct timetable *table, uint32_t node, uint32_t number, struct step *step);

void timetable_free(struct timetable *table); /* whatever timetable_open() said */
void timetable_archive(struct timetable *table, struct archive *archive);

#endif
