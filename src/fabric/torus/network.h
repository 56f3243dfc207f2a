/*
 * The torus network of Blue Gene/L (TORUS, "Torus network") on the engine: six senders and six
 * receivers per node, virtual cut-through, tokens, three-phase arbitration.
 *
 * It is described by torus_params, run by the engine, and fed and emptied by a client: the node
 * above it. Life cycle:
 *
 *   torus_network_create -> engine_run -> read the measures -> network_destroy
 *
 * During the run the network asks its client to refill injection FIFOs; the client answers with
 * torus_inject() and torus_wake(). It hands over every packet at its destination.
 */
#ifndef WEFT_FABRIC_TORUS_NETWORK_H
#define WEFT_FABRIC_TORUS_NETWORK_H

#include "config/keys.h"
#include "fabric/face.h"
#include "fabric/network.h"
#include "fabric/torus/params.h"
#include "fabric/torus/route.h"
#include "topology/torus/bricks.h"
#include "topology/torus/torus.h"

/* Where a link out of a node, or into it, is measured by itself (detail.h). */
static inline uint32_t torus_slot(uint32_t node, unsigned port)
{
    return node * TORUS_PORTS + port;
}

struct torus_network;

struct torus_client {
    void *ctx;
    /* Makes the client's state for a partition; runs on the thread that will use it. */
    void (*prepare)(void *ctx, struct network_part *part);
    /* Injection FIFOs in the mask `fifos` have sent a packet, or were woken, at `now`. */
    void (*refill)(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                   unsigned fifos, cycle_t now);
    /*
     * A packet was granted the bus to reception FIFO `fifo`; its last byte will be there in cycle
     * `when`. NULL: the client does not need to know.
     */
    void (*deliver)(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                    const struct torus_packet *packet, uint64_t cargo, unsigned fifo, cycle_t when);
    /* Chunks in a bounded reception FIFO that the client has not begun to consume: those it keeps
     * until it calls torus_consume() for them. NULL: it calls that in deliver. */
    uint32_t (*held)(void *ctx, uint32_t partition, uint32_t local, unsigned fifo);
    /* Events of the client's own (torus_client_event), which share the wheel: applied before any
     * node of the cycle steps, in any order; refill is called for the node then. NULL: it has none.
     */
    void (*other)(void *ctx, uint32_t partition, uint32_t local, unsigned what, unsigned more,
                  uint32_t payload, cycle_t now);
    /* Whether such an event, of a restored state, can be one. */
    bool (*is_other)(void *ctx, uint32_t partition, uint32_t local, unsigned what, unsigned more,
                     uint32_t payload);
    bool cargoes; /* packets carry a cargo */
    bool at_once; /* whatever comes is read as it comes: no reception FIFO ever fills */
};

/* Stages of the router's work (base/clock.h). */
enum torus_stage {
    TORUS_STAGE_ENGINE, /* windows, wheels, exchange: everything not listed below */
    TORUS_STAGE_EVENTS,
    TORUS_STAGE_FETCH, /* large machines: state into the cache */
    TORUS_STAGE_TOKENS,
    TORUS_STAGE_FINISH,
    TORUS_STAGE_REFILL, /* the node above: its next packets */
    TORUS_STAGE_ARRIVALS,
    TORUS_STAGE_RECEPTION,
    TORUS_STAGE_REQUESTS,
    TORUS_STAGE_ARBITRATION,
    TORUS_STAGE_GRANT,
    TORUS_STAGE_LEFTOVERS,
    TORUS_STAGE_COUNT,
};
extern const char *const torus_stage_names[]; /* ends with NULL */

struct torus_network_options {
    const struct torus *torus;
    const struct torus_params *params;
    const struct torus_faults *faults;
    struct torus_client client;
    struct bricks bricks;
    uint64_t seed;
    struct measure_plan plan;
    uint32_t software_header_bytes;
    bool stages;                 /* the step reports the stage it is in */
    uint32_t threads;            /* that will run it, over all ranks; 0: unknown */
    uint32_t least_other_cycles; /* that the client's own events take to another partition; 0: it
                                    sends none */
};

/* The coordinate after which a ring of a torus, or of a box of it that is wired apart (`home`), has
 * its dateline; negative: it has none. That of the highest coordinate is so in every box. */
static inline int32_t torus_dateline(const struct torus *torus, const struct torus *home,
                                     const struct torus_params *params, unsigned dim)
{
    int32_t line = params->dateline[dim];
    bool highest = line >= 0 && (uint32_t)line == torus->size[dim] - 1;
    return highest ? (int32_t)home->size[dim] - 1 : line;
}

/* Whether the link behind a port crosses its ring's dateline, which lies between two neighbouring
 * coordinates. */
bool torus_crosses_dateline(const struct torus *torus, const struct torus_params *params,
                            uint32_t node, unsigned port);

weft_status torus_network_create(const struct torus_network_options *options,
                                 struct torus_network **network);

/* The least memory that a machine of `nodes` nodes takes, in bytes. */
uint64_t torus_network_memory(const struct torus_params *params, uint64_t nodes);

