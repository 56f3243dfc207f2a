/* Collective operations among neighbours of a topology. */
#define _GNU_SOURCE
#include "mpi/collective/perform.h"
#include "mpi/collective/start.h"
#include "mpi/object/topology.h"

/* The communicator of such an operation: it must have a topology. */
static int find_place(struct rank *r, MPI_Comm comm, struct comm **c, const struct topology **t)
{
    int error = find_comm(r, comm, c);
    if (error)
        return error;
    *t = (*c)->topology;
    return *t ? MPI_SUCCESS
              : error_raise(r, *c, MPI_ERR_TOPOLOGY, "the communicator has no topology");
}

static int start(struct rank *r, enum call call, struct comm *c, const struct operands *o,
                 MPI_Request *request)
{
    struct series *s = series_new(r, c, call, o);
    start_neighbours(s);
    return series_go(r, s, request);
}

/* recvcounts NULL: all blocks have recvcount elements. The same block goes to all. */
static int gather(struct rank *r, enum call call, const void *sendbuf, int sendcount,
                  MPI_Datatype sendtype, void *recvbuf, int recvcount, const int recvcounts[],
                  const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct topology *t;
    struct operands o = {.root = 0};
    struct comm *c;
    int error = find_place(r, comm, &c, &t);
    if (!error)
        error = side_one(r, c, &o.out, sendbuf, sendcount, sendtype);
    if (!error)
        error = recvcounts ? side_listed(r, c, &o.in, recvbuf, recvcounts, displs, t->ins, recvtype)
                           : side_even(r, c, &o.in, recvbuf, recvcount, recvtype);
    return error ? error : start(r, call, c, &o, request);
}

int call_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Neighbor_allgather);
    return call_end(r, gather(r, CALL_Neighbor_allgather, sendbuf, sendcount, sendtype, recvbuf,
                              recvcount, NULL, NULL, recvtype, comm, NULL));
}

int call_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                             void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ineighbor_allgather);
    return call_end(r, gather(r, CALL_Ineighbor_allgather, sendbuf, sendcount, sendtype, recvbuf,
                              recvcount, NULL, NULL, recvtype, comm, request));
}

int call_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                             void *recvbuf, const int recvcounts[], const int displs[],
                             MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Neighbor_allgatherv);
    return call_end(r, gather(r, CALL_Neighbor_allgatherv, sendbuf, sendcount, sendtype, recvbuf, 0,
                              recvcounts, displs, recvtype, comm, NULL));
}

int call_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                              void *recvbuf, const int recvcounts[], const int displs[],
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ineighbor_allgatherv);
    return call_end(r, gather(r, CALL_Ineighbor_allgatherv, sendbuf, sendcount, sendtype, recvbuf,
                              0, recvcounts, displs, recvtype, comm, request));
}

static int exchange(struct rank *r, enum call call, const void *sendbuf, int sendcount,
                    MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                    MPI_Comm comm, MPI_Request *request)
{
    const struct topology *t;
    struct operands o = {.root = 0};
    struct comm *c;
    int error = find_place(r, comm, &c, &t);
    if (!error)
        error = side_even(r, c, &o.out, sendbuf, sendcount, sendtype);
    if (!error)
        error = side_even(r, c, &o.in, recvbuf, recvcount, recvtype);
    return error ? error : start(r, call, c, &o, request);
}

int call_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Neighbor_alltoall);
    return call_end(r, exchange(r, CALL_Neighbor_alltoall, sendbuf, sendcount, sendtype, recvbuf,
                                recvcount, recvtype, comm, NULL));
}

int call_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ineighbor_alltoall);
    return call_end(r, exchange(r, CALL_Ineighbor_alltoall, sendbuf, sendcount, sendtype, recvbuf,
                                recvcount, recvtype, comm, request));
}

static int exchange_listed(struct rank *r, enum call call, const void *sendbuf,
                           const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                           void *recvbuf, const int recvcounts[], const int rdispls[],
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct topology *t;
    struct operands o = {.root = 0};
    struct comm *c;
    int error = find_place(r, comm, &c, &t);
    if (!error)
        error = side_listed(r, c, &o.out, sendbuf, sendcounts, sdispls, t->outs, sendtype);
    if (!error)
        error = side_listed(r, c, &o.in, recvbuf, recvcounts, rdispls, t->ins, recvtype);
    return error ? error : start(r, call, c, &o, request);
}

int call_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Neighbor_alltoallv);
    return call_end(r,
                    exchange_listed(r, CALL_Neighbor_alltoallv, sendbuf, sendcounts, sdispls,
                                    sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, NULL));
}

int call_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                             MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                             const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ineighbor_alltoallv);
    return call_end(r, exchange_listed(r, CALL_Ineighbor_alltoallv, sendbuf, sendcounts, sdispls,
                                       sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                                       request));
}

static int exchange_typed(struct rank *r, enum call call, const void *sendbuf,
                          const int sendcounts[], const MPI_Aint sdispls[],
                          const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                          MPI_Request *request)
{
    const struct topology *t;
    struct operands o = {.root = 0};
    struct comm *c;
    int error = find_place(r, comm, &c, &t);
    if (error)
        return error;
    error = side_typed(r, c, &o.out, sendbuf, sendcounts, t->outs, sendtypes);
    if (!error)
        error = side_typed(r, c, &o.in, recvbuf, recvcounts, t->ins, recvtypes);
    o.out.layout = o.in.layout = LAYOUT_FAR;
    o.out.addresses = sdispls;
    o.in.addresses = rdispls;
    if (!error)
        return start(r, call, c, &o, request);
    side_drop(&o.out);
    side_drop(&o.in);
    return error;
}

int call_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct rank *r = call_begin(CALL_Neighbor_alltoallw);
    return call_end(r,
                    exchange_typed(r, CALL_Neighbor_alltoallw, sendbuf, sendcounts, sdispls,
                                   sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, NULL));
}

int call_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                             const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                             MPI_Comm comm, MPI_Request *request)
{
    struct rank *r = call_begin(CALL_Ineighbor_alltoallw);
    return call_end(r, exchange_typed(r, CALL_Ineighbor_alltoallw, sendbuf, sendcounts, sdispls,
                                      sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                                      request));
}
