#!/usr/bin/env python3
"""Writes what six ranks do in two forms: as events for otf2_write, by Score-P's count of bytes, and as a time-independent trace.

    otf2.py PREFIX PART[,PART...] [REPEATS]     writes PREFIX.events and PREFIX.ti
"""
import sys

N = 6
OPS = "barrier bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw allreduce reduce " \
      "reducescatter scan exscan reducescatterblock".split()
ROOTED = {"bcast", "gather", "gatherv", "scatter", "scatterv", "reduce"}
LISTED = {"gatherv", "scatterv", "allgatherv", "reducescatter"}
NAMES = {"reducescatter": "Reduce_scatter", "reducescatterblock": "Reduce_scatter_block"}
GAP, INSIDE = 1000, 50  # ticks of a nanosecond outside and inside calls

regions = {}
events, lines = [], []


def region(name):
    return regions.setdefault(name, len(regions) + 100)


class Rank:
    def __init__(self, me):
        self.me, self.now, self.begun = me, 5000, False
        self.request, self.operations = 0, 0

    def event(self, what, *arguments):
        self.now += INSIDE
        events.append((self.me, self.now, what, *arguments))

    def line(self, *words):
        lines.append((self.me, *words))

    def call(self, name, *inner):
        """A call, with the events in it; what comes before it is computation."""
        self.now += GAP
        if self.begun:
            self.line("sleep", GAP / 1e9)
        events.append((self.me, self.now, "enter", region(name)))
        for e in inner:
            self.event(*e)
        self.now += INSIDE
        events.append((self.me, self.now, "leave", region(name)))
        self.begun = name != "MPI_Finalize"

    def new_request(self):
        self.request += 1
        return 1000 * self.me + self.request


def sizes(op, n, i, root, x, in_place=False):
    """What member i of n has sent and received; x: bytes of each, or of all."""
    own = x[i] if isinstance(x, list) else x
    total = sum(x) if isinstance(x, list) else n * x
    if op == "barrier":
        return 0, 0
    if op in ("gather", "gatherv", "reduce", "bcast", "scatter", "scatterv"):
        one = (0 if in_place else own, total - (own if in_place else 0)) if i == root else (own, 0)
        return one if op in ("gather", "gatherv", "reduce") else one[::-1]
    if op == "allgatherv":
        return ((n - 1) * own, total - own) if in_place else (n * own, total)
    if op == "reducescatter":
        return (total - own, (n - 1) * own) if in_place else (total, n * own)
    if op == "scan":
        return ((n - i - 1) * own, i * own) if in_place else ((n - i) * own, (i + 1) * own)
    if op == "exscan":
        return (n - i - 1) * own, i * own
    return ((n - 1) * own, (n - 1) * own) if in_place else (total, total)


def ti_sizes(op, n, i, root, x):
    if op == "barrier":
        return []
    if op == "bcast":
        return [x, root]
    if op in ("gather", "scatter"):
        return [x, x, root]
    if op in ("allgather", "alltoall"):
        return [x, x]
    if op == "gatherv":
        return [x[i]] + (x if i == root else [0] * n) + [root]
    if op == "scatterv":
        return (x if i == root else [0] * n) + [x[i], root]
    if op == "allgatherv":
        return [x[i]] + x
    if op == "reducescatter":
        return x + [0]
    if op == "reducescatterblock":
        return [x] * n + [0]
    return [x, 0] + ([root] if op == "reduce" else [])


def ti_comm(comm):
    return [] if comm == 0 else ["comm", "self" if comm == 1 else comm]


def collective(r, op, x=0, root=0, comm=0, n=N, place=None, in_place=False):
    i = r.me if place is None else place
    sent, received = sizes(op, n, i, root, x, in_place)
    name = "MPI_" + NAMES.get(op, op.capitalize())
    r.call(name, ("collective", OPS.index(op), comm, root if op in ROOTED else "-", sent, received))
    mine = in_place and (op not in ("gather", "gatherv", "scatter", "scatterv", "reduce") or i == root)
    r.line(op, *ti_sizes(op, n, i, root, x), *(["in_place"] if mine and op not in LISTED else []), *ti_comm(comm))


