/*
 * Workloads: which packets nodes send, or which messages processes exchange, and the bandwidth
 * bound of that traffic.
 *
 * A pattern is one row of a table (patterns.c). Open-loop patterns offer a load (a share of their
 * bound) during warm-up and measurement; then the network drains. Closed ones end when their last
 * byte has arrived. A pattern sees the machine as a site: a machine that fills in a site can run
 * all patterns that need no more than it offers.
 */
#ifndef WEFT_WORKLOAD_WORKLOAD_H
#define WEFT_WORKLOAD_WORKLOAD_H

#include "base/file/archive.h"
#include "config/keys.h"
#include "message/mapping.h"
#include "message/schedule.h"
#include "message/task.h"
#include "mpi/options.h"
#include "node/program.h"
#include "topology/torus/bound.h"

struct workload;
struct workload_params;
struct workload_parts;
struct rates;
struct timetable;
struct ground;
struct site;
struct goal;
struct replay;

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
    const char *packet_keys, *message_keys; /* the keys of workload.* that it uses */
    const char *algorithms;                 /* of messages, besides auto; NULL: no choice */
    /* Open loop: the place that a place sends its packet to; itself or out of range: it is silent.
     * NULL: its neighbours. */
    uint32_t (*partner)(const struct workload *w, uint32_t place, uint32_t sequence);
};

extern const struct pattern patterns[];
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

enum exchange { EXCHANGE_BOTH, EXCHANGE_ONE_WAY, EXCHANGE_TURNS };
enum pairing { PAIRING_RANDOM, PAIRING_TRANSPOSE };
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
enum sizes { SIZES_EQUAL, SIZES_VARIED };
enum within { WITHIN_ALL, WITHIN_LINE, WITHIN_PLANE };

struct workload_params {
    const struct pattern *pattern;
    enum layer as;
    struct byte_list packet_bytes; /* drawn evenly; none: the machine's full packet */
    double dynamic_share;          /* share of packets routed dynamically */
    double high_share;             /* share of packets with high priority */
    uint32_t groups;               /* groups of reception FIFOs in use: 1 or 2 */

    /* Open loop. */
    double load;
    cycle_t warmup_cycles, cycles, drain_cycles; /* drain 0: until empty */
    enum burst burst;
    double burst_packets, burst_shape;
    uint64_t burst_gap_cycles; /* mean time between bursts; 0: as their packets' spacing leaves */
    double hot_share;
    bool hot_apart; /* what does not go to the hot box stays outside it, and the box is silent */

    /* Closed, packets. */
    uint32_t packets_per_pair;
    uint64_t bytes_per_pair;    /* payload; if not 0, it replaces packets_per_pair and sizes */
    uint32_t packets_per_visit; /* to a destination before the next one's turn */
    enum within within;
    uint32_t dim;     /* a line's dimension, a plane's normal */
    struct torus hot; /* size of the hot box; dims 0: the pattern's default */
    bool deposit;

    /* Closed, messages and ping-pongs. */
    uint64_t message_bytes; /* payload of a message */
    uint32_t messages;      /* ping-pong: round trips; otherwise: per process, 0: endless */
    uint32_t hops;          /* between ping and pong */
    uint32_t links;         /* exchange: over which a process exchanges messages; 0: all */
    uint32_t processes_per_node, processes, pairs;
    struct torus grid;      /* of processes: columns and rows; dims 0: as square as can be */
    char file[CONFIG_TEXT]; /* that it is read from */
    enum rates_as rates;    /* of a matrix */
    char list[CONFIG_TEXT]; /* pairs */
    double flops;           /* operations of a trace per second; 0: one per processor cycle */
    char program[CONFIG_TEXT], arguments[CONFIG_TEXT];
    uint32_t stack_bytes;
    enum collectives collectives; /* of a program */
    enum compute compute;         /* of an MPI program */
    double compute_factor;
    bool tag_output;
    char trace[CONFIG_TEXT];   /* the file of its time line; empty: none */
    char matrix[CONFIG_TEXT];  /* the file of who sent how much to whom; empty: none */
    char parts[CONFIG_TEXT];   /* of a machine that jobs share (parts.h) */
    char mapping[CONFIG_TEXT]; /* of processes to places (message/mapping.h); auto: the machine's */
    enum exchange exchange;
    enum pairing pairing;
    enum algorithm algorithm;
    enum sizes sizes;     /* of the messages of an all-to-all */
    uint32_t piece_bytes; /* of a pipelined broadcast */
};

extern const struct key_section workload_section;
extern const struct key_table workload_keys;   /* of every machine */
extern const struct key_table coordinate_keys; /* of machines with coordinates */
extern const struct key_table class_keys;      /* of machines that tell packets apart */

