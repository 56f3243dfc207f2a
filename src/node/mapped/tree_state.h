/*
 * What the files of the tree share: its state, flat by partition, and its shape.
 *
 *   tree_setup.c  shape, life cycle, archives
 *   tree_step.c   queues, links, the ALU, barriers; the processor's side
 *   tree_io.c     I/O nodes: the daemon and its Ethernet
 *
 * I/O nodes are leaves. Their numbers in the tree follow those of the heap; each lives in the
 * partition of the node that it hangs on, behind the nodes there, and its events come to that node.
 */
#ifndef WEFT_NODE_MAPPED_TREE_STATE_H
#define WEFT_NODE_MAPPED_TREE_STATE_H

#include "base/slots.h"
#include "engine/fine.h"
#include "node/attachments.h"
#include "node/core.h"
#include "node/mapped/io_node.h"
#include "node/mapped/tree.h"

/* Inputs of a node: its children, its processor, its parent. */
enum {
    FROM_SELF = TREE_ARITY_MOST,
    FROM_PARENT,
    INPUTS,
    VCS = 2,
    BUFFERS, /* behind a link: of each VC, and of casts on their way to the root */
    RISING = VCS,
    QUEUE_MOST = 8,
    LINKS = TREE_ARITY_MOST + 1, /* to each child; to the parent */
    TO_PARENT = TREE_ARITY_MOST,
};

#define TREE_NONE UINT32_MAX

/* What an event is: a packet from a child (its number) or from the parent, room behind a link
 * (payload: the link; more: the buffer), a node to look at again, or a barrier's. */
enum what { WHAT_PARENT = TREE_ARITY_MOST, WHAT_ROOM, WHAT_LOOK, WHAT_BARRIER };
enum { BARRIER_REPORT, BARRIER_END, BARRIER_SEEN };

/* A packet: its way, the node that it is for or from, and its data. */
struct entry {
    uint32_t target;
    uint32_t attachment; /* ATTACHMENT_NONE: nobody looks at them; a point: which one */
    uint8_t route, class;
};

/* What a packet to one node has besides. */
struct point {
    uint64_t cargo;
    uint32_t source, target; /* numbers in the tree */
    uint32_t next;
};

/* A point whose words arrive, all in one cycle. */
struct arriving {
    uint32_t point;
    uint8_t words; /* that have come, as a mask; 0: none arrives */
};

struct queue {
    struct entry entry[QUEUE_MOST];
    uint8_t first, count;
};

struct link {
    cycle_t free;          /* busy until then */
    uint8_t room[BUFFERS]; /* packets that fit behind it */
};

struct tree_node {
    struct queue in[INPUTS][BUFFERS]; /* FROM_SELF: of VCS */
    uint32_t filled;                  /* bit BUFFERS * input + buffer: that one is not empty */
    struct link link[LINKS];
    struct queue received[VCS];     /* for the processor to read, */
    cycle_t there[VCS][QUEUE_MOST]; /* when the last byte of each is there */
    struct arriving arriving[INPUTS];
    cycle_t look;      /* a pending look; 0: none */
    uint32_t barriers; /* that have ended */
    bool entered;      /* the next one */
    /* Whose turn it is. */
    uint8_t operations; /* links that carried a packet of VC 0 last, as a mask; 1 << LINKS: what was
                         * last sent to all below is no cast that begins here */
    uint8_t
        last_queue[LINKS + 1]; /* of VC 1, BUFFERS * input + buffer: to a link, or to the node */
};

struct tree_part {
    struct network_part *torus;
    struct tree_node *node;      /* [local], then [I/O node] */
    struct io_node *io;          /* [I/O node] */
    struct io_call *call;        /* [I/O node * calls + call] */
    struct slots points;         /* struct point */
    struct error_source *errors; /* [local * LINKS + link]; NULL: none */
    uint32_t nodes, living, ios;
    uint32_t entered; /* nodes, in the barrier that is under way */
    uint32_t reports; /* of partitions; at the first one */
    struct tree_counts counts;
} __attribute__((aligned(64)));

/* Where a number in the tree is; events for an I/O node come to the node that it hangs on. */
struct far {
    uint32_t partition, local;
    bool io;
};

/* An I/O node: the node that it hangs on, by which link, and which one of its partition it is. */
struct io_place {
    uint32_t host, link, index;
};