def start_collective(r, op, x=0, root=0, comm=0, n=N):
    request = r.new_request()
    sent, received = sizes(op, n, r.me, root, x)
    r.call("MPI_I" + op, ("icollective", request))
    r.line("i" + op, *ti_sizes(op, n, r.me, root, x), *ti_comm(comm))
    r.operations += 1
    return ("collective", OPS.index(op), comm, root if op in ROOTED else "-", sent, received, request), \
        ("wait", "operation", r.operations - 1)


def send(r, to, tag, size, call="Send"):
    r.call("MPI_" + call, ("send", to, 0, tag, size))
    r.line("send", to, tag, size, *(["by", call.lower()] if call != "Send" else []))


def receive(r, source, tag, size):
    r.call("MPI_Recv", ("recv", source, 0, tag, size))
    r.line("recv", source, tag, size)


# ---- parts ----

def ring(r, repeat):
    right, left = (r.me + 1) % N, (r.me - 1) % N
    a, b = r.new_request(), r.new_request()
    r.call("MPI_Irecv", ("irequest", a))
    r.line("irecv", left, 7, 800)
    r.call("MPI_Isend", ("isend", right, 0, 7, 800, b))
    r.line("isend", right, 7, 800)
    r.call("MPI_Waitall", ("irecv", left, 0, 7, 800, a), ("isent", b))
    r.line("waitall")


def blocking(r, repeat):
    # 5000 bytes may or may not need a rendezvous: even ranks send first.
    other = r.me ^ 1
    for call, size in (("Send", 5000), ("Ssend", 40), ("Bsend", 30000)):
        if r.me % 2 == 0:
            send(r, other, 3, size, call)
            receive(r, other, 4, size)
        else:
            receive(r, other, 3, size)
            send(r, other, 4, size, call)


def exchange(r, repeat):
    right, left = (r.me + 1) % N, (r.me - 1) % N
    r.call("MPI_Sendrecv", ("send", right, 0, 9, 20000), ("recv", left, 0, 9, 20000))
    r.line("sendRecv", 20000, right, 20000, left, 6, 6)


def persistent(r, repeat):
    right, left = (r.me + 2) % N, (r.me - 2) % N
    a, b = r.new_request(), r.new_request()
    r.call("MPI_Startall", ("irequest", a), ("isend", right, 0, 2, 300, b))
    r.line("irecv", left, 2, 300)
    r.line("isend", right, 2, 300, "more")
    # Waits one by one, in the other order.
    r.call("MPI_Waitany", ("itest", a), ("isent", b))
    r.line("wait", r.me, right, 2)
    r.call("MPI_Wait", ("irecv", left, 0, 2, 300, a))
    r.line("wait", left, r.me, 2)


def wildcard(r, repeat):
    # From anybody: the trace says from whom it came.
    if r.me:
        send(r, 0, 5, 64 * r.me)
        return
    for source in (3, 1, 2, 5, 4):
        receive(r, source, 5, 64 * source)


def collectives(r, repeat):
    collective(r, "barrier")
    for op in OPS:
        if op.startswith("alltoall") and op != "alltoall" or op == "barrier":
            continue
        x = [104, 48, 0, 800, 16, 3200] if op in LISTED else 480
        collective(r, op, x, root=2 if op in ROOTED else 0)
    # Of all-to-alls with different sizes, the trace has sums: those of these sizes leave no choice.
    out = [8 * (r.me + 1) * (i + 1) for i in range(N)]
    for op in ("alltoallv", "alltoallw"):
        r.call("MPI_" + op.capitalize(), ("collective", OPS.index(op), 0, "-", sum(out), sum(out)))
        r.line("alltoallv", sum(out), *out, sum(out), *out)


def in_place(r, repeat):
    # Sizes that only fit N - 1, or are told apart by what the others say.
    for op in ("gather", "scatter", "reduce", "allgather", "alltoall", "allreduce", "scan"):
        collective(r, op, 8, root=1 if op in ROOTED else 0, in_place=True)
    for op in ("allgatherv", "reducescatter"):
        collective(r, op, [104, 48, 8, 800, 16, 3200], in_place=True)


