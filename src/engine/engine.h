/*
 * Conservative parallel simulation in windows (YAWNS: TORUS, "Simulator overview"; SIM, 3).
 *
 * The model is cut into partitions that meet only through channels, and every message takes at
 * least `lookahead` cycles. So each partition can run the window [t, t + lookahead) alone; then a
 * barrier; then the messages are picked up and the next window starts at the earliest event
 * anywhere, so that empty time costs nothing. No rollback.
 *
 * Who runs a partition is the carriers' business: one thread, a team of threads bound to cores
 * (team.h), several processes with a team each (ranks.h). The result cannot depend on it.
 *
 * A run:
 *   engine_init(&e, model, partitions, lookahead)
 *   engine_connect(&e, from, to)  for each pair that has links, at set-up
 *   engine_run(&e, options, &outcome)   once, or again with a later stop_at
 *   engine_fini(&e)
 */
#ifndef WEFT_ENGINE_ENGINE_H
#define WEFT_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "engine/exchange.h"

/* What a partition says of itself between windows. */
struct engine_account {
    cycle_t next;       /* its earliest pending event; CYCLE_NEVER if none */
    uint64_t progress;  /* grows with everything that moves; standing still for long: stuck */
    uint64_t stirs;     /* grows with every event that there is on any cut into partitions */
    uint64_t delivered; /* for those who watch */
    uint64_t work;      /* grows with the time that it takes */
};

/* What the engine asks of the model, a few calls a window and none per event. */
struct engine_model {
    void *ctx;
    uint32_t body_size; /* bytes of a message's body */
    /* Takes a buffer of messages for this partition into its future. */
    void (*receive)(void *ctx, uint32_t partition, const struct channel_buffer *messages);
    /* Runs the partition's events before cycle `until`. */
    void (*advance)(void *ctx, uint32_t partition, cycle_t until);
    void (*account)(void *ctx, uint32_t partition, struct engine_account *account);
    /* Makes the partition's memory, before the first window, on the thread that will run it. */
    void (*prepare)(void *ctx, uint32_t partition);
};

struct engine {
    struct engine_model model;
    uint32_t partitions;
    uint32_t first, end; /* of those that this rank runs */
    cycle_t lookahead;
    bool prepared;    /* its partitions have their memory */
    uint64_t windows; /* run so far: a run that stopped can go on, */
    cycle_t now;      /* from here */
    struct channel *channel;
    uint32_t channels, channel_capacity;
    uint32_t *in_first, *in_channel; /* channels into partition p: in_first[p]..in_first[p+1] */
    uint32_t *out_first, *out_channel;
};

struct engine_options {
    uint32_t threads;      /* of each rank, 1 or more; may exceed the partitions */
    bool share_always;     /* also windows that one thread would run as fast alone: for tests */
    cycle_t stop_at;       /* no event at or after this cycle is run; CYCLE_NEVER: to the end */
    cycle_t stall_cycles;  /* without progress for so long the run ends as stalled */
    cycle_t inspect_every; /* call inspect at about this spacing; 0: never */
    weft_status (*inspect)(void *arg, cycle_t now); /* all partitions at rest */
    /* By the first thread of the first rank, some times a second. */
    void (*report)(void *arg, cycle_t now, uint64_t delivered);
    bool (*interrupted)(void *arg); /* asked as often, by the first thread of each rank */
    /* The first thread, once memory is made: puts in a state that was saved. */
    weft_status (*restore)(void *arg);
    /* Asked as often as report; then all come to rest and at_rest is called. One rank only. */
    bool (*wants_rest)(void *arg);
    weft_status (*at_rest)(void *arg, cycle_t now);
    void *arg;
};

enum engine_end {
    ENGINE_QUIET,       /* no events are left */
    ENGINE_STOPPED,     /* stop_at was reached */
    ENGINE_STALLED,     /* stirs, but no progress for stall_cycles */
    ENGINE_INTERRUPTED, /* the caller asked */
    ENGINE_BROKEN,      /* inspect, restore or at_rest failed; its error is the last error */
};

struct engine_outcome {
    enum engine_end end;
    cycle_t now;                      /* everything before it was run, nothing from it on */
    uint64_t windows;                 /* in all, those before a resumption included */
    uint32_t threads;                 /* of this rank */
    double cpu_seconds, wall_seconds; /* cpu: summed over its threads, waiting included */
    double prepare_seconds;           /* before the first window */
};

void engine_init(struct engine *e, const struct engine_model *model, uint32_t partitions,
                 cycle_t lookahead);
void engine_fini(struct engine *e);

/* The rank that runs a partition. */
uint32_t engine_rank(const struct engine *e, uint32_t partition);

/* The channel from a partition to another; made at the first call. Indices stay valid. */
uint32_t engine_connect(struct engine *e, uint32_t from, uint32_t to);

/* Where an engine at rest stands, and the messages under way; its partitions are the model's. */
void engine_archive(struct engine *e, struct archive *a);

/* What is wrong with where it stands; NULL: nothing. Messages are the model's. */
const char *engine_flaw(const struct engine *e);

weft_status engine_run(struct engine *e, const struct engine_options *options,
                       struct engine_outcome *outcome);

#endif
