/*
 * Workloads: which packets nodes send, or which messages processes exchange, and the bandwidth
 * bound of that traffic.
 *
 * A pattern is a row in a file of its own (patterns/, programs/, parts/), which patterns.c lists;
 * its keys and its state are that file's. Open-loop patterns offer a load (a share of their bound)
 * during warm-up and measurement; then the network drains. Closed ones end when their last byte has
 * arrived. A pattern sees the machine as a site: a machine that fills in a site can run all
 * patterns that need no more than it offers.
 */
#ifndef WEFT_WORKLOAD_WORKLOAD_H
#define WEFT_WORKLOAD_WORKLOAD_H

#include "base/file/archive.h"
#include "config/config.h"
#include "message/mapping.h"
#include "message/order.h"
#include "message/schedule.h"
#include "message/task.h"
#include "mpi/options.h"
#include "node/io.h"
#include "node/program.h"
#include "topology/torus/bound.h"

struct workload;
struct hot_box;
struct rates;
struct ground;
struct world;

/* ---- patterns ---- */

/* What a pattern runs as: packets between nodes, or messages between processes. */
enum layer { LAYER_AUTO, LAYER_PACKETS, LAYER_MESSAGES };

/* What a pattern may need from a machine. */
enum site_offer {
    SITE_COORDINATES = 1,
    SITE_DEPOSIT = 2,  /* packets that leave copies on their way */
    SITE_TOPOLOGY = 4, /* there is something to survey */
    SITE_CELLS = 8,    /* jobs can be given parts of it */
    SITE_GROUPS = 16,  /* its nodes are in groups */
    SITE_IO = 32,      /* I/O nodes do the system calls of the others */
};

/* What a run of a pattern is. */
enum pattern_kind {
    PATTERN_CLOSED,  /* packets, or messages step by step, which end */
    PATTERN_OPEN,    /* packets of an open loop; as messages it is like the closed ones */
    PATTERN_PROGRAM, /* a C function per process */
    PATTERN_MPI,     /* an MPI program, which may report figures of its own */
    PATTERN_TRACE,   /* what a trace says that ranks did */
    PATTERN_PARTS,   /* other patterns, each in a part of the machine (parts.h) */
    PATTERN_SURVEY,  /* nothing is sent: properties of the topology, */
    PATTERN_JOBS,    /* a schedule of jobs that are given parts of the machine, */
    PATTERN_VIEW,    /* how jobs see such a part, */
    PATTERN_NONE,    /* or a host sends, through the library */
};

struct pattern {
    const char *name, *alias; /* alias: another spelling; NULL: none */
    enum pattern_kind kind;
    bool from_file;   /* it needs workload.file */
    unsigned needs;   /* enum site_offer */
    enum layer usual; /* if it can be both; LAYER_AUTO: as on its machine */
    weft_status (*packets)(struct workload *w);  /* sets up a program of packets; NULL: none */
    weft_status (*messages)(struct workload *w); /* the same for messages */
    /* How many processes its input has; NULL: any number. */
    weft_status (*count)(struct workload *w, uint32_t *processes);
    weft_status (*ranks)(const char *path, uint32_t *ranks); /* of a trace; NULL: it reads none */
    const char *packet_keys, *message_keys; /* the keys of workload.* that it uses */
    const char *algorithms;                 /* of messages, besides auto; NULL: no choice */
    /* Tables of keys of its own: on all machines, on those with coordinates, and on those that tell
     * packets apart. NULL: none. Patterns that share a table all name it. */
    const struct key_table *keys, *coordinate_keys, *class_keys;
    /* Open loop: the endpoint that an endpoint sends its packet to; itself or out of range: it is
     * silent. NULL: its neighbours. */
    uint32_t (*partner)(const struct workload *w, uint32_t endpoint, uint32_t sequence);
    /* What w->state points to is freed before it, saved and restored; NULL: there is nothing. */
    void (*fini)(struct workload *w);
    void (*archive)(struct workload *w, struct archive *archive);
    /* Of one that consists of others: what all of them run as, and whether one uses a key. */
    weft_status (*layer)(const struct config *c, enum layer usual, enum layer *as);
    bool (*uses)(const struct config *c, enum layer as, const char *key);
    /* What is run, as packets and as messages, in a sentence (work.h). */
    const char *packet_work, *message_work;
    /* What is run, as the end of a line; false, or NULL: as for all. */
    bool (*describe)(const struct config *c, enum layer as, char text[CONFIG_TEXT]);
    /* A hash of the files that it reads; NULL: workload_files(). */
    uint64_t (*fingerprint)(const struct config *c);
    /* Whether a path is that of a file that it writes; NULL: it writes none. */
    bool (*writes)(const struct config *c, const char *path);
    weft_status (*write)(const struct workload *w); /* them, once it has ended */
};

