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
#include "message/options.h"

struct processes;
struct self;

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
};

struct process_part {
    struct process *process; /* [local * per_node + slot] */
    uint32_t nodes, processes;
    struct match match;
} __attribute__((aligned(64)));

struct carrier {
    struct nic_client client; /* without prepare, ctx: the layer */
    void *(*create)(struct processes *all);
    void (*destroy)(struct processes *all);
    void (*prepare)(struct processes *all, uint32_t partition);
    /* By its value in the process's match: the attachment of a message that has arrived; the
     * request of a receive that is posted; and its end, as it is taken back. */
    uint32_t (*attachment)(const struct self *me, uint32_t value);
    uint32_t (*request)(const struct self *me, uint32_t value);
    void (*take_back)(const struct self *me, uint32_t value);
    /* How a message of so many bytes, of a buffer of this shape, goes. */
    enum task_way (*way)(const struct processes *all, uint64_t bytes, uint8_t shape);
    /* Saves or restores a partition; says what is wrong with it. */
    void (*archive)(struct processes *all, uint32_t partition, struct archive *archive);
    void (*result)(const struct processes *all, struct processes_result *result);
    /* Whether a process is in a collective operation of the machine. NULL: none ever is. */
    bool (*collects)(const struct processes *all, uint32_t partition, uint32_t process);
};

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
    struct process_part *part;
};

/* Ends the run: its program has done something that it must not do. */
#define PROGRAM_FAILED(WHAT) ((void)RUN_FAILED(WHAT, NO_REMEDY), protected_call_abandon())

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
    return all->o.mapping->place[process] / all->o.per_node;
}

static inline uint32_t process_slot(const struct processes *all, uint32_t process)
{
    return all->o.mapping->place[process] % all->o.per_node;
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

/* ---- what processes go through ---- */

/* A process that is not waiting for anything: what it does next. Keeps account of its end. */
void process_next(struct self *me, struct action *action);

/* Notes what an action probes for, if anything. */
void process_probe(struct self *me, const struct action *action);

/* Takes back a receive, as an action says, if nothing has come for it. */
void process_cancel(struct self *me, const struct action *action);

/* Begins to wait, as an action says; whether it still has to; and what it found. */
void process_wait(struct self *me, const struct action *action);

static inline bool process_is_held(const struct self *me)
{
    const struct process *p = me->p;
    struct envelope found;
    if (!p->waiting)
        return false;
    if (p->deadline && p->deadline <= fine_at(nic_now(me->all->nic, me->at.partition)))
        return false;
    return p->gated || p->sends > p->sends_left || p->receives > p->receives_left || p->watched ||
           (p->probes && match_probe(&me->s->match, &p->probe, &found) == MATCH_NONE);
}

/* Bytes of a message have come to a process. */
void process_count(struct self *me, uint64_t bytes, fine_t when);

/* A message with another process is complete. The digest knows of it, and the process's request. */
struct completion {
    uint32_t peer, request, attachment;
    uint64_t bytes, expected; /* expected: without a request, or the run is wrong */
    fine_t when;
};
void process_sent(struct self *me, const struct completion *c);
void process_received(struct self *me, const struct completion *c);

/* The envelope of a message for this process: its attachment's, or nothing special. */
static inline struct envelope process_envelope(const struct self *me, uint32_t source,
                                               uint32_t attachment)
{
    struct envelope e = {.process = self_index(me), .source = source};
    if (attachment != ATTACHMENT_NONE) {
        e.context = attachment_at(me->all->attachments, attachment)->context;
        e.tag = attachment_at(me->all->attachments, attachment)->tag;
    }
    return e;
}

#endif