struct tree {
    struct nic_tree base;
    struct tree_params params;
    struct error_params errors;
    struct io_params io_params;
    struct core_params cores;
    struct bricks bricks;
    uint64_t seed;
    double link_cycles_per_us;
    uint32_t nodes;             /* of the machine */
    uint32_t living;            /* nodes of the heap */
    uint32_t ios;               /* I/O nodes behind them */
    uint32_t *number, *node_at; /* of a node in the tree, TREE_NONE: dead; and back */
    uint32_t *rank, *in_order;  /* [number]: its place in depth-first order; and back */
    uint32_t *io_at;            /* [number]: the I/O node that hangs on it; TREE_NONE */
    struct io_place *io;        /* [I/O node] */
    unsigned classes;
    uint16_t *member, *route; /* [number]: classes whose processor takes part; that go there */
    uint32_t class_root[TREE_CLASSES];
    struct far *far;   /* [number] */
    uint32_t *channel; /* [from * partitions + to]; UINT32_MAX: none */
    uint32_t packet_cycles, barrier_cycles, report_cycles;
    struct attachments *attachments;
    struct tree_part *part;
};

static inline struct tree_node *node_of(const struct tree *t, const struct nic_node *at)
{
    return &t->part[at->partition].node[at->local];
}

static inline struct point *point_at(const struct tree_part *s, uint32_t index)
{
    return (struct point *)s->points.item + index;
}

enum { QUEUES = INPUTS * BUFFERS };

/* The queues that are not empty, as in `filled`. */
static inline uint32_t tree_filled(const struct tree_node *n)
{
    uint32_t filled = 0;
    for (unsigned queue = 0; queue < QUEUES; queue++)
        filled |= (uint32_t)(n->in[queue / BUFFERS][queue % BUFFERS].count > 0) << queue;
    return filled;
}

/* Packets that wait at an input. */
static inline uint32_t tree_waiting(const struct tree_node *n, unsigned input)
{
    uint32_t count = 0;
    for (unsigned buffer = 0; buffer < BUFFERS; buffer++)
        count += n->in[input][buffer].count;
    return count;
}

/* ---- shape ---- */

static inline bool is_io(const struct tree *t, uint32_t number)
{
    return number >= t->living;
}

static inline uint32_t parent_of(const struct tree *t, uint32_t number)
{
    return is_io(t, number) ? t->io[number - t->living].host : (number - 1) / t->params.arity;
}

/* Which of its parent's links leads to a node. */
static inline uint32_t link_to(const struct tree *t, uint32_t number)
{
    return is_io(t, number) ? t->io[number - t->living].link : (number - 1) % t->params.arity;
}

/* Without an I/O node that hangs on it, which takes part in nothing that goes to all. */
static inline uint32_t children_of(const struct tree *t, uint32_t number)
{
    uint64_t first = (uint64_t)number * t->params.arity + 1;
    if (first >= t->living)
        return 0;
    uint64_t left = t->living - first;
    return left < t->params.arity ? (uint32_t)left : t->params.arity;
}

/* The I/O node that hangs on a node; TREE_NONE: there is none. */
static inline uint32_t io_of(const struct tree *t, uint32_t number)
{
    return t->ios && !is_io(t, number) ? t->io_at[number] : TREE_NONE;
}

/* What is behind a link of a node. */
static inline uint32_t behind(const struct tree *t, uint32_t number, uint32_t link)
{
    uint32_t io = io_of(t, number);
    if (link == TO_PARENT)
        return parent_of(t, number);
    if (io != TREE_NONE && t->io[io].link == link)
        return t->living + io;
    return number * t->params.arity + 1 + link;
}

static inline struct far find(const struct tree *t, uint32_t number)
{
    return t->far[number];
}

/* An I/O node as a node that something happens at. */
static inline struct nic_node io_as_node(const struct tree *t, uint32_t io)
{
    struct far far = find(t, t->living + io);
    return (struct nic_node){.partition = far.partition,
                             .local = t->part[far.partition].nodes + t->io[io].index,
                             .node = t->nodes + io};
}

/* ---- classes ---- */

static inline bool is_member(const struct tree *t, uint32_t number, unsigned class)
{
    return t->member[number] >> class & 1;
}

/* Whether packets of a class go to a child. */
static inline bool has_child(const struct tree *t, uint32_t number, unsigned child, unsigned class)
{
    return t->route[number * t->params.arity + 1 + child] >> class & 1;
}

/* Whether a packet that goes to all members of a class, or is combined, can be at a node. */
static inline bool is_on_route(const struct tree *t, uint32_t number, unsigned class)
{
    return class < t->classes && !is_io(t, number) && t->route[number] >> class & 1;
}

/* ---- tree_step.c ---- */

extern const struct nic_tree tree_calls;

/* Whether packets can come to a node by an input, by the number that events have for it. */
bool tree_has_input(const struct tree *t, uint32_t partition, uint32_t local, unsigned input);

/* Looks at a node again; one look is enough. */
void tree_look_at(struct tree *t, const struct nic_node *at, cycle_t when);

/* ---- tree_io.c ---- */

/* The daemon of an I/O node goes on. */
void io_step(struct tree *t, const struct nic_node *at, cycle_t now);

/* What is wrong with a restored I/O node; NULL: nothing. */
const char *io_flaw(const struct tree *t, uint32_t io);

#endif
