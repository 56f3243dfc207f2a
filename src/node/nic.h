/*
 * The interface of all network interfaces (nics): the only part of a machine that messages and
 * traffic see.
 *
 * A client posts sends to a nic, and the nic tells the client what becomes of them:
 *
 *   client: woken ─────────> nic_post(send) ─ ... packets ... ─> arrived, at the destination
 *                                        └──> sent: the source's buffer is free
 *
 * A send carries a 64-bit cargo that only its poster understands; every packet of the send brings
 * the cargo to the destination, across partitions and ranks. A nic says what it can do
 * (nic_traits), and protocols choose by that, never by a machine's name. No time may lie in the
 * caller's past; nothing is called per byte. Whoever spends a processor's time charges it: the nic
 * for packets that a processor writes and reads, the client for everything else.
 *
 * A nic belongs to a network in partitions: a call names a node by its partition and its number
 * there, and must be made by the thread that runs the partition.
 */
#ifndef WEFT_NODE_NIC_H
#define WEFT_NODE_NIC_H

#include <stdbool.h>

#include "base/slots.h"
#include "engine/fine.h"
#include "fabric/face.h"
#include "node/memory.h"

/* What a nic can do. */
struct nic_traits {
    uint64_t packet_payload; /* of a full packet, in bytes */
    bool ordered;            /* packets of a queue to one node, or of a stream, keep their order */
    bool overtaking;         /* but for those of a stream, which may overtake each other */
    bool engine;             /* splits streams into packets by itself; otherwise processors do */
    bool gets;               /* takes NIC_GET: the other node's processor is not involved */
    bool events;             /* tells of a stream that has left by an event, as of one that came */
    uint32_t queues;         /* processors per node that can post at the same time */
    uint32_t routes;         /* most routes of one pair that share nothing */
    uint32_t ahead;          /* packets that it is given in advance; 0: as usual */
    uint32_t groups;         /* of FIFOs that processors read: one per queue; 0: none */
    uint32_t group_fifos;    /* reception FIFOs of a group */
    uint32_t directions;     /* injection FIFOs of a node */
    uint32_t fetches;        /* transfers of a node's engines from and to memory, at once */
    double cycles_per_us;
};

/* A node that something happens at. */
struct nic_node {
    uint32_t partition, local; /* which partition, and its number there */
    uint32_t node;             /* its number in the machine */
};

enum nic_flag {
    NIC_STREAM = 1,   /* a buffer, split into packets by the engine; otherwise by a processor */
    NIC_ADAPTIVE = 2, /* packets may take any shortest route, and overtake each other */
    NIC_DEPOSIT = 4,  /* a packet goes straight on, `hops` times, and leaves a copy at every node */
    NIC_GET = 8,      /* asks node `to` for the bytes, which arrive here with the cargo */
};

struct nic_send {
    uint32_t to; /* node */
    uint64_t bytes;
    uint64_t cargo;
    uint64_t route; /* that nic_routes() found; 0: the nic chooses */
    cycle_t birth;
    fine_t ready;  /* earliest start; without NIC_STREAM: when the first packet has been made */
    fine_t gap;    /* time that a processor needs from one packet to the next */
    uint32_t mine; /* the poster's own: comes back with sent(), and travels nowhere */
    uint8_t flags; /* enum nic_flag */
    uint8_t queue; /* the posting processor's */
};

/* A packet, or a whole send if the nic does not make packets. */
struct nic_arrival {
    uint32_t source; /* node */
    uint32_t sequence;
    uint64_t bytes; /* of the send, in this packet */
    uint64_t cargo;
    bool last; /* of the send, if packets keep their order */
};

/* A packet that a processor writes, or reads. */
struct nic_packet {
    uint32_t node;  /* where it goes; read: where it comes from */
    uint32_t bytes; /* payload */
    uint32_t extra; /* written: bytes besides, such as headers of the writer's own */
    uint64_t cargo;
    cycle_t birth;
    uint32_t turn; /* of two ways that are equally long: which, by its low bits */
    uint8_t flags; /* enum nic_flag */
    uint8_t group; /* of reception FIFOs */
    uint8_t fifo;  /* it is written into */
    uint8_t port;  /* NIC_DEPOSIT: where it leaves, */
    uint16_t hops; /* and how far it goes */
};

