/* Lists of log. */
#define _GNU_SOURCE
#include "mpi/observe/call_log.h"

#include <stdlib.h>

#include "base/memory.h"

size_t call_log_add(struct call_log *d, const struct logged_call *entry)
{
    if (d->count == d->room) {
        d->room = d->room ? 2 * d->room : 64;
        d->entry = memory_grow(d->entry, d->room, sizeof(*d->entry));
    }
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
    if (d->sizes == d->size_room) {
        d->size_room = d->size_room ? 2 * d->size_room : 64;
        d->size = memory_grow(d->size, d->size_room, sizeof(*d->size));
    }
    d->size[d->sizes++] = bytes;
}

void call_log_comm(struct call_log *d, const struct logged_comm *comm)
{
    if (d->comms == d->comm_room) {
        d->comm_room = d->comm_room ? 2 * d->comm_room : 4;
        d->comm = memory_grow(d->comm, d->comm_room, sizeof(*d->comm));
    }
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
