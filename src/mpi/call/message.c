/* Sending and receiving: MPI's chapter on point-to-point communication. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/observe/record.h"
#include "mpi/object/request.h"

/* ---- arguments ---- */

static int check_peer(struct rank *r, struct comm *c, int peer, bool receives)
{
    uint32_t size = comm_peer_group(c)->size;
    if (peer == MPI_PROC_NULL || (receives && peer == MPI_ANY_SOURCE) ||
        (peer >= 0 && (uint32_t)peer < size))
        return MPI_SUCCESS;
    return error_raise(r, c, MPI_ERR_RANK, "rank %d, of a communicator with %u", peer, size);
}

static int check_tag(struct rank *r, struct comm *c, int tag, bool receives)
{
    if (tag >= 0 || (receives && tag == MPI_ANY_TAG))
        return MPI_SUCCESS;
    return error_raise(r, c, MPI_ERR_TAG, "tag %d", tag);
}

/* What a call describes, checked. */
static int describe(struct rank *r, bool receives, const void *at, int64_t count, MPI_Datatype type,
                    int peer, int tag, struct comm *c, struct mpi_message *m)
{
    *m =
        (struct mpi_message){.at = (void *)at, .count = count, .comm = c, .peer = peer, .tag = tag};
    if (peer == MPI_PROC_NULL && type == MPI_DATATYPE_NULL) /* of data that go nowhere */
        type = MPI_BYTE;
    TRY_MPI(find_data(r, c, count, type, &m->type));
    TRY_MPI(check_peer(r, c, peer, receives));
    TRY_MPI(check_tag(r, c, tag, receives));
    if (!at && count && m->type->size && m->type->true_low >= 0 && m->type->true_low < 4096 &&
        peer != MPI_PROC_NULL)
        return error_raise(r, c, MPI_ERR_BUFFER, "the buffer is NULL");
    return MPI_SUCCESS;
}

static enum request_kind kind_of(const struct mpi_message *m, bool receives)
{
    return m->peer == MPI_PROC_NULL ? REQUEST_NOTHING : receives ? REQUEST_RECEIVE : REQUEST_SEND;
}

/* ---- blocking ---- */

/* Waits for a request that has no handle, and takes its result. */
static int finish_now(struct rank *r, struct mpi_request *q, MPI_Status *status)
{
    struct comm *c = comm_hold(q->message.comm);
    request_wait_all(r, &q, 1);
    result_to_status(&q->result, status);
    int error = result_raise(r, c, &q->result);
    request_fini(r, q);
    comm_release(r, c);
    return error;
}

static int send_now(struct rank *r, enum send_mode mode, const void *at, int count,
                    MPI_Datatype type, int to, int tag, struct comm *c)
{
    struct mpi_message m;
    struct mpi_request q;
    TRY_MPI(describe(r, false, at, count, type, to, tag, c, &m));
    m.mode = mode;
    request_init(&q, kind_of(&m, false), &m);
    TRY_MPI(request_start(r, &q));
    return finish_now(r, &q, MPI_STATUS_IGNORE);
}

#define SEND_NOW(NAME, MODE)                                                                       \
    int mpi_##NAME(struct rank *r, const void *buf, int count, MPI_Datatype type, int dest,        \
                   int tag, struct comm *c)                                                        \
    {                                                                                              \
        return send_now(r, MODE, buf, count, type, dest, tag, c);                                  \
    }
SEND_NOW(Send, SEND_STANDARD)
SEND_NOW(Bsend, SEND_BUFFERED)
SEND_NOW(Ssend, SEND_SYNCHRONOUS)
SEND_NOW(Rsend, SEND_READY)

int mpi_Recv(struct rank *r, void *buf, int count, MPI_Datatype type, int source, int tag,
             struct comm *c, MPI_Status *status)
{
    struct mpi_message m;
    struct mpi_request q;
    TRY_MPI(describe(r, true, buf, count, type, source, tag, c, &m));
    request_init(&q, kind_of(&m, true), &m);
    TRY_MPI(request_start(r, &q));
    return finish_now(r, &q, status);
}