struct nic_client {
    void *ctx;
    /* Allocates what the client keeps for a partition, on the thread that will run it. */
    void (*prepare)(void *ctx, uint32_t partition, uint32_t nodes);
    /* Called at the start, when nic_wake() asked for it, and whenever the nic looks at the node. */
    void (*woken)(void *ctx, const struct nic_node *at, cycle_t now);
    /* The nic is done with an arrival at `when`. */
    void (*arrived)(void *ctx, const struct nic_node *at, const struct nic_arrival *arrival,
                    fine_t when);
    /* The last byte of a send leaves at `when`; `send` is as it was posted. */
    void (*sent)(void *ctx, const struct nic_node *at, const struct nic_send *send, fine_t when);
    /* FIFOs: the last byte of a packet will be in a reception FIFO in cycle `there`. */
    void (*coming)(void *ctx, const struct nic_node *at, unsigned group, unsigned fifo,
                   cycle_t there);
    /* FIFOs: a packet has left an injection FIFO; woken() is called after that. */
    void (*room)(void *ctx, const struct nic_node *at, cycle_t now);
    /* Gates: the operation that the node's processes are in is over at `when`. */
    void (*gated)(void *ctx, const struct nic_node *at, fine_t when);
};

struct nic;

/*
 * FIFOs that processors write and read themselves, packet by packet; whoever does charges the
 * processor. Nobody else empties a reception FIFO: when it is full, the network backs up.
 */
struct nic_fifos {
    /* A direction in which a packet may leave: there is an injection FIFO for each. Without
     * NIC_ADAPTIVE its only one; with it, one of several, by its turn. */
    unsigned (*direction)(struct nic *nic, uint32_t from, const struct nic_packet *packet);
    /* Bytes that a packet to be written occupies in FIFOs, with everything. */
    uint32_t (*size)(const struct nic *nic, const struct nic_packet *packet);
    bool (*has_room)(struct nic *nic, const struct nic_node *at, const struct nic_packet *packet);
    void (*write)(struct nic *nic, const struct nic_node *at, const struct nic_packet *packet);
    /* The packet at the head of a reception FIFO, and when its last byte is there, which may be in
     * the future; false: the FIFO is empty. `extra` is then what else it occupies. */
    bool (*peek)(struct nic *nic, const struct nic_node *at, unsigned group, unsigned fifo,
                 struct nic_packet *packet, cycle_t *there);
    /* Takes it out. */
    void (*read)(struct nic *nic, const struct nic_node *at, unsigned group, unsigned fifo);
    /* Whether the content of a reception FIFO calls for an interrupt, and from when on, which may
     * be in the future. */
    bool (*calls)(struct nic *nic, const struct nic_node *at, unsigned group, unsigned fifo,
                  cycle_t *when);
    /* Whether the content of an injection FIFO does, if packets wait for its room. */
    bool (*drained)(struct nic *nic, const struct nic_node *at, unsigned fifo);
};

/* A network for collective operations, beside the main one (node/mapped/tree.h). */
enum nic_tree_route {
    TREE_REDUCE, /* combined on the way up; the root gets one */
    TREE_ALL,    /* the same, and all get it */
    TREE_CAST,   /* from one node to all others */
    TREE_POINT,  /* to one node */
};

/* How packets are combined, operand by operand. Operands are unsigned, of any multiple of 16 bits,
 * their lowest byte first (IBM's public SPI headers name the operations). What else is needed
 * software makes from these: signed maxima by turning the sign, sums of floating-point numbers in
 * two phases (message/reduce.h). */
enum nic_operation {
    OPERATION_NONE,
    OPERATION_OR,
    OPERATION_AND,
    OPERATION_XOR,
    OPERATION_MAX,
    OPERATION_ADD,
    OPERATION_ADD_REAL, /* of doubles: gates only (node/tni/sum.h) */
};

/* mine[] = mine[] op other[], for operands of `width` bytes, as the ALU of a tree node does. What
 * is left of an operand stays. */
void alu_combine(enum nic_operation operation, unsigned width, unsigned char *mine,
                 const unsigned char *other, size_t bytes);

enum { TREE_PACKET_MOST = 2048, TREE_OPERAND_MOST = 8 }; /* bytes; of operands in use */

struct nic_tree_packet {
    uint8_t route;     /* enum nic_tree_route */
    uint8_t operation; /* enum nic_operation; */
    uint8_t width;     /* bytes of an operand: an even number */
    uint8_t class;     /* of all routes but TREE_POINT: which nodes take part */
    uint32_t target;   /* node, of TREE_POINT; read: who sent a TREE_CAST */
    uint32_t source;   /* TREE_POINT, read: node */
    uint64_t cargo;    /* TREE_POINT: what it says, which only its writer and reader understand */
    const void *data;  /* written: packet_bytes of them; NULL: nobody looks at them, or a point */
};

