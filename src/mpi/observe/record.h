/* Logs messages and collective operations of a rank, if its run is to be traced. */
#ifndef WEFT_MPI_OBSERVE_RECORD_H
#define WEFT_MPI_OBSERVE_RECORD_H

#include <stddef.h>

#include "mpi/collective/collective.h"

struct mpi_message;
struct task_outcome;

/* A message, as the program describes it, starts; returns the entry, for its end. And
 * what came of it (NULL: it was sent). What MPI_Finalize() finds over was not waited for. */
size_t record_start(struct rank *r, bool receives, const struct mpi_message *m);
void record_end(struct rank *r, size_t entry, const struct comm *c, const struct task_outcome *o);

/* The same of one that the program has not waited for. */
void record_settle(struct rank *r, size_t entry, const struct comm *c,
                   const struct task_outcome *o);

/* The same for a message that was probed for: its receive starts, or ends. */
void record_match(struct rank *r, bool ends, const struct comm *c, const struct task_outcome *o);

/* It looks for a message, or waits for one: returns the entry; and what has come
 * (NULL: nothing). And it looks whether anything has come. */
struct task_address;
size_t record_probe(struct rank *r, const struct comm *c, const struct task_address *from,
                    bool wait);
void record_probed(struct rank *r, size_t entry, const struct task_outcome *o);
void record_poll(struct rank *r);

/* A collective operation starts; returns its number, if it is nonblocking, for its end. */
uint32_t record_operation(struct rank *r, const struct comm *c, enum call call,
                          const struct operands *o);
void record_operation_end(struct rank *r, enum call call, uint32_t number);

/* One that traces have no name for is noted message by message: to or from a process, with a tag of
 * the communicator's operations. Returns the entry, for record_end(). */
bool record_has_name(const struct comm *c, enum call call);
size_t record_step(struct rank *r, bool receives, const struct comm *c, uint32_t process,
                   uint32_t tag, uint64_t bytes);

#endif
