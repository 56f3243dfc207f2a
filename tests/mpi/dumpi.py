#!/usr/bin/env python3
"""Writes a DUMPI trace of four ranks: a .meta file, and a file of each rank, in the binary form of
libdumpi or in the text form of dumpi2ascii.

    dumpi.py PREFIX [SECONDS] [text|binary] [CALLS]

SECONDS: so long every rank computes between two calls (default: 1e-6). CALLS: instead of the
program below, so many messages that each rank sends to the next one.
"""
import struct
import sys

prefix, gap = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1e-6
binary = len(sys.argv) > 3 and sys.argv[3] == "binary"
many = int(sys.argv[4]) if len(sys.argv) > 4 else 0
ranks = 4
gap_ns, call_ns = round(gap * 1e9), 5000
functions = {
    "MPI_Recv": 1, "MPI_Ssend": 4, "MPI_Isend": 8, "MPI_Irecv": 12, "MPI_Wait": 13, "MPI_Waitany": 16, "MPI_Waitall": 18,
    "MPI_Send_init": 26, "MPI_Start": 31, "MPI_Sendrecv": 33, "MPI_Type_vector": 36, "MPI_Type_commit": 46, "MPI_Gather": 54,
    "MPI_Allgatherv": 59, "MPI_Alltoall": 60, "MPI_Allreduce": 65, "MPI_Comm_rank": 82, "MPI_Comm_split": 86, "MPI_Cart_create": 99,
    "MPI_Cart_sub": 111, "MPI_Init": 124, "MPI_Finalize": 125, "MPI_Get_processor_name": 114, "MPI_Type_create_struct": 222,
    "MPI_File_get_size": 235,
}
types = {0: "MPI_DATATYPE_ERROR", 2: "MPI_CHAR", 9: "MPI_INT", 14: "MPI_DOUBLE"}
comms = {1: "MPI_COMM_NULL", 2: "MPI_COMM_WORLD"}
CHAR, INT, DOUBLE, VECTOR, STRUCT = 2, 9, 14, 28, 29
WORLD, HALF, GRID, ROW = 2, 5, 6, 7
ANY = -1


# ---- the program: arguments are (kind, name, value), in the order of the binary form ----

def i(name, value): return "int", name, value
def ints(name, *value): return "ints", name, value
def dtype(name, value): return "type", name, value
def comm(value, name="comm"): return "comm", name, value
def request(value): return "request", "request", value
def requests(*value): return "requests", "requests", value


status = "status", "status", None


def to(count, of, dest, tag, more=()):
    return [i("count", count), dtype("datatype", of), i("dest", dest), i("tag", tag), comm(WORLD), *more]


def source(count, of, source, tag, more=(status,)):
    return [i("count", count), dtype("datatype", of), i("source", source), i("tag", tag), comm(WORLD), *more]


