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

struct task_program {
    void (*main)(weft_task *t); /* NULL: no program */
    int argc;
    char **argv;
    uint32_t stack_bytes;
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
};

struct tasks;

struct tasks *tasks_create(const struct tasks_options *options);
void tasks_destroy(struct tasks *tasks);
struct runner tasks_runner(struct tasks *tasks);

#endif