/* Keys of workload.* that many patterns use: of open loops, and of messages. */
#define OPEN_KEYS                                                                                  \
    "load warmup_cycles cycles most_cycles precision drain_cycles packet_bytes burst "             \
    "burst_packets burst_gap_cycles "                                                              \
    "burst_shape "
#define MESSAGE_KEYS                                                                               \
    "message_bytes messages processes_per_node processes mapping warmup_cycles cycles "

extern const struct pattern *const patterns[];
extern const size_t pattern_count;

/* Whether the pattern itself sends nothing. */
static inline bool pattern_is_silent(const struct pattern *p)
{
    return !p->packets && !p->messages;
}

/* Whether it is about jobs that are given parts of the machine, and not about what they send. */
static inline bool pattern_is_jobs(const struct pattern *p)
{
    return p->kind == PATTERN_JOBS || p->kind == PATTERN_VIEW;
}

/* ---- parameters ---- */

enum algorithm {
    ALGORITHM_AUTO,
    ALGORITHM_DOUBLING,
    ALGORITHM_HALVING,
    ALGORITHM_RING,
    ALGORITHM_BINOMIAL,
    ALGORITHM_SCATTER,
    ALGORITHM_MESH,
    ALGORITHM_PAIRWISE,
    ALGORITHM_POST_ALL,
    ALGORITHM_DEPOSIT, /* of the message layer, by packets, as the following */
    ALGORITHM_PACKETS,
    ALGORITHM_INTERRUPT, /* of the machine itself, as the following */
    ALGORITHM_TREE,
    ALGORITHM_RECAST,
    ALGORITHM_TWO_PHASE,
    ALGORITHM_GATES,
    ALGORITHMS,
};
enum rates_as { RATES_RELATIVE, RATES_ABSOLUTE };

/* What several patterns use, or the rest of Weft asks for. */
struct workload_params {
    const struct pattern *pattern;
    enum layer as;
    struct byte_list packet_bytes; /* drawn evenly; none: the machine's full packet */
    double dynamic_share;          /* share of packets routed dynamically */
    double high_share;             /* share of packets with high priority */
    uint32_t groups;               /* groups of reception FIFOs in use: 1 or 2 */

    /* Open loop. */
    double load;
    cycle_t warmup_cycles;        /* KEY_AUTO_LONG: found from the run, where that can be */
    cycle_t cycles, drain_cycles; /* drain 0: until empty */
    cycle_t most_cycles;          /* of a warm-up and a window that are found, */
    double precision;             /* until the mean response is known so well */
    enum burst burst;
    double burst_packets, burst_shape;
    uint64_t burst_gap_cycles; /* mean time between bursts; 0: as their packets' spacing leaves */

    /* Closed, messages and ping-pongs. */
    uint64_t message_bytes; /* payload of a message */
    uint32_t messages;      /* ping-pong: round trips; otherwise: per process, 0: endless */
    uint32_t processes_per_node, processes;
    char file[CONFIG_TEXT];    /* that it is read from */
    enum rates_as rates;       /* of a matrix */
    char mapping[CONFIG_TEXT]; /* of processes (message/mapping.h); auto: the machine's */
    enum algorithm algorithm;
    enum send_order_kind order; /* of an all-to-all's destinations */
};