/* ---- nonblocking, persistent ---- */

/* A request with a handle; `start`: at once. */
static int new_request(struct rank *r, const struct mpi_message *m, bool receives, bool start,
                       MPI_Request *request)
{
    struct mpi_request *q = request_new(r, kind_of(m, receives), m);
    q->persistent = !start;
    int error = start ? request_start(r, q) : MPI_SUCCESS;
    if (error) {
        request_drop(r, q);
        *request = MPI_REQUEST_NULL;
        return error;
    }
    *request = request_give(r, q);
    return MPI_SUCCESS;
}

#define SEND_LATER(NAME, MODE, START)                                                              \
    int mpi_##NAME(struct rank *r, const void *buf, int count, MPI_Datatype type, int dest,        \
                   int tag, struct comm *c, MPI_Request *request)                                  \
    {                                                                                              \
        struct mpi_message m;                                                                      \
        TRY_MPI(describe(r, false, buf, count, type, dest, tag, c, &m));                           \
        m.mode = MODE;                                                                             \
        return new_request(r, &m, false, START, request);                                          \
    }
SEND_LATER(Isend, SEND_STANDARD, true)
SEND_LATER(Ibsend, SEND_BUFFERED, true)
SEND_LATER(Issend, SEND_SYNCHRONOUS, true)
SEND_LATER(Irsend, SEND_READY, true)
SEND_LATER(Send_init, SEND_STANDARD, false)
SEND_LATER(Bsend_init, SEND_BUFFERED, false)
SEND_LATER(Ssend_init, SEND_SYNCHRONOUS, false)
SEND_LATER(Rsend_init, SEND_READY, false)

#define RECEIVE_LATER(NAME, START)                                                                 \
    int mpi_##NAME(struct rank *r, void *buf, int count, MPI_Datatype type, int source, int tag,   \
                   struct comm *c, MPI_Request *request)                                           \
    {                                                                                              \
        struct mpi_message m;                                                                      \
        TRY_MPI(describe(r, true, buf, count, type, source, tag, c, &m));                          \
        return new_request(r, &m, true, START, request);                                           \
    }
RECEIVE_LATER(Irecv, true)
RECEIVE_LATER(Recv_init, false)

static int start_one(struct rank *r, MPI_Request handle)
{
    struct mpi_request *q;
    TRY_MPI(find_request(r, handle, &q));
    if (!q || !q->persistent || q->active)
        return error_raise(r, q ? q->message.comm : NULL, MPI_ERR_REQUEST, "the request is %s",
                           q && q->active ? "active" : "not persistent");
    return request_start(r, q);
}

int mpi_Start(struct rank *r, MPI_Request *request)
{
    return start_one(r, *request);
}

int mpi_Startall(struct rank *r, int count, MPI_Request requests[])
{
    if (count < 0)
        return error_raise(r, NULL, MPI_ERR_COUNT, "the count is %d", count);
    for (int i = 0; i < count; i++)
        TRY_MPI(start_one(r, requests[i]));
    return MPI_SUCCESS;
}

/* ---- both at once ---- */

/* If both have one buffer, what is sent is copied before anything can arrive in its place. */
static int exchange_now(struct rank *r, const struct mpi_message *out, const struct mpi_message *in,
                        bool replaces, MPI_Status *status)
{
    struct mpi_request q[2], *both[2] = {&q[0], &q[1]};
    request_init(&q[0], kind_of(in, true), in);
    request_init(&q[1], kind_of(out, false), out);
    if (replaces)
        rank_copy(r, (uint64_t)(out->count * out->type->size));
    request_start(r, &q[replaces]);
    request_start(r, &q[!replaces]);
    request_wait_all(r, both, 2);
    request_fini(r, &q[1]);
    return finish_now(r, &q[0], status);
}