/* With the link protocol, at the end of a run. The first rank gets the report of all ranks. */
void torus_network_links(const struct torus_network *network, struct link_report *report);

/* ---- for clients, during refill and deliver ---- */

/* The injection FIFO that part_wake() wakes. */
enum { TORUS_WAKE_FIFO = TORUS_FIFOS - 1 };

/* Appends a packet, with its cargo, to an injection FIFO; it may ask for a link from cycle `ready`
 * on. */
void torus_inject(struct network_part *part, uint32_t local, unsigned fifo,
                  const struct torus_packet *packet, uint64_t cargo, cycle_t ready);

/* Asks for a call of refill for an injection FIFO in cycle `when`, which must be later than now. */
void torus_wake(struct network_part *part, uint32_t local, unsigned fifo, cycle_t when);

/* Chunks in an injection FIFO, including those just leaving. */
uint32_t torus_fifo_chunks(const struct network_part *part, uint32_t local, unsigned fifo);

/* Frees `chunks` of a bounded reception FIFO in cycle `when`, which must be later than now. */
void torus_consume(struct network_part *part, uint32_t local, unsigned fifo, uint32_t chunks,
                   cycle_t when);

/* Chunks in a bounded reception FIFO, including those just arriving. */
uint32_t torus_reception_chunks(const struct network_part *part, uint32_t local, unsigned fifo);

/* A processor will have read a packet by cycle `when`: the run lasts until then. */
void torus_extend_run(struct network_part *part, cycle_t when);

/* An event of the client's own at a node of this partition; `what` and `more` are below 8. */
void torus_client_event(struct network_part *part, uint32_t local, unsigned what, unsigned more,
                        uint32_t payload, cycle_t when);

/* The same at a node of another partition, over a channel that torus_connect() made at set-up. */
void torus_client_event_far(struct network_part *part, uint32_t channel, uint32_t local,
                            unsigned what, unsigned more, uint32_t payload, cycle_t when);
uint32_t torus_connect(struct torus_network *network, uint32_t from, uint32_t to);

/* A torus machine as its keys describe it, and what is derived from them. */

struct torus_config {
    struct torus torus;
    char dead_nodes[CONFIG_TEXT], dead_links[CONFIG_TEXT]; /* "1/2/3,...", "1/2/3:x+,..." */
    char bad_links[CONFIG_TEXT];                           /* "1/2/3:x+@1000-5000,..." */
    char dateline[CONFIG_TEXT]; /* "highest", "none", or a coordinate per dimension */
    char bricks[CONFIG_TEXT];   /* "auto", or cuts per dimension, as 2x2x1 */
    uint32_t software_header_bytes;
    struct torus_params router;
    struct torus_faults faults; /* made by torus_config_finish(), as router.dateline is */
};

extern const struct key_section torus_section;
extern const struct key_table torus_keys;

/* Checks that the values fit together, and parses the texts. */
weft_status torus_config_finish(struct torus_config *c);

/*
 * Whether a torus network can deadlock, decided before it runs.
 *
 * A packet in a buffer waits for room in the next: channels (node, port, VC) depend on channels,
 * and without a cycle of them something can always move (Dally and Seitz; with dynamic VCs it is
 * enough that the escape VCs have no cycle and that every packet can always ask for one: Duato).
 * Packets are received whole before they free room, so only the next channel counts.
 *
 * The graph is built from what packets may do, not from all pairs: from a channel of a ring to the
 * next channel of that ring, as long as packets travel that far, and to the channels of later
 * directions in the escape's order. The bubble's rings are cycles by design; they are allowed if a
 * packet needs room for two to enter and each is accounted at full size, so that room for one
 * always remains (Puente et al.; TORUS, "Torus network", for packets of different sizes).
 */

struct proof_traffic {
    bool dynamic, high; /* kinds of packets besides those with fixed paths */
    bool long_ways;     /* packets may go more than half way around a ring */
    bool small_packets; /* some are smaller than full ones */
};

/*
 * WEFT_OK: proved, and `text` says how. WEFT_FAILED: not proved; `text` says why and, if there is a
 * cycle, lists the shortest as lines of node, port and VC.
 */
weft_status torus_prove(const struct torus *torus, const struct torus_params *params,
                        const struct torus_faults *faults, const struct proof_traffic *traffic,
                        char *text, size_t size);

/*
 * What a torus offers to engines that make packets (fabric/face.h). They write into the bounded
 * injection FIFOs: packets in order into that of their first direction, adaptive ones into any that
 * has room, that one first. What arrives stays in its reception FIFO until the engine has taken it.
 */

struct torus_face {
    struct face face;
    struct torus_addressing addressing;
    const struct torus_params *router;
    uint32_t header_bytes; /* of software, in each packet */
    struct face_client client;
};

/* Payload of a full packet. */
uint32_t torus_face_payload(uint32_t header_bytes);

weft_status torus_face_init(struct torus_face *f, const struct torus *torus,
                            const struct torus_params *router, const struct torus_faults *faults,
                            uint32_t header_bytes);

/* The client to give to the network, for an engine that is the client of this face. */
struct torus_client torus_face_client(struct torus_face *f, struct face_client client);

#endif
