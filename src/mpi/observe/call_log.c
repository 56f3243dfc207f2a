/* Entries of a call log. */
#define _GNU_SOURCE
#include "mpi/observe/call_log.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/memory.h"

size_t call_log_add(struct call_log *d, const struct logged_call *entry)
{
    LIST_RESERVE(d->entry, d->count + 1, d->room);
    d->entry[d->count] = *entry;
    d->entry[d->count].first = !d->calls || d->count == d->call_began;
    return d->count++;
}

void call_log_compute(struct call_log *d, double cycles, bool calls)
{
    struct logged_call *last = d->count ? &d->entry[d->count - 1] : NULL;
    if (last && last->kind == LOGGED_COMPUTE && last->calls == calls)
        last->cycles += cycles;
    else
        call_log_add(
            d, &(struct logged_call){.kind = LOGGED_COMPUTE, .calls = calls, .cycles = cycles});
}

void call_log_size(struct call_log *d, uint64_t bytes)
{
    *LIST_ADD(d->size, d->sizes, d->size_room) = bytes;
}

void call_log_comm(struct call_log *d, const struct logged_comm *comm)
{
    LIST_RESERVE(d->comm, d->comms + 1, d->comm_room);
    call_log_add(d, &(struct logged_call){.kind = LOGGED_COMM, .comm = d->comms});
    d->comm[d->comms++] = *comm;
}

void call_log_drop(struct call_log *d, struct groups *groups)
{
    for (size_t i = 0; i < d->comms; i++) {
        group_release(groups, d->comm[i].group);
        group_release(groups, d->comm[i].remote);
    }
    free(d->entry);
    free(d->comm);
    free(d->size);
    *d = (struct call_log){.entry = NULL};
}
