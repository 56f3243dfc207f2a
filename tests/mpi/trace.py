#!/usr/bin/env python3
"""Whether a time-independent trace is one that can be replayed: every message that is sent is received
once, with its size; every request that is started is waited for at most once; the members of a
communicator call the same operations in the same order, and agree on the sizes of blocks.

    trace.py FILE     prints what is wrong; exit status 1 if something is
"""
import collections
import sys

sent, received = collections.Counter(), collections.Counter()
called = collections.defaultdict(lambda: collections.defaultdict(list))
members, opened, wrong = {}, collections.defaultdict(collections.Counter), []
operations = collections.Counter()
blocks = []


def span(text):
    for part in text.split(","):
        ends, _, stride = part.partition("/")
        first, _, last = ends.partition("-")
        yield from range(int(first), int(last or first) + 1, int(stride or 1))


def message(rank, action, words, comm):
    peer, tag, size = int(words[0]), int(words[1]), int(words[2])
    if peer < 0 or tag == (1 << 32) - 2:
        wrong.append(f"rank {rank}: {action} of any message")
    sends = action.endswith("send")
    place = (rank, peer, tag, comm) if sends else (peer, rank, tag, comm)
    (sent if sends else received)[place + (size,)] += 1
    if action[0] == "i":
        opened[rank][place] += 1


def wait(rank, words, comm):
    if words[0] == "operation":
        if int(words[1]) >= operations[rank]:
            wrong.append(f"rank {rank} waits for operation {words[1]} of {operations[rank]}")
        return
    place = (int(words[0]), int(words[1]), int(words[2]), comm)
    opened[rank][place] -= 1
    if opened[rank][place] < 0:
        wrong.append(f"rank {rank} waits for {place}, which it has not started")


def check_blocks(number, rank, action, sizes, comm):
    """Vector operations: a rank's own block has the size that its list of blocks gives it."""
    everybody = sorted(ranks) if comm == "world" else members.get(comm, [rank])
    sizes = [int(size) for size in sizes[:len(everybody) + 1]]
    own, listed = (sizes[-1], sizes[:-1]) if action.endswith("scatterv") else (sizes[0], sizes[1:])
    if any(listed) and own != listed[everybody.index(rank)]:
        wrong.append(f"line {number}: rank {rank} has {own} bytes of its own, and {listed} by its list")


ranks = set()
for number, line in enumerate(open(sys.argv[1]), 1):
    words = line.split()
    rank, action, words = int(words[0]), words[1], words[2:]
    comm = "world"
    ranks.add(rank)
    if len(words) > 1 and words[-2] == "comm":
        comm = words[-1] if words[-1] != "self" else f"self {rank}"
        words = words[:-2]
    if words and words[-1] == "more":
        words = words[:-1]
    if action in ("init", "finalize", "compute", "poll", "probe", "iprobe", "copy", "combine"):
        continue
    if action == "comm_split":
        if len(words) > 1:
            members[words[0]] = [rank for side in words[1:] for rank in span(side)]
        if rank not in members.get(words[0], []):
            wrong.append(f"line {number}: rank {rank} is not in communicator {words[0]}")
    elif action in ("send", "recv", "isend", "irecv"):
        message(rank, action, words, comm)
    elif action == "wait":
        wait(rank, words, comm)
    elif action == "waitall":
        opened[rank].clear()
    else:
        called[comm][rank].append(action)
        if action in ("gatherv", "scatterv", "allgatherv"):
            blocks.append((number, rank, action, words, comm))
        operations[rank] += action[0] == "i"

for block in blocks:
    check_blocks(*block)
for place in sent.keys() | received.keys():
    if sent[place] != received[place]:
        wrong.append(f"sent {sent[place]} times, received {received[place]} times: "
                     "from %d to %d, tag %d, communicator %s, %d bytes" % place)
for comm, calls in called.items():
    everybody = sorted(ranks) if comm == "world" else members.get(comm, [])
    if not comm.startswith("self") and len({tuple(calls[rank]) for rank in everybody}) > 1:
        wrong.append(f"the members of communicator {comm} have called different operations")
print("\n".join(wrong[:5]), end="\n" if wrong else "")
sys.exit(bool(wrong))
