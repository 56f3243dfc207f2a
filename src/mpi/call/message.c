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
    *m = (struct mpi_message){
        .data = {.at = (void *)at, .count = count}, .comm = c, .peer = peer, .tag = tag};
    if (peer == MPI_PROC_NULL && type == MPI_DATATYPE_NULL) /* of data that go nowhere */
        type = MPI_BYTE;
    TRY_MPI(find_data(r, c, count, type, &m->data.type));
    TRY_MPI(check_peer(r, c, peer, receives));
    TRY_MPI(check_tag(r, c, tag, receives));
    if (!at && count && m->data.type->size && m->data.type->true_low >= 0 &&
        m->data.type->true_low < 4096 && peer != MPI_PROC_NULL)
        return error_raise(r, c, MPI_ERR_BUFFER, "the buffer is NULL");
    return MPI_SUCCESS;
}

static enum request_kind kind_of(const struct mpi_message *m, bool receives)
{
    return m->peer == MPI_PROC_NULL ? REQUEST_NOTHING : receives ? REQUEST_RECEIVE : REQUEST_SEND;
}

/* ---- sending, receiving ---- */

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

/* Sends or receives now, or makes a request, which is started at once or later. */
static int perform(struct rank *r, const struct mpi_message *m, bool receives, int way,
                   MPI_Request *request, MPI_Status *status)
{
    struct mpi_request here, *q = &here;
    if (way == MESSAGE_BLOCKING) {
        request_init(q, kind_of(m, receives), m);
        TRY_MPI(request_start(r, q));
        return finish_now(r, q, status);
    }
    q = request_new(r, kind_of(m, receives), m);
    q->persistent = way == MESSAGE_PERSISTENT;
    int error = q->persistent ? MPI_SUCCESS : request_start(r, q);
    if (error) {
        request_drop(r, q);
        *request = MPI_REQUEST_NULL;
        return error;
    }
    *request = request_give(r, q);
    return MPI_SUCCESS;
}

int message_send(struct rank *r, int mode, int way, const void *buf, MPI_Count count,
                 MPI_Datatype type, int dest, int tag, struct comm *c, MPI_Request *request)
{
    struct mpi_message m;
    TRY_MPI(describe(r, false, buf, count, type, dest, tag, c, &m));
    m.mode = (enum send_mode)mode;
    return perform(r, &m, false, way, request, MPI_STATUS_IGNORE);
}

int message_receive(struct rank *r, int way, void *buf, MPI_Count count, MPI_Datatype type,
                    int source, int tag, struct comm *c, MPI_Request *request, MPI_Status *status)
{
    struct mpi_message m;
    TRY_MPI(describe(r, true, buf, count, type, source, tag, c, &m));
    return perform(r, &m, true, way, request, status);
}

int mpi_Start(struct rank *r, struct mpi_request *q)
{
    if (!q || !q->persistent || q->active)
        return error_raise(r, q ? q->message.comm : NULL, MPI_ERR_REQUEST, "the request is %s",
                           q && q->active ? "active" : "not persistent");
    return request_start(r, q);
}

int mpi_Startall(struct rank *r, int count, MPI_Request requests[])
{
    struct mpi_request *q;
    TRY_MPI(check_count(r, NULL, count));
    for (int i = 0; i < count; i++) {
        TRY_MPI(find_request(r, requests[i], &q));
        TRY_MPI(mpi_Start(r, q));
    }
    return MPI_SUCCESS;
}

/* ---- both at once ---- */

/* If both have one buffer, what is sent is copied before anything can arrive in its place. */
int message_exchange(struct rank *r, bool replaces, const void *sendbuf, MPI_Count sendcount,
                     MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
                     struct comm *c, MPI_Status *status)
{
    struct mpi_message out, in;
    struct mpi_request q[2], *both[2] = {&q[0], &q[1]};
    TRY_MPI(describe(r, false, sendbuf, sendcount, sendtype, dest, sendtag, c, &out));
    TRY_MPI(describe(r, true, recvbuf, recvcount, recvtype, source, recvtag, c, &in));
    request_init(&q[0], kind_of(&in, true), &in);
    request_init(&q[1], kind_of(&out, false), &out);
    if (replaces)
        rank_copy(r, block_length(&out.data));
    request_start(r, &q[replaces]);
    request_start(r, &q[!replaces]);
    request_wait_all(r, both, 2);
    request_fini(r, &q[1]);
    return finish_now(r, &q[0], status);
}