int mpi_Sendrecv(struct rank *r, const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                 int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                 int source, int recvtag, struct comm *c, MPI_Status *status)
{
    struct mpi_message out, in;
    TRY_MPI(describe(r, false, sendbuf, sendcount, sendtype, dest, sendtag, c, &out));
    TRY_MPI(describe(r, true, recvbuf, recvcount, recvtype, source, recvtag, c, &in));
    return exchange_now(r, &out, &in, false, status);
}

int mpi_Sendrecv_replace(struct rank *r, void *buf, int count, MPI_Datatype type, int dest,
                         int sendtag, int source, int recvtag, struct comm *c, MPI_Status *status)
{
    struct mpi_message out, in;
    TRY_MPI(describe(r, false, buf, count, type, dest, sendtag, c, &out));
    TRY_MPI(describe(r, true, buf, count, type, source, recvtag, c, &in));
    return exchange_now(r, &out, &in, true, status);
}

int mpi_Isendrecv(struct rank *r, const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                  int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  int source, int recvtag, struct comm *c, MPI_Request *request)
{
    struct mpi_message out, in;
    TRY_MPI(describe(r, false, sendbuf, sendcount, sendtype, dest, sendtag, c, &out));
    TRY_MPI(describe(r, true, recvbuf, recvcount, recvtype, source, recvtag, c, &in));
    struct mpi_request *q = request_new(r, REQUEST_BOTH, NULL);
    q->message.comm = comm_hold(c);
    q->half[0] = request_new(r, kind_of(&out, false), &out);
    q->half[1] = request_new(r, kind_of(&in, true), &in);
    request_start(r, q);
    *request = request_give(r, q);
    return MPI_SUCCESS;
}

/* The data are copied when the send starts, which is before the receive starts. */
int mpi_Isendrecv_replace(struct rank *r, void *buf, int count, MPI_Datatype type, int dest,
                          int sendtag, int source, int recvtag, struct comm *c,
                          MPI_Request *request)
{
    return mpi_Isendrecv(r, buf, count, type, dest, sendtag, buf, count, type, source, recvtag, c,
                         request);
}

/* ---- probing ---- */

/* Looks for a message, or waits for one. *flag: there is one, which the status tells. */
static int probe(struct rank *r, int source, int tag, struct comm *c, bool wait, int *flag,
                 struct task_outcome *o, MPI_Status *status)
{
    struct result result = {.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG};
    *flag = 1;
    TRY_MPI(check_peer(r, c, source, true));
    TRY_MPI(check_tag(r, c, tag, true));
    if (source != MPI_PROC_NULL) {
        struct task_address from = message_address(c, source, tag);
        request_progress(r, false);
        size_t entry = record_probe(r, c, &from, wait);
        r->probes = (struct envelope_wanted){c, source, tag};
        while (!(*flag = task_look(r->task, &from, wait && !r->series, o)) && wait)
            request_progress(r, true);
        r->probes.comm = NULL;
        record_probed(r, entry, *flag ? o : NULL);
        if (!*flag)
            return MPI_SUCCESS;
        result = (struct result){.source = (int)group_rank(comm_peer_group(c), o->source),
                                 .tag = (int)o->tag,
                                 .bytes = o->bytes};
    }
    result_to_status(&result, status);
    return MPI_SUCCESS;
}

int mpi_Iprobe(struct rank *r, int source, int tag, struct comm *c, int *flag, MPI_Status *status)
{
    struct task_outcome o;
    return probe(r, source, tag, c, false, flag, &o, status);
}

int mpi_Probe(struct rank *r, int source, int tag, struct comm *c, MPI_Status *status)
{
    struct task_outcome o;
    int flag;
    return probe(r, source, tag, c, true, &flag, &o, status);
}

static void keep_data(void *arg, const unsigned char *from, uint64_t bytes)
{
    struct matched *m = arg;
    memcpy(m->data, from, bytes);
}

