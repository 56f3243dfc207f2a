/*
 * What carries messages on an engine, from inside: messages at either end, what has arrived for
 * them, and where they are found. Private to this folder.
 */
#ifndef WEFT_MESSAGE_ENGINE_STATE_H
#define WEFT_MESSAGE_ENGINE_STATE_H

#include "message/engine/room.h"
#include "message/layer.h"

#define NONE SLOT_NONE

/* Flags a message, in the map of those that are arriving, that nobody receives yet. */
#define ARRIVED 0x80000000u

enum carried_code {
    CODE_EAGER,   /* a piece of a message */
    CODE_REQUEST, /* to send a long message; argument: its bytes */
    CODE_ANSWER,  /* a command to the engine: stream the message */
    CODE_DATA,    /* a piece of a stream */
    CODE_TAKEN,   /* a command to the engine: what was asked for has come */
    CODE_ROOM,    /* a command to the engine: there is room again; number: of packets */
    CODE_LOCAL,   /* a whole message through memory */
    CODE_SENT,    /* the engine's event: a message's streams have left */
    CODE_GATED,   /* an operation of gates is over */
    CODES,
};

/* Something that arrived before its receive was posted, or that comes later. */
struct carried_note {
    fine_t when;
    uint64_t bytes;
    uint32_t source, next; /* process; next of its message, a ring, or in the node's list */
    uint32_t message;      /* through memory, and sent: the sender's; eager and room: packets that
                            * the source gives back; else its number */
    uint32_t attachment;
    uint8_t code, to; /* to: slot of the node */
    bool last;
    bool synchronous; /* through memory: its sender waits until it is received */
};

/* A message at one of its ends: a send; a receive; or what arrived before its receive. */
struct carried_message {
    uint64_t bytes;    /* of the message, as far as that is known */
    uint64_t expected; /* a receive: what its program expects */
    uint64_t moved;    /* have arrived */
    uint32_t peer;     /* the other process */
    uint32_t number;   /* of the sender's messages */
    uint32_t streams;  /* a send: streams that have not left */
    uint32_t attachment, request;
    uint32_t notes; /* not yet received: the newest of its ring of notes */
    uint32_t next;
    bool synchronous; /* a send: over when it is received, not before */
};

struct carried_part {
    uint32_t *later;       /* [local], what is due later: through memory, or told early */
    struct slots notes;    /* struct carried_note */
    struct slots messages; /* struct carried_message */
    struct map incoming;   /* (process, source): the message whose packets are arriving */
    struct map asked;      /* (process, number): a send whose request was sent */
    struct map streaming;  /* (process, source, number): a receive that was answered */
    struct room room;      /* (process, other): for eager messages */
    const struct action_data **gate_data; /* [process], of its operation; NULL: it has none */
    uint64_t rail_streams, rail_messages;
} __attribute__((aligned(64)));

struct carried {
    fine_t send_time, receive_time;
    double byte_cycles, memory_byte_cycles, reduce_byte_cycles;
    double cycles_per_cycle; /* of the network, per cycle of the processor */
    struct carried_part *part;
};

static inline const struct carried *carried_of(const struct self *me)
{
    return me->all->carried;
}

static inline struct carried_part *part_of(const struct self *me)
{
    return &carried_of(me)->part[me->at.partition];
}

static inline struct carried_message *message_at(const struct carried_part *s, uint32_t index)
{
    return (struct carried_message *)s->messages.item + index;
}

static inline struct carried_note *note_at(const struct carried_part *s, uint32_t index)
{
    return (struct carried_note *)s->notes.item + index;
}

/* What is wrong with a restored partition; NULL: nothing. */
const char *carried_flaw(const struct processes *all, uint32_t partition);

#endif
