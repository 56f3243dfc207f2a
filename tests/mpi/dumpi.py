#!/usr/bin/env python3
"""Writes a DUMPI trace of four ranks as dumpi2ascii has it: a .meta file and a text of each rank.

    dumpi.py PREFIX [SECONDS]     so long every rank computes between two calls (default: 1e-6)
"""
import sys

prefix, gap = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1e-6
ranks = 4
world = "MPI_Comm comm=2 (MPI_COMM_WORLD)"


def calls(me):
    right, left = (me + 1) % ranks, (me - 1) % ranks
    half = f"MPI_Comm comm=5 (user-defined-communicator)"
    yield "MPI_Init", ["int argc=1", 'string argv[1]=["./prog"]']
    yield "MPI_Comm_rank", [world, f"int rank={me}"]
    yield "MPI_Irecv", ["int count=100", "MPI_Datatype datatype=11 (MPI_DOUBLE)", f"int source={left}", "int tag=7", world, "MPI_Request request=[2]"]
    yield "MPI_Isend", ["int count=100", "MPI_Datatype datatype=11 (MPI_DOUBLE)", f"int dest={right}", "int tag=7", world, "MPI_Request request=[3]"]
    yield "MPI_Waitall", ["int count=2", "MPI_Request requests[2]=[2, 3]", "MPI_Status statuses[2]=<IGNORED>"]
    yield "MPI_Type_vector", ["int count=8", "int blocklength=2", "int stride=4", "MPI_Datatype oldtype=9 (MPI_INT)", "MPI_Datatype newtype=28 (user-defined-datatype)"]
    yield "MPI_Type_commit", ["MPI_Datatype datatype=28 (user-defined-datatype)"]
    if me % 2 == 0:
        yield "MPI_Ssend", ["int count=3", "MPI_Datatype datatype=28 (user-defined-datatype)", f"int dest={right}", "int tag=0", world]
    else:
        yield "MPI_Recv", ["int count=3", "MPI_Datatype datatype=28 (user-defined-datatype)", "int source=-1 (MPI_ANY_SOURCE)", "int tag=-1 (MPI_ANY_TAG)", world, "MPI_Status status=<IGNORED>"]
    yield "MPI_Comm_split", ["MPI_Comm oldcomm=2 (MPI_COMM_WORLD)", f"int color={me % 2}", f"int key={-me}", "MPI_Comm newcomm=5 (user-defined-communicator)"]
    # The other one of the half, by its rank there; the higher one comes first.
    other = 1 if me >= 2 else 0
    yield "MPI_Sendrecv", ["int sendcount=64", "MPI_Datatype sendtype=2 (MPI_CHAR)", f"int dest={other}", "int sendtag=1", "int recvcount=64", "MPI_Datatype recvtype=2 (MPI_CHAR)", f"int source={other}", "int recvtag=1", half, "MPI_Status status=<IGNORED>"]
    yield "MPI_Allgatherv", ["int commsize=2", f"int sendcount={8 if me >= 2 else 4}", "MPI_Datatype sendtype=9 (MPI_INT)", "int recvcounts[2]=[8, 4]", "int displs[2]=[0, 8]", "MPI_Datatype recvtype=9 (MPI_INT)", half]
    yield "MPI_Send_init", ["int count=1", "MPI_Datatype datatype=9 (MPI_INT)", f"int dest={right}", "int tag=3", world, "MPI_Request request=[9]"]
    yield "MPI_Start", ["MPI_Request request=[9]"]
    yield "MPI_Recv", ["int count=1", "MPI_Datatype datatype=9 (MPI_INT)", f"int source={left}", "int tag=3", world, "MPI_Status status=<IGNORED>"]
    yield "MPI_Wait", ["MPI_Request request=[9]", "MPI_Status status=<IGNORED>"]
    yield "MPI_Allreduce", ["int count=1", "MPI_Datatype datatype=11 (MPI_DOUBLE)", "MPI_Op op=3 (MPI_SUM)", world]
    yield "MPI_Alltoall", ["int sendcount=10", "MPI_Datatype sendtype=9 (MPI_INT)", "int recvcount=10", "MPI_Datatype recvtype=9 (MPI_INT)", world]
    yield "MPI_Finalize", []


with open(prefix + ".meta", "w") as meta:
    meta.write(f"hostname=here\nnumprocs={ranks}\nusername=me\nstartime=1\nfileprefix={prefix}\nversion=1\n")
for me in range(ranks):
    now = 100.0
    with open(f"{prefix}-{me:04}.txt", "w") as out:
        out.write("version=1.0.0\nhostname=here\nmeshdim=0\n")
        for call, arguments in calls(me):
            now += gap
            stamp = "at walltime %.9f, cputime 0.000000000 seconds in thread 0."
            out.write("\n".join([f"{call} entering " + stamp % now] + arguments) + "\n")
            now += 5e-6
            out.write(f"{call} returning " + stamp % now + "\n")
        out.write("Total keyvals: 0\nMPI_Send called 0 times and ignored 0 times\n")
