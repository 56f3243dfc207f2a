/* Collective operations: looks up their operands, and starts them. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "base/memory.h"
#include "mpi/collective/hardware_collectives.h"
#include "mpi/collective/operation.h"
#include "mpi/collective/perform.h"
#include "mpi/collective/start.h"
#include "mpi/object/topology.h"

/* ---- checks ---- */

static int check_root(struct rank *r, struct comm *c, int root)
{
    bool inter = c->remote;
    if ((inter && (root == MPI_ROOT || root == MPI_PROC_NULL)) ||
        (root >= 0 && (uint32_t)root < comm_others(c)->size))
        return MPI_SUCCESS;
    return error_raise(r, c, MPI_ERR_ROOT, "root %d, of a communicator with %u", root,
                       comm_others(c)->size);
}

/* Whether this process's own data matter that only a root gives, or gets. */
static bool is_root(const struct comm *c, int root)
{
    return c->remote ? root == MPI_ROOT : root == (int)c->rank;
}

/* And those that everybody else gives, or gets. */
static bool is_other(const struct comm *c, int root)
{
    return c->remote ? root >= 0 : true;
}

static int check_one_side(struct rank *r, struct comm *c)
{
    return c->remote ? error_raise(r, c, MPI_ERR_COMM, "the communicator has two sides")
                     : MPI_SUCCESS;
}

static int check_place(struct rank *r, struct comm *c, const void *at, bool allowed)
{
    if (at != MPI_IN_PLACE || (allowed && !c->remote))
        return MPI_SUCCESS;
    return error_raise(r, c, MPI_ERR_BUFFER, "MPI_IN_PLACE is not possible here");
}

static const struct schedule_limits *limits_of(struct rank *r)
{
    return task_limits(r->task);
}

/* ---- barrier, broadcast ---- */

static int barrier(struct rank *r, enum call call, MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.root = 0};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (error || (!request && machine_barrier(r, c)))
        return error;
    struct series *s = series_new(r, c, call, &o);
    start_barrier(s);
    return series_go(r, s, request);
}

int call_Barrier(MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Barrier);
    return call_end(r, barrier(r, CALL_Barrier, comm, NULL));
}

int call_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ibarrier);
    return call_end(r, barrier(r, CALL_Ibarrier, comm, request));
}

static int broadcast(struct rank *r, enum call call, void *buf, int count, MPI_Datatype type,
                     int root, MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.root = root};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = check_root(r, c, root);
    if (!error && (is_root(c, root) || is_other(c, root)))
        error = side_one(r, c, &o.in, buf, count, type);
    else if (!error)
        o.in = (struct side){.type = block_bytes(NULL, 0).type};
    if (error || (!request && machine_broadcast(r, c, &o)))
        return error;
    struct series *s = series_new(r, c, call, &o);
    start_broadcast(s, limits_of(r));
    return series_go(r, s, request);
}

int call_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Bcast);
    return call_end(r, broadcast(r, CALL_Bcast, buf, count, type, root, comm, NULL));
}

int call_Ibcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm,
                MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ibcast);
    return call_end(r, broadcast(r, CALL_Ibcast, buf, count, type, root, comm, request));
}

/* ---- gather, scatter ---- */

/* recvcounts NULL: all blocks have recvcount elements. */
static int gather(struct rank *r, enum call call, const void *sendbuf, int sendcount,
                  MPI_Datatype sendtype, void *recvbuf, int recvcount, const int recvcounts[],
                  const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
                  MPI_Request *request)
{
    struct operands o = {.root = root, .in_place = sendbuf == MPI_IN_PLACE};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = check_root(r, c, root);
    if (!error)
        error = check_place(r, c, sendbuf, is_root(c, root));
    if (!error && is_other(c, root) && !o.in_place)
        error = side_one(r, c, &o.out, sendbuf, sendcount, sendtype);
    if (!error && is_root(c, root))
        error = recvcounts ? side_listed(r, c, &o.in, recvbuf, recvcounts, displs,
                                         comm_others(c)->size, recvtype)
                           : side_even(r, c, &o.in, recvbuf, recvcount, recvtype);
    if (error)
        return error;
    /* The arguments that say it matter at the root only. */
    o.in.layout = call == CALL_Gatherv || call == CALL_Igatherv ? LAYOUT_LISTED : LAYOUT_EVEN;
    struct series *s = series_new(r, c, call, &o);
    start_gather(s);
    return series_go(r, s, request);
}

