/*
 * Processes that exchange messages over DMA engines, as the MPI library of the SC5832 does (KAUTZ,
 * 6.1):
 *
 *   eager       up to some bytes: software makes packets of the message, one event each
 *   rendezvous  above: a request to the receiver, whose software answers with a command to the
 *               engine of the sender, which streams the message without software
 *   rails       above some more bytes: the stream is split over routes that share nothing
 *
 * Processes of one node copy through memory. A processor is busy for a time with every event that
 * it makes or takes.
 *
 * What a process does is a script: a sequence of steps, each a pure function of (process, number).
 * In a step it sends one message, or receives one, or both at once, then works; the next step
 * begins when all of that is done. Messages of one process to another match in order.
 */
#ifndef WEFT_MESSAGE_PROCESS_H
#define WEFT_MESSAGE_PROCESS_H

#include "node/dma/paths.h"

#define NO_PROCESS UINT32_MAX

struct software_params {
    double send_ns, receive_ns; /* of a processor, for each event */
    uint32_t eager_bytes;       /* longer messages meet first */
    uint64_t rails_bytes;       /* messages of so much and more go over several rails */
    uint32_t rails;
    double memory_mb_per_s; /* copies between processes of a node */
    double reduce_mb_per_s; /* at which a processor combines two vectors */
};

struct script_step {
    uint32_t to, from; /* processes, or NO_PROCESS */
    uint64_t send_bytes, receive_bytes;
    uint64_t reduce_bytes; /* combined when both are done */
};

struct script {
    void *ctx;
    /* The step with this number; false: the process has come to its end. */
    bool (*step)(void *ctx, uint32_t process, uint32_t number, struct script_step *step);
    cycle_t stop_at; /* no step begins from here on */
};

struct processes_options {
    const struct paths *paths;
    const struct software_params *software;
    const struct dma_params *dma;
    struct script script;
    uint32_t processes, per_node; /* the first so many are on the first living node, ... */
    uint32_t partitions;
    cycle_t measure_from, measure_to; /* of the bytes that each receives */
};

struct processes;

struct processes *processes_create(const struct processes_options *options);
void processes_destroy(struct processes *processes);
struct dma_client processes_client(struct processes *processes);
void processes_attach(struct processes *processes, struct dmas *dmas);
void processes_archive(struct processes *processes, struct archive *archive);

/* Over all processes of all ranks that have a script. All. */
struct processes_result {
    uint64_t active;    /* that have at least one step */
    uint64_t receivers; /* that have one in which they receive */
    uint64_t messages;  /* received */
    uint64_t bytes;     /* received while measuring */
    double mean_rate;   /* bytes a second of a receiver: while measuring, or until its own end */
    uint64_t least_rate, most_rate;
    cycle_t ended;                        /* the last one */
    uint64_t rail_streams, rail_messages; /* how many rails messages went over */
};
struct processes_result processes_result(const struct processes *processes);

#endif
