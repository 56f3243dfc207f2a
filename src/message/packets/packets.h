/*
 * Carries messages over FIFOs that processors write and read packet by packet: the message layer of
 * Blue Gene/L (MSG, 5 and 6). Every step is work of a core, which does one thing at a time; what it
 * brings about happens when it ends.
 *
 *   one-packet      the message fits into a packet, which takes a fixed path
 *   eager           packets on a fixed path: they arrive in order, a running count is enough
 *   adaptive eager  packets take any way; the receiver confirms the first packet of a message, and
 *                   only then may the next message to it start
 *   rendezvous      a scout on a fixed path asks; the answer says where the data go; data packets
 *                   take any way, and the second core may read them
 *
 * Packets to one destination go through one injection FIFO, by their direction (FIFO pinning), and
 * messages to it one after the other: so they arrive in order.
 *
 * Private to this folder; the arrows of calls point downwards:
 *
 *   packets.c     the carrier: start, wake-ups, archives
 *   advance.c     a core's advance loop: what it does next, and what comes of it
 *   collective.c  operations of all processes: those of the tree and of the global interrupts
 *   spread.c      and those that consist of packets of the torus: broadcasts, all-to-alls
 *   single.c      single packets of programs
 *   early.c       packets of the tree that come before their operation
 *   points.c      packets of the tree to one node: single ones, and calls to I/O nodes
 *   protocol.c    the four protocols: messages, packets of messages
 */
#ifndef WEFT_MESSAGE_PACKETS_PACKETS_H
#define WEFT_MESSAGE_PACKETS_PACKETS_H

#include "message/layer.h"
#include "topology/torus/flood.h"

#define NONE SLOT_NONE

/* What there is room for; the nic says how many there are. A ring is the queue of an injection
 * FIFO, the last one that of the node itself. */
enum { DIRECTIONS_MOST = 6, RINGS_MOST = DIRECTIONS_MOST + 1, VIRTUAL_RING = DIRECTIONS_MOST };
enum { GROUPS_MOST = 2, GROUP_FIFOS_MOST = 7, VIRTUAL_FIFO = GROUPS_MOST * GROUP_FIFOS_MOST };
enum { COLOURS_MOST = DIRECTIONS_MOST }; /* of a broadcast: one for each direction */

/* What a packet is; the argument of its cargo: */
enum code {
    CODE_ONE,            /* a whole message: its bytes */
    CODE_FIRST,          /* the first of a message, in order: the message's bytes */
    CODE_NEXT,           /* the next, in order */
    CODE_SCOUT,          /* may a message be sent: its bytes */
    CODE_ACK,            /* it may: the group of FIFOs that data packets are for */
    CODE_DATA,           /* a piece of it: its number */
    CODE_ADAPTIVE_FIRST, /* the first of a message, in any order: the message's bytes */
    CODE_ADAPTIVE_NEXT,  /* another one: its number */
    CODE_CONFIRM,        /* a first packet was seen */
    MESSAGE_CODES,
    CODE_CAST = MESSAGE_CODES, /* of a broadcast: its root, and for `to` its colour */
    CODE_EACH,                 /* of an all-to-all: its context */
    CODE_SINGLE,               /* of a program: nothing */
    CODES,
};

/* What a process has got of a broadcast or an all-to-all, which it may not have begun. */
struct gathering {
    uint64_t arrived;    /* bytes */
    uint32_t attachment; /* with the data; of an all-to-all: a list of them */
    uint32_t next;
};

/* A packet of a broadcast that is to be sent on. */
struct forward {
    uint32_t root, number, bytes, attachment, next;
    uint16_t hops;
    uint8_t colour;
};

/* A packet of a program that has been read, and waits to be taken. */
struct single {
    uint32_t from, bytes, attachment, next;
};

/* A packet of the tree whose operation the node is not in yet. */
struct early {
    uint32_t attachment, next;
};

/* A process that this one has messages for: they go one after the other. */
struct partner {
    struct slots_list queue; /* in order, */
    struct slots_list data;  /* and data of rendezvous, which need none */
    uint32_t next;
    bool streaming;   /* such data are being written */
    bool sending;     /* a message to it is being written */
    bool unconfirmed; /* the receiver has not seen the first packet of the last message */
};