int call_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Gather);
    return call_end(r, gather(r, CALL_Gather, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                              NULL, NULL, recvtype, root, comm, NULL));
}

int call_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                 MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Igather);
    return call_end(r, gather(r, CALL_Igather, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                              NULL, NULL, recvtype, root, comm, request));
}

int call_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Gatherv);
    return call_end(r, gather(r, CALL_Gatherv, sendbuf, sendcount, sendtype, recvbuf, 0, recvcounts,
                              displs, recvtype, root, comm, NULL));
}

int call_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                  MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Igatherv);
    return call_end(r, gather(r, CALL_Igatherv, sendbuf, sendcount, sendtype, recvbuf, 0,
                              recvcounts, displs, recvtype, root, comm, request));
}

static int scatter(struct rank *r, enum call call, const void *sendbuf, int sendcount,
                   const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                   MPI_Request *request)
{
    struct operands o = {.root = root, .in_place = recvbuf == MPI_IN_PLACE};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = check_root(r, c, root);
    if (!error)
        error = check_place(r, c, recvbuf, is_root(c, root));
    if (!error && is_other(c, root) && !o.in_place)
        error = side_one(r, c, &o.in, recvbuf, recvcount, recvtype);
    if (!error && is_root(c, root))
        error = sendcounts ? side_listed(r, c, &o.out, sendbuf, sendcounts, displs,
                                         comm_others(c)->size, sendtype)
                           : side_even(r, c, &o.out, sendbuf, sendcount, sendtype);
    if (error)
        return error;
    o.out.layout = call == CALL_Scatterv || call == CALL_Iscatterv ? LAYOUT_LISTED : LAYOUT_EVEN;
    struct series *s = series_new(r, c, call, &o);
    start_scatter(s);
    return series_go(r, s, request);
}

int call_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Scatter);
    return call_end(r, scatter(r, CALL_Scatter, sendbuf, sendcount, NULL, NULL, sendtype, recvbuf,
                               recvcount, recvtype, root, comm, NULL));
}

int call_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                  MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Iscatter);
    return call_end(r, scatter(r, CALL_Iscatter, sendbuf, sendcount, NULL, NULL, sendtype, recvbuf,
                               recvcount, recvtype, root, comm, request));
}

int call_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                  MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  int root, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Scatterv);
    return call_end(r, scatter(r, CALL_Scatterv, sendbuf, 0, sendcounts, displs, sendtype, recvbuf,
                               recvcount, recvtype, root, comm, NULL));
}

int call_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                   MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Iscatterv);
    return call_end(r, scatter(r, CALL_Iscatterv, sendbuf, 0, sendcounts, displs, sendtype, recvbuf,
                               recvcount, recvtype, root, comm, request));
}

/* ---- allgather, all-to-all ---- */

static int allgather(struct rank *r, enum call call, const void *sendbuf, int sendcount,
                     MPI_Datatype sendtype, void *recvbuf, int recvcount, const int recvcounts[],
                     const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.in_place = sendbuf == MPI_IN_PLACE};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = check_place(r, c, sendbuf, true);
    if (!error && !o.in_place)
        error = side_one(r, c, &o.out, sendbuf, sendcount, sendtype);
    if (!error)
        error = recvcounts ? side_listed(r, c, &o.in, recvbuf, recvcounts, displs,
                                         comm_others(c)->size, recvtype)
                           : side_even(r, c, &o.in, recvbuf, recvcount, recvtype);
    if (error)
        return error;
    struct series *s = series_new(r, c, call, &o);
    start_allgather(s, limits_of(r));
    return series_go(r, s, request);
}

int call_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Allgather);
    return call_end(r, allgather(r, CALL_Allgather, sendbuf, sendcount, sendtype, recvbuf,
                                 recvcount, NULL, NULL, recvtype, comm, NULL));
}

int call_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Iallgather);
    return call_end(r, allgather(r, CALL_Iallgather, sendbuf, sendcount, sendtype, recvbuf,
                                 recvcount, NULL, NULL, recvtype, comm, request));
}

int call_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Allgatherv);
    return call_end(r, allgather(r, CALL_Allgatherv, sendbuf, sendcount, sendtype, recvbuf, 0,
                                 recvcounts, displs, recvtype, comm, NULL));
}

int call_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                     MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Iallgatherv);
    return call_end(r, allgather(r, CALL_Iallgatherv, sendbuf, sendcount, sendtype, recvbuf, 0,
                                 recvcounts, displs, recvtype, comm, request));
}