/* Whether a pattern, run as packets or as messages, uses a key. */
bool workload_uses(const struct workload_params *params, enum layer as, const char *key);

/* Whether rates of a matrix say how much is sent, and not workload.load. */
bool workload_rates_absolute(const struct workload_params *params);

/* WEFT_BAD_INPUT, if the pattern's messages do not know the algorithm. */
weft_status workload_check_algorithm(const struct workload_params *params);

/* Sizes that packets of a machine can have, and the keys that say so. */
struct packet_sizes {
    uint32_t most, step;               /* multiples of a step */
    uint32_t header;                   /* bytes that are not payload */
    const char *most_key, *header_key; /* header_key NULL: a packet may be all header */
};

/* Fills in workload.packet_bytes if it was left out. WEFT_BAD_INPUT: a packet cannot have a size.
 */
weft_status workload_complete_sizes(struct workload_params *params,
                                    const struct packet_sizes *sizes);

/* ---- sites ---- */

/* The load that a pattern puts on a network. */
struct flows {
    const struct workload *workload;
    bool uniform;        /* each node to all others of its group evenly; if not: flows_each() */
    uint32_t group_dims; /* uniform, with coordinates: dimensions in which a group's nodes differ */
    double hot_share;    /* share of packets to the hot box; the rest is uniform, */
    bool hot_apart;      /* but between nodes outside it, which alone send */
    bool neighbours;     /* each node to its neighbours, in turn */
    double packets;      /* per sender */
};

/* Calls add() for every packet of flows that are not uniform; returns how many nodes send. */
uint32_t flows_each(const struct flows *f,
                    void (*add)(void *ctx, uint32_t from, uint32_t to, double packets), void *ctx);

/* Packets of the sender that has most. */
double flows_most(const struct flows *f);

/* Adds the flows of a pattern to the bound of its site's torus; `into`: to the packets that each
 * node receives, too; NULL: nobody asks. Returns how many nodes send. */
uint32_t flows_load(const struct flows *flows, struct bound *bound, double *into);

/* The machine, as patterns see it; its owner must keep it as long as the workload. */
struct site {
    void *ctx;
    uint32_t part;               /* the number of the job that it is a part for; 0: a machine */
    const struct ground *ground; /* what it hands out to jobs; NULL: nothing, or nobody asks */
    enum layer usual;            /* the meaning of LAYER_AUTO for a pattern that can be both */
    uint32_t nodes;              /* nodes have numbers below this */
    uint32_t places; /* what patterns count, and the node at each; NULL: all nodes are places */
    const uint32_t *node_at;
    uint32_t living; /* nodes that can hold processes, and which; NULL: all nodes */
    const uint32_t *living_at;
    const bool *dead;          /* [node]; NULL: none */
    const struct torus *torus; /* coordinates of nodes; NULL: they have none */
    bool tree;                 /* it has a tree network and global interrupts */
    bool gates;                /* it has gates (node/nic.h) */
    bool whole;                /* no node and no link is dead */
    bool spreads;              /* processes can spread packets (message/packets/spread.h) */
    uint32_t ways;             /* packets that a node sends at once, and receives; 0: one */
    uint32_t group;            /* places per group, numbered in order; 0: there are none */
    uint32_t processors;       /* per node */
    uint32_t tasks;            /* processes per node, unless the workload says; 0: one */
    struct packet_sizes sizes;
    uint64_t packet_payload; /* of a full packet */
    uint32_t packet_header;  /* bytes of a packet's size that are not payload */
    double cycles_per_second;
    double ack_cycles;                    /* cycles of the link back, per packet */
    const struct schedule_limits *limits; /* of collective operations over messages */
    const struct mpi_params *mpi;         /* costs of MPI programs */
    /* Cycles for which a packet occupies a link after its last byte; NULL: none. */
    double (*tail)(const struct site *site, double bytes);
    /* Cycles for which a packet of this size, header included, occupies a link. */
    double (*slot)(const struct site *site, double bytes);
    /* Hops of a shortest route; UINT32_MAX: there is none. */
    uint32_t (*distance)(const struct site *site, uint32_t from, uint32_t to);
    uint32_t (*diameter)(const struct site *site);
    /* One hop over each of a node's links in turn; returns how many it has. */
    uint32_t (*neighbour)(const struct site *site, uint32_t node, uint32_t turn, struct step *step);
    /* Cycles that the busiest link or port needs for these flows; 0: there is no bound. Sets
     * *senders to the number of nodes that send. */
    double (*bound)(const struct site *site, const struct flows *flows, uint32_t *senders);
};

