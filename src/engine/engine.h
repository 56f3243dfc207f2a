/*
 * Conservative parallel simulation in windows (YAWNS: TORUS, "Simulator overview"; SIM, 3).
 *
 * The model is cut into partitions that interact only through channels, and every message takes at
 * least `lookahead` cycles. So each partition can run the window [t, t + lookahead) alone; then
 * comes a barrier; then the messages are picked up and the next window starts at the earliest event
 * anywhere, so that empty time costs nothing. There is no rollback.
 *
 * The carriers decide who runs a partition: one thread, a team of threads bound to cores (team.h),
 * or several processes with a team each (ranks.h). The result cannot depend on it.
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
#include "engine/channel.h"
#include "engine/failure.h"

/* What a partition reports between windows. */
struct engine_account {
    cycle_t next;      /* its earliest pending event; CYCLE_NEVER if none */
    uint64_t progress; /* grows with everything that moves; if it stops for long: stuck */
    uint64_t cut_independent_events; /* grows with every event that occurs under any cut into
                                        partitions */
    uint64_t delivered;              /* for progress reports */
    uint64_t work;                   /* grows with the run time it costs */
};

/* What the engine asks of the model: a few calls per window, none per event. */
struct engine_model {
    void *ctx;
    uint32_t body_size; /* bytes of a message's body */
    /* Takes a buffer of messages for this partition into its wheel. */
    void (*receive)(void *ctx, uint32_t partition, const struct channel_buffer *messages);
    /* Runs the partition's events before cycle `until`. */
    void (*advance)(void *ctx, uint32_t partition, cycle_t until);
    /* When it stands at; NULL: nobody knows better than the window. */
    cycle_t (*now)(void *ctx, uint32_t partition);
    void (*account)(void *ctx, uint32_t partition, struct engine_account *account);
    /* Allocates the partition's memory, before the first window, on the thread that will run it. */
    void (*prepare)(void *ctx, uint32_t partition);
};

/* How long nothing has come forward, and what had been done when it was looked at last. */
struct engine_stall {
    cycle_t time;
    uint64_t progress, cut_independent_events;
};

struct engine {
    struct engine_model model;
    uint32_t partitions;
    uint32_t first, end; /* partitions that this rank runs */
    cycle_t lookahead;
    bool prepared;    /* its partitions have their memory */
    uint64_t windows; /* run so far: a run that stopped can continue */
    cycle_t now;      /* from here */
    /* The last call of engine_run(): seconds that it took, where it stopped, how far that was. */
    double last_seconds;
    cycle_t last_stop, last_cycles;
    struct engine_stall stall; /* then; only a run that is resumed goes on from it */
    double looked;             /* when the caller was last asked whether to stop; 0: never */
    struct channel *channel;
    uint32_t channels, channel_capacity;
    uint32_t *in_first, *in_channel; /* channels into partition p: in_first[p]..in_first[p+1] */
    uint32_t *out_first, *out_channel;
    struct failures failures;
};

struct engine_options {
    uint32_t threads;      /* per rank, 1 or more; may exceed the partitions */
    bool share_always;     /* even windows that one thread would run as fast alone: for tests */
    bool stays;            /* a partition never changes threads */
    cycle_t stop_at;       /* run no event at or after this cycle; CYCLE_NEVER: run to the end */
    cycle_t stall_cycles;  /* without progress before the run ends as stalled */
    bool goes_on;          /* what was without progress before counts, too, as in a restored run */
    cycle_t inspect_every; /* call inspect about this often; 0: never */
    weft_status (*inspect)(void *arg, cycle_t now); /* with all partitions at rest */
    /* Called by the first thread of the first rank, a few times per second. */
    void (*report)(void *arg, cycle_t now, uint64_t delivered);
    bool (*interrupted)(void *arg); /* called as often, by the first thread of each rank */
    /* Called by the first thread once memory is allocated: restores a saved state. */
    weft_status (*restore)(void *arg);
    /* Called as often as report; if true, all come to rest and at_rest is called. One rank only. */
    bool (*wants_rest)(void *arg);
    weft_status (*at_rest)(void *arg, cycle_t now);
    void *arg;
};

enum engine_end {
    ENGINE_QUIET,       /* no events are left */
    ENGINE_STOPPED,     /* stop_at was reached */
    ENGINE_STALLED,     /* cut_independent_events, but no progress for stall_cycles */
    ENGINE_INTERRUPTED, /* the caller asked for it */
    ENGINE_BROKEN,      /* inspect, restore or at_rest failed; its error is the last error */
};

struct engine_outcome {
    enum engine_end end;
    cycle_t now;                      /* every event before it was run, none from it on */
    uint64_t windows;                 /* in total, including those before a resumption */
    uint32_t threads;                 /* of this rank */
    double cpu_seconds, wall_seconds; /* cpu: summed over its threads, including waiting */
    double prepare_seconds;           /* before the first window */
};

void engine_init(struct engine *e, const struct engine_model *model, uint32_t partitions,
                 cycle_t lookahead);
void engine_fini(struct engine *e);

/* The rank that runs a partition. */
uint32_t engine_rank(const struct engine *e, uint32_t partition);

/* The channel from one partition to another; made at the first call. Indices stay valid. */
uint32_t engine_connect(struct engine *e, uint32_t from, uint32_t to);

/* The same for a pair that has none, without looking. */
uint32_t engine_add_channel(struct engine *e, uint32_t from, uint32_t to);

/* Saves or restores an engine at rest and the messages in flight; the model does its partitions. */
void engine_archive(struct engine *e, struct archive *a);

/* What is wrong with where it stands; NULL: nothing. What messages say is the
 * model's. */
const char *engine_flaw(const struct engine *e);

weft_status engine_run(struct engine *e, const struct engine_options *options,
                       struct engine_outcome *outcome);

#endif
