/*
 * Runs programs on fibers: every process has a stack of its own, and its calls (weft_program.h)
 * become actions. A fiber runs on the thread of its partition, and only when its process's time has
 * come: so a program that tests or probes never sees the future, and gives one result on any number
 * of threads. The state of fibers cannot be saved.
 */
#ifndef WEFT_MESSAGE_TASK_H
#define WEFT_MESSAGE_TASK_H

#include <stdbool.h>

#include "message/action.h"
#include "message/mapping.h"
#include "message/order.h"
#include "topology/torus/torus.h"
#include "weft_program.h"

/* What collective operations of programs use. */
enum collectives {
    COLLECTIVES_AUTO, /* the machine's own networks, and all-to-alls by packets; else messages */
    COLLECTIVES_MESSAGES,
    COLLECTIVES_PACKETS, /* of the message layer, where it can: broadcasts and all-to-alls */
    COLLECTIVES_TREE,
    COLLECTIVES_GATES,
};

struct task_served;

struct task_program {
    void (*main)(weft_task *t); /* NULL: no program */
    void *arg;                  /* its own: task_argument() */
    /* A process's fiber is about to run on this thread, and has stopped. NULL: nobody asks. */
    void (*enter)(void *arg, uint32_t process);
    void (*leave)(void *arg, uint32_t process);
    /* Serves a call of another process (task_call()), outside of the process's fiber. NULL: nobody
     * calls. */
    void (*serve)(void *arg, uint32_t process, const struct task_served *call);
    /* Ends the run, outside of the process's fiber, by its mistake. NULL: this is done here. */
    void (*fail)(void *arg, uint32_t process, const char *text);
    int argc;
    char **argv;
    uint32_t stack_bytes;
    bool timed; /* task_moment() will be asked for */
    bool stays; /* a process must not change threads: its code may know where one's data are */
    enum collectives collectives;
};

/* Processes of one program: all of them, or those of a job among others. A program numbers its own
 * processes and nodes from 0, and knows of no others. */
struct task_group {
    struct task_program program; /* without a main(), a script runs them, */
    struct runner_maker own;     /* or a runner of their own */
    uint32_t first, processes;   /* which ones of all they are */
    const struct mapping *mapping;
    const struct send_order *order; /* of their all-to-alls */
    uint32_t per_node;
    const struct torus *torus; /* NULL: its nodes have no coordinates */
    uint32_t part;             /* the job's number; 0: there is no other */
    bool apart;                /* it draws as if there were no other (process_drawn()) */
};

/* The group of a process: groups have all of them, in order. */
const struct task_group *task_group_of(const struct task_group *group, uint32_t groups,
                                       uint32_t process);

/* "process 7" or, of several jobs, "process 7 of part 2"; for complaints. */
enum { TASK_NAME = 48 };
const char *task_name(const struct task_group *group, uint32_t process, char text[TASK_NAME]);

struct tasks_options {
    const struct task_group *group; /* kept by their owner */
    uint32_t groups;
    struct attachments *attachments;
    uint32_t partitions;
    uint32_t line_bytes;   /* of a cache */
    uint32_t piece_bytes;  /* that go through memory at once; 0: any number */
    double clock_hz;       /* of a processor */
    double cycles_per_us;  /* of the network */
    bool coprocessor;      /* a second core can do transient work */
    uint32_t offers;       /* enum task_offer: what the machine has */
    uint32_t packet_bytes; /* data of a packet that a processor writes itself; 0: it writes none */
    uint32_t packet_fifos; /* injection FIFOs that a process has for such packets */
    uint32_t tree_packet_bytes; /* the same of the tree */
    bool has_io;                /* processes can call I/O nodes */
    const struct schedule_limits *limits;
    const weft_calls *calls;
    /* The class of the tree's packets whose nodes' processes are exactly these; 0: there is none.
     */
    unsigned (*tree_class)(const void *arg, const struct members *members);
    /* How a message of so many bytes, of a buffer of this shape, goes. */
    enum task_way (*way)(const void *arg, uint64_t bytes, uint8_t shape);
    fine_t (*settling)(const void *arg); /* task_settling() */
    const void *way_arg;
    void (*reply)(void *layer, uint32_t peer, uint32_t attachment, fine_t when);
};

