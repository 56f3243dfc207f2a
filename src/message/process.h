/*
 * Processes that exchange messages over any nic. What a process does is a program of messages
 * (node/program.h): in a step it sends one message, or receives one, or both at once, then works;
 * the next step begins when all of that is done. Messages from one process to another match in
 * order.
 *
 * How a message travels depends on what the nic can do: a carrier for each sort of nic is in a
 * folder of its own (offload/, packets/).
 */
#ifndef WEFT_MESSAGE_PROCESS_H
#define WEFT_MESSAGE_PROCESS_H

#include "base/file/archive.h"
#include "config/keys.h"
#include "message/mapping.h"
#include "message/schedule.h"
#include "message/task.h"
#include "node/core.h"
#include "node/program.h"

/* Who moves the data of a long message, once both ends know of it. */
enum rendezvous {
    RENDEZVOUS_PUT, /* the sender's engine, on the receiver's command */
    RENDEZVOUS_GET, /* the receiver's engine asks the sender's for them */
};

struct software_params {
    double send_ns, receive_ns; /* processor time per event */
    double byte_ns;             /* the same per byte of a message, at both ends */
    uint32_t eager_bytes;       /* longer messages use rendezvous */
    uint32_t eager_packets;     /* that a process has room for from each other; 0: any number */
    enum rendezvous rendezvous;
    uint64_t rails_bytes; /* messages of this size and above go over several rails */
    uint32_t rails;
    double clock_mhz;       /* of a processor, for programs that compute */
    double memory_mb_per_s; /* copies between processes of a node */
    double reduce_mb_per_s; /* rate at which a processor combines two vectors */
    struct schedule_limits limits;
};

/*
 * Software that handles every packet itself (MSG, 5 and 6): which protocols it uses, and what its
 * steps cost, in processor cycles.
 */
enum protocol {
    PROTOCOL_AUTO, /* by size: one-packet, eager, rendezvous */
    PROTOCOL_ONE_PACKET,
    PROTOCOL_EAGER,
    PROTOCOL_ADAPTIVE, /* adaptive eager */
    PROTOCOL_RENDEZVOUS,
};

struct steps_params {
    enum protocol protocol;
    uint32_t eager_bytes;    /* auto: longer messages use rendezvous */
    uint32_t metadata_bytes; /* of the user, in a message's first packet: its envelope */
    uint32_t each_bytes;     /* that a packet of an all-to-all has for itself, not for data */
    double post_cycles;      /* a message is set up: its state, buffer and callbacks */
    double connect_cycles;   /* it goes through the queue of its peer */
    double poll_cycles;      /* one turn of an advance loop that finds nothing */
    double object_cycles;    /* a message object for what arrives */
    double callback_cycles;  /* recvnew, recvdone, senddone */
    double control_cycles;   /* an acknowledgment or confirmation is made */
    double lookup_cycles;    /* a packet's message is looked up */
};

extern const struct key_section steps_section;
extern const struct key_table steps_keys;

extern const struct key_section software_section;
extern const struct key_table reduce_keys;   /* of every machine */
extern const struct key_table clock_keys;    /* of machines whose nic has an engine */
extern const struct key_table memory_keys;   /* of machines with several processes per node */
extern const struct key_table protocol_keys; /* of machines whose nic has an engine */
extern const struct key_table room_keys;     /* of those whose eager messages need room */
extern const struct key_table byte_keys;     /* of those whose processors handle every byte */
extern const struct key_table rails_keys;    /* of those with several routes per pair */
extern const struct key_table gets_keys;     /* of those whose nic takes gets */

/* Processes of a machine, at most. */
enum { PROCESSES_MOST = 1 << 23 };

struct processes_options {
    struct nic *nic;
    const struct software_params *software;
    const struct core_params *cores;  /* if processors write and read packets themselves, */
    const struct steps_params *steps; /* else NULL */
    struct program program;           /* a script, for processes whose group has no program */
    const struct task_group *group;   /* programs on fibers; kept by their owner */
    uint32_t groups;                  /* 0: a script runs all processes */
    const struct torus *torus;        /* coordinates of nodes; NULL: they have none */
    uint32_t processes, per_node;
    const struct mapping *mapping;  /* where they are */
    const struct send_order *order; /* of all-to-alls by packets; NULL: as is usual */
    uint32_t nodes;
    bool whole;                       /* no node or link is dead */
    cycle_t measure_from, measure_to; /* when received bytes count */
};

/* Figures over all processes of all ranks that have a program. */
struct processes_result {
    uint64_t active;    /* processes with at least one step */
    uint64_t receivers; /* processes with a step in which they receive */
    uint64_t messages;  /* received */
    uint64_t bytes;     /* received while measuring */
    double mean_rate;   /* bytes per second per receiver: while measuring, or until its own end */
    uint64_t least_rate, most_rate;
    cycle_t ended, first_ended;           /* when the last and the first process ended */
    uint64_t rail_streams, rail_messages; /* streams of messages that used rails; those messages */
    double spent[CORES_MOST][WORKS];      /* processor cycles of all cores of a number; or 0 */
    uint64_t unexpected;                  /* messages that arrived before their receive */
    bool interrupted;                     /* programs can be: */
    uint64_t reception_interrupts, injection_interrupts; /* how often they were, by what */
    uint64_t io_calls;                                   /* to I/O nodes; */
    double io_cycles;                                    /* that all of them took */
};

struct processes;

struct processes *processes_create(const struct processes_options *options);
void processes_destroy(struct processes *processes);
struct nic_client processes_client(struct processes *processes);
void processes_archive(struct processes *processes, struct archive *archive);

/* What those that have not ended wait for; the first few of them. Returns the text's length. */
size_t processes_explain(const struct processes *processes, char *text, size_t size);

/* All ranks must call these: for all processes; and for some of them, without the carrier's own
 * figures. */
struct processes_result processes_result(const struct processes *processes);
struct processes_result processes_result_of(const struct processes *processes, uint32_t first,
                                            uint32_t count);

#endif
