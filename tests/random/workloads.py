"""Random workloads: every pattern that Weft names, with its files; programs, traces, several workloads at once."""
import subprocess

import inputs

# Patterns that are drawn as they are; a new one of `weft run` comes in by itself. These need more, or are drawn elsewhere.
WITH_FILES = {"matrix": inputs.rates, "file": inputs.timetable, "goal": inputs.goal, "replay": inputs.time_independent}
ELSEWHERE = {"mpi", "jobs", "parts", "program"}
PROGRAMS = {"halo": "200 2 500", "wavefront": "100 3 400", "master": "2 300 2000", "fft": "64 1 500", "collectives": "1 300"}
KINDS = ("pattern", "pattern", "pattern", "pattern", "program", "mpi", "goal", "replay", "parts", "several")
# Of several at once, all are packets or all messages.
OPEN = ("uniform", "neighbour", "transpose", "bitcomplement", "shuffle", "permutation", "tornado", "hotregion")
CLOSED = ("alltoall", "hotspot")
MESSAGES = ("alltoall", "pairs", "ring", "grid", "allreduce", "broadcast", "reduce", "allgather", "pingpong")
LOADS = ("0.05", "0.3", "0.7", "0.95", "1.3", "3")


def sets(values):
    return [word for value in values for word in ("-s", value)]


def patterns(weft):
    return subprocess.run([weft, "--complete", "run", "-w", ""], capture_output=True, text=True, check=True).stdout.split()


def window(random):
    """When an open loop is measured; most by given cycles, since a window that is found takes long."""
    if random.random() < 0.15:
        return sets(["workload.cycles=%d" % random.choice((100, 1000)), "workload.most_cycles=%d" % random.choice((12000, 21000))])
    return sets(["workload.warmup_cycles=%d" % random.choice((0, 100, 700)), "workload.cycles=%d" % random.choice((1, 300, 1500)),
                 "workload.drain_cycles=%d" % random.choice((0, 0, 0, 500))])


def amounts(random):
    """How much is sent: little."""
    settings = ["workload.load=" + random.choice(LOADS), "workload.message_bytes=%d" % random.choice(inputs.SIZES),
                "workload.messages=%d" % random.choice((1, 1, 1, 2, 3, 0)), "workload.packets_per_pair=%d" % random.choice((1, 1, 2, 5))]
    if random.random() < 0.2:
        settings.append("workload.as=" + random.choice(("packets", "messages")))
    if random.random() < 0.15:
        settings.append("workload.packet_bytes=" + random.choice(("32", "32,256", "0", "8,64", "128", "96,256,32", "2008")))
    if random.random() < 0.05:
        settings.append("workload.bytes_per_pair=%d" % random.choice((1, 500, 3000)))
    return settings


def mapping(random, files):
    """Where processes run."""
    if random.random() > 0.15:
        return []
    word = random.choice(("XYZT", "TZYX", "ZXYT", "TN", "NT", "fold", "XYZUVWT", "file"))
    if word == "file":
        seats = ["%d 0 0 0" % at for at in range(4)]
        random.shuffle(seats)
        files["seats"] = "\n".join(seats) + "\n"
        word = "seats"
    return ["workload.mapping=" + word]


def pattern(random, weft, known, files):
    name = random.choice([name for name in known if name not in ELSEWHERE and name not in ("goal", "replay")])
    settings = amounts(random) + mapping(random, files)
    if name in WITH_FILES:
        files["input"] = WITH_FILES[name](random)
        settings.append("workload.file=input")
    if name == "matrix" and random.random() < 0.3:
        settings.append("workload.rates=absolute")
    if name == "pairs" and random.random() < 0.5:
        if random.random() < 0.5:
            files["input"] = inputs.pairs(random)
            settings.append("workload.file=input")
        else:
            settings.append("workload.list=%d-%d,%d-%d" % tuple(random.sample(range(8), 4)))
    if random.random() < 0.1:
        settings.append("workload.hot_dims=" + random.choice(("1x1x1", "2x1x1", "2x2x2", "9x9x9")))
    return ["-w", name] + sets(settings) + window(random)