/* ---- a workload ---- */

struct workload {
    struct workload_params params;
    const struct pattern *pattern;
    const struct site *site;
    enum layer as;
    struct program program; /* its ctx is this workload */
    uint64_t seed;
    bool open;           /* measured in a window */
    uint32_t senders;    /* nodes that send */
    uint64_t deliveries; /* closed: packets expected, copies included; 0: unknown */

    /* Packets. */
    double rate_bound;     /* open: packets per cycle and sending node at the bound; 0: no bound */
    double rate_peak;      /* the most that can arrive; of an overloaded hot region, above it */
    double bound_cycles;   /* closed: time that the busiest links need; 0: no bound */
    double spacing_cycles; /* open: of the packets in a burst */
    struct timetable *table; /* packets from a file; NULL: there is none */
    struct rates *rates;     /* of senders that are not all alike; NULL: they are */
    uint64_t permutation_key;
    uint32_t rows, columns; /* of places, for a transpose without coordinates */
    uint32_t group_dims;    /* mask of the dimensions in which a group's nodes differ */
    uint32_t group_nodes;
    uint32_t hot_nodes,
        hot_links;            /* nodes of the hot box; links into it, if there are coordinates */
    uint32_t pair_packets;    /* of an all-to-all or hot spot, from one node to another */
    uint32_t message_packets; /* of a ping-pong message or fill */
    uint32_t ping, pong;      /* nodes */
    uint32_t arrived[2];      /* packets of the current message at ping, pong */
    cycle_t arrived_last[2];

    /* Messages. */
    uint32_t processes, per_node;
    struct mapping mapping;
    struct task_program task; /* main NULL: a script */
    struct task_group *group; /* those that run it, for the message layer; none: a script does */
    uint32_t groups;
    void *object;                  /* that the program is from; NULL: Weft itself */
    struct world *world;           /* of an MPI program; NULL: it is none */
    struct goal *goal;             /* a trace, */
    uint64_t goal_hash;            /* of its file, once somebody has asked, */
    struct replay *replay;         /* and what replays it; NULL: there is none */
    struct runner_maker own;       /* a runner of its own, if it has one */
    struct mpi_replay *mpi_replay; /* what its ranks do, if a trace says so */
    struct workload_parts *parts;  /* that it consists of; NULL: it is one */
    char *words;                   /* of its arguments */
    uint32_t *partner;             /* of each process; NOBODY: none */
    uint32_t *place;          /* ring: a process's place in it; pairs: 0 sends first, 1 second */
    uint32_t *steps;          /* of each process in a collective operation */
    uint32_t *order;          /* ring: the process at each place */
    struct schedule schedule; /* of a collective operation */
    uint8_t collective;       /* an operation of the machine itself: enum step_collective */
    uint64_t varied;          /* what its sizes depend on (node/program.h) */
};

/* What a pattern runs as at a site; WEFT_BAD_INPUT: it cannot. */
weft_status workload_layer(const struct workload_params *params, const struct site *site,
                           enum layer *as);

weft_status workload_create(const struct workload_params *params, const struct site *site,
                            uint64_t seed, struct workload **workload);
void workload_destroy(struct workload *workload);

/* The workloads that it consists of: those of its parts, or itself. */
uint32_t workload_members(const struct workload *workload);
struct workload *workload_member(struct workload *workload, uint32_t index);

/* Whether processes run programs on fibers, whose state cannot be saved; and whether one of them
 * must not change threads. */
bool workload_has_programs(const struct workload *workload);
bool workload_has_letters(struct workload *workload); /* in messages, which cannot either */
bool workload_stays(const struct workload *workload);

/* Whether it is read from a file as the time goes on, by nodes that are all in one process. */
bool workload_reads_on(const struct workload *workload);

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

/* Whether a path is that of a file that a workload writes. */
bool workload_writes(const struct workload_params *params, const char *path);

/* A hash of the files that a workload reads. */
uint64_t workload_fingerprint(const struct workload_params *params);

/* Whether a node is in the hot box, which starts at the origin; node number `index` of the box. */
bool workload_is_hot(const struct workload *workload, uint32_t node);
uint32_t workload_hot_node(const struct workload *workload, uint32_t index);

/* Mean size of packets whose sizes are drawn, header included. */
double workload_mean_bytes(const struct workload *workload);

/* ---- between the files of this folder ---- */

/* Stands for a packet size that is still to be drawn. */
#define BYTES_DRAWN UINT64_MAX

/* Draws the size, routing and priority of a packet. */
void workload_dress(const struct workload *w, uint32_t node, uint32_t sequence, struct step *step);