def calls(me):
    right, left = (me + 1) % ranks, (me - 1) % ranks
    yield "MPI_Init", [("texts", "argv", ["./prog", "2"])]
    yield "MPI_Comm_rank", [comm(WORLD), i("rank", me)]
    yield "MPI_Get_processor_name", [("text", "name", "here"), i("resultlen", 4)]
    yield "MPI_Irecv", source(100, DOUBLE, left, 7, [request(2)])
    yield "MPI_Isend", to(100, DOUBLE, right, 7, [request(3)])
    yield "MPI_Waitall", [i("count", 2), requests(2, 3), ("status", "statuses", None)]
    yield "MPI_Type_vector", [i("count", 8), i("blocklength", 2), i("stride", 4), dtype("oldtype", INT), dtype("newtype", VECTOR)]
    yield "MPI_Type_commit", [dtype("datatype", VECTOR)]
    if me % 2 == 0:
        yield "MPI_Ssend", to(3, VECTOR, right, 0)
    else:
        yield "MPI_Recv", source(3, VECTOR, ANY, ANY)
    yield "MPI_Comm_split", [comm(WORLD, "oldcomm"), i("color", me % 2), i("key", -me), comm(HALF, "newcomm")]
    # The other one of the half, by its rank there; the higher one comes first.
    other = 1 if me >= 2 else 0
    yield "MPI_Sendrecv", [i("sendcount", 64), dtype("sendtype", CHAR), i("dest", other), i("sendtag", 1),
                           i("recvcount", 64), dtype("recvtype", CHAR), i("source", other), i("recvtag", 1), comm(HALF), status]
    yield "MPI_Allgatherv", [i("commsize", 2), i("sendcount", 8 if me >= 2 else 4), dtype("sendtype", INT), ints("recvcounts", 8, 4),
                             ints("displs", 0, 8), dtype("recvtype", INT), comm(HALF)]
    yield "MPI_Send_init", to(1, INT, right, 3, [request(9)])
    yield "MPI_Start", [request(9)]
    yield "MPI_Recv", source(1, INT, left, 3)
    yield "MPI_Wait", [request(9), status]
    yield "MPI_Type_create_struct", [i("count", 2), ints("blocklengths", 2, 1), ints("displacements", 0, 8), ("types", "oldtypes", (INT, DOUBLE)),
                                     dtype("newtype", STRUCT)]
    gathered = [i("commrank", me), i("sendcount", 2), dtype("sendtype", STRUCT), i("root", 1), comm(WORLD)]
    at_root = [i("recvcount", 2), dtype("recvtype", STRUCT)]
    elsewhere = [] if binary else [i("recvcount", 0), dtype("recvtype", 0)]
    yield "MPI_Gather", gathered + (at_root if me == 1 else elsewhere)
    yield "MPI_Cart_create", [comm(WORLD, "oldcomm"), i("ndim", 2), ints("dims", 2, 2), ints("periods", 0, 1), i("reorder", 0), comm(GRID, "newcomm")]
    yield "MPI_Cart_sub", [i("ndim", 2), comm(GRID, "oldcomm"), ints("remain_dims", 0, 1), comm(ROW, "newcomm")]
    yield "MPI_File_get_size", [("short", "file", 1), ("long", "size", 1 << 40)]
    yield "MPI_Irecv", source(1, INT, left, 5, [request(2)])
    yield "MPI_Isend", to(1, INT, right, 5, [request(3)])
    for index in 1, 0:
        yield "MPI_Waitany", [i("count", 2), requests(2, 3), i("index", index), status]
    yield "MPI_Allreduce", [i("count", 1), dtype("datatype", DOUBLE), ("op", "op", 3), comm(ROW)]
    yield "MPI_Alltoall", [i("sendcount", 10), dtype("sendtype", INT), i("recvcount", 10), dtype("recvtype", INT), comm(WORLD)]
    yield "MPI_Finalize", []


