/*
 * Who runs the processes of a machine: a script (script.h), programs on fibers (task.h), a runner
 * from above (action.h), or, where several jobs share the machine, one for some of them and others
 * for the rest.
 */
#ifndef WEFT_MESSAGE_RUNNERS_H
#define WEFT_MESSAGE_RUNNERS_H

#include "message/script.h"
#include "message/task.h"

struct runners;

/* The script is for processes whose group has no program and no runner; without groups, for all. */
struct runners *runners_create(const struct program *script, const struct tasks_options *tasks);
void runners_destroy(struct runners *runners);
struct runner runners_runner(struct runners *runners);

#endif
