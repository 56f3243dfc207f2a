/*
 * The message layer from inside: what processes have in common, whatever carries their messages.
 * A carrier moves messages over one sort of nic (the folders beside this file), in the time of the
 * processors that it keeps; it asks the processes' runner what they do (action.h).
 *
 *   nic ── arrived, sent, woken ──> carrier ── matches (match.h), completes ──> process
 *                                      └────── next action? ──> runner
 */
#ifndef WEFT_MESSAGE_LAYER_H
#define WEFT_MESSAGE_LAYER_H

#include "base/status.h"
#include "message/action.h"
#include "message/match.h"
#include "message/process.h"

struct process {
    fine_t busy;              /* its processor is busy until then; its program stands there */
    fine_t reached;           /* when the last of its messages was complete */
    fine_t ended;             /* when it had nothing more to do */
    uint64_t bytes;           /* received while measuring */
    uint32_t sends, receives; /* under way */
    uint32_t sends_left, receives_left; /* while it waits: for no more than so many */
    uint32_t watched;                   /* for so many requests, */
    fine_t deadline;                    /* or until then; 0: however long that takes; */
    fine_t sleep;                       /* until then at least, */
    cycle_t alarm;                      /* in which cycle it is to be woken for that, */
    struct envelope probe;              /* and for a message like this, if `probes` */
    uint64_t combine_bytes;             /* what it does then */
    uint32_t sent;                      /* messages so far */
    uint32_t messages;                  /* received */
    uint32_t rank;                      /* once it is active */
    bool started, active, receiver, waiting, probes, done; /* active: it has done something */
    bool gated;                                            /* it is in an operation of gates */
    bool served; /* a call; its program, if it can, goes on before the next one */
};

/*
 * A message at one of its ends: a send; a receive, posted or arriving; or what arrived before its
 * receive was posted, which turns it into a receive.
 */
struct message {
    uint64_t bytes;    /* of the message, as far as that is known */
    uint64_t expected; /* a receive: what its program expects */
    uint64_t moved;    /* bytes written, or arrived */
    uint32_t process;  /* its owner, as the partition numbers them */
    uint32_t peer;     /* the other process */
    uint32_t number;   /* among the messages of its sender */
    uint32_t attachment, request;
    uint32_t next;
    uint8_t shape; /* of its buffer */
    bool received; /* it is a receive, or has become one */

    /* Of a call and its reply. */
    uint8_t remote;     /* enum remote_kind */
    bool eager;         /* a call that has come: in packets, which have room at the receiver */
    bool left, replied; /* a call: it has left; its reply has come, */
    uint32_t reply;     /* which is this attachment, */
    fine_t reply_when;  /* and when */

    /* Of offload/. */
    uint32_t streams;          /* a send: streams that have not left */
    struct slots_list notices; /* not yet received: what has come of it */

    /* Of packets/. */
    uint64_t early;  /* bytes that arrived in a buffer of the layer's own */
    uint64_t pieces; /* sum of the numbers of packets that arrived in any order */
    uint8_t code;    /* of its next packet; an arrival: of its first */
    uint8_t ring;    /* the injection FIFO */
    uint8_t group;   /* of FIFOs at the peer */
    bool ordered;    /* a send: in the queue of its peer */
    bool known;      /* its first packet has arrived */
};

struct process_part {
    struct process *process; /* [local * per_node + slot] */
    uint32_t nodes, processes;
    struct match match;
    struct slots messages; /* struct message */
    struct map incoming;   /* (process, source): the message that arrives in order */
    struct map numbered;   /* (process, source, number): that arrives in any order */
    struct map asked;      /* (process, number): a send whose request has left */
    struct map calls;      /* (process, number): a call without a reply so far */
} __attribute__((aligned(64)));

struct self;

enum collecting { COLLECTS_NOT, COLLECTS, SENDS_PACKET, TAKES_PACKET, CALLS_IO_NODE };