extern const struct key_section workload_section;
extern const struct key_table workload_keys;   /* of every machine */
extern const struct key_table coordinate_keys; /* of machines with coordinates */
extern const struct key_table class_keys;      /* of machines that tell packets apart */

static inline const struct workload_params *config_workload(const struct config *c)
{
    return config_section(c, &workload_section);
}

/* Processes on a node with so many processors, whose mode runs so many tasks; 0: it has none. */
static inline uint32_t workload_per_node(const struct workload_params *p, uint32_t processors,
                                         uint32_t tasks)
{
    bool given = p->processes_per_node && p->processes_per_node != KEY_AUTO;
    return given ? p->processes_per_node : tasks ? tasks : p->processes_per_node ? 1 : processors;
}

/* Whether the pattern, run as packets or as messages, uses a key. */
bool workload_uses(const struct config *c, enum layer as, const char *key);

/* Cycles before measuring, where they are not found from the run. */
static inline cycle_t workload_warmup(const struct workload_params *p)
{
    enum { USUAL_WARMUP = 10000 };
    return p->warmup_cycles == KEY_AUTO_LONG ? USUAL_WARMUP : p->warmup_cycles;
}

/* Whether rates of a matrix say how much is sent, and not workload.load. */
bool workload_rates_absolute(const struct workload_params *params);

/* Of a key that the pattern has, the setting with which it does not use it; NULL: it does. */
const char *workload_unused_with(const struct workload_params *params, const char *key);

/* WEFT_BAD_INPUT, if the pattern's messages do not know the algorithm. */
weft_status workload_check_algorithm(const struct workload_params *params);

/* Sizes that packets of a machine can have, and the keys that say so. */
struct packet_sizes {
    uint32_t most, step;               /* multiples of a step */
    uint32_t header;                   /* bytes that are not payload */
    const char *most_key, *header_key; /* header_key NULL: a packet may be all header */
};

/* Fills in workload.packet_bytes if it was left out. WEFT_BAD_INPUT: no packet has such a size. */
weft_status workload_complete_sizes(struct workload_params *params,
                                    const struct packet_sizes *sizes);

/* ---- sites ---- */

/* The load that a pattern puts on a network. */
struct flows {
    const struct workload *workload;
    bool uniform;              /* each node to all others of its group evenly, or to the workload's
                                * hot box and evenly; if not: flows_each() */
    uint32_t group_dims;       /* uniform, with coordinates: in which a group's nodes differ */
    bool neighbours;           /* each node to its neighbours, in turn */
    const struct rates *rates; /* of senders that are not all alike; NULL: they are */
    double packets;            /* per sender */
};

/* Calls add() for every packet of flows that are not uniform; returns how many nodes send. */
uint32_t flows_each(const struct flows *f,
                    void (*add)(void *ctx, uint32_t from, uint32_t to, double packets), void *ctx);

/* Packets of the sender that has most. */
double flows_most(const struct flows *f);

/* Adds the flows of a pattern to the bound of its site's torus. Returns how many nodes send. */
uint32_t flows_load(const struct flows *flows, struct bound *bound);

/* Uniform flows with coordinates, as sums and differences of flows between boxes. Returns how many
 * nodes send. */
uint32_t flows_boxes(const struct flows *f, void (*add)(void *ctx, const struct box_flow *flow),
                     void *ctx);

/* Adds the packets that each node receives. */
void flows_into(const struct flows *f, double *into);