/* What collective operations can use, besides messages. */
enum task_offer {
    TASK_TREE = 1,  /* the machine's tree network and global interrupts */
    TASK_FLOOD = 2, /* packets of the message layer that leave copies: broadcasts to all nodes */
    TASK_EACH = 4,  /* and those that go to one process each: all-to-alls of any processes */
    TASK_GATES = 8, /* gates, for barriers and for a few operands */
};

/* How a message goes. */
enum task_way { WAY_ONE_PACKET, WAY_EAGER, WAY_ADAPTIVE, WAY_RENDEZVOUS };

struct tasks;

struct tasks *tasks_create(const struct tasks_options *options);
void tasks_destroy(struct tasks *tasks);
struct runner tasks_runner(struct tasks *tasks);

/* ---- what a program can do: on its own fiber ---- */

/* With whom a message is exchanged. Only messages of one context meet; programs have 0. */
struct task_address {
    uint32_t context, peer, tag;
};

/* What has come. */
struct task_outcome {
    uint32_t source, tag;
    uint64_t bytes;     /* of the message, which may be more than there was room for */
    uint64_t signature; /* of its data, as the sender had it */
    bool cancelled;     /* nothing has come */
};

/* Data that are more than blocks: copied by their owner, who keeps `arg` until the request ends.
 * Without functions, a message has a length and no data. */
struct task_parcel {
    uint64_t bytes;     /* to be sent, or room to receive */
    uint8_t shape;      /* enum shape */
    uint64_t signature; /* to be sent: a word about the data */
    void (*gather)(void *arg, unsigned char *to);
    void (*scatter)(void *arg, const unsigned char *from, uint64_t bytes);
    void *arg;
};

weft_request task_send(weft_task *t, uint32_t context, uint32_t to, uint32_t tag,
                       const weft_data *data);
weft_request task_receive(weft_task *t, uint32_t context, uint32_t from, uint32_t tag,
                          const weft_data *data);
weft_request task_send_parcel(weft_task *t, const struct task_address *to,
                              const struct task_parcel *parcel);
weft_request task_receive_parcel(weft_task *t, const struct task_address *from,
                                 const struct task_parcel *parcel);

/*
 * Calls: data go to a process whose program does not wait for them. Its serve() gets them, outside
 * of the fiber, at the simulated time at which they have come, and replies at once or in a later
 * call. The caller's request ends with the reply.
 *
 *   caller    task_call ───────────────> ... over
 *   called              ──> serve ── task_reply ──┘
 */
struct task_call {
    struct task_parcel out, in; /* what goes there, and room for the reply */
    const void *what;           /* for serve() */
    uint8_t shape;              /* of the memory there (enum shape) */
    bool direct;                /* engines serve it, where there are any */
    bool combines;              /* its data are combined with what is there, by the processor */
};
weft_request task_call(weft_task *t, uint32_t to, const struct task_call *call);

/* Who waits for a reply. */
struct task_caller {
    uint32_t process, number;
    bool direct;
};

struct task_served {
    struct task_caller caller;
    const void *what;
    const unsigned char *data;
    uint64_t bytes;
    fine_t when;
    weft_task *task;
    void *layer;
};

/* Replies to a call, while this or another one is served. `tag` goes with the data. */
void task_reply(const struct task_served *now, const struct task_caller *to, uint32_t tag,
                const struct task_parcel *parcel);

/* Waits until all or one of several requests are over, or for one of them, but no longer than until
 * a time; asks whether one is, which takes no time; handles what has come, which does; and ends a
 * request that is over. */
void task_wait_all(weft_task *t, const weft_request *request, size_t count);
void task_wait_one(weft_task *t, const weft_request *request, size_t count);
void task_wait_until(weft_task *t, const weft_request *request, size_t count, fine_t when);
bool task_is_over(weft_task *t, weft_request request);
void task_poll(weft_task *t);
void task_end(weft_task *t, weft_request request, struct task_outcome *outcome);