/* A packet in a virtual FIFO. */
struct virtual_packet {
    struct nic_packet packet;
    fine_t there;
    uint32_t next;
};

/* What a core is doing; its effect comes at the end. */
enum doing {
    DOING_NOTHING,
    DOING_SEND,       /* posts a send */
    DOING_RECEIVE,    /* posts a receive */
    DOING_WRITE,      /* a packet of `message` */
    DOING_READ,       /* the packet at the head of `fifo` */
    DOING_FLUSH,      /* after the last packet of `message` */
    DOING_FINISH,     /* takes over `message` from the other core */
    DOING_WORK,       /* of the program */
    DOING_CO_WORK,    /* of the program, for another core */
    DOING_ENTER,      /* enters a barrier */
    DOING_TREE_WRITE, /* a packet of the tree */
    DOING_TREE_READ,
    DOING_PICK,       /* writes packet `pick`, which is of no message */
    DOING_POINT_READ, /* the packet of the tree that is for one node */
};

/* What interrupts a program that works: packets in a reception FIFO; room in an injection FIFO. */
enum { INTERRUPT_RECEPTION, INTERRUPT_INJECTION, INTERRUPTS };

/* Of two processes of a node, the first to come waits; the second acts for both, and then serves
 * the first. */
enum role { ROLE_ALONE, ROLE_WAITS, ROLE_ACTS, ROLE_SERVED };

/* A collective operation of the machine that a process takes part in. */
struct collective {
    uint64_t writes, reads; /* packets still to be written, to be read */
    uint64_t casts;         /* read by the root, to be sent on to all */
    uint32_t barrier;       /* that it waits for */
    uint8_t kind;           /* enum step_collective; 0: none */
    uint8_t role;           /* enum role: of this process, if its node has two; */
    fine_t served;          /* when it was served */

    /* Of a broadcast or an all-to-all of packets. */
    uint32_t context, number;       /* which one it is */
    uint64_t expected;              /* bytes to come */
    uint32_t attachment;            /* with the data that it sends now; or none */
    uint32_t written[COLOURS_MOST]; /* by a broadcast's root, of each colour */
    uint32_t round, turn;           /* of an all-to-all: packets to each before, whose turn it is */

    /* Of a call to an I/O node. */
    fine_t began;
    uint64_t left;  /* bytes that are not done, */
    uint32_t piece; /* of which so many are under way */
};

/* A core with its advance loop. */
struct advance_loop {
    struct core core;
    struct action action; /* of its process: what is still to be done */
    cycle_t wake;         /* pending; 0: none */
    uint32_t message;
    uint8_t doing;
    uint8_t fifo;                /* being read */
    uint8_t next_fifo, next_out; /* whose turn it is */
    bool reads;                  /* next, rather than writes */
    bool resting;                /* polls, and finds nothing; since core.until */
    uint8_t push;                /* 1 + the ring of a send that was just posted; 0: none */
    uint32_t controls;           /* to be written before anything else */
    uint16_t coming;             /* bit f: reception FIFO f, or the virtual one, is not empty */
    struct slots_list out[RINGS_MOST]; /* messages with packets to write, one after the other */
    struct slots_list finished;        /* received by the other core */
    fine_t co_work;                    /* transient work for another core, if co_waits */
    fine_t left;                       /* of the work that was interrupted */
    struct collective collective;
    struct slots_list forward[DIRECTIONS_MOST]; /* packets to be sent on, by direction; */
    uint32_t forwards;                          /* how many */
    uint32_t spreads;                           /* operations of context 0 that were begun */
    struct slots_list single, point; /* packets of programs, and of the tree, to be taken */
    uint32_t singles_sent;
    uint8_t pick, next_pick; /* being written; where to look first */
    bool co_waits, co_busy;  /* it is to be started; its own core waits for it */
    bool interrupted;        /* its program is, and something is being handled */
};

/* What happens within a node, for each of its processes. */
struct virtual_fifo {
    struct slots_list packets;
    uint32_t bytes;
};

