/*
 * Tasks from inside: what a process's program has asked for, and has not got yet. Private to this
 * folder; message/task.h has what others see.
 *
 *   runner.c    life, and the process's next action
 *   requests.c  sends, receives, waiting and probing
 *   calls.c     what else a program can call
 */
#ifndef WEFT_MESSAGE_TASK_TASKS_H
#define WEFT_MESSAGE_TASK_TASKS_H

#include "base/slots.h"
#include "message/layer.h"
#include "message/task.h"

struct request {
    weft_data data;                                                        /* of a receive, */
    void (*scatter)(void *arg, const unsigned char *from, uint64_t bytes); /* or its owner's way; */
    void *arg;
    uint64_t room; /* for so many bytes */
    struct task_outcome outcome;
    fine_t when;
    uint32_t context, peer, tag; /* as it was posted */
    uint32_t next;
    uint32_t owner; /* its task, as the partition numbers them */
    bool used, receives, done, watched, listed;
};

/* Memory that alloc() gave, behind a header of a cache line. */
struct task_block {
    struct task_block *next;
    size_t bytes;
};

enum { HEADER = 64, QUEUE = 8 };

struct task {
    weft_task face; /* what the program sees; first, so that it leads here */
    struct tasks *all;
    const struct task_group *group;
    uint32_t partition, index;
    struct action *action; /* to be filled in, while its fiber runs */
    struct action *queue;  /* [QUEUE], what it is to do next; made when it is first used */
    uint8_t queued, taken; /* so many, of which the first have begun */
    double owed;           /* cycles of the processor */
    uint32_t asked;        /* actions so far */
    uint32_t ends, room;
    fine_t *end; /* [ends], when it began, and when each action ended, if the program is timed */
    fine_t now;
    void (*co_work)(void *arg);
    void *co_arg;
    double co_cycles;
    struct task_block *blocks;
    bool co_pending, co_works, started, over, ending, failed;
};

struct task_part {
    struct task *task; /* [process] */
    struct fibers *fibers;
    struct slots requests; /* struct request */
    uint32_t processes;
} __attribute__((aligned(64)));

struct tasks {
    struct tasks_options o;
    uint32_t stack_bytes; /* the most that a program needs */
    double seconds_per_fine;
    struct task_part *part;
};

/* A process of the task's own program, as all are numbered, and back; WEFT_ANY stays as it is. */
static inline uint32_t outside(const struct task *t, uint32_t process)
{
    return process == WEFT_ANY ? process : t->group->first + process;
}

static inline uint32_t inside(const struct task *t, uint32_t process)
{
    return process == WEFT_ANY ? process : process - t->group->first;
}

static inline struct task *task_of(weft_task *face)
{
    return (struct task *)face;
}

static inline struct task_part *part_of(const struct task *t)
{
    return &t->all->part[t->partition];
}

static inline struct request *request_at(const struct task *t, uint32_t index)
{
    return (struct request *)part_of(t)->requests.item + index;
}

/* A wait without a condition; callers add theirs. */
static const struct action plain_wait = {
    .kinds = ACTION_WAIT, .sends_left = ANY_NUMBER, .receives_left = ANY_NUMBER};

/* ---- calls.c ---- */

/* Has the process do something; comes back when it is done. */
void task_ask(struct task *t, const struct action *action);

/* Has it do something that the program need not wait for: a few of these take one change of stacks.
 * (Eight: 1.4 times as many messages of a halo exchange per CPU second.) */
void task_ask_later(struct task *t, const struct action *action);

/* Ends the run: the program has done something that it must not do. */
_Noreturn void task_quit(struct task *t, const char *text);

/* Of struct runner: the second core's work is done. */
void task_co_done(void *ctx, const struct seat *seat);

/* ---- requests.c ---- */

/* Of struct runner: a call has come. */
void task_serve(void *ctx, const struct seat *seat, const struct remote_call *call);

/* Of struct runner: a request is done. */
bool task_complete(void *ctx, const struct seat *seat, uint32_t index,
                   const struct outcome_of *outcome);

#endif
