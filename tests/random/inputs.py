"""Random files that workloads read: rates, pairs, timetables, mappings, and programs as traces in GOAL and as time-independent ones."""
import re
import subprocess

SIZES = (0, 1, 8, 17, 240, 241, 1024, 1025, 3000, 17000)


def lines(random, make, most):
    return "".join(make() + "\n" for _ in range(random.randint(1, most)))


def rates(random):
    return lines(random, lambda: "%d %d %s" % (random.randrange(6), random.randrange(6), random.choice(("1", "2.5", "1e-1", "0", "30MB/s"))), 12)


def pairs(random):
    return lines(random, lambda: "%d %d" % (random.randrange(6), random.randrange(6)), 5)


def timetable(random):
    times = sorted(random.randrange(3000) for _ in range(random.randint(1, 25)))
    return "".join("%d %d %d %d\n" % (time, random.randrange(6), random.randrange(6), random.choice(SIZES)) for time in times)


def goal(random):
    """Messages between random ranks, each before or after what its rank does besides; a loop of waits is possible, and a deadlock."""
    ranks = random.randint(1, 6)
    done = [[] for _ in range(ranks)]
    for number in range(random.randint(0, 12)):
        here, there, size = random.randrange(ranks), random.randrange(ranks), random.choice(SIZES) or 1
        tag = random.choice((" tag %d" % random.randrange(3), ""))
        done[here].append("s%d: send %db to %d%s" % (number, size, there, tag))
        if random.random() < 0.97:
            source = here if random.random() < 0.9 else -1
            done[there].append("r%d: recv %db from %d%s" % (number, size, source, tag))
    text = "num_ranks %d\n" % ranks
    for rank, steps in enumerate(done):
        for number in range(random.randint(0, 4)):
            steps.append("c%d: calc %d%s" % (number, random.choice((0, 1, 500, 20000)), random.choice(("", " cpu 1"))))
        random.shuffle(steps)
        labels = [step.split(":")[0] for step in steps]
        for at in range(1, len(labels)):
            if random.random() < 0.5:
                steps.append("%s %s %s" % (labels[at], random.choice(("requires", "requires", "irequires")), labels[random.randrange(at)]))
        text += "rank %d {\n%s}\n" % (rank, "".join(step + "\n" for step in steps))
    return text


COLLECTIVES = ("barrier", "bcast {n} {r}", "reduce {n} {c} {r}", "allreduce {n} {c}", "alltoall {n} {n}", "gather {n} {n} {r}",
               "scatter {n} {n} {r}", "allgather {n} {n}", "scan {n} {c}", "exscan {n} {c}")


def time_independent(random):
    """Ranks that do the same rounds: messages around a ring, some at once, collective operations, computation; rarely one is missing."""
    ranks = random.randint(1, 7)
    out = ["%d init" % rank for rank in range(ranks)]
    for _ in range(random.randint(0, 8)):
        kind, size, shift = random.randrange(4), random.choice(SIZES), random.randrange(ranks)
        words = random.choice(COLLECTIVES).format(n=size, c=random.choice((0, 100)), r=random.randrange(ranks))
        for rank in range(ranks):
            if random.random() < 0.003:
                continue
            to, source = (rank + shift) % ranks, (rank - shift) % ranks
            if kind == 0:
                out += ["%d isend %d 1 %d 6" % (rank, to, size), "%d irecv %d 1 %d 6" % (rank, source, size), "%d waitall" % rank]
            elif kind == 1:
                out += ["%d irecv %d 2 %d 6" % (rank, source, size), "%d send %d 2 %d 6" % (rank, to, size), "%d wait %d %d 2" % (rank, source, rank)]
            elif kind == 2:
                out.append("%d compute %d" % (rank, random.choice((0, 100, 5000))))
            else:
                out.append("%d %s" % (rank, words))
    return "\n".join(out + ["%d finalize" % rank for rank in range(ranks)]) + "\n"


def skeletons(weft):
    """What `weft goal` can write: name -> its keys with their values and units."""
    listing = subprocess.run([weft, "goal", "--list"], capture_output=True, text=True, check=True).stdout
    found, keys = {}, None
    for line in listing.splitlines():
        if line.startswith("    "):
            key = re.match(r" +(\w+)=(\S+) +(B|ns|MB/s|) ", line)
            if key and keys is not None:
                keys.append(key.groups())
        elif line.startswith("  "):
            keys = found.setdefault(line.split()[0], [])
    return found


def skeleton(random, weft, known, path):
    """Writes a trace by `weft goal`, small; whether it did."""
    name = random.choice(sorted(known))
    command = [weft, "goal", name, "-n", str(random.randint(1, 8)), "-o", path]
    for key, value, unit in known[name]:
        if unit == "B":
            command.append("%s=%d" % (key, random.choice((1, 100, 5000, 40000))))
        elif unit == "ns":
            command.append("%s=%d" % (key, random.choice((0, 100, 5000))))
        elif value.isdigit():
            command.append("%s=%d" % (key, random.randint(1, 3)))
    if random.random() < 0.3:
        command.append("--binary")
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
