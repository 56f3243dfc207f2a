/*
 * What a process does next. Whoever carries messages asks a runner for one action after the other,
 * performs it in the processor's time, and asks again when it is done: so neither knows how the
 * other works. A runner plays scripts of steps (runners.c), or runs programs on fibers (task.h).
 */
#ifndef WEFT_MESSAGE_ACTION_H
#define WEFT_MESSAGE_ACTION_H

#include "base/file/archive.h"
#include "engine/fine.h"
#include "node/attachments.h"

enum action_kind {
    ACTION_SEND = 1,     /* starts to send a message */
    ACTION_RECEIVE = 2,  /* starts to receive one */
    ACTION_CO_START = 4, /* has the node's second core work for `cycles`, if it has nothing to do */
    ACTION_POLL = 8,     /* handles what has come, if anything */
    ACTION_PROBE = 16,   /* waits until a message has come that a receive would take */
    ACTION_WAIT = 32,    /* waits for messages, as it says, and for the second core */
    ACTION_COMBINE = 64, /* combines two vectors of `pass_bytes`, or works through one */
    ACTION_COPY = 128,   /* copies `pass_bytes` */
    ACTION_COMPUTE = 256,    /* works for `cycles` of the processor */
    ACTION_COLLECTIVE = 512, /* takes part in an operation of all, until it is over */
    ACTION_CANCEL = 1024, /* takes back the receive of `from_request`, if nothing has come for it */
    ACTION_STREAM = 2048, /* streams `pass_bytes` through memory, in or out */
    ACTION_END = 4096,
};

/* What a buffer is like. */
enum shape {
    SHAPE_UNALIGNED = 1,   /* to 16 bytes, as the network's registers are */
    SHAPE_STRIDED = 2,     /* not in one piece */
    SHAPE_LINES = 4,       /* in one piece, and begins with a cache line */
    SHAPE_SYNCHRONOUS = 8, /* a send: over when it has met its receive, not before */
};

#define NO_REQUEST UINT32_MAX

/* Who takes part in an operation of some processes, and which of theirs it is. Member i is process
 * base + list[i] or, without a list, base + first + i * stride. */
struct members {
    uint32_t size, me; /* how many, and which one this is */
    uint32_t base, first, stride;
    const uint32_t *list;
    const uint32_t *turns; /* [size]: the member of each turn; NULL: in a random order */
    uint32_t context; /* below CONTEXTS_MOST; 0: of all processes of a program or script, which are
                         numbered as they come; */
    uint32_t number;  /* else its number within the context */
};

enum { CONTEXTS_MOST = 1 << 23 };

static inline uint32_t member_process(const struct members *m, uint32_t member)
{
    return m->base + (m->list ? m->list[member] : m->first + member * m->stride);
}

/* The data of a collective operation, and what becomes of them. */
struct action_data {
    unsigned char *data;       /* combined or broadcast in place; all-to-all: what goes out */
    uint8_t operation, width;  /* enum nic_operation; bytes of an operand */
    unsigned char *in;         /* all-to-all: what comes in; */
    const uint64_t *out_bytes, /* [member]: bytes to and from each, and where they are */
        *out_at, *in_bytes, *in_at;
};

/* A single packet that a program takes, or sends if there is room, and what came of it. */
struct action_single {
    bool wait;  /* until there is one */
    bool there; /* the rest is set, then; it has been sent */
    uint32_t from, bytes, attachment;
};

/* What is to be done, in the order of enum action_kind. */
struct action {
    unsigned kinds; /* enum action_kind, as a mask */
    uint32_t to, from;
    uint64_t bytes, from_bytes;
    uint32_t context, tag;              /* a receive's; a send's are in its attachment */
    uint32_t attachment;                /* of a send; ATTACHMENT_NONE: nothing but its bytes */
    uint32_t request, from_request;     /* whom to tell when it is complete; NO_REQUEST: nobody */
    uint8_t shape, from_shape;          /* enum shape */
    uint32_t sends_left, receives_left; /* wait until no more are under way, */
    uint32_t watched;                   /* until so many requests are complete, */
    fine_t deadline; /* but no longer than until then, if `watched`; 0: however long it takes */
    fine_t until;    /* and not less than until then, */
    fine_t sleep;    /* or until then, handling what comes in the meantime */
    uint64_t pass_bytes;
    uint64_t pass_whole; /* of which these are a piece; 0: they are all */
    double cycles;
    double before;                  /* cycles of the processor that come first */
    uint8_t collective;             /* enum step_collective (node/program.h), of `bytes` */
    uint8_t fifo;                   /* of STEP_PACKET_OUT with `single`: it goes through */
    uint8_t tree_class;             /* of an operation on the tree: who takes part; 0: all */
    const struct action_data *data; /* of a collective operation; NULL: it has none */
    const struct members *members;  /* that take part; NULL: all processes do */
    struct action_single *single;   /* of STEP_PACKET_IN; of STEP_PACKET_OUT: if there is room */
    uint32_t root;
    uint64_t varied; /* of STEP_EACH (node/program.h) */
};

/* A process, as its partition numbers them, and in the whole machine. */
struct seat {
    uint32_t partition, index, rank;
};

/* What has come of a request. */
struct outcome_of {
    uint32_t peer;
    uint64_t bytes;      /* of the message */
    uint32_t attachment; /* of one that was received; ATTACHMENT_NONE: there is none */
    fine_t when;
    bool cancelled; /* a receive was taken back */
};

/* A call of another process (enum remote_kind) has come. */
struct remote_call {
    uint32_t peer, attachment;
    fine_t when;
    void *layer; /* of the reply: process_reply() */
};

struct runner {
    void *ctx;
    bool timely; /* a process is asked when its time has come; else as soon as that is known */
    bool timed;  /* waits may have deadlines */
    bool late;   /* a process may work after its last message: its end is part of the digest */
    /* Makes what it keeps for a partition, on the thread that will run it. */
    void (*prepare)(void *ctx, uint32_t partition, uint32_t processes);
    void (*next)(void *ctx, const struct seat *seat, fine_t now, struct action *action);
    /* A request is complete; true: the process waits for it. */
    bool (*complete)(void *ctx, const struct seat *seat, uint32_t request,
                     const struct outcome_of *outcome);
    /* Serves a call of another process. NULL: there are none. */
    void (*serve)(void *ctx, const struct seat *seat, const struct remote_call *call);
    /* The second core has done its work. NULL: it has never any. */
    void (*co_done)(void *ctx, const struct seat *seat);
    /* Saves or restores a partition; says what is wrong with it. NULL: it cannot be saved. */
    void (*archive)(void *ctx, uint32_t partition, struct archive *archive);
};

/* What a runner that comes from above this floor is told, when processes are made. */
struct runner_site {
    uint32_t partitions;
    struct attachments *attachments;
    double clock_hz;           /* of a processor */
    double cycles_per_us;      /* of the network */
    uint32_t first, processes; /* that it runs */
};

/* Makes such a runner; its owner ends it. */
struct runner_maker {
    struct runner (*make)(void *arg, const struct runner_site *site); /* NULL: there is none */
    void *arg;
};

#endif