struct carrier {
    struct nic_client client; /* without prepare, ctx: the layer */
    void *(*create)(struct processes *all);
    void (*destroy)(struct processes *all);
    void (*prepare)(struct processes *all, uint32_t partition);
    /* How a message of so many bytes, of a buffer of this shape, goes; `layer`: the processes. */
    enum task_way (*way)(const void *layer, uint64_t bytes, uint8_t shape);
    /* Saves or restores a partition. */
    void (*archive)(struct processes *all, uint32_t partition, struct archive *archive);
    /* Whether it can be one; `unused` has taken all messages that are none. */
    bool (*is_sound)(const struct processes *all, uint32_t partition, const struct visited *unused);
    void (*result)(const struct processes *all, struct processes_result *result);
    /* Whether a process is in a collective operation of the machine, or does something alone that
     * is done in the same way. */
    enum collecting (*collects)(const struct processes *all, uint32_t partition, uint32_t process);
    /* Sends the reply to a call that it has served at `when`. */
    void (*reply)(struct self *me, uint32_t peer, uint32_t attachment, fine_t when);
};

extern const struct carrier offload_carrier, packets_carrier;

struct processes {
    struct processes_options o;
    struct software_params software;
    struct nic *nic;
    struct mapping nobody; /* if there are no processes */
    struct attachments *attachments;
    struct runners *runners;
    struct runner runner;
    const struct carrier *carrier;
    void *carried; /* the carrier's own */
    bool apart;    /* jobs draw as if there were no other (process_drawn()) */
    struct process_part *part;
};

/*
 * Who runs the processes of a machine: scripts, programs on fibers (task.h), a runner from above
 * (action.h), or, where several jobs share the machine, one for some of them and others for the
 * rest. The script is for processes whose group has no program and no runner; without groups, for
 * all.
 */
struct runners *runners_create(const struct program *script, const struct tasks_options *tasks);
void runners_destroy(struct runners *runners);
struct runner runners_runner(struct runners *runners);

/* A process that something happens to. */
struct self {
    struct processes *all;
    struct process_part *s;
    struct process *p;
    struct nic_node at;
    uint32_t slot;
};

/* The process in a slot of a node; MAPPING_NONE: nobody. */
static inline uint32_t process_number(const struct processes *all, uint32_t node, uint32_t slot)
{
    return all->o.mapping->rank[node * all->o.per_node + slot];
}

static inline uint32_t process_node(const struct processes *all, uint32_t process)
{
    return all->o.mapping->processor[process] / all->o.per_node;
}

static inline uint32_t process_slot(const struct processes *all, uint32_t process)
{
    return all->o.mapping->processor[process] % all->o.per_node;
}

static inline struct self self_at(struct processes *all, const struct nic_node *at, uint32_t slot)
{
    struct process_part *s = &all->part[at->partition];
    return (struct self){.all = all,
                         .s = s,
                         .p = &s->process[(size_t)at->local * all->o.per_node + slot],
                         .at = *at,
                         .slot = slot};
}

static inline uint32_t self_index(const struct self *me)
{
    return (uint32_t)(me->p - me->s->process);
}

static inline uint32_t self_number(const struct self *me)
{
    return process_number(me->all, me->at.node, me->slot);
}

/* A process as draws know it: of a job that is wired apart, by its number there, so that it does
 * what it would on a machine of its own. */
static inline uint32_t process_drawn(const struct processes *all, uint32_t process)
{
    return all->apart ? process - task_group_of(all->o.group, all->o.groups, process)->first
                      : process;
}

static inline uint32_t self_drawn(const struct self *me)
{
    return process_drawn(me->all, self_number(me));
}

static inline struct message *message_at(const struct process_part *s, uint32_t index)
{
    return (struct message *)s->messages.item + index;
}

static inline struct seat self_seat(const struct self *me)
{
    return (struct seat){me->at.partition, self_index(me), self_number(me)};
}

/* A process and another one, or a number, as a key of a map. */
static inline uint64_t self_key(const struct self *me, uint32_t other)
{
    return (uint64_t)self_index(me) << 32 | other;
}

/* ---- cargo ---- */

/*
 * What a packet says: the 64-bit cargo that it carries for the message layer.
 *
 *   | argument 32 | number 18 | spare 2 | attachment 1 | to 3 | from 3 | code 5 |
 *
 * `code` is the carrier's; `from` and `to` are slots of the two nodes; `number` tells the messages
 * of one process apart; the argument depends on the code. If the message has an attachment
 * (attachments.h), that is the argument wherever it would else be the message's bytes.
 */
