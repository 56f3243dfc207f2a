/* What the message layer is asked to wait for: a list that is short most of the time. */
#ifndef WEFT_MPI_OBSERVE_WAITING_H
#define WEFT_MPI_OBSERVE_WAITING_H

#include <stddef.h>

#include "weft_program.h"

struct waiting {
    weft_request *id;
    size_t count, room;
    weft_request few[16];
};

void waiting_init(struct waiting *w);
void waiting_fini(struct waiting *w);
void waiting_add(struct waiting *w, weft_request id);

#endif