struct packets_part {
    struct advance_loop *loop;    /* [local * cores + core] */
    struct virtual_fifo *inside;  /* [local * per_node + slot], to this process */
    struct slots partners;        /* struct partner */
    struct slots virtual_packets; /* struct virtual_packet */
    struct slots gatherings;      /* struct gathering */
    struct slots forwards;        /* struct forward */
    struct slots singles;         /* struct single */
    struct slots earlies;         /* struct early */
    struct slots_list *early;     /* [local * classes + class]; NULL: there is one class */
    struct map gathering;         /* (process, operation): what has come of it */
    struct map partner;           /* (process, other): its peer, while there is something */
    uint64_t unexpected;
    uint64_t interrupts[INTERRUPTS];
    uint64_t io_calls; /* of processes, */
    fine_t io_time;    /* and how long all of them took */
} __attribute__((aligned(64)));

struct packets {
    struct core_params cores;
    struct steps_params steps;
    uint32_t loops;                /* per node */
    uint32_t full;                 /* payload of a packet */
    double link_cycles;            /* per processor cycle */
    double reduce_cycles_per_byte; /* processor cycles */
    fine_t poll;
    struct flood flood; /* how a broadcast spreads; no colours: it cannot */
    struct packets_part *part;
};

/* A core that something happens at, with the process that it serves. */
struct here {
    struct self me; /* first, so that it leads here */
    const struct packets *all;
    struct packets_part *s;
    struct advance_loop *loop;
    uint32_t core;
};

static inline struct partner *partner_at(const struct packets_part *s, uint32_t index)
{
    return (struct partner *)s->partners.item + index;
}

static inline struct gathering *gathering_at(const struct packets_part *s, uint32_t index)
{
    return (struct gathering *)s->gatherings.item + index;
}

static inline struct forward *forward_at(const struct packets_part *s, uint32_t index)
{
    return (struct forward *)s->forwards.item + index;
}

static inline struct single *single_at(const struct packets_part *s, uint32_t index)
{
    return (struct single *)s->singles.item + index;
}

static inline struct virtual_packet *virtual_at(const struct packets_part *s, uint32_t index)
{
    return (struct virtual_packet *)s->virtual_packets.item + index;
}

static inline struct here here_at(struct processes *all, const struct nic_node *at, uint32_t core)
{
    const struct packets *p = all->carried;
    struct packets_part *s = &p->part[at->partition];
    return (struct here){.me = self_at(all, at, core_process(p->cores.mode, core)),
                         .all = p,
                         .s = s,
                         .loop = &s->loop[(size_t)at->local * p->loops + core],
                         .core = core};
}

/* ---- what a core spends its time on, from processor cycles ---- */

static inline fine_t cost_length(const struct packets *p, double cycles)
{
    return fine_length(cycles * p->link_cycles);
}

static inline void cost_spend(struct here *h, enum core_work work, double cycles)
{
    core_spend(&h->loop->core, work, cost_length(h->all, cycles));
}

static inline void cost_software(struct here *h, double cycles)
{
    cost_spend(h, WORK_SOFTWARE, cycles);
}

/* Moves bytes of a buffer of `whole` bytes, which is in the cache or uses the node's memory. */
static inline void cost_move(struct here *h, enum core_work work, double cycles, uint64_t bytes,
                             uint64_t whole)
{
    struct core *core = &h->loop->core;
    fine_t own = cost_length(h->all, cycles);
    if (whole > h->all->cores.cache_bytes)
        own = nic_move(h->me.all->nic, &h->me.at, core->until, bytes, own) - core->until;
    core_spend(core, work, own);
}

static inline void cost_copy(struct here *h, uint64_t bytes, uint64_t whole)
{
    cost_move(h, WORK_COPY, (double)bytes / h->all->cores.memory_bytes_per_cycle,
              bytes * MEMORY_COPY, whole);
}

static inline void cost_combine(struct here *h, uint64_t bytes, uint64_t whole)
{
    cost_move(h, WORK_PROGRAM, (double)bytes * h->all->reduce_cycles_per_byte,
              bytes * MEMORY_COMBINE, whole);
}

/* What the program streams is in no cache. */
static inline void cost_stream(struct here *h, uint64_t bytes)
{
    cost_move(h, WORK_PROGRAM, (double)bytes / h->all->cores.memory_bytes_per_cycle, bytes,
              UINT64_MAX);
}