def program(random, weft, known, files):
    name = random.choice(sorted(PROGRAMS))
    return ["-p", name] + sets(["workload.arguments=" + PROGRAMS[name]] + mapping(random, files))


def goal(random, weft, known, files):
    files["input"] = inputs.goal(random) if random.random() < 0.5 or not known.goal else known.goal[random.randrange(len(known.goal))]
    return ["-w", "goal"] + sets(["workload.file=input"] + mapping(random, files))


def replay(random, weft, known, files):
    files["input"] = inputs.time_independent(random) if random.random() < 0.5 or not known.traces else random.choice(known.traces)
    return ["-w", "replay"] + sets(["workload.file=input"] + mapping(random, files))


def mpi(random, weft, known, files):
    if not known.programs:
        return replay(random, weft, known, files)
    name = random.choice(sorted(known.programs))
    return ["-w", "mpi"] + sets(["workload.program=" + known.programs[name], "workload.processes=%d" % random.randint(1, 6)] + mapping(random, files))


def place(random):
    first = random.randrange(6)
    return random.choice(("nodes:%d-%d" % (first, first + random.randrange(5)), "nodes:%d,%d" % (first, first + 2), "nodes:0-8:2", "cells:0", "all",
                          "1x1x1", "2x1x1@0/0/1", "1x1x1@1/0/1", "2x2x2"))


def part(random, as_messages):
    """A part that sends, with settings that its pattern has."""
    if as_messages and random.random() < 0.15:
        return "%s program program=%s" % (place(random), random.choice(sorted(PROGRAMS)))
    name = random.choice(MESSAGES if as_messages else OPEN if random.random() < 0.8 else CLOSED)
    more = ["message_bytes=%d" % random.choice(inputs.SIZES), "messages=%d" % random.choice((1, 1, 2))] if as_messages else \
        ["load=" + random.choice(LOADS), "burst=geometric"] if name in OPEN else ["packets_per_pair=%d" % random.randint(1, 3)]
    return " ".join([place(random), name] + random.sample(more, random.randrange(len(more) + 1)))


def parts(random, weft, known, files):
    as_messages = random.random() < 0.5
    text = "; ".join(part(random, as_messages) for _ in range(random.randint(1, 3)))
    settings = ["workload.parts=" + text, "workload.as=" + ("messages" if as_messages else "packets"), "workload.messages=1"]
    return ["-w", "parts"] + sets(settings) + window(random)


def partitions(random, load, sides):
    """Some of the same parts, in boxes of midplanes, which are wired apart."""
    cell = [random.choice([n for n in (1, 2, 3, side) if side % n == 0]) for side in sides]

    def box():
        size = [random.randint(1, min(2, side // n)) for side, n in zip(sides, cell)]
        at = [random.randrange(side // n) for side, n in zip(sides, cell)]
        return "%s@%s" % ("x".join(map(str, size)), "/".join(map(str, at)))

    def moved(word):
        name, text = word.split("=", 1)
        some = text.split(";")[:random.choice((1, 1, 2, 3))]
        return name + "=" + ";".join(" ".join([box()] + one.split()[1:]) for one in some)
    return [moved(word) if word.startswith("workload.parts=") else word for word in load] + sets(["jobs.cell=" + "x".join(map(str, cell))])


def several(random, weft, known, files):
    as_messages, words, first = random.random() < 0.5, [], 0
    for _ in range(random.randint(2, 3)):
        last = first + random.randint(1, 4)
        name = random.choice(MESSAGES if as_messages else OPEN)
        more = ["workload.message_bytes=%d" % random.choice(inputs.SIZES), "workload.messages=1"] if as_messages else ["workload.load=" + random.choice(LOADS)]
        words += ["-w", name, "--on", "%d-%d" % (first, last)] + sets(more)
        first = last + random.choice((1, 1, 1, 1, 1, 0))
    return words + sets(["workload.as=" + ("messages" if as_messages else "packets"), "workload.warmup_cycles=200", "workload.cycles=500"]) + \
        (["--alone"] if random.random() < 0.2 else [])


MAKERS = {"pattern": pattern, "program": program, "mpi": mpi, "goal": goal, "replay": replay, "parts": parts, "several": several}