/* Processors write and read its packets, as those of FIFOs. VC 0: what is combined, and what comes
 * to all; VC 1: what goes to one, and casts on their way out. */
struct nic_tree {
    uint32_t packet_bytes;
    uint32_t nodes;           /* whose processors take part in class 0 */
    unsigned classes;         /* of packets: sets of nodes, each with a route */
    uint32_t class_nodes[16]; /* how many are members */
    bool (*is_member)(const struct nic_tree *tree, uint32_t node, unsigned class);
    uint32_t io_header_bytes, io_piece_bytes; /* see node/io.h; no pieces: there are no I/O nodes */
    /* The I/O node of a node's processing set, as a target of points. Those have numbers behind all
     * others of the machine. */
    uint32_t (*io_node)(const struct nic_tree *tree, const struct nic_node *at);
    bool (*has_room)(const struct nic_tree *tree, const struct nic_node *at, unsigned vc);
    void (*inject)(struct nic_tree *tree, const struct nic_node *at,
                   const struct nic_tree_packet *p);
    bool (*peek)(const struct nic_tree *tree, const struct nic_node *at, unsigned vc,
                 struct nic_tree_packet *packet, cycle_t *there);
    /* Takes it out; copies its data, if `data` is not NULL; whether it had any. */
    bool (*read)(struct nic_tree *tree, const struct nic_node *at, unsigned vc, void *data);
    bool (*is_root)(const struct nic_tree *tree, const struct nic_node *at);
    /* Global interrupts: enters a barrier; how many this node has seen end. woken() is called when
     * that changes, and when a packet has come or there is room again. */
    void (*enter)(struct nic_tree *tree, const struct nic_node *at);
    uint32_t (*barriers)(const struct nic_tree *tree, const struct nic_node *at);
};

/* Gates that do an operation of some nodes without their processors (node/tni/gates.h): a barrier,
 * or one operand of each, combined for all. */
struct nic_gates {
    /* Says which nodes take part, in order, and with how many processes each; before the run. */
    void (*arrange)(struct nic_gates *gates, const uint32_t *node, const uint32_t *processes,
                    uint32_t count);
    /* A process takes part at `when`. OPERATION_NONE: a barrier. `data`: its operand, at most
     * TREE_OPERAND_MOST bytes; NULL: nobody looks at it. gated() is called when it is over. */
    void (*enter)(struct nic_gates *gates, const struct nic_node *at, fine_t when,
                  enum nic_operation operation, unsigned width, const void *data);
    /* Copies the result of the last operation that is over. */
    void (*take)(const struct nic_gates *gates, const struct nic_node *at, unsigned width,
                 void *data);
};

/* ---- what every nic is made of ---- */

/* Wake-ups of a node that are pending, each of which has the node served in a cycle. They are
 * remembered, since every near one would otherwise ask for a distant one again. */
enum { WAKES_KEPT = 4 };
struct wakes {
    cycle_t at[WAKES_KEPT]; /* 0, or past: none */
};

enum { NIC_TABLES_MOST = 5 };

/* What a nic keeps for a partition; the first member of each kind's own. */
struct nic_part {
    struct network_part *network;
    struct slots items;  /* sends or packets of all nodes */
    struct wakes *wakes; /* [local]; NULL: they are not remembered */
    uint32_t nodes, tables;
    struct nic_table {
        void *at; /* where the pointer to the table is kept */
        size_t bytes;
    } table[NIC_TABLES_MOST];
} __attribute__((aligned(64)));

/* A send that has not left completely; items of nics that make packets begin with one. */
struct nic_item {
    uint32_t next;
    struct nic_send send; /* as it was posted */
    uint64_t route;       /* of its packets */
    uint64_t left;        /* bytes still to send */
    fine_t ready;         /* of its next packet */
};

