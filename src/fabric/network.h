/*
 * A network on the engine, whatever its fabric: partitions, each with its own events and measures,
 * and the questions that its users ask. Each folder beside this file is a fabric.
 *
 *   *_network_create -> engine_run -> network_measure and the other questions -> network_destroy
 */
#ifndef WEFT_FABRIC_NETWORK_H
#define WEFT_FABRIC_NETWORK_H

#include "fabric/part.h"
#include "topology/torus/bricks.h"

struct network;
struct network_checks; /* check.h */

/* A link's cycles in the window so far, and when it becomes free. */
struct network_link {
    uint64_t *busy; /* NULL: there is no such link */
    cycle_t free_at;
    unsigned port; /* as measured for the whole machine */
};

struct network_sender {
    uint32_t kept;       /* packets outside the pool that were not acknowledged */
    cycle_t waits_since; /* for the first of them to be acknowledged */
};

struct network_kind {
    size_t part_size;            /* of the fabric's partition */
    size_t packet_size, next_at; /* of a packet; offset of its 32-bit `next` */
    size_t pool_at, cargo_at;    /* in the partition: its packets; their cargoes, 0: inside them */
    uint32_t events_per_node;    /* pending at once, roughly */
    event_t wake;                /* an event that has a node's client served, but for the node */
    uint16_t brings;             /* kinds of events that bring a packet, as a mask */
    uint16_t travels;            /* kinds that come from other partitions */
    /* Runs a partition up to cycle `until`. */
    void (*advance)(struct network_part *part, cycle_t until);
    /* Takes messages from other partitions. NULL: into the wheel, as they are. */
    void (*receive)(struct network_part *part, const struct channel_buffer *messages);
    /* The router behind a port of another; beyond the machine: none. */
    uint32_t (*neighbour)(const struct network *network, uint32_t node, unsigned port);
    /* Makes a partition's tables, on the thread that will run it. */
    void (*prepare)(struct network *network, struct network_part *part);
    /* Sets what is known of a router before anything happens: a saved state does not bring it.
     * NULL: nothing. */
    void (*wire)(struct network *network, struct network_part *part, uint32_t local);
    /* Releases what a partition owns besides tables. NULL: nothing. */
    void (*release)(struct network_part *part);
    /* Saves or restores what a partition owns besides tables; checks what it restored. NULL:
     * nothing. */
    void (*archive)(struct network_part *part, struct archive *archive);
    /* A link out of a router, which is measured up to cycle `until`: what of a trailer, gap or
     * acknowledgment lies after it does not count. NULL: `ports` is 0. */
    struct network_link (*link)(struct network_part *part, uint32_t local, unsigned port,
                                cycle_t until);
    /* Applies now what is known to happen before cycle `until` but has no event. NULL: there is no
     * such thing. */
    void (*settle)(struct network_part *part, cycle_t until);
    /* Counts into part->measure what is only known at the end of a run. NULL: nothing. */
    void (*close)(struct network_part *part);
    /* The sender of a link that makes errors. NULL: none does. */
    struct network_sender (*sender)(const struct network_part *part, uint32_t local, unsigned port);
    /* The name of a link, as machine.dead_links has it; at most 64 bytes. */
    void (*name_link)(const struct network *network, uint32_t node, unsigned port, char *text);
    const struct network_checks *checks;
    const char *stuck; /* why nothing moves if there is no cycle */
};

/* The first member of each fabric's network. */
struct network {
    const struct network_kind *kind;
    struct engine engine;
    char *part;                  /* partitions of all ranks; only this rank's are ever prepared */
    uint32_t routers, ports;     /* of the machine; of a router, as neighbour() numbers them */
    uint32_t buffers;            /* of a router, as head() numbers them */
    uint32_t slots, vcs;         /* by which a router's links are measured one by one */
    uint32_t *partition, *local; /* of each router */
    struct measure_plan plan;
    struct measure_classes classes; /* to be told apart; set before the run */
};

static inline struct network_part *network_part(const struct network *n, uint32_t index)
{
    return (struct network_part *)(n->part + index * n->kind->part_size);
}

static inline bool network_event_brings(const struct network_kind *kind, event_t e)
{
    return kind->brings >> event_kind(e) & 1;
}

/* The packets of a partition, whatever their type. */
struct part_pool network_pool(const struct network_part *p);

/* Makes the engine and zeroed room for the partitions; `cargoes`: packets have cargoes outside. */
void network_init(struct network *n, const struct network_kind *kind, uint32_t partitions,
                  cycle_t lookahead, bool cargoes);

