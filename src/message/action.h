/*
 * What a process does next. Whoever carries messages asks a runner for one action after the other,
 * performs it in the processor's time, and asks again when it is done: so neither knows how the
 * other works. A runner may be a script of steps (script.h).
 */
#ifndef WEFT_MESSAGE_ACTION_H
#define WEFT_MESSAGE_ACTION_H

#include "base/archive.h"
#include "engine/fine.h"

enum action_part {
    ACTION_SEND = 1,    /* starts to send a message */
    ACTION_RECEIVE = 2, /* starts to receive one */
    ACTION_WAIT = 4,    /* waits until no more sends and receives are under way than it says */
    ACTION_COMBINE = 8, /* combines two vectors */
    ACTION_END = 16,
};

/* Its parts are performed in that order. */
struct action {
    unsigned parts; /* enum action_part */
    uint32_t to, from;
    uint64_t bytes, from_bytes;
    uint32_t context, tag;
    uint32_t sends_left, receives_left;
    uint64_t combine_bytes;
};

/* A process, as its partition numbers them, and in the whole machine. */
struct seat {
    uint32_t partition, index, rank;
};

struct runner {
    void *ctx;
    /* Makes what it keeps for a partition, on the thread that will run it. */
    void (*prepare)(void *ctx, uint32_t partition, uint32_t processes);
    void (*next)(void *ctx, const struct seat *seat, fine_t now, struct action *action);
    /* Saves or restores a partition; says what is wrong with it. */
    void (*archive)(void *ctx, uint32_t partition, struct archive *archive);
};

#endif
