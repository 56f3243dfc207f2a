/* Lists of deeds. */
#define _GNU_SOURCE
#include "mpi/observe/deeds.h"

#include <stdlib.h>

#include "base/memory.h"

size_t deeds_add(struct deeds *d, const struct deed *deed)
{
    if (d->count == d->room) {
        d->room = d->room ? 2 * d->room : 64;
        d->deed = memory_grow(d->deed, d->room, sizeof(*d->deed));
    }
    d->deed[d->count] = *deed;
    d->deed[d->count].first = !d->calls || d->count == d->call_began;
    return d->count++;
}

void deeds_compute(struct deeds *d, double cycles, bool calls)
{
    struct deed *last = d->count ? &d->deed[d->count - 1] : NULL;
    if (last && last->kind == DEED_COMPUTE && last->calls == calls)
        last->cycles += cycles;
    else
        deeds_add(d, &(struct deed){.kind = DEED_COMPUTE, .calls = calls, .cycles = cycles});
}

void deeds_size(struct deeds *d, uint64_t bytes)
{
    if (d->sizes == d->size_room) {
        d->size_room = d->size_room ? 2 * d->size_room : 64;
        d->size = memory_grow(d->size, d->size_room, sizeof(*d->size));
    }
    d->size[d->sizes++] = bytes;
}

void deeds_comm(struct deeds *d, const struct deed_comm *comm)
{
    if (d->comms == d->comm_room) {
        d->comm_room = d->comm_room ? 2 * d->comm_room : 4;
        d->comm = memory_grow(d->comm, d->comm_room, sizeof(*d->comm));
    }
    deeds_add(d, &(struct deed){.kind = DEED_COMM, .comm = d->comms});
    d->comm[d->comms++] = *comm;
}

void deeds_drop(struct deeds *d, struct groups *groups)
{
    for (size_t i = 0; i < d->comms; i++) {
        group_release(groups, d->comm[i].group);
        group_release(groups, d->comm[i].remote);
    }
    free(d->deed);
    free(d->comm);
    free(d->size);
    *d = (struct deeds){.deed = NULL};
}