/* Distributes the routers among the partitions, by a table or by bricks, and connects the
 * partitions. */
void network_place(struct network *n, uint32_t routers, const uint32_t *partition);
void network_place_bricks(struct network *n, const struct bricks *bricks);

/* A link's end in a partition: the router's local number or, elsewhere, an index with ELSEWHERE. */
uint32_t network_end(struct network *n, struct network_part *part, uint32_t node);

/* Whether a router is in a partition of this rank. */
bool network_is_here(const struct network *n, uint32_t node);

/* A failure to read what a key names is about that key, unless a line of a file is its place. */
weft_status network_blame_key(weft_status status, const char *key);

/* A router's partition, and its local number there. */
void network_locate(const struct network *n, uint32_t node, uint32_t *partition, uint32_t *local);

/* Where a link out of a router, or into it, is measured by itself (detail.h). */
static inline uint32_t network_slot(const struct network *n, uint32_t node, unsigned port)
{
    return n->local[node] * n->slots + port;
}

/* For a network that no longer moves: names a cycle of buffers that wait for each other, one line
 * per buffer, or says that there is none. All ranks must call it together. */
void network_explain(const struct network *n, char *text, size_t size);

void network_destroy(struct network *n);

/* Saves the state of an engine at rest, or restores it into a network made the same way. */
void network_archive(struct network *n, struct archive *archive);

/* What is wrong with a restored state; NULL: nothing. For an engine at rest. */
const char *network_flaw(const struct network *n);

/* With the engine at rest, checks that nothing is lost or in two places, which takes a state
 * without flaw. All ranks must call it together. WEFT_FAILED names the first violation. */
weft_status network_audit(const struct network *n);

/* Both. */
weft_status network_check(const struct network *n);

/* Brings a run that ended to its state just before cycle `until`; call it before any question. */
void network_settle(struct network *n, cycle_t until);

/* A window of measurement that is found while the run goes on, at rest (measure.h): follows
 * responses, adds up their bins, and sets the window. */
void network_follow(struct network *n, cycle_t start, cycle_t width);
void network_widen_bins(struct network *n);
void network_bins(const struct network *n, struct measure_bin bin[MEASURE_BINS]);
void network_open_window(struct network *n, cycle_t from, cycle_t to);
void network_double_window(struct network *n);

/* Until when links are busy with what is not wholly within the window. */
cycle_t network_latest(const struct network *n);

/* Adds up the partitions' counters; at the first rank, those of all ranks. The caller must call
 * measure_fini(). All ranks must call this, and the sums below, together. */
void network_measure(struct network *n, cycle_t end, struct measure *measure);

/* What a partition counted of each link and node (detail.h); NULL: it is another rank's. */
const struct detail *network_detail(const struct network *n, uint32_t partition);

/* Cycles in the window during which a link was busy; 0 if its sender is another rank's. */
uint64_t network_link_busy(const struct network *n, uint32_t node, unsigned port);

/* The same for a slot, with run.detail. */
uint64_t network_slot_busy(const struct network *n, uint32_t partition, uint32_t slot);

/* Sums over all partitions of all ranks, which must call it together. */
struct network_totals {
    uint64_t pending; /* packets in the network, and copies that senders keep */
    uint64_t kept;    /* those copies: until they are acknowledged, and sent again if need be */
    uint64_t awaited; /* processes that have not finished */
    uint64_t events;  /* processed so far */
    uint64_t hops;    /* that packets have made */
};
struct network_totals network_totals(const struct network *n);

/* The last cycle in which anything happened. */
cycle_t network_now(const struct network *n);

/*
 * The report on faulty links at the end of a run: links whose CRCs over all good packets differ at
 * their two ends (a packet was corrupted and no check saw it), and links that kept resending in
 * vain.
 */
struct link_verdict {
    char name[64]; /* as machine.dead_links names it */
    bool differs;  /* else: in vain */
};
struct link_report {
    uint64_t links, differing, links_given_up;
    struct link_verdict first[16];
    uint32_t named;
    bool times_out; /* the protocol has time-outs and link CRCs; else "error found" */
    /* Checksums of what was injected, if the fabric keeps them: [node * per node + FIFO]; the
     * caller must free it. NULL: none. */
    uint32_t *checksum;
    uint32_t checksum_nodes, checksums_per_node;
};

/* Adds a link to the report, and its name while the list has room. */
void link_report_add(struct link_report *report, const struct network *n, uint32_t node,
                     unsigned port, bool differs);

/* Adds the links that have kept resending in vain for long. All ranks must call it together. */
void network_report_in_vain(const struct network *n, struct link_report *report);

#endif