struct nic_kind {
    fine_t (*post)(struct nic *nic, const struct nic_node *at, const struct nic_send *send);
    /* NULL: the nic chooses its only route. */
    uint32_t (*routes)(struct nic *nic, uint32_t from, uint32_t to, uint32_t most, uint64_t *route);
    /* NULL: the network wakes the node. */
    void (*wake)(struct nic *nic, const struct nic_node *at, cycle_t when);
    /* NULL: it takes no time of its own. */
    fine_t (*notify)(struct nic *nic, const struct nic_node *at, fine_t when);
    /* As sources_go_on() (source.h), of a program that the nic runs itself; NULL: it never does. */
    void (*go_on)(struct nic *nic, cycle_t stop_at, cycle_t when);
    const struct nic_fifos *fifos; /* NULL: processors have none; else there is no post() */

    size_t size, part_size, item_size; /* of its own structs; an item begins with its `next` */
    bool remembers_wakes, serves_first;
    /* Makes the tables of a partition (NIC_TABLE), on the thread that will run it. */
    void (*prepare)(struct nic *nic, struct nic_part *part);
    /* Serves a node, of which the client has been told (serves_first: is told then); returns when
     * it is to be served again, or NIC_NEVER. */
    fine_t (*serve)(struct nic *nic, const struct nic_node *at, cycle_t now);
    /* As in struct face_client; the nic is `ctx`. */
    struct face_taken (*deliver)(void *ctx, struct network_part *part, uint32_t local,
                                 const struct face_packet *packet, cycle_t when);
    /* Saves or restores what a partition has besides tables and items. NULL: nothing. */
    void (*archive)(struct nic *nic, struct nic_part *part, struct archive *archive);
    /* Whether a restored partition can be one: takes every item that is not free from the set. */
    bool (*is_valid)(const struct nic *nic, const struct nic_part *part, struct visited *items);
    const char *flaw; /* what is wrong if not */
    /* Releases the same, of a partition; and what the nic owns besides partitions. NULL: nothing.
     */
    void (*release_part)(struct nic_part *part);
    void (*release)(struct nic *nic);
};

#define NIC_NEVER UINT64_MAX

/* The first member of each kind of nic. */
struct nic {
    const struct nic_kind *kind;
    struct nic_traits traits;
    struct nic_tree *tree;   /* NULL: there is none */
    struct nic_gates *gates; /* the same */
    struct memories *memory; /* of the nodes; NULL: each transfer has a rate of its own only */
    uint32_t partitions;
    void *part; /* [partition], of kind->part_size; prepared before the client may use them */
    struct nic_client client; /* set before the first window */
};

/* Makes a nic without a tree, gates or a client; what its kind has besides is zero. */
void *nic_create(const struct nic_kind *kind, const struct nic_traits *traits, uint32_t partitions);
void nic_destroy(struct nic *nic);

/* Has the nodes' processors and engines share a memory; before the run. */
void nic_share_memory(struct nic *nic, const struct memory_params *params);

/* Saves or restores the state of every node. */
void nic_archive(struct nic *nic, struct archive *archive);

static inline void *nic_part(const struct nic *n, uint32_t partition)
{
    return (char *)n->part + partition * n->kind->part_size;
}

/* Makes a zeroed table, saved and released with its partition. */
#define NIC_TABLE(PART, POINTER, COUNT)                                                            \
    (*(POINTER) = nic_table(&(PART)->base, POINTER, COUNT, sizeof(**(POINTER))))
void *nic_table(struct nic_part *part, void *pointer, size_t count, size_t size);

/* The client to give to a network. */
struct face_client nic_face_client(struct nic *nic);

/* Of every network's client, which has the nic as its `ctx`: prepares a partition. */
void nic_prepare(void *ctx, struct network_part *part);

/* What clients see of a packet. */
static inline struct nic_arrival nic_arrival_of(const struct face_packet *packet)
{
    return (struct nic_arrival){.source = packet->source,
                                .sequence = packet->sequence,
                                .bytes = packet->bytes,
                                .cargo = packet->cargo,
                                .last = packet->flags & FACE_LAST};
}

/* Whether a wake-up has to be asked for, which is then remembered. */
static inline bool wakes_add(struct wakes *w, cycle_t now, cycle_t when, bool itself)
{
    unsigned free = WAKES_KEPT;
    for (unsigned i = 0; i < WAKES_KEPT; i++) {
        if (w->at[i] == when || (itself && w->at[i] > now && w->at[i] < when))
            return false;
        free = w->at[i] <= now ? i : free;
    }
    if (free < WAKES_KEPT)
        w->at[free] = when;
    return true;
}

/* Has a node served in cycle `when`. `itself`: for a nic that asks again whenever it serves, so
 * that an earlier wake-up will do. */
