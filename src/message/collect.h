/*
 * Collective operations that programs call (weft_program.h): over messages, by schedules
 * (schedule.h); by packets of the message layer; or by the machine's own networks.
 */
#ifndef WEFT_MESSAGE_COLLECT_H
#define WEFT_MESSAGE_COLLECT_H

#include "message/task.h"

/* The table of calls that every program gets. */
extern const weft_calls program_calls;

/* Whether gates combine vectors of this many elements, for all processes. */
bool collect_gates(weft_task *t, size_t count);

void collect_barrier(weft_task *t);

/* data NULL, with bytes: the machine is given a length, and no data. */
void collect_broadcast(weft_task *t, uint32_t root, void *data, size_t bytes);
void collect_reduce(weft_task *t, uint32_t root, void *data, size_t count, weft_type type,
                    weft_operation operation);
void collect_allreduce(weft_task *t, void *data, size_t count, weft_type type,
                       weft_operation operation);

/* The same over the tree, of the processes of a class's nodes; the root is a process. */
void collect_class_broadcast(weft_task *t, unsigned class, uint32_t root, void *data, size_t bytes);
void collect_class_allreduce(weft_task *t, unsigned class, uint32_t size, void *data, size_t count,
                             weft_type type, weft_operation operation);

void collect_allgather(weft_task *t, void *data, size_t bytes);
void collect_alltoall(weft_task *t, const weft_parts *out, const weft_parts *in);

/* An all-to-all of some processes of the program, by packets (TASK_EACH). */
void collect_each(weft_task *t, const struct members *members, const weft_parts *out,
                  const weft_parts *in);

#endif
