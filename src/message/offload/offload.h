/*
 * Carries messages over nics that work by themselves and keep packets in order:
 *
 *   eager       short messages: software splits them into packets, one event each (KAUTZ, 6.1); the
 *               receiver has room for so many, and what might not fit uses rendezvous
 *   rendezvous  longer messages: a request goes to the receiver, whose software answers with a
 *               command to the sender's engine; the engine streams the message without software,
 *               and at the end tells that at both ends by an event, if it has events
 *   rails       still longer messages: the stream is split over routes that share nothing
 *
 *   direct      data of one-sided communication: an engine streams them to or from the other
 * process's memory, whose engine answers by itself; no processor there has a part in it
 *
 * Processes of one node copy through memory. Every event that a processor sends or receives takes
 * some of its time.
 *
 *   offload.c    the carrier: actions of processes, calls from the nic, archives
 *   protocol.c   messages: sending, receiving
 *   room.c       room for eager messages
 */
#ifndef WEFT_MESSAGE_OFFLOAD_OFFLOAD_H
#define WEFT_MESSAGE_OFFLOAD_OFFLOAD_H

#include "base/map.h"
#include "message/layer.h"

#define NONE SLOT_NONE

/* ---- room.c ---- */

/*
 * Room for eager messages. Each process has a place for so many packets from each other process;
 * whoever sends keeps count of what it has put there, and sends nothing eagerly that might not fit.
 * The receiver owes the room of what its software has taken: it goes back with the next eager
 * message to that process or, when more than half of the place is owed, by itself.
 *
 *   sender     room_take ── message ──> ... room_regain <── room ──┐
 *   receiver                            room_owe ─────────────────┘
 *
 * Both ends count by pairs, as keys that only the caller understands: a process and its peer.
 */

enum { ROOM_MOST = 0xffff };

struct room {
    struct map pairs; /* packets put there << 16 | owed */
    uint32_t most;    /* packets that a place holds; 0: any number, and nothing is counted */
};

/* Takes room for a message; false: there is not enough, as far as is known here. Sets *back to the
 * packets that are owed to the peer, which the message gives back. */
bool room_take(struct room *r, uint64_t pair, uint32_t packets, uint32_t *back);

/* The peer gives room back; false: it cannot. */
bool room_regain(struct room *r, uint64_t pair, uint32_t packets);

/* A message was taken out; returns how many packets must be given back now. */
uint32_t room_owe(struct room *r, uint64_t pair, uint32_t packets);

/* Whether a restored state can be one. */
bool room_is_sound(const struct room *r);

/* ---- state ---- */

enum offload_code {
    CODE_EAGER,   /* a piece of a message */
    CODE_REQUEST, /* to send a long message; argument: its bytes */
    CODE_ANSWER,  /* a command to the engine: stream the message */
    CODE_DATA,    /* a piece of a stream */
    CODE_TAKEN,   /* a command to the engine: what was asked for has come */
    CODE_ROOM,    /* a command to the engine: there is room again; number: of packets */
    CODE_LOCAL,   /* a whole message through memory */
    CODE_SENT,    /* the engine's event: a message's streams have left */
    CODE_GATED,   /* an operation of gates is over */
    CODE_DIRECT,  /* a piece of a call that engines serve, or of a reply */
    CODES,
};

/* What the nic tells a process: kept if its receive is not posted yet, or if it comes later. */
struct notice {
    fine_t when;
    uint64_t bytes;
    uint32_t source, next; /* process; next of its message, or in the node's list */
    uint32_t message;      /* through memory, and sent: the sender's; eager and room: packets that
                            * the source gives back; else its number */
    uint32_t attachment;
    uint8_t code, to; /* to: slot of the node */
    bool last;
    bool synchronous; /* through memory: its sender waits until it is received */
};

struct offload_part {
    uint32_t *later;          /* [local], what is due later: through memory, or told early */
    struct slots notices;     /* struct notice */
    struct room room;         /* (process, other): for eager messages */
    struct slots_list *calls; /* [process], that have come whole, for its processor to serve */
    const struct action_data **gate_data; /* [process], of its operation; NULL: it has none */
    uint64_t rail_streams, rail_messages;
} __attribute__((aligned(64)));

struct offload {
    fine_t send_time, receive_time;
    double byte_cycles, memory_byte_cycles, reduce_byte_cycles;
    double cycles_per_cycle; /* of the network, per cycle of the processor */
    struct offload_part *part;
};

static inline const struct offload *offload_of(const struct self *me)
{
    return me->all->carried;
}

static inline struct offload_part *offload_part(const struct processes *all, uint32_t partition)
{
    return &((const struct offload *)all->carried)->part[partition];
}

static inline struct offload_part *part_of(const struct self *me)
{
    return offload_part(me->all, me->at.partition);
}

/* A processor works through memory: so many bytes, each of which takes it `byte_cycles`, and memory
 * `moves` times. */
static inline void offload_move(struct self *me, uint64_t bytes, unsigned moves, double byte_cycles)
{
    fine_t own = fine_length((double)bytes * byte_cycles);
    me->p->busy = nic_move(me->all->nic, &me->at, me->p->busy, bytes * moves, own);
}

static inline void offload_copy(struct self *me, uint64_t bytes)
{
    offload_move(me, bytes, MEMORY_COPY, offload_of(me)->memory_byte_cycles);
}

static inline void offload_combine(struct self *me, uint64_t bytes)
{
    offload_move(me, bytes, MEMORY_COMBINE, offload_of(me)->reduce_byte_cycles);
}

static inline struct notice *notice_at(const struct offload_part *s, uint32_t index)
{
    return (struct notice *)s->notices.item + index;
}

/* ---- protocol.c ---- */

/* Keeps a notice in the node's list until its time has come. */
void offload_put_off(struct self *me, const struct notice *notice);

/* The processor serves the oldest call that has come whole. */
void offload_serve(struct self *me);

/* Sends a reply to a call: at once if engines serve it, else by the processor. */
void offload_reply(struct self *me, uint32_t peer, uint32_t attachment, fine_t when);

/* Has the process send or receive, as its action says. */
void offload_send(struct self *me, const struct action *action);
void offload_receive(struct self *me, const struct action *action);

/* On the receiver's command, the engine streams a message over its rails. */
void offload_stream(struct self *me, uint32_t number, fine_t when);

/* The processor takes a notice of messages, or of room for them. */
void offload_take(struct self *me, const struct notice *notice);

#endif