/* Takes a message that was found out of reach of other receives. */
static MPI_Message match(struct rank *r, struct comm *c, const struct task_outcome *o)
{
    struct matched *m = memory_alloc(1, sizeof(*m));
    *m = (struct matched){.bytes = o->bytes, .outcome = *o, .comm = comm_hold(c)};
    m->data = memory_alloc(o->bytes ? o->bytes : 1, 1);
    struct task_address from = {.context = c->context, .peer = o->source, .tag = o->tag};
    struct task_parcel parcel = {.bytes = o->bytes, .scatter = keep_data, .arg = m};
    record_match(r, c, o);
    rank_pay_receive(r);
    m->task = task_receive_parcel(r->task, &from, &parcel);
    return (MPI_Message)handle_new(&r->handles, HANDLE_MESSAGE, m);
}

static int probe_matched(struct rank *r, int source, int tag, struct comm *c, bool wait, int *flag,
                         MPI_Message *message, MPI_Status *status)
{
    struct task_outcome o;
    TRY_MPI(probe(r, source, tag, c, wait, flag, &o, status));
    *message = !*flag                    ? MPI_MESSAGE_NULL
               : source == MPI_PROC_NULL ? MPI_MESSAGE_NO_PROC
                                         : match(r, c, &o);
    return MPI_SUCCESS;
}

int mpi_Mprobe(struct rank *r, int source, int tag, struct comm *c, MPI_Message *message,
               MPI_Status *status)
{
    int flag;
    return probe_matched(r, source, tag, c, true, &flag, message, status);
}

int mpi_Improbe(struct rank *r, int source, int tag, struct comm *c, int *flag,
                MPI_Message *message, MPI_Status *status)
{
    return probe_matched(r, source, tag, c, false, flag, message, status);
}

static int receive_matched(struct rank *r, void *at, int count, MPI_Datatype type,
                           MPI_Message *message, struct mpi_request **request)
{
    bool nothing = *message == MPI_MESSAGE_NO_PROC;
    struct matched *m =
        nothing ? NULL : handle_object(&r->handles, HANDLE_MESSAGE, (uintptr_t)*message);
    struct mpi_message wanted = {.at = at, .count = count, .comm = m ? m->comm : r->everybody};
    if (!m && !nothing)
        return error_raise(r, NULL, MPI_ERR_REQUEST, "the message does not exist");
    TRY_MPI(find_data(r, wanted.comm, count, type, &wanted.type));
    if (m)
        handle_drop(&r->handles, (uintptr_t)*message);
    *message = MPI_MESSAGE_NULL;
    *request = request_new(r, m ? REQUEST_MATCHED : REQUEST_NOTHING, &wanted);
    if (m)
        (*request)->matched = m;
    return request_start(r, *request);
}

int mpi_Mrecv(struct rank *r, void *buf, int count, MPI_Datatype type, MPI_Message *message,
              MPI_Status *status)
{
    struct mpi_request *q = NULL;
    TRY_MPI(receive_matched(r, buf, count, type, message, &q));
    int error = finish_now(r, q, status);
    free(q);
    return error;
}

int mpi_Imrecv(struct rank *r, void *buf, int count, MPI_Datatype type, MPI_Message *message,
               MPI_Request *request)
{
    struct mpi_request *q = NULL;
    TRY_MPI(receive_matched(r, buf, count, type, message, &q));
    *request = request_give(r, q);
    return MPI_SUCCESS;
}

/* ---- the program's buffer ---- */

int mpi_Buffer_attach(struct rank *r, void *buffer, int size)
{
    if (size < 0)
        return error_raise(r, NULL, MPI_ERR_ARG, "the size is %d", size);
    if (r->buffer_bytes)
        return error_raise(r, NULL, MPI_ERR_BUFFER, "there is a buffer already");
    r->buffer = buffer;
    r->buffer_bytes = buffer == MPI_BUFFER_AUTOMATIC ? UINT64_MAX / 2 : (uint64_t)size;
    return MPI_SUCCESS;
}

int mpi_Buffer_detach(struct rank *r, void *buffer, int *size)
{
    request_drain(r);
    *(void **)buffer = r->buffer;
    *size = r->buffer == MPI_BUFFER_AUTOMATIC ? 0 : (int)r->buffer_bytes;
    r->buffer = NULL;
    r->buffer_bytes = 0;
    return MPI_SUCCESS;
}
