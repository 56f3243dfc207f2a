/*
 * Processes that exchange messages over any nic. What a process does is a program of messages
 * (node/program.h): in a step it sends one message, or receives one, or both at once, then works;
 * the next step begins when all of that is done. Messages of one process to another match in order.
 *
 * How a message travels depends on what the nic can do:
 *
 *   eager       software makes packets of the message, one event each: up to some bytes on a nic
 * with an engine (KAUTZ, 6.1), always on one without rendezvous  above: a request to the receiver,
 * whose software answers with a command to the engine of the sender, which streams the message
 * without software rails       above some more bytes: the stream is split over routes that share
 * nothing
 *
 * Where packets overtake each other, they carry their message's number and length, and a message is
 * there when all of its bytes are and those before it have come. Processes of one node copy through
 * memory. A processor is busy for a time with every event that it makes or takes.
 */
#ifndef WEFT_MESSAGE_PROCESS_H
#define WEFT_MESSAGE_PROCESS_H

#include "base/archive.h"
#include "config/keys.h"
#include "node/program.h"

struct software_params {
    double send_ns, receive_ns; /* of a processor, for each event */
    uint32_t eager_bytes;       /* longer messages meet first */
    uint64_t rails_bytes;       /* messages of so much and more go over several rails */
    uint32_t rails;
    double memory_mb_per_s; /* copies between processes of a node */
    double reduce_mb_per_s; /* at which a processor combines two vectors */
};

extern const struct key_section software_section;
extern const struct key_table memory_keys;   /* of every machine: copies and reductions */
extern const struct key_table protocol_keys; /* of machines whose nic has an engine */

struct processes_options {
    struct nic *nic;
    const struct software_params *software;
    struct program program;
    uint32_t processes, per_node; /* the first per_node are on the first living node, ... */
    uint32_t nodes;
    const bool *dead;                 /* [node]; NULL: none is */
    cycle_t measure_from, measure_to; /* of the bytes that each receives */
};

struct processes;

struct processes *processes_create(const struct processes_options *options);
void processes_destroy(struct processes *processes);
struct nic_client processes_client(struct processes *processes);
void processes_archive(struct processes *processes, struct archive *archive);

/* Over all processes of all ranks that have a program. All. */
struct processes_result {
    uint64_t active;    /* that have at least one step */
    uint64_t receivers; /* that have one in which they receive */
    uint64_t messages;  /* received */
    uint64_t bytes;     /* received while measuring */
    double mean_rate;   /* bytes per second of a receiver: while measuring, or until its own end */
    uint64_t least_rate, most_rate;
    cycle_t ended;                        /* the last one */
    uint64_t rail_streams, rail_messages; /* how many rails messages went over */
};
struct processes_result processes_result(const struct processes *processes);

#endif