/* The machine, as patterns see it; its owner must keep it as long as the workload. */
struct site {
    void *ctx;
    uint32_t part;               /* the number of the job that it is a part for; 0: a machine */
    const struct ground *ground; /* what it hands out to jobs; NULL: nothing, or nobody asks */
    enum layer usual;            /* the meaning of LAYER_AUTO for a pattern that can be both */
    uint32_t nodes;              /* nodes have numbers below this */
    uint32_t endpoints;          /* what patterns count, */
    const uint32_t *node_at;     /* and the node at each; NULL: all nodes are endpoints */
    uint32_t living;             /* nodes that can hold processes */
    const bool *dead;            /* [node]; NULL: none */
    const struct torus *torus;   /* coordinates of nodes; NULL: they have none */
    uint32_t tree;       /* bytes of a packet of its tree network, beside which there are global
                            interrupts; 0: it has none */
    bool io;             /* its tree has I/O nodes (node/io.h) */
    bool gates;          /* it has gates (node/nic.h) */
    bool whole;          /* no node and no link is dead */
    bool spreads;        /* processes can spread packets (message/packets/packets.h) */
    uint32_t ways;       /* packets that a node sends at once, and receives; 0: one */
    uint32_t group;      /* endpoints per group, numbered in order; 0: there are none */
    uint32_t processors; /* per node */
    uint32_t tasks;      /* processes per node, unless the workload says; 0: one */
    struct packet_sizes sizes;
    uint64_t packet_payload; /* of a full packet */
    uint32_t packet_header;  /* bytes of a packet's size that are not payload */
    double cycles_per_second;
    double ack_cycles;                    /* cycles of the link back, per packet */
    const struct schedule_limits *limits; /* of collective operations over messages */
    const struct mpi_params *mpi;         /* costs of MPI programs */
    const struct io_params *io_nodes;     /* of their files */
    /* Cycles for which a packet occupies a link after its last byte; NULL: none. */
    double (*tail)(const struct site *site, double bytes);
    /* Cycles for which a packet of this size, header included, occupies a link. */
    double (*slot)(const struct site *site, double bytes);
    /* Hops of a shortest route; UINT32_MAX: there is none. */
    uint32_t (*distance)(const struct site *site, uint32_t from, uint32_t to);
    uint32_t (*diameter)(const struct site *site);
    /* The node behind a port of another, out of at most so many; NOBODY: there is none. */
    uint32_t (*behind)(const struct site *site, uint32_t node, unsigned port);
    unsigned ports;
    bool picks_port; /* a packet to a neighbour leaves by that port */
    /* Cycles that the busiest link or port needs for these flows; 0: there is no bound. Sets
     * *senders to the number of nodes that send. */
    double (*bound)(const struct site *site, const struct flows *flows, uint32_t *senders);
};

/* ---- a workload ---- */

struct workload {
    struct workload_params params;
    const struct config *config; /* for keys of the pattern's own, while it is set up */
    const struct pattern *pattern;
    const struct site *site;
    enum layer as;
    void *state; /* the pattern's own, which its setup makes; flat, or as its fini says */
    struct program program; /* its ctx is this workload */
    uint64_t seed;
    bool open;           /* measured in a window */
    uint32_t senders;    /* nodes that send */
    uint64_t deliveries; /* closed: packets expected, copies included; 0: unknown */

    /* Packets. */
    double rate_bound;    /* open: packets per cycle and sending node at the bound; 0: no bound */
    double rate_peak;     /* the most that can arrive; of an overloaded hot region, above it */
    double bound_cycles;  /* closed: time that the busiest links need; 0: no bound */
    uint64_t least_bytes; /* of its smallest packet; 0: of those that are drawn */
    bool uneven;          /* by intention, some send more than others */
    const struct hot_box *hot; /* that packets go to (patterns/patterns.h); NULL: there is none */

