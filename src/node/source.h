/*
 * Packets on any nic that makes them itself: a program's packets are posted a few in advance, and
 * the rest are not stored. Open-loop packets are born at random times; a closed program's packets
 * all exist from the start. Answers are posted beside them, also a few in advance.
 */
#ifndef WEFT_NODE_SOURCE_H
#define WEFT_NODE_SOURCE_H

#include "base/file/archive.h"
#include "node/program.h"

struct source_options {
    struct nic *nic;
    struct program program;
    uint64_t seed;
    const bool *dead; /* [node]: neither sends nor is sent to; NULL: none */
    /* [node]: what draws of births know it by: where partitions are wired apart, its number in its
     * own, so that it does what it would on a machine of that size; NULL: by its own. */
    const uint32_t *number;
};

struct sources;

struct sources *sources_create(const struct source_options *options);
void sources_destroy(struct sources *sources);
/* Births go on until another cycle, which is later. At rest: nodes whose births were over are woken
 * in cycle `when`; 0: none is, as after a restoration. */
void sources_go_on(struct sources *sources, cycle_t stop_at, cycle_t when);
struct nic_client sources_client(struct sources *sources);
void sources_archive(struct sources *sources, struct archive *archive);

#endif
