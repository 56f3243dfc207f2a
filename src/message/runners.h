/*
 * Who runs the processes of a machine: scripts, programs on fibers (task.h), a runner from above
 * (action.h), or, where several jobs share the machine, one for some of them and others for the
 * rest.
 *
 * A script is a program of messages (node/program.h) whose steps are pure functions. In a step a
 * process sends a message, or receives one, or both at once; then it waits, and combines. Steps
 * with times of their own begin at those times; until then the process handles what comes.
 */
#ifndef WEFT_MESSAGE_RUNNERS_H
#define WEFT_MESSAGE_RUNNERS_H

#include "message/task.h"
#include "node/program.h"

struct runners;

/* The script is for processes whose group has no program and no runner; without groups, for all. */
struct runners *runners_create(const struct program *script, const struct tasks_options *tasks);
void runners_destroy(struct runners *runners);
struct runner runners_runner(struct runners *runners);

#endif
