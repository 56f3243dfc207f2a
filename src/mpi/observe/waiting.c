/* A list that grows. */
#include "mpi/observe/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void waiting_init(struct waiting *w)
{
    w->id = w->few;
    w->count = 0;
    w->room = sizeof(w->few) / sizeof(w->few[0]);
}

void waiting_fini(struct waiting *w)
{
    if (w->id != w->few)
        free(w->id);
}

void waiting_add(struct waiting *w, weft_request id)
{
    if (w->count == w->room) {
        weft_request *more = memory_alloc(2 * w->room, sizeof(*more));
        memcpy(more, w->id, w->count * sizeof(*more));
        waiting_fini(w);
        w->id = more;
        w->room *= 2;
    }
    w->id[w->count++] = id;
}