/* In place, the data are copied when the send starts, which is before the receive starts. */
int mpi_Isendrecv(struct rank *r, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                  int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
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

/* ---- probing ---- */

/* Looks for a message, or waits for one. False: there is none. */
static bool find_message(struct rank *r, struct comm *c, const struct task_address *from, bool wait,
                         struct task_outcome *o)
{
    bool found;
    request_progress(r, false);
    size_t entry = record_probe(r, c, from, wait);
    while (!(found = task_look(r->task, from, wait && !r->series, o)) && wait)
        request_progress(r, true);
    r->probes.comm = NULL;
    record_probed(r, entry, found ? o : NULL);
    return found;
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
    m->data = memory_alloc(o->bytes, 1);
    struct task_address from = {.context = c->context, .peer = o->source, .tag = o->tag};
    struct task_parcel parcel = {.bytes = o->bytes, .scatter = keep_data, .arg = m};
    record_match(r, false, c, o);
    rank_pay_receive(r);
    m->task = task_receive_parcel(r->task, &from, &parcel);
    return (MPI_Message)handle_new(&r->handles, HANDLE_MESSAGE, m);
}

/* Waits if there is no flag; takes the message if there is room for its handle. */
int message_probe(struct rank *r, int source, int tag, struct comm *c, int *flag,
                  MPI_Message *message, MPI_Status *status)
{
    struct result result = {.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG};
    struct task_outcome o;
    bool nobody = source == MPI_PROC_NULL, found = true;
    TRY_MPI(check_peer(r, c, source, true));
    TRY_MPI(check_tag(r, c, tag, true));
    if (!nobody) {
        struct task_address from = message_address(c, source, tag);
        r->probes = (struct envelope_wanted){c, source, tag};
        found = find_message(r, c, &from, !flag, &o);
    }
    if (found && !nobody)
        result = (struct result){.source = (int)group_rank(comm_peer_group(c), o.source),
                                 .tag = (int)o.tag,
                                 .bytes = o.bytes};
    if (flag)
        *flag = found;
    if (message)
        *message = !found ? MPI_MESSAGE_NULL : nobody ? MPI_MESSAGE_NO_PROC : match(r, c, &o);
    if (found)
        result_to_status(&result, status);
    return MPI_SUCCESS;
}

/* Returns with the data if there is no room for a request. */
int message_receive_matched(struct rank *r, void *buf, MPI_Count count, MPI_Datatype type,
                            MPI_Message *message, MPI_Request *request, MPI_Status *status)
{
    bool nothing = *message == MPI_MESSAGE_NO_PROC;
    struct matched *m =
        nothing ? NULL : handle_object(&r->handles, HANDLE_MESSAGE, (uintptr_t)*message);
    struct mpi_message wanted = {.data = {.at = buf, .count = count},
                                 .comm = m ? m->comm : r->everybody};
    if (!m && !nothing)
        return error_raise(r, NULL, MPI_ERR_REQUEST, "the message does not exist");
    TRY_MPI(find_data(r, wanted.comm, count, type, &wanted.data.type));
    if (m)
        handle_drop(&r->handles, (uintptr_t)*message);
    *message = MPI_MESSAGE_NULL;
    struct mpi_request *q = request_new(r, m ? REQUEST_MATCHED : REQUEST_NOTHING, &wanted);
    if (m)
        q->matched = m;
    TRY_MPI(request_start(r, q));
    if (request) {
        *request = request_give(r, q);
        return MPI_SUCCESS;
    }
    int error = finish_now(r, q, status);
    free(q);
    return error;
}

/* ---- in partitions ---- */

/* One message, which leaves when the last of its partitions is ready. */
static int describe_partitioned(struct rank *r, bool receives, const void *buf, int count,
                                MPI_Count each, MPI_Datatype type, int peer, int tag,
                                struct comm *c, MPI_Request *request)
{
    struct mpi_message m;
    MPI_Count all;
    TRY_MPI(check_count(r, c, each));
    if (count < 0 || __builtin_mul_overflow(each, (MPI_Count)count, &all))
        return error_raise(r, c, MPI_ERR_ARG, "%d partitions of %lld elements", count,
                           (long long)each);
    if (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG)
        return error_raise(r, c, MPI_ERR_ARG, "a message in partitions has a source and a tag");
    TRY_MPI(describe(r, receives, buf, all, type, peer, tag, c, &m));
    struct mpi_request *q = request_new(r, kind_of(&m, receives), &m);
    q->persistent = true;
    q->partitions = memory_alloc(1, sizeof(*q->partitions));
    *q->partitions = (struct partitions){.count = count, .ready = count};
    if (peer != MPI_PROC_NULL)
        q->partitions->context = comm_channel(r, c, receives, peer, tag);
    if (!receives)
        q->partitions->is_ready = memory_alloc((size_t)count + 1, sizeof(bool));
    *request = request_give(r, q);
    return MPI_SUCCESS;
}

/* It takes no hints. */
int mpi_Psend_init(struct rank *r, const void *buf, int partitions, MPI_Count count,
                   MPI_Datatype type, int dest, int tag, struct comm *c, MPI_Info info,
                   MPI_Request *request)
{
    (void)info;
    return describe_partitioned(r, false, buf, partitions, count, type, dest, tag, c, request);
}

int mpi_Precv_init(struct rank *r, void *buf, int partitions, MPI_Count count, MPI_Datatype type,
                   int source, int tag, struct comm *c, MPI_Info info, MPI_Request *request)
{
    (void)info;
    return describe_partitioned(r, true, buf, partitions, count, type, source, tag, c, request);
}

/* Partitions of a request that sends, or receives. */
static int check_partitions(struct rank *r, const struct mpi_request *q, bool sends, int low,
                            int high)
{
    struct comm *c = q ? q->message.comm : NULL;
    const struct partitions *p = q ? q->partitions : NULL;
    if (!p || !p->is_ready == sends)
        return error_raise(r, c, MPI_ERR_REQUEST, "the request %s no message in partitions",
                           sends ? "sends" : "receives");
    if (low < 0 || high >= p->count)
        return error_raise(r, c, MPI_ERR_ARG, "partition %d, of %d", low < 0 ? low : high,
                           p->count);
    return MPI_SUCCESS;
}

int mpi_Pready(struct rank *r, int partition, struct mpi_request *q)
{
    TRY_MPI(check_partitions(r, q, true, partition, partition));
    if (!q->active)
        return error_raise(r, q->message.comm, MPI_ERR_REQUEST, "the request was not started");
    if (q->partitions->is_ready[partition])
        return error_raise(r, q->message.comm, MPI_ERR_ARG, "partition %d is ready already",
                           partition);
    request_ready(r, q, partition);
    return MPI_SUCCESS;
}

int mpi_Pready_range(struct rank *r, int low, int high, struct mpi_request *q)
{
    for (int i = low; i <= high; i++)
        TRY_MPI(mpi_Pready(r, i, q));
    return MPI_SUCCESS;
}

int mpi_Pready_list(struct rank *r, int length, const int partitions[], struct mpi_request *q)
{
    for (int i = 0; i < length; i++)
        TRY_MPI(mpi_Pready(r, partitions[i], q));
    return MPI_SUCCESS;
}

/* All of them arrive at once. */
int mpi_Parrived(struct rank *r, struct mpi_request *q, int partition, int *flag)
{
    TRY_MPI(check_partitions(r, q, false, partition, partition));
    request_progress(r, true);
    *flag = request_is_over(r, q);
    return MPI_SUCCESS;
}
