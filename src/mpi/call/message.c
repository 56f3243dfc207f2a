/* Sending and receiving: MPI's chapter on point-to-point communication. */
#define _GNU_SOURCE
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

/* What a call describes, with its handles looked up. */
static int describe(struct rank *r, bool receives, const void *at, int64_t count, MPI_Datatype type,
                    int peer, int tag, MPI_Comm comm, struct mpi_message *m)
{
    *m = (struct mpi_message){.at = (void *)at, .count = count, .peer = peer, .tag = tag};
    int error = find_comm(r, comm, &m->comm);
    if (peer == MPI_PROC_NULL && type == MPI_DATATYPE_NULL) /* of data that go nowhere */
        type = MPI_BYTE;
    if (!error)
        error = find_data(r, m->comm, count, type, &m->type);
    if (!error)
        error = check_peer(r, m->comm, peer, receives);
    if (!error)
        error = check_tag(r, m->comm, tag, receives);
    if (!error && !at && count && m->type->size && m->type->true_low >= 0 &&
        m->type->true_low < 4096 && peer != MPI_PROC_NULL)
        error = error_raise(r, m->comm, MPI_ERR_BUFFER, "the buffer is NULL");
    return error;
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
                    MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    struct mpi_message m;
    struct mpi_request q;
    int error = describe(r, false, at, count, type, to, tag, comm, &m);
    if (error)
        return error;
    m.mode = mode;
    request_init(&q, kind_of(&m, false), &m);
    error = request_start(r, &q);
    return error ? error : finish_now(r, &q, MPI_STATUS_IGNORE);
}

int call_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Send);
    return call_end(r, send_now(r, SEND_STANDARD, buf, count, type, dest, tag, comm));
}

int call_Bsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Bsend);
    return call_end(r, send_now(r, SEND_BUFFERED, buf, count, type, dest, tag, comm));
}

int call_Ssend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Ssend);
    return call_end(r, send_now(r, SEND_SYNCHRONOUS, buf, count, type, dest, tag, comm));
}

int call_Rsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Rsend);
    return call_end(r, send_now(r, SEND_READY, buf, count, type, dest, tag, comm));
}

int call_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Recv);
    struct mpi_message m;
    struct mpi_request q;
    int error = describe(r, true, buf, count, type, source, tag, comm, &m);
    if (error)
        return call_end(r, error);
    request_init(&q, kind_of(&m, true), &m);
    error = request_start(r, &q);
    return call_end(r, error ? error : finish_now(r, &q, status));
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

static int send_later(struct rank *r, enum send_mode mode, bool start, const void *at, int count,
                      MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct mpi_message m;
    int error = describe(r, false, at, count, type, to, tag, comm, &m);
    m.mode = mode;
    return error ? error : new_request(r, &m, false, start, request);
}

static int receive_later(struct rank *r, bool start, void *at, int count, MPI_Datatype type,
                         int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct mpi_message m;
    int error = describe(r, true, at, count, type, from, tag, comm, &m);
    return error ? error : new_request(r, &m, true, start, request);
}

#define SEND_LATER(NAME, MODE, START)                                                              \
    int call_##NAME(const void *buf, int count, MPI_Datatype type, int dest, int tag,              \
                    MPI_Comm comm, MPI_Request *request)                                           \
    {                                                                                              \
        struct rank *r = call_begin(CALL_##NAME);                                                  \
        return call_end(r,                                                                         \
                        send_later(r, MODE, START, buf, count, type, dest, tag, comm, request));   \
    }
SEND_LATER(Isend, SEND_STANDARD, true)
SEND_LATER(Ibsend, SEND_BUFFERED, true)
SEND_LATER(Issend, SEND_SYNCHRONOUS, true)
SEND_LATER(Irsend, SEND_READY, true)
SEND_LATER(Send_init, SEND_STANDARD, false)
SEND_LATER(Bsend_init, SEND_BUFFERED, false)
SEND_LATER(Ssend_init, SEND_SYNCHRONOUS, false)
SEND_LATER(Rsend_init, SEND_READY, false)

int call_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Irecv);
    return call_end(r, receive_later(r, true, buf, count, type, source, tag, comm, request));
}

int call_Recv_init(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Recv_init);
    return call_end(r, receive_later(r, false, buf, count, type, source, tag, comm, request));
}

