/* Series as requests. */
#define _GNU_SOURCE
#include "mpi/collective/perform.h"

#include "base/memory.h"
#include "mpi/object/request.h"

int series_perform(struct rank *r, struct series *s, MPI_Request *request)
{
    struct mpi_request here, *q = &here;
    struct mpi_message on = {.comm = s->comm};
    if (request)
        q = memory_alloc(1, sizeof(*q));
    request_init(q, REQUEST_SERIES, &on);
    q->series = s;
    if (s->size == 1 && !s->comm->remote)
        s->used = USED_ALONE;
    request_start(r, q);
    if (request) {
        *request = request_give(r, q);
        return MPI_SUCCESS;
    }
    request_wait_all(r, &q, 1);
    struct comm *c = comm_hold(s->comm);
    int error = error_pass_on(r, c, s->error);
    request_fini(r, q);
    comm_release(r, c);
    return error;
}

void series_run(struct rank *r, struct comm *c, const struct operands *o,
                void (*start)(struct series *s))
{
    struct series *s = series_new(r, c, r->call, o);
    start(s);
    series_perform(r, s, NULL);
}
