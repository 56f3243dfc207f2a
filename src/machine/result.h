/* A run's options, and its result. */
#ifndef WEFT_MACHINE_RESULT_H
#define WEFT_MACHINE_RESULT_H

#include "mpi/output.h"
#include "mpi/observe/stats.h"
#include "base/clock.h"
#include "fabric/network.h"
#include "topology/torus/torus.h"

struct checkpoint;
struct nic_client;
struct jobs_report;

struct run_progress {
    double share; /* done, 0..1; negative: unknown */
    cycle_t now;
    double seconds; /* the same, simulated */
    uint64_t delivered;
};

struct run_options {
    uint32_t threads;
    bool check; /* check invariants every few thousand cycles and at the end */
    const struct stage_timer *stages; /* where the time goes; one thread, one rank; NULL: no */
    cycle_t until;                    /* stop there; 0: at the workload's end */
    cycle_t timed_from;     /* CPU and wall seconds, timed_hops and timed_events count from here */
    const char *checkpoint; /* file to save the state in; NULL: none. One rank only */
    double every;           /* seconds between checkpoints */
    const char *output;     /* full path of the result, kept in the checkpoint; NULL: none */
    const char *advice;     /* how to keep what a long run has done, if it is lost; NULL: none */
    struct checkpoint *resume;     /* continue from here; NULL: start afresh */
    const struct nic_client *host; /* client of the nic instead of a workload; NULL: none */
    void (*progress)(void *arg, const struct run_progress *progress);
    /* What the ranks of an MPI program print, in order; NULL: it is lost. */
    output_sink *print;
    bool (*interrupted)(void *arg);
    void *arg;
};

/* ---- links and nodes, one by one ---- */

/*
 * What each link and each node of a machine did, as arrays over the whole machine: gathered at the
 * end of a run from all partitions and ranks. The ends of links are vertices: nodes; on a machine
 * of switches, hosts and then switches.
 */
enum { LINK_DIRECTIONS = 12 };

/* How a family numbers its links. */
struct links_map {
    uint32_t vertices, switches; /* switches: the last vertices, behind hosts; 0: none */
    struct torus shape; /* that has the coordinates of nodes, or of switches; dims 0: none */
    const char *direction[LINK_DIRECTIONS];
    uint32_t directions, of_hosts; /* of_hosts: the last ones, of links between host and switch */
    uint32_t rows, ports;          /* links are numbered by row and port; not every port has one */
    double bytes_per_cycle;        /* of a link */
    uint32_t vcs;
    const char *vc_name[MEASURE_VCS];
    double queue[MEASURE_VCS];  /* what the queue of a VC holds, */
    double queues[MEASURE_VCS]; /* and all of them together; 0: one queue per link */
    bool measures_room;         /* how long a full packet does not fit is measured */
    double rooms;               /* places behind a VC that may lack room */
    uint32_t *switch_of;        /* [host]: the vertex of its switch; NULL: there are no hosts */
};

/* Bad: it makes errors more often. */
enum link_state { LINK_GOOD, LINK_BAD, LINK_DEAD, LINK_STATES };

extern const char *const link_state_names[LINK_STATES];

static inline enum link_state link_state(bool dead, bool bad)
{
    return dead ? LINK_DEAD : bad ? LINK_BAD : LINK_GOOD;
}

/* Where the counters of one end of a link are. */
struct link_slot {
    uint32_t partition, slot;
};

#define NO_PARTITION UINT32_MAX

struct machine_link {
    uint32_t from, to;
    uint8_t direction;
    enum link_state state;
    uint64_t busy; /* cycles measured; 0 at ranks that do not have its sender */
    /* Only with run.detail; without a partition: there is no such counter. */
    struct link_slot sender, receiver;
};

struct run_links {
    struct links_map map; /* with its array */
    uint64_t count;
    uint32_t vcs;
    uint32_t *from, *to; /* [link], as all up to `busy` */
    uint8_t *direction, *state;
    uint64_t *busy;
    /* With run.detail; else NULL: [link * vcs + vc] */
    uint64_t *vc_busy, *vc_packets, *vc_blocked, *vc_queued;
    uint8_t *timeline;    /* [row * count + link], 255: busy all the time; NULL: none */
    uint8_t *vc_timeline; /* [(row * count + link) * vcs + vc]; NULL: none, or too large */
    size_t rows;
    cycle_t row_cycles; /* of a row */
};

struct run_nodes {
    uint32_t count;
    struct detail_node *node;
    bool *dead;
};

/* A vertex as users name it: "1/2/3", "17", or "switch 5". */
enum { VERTEX_TEXT = TORUS_NODE_TEXT + 16 };
const char *vertex_text(const struct links_map *map, uint32_t vertex, char text[VERTEX_TEXT]);

/* ---- the result ---- */

/* Averages over a class of links or buffers. */
struct run_vc {
    const char *name;
    double share;             /* of hops */
    double occupancy;         /* mean filled share of its buffers */
    double unavailable_share; /* of time and links with no room for a full packet; < 0: unknown */
};

/* What was measured of one part of a machine that jobs share: of its packets, from any node of it
 * to any other, and of its processes. */