static int start_one(struct rank *r, MPI_Request handle)
{
    struct mpi_request *q;
    int error = find_request(r, handle, &q);
    if (error)
        return error;
    if (!q || !q->persistent || q->active)
        return error_raise(r, q ? q->message.comm : NULL, MPI_ERR_REQUEST, "the request is %s",
                           q && q->active ? "active" : "not persistent");
    return request_start(r, q);
}

int call_Start(MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Start);
    return call_end(r, start_one(r, *request));
}

int call_Startall(int count, MPI_Request requests[])
{
    struct rank *r = call_begin(CALL_Startall);
    int error = count < 0 ? error_raise(r, NULL, MPI_ERR_COUNT, "the count is %d", count) : 0;
    for (int i = 0; i < count && !error; i++)
        error = start_one(r, requests[i]);
    return call_end(r, error);
}

/* ---- both at once ---- */

int call_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                  MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Sendrecv);
    struct mpi_message out, in;
    struct mpi_request q[2], *both[2] = {&q[0], &q[1]};
    int error = describe(r, false, sendbuf, sendcount, sendtype, dest, sendtag, comm, &out);
    if (!error)
        error = describe(r, true, recvbuf, recvcount, recvtype, source, recvtag, comm, &in);
    if (error)
        return call_end(r, error);
    request_init(&q[0], kind_of(&in, true), &in);
    request_init(&q[1], kind_of(&out, false), &out);
    request_start(r, &q[0]);
    request_start(r, &q[1]);
    request_wait_all(r, both, 2);
    request_fini(r, &q[1]);
    return call_end(r, finish_now(r, &q[0], status));
}

/* What is sent is in the letter before anything can come in its place. */
int call_Sendrecv_replace(void *buf, int count, MPI_Datatype type, int dest, int sendtag,
                          int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Sendrecv_replace);
    struct mpi_message out, in;
    struct mpi_request q[2], *both[2] = {&q[0], &q[1]};
    int error = describe(r, false, buf, count, type, dest, sendtag, comm, &out);
    if (!error)
        error = describe(r, true, buf, count, type, source, recvtag, comm, &in);
    if (error)
        return call_end(r, error);
    request_init(&q[0], kind_of(&in, true), &in);
    request_init(&q[1], kind_of(&out, false), &out);
    rank_copy(r, (uint64_t)(out.count * out.type->size));
    request_start(r, &q[1]);
    request_start(r, &q[0]);
    request_wait_all(r, both, 2);
    request_fini(r, &q[1]);
    return call_end(r, finish_now(r, &q[0], status));
}

static int both_later(struct rank *r, const struct mpi_message *out, const struct mpi_message *in,
                      MPI_Request *request)
{
    struct mpi_request *q = request_new(r, REQUEST_BOTH, NULL);
    q->message.comm = comm_hold(out->comm);
    q->part[0] = request_new(r, kind_of(out, false), out);
    q->part[1] = request_new(r, kind_of(in, true), in);
    request_start(r, q);
    *request = request_give(r, q);
    return MPI_SUCCESS;
}

int call_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                   void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                   MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Isendrecv);
    struct mpi_message out, in;
    int error = describe(r, false, sendbuf, sendcount, sendtype, dest, sendtag, comm, &out);
    if (!error)
        error = describe(r, true, recvbuf, recvcount, recvtype, source, recvtag, comm, &in);
    return call_end(r, error ? error : both_later(r, &out, &in, request));
}

int call_Isendrecv_replace(void *buf, int count, MPI_Datatype type, int dest, int sendtag,
                           int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Isendrecv_replace);
    struct mpi_message out, in;
    int error = describe(r, false, buf, count, type, dest, sendtag, comm, &out);
    if (!error)
        error = describe(r, true, buf, count, type, source, recvtag, comm, &in);
    return call_end(r, error ? error : both_later(r, &out, &in, request));
}

/* ---- probing ---- */

static int probe(struct rank *r, int source, int tag, MPI_Comm comm, bool wait, int *flag,
                 struct comm **c, struct task_outcome *o)
{
    int error = find_comm(r, comm, c);
    if (!error)
        error = check_peer(r, *c, source, true);
    if (!error)
        error = check_tag(r, *c, tag, true);
    if (error || source == MPI_PROC_NULL)
        return error;
    struct task_address from = {.context = (*c)->context,
                                .peer = source == MPI_ANY_SOURCE
                                            ? WEFT_ANY
                                            : group_at(comm_peer_group(*c), (uint32_t)source),
                                .tag = tag == MPI_ANY_TAG ? WEFT_ANY : (uint32_t)tag};
    request_progress(r, false);
    size_t entry = record_probe(r, *c, &from, wait);
    r->probes = (struct envelope_wanted){*c, source, tag};
    while (!(*flag = task_look(r->task, &from, wait && !r->series, o)) && wait)
        request_progress(r, true);
    r->probes.comm = NULL;
    record_probed(r, entry, *flag ? o : NULL);
    return MPI_SUCCESS;
}

