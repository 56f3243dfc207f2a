/*
 * Runs programs on fibers: every process has a stack of its own, and its calls (weft_program.h)
 * become actions. A fiber runs on the thread of its partition, and only when its process's time has
 * come: so a program that tests or probes never sees the future, and gives one result on any number
 * of threads. The state of fibers cannot be saved.
 */
#ifndef WEFT_MESSAGE_TASK_H
#define WEFT_MESSAGE_TASK_H

#include "message/action.h"
#include "message/mapping.h"
#include "topology/torus.h"
#include "weft_program.h"

/* What collective operations of programs use. */
enum collectives {
    COLLECTIVES_AUTO, /* the machine's own networks, if it has some; else messages */
    COLLECTIVES_MESSAGES,
    COLLECTIVES_PACKETS, /* of the message layer, where it can: broadcasts and all-to-alls */
    COLLECTIVES_TREE,
};

struct task_program {
    void (*main)(weft_task *t); /* NULL: no program */
    int argc;
    char **argv;
    uint32_t stack_bytes;
    enum collectives collectives;
};

struct tasks_options {
    struct task_program program;
    const struct mapping *mapping;
    const struct torus *torus; /* NULL: nodes have no coordinates */
    struct letters *letters;
    uint32_t processes, per_node, partitions;
    uint32_t line_bytes;  /* of a cache */
    double clock_hz;      /* of a processor */
    double cycles_per_us; /* of the network */
    bool coprocessor;     /* a second core can do transient work */
    uint32_t offers;      /* enum task_offer */
    const struct schedule_limits *limits;
    const weft_calls *calls;
};

/* What collective operations can use, besides messages. */
enum task_offer {
    TASK_TREE = 1,    /* the machine's tree network and global interrupts */
    TASK_PACKETS = 2, /* packets of the message layer */
};

struct tasks;

struct tasks *tasks_create(const struct tasks_options *options);
void tasks_destroy(struct tasks *tasks);
struct runner tasks_runner(struct tasks *tasks);

/* ---- what a program can do: on its own fiber ---- */

/* Only messages of one context meet; programs have 0. */
weft_request task_send(weft_task *t, uint32_t context, uint32_t to, uint32_t tag,
                       const weft_data *data);
weft_request task_receive(weft_task *t, uint32_t context, uint32_t from, uint32_t tag,
                          const weft_data *data);
void task_wait(weft_task *t, const weft_request *request, size_t count, weft_info *info);
size_t task_wait_any(weft_task *t, const weft_request *request, size_t count, weft_info *info);
int task_test(weft_task *t, weft_request request, weft_info *info);
int task_probe(weft_task *t, uint32_t from, uint32_t tag, int wait, weft_info *info);
void task_compute(weft_task *t, double cycles);
void task_combine(weft_task *t, uint64_t bytes); /* two vectors, or works through one */
void task_copy(weft_task *t, void *to, const void *from, size_t bytes);
double task_seconds(weft_task *t);
void *task_alloc(weft_task *t, size_t bytes);
void task_release(weft_task *t, void *memory);
void task_give_up(weft_task *t, const char *text);
void task_co_start(weft_task *t, void (*work)(void *arg), void *arg, double cycles);
void task_co_join(weft_task *t);

/* Any action; what a collective operation can use. */
void task_act(weft_task *t, const struct action *action);
uint32_t task_offers(weft_task *t);
const struct schedule_limits *task_limits(weft_task *t);

#endif