struct run_part {
    char *place;         /* as it was written */
    const char *pattern; /* that ran there */
    uint32_t nodes, left_out;
    bool open;   /* measured in a window; else to its end */
    bool steady; /* open: as much arrives as is offered */
    uint64_t digest, delivered, lost, payload_bytes;
    double seconds;          /* until its last packet came, or its last process ended */
    double throughput;       /* payload bytes per second and node, in that time or the window */
    double offered_load;     /* open loops; negative: none */
    double fraction_of_peak; /* of its own bound; negative: it has none */
    uint64_t responses;      /* packets whose response counts */
    double response_mean;    /* cycles */
    uint64_t response_99, response_most;
    uint64_t processes, messages;
    double process_rate;      /* bytes per second that a process receives */
    struct world_result *mpi; /* NULL: it has no MPI program */
    bool compared;            /* with the same part alone: */
    bool alone_steady;
    double alone_seconds, alone_response_mean;
};

/* Notes what a part did when it was alone. */
static inline void run_part_compare(struct run_part *part, const struct run_part *alone)
{
    part->compared = true;
    part->alone_steady = alone->steady;
    part->alone_seconds = alone->seconds;
    part->alone_response_mean = alone->response_mean;
}

/* A unit of the machine that was out of service for a time. */
struct run_swap {
    char unit[64];             /* "board 1/2/3/2" */
    bool fails;                /* else its routers passed on what was under way */
    bool holds;                /* at the end of the run, packets from before it were under way */
    cycle_t from, to, emptied; /* to: CYCLE_NEVER, if it did not come back; emptied: when the last
                                * packet had passed */
    uint64_t passed, lost;     /* how often its routers passed on, or lost, a packet from before */
    uint64_t detoured;         /* that were led around it */
    uint64_t withheld;         /* that would have gone from it or to it, and were not sent */
};

struct run_result {
    struct world_result mpi;
    struct measure measure;
    bool open, deadlock;
    bool judged;   /* it is known whether it is steady: */
    bool steady;   /* open: as much arrives as is offered, in every part */
    bool cut_off;  /* open: packets were still under way when drain_cycles ended */
    bool searched; /* open: the window of measurement was found from the run */
    bool settled;  /* the same: before the limit came, the mean response no longer moved */
    bool wounded;  /* nodes or links are dead, or out for a time, which bounds ignore */
    char deadlock_text[4096];
    uint64_t cycles;                       /* the run's length */
    uint64_t span;                         /* cycles over which utilisations are averaged */
    double warmup_cycles, measured_cycles; /* open; otherwise negative */
    double sim_seconds;
    double link_utilisation, payload_utilisation;
    double utilisation_by_port[MEASURE_PORTS];
    uint64_t links_by_port[MEASURE_PORTS];
    const char *port_name[MEASURE_PORTS];
    double fraction_of_peak;                 /* negative: the pattern has no bound */
    double bound_cycles;                     /* closed runs; 0: no bound */
    double offered_load;                     /* open runs */
    double throughput;                       /* payload bytes per second and node, measured */
    double response_mean, response_interval; /* cycles; half width of the 95 % interval, or < 0 */
    double waiting_mean, network_mean;       /* its parts, at the source and behind it; or < 0 */
    double unblocking_probability;           /* negative: no acknowledgments */
    double hot_link_utilisation;             /* links into the hot box; negative: no box */
    double one_way_cycles;                   /* ping-pong; negative: none */
    struct {
        const char *name;
        double value;
    } figure[64]; /* figures that only some fabrics or workloads have */
    uint32_t figures;
    struct run_part *part; /* of a machine that jobs share; NULL: they do not */
    uint32_t parts;
    uint16_t *part_of; /* [node of the machine]: the part that it is in, from 1; 0: none */
    uint32_t part_of_nodes;
    struct jobs_report *jobs; /* of a machine that is shared (jobs/jobs.h); NULL: it is not */
    void (*free_jobs)(struct jobs_report *report);
    struct run_swap *swap; /* NULL: nothing was swapped */
    uint32_t swaps;
    bool link_protocol;
    struct link_report link_report;
    uint32_t vcs;
    struct run_vc vc[MEASURE_VCS];
    struct run_links *links; /* each by itself */
    struct run_nodes *nodes; /* the same; NULL without run.detail */
    uint64_t injection_watermarks, reception_watermarks;
    uint32_t threads, ranks, partitions, window_cycles; /* threads: of each rank */
    uint64_t events, windows;
    double cpu_seconds, wall_seconds, setup_seconds, hops_per_cpu_second;
    uint64_t timed_hops, timed_events;
    uint64_t stage_samples[STAGES_MOST];
    uint64_t peak_rss_bytes;
};

/* Jain's index of some amounts: 1 if all are alike, 1/n if one of n has it all. */
static inline double run_fairness(double sum, double squares, double count)
{
    return sum * sum / (count * squares);
}

/* Whether it is known when the last packet had passed a unit that was taken out. */
static inline bool run_swap_is_empty(const struct run_result *r, const struct run_swap *s)
{
    return r->cycles >= s->from && (!s->holds || (s->fails && r->cycles >= s->to));
}

/* Adds a figure under its name in the result file. */
void run_result_add(struct run_result *result, const char *name, double value);

/* Adds the mean hops of packets, if there were any. */
void run_result_hops(struct run_result *result);

/* A figure by its name; negative: there is none. */
double run_result_figure(const struct run_result *result, const char *name);

void run_result_fini(struct run_result *result);

/* a / b; 0 where there is nothing to divide by. */
static inline double run_ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* Fills in the utilisation of links, overall and by port, from r->measure and r->span. A link
 * moves `bytes` per cycle. */
void run_result_links(struct run_result *r, double bytes);

#endif