static void tell_probed(int flag, struct comm *c, int source, const struct task_outcome *o,
                        MPI_Status *status)
{
    struct result result = {.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG};
    if (flag && source != MPI_PROC_NULL)
        result = (struct result){.source = (int)group_rank(comm_peer_group(c), o->source),
                                 .tag = (int)o->tag,
                                 .bytes = o->bytes};
    if (flag)
        result_to_status(&result, status);
}

int call_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Probe);
    struct task_outcome o;
    struct comm *c;
    int flag = 1, error = probe(r, source, tag, comm, true, &flag, &c, &o);
    if (!error)
        tell_probed(flag, c, source, &o, status);
    return call_end(r, error);
}

int call_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Iprobe);
    struct task_outcome o;
    struct comm *c;
    *flag = 1;
    int error = probe(r, source, tag, comm, false, flag, &c, &o);
    if (!error)
        tell_probed(*flag, c, source, &o, status);
    return call_end(r, error);
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

static int probe_matched(struct rank *r, int source, int tag, MPI_Comm comm, bool wait, int *flag,
                         MPI_Message *message, MPI_Status *status)
{
    struct task_outcome o;
    struct comm *c;
    *flag = 1;
    int error = probe(r, source, tag, comm, wait, flag, &c, &o);
    if (error)
        return error;
    tell_probed(*flag, c, source, &o, status);
    *message = !*flag                    ? MPI_MESSAGE_NULL
               : source == MPI_PROC_NULL ? MPI_MESSAGE_NO_PROC
                                         : match(r, c, &o);
    return MPI_SUCCESS;
}

int call_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Mprobe);
    int flag;
    return call_end(r, probe_matched(r, source, tag, comm, true, &flag, message, status));
}

int call_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                 MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Improbe);
    return call_end(r, probe_matched(r, source, tag, comm, false, flag, message, status));
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
    int error = find_data(r, wanted.comm, count, type, &wanted.type);
    if (error)
        return error;
    if (m)
        handle_drop(&r->handles, (uintptr_t)*message);
    *message = MPI_MESSAGE_NULL;
    *request = request_new(r, m ? REQUEST_MATCHED : REQUEST_NOTHING, &wanted);
    if (m)
        (*request)->matched = m;
    return request_start(r, *request);
}

int call_Mrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    struct rank *r = call_begin(CALL_Mrecv);
    struct mpi_request *q = NULL;
    int error = receive_matched(r, buf, count, type, message, &q);
    if (error)
        return call_end(r, error);
    error = finish_now(r, q, status);
    free(q);
    return call_end(r, error);
}

int call_Imrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Imrecv);
    struct mpi_request *q = NULL;
    int error = receive_matched(r, buf, count, type, message, &q);
    if (!error)
        *request = request_give(r, q);
    return call_end(r, error);
}

/* ---- the program's buffer ---- */

int call_Buffer_attach(void *buffer, int size)
{
    struct rank *r = call_begin(CALL_Buffer_attach);
    if (size < 0)
        return call_end(r, error_raise(r, NULL, MPI_ERR_ARG, "the size is %d", size));
    if (r->buffer_bytes)
        return call_end(r, error_raise(r, NULL, MPI_ERR_BUFFER, "there is a buffer already"));
    r->buffer = buffer;
    r->buffer_bytes = buffer == MPI_BUFFER_AUTOMATIC ? UINT64_MAX / 2 : (uint64_t)size;
    return call_end(r, MPI_SUCCESS);
}

int call_Buffer_detach(void *buffer, int *size)
{
    struct rank *r = call_begin(CALL_Buffer_detach);
    request_drain(r);
    *(void **)buffer = r->buffer;
    *size = r->buffer == MPI_BUFFER_AUTOMATIC ? 0 : (int)r->buffer_bytes;
    r->buffer = NULL;
    r->buffer_bytes = 0;
    return call_end(r, MPI_SUCCESS);
}