    /* Messages. */
    uint32_t processes, per_node;
    bool letters; /* some are more than bytes, and cannot leave their process */
    struct mapping mapping;
    struct send_order order;  /* of an all-to-all among them */
    struct task_program task; /* main NULL: a script */
    struct task_group *group; /* those that run it, for the message layer; none: a script does */
    uint32_t groups;
    struct runner_maker own; /* a runner of its own, if it has one */
    struct world *world;     /* of an MPI program; NULL: it is none */
    uint8_t collective;      /* an operation of the machine itself: enum step_collective */
};

/* What a pattern runs as at a site; WEFT_BAD_INPUT: it cannot. */
weft_status workload_layer(const struct config *c, enum layer usual, enum layer *as);

weft_status workload_create(const struct config *c, const struct site *site, uint64_t seed,
                            struct workload **workload);
void workload_destroy(struct workload *workload);

/* The workloads that it consists of: those of its parts, or itself. */
uint32_t workload_members(const struct workload *workload);
struct workload *workload_member(struct workload *workload, uint32_t index);

/* Whether processes run programs on fibers, whose state cannot be saved; and whether one of them
 * must not change threads. */
bool workload_has_programs(const struct workload *workload);
bool workload_stays(const struct workload *workload);

/* Whether some of its parts are open loops or packets from a file, and others programs that end. */
bool workload_mixes_loops(const struct workload *workload);

/* Saves or restores a workload's state. */
void workload_archive(struct workload *workload, struct archive *archive);

/* Whether processes are everywhere: all that the living nodes have room for. */
static inline bool workload_is_full(const struct workload *w)
{
    return w->processes == w->site->living * w->per_node;
}

/* Whether it uses the machine's tree network or global interrupts. */
bool workload_uses_tree(const struct workload *workload);

/* A hash of the files that a workload reads; and of those that most patterns do: a map of
 * processes, and workload.file. */
uint64_t workload_fingerprint(const struct config *c);
uint64_t workload_files(const struct config *c);
uint64_t workload_map_hash(const struct workload_params *params);

/* Whether a path is that of a file that a workload writes. */
bool workload_writes(const struct config *c, const char *path);

/* Writes the messages of a pattern as a trace in GOAL (trace/goal/goal.h). Every process becomes a
 * rank. Vectors are combined at `combine_mb_per_s`, which becomes calcs. */
weft_status workload_export(const struct workload *w, double combine_mb_per_s, const char *path,
                            bool binary);

/* "32, 64 or 256": sizes of packets. */
enum { SIZES_TEXT = 128 };
const char *workload_sizes_text(const struct workload_params *params, char text[SIZES_TEXT]);

/* Mean size of packets whose sizes are drawn, header included. */
double workload_mean_bytes(const struct workload *workload);

/* ---- between the files of this folder ---- */

/* Stands for a packet size that is still to be drawn. */
#define BYTES_DRAWN UINT64_MAX

/* Draws the size, routing and priority of a packet. */
void workload_dress(const struct workload *w, uint32_t node, uint32_t sequence, struct step *step);

/* The node at an endpoint, and the endpoint of a node that has one. */
static inline uint32_t site_node(const struct site *site, uint32_t endpoint)
{
    return site->node_at ? site->node_at[endpoint] : endpoint;
}

uint32_t site_endpoint(const struct site *site, uint32_t node);

/* One hop to each of a node's neighbours in turn; returns how many it has. */
uint32_t site_neighbour(const struct site *site, uint32_t node, uint32_t turn, struct step *step);

/* Sets up w->order for an all-to-all of the processes. */
weft_status workload_order_processes(struct workload *w);

/* Packets of a message with this payload, one if it has none; and the payload of one of them. */
uint64_t workload_message_packets(const struct workload *w, uint64_t payload);
uint64_t workload_message_packet(const struct workload *w, uint64_t payload, uint32_t index);

/* WEFT_BAD_INPUT: a node would send more packets than can be numbered. */
weft_status workload_check_sequence(double packets);

/* Copies the values of a pattern's own keys; zero for those that the machine does not have. */
void workload_own(const struct workload *w, const struct key_section *section, void *values);

#endif