static inline void nic_wake_node(struct nic_part *s, uint32_t local, cycle_t when, bool itself)
{
    if (!s->wakes || wakes_add(&s->wakes[local], part_now(s->network), when, itself))
        part_wake(s->network, local, when);
}

/* A send has been given to the nic, which is to begin with it at `when`. */
static inline void nic_wake_for(struct nic_part *s, uint32_t local, fine_t when)
{
    cycle_t now = part_now(s->network), cycle = fine_cycle_after(when);
    nic_wake_node(s, local, cycle > now ? cycle : now + 1, true);
}

/* The next packet of a send, with at most `full` bytes. */
static inline struct face_packet nic_next_packet(const struct nic_item *x,
                                                 const struct nic_node *at, uint32_t sequence,
                                                 uint64_t full)
{
    uint64_t bytes = x->left < full ? x->left : full;
    return (struct face_packet){.birth = x->send.birth,
                                .cargo = x->send.cargo,
                                .route = x->route,
                                .source = at->node,
                                .sequence = sequence,
                                .destination = x->send.to,
                                .bytes = bytes,
                                .whole = (uint32_t)x->send.bytes,
                                .flags = bytes == x->left ? FACE_LAST : 0};
}

static inline void nic_arrived(const struct nic *n, const struct nic_node *at,
                               const struct nic_arrival *arrival, fine_t when)
{
    n->client.arrived(n->client.ctx, at, arrival, when);
}

/* Frees a send, which is an item, and tells the client that it has left. */
void nic_finish(const struct nic *nic, const struct nic_node *at, uint32_t index, fine_t when);

/* ---- what clients ask of every nic ---- */

/* Sends; returns when the posting processor is free again: now, if the nic works by itself. */
static inline fine_t nic_post(struct nic *n, const struct nic_node *at, const struct nic_send *send)
{
    return n->kind->post(n, at, send);
}

/* Finds up to `most` routes that share nothing; returns how many, at least one. */
static inline uint32_t nic_routes(struct nic *n, uint32_t from, uint32_t to, uint32_t most,
                                  uint64_t *route)
{
    if (n->kind->routes)
        return n->kind->routes(n, from, to, most, route);
    route[0] = 0;
    return 1;
}

/* Has woken() called in a cycle, which must be later than now. */
static inline void nic_wake(struct nic *n, const struct nic_node *at, cycle_t when)
{
    if (n->kind->wake)
        n->kind->wake(n, at, when);
    else
        nic_wake_node(nic_part(n, at->partition), at->local, when, false);
}

/* Has the nic tell a processor that a message of several sends has come or left; returns when it
 * has. */
static inline fine_t nic_notify(struct nic *n, const struct nic_node *at, fine_t when)
{
    return n->kind->notify ? n->kind->notify(n, at, when) : when;
}

static inline struct network_part *nic_network(const struct nic *n, uint32_t partition)
{
    return ((struct nic_part *)nic_part(n, partition))->network;
}

static inline cycle_t nic_now(const struct nic *n, uint32_t partition)
{
    return part_now(nic_network(n, partition));
}

/* A node's processor or engine moves bytes from or to memory, which takes `own` by itself; returns
 * when it ends. */
static inline fine_t nic_move(const struct nic *n, const struct nic_node *at, fine_t start,
                              uint64_t bytes, fine_t own)
{
    if (!n->memory)
        return start + own;
    struct node_memory *memory = &n->memory->part[at->partition].node[at->local];
    return memory_use(n->memory, memory, fine_at(nic_now(n, at->partition)), start, bytes, own);
}

/* Bytes go into memory as they come; returns when all are there, the last of which comes at `when`:
 * not later than that, if memory keeps up. */
static inline fine_t nic_store(const struct nic *n, const struct nic_node *at, fine_t when,
                               uint64_t bytes)
{
    fine_t own = n->memory ? memory_work(n->memory, bytes) : 0;
    own = own < when ? own : when;
    return nic_move(n, at, when - own, bytes, own);
}

/* Adds `processes` (which may be negative) to the count of those that have not ended. */
static inline void nic_await(struct nic *n, uint32_t partition, int processes)
{
    part_await(nic_network(n, partition), processes);
}

/* Adds something that happened, and when, to the run's digest; `hash` must not depend on how the
 * machine was cut. It is progress, too: 0 is nothing but that. */
static inline void nic_record(struct nic *n, uint32_t partition, uint64_t hash)
{
    part_record(nic_network(n, partition), hash);
}

#endif
