/*
 * Processes that exchange messages over any nic. What a process does is a program of messages
 * (node/program.h): in a step it sends one message, or receives one, or both at once, then works;
 * the next step begins when all of that is done. Messages from one process to another match in
 * order.
 *
 * How a message travels depends on what the nic can do: a carrier for each sort of nic is in a
 * folder of its own (engine/, packets/).
 */
#ifndef WEFT_MESSAGE_PROCESS_H
#define WEFT_MESSAGE_PROCESS_H

#include "message/options.h"

struct processes;

struct processes *processes_create(const struct processes_options *options);
void processes_destroy(struct processes *processes);
struct nic_client processes_client(struct processes *processes);
void processes_archive(struct processes *processes, struct archive *archive);

/* What those that have not ended wait for; the first few of them. Returns the text's length. */
size_t processes_explain(const struct processes *processes, char *text, size_t size);

/* All ranks must call these: for all processes; and for some of them, without the carrier's own
 * figures. */
struct processes_result processes_result(const struct processes *processes);
struct processes_result processes_result_of(const struct processes *processes, uint32_t first,
                                            uint32_t count);

#endif