static inline void cost_flush(struct here *h)
{
    cost_spend(h, WORK_FLUSH, h->all->cores.flush_cycles);
}

static inline void cost_write(struct here *h, uint32_t packet_bytes, uint64_t message_bytes)
{
    struct core_cost cost = core_write_cost(&h->all->cores, packet_bytes, message_bytes);
    cost_software(h, cost.software);
    cost_move(h, WORK_WRITE, cost.access, packet_bytes, message_bytes);
}

static inline void cost_read(struct here *h, uint32_t packet_bytes)
{
    struct core_cost cost = core_read_cost(&h->all->cores, packet_bytes);
    cost_software(h, cost.software);
    cost_spend(h, WORK_READ, cost.access);
}

/* What was read goes to a buffer of `whole` bytes, while it is read: more time passes only if
 * memory does not keep up. */
static inline void cost_store(struct here *h, uint32_t bytes, uint64_t whole)
{
    struct core *core = &h->loop->core;
    if (bytes && whole > h->all->cores.cache_bytes)
        core_spend(core, WORK_READ,
                   nic_store(h->me.all->nic, &h->me.at, core->until, bytes) - core->until);
}

/* ---- protocol.c ---- */

/* How a message of so many bytes, of a buffer of this shape, starts. */
enum code protocol_code(const struct packets *p, uint64_t bytes, uint8_t shape);

/* FIFO pinning: the injection FIFO of a packet, by its direction; of those of a group that the
 * process has for itself, by its dimension. */
uint8_t protocol_ring(const struct here *h, const struct nic_packet *packet);

/* The group of reception FIFOs that a process's own core reads. */
uint8_t protocol_group(const struct here *h, uint32_t process);

/* Has the process send or receive, as its action says. */
void protocol_send(struct here *h);

/* Of struct carrier: replies to a call. `me`: that of a struct here. */
void protocol_reply(struct self *me, uint32_t peer, uint32_t attachment, fine_t when);
void protocol_receive(struct here *h);

/* The next packet of a message, and what comes of it when it has been written. */
struct nic_packet protocol_packet(const struct here *h, uint32_t message);
void protocol_written(struct here *h, uint32_t message);

/* A packet has been read. If it completes a message, and that is not the process's own core's work,
 * this core flushes its cache next. */
void protocol_read(struct here *h, const struct nic_packet *packet);

/* Makes a message visible that another core has received: the one in `recvdone`. */
void protocol_finish(struct here *h);

/* ---- spread.c ---- */

/*
 * Collective operations that the message layer builds from packets, below messages (MSG, 7, 8.4 and
 * 8.5): nothing is posted, matched or acknowledged. All that take part begin them in the same
 * order, so that context and number tell which one a packet belongs to; each knows how many bytes
 * it is to get.
 *
 *   broadcast   in colours that share no link (topology/torus/flood.h); packets leave copies on
 *               their way, and nodes at corners send them on, whether they have begun it or not
 *   all-to-all  among any processes: a packet to each in turn, in an order of the process's own, by
 *               any route; a packet has fewer bytes of data than one of a message
 */

/* Packets that a core can choose from: to be sent on, by direction; of its own broadcast, by
 * colour; the next of its all-to-all; that of its program (single.c). */
enum { PICK_COLOUR = DIRECTIONS_MOST, PICK_EACH = PICK_COLOUR + COLOURS_MOST, PICK_SINGLE, PICKS };

/* Begins one, as the process's action says. */
void spread_start(struct here *h);

/* Whether there is anything to be written; such a packet; and that it has been. */
bool spread_has_packets(const struct here *h);
bool spread_packet(const struct here *h, unsigned pick, struct nic_packet *packet);
void spread_written(struct here *h, unsigned pick);

/* A packet has been read. */
void spread_read(struct here *h, const struct nic_packet *packet);

/* Whether the process has all of it, and nothing left to write; and its end. */
bool spread_is_over(const struct here *h);
void spread_end(struct here *h);

static inline bool spread_is(uint8_t kind)
{
    return kind == STEP_FLOOD || kind == STEP_EACH;
}

/* ---- single.c: single packets of programs; the same as above ---- */

