/* Memory of the program for messages that are sent from there: of a rank, a communicator or a
 * session. */
#include "mpi/call.h"
#include "mpi/object/request.h"
#include "mpi/object/session.h"

static struct send_buffer *choose(struct rank *r, struct comm *c, struct mpi_session *s)
{
    return c ? &c->buffer : s ? &s->buffer : &r->buffer;
}

int buffer_attach(struct rank *r, struct comm *c, struct mpi_session *s, void *buffer,
                  MPI_Count size)
{
    struct send_buffer *b = choose(r, c, s);
    if (size < 0)
        return error_raise(r, c, MPI_ERR_ARG, "the size is %lld", (long long)size);
    if (b->bytes)
        return error_raise(r, c, MPI_ERR_BUFFER, "there is a buffer already");
    b->at = buffer;
    b->bytes = buffer == MPI_BUFFER_AUTOMATIC ? UINT64_MAX / 2 : (uint64_t)size;
    return MPI_SUCCESS;
}

int buffer_detach(struct rank *r, struct comm *c, struct mpi_session *s, void *buffer,
                  MPI_Count *size)
{
    struct send_buffer *b = choose(r, c, s);
    request_drain(r, b);
    *(void **)buffer = b->at;
    *size = b->at == MPI_BUFFER_AUTOMATIC ? 0 : (MPI_Count)b->bytes;
    *b = (struct send_buffer){.at = NULL};
    return MPI_SUCCESS;
}

/* request: the program waits. */
int buffer_flush(struct rank *r, struct comm *c, struct mpi_session *s, MPI_Request *request)
{
    struct send_buffer *b = choose(r, c, s);
    if (!request) {
        request_drain(r, b);
        return MPI_SUCCESS;
    }
    struct mpi_request *q = request_new(r, REQUEST_FLUSH, NULL);
    q->buffer = b;
    request_start(r, q);
    *request = request_give(r, q);
    return MPI_SUCCESS;
}