/* The series of an all-to-all, or of neighbours, whose sides are known. */
static int exchange(struct rank *r, enum call call, struct comm *c, struct operands *o,
                    MPI_Request *request)
{
    if (!request && machine_alltoall(r, c, o))
        return MPI_SUCCESS;
    struct series *s = series_new(r, c, call, o);
    start_alltoall(s);
    return series_go(r, s, request);
}

static int alltoall(struct rank *r, enum call call, const void *sendbuf, int sendcount,
                    MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                    MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.in_place = sendbuf == MPI_IN_PLACE};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = check_place(r, c, sendbuf, true);
    if (!error && !o.in_place)
        error = side_even(r, c, &o.out, sendbuf, sendcount, sendtype);
    if (!error)
        error = side_even(r, c, &o.in, recvbuf, recvcount, recvtype);
    return error ? error : exchange(r, call, c, &o, request);
}

int call_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Alltoall);
    return call_end(r, alltoall(r, CALL_Alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                recvtype, comm, NULL));
}

int call_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ialltoall);
    return call_end(r, alltoall(r, CALL_Ialltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                recvtype, comm, request));
}

static int alltoallv(struct rank *r, enum call call, const void *sendbuf, const int sendcounts[],
                     const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                     const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                     MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.in_place = sendbuf == MPI_IN_PLACE};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (error)
        return error;
    uint32_t n = comm_others(c)->size;
    error = check_place(r, c, sendbuf, true);
    if (!error && !o.in_place)
        error = side_listed(r, c, &o.out, sendbuf, sendcounts, sdispls, n, sendtype);
    if (!error)
        error = side_listed(r, c, &o.in, recvbuf, recvcounts, rdispls, n, recvtype);
    return error ? error : exchange(r, call, c, &o, request);
}

int call_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Alltoallv);
    return call_end(r, alltoallv(r, CALL_Alltoallv, sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                 recvcounts, rdispls, recvtype, comm, NULL));
}

int call_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                    const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ialltoallv);
    return call_end(r, alltoallv(r, CALL_Ialltoallv, sendbuf, sendcounts, sdispls, sendtype,
                                 recvbuf, recvcounts, rdispls, recvtype, comm, request));
}

static int alltoallw(struct rank *r, enum call call, const void *sendbuf, const int sendcounts[],
                     const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
                     const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                     MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.in_place = sendbuf == MPI_IN_PLACE};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (error)
        return error;
    uint32_t n = comm_others(c)->size;
    error = check_place(r, c, sendbuf, true);
    if (!error && !o.in_place)
        error = side_typed(r, c, &o.out, sendbuf, sendcounts, n, sendtypes);
    if (!error)
        error = side_typed(r, c, &o.in, recvbuf, recvcounts, n, recvtypes);
    o.out.displacements = sdispls;
    o.in.displacements = rdispls;
    if (!error)
        return exchange(r, call, c, &o, request);
    side_drop(&o.out);
    side_drop(&o.in);
    return error;
}

int call_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                   const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Alltoallw);
    return call_end(r, alltoallw(r, CALL_Alltoallw, sendbuf, sendcounts, sdispls, sendtypes,
                                 recvbuf, recvcounts, rdispls, recvtypes, comm, NULL));
}

int call_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                    const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                    MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ialltoallw);
    return call_end(r, alltoallw(r, CALL_Ialltoallw, sendbuf, sendcounts, sdispls, sendtypes,
                                 recvbuf, recvcounts, rdispls, recvtypes, comm, request));
}

/* ---- reductions ---- */

/* Operands of a reduction: a vector that goes out, one that comes in, if it does here. */
static int take_vectors(struct rank *r, struct comm *c, struct operands *o, const void *sendbuf,
                        void *recvbuf, int count, MPI_Datatype type, MPI_Op op, bool in)
{
    int error = MPI_SUCCESS;
    o->in_place = sendbuf == MPI_IN_PLACE;
    if (!o->in_place)
        error = side_one(r, c, &o->out, sendbuf, count, type);
    if (!error && in)
        error = side_one(r, c, &o->in, recvbuf, count, type);
    return error ? error : find_op(r, c, op, o->in_place ? o->in.type : o->out.type, &o->op);
}