void single_start(struct here *h);
bool single_packet(const struct here *h, struct nic_packet *packet);
void single_written(struct here *h);
void single_read(struct here *h, const struct nic_packet *packet);
bool single_is_over(const struct here *h);
void single_end(struct here *h);

/* A packet that has been read is kept for the process; and is handed to it, if there is one. */
void single_keep(struct here *h, struct slots_list *list, const struct nic_packet *packet,
                 fine_t when);
void single_hand_over(struct here *h, struct slots_list *list);

static inline bool single_is(uint8_t kind)
{
    return kind == STEP_PACKET_OUT || kind == STEP_PACKET_IN;
}

/* Whether it consists of packets of the torus, which cores choose from, and not of the tree's. */
static inline bool picks_are(uint8_t kind)
{
    return spread_is(kind) || single_is(kind);
}

/* ---- points.c: packets of the tree to one node; the same as above ---- */

void point_start(struct here *h);
bool point_has_packet(const struct here *h);
void point_written(struct here *h);
bool point_is_over(const struct here *h);
void point_end(struct here *h);

/* Starts to read the next one that has come to the node, for whichever of its processes; that has
 * been read; and when there is one, unless another core reads it. */
bool point_start_read(struct here *h);
void point_read(struct here *h);
bool point_is_due(const struct here *h, fine_t *when);

/* Whether a restored operation of a script can be one. */
bool point_is_valid(const struct processes *all, const struct collective *c);

static inline bool io_is(uint8_t kind)
{
    return kind == STEP_WRITE_OUT || kind == STEP_READ_IN;
}

static inline bool point_is(uint8_t kind)
{
    return kind == STEP_POINT_OUT || kind == STEP_POINT_IN || io_is(kind);
}

/* ---- early.c: packets of the tree before their operation ---- */

/* Whether the head of the FIFO is one, and when it is there; starts to read it; whether a packet is
 * of the operation that the core acts in, and not early. */
bool early_is_due(const struct here *h, fine_t *when);
bool early_start_read(struct here *h);
bool early_is_own(const struct here *h, const struct nic_tree_packet *packet);

/* Whether another core of the node is reading the head. */
bool early_is_read(const struct here *h);

/* Keeps one that has been read; whether there is one for the operation that reads; takes the first
 * of them. */
void early_keep(struct here *h, const struct nic_tree_packet *packet);
bool early_is_kept(const struct here *h);
void early_take(struct here *h, unsigned char *data);

/* The lists of so many nodes: their life, their archive, and whether restored ones can be; scripts'
 * have no data. */
void early_init(struct packets_part *s, const struct nic_tree *tree, uint32_t nodes);
void early_fini(struct packets_part *s);
void early_archive(struct packets_part *s, const struct nic_tree *tree, uint32_t nodes,
                   struct archive *a);
bool early_are(const struct packets_part *s, const struct nic_tree *tree, uint32_t nodes);

/* ---- collective.c: operations of all processes that a process takes part in ---- */

/* Begins what the process's action says. */
void collective_start(struct here *h);

/* Starts the core's next piece of work for it; false: there is none now. */
bool collective_advance(struct here *h);

/* That piece takes effect: the process has entered; a packet is written, or read. */
void collective_enter(struct here *h);
void collective_written(struct here *h);
void collective_read(struct here *h);

/* Whether it is over for this process; and its end. */
bool collective_is_over(const struct here *h);
void collective_end(struct here *h);

/* Whether this process acts for the node's other one, which goes on when it has ended. */
bool collective_serves(const struct here *h, struct here *partner);

/* Whether a core that rests has something to do for it, and from when on. */
bool collective_is_due(const struct here *h, cycle_t now, fine_t *when);

/* ---- advance.c ---- */

/* Goes on with what is due in this cycle. */
void loop_run(struct here *h, cycle_t now);

/* A packet will be in one of the loop's FIFOs. */
void loop_coming(struct here *h, unsigned fifo, fine_t there);

/* Whether a packet can be written now into the injection FIFO that it names. */
bool loop_has_room(const struct here *h, const struct nic_packet *packet);

/* An injection FIFO may have room again. */
void loop_room(struct here *h, cycle_t now);

/* The tree may have brought something, or have room again. */
void loop_tree(struct here *h, cycle_t now);

#endif