/* The node at a place, and the place of a living node. */
uint32_t workload_node(const struct workload *w, uint32_t place);
uint32_t workload_place(const struct workload *w, uint32_t node);

/* Packets of a message with this payload, one if it has none; and the payload of one of them. */
uint64_t workload_message_packets(const struct workload *w, uint64_t payload);
uint64_t workload_message_packet(const struct workload *w, uint64_t payload, uint32_t index);

/* WEFT_BAD_INPUT: a node would send more packets than can be numbered. */
weft_status workload_check_sequence(double packets);

/* open.c */
weft_status open_setup(struct workload *w);
bool open_destination(const struct workload *w, uint32_t node, uint32_t sequence,
                      struct step *step); /* false: it has none */
uint32_t open_uniform(const struct workload *w, uint32_t place, uint32_t sequence);
uint32_t open_hot_region(const struct workload *w, uint32_t place, uint32_t sequence);
uint32_t open_transpose(const struct workload *w, uint32_t place, uint32_t sequence);
uint32_t open_next_group(const struct workload *w, uint32_t place, uint32_t sequence);
uint32_t open_tornado(const struct workload *w, uint32_t place, uint32_t sequence);
uint32_t open_bit_complement(const struct workload *w, uint32_t place, uint32_t sequence);
uint32_t open_bit_reverse(const struct workload *w, uint32_t place, uint32_t sequence);
uint32_t open_shuffle(const struct workload *w, uint32_t place, uint32_t sequence);
uint32_t open_permutation(const struct workload *w, uint32_t place, uint32_t sequence);
uint32_t open_matrix(const struct workload *w, uint32_t place, uint32_t sequence);

/* pairwise.c */
weft_status alltoall_packets(struct workload *w);
weft_status hotspot_packets(struct workload *w);

/* pingpong.c */
weft_status pingpong_packets(struct workload *w);

/* fills.c */
weft_status linefill_packets(struct workload *w);
weft_status planefill_packets(struct workload *w);

/* scripts.c */
weft_status pairs_messages(struct workload *w);
weft_status pairs_packets(struct workload *w);
weft_status pingpong_messages(struct workload *w);
weft_status pingpong_refuse(const struct workload *w); /* nobody is workload.hops away */
weft_status ring_messages(struct workload *w);
weft_status alltoall_messages(struct workload *w);
weft_status hotspot_messages(struct workload *w);
weft_status exchange_messages(struct workload *w);
weft_status grid_messages(struct workload *w);

/* collectives.c */
weft_status allreduce_messages(struct workload *w);
weft_status barrier_messages(struct workload *w);
weft_status broadcast_messages(struct workload *w);
weft_status reduce_messages(struct workload *w);
weft_status allgather_messages(struct workload *w);

weft_status machine_collective(struct workload *w);
weft_status spread_collective(struct workload *w, enum step_collective kind, uint64_t varied);

/* rates.c, timetable.c */
void rates_free(struct rates *rates);
void timetable_free(struct timetable *table);
void timetable_archive(struct timetable *table, struct archive *archive);

/* file.c */
weft_status file_packets(struct workload *w);
weft_status file_messages(struct workload *w);

/* parts.c */
weft_status parts_setup(struct workload *w);
void parts_destroy(struct workload_parts *parts);
void parts_archive(struct workload_parts *parts, struct archive *archive);
weft_status parts_layer(const struct workload_params *params, enum layer usual, enum layer *as);
uint32_t parts_count(const struct workload_params *params);
bool parts_write(const struct workload_params *params, const char *path);
bool parts_use(const struct workload_params *params, enum layer as, const char *key);
uint64_t parts_fingerprint(const struct workload_params *params);

/* goal.c */
weft_status goal_count(struct workload *w, uint32_t *processes);
weft_status goal_messages(struct workload *w);
bool goal_has_letters(const struct workload *w); /* some of its messages are more than bytes */
void goal_archive(struct workload *w, struct archive *archive);
void goal_fini(struct workload *w);

/* mpi.c */
weft_status mpi_messages(struct workload *w);
weft_status replay_messages(struct workload *w);
weft_status replay_open(struct workload *w, uint32_t *processes);
uint64_t replay_hash(const struct workload_params *params); /* of its trace */
weft_status mpi_try_outputs(const struct workload_params *params);
bool mpi_writes(const struct workload_params *params, const char *path);

/* program.c */
weft_status mesh_broadcast(struct workload *w);
weft_status program_messages(struct workload *w);
weft_status
program_check_collectives(const struct workload *w); /* what they are to use, is there */
void program_fini(struct workload *w);

#endif