enum { CARGO_NUMBERS = 1 << 18, CARGO_SLOTS = 8, CARGO_CODES = 32 };

struct cargo {
    uint32_t code, from, to, number, argument;
    bool attachment;
};

static inline uint64_t cargo_pack(const struct cargo *w)
{
    return (uint64_t)w->argument << 32 | (uint64_t)(w->number & (CARGO_NUMBERS - 1)) << 14 |
           (uint64_t)w->attachment << 11 | w->to << 8 | w->from << 5 | w->code;
}

static inline struct cargo cargo_unpack(uint64_t cargo)
{
    return (struct cargo){.code = cargo & (CARGO_CODES - 1),
                          .from = cargo >> 5 & (CARGO_SLOTS - 1),
                          .to = cargo >> 8 & (CARGO_SLOTS - 1),
                          .number = cargo >> 14 & (CARGO_NUMBERS - 1),
                          .argument = (uint32_t)(cargo >> 32),
                          .attachment = cargo >> 11 & 1};
}

/* A process and the message with a number of another one. */
static inline uint64_t number_key(const struct self *me, uint32_t source, uint32_t number)
{
    return ((uint64_t)self_index(me) * PROCESSES_MOST + source) * CARGO_NUMBERS + number;
}

/* A process and an operation of a context. */
static inline uint64_t operation_key(const struct self *me, uint32_t context, uint32_t number)
{
    return ((uint64_t)self_index(me) * CONTEXTS_MOST + context) * CARGO_NUMBERS + number;
}

/* Packets of a message; one without bytes has one, too. */
static inline uint64_t packets_of(uint64_t bytes, uint64_t full)
{
    return bytes ? (bytes + full - 1) / full : 1;
}

/* ---- what processes go through ---- */

/* A node is woken for the first time: there may be no process in this slot. */
static inline void process_start(struct self *me)
{
    me->p->started = true;
    me->p->done = self_number(me) >= me->all->o.processes;
}

/* A process that is not waiting for anything: what it does next. Keeps account of its end. */
void process_next(struct self *me, struct action *action);

/* Notes what an action probes for, if anything. */
void process_probe(struct self *me, const struct action *action);

/* Takes back a receive, as an action says, if nothing has come for it. */
void process_cancel(struct self *me, const struct action *action);

/* Begins to wait, as an action says; and whether it still has to, at a time of its processor. */
void process_wait(struct self *me, const struct action *action);

static inline bool process_is_held(const struct self *me, fine_t now)
{
    const struct process *p = me->p;
    struct envelope found;
    if (!p->waiting)
        return false;
    if (p->deadline && p->deadline <= now)
        return false;
    return p->gated || p->sends > p->sends_left || p->receives > p->receives_left || p->watched ||
           (p->probes && match_probe(&me->s->match, &p->probe, &found) == MATCH_NONE);
}

/* Bytes of a message have come to a process. */
void process_count(struct self *me, uint64_t bytes, fine_t when);

/* A message of this process with another one. */
uint32_t message_new(const struct self *me, uint32_t peer);

/* A send, as an action says. */
uint32_t process_send(struct self *me, const struct action *action);

/* The reply to a call, as a message. */
uint32_t process_send_reply(struct self *me, uint32_t peer, uint32_t attachment);

/* Of struct remote_call, for the runner. */
void process_reply(void *layer, uint32_t peer, uint32_t attachment, fine_t when);

/* A receive, as an action says: a new one that is posted, or a message that has arrived for it. */
uint32_t process_receive(struct self *me, const struct action *action);

/* The envelope of a message has come: the receive that it is for, or a new message. */
uint32_t process_meet(struct self *me, uint32_t source, uint32_t attachment);

/* A send asks its receiver; and is found again by its number when the answer comes. */
void process_ask(struct self *me, uint32_t message);
uint32_t process_asked(struct self *me, uint32_t number);

/* A message is complete, which ends it. The digest knows of it, and the process's request. A call
 * is complete when it has left and its reply has come. */
void process_sent(struct self *me, uint32_t message, fine_t when);
void process_received(struct self *me, uint32_t message, fine_t when);

/* Whether a restored request can be one: scripts make none; who does, looks at what comes of it. */
bool process_is_request(const struct processes *all, uint32_t request);

#endif