/* At the end of the run: whether a request that was not ended is over, and what came of it; its
 * process may have waited for nothing since. */
bool task_came_to(weft_task *t, weft_request request, struct task_outcome *outcome);

/* Takes back a receive that no message has come for; if one has, it is received. */
void task_cancel(weft_task *t, weft_request request);

/* Looks for a message, or waits for one, which stays; false: there is none. */
bool task_look(weft_task *t, const struct task_address *from, bool wait,
               struct task_outcome *outcome);

void task_wait(weft_task *t, const weft_request *request, size_t count, weft_info *info);
size_t task_wait_any(weft_task *t, const weft_request *request, size_t count, weft_info *info);
int task_test(weft_task *t, weft_request request, weft_info *info);
int task_probe(weft_task *t, uint32_t from, uint32_t tag, int wait, weft_info *info);
void task_compute(weft_task *t, double cycles);
void task_combine(weft_task *t, uint64_t bytes); /* two vectors, or works through one */
void task_copy(weft_task *t, void *to, const void *from, size_t bytes);
void task_work_through(weft_task *t, uint64_t bytes); /* as a copy of them */
void task_stream(weft_task *t, uint64_t bytes);
double task_seconds(weft_task *t);
double task_reached(weft_task *t); /* at least: it does not wait for what was asked for last */
fine_t task_length(const weft_task *t, double seconds);

/* How long a process must sleep so that whatever processes did before it began to sleep has been
 * done, on all threads. */
fine_t task_settling(const weft_task *t);

/* Work that is done before whatever the process does next: for calls that are too short to stop
 * for. Clocks know of it at once. */
void task_owe(weft_task *t, double cycles);

/* A moment of the program's, which does not wait for what was asked for last; and, at the end of
 * the run, what time it was. */
struct task_moment {
    uint32_t actions; /* asked for by then */
    float owed;       /* cycles */
};
struct task_moment task_moment(weft_task *t);
double task_seconds_at(weft_task *t, struct task_moment moment);

void *task_alloc(weft_task *t, size_t bytes);
void task_release(weft_task *t, void *memory);
void task_give_up(weft_task *t, const char *text);

/* Ends the run with this thread's last failure, and the program with a code (0: with none), unless
 * another process has failed before. The failure is to be told of after the process has caught up
 * with its program. */
_Noreturn void task_fail(weft_task *t, int code);

/* The same of a process of its group, which need not be this one, and at another time; only if
 * `stops` does this one not go on. */
void task_fail_as(weft_task *t, uint32_t process, fine_t when, int code, bool stops);
fine_t task_now(const weft_task *t); /* when it last went on */
void task_catch_up(weft_task *t);
void task_co_start(weft_task *t, void (*work)(void *arg), void *arg, double cycles);
void task_co_join(weft_task *t);

/* Single packets, below the message layer. */
void task_send_packet(weft_task *t, uint32_t to, const void *data, uint32_t bytes);
int task_try_packet(weft_task *t, uint32_t fifo, uint32_t to, const void *data, uint32_t bytes);
int task_receive_packet(weft_task *t, void *data, uint32_t room, int wait, weft_info *info);
void task_send_tree_packet(weft_task *t, uint32_t to, const void *data, uint32_t bytes);
int task_receive_tree_packet(weft_task *t, void *data, uint32_t room, int wait, weft_info *info);

/* Calls to the I/O node of the process's node. */
void task_write_out(weft_task *t, uint64_t bytes);
void task_read_in(weft_task *t, uint64_t bytes);

void *task_argument(weft_task *t);
uint32_t task_stack(weft_task *t); /* bytes */
uint32_t task_first(weft_task *t); /* the program's first process, as all are numbered */

/* Any action; what a collective operation can use. */
void task_act(weft_task *t, const struct action *action);
uint32_t task_offers(weft_task *t);
unsigned task_tree_class(weft_task *t, const struct members *members); /* 0: none is theirs */
enum task_way task_way(weft_task *t, uint64_t bytes, uint8_t shape);
const struct schedule_limits *task_limits(weft_task *t);
const struct send_order *task_order(weft_task *t); /* of all-to-alls; NULL: as is usual */

#endif