def messages(me):
    right, left = (me + 1) % ranks, (me - 1) % ranks
    yield "MPI_Init", [("texts", "argv", [])]
    for n in range(many // 3):
        yield "MPI_Irecv", source(1, INT, left, 5, [request(2)])
        yield "MPI_Isend", to(1, INT, right, 5, [request(3)])
        yield "MPI_Waitall", [i("count", 2), requests(2, 3), ("status", "statuses", None)]
    yield "MPI_Finalize", []


# ---- text ----

def named(value, names, kind): return f"{value} ({names.get(value, 'user-defined-' + kind)})"
def listed(values): return "[" + ", ".join(map(str, values)) + "]"


def line(kind, name, value):
    if kind == "int":
        return f"int {name}={value}" + {"source": " (MPI_ANY_SOURCE)", "tag": " (MPI_ANY_TAG)"}.get(value == ANY and name, "")
    return {
        "ints": lambda: f"int {name}[{len(value)}]={listed(value)}",
        "types": lambda: f"MPI_Datatype {name}[{len(value)}]={listed(value)}",
        "type": lambda: f"MPI_Datatype {name}={named(value, types, 'datatype')}",
        "comm": lambda: f"MPI_Comm {name}={named(value, comms, 'comm')}",
        "request": lambda: f"MPI_Request {name}=[{value}]",
        "requests": lambda: f"MPI_Request {name}[{len(value)}]={listed(value)}",
        "status": lambda: f"MPI_Status {name}=<IGNORED>",
        "texts": lambda: f"int argc={len(value)}\nstring {name}[{len(value)}]=" + listed(f'"{v}"' for v in value),
        "text": lambda: f'string {name}="{value}"',
        "op": lambda: f"MPI_Op {name}={value} (MPI_SUM)",
        "short": lambda: f"MPI_File {name}={value} (user-file)",
        "long": lambda: f"int64_t {name}={value}",
    }[kind]()


def write_text(out, me):
    now = 100 * 10**9
    out.write("version=1.0.0\nhostname=here\nmeshdim=0\n")
    for call, arguments in (messages if many else calls)(me):
        now += gap_ns
        stamp = "at walltime %d.%09d, cputime 0.000000000 seconds in thread 0."
        out.write("\n".join([f"{call} entering " + stamp % divmod(now, 10**9)] + [line(*a) for a in arguments]) + "\n")
        now += call_ns
        out.write(f"{call} returning " + stamp % divmod(now, 10**9) + "\n")
    out.write("Total keyvals: 0\nMPI_Send called 0 times and ignored 0 times\n")


# ---- binary ----

def u(form, *values): return struct.pack(">" + form, *values)
def array(form, values): return u("I%d" % len(values) + form, len(values), *values) if values else u("I", 0)
def chars(value): return u("I", len(value)) + value.encode()


pack = {
    "int": lambda v: u("i", v),
    "ints": lambda v: array("i", v),
    "types": lambda v: array("H", v),
    "type": lambda v: u("H", v),
    "comm": lambda v: u("H", v),
    "request": lambda v: u("I", v),
    "requests": lambda v: array("I", v),
    "status": lambda v: u("I2i2bi", 1, 8, 0, 0, 0, 7),
    "texts": lambda v: u("I", len(v)) + b"".join(map(chars, v)),
    "text": chars,
    "op": lambda v: u("B", v),
    "short": lambda v: u("H", v),
    "long": lambda v: u("q", v),
}
magic = b"\xff\xaa\xddDUMPI"


def write_binary(out, me):
    now, bias = 100 * 10**9, 90
    at = {"body": out.write(magic)}
    out.write(u("2I", 0, bias))
    for call, arguments in (messages if many else calls)(me):
        now += gap_ns
        # Statuses, times of both clocks, a thread; and counters at some of them.
        flags = 0x4f | (0x80 if call == "MPI_Recv" else 0)
        stamps = [(t // 10**9 - bias, t % 10**9) for t in (now, now + call_ns)]
        out.write(u("HBH", functions[call], flags, 0) + u("HIHI", 0, 1, 0, 2) + u("HIHI", *stamps[0], *stamps[1]))
        if flags & 0x80:
            out.write(u("B4q", 2, 1, 2, 3, 4))
        out.write(b"".join(pack[kind](value) for kind, _, value in arguments))
        now += call_ns
    out.write(u("H", 293))
    at["header"] = out.tell()
    out.write(u("3BQ", 1, 0, 0, 1) + u("H", 4) + b"here" + u("H", 2) + b"me" + u("2I", 0, 0))
    at["footer"] = out.tell()
    out.write(u("Q", 0xf007fee7) + bytes(4 * 2 * 291) + u("I", 0))
    at["counters"] = out.tell()
    out.write(u("I", 2) + 2 * (u("H", 3) + b"CYC"))
    at["sizes"] = out.tell()
    sizes = [0] * 28
    sizes[CHAR], sizes[INT], sizes[DOUBLE] = 1, 4, 8
    out.write(array("i", sizes))
    at["names"] = out.tell()
    out.write(u("I", 1) + u("QH", 4096, 4) + b"main")
    out.write(magic + b"".join(u("Q", at.get(name, 0)) for name in ("sizes", "names", "counters", "header", "body", "footer", "keys")))


with open(prefix + ".meta", "w") as meta:
    meta.write(f"hostname=here\nnumprocs={ranks}\nusername=me\nstartime=1\nfileprefix={prefix}\nversion=1\n")
for me in range(ranks):
    if binary:
        with open(f"{prefix}-{me:04}.bin", "wb") as out:
            write_binary(out, me)
    else:
        with open(f"{prefix}-{me:04}.txt", "w") as out:
            write_text(out, me)