def later(r, repeat):
    a, wait_a = start_collective(r, "bcast", 640, root=3)
    b, wait_b = start_collective(r, "allreduce", 96)
    c, wait_c = start_collective(r, "allgatherv", [8 * i + 8 for i in range(N)])
    # The last first: sizes of all belong together by the order of their beginnings.
    for event, wait in ((c, wait_c), (a, wait_a), (b, wait_b)):
        r.call("MPI_Wait", event)
        r.line(*wait)


def communicators(r, repeat):
    # 2: even ranks, from the highest down; 3: odd ones.
    mine = [4, 2, 0] if r.me % 2 == 0 else [1, 3, 5]
    comm, place = 2 + r.me % 2, mine.index(r.me)
    if repeat == 0:
        r.call("MPI_Comm_split")
        r.line("comm_split", comm, ",".join(map(str, mine)))
    other = (place + 1) % 3
    before = (place - 1) % 3
    request = r.new_request()
    r.call("MPI_Irecv", ("irequest", request))
    r.line("irecv", mine[before], 1, 72, "comm", comm)
    r.call("MPI_Send", ("send", other, comm, 1, 72))
    r.line("send", mine[other], 1, 72, "comm", comm)
    r.call("MPI_Wait", ("irecv", before, comm, 1, 72, request))
    r.line("wait", mine[before], r.me, 1, "comm", comm)
    collective(r, "gatherv", [8, 80, 800], root=1, comm=comm, n=3, place=place)
    collective(r, "allreduce", 24, comm=comm, n=3, place=place)
    collective(r, "allreduce", 24, comm=1, n=1, place=0)


def tests(r, repeat):
    # A test in vain, and one that finds the message; a receive that is never used, and one that is given up.
    right, left = (r.me + 1) % N, (r.me - 1) % N
    a, unused, dropped = r.new_request(), r.new_request(), r.new_request()
    r.call("MPI_Irecv", ("irequest", unused))
    r.call("MPI_Irecv", ("irequest", dropped))
    r.call("MPI_Irecv", ("irequest", a))
    r.line("irecv", left, 8, 16)
    r.call("MPI_Test", ("itest", a))
    r.line("poll")
    r.call("MPI_Iprobe")
    r.line("poll")
    send(r, right, 8, 16)
    r.call("MPI_Test", ("irecv", left, 0, 8, 16, a))
    r.line("wait", left, r.me, 8)
    r.call("MPI_Cancel", ("icancel", dropped))


def sides(r, repeat):
    # Of two sides, messages go to the other one.
    if repeat == 0:
        r.line("comm_split", 4, "0,1,2", "3,4,5")
    other = (r.me + 3) % N
    if r.me < 3:
        r.call("MPI_Send", ("send", r.me, 4, 6, 100))
        r.line("send", other, 6, 100, "comm", 4)
    else:
        r.call("MPI_Recv", ("recv", r.me - 3, 4, 6, 100))
        r.line("recv", other, 6, 100, "comm", 4)


PARTS = {f.__name__: f for f in (ring, blocking, exchange, persistent, wildcard, collectives, in_place, later,
                                 communicators, tests, sides)}


def main():
    prefix, parts = sys.argv[1], sys.argv[2].split(",")
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for me in range(N):
        r = Rank(me)
        r.call("MPI_Init", ("collective", 17, 0, "-", 0, 0))
        r.line("init")
        for repeat in range(repeats):
            for part in parts:
                PARTS[part](r, repeat)
        r.call("MPI_Finalize", ("collective", 18, 0, "-", 0, 0))
    with open(prefix + ".events", "w") as out:
        print("clock 1000000000\nlocations", ",".join(str(10 * i) for i in range(N)), file=out)
        for name, ref in regions.items():
            print("region", ref, name, file=out)
        print("comm 0 MPI_COMM_WORLD", ",".join(map(str, range(N))), file=out)
        print("comm 1 MPI_COMM_SELF self\ncomm 2 even 4,2,0\ncomm 3 odd 1,3,5\nintercomm 4 sides 0,1,2 3,4,5", file=out)
        for me, *words in events:
            print(10 * me, *words, file=out)
    with open(prefix + ".ti", "w") as out:
        for words in lines:
            print(*words, file=out)


main()
