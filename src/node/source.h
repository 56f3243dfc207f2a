/*
 * Packets on any nic that makes them itself: a program's packets are posted a few ahead, and what
 * waits is not stored. Open-loop packets are born at random times; those of a closed program are
 * all there from the start. Answers go out beside them, a few ahead as well.
 */
#ifndef WEFT_NODE_SOURCE_H
#define WEFT_NODE_SOURCE_H

#include "base/archive.h"
#include "node/program.h"

struct source_options {
    struct nic *nic;
    struct program program;
    uint64_t seed;
    const bool *dead; /* [node]: neither sends nor is sent to; NULL: none is */
};

struct sources;

struct sources *sources_create(const struct source_options *options);
void sources_destroy(struct sources *sources);
struct nic_client sources_client(struct sources *sources);
void sources_archive(struct sources *sources, struct archive *archive);

#endif
