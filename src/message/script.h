/*
 * Runs scripts: programs of messages (node/program.h) whose steps are pure functions. In a step a
 * process sends a message, or receives one, or both at once; then it waits, and combines. Steps
 * with times of their own begin at those times; until then the process handles what comes.
 */
#ifndef WEFT_MESSAGE_SCRIPT_H
#define WEFT_MESSAGE_SCRIPT_H

#include "message/action.h"
#include "node/program.h"

struct scripts;

struct scripts *scripts_create(const struct program *program, uint32_t partitions);
void scripts_destroy(struct scripts *scripts);
struct runner scripts_runner(struct scripts *scripts);

#endif