static int reduce(struct rank *r, enum call call, const void *sendbuf, void *recvbuf, int count,
                  MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.root = root};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = check_root(r, c, root);
    if (!error)
        error = check_place(r, c, sendbuf, is_root(c, root));
    if (!error && !(c->remote && root == MPI_PROC_NULL)) /* which has nothing to do */
        error = take_vectors(r, c, &o, sendbuf, recvbuf, count, type, op, is_root(c, root));
    if (error || (!request && machine_reduce(r, c, &o)))
        return error;
    struct series *s = series_new(r, c, call, &o);
    start_reduce(s, limits_of(r));
    return series_go(r, s, request);
}

int call_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                int root, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Reduce);
    return call_end(r, reduce(r, CALL_Reduce, sendbuf, recvbuf, count, type, op, root, comm, NULL));
}

int call_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 int root, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ireduce);
    return call_end(
        r, reduce(r, CALL_Ireduce, sendbuf, recvbuf, count, type, op, root, comm, request));
}

static int allreduce(struct rank *r, enum call call, const void *sendbuf, void *recvbuf, int count,
                     MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.root = 0};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = check_place(r, c, sendbuf, true);
    if (!error)
        error = take_vectors(r, c, &o, sendbuf, recvbuf, count, type, op, true);
    if (error || (!request && machine_allreduce(r, c, &o)))
        return error;
    struct series *s = series_new(r, c, call, &o);
    start_allreduce(s, limits_of(r));
    return series_go(r, s, request);
}

int call_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Allreduce);
    return call_end(r, allreduce(r, CALL_Allreduce, sendbuf, recvbuf, count, type, op, comm, NULL));
}

int call_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Iallreduce);
    return call_end(
        r, allreduce(r, CALL_Iallreduce, sendbuf, recvbuf, count, type, op, comm, request));
}

/* recvcounts NULL: everybody gets recvcount elements. */
static int reduce_scatter(struct rank *r, enum call call, const void *sendbuf, void *recvbuf,
                          int recvcount, const int recvcounts[], MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.in_place = sendbuf == MPI_IN_PLACE};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = check_place(r, c, sendbuf, true);
    if (!error && recvcounts)
        error = side_check(r, c, recvcounts, c->group->size);
    if (!error)
        error = side_one(r, c, &o.in, recvbuf, recvcount, type);
    if (!error)
        error = find_op(r, c, op, o.in.type, &o.op);
    if (error)
        return error;
    o.in.counts = recvcounts;
    o.out = (struct side){.at = (void *)sendbuf};
    struct series *s = series_new(r, c, call, &o);
    start_reduce_scatter(s);
    return series_go(r, s, request);
}

int call_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Reduce_scatter);
    return call_end(r, reduce_scatter(r, CALL_Reduce_scatter, sendbuf, recvbuf, 0, recvcounts, type,
                                      op, comm, NULL));
}

int call_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ireduce_scatter);
    return call_end(r, reduce_scatter(r, CALL_Ireduce_scatter, sendbuf, recvbuf, 0, recvcounts,
                                      type, op, comm, request));
}

int call_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Reduce_scatter_block);
    return call_end(r, reduce_scatter(r, CALL_Reduce_scatter_block, sendbuf, recvbuf, recvcount,
                                      NULL, type, op, comm, NULL));
}

int call_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type,
                               MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ireduce_scatter_block);
    return call_end(r, reduce_scatter(r, CALL_Ireduce_scatter_block, sendbuf, recvbuf, recvcount,
                                      NULL, type, op, comm, request));
}

static int scan(struct rank *r, enum call call, bool exclusive, const void *sendbuf, void *recvbuf,
                int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct operands o = {.root = 0};
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        error = check_one_side(r, c);
    if (!error)
        error = take_vectors(r, c, &o, sendbuf, recvbuf, count, type, op, true);
    if (error)
        return error;
    struct series *s = series_new(r, c, call, &o);
    start_scan(s, exclusive);
    return series_go(r, s, request);
}

int call_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Scan);
    return call_end(r, scan(r, CALL_Scan, false, sendbuf, recvbuf, count, type, op, comm, NULL));
}

int call_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Iscan);
    return call_end(r,
                    scan(r, CALL_Iscan, false, sendbuf, recvbuf, count, type, op, comm, request));
}

int call_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Exscan);
    return call_end(r, scan(r, CALL_Exscan, true, sendbuf, recvbuf, count, type, op, comm, NULL));
}

int call_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Iexscan);
    return call_end(r,
                    scan(r, CALL_Iexscan, true, sendbuf, recvbuf, count, type, op, comm, request));
}
