"""Configurations of `weft run`: how one is drawn, run in every way, and made smaller."""
import os
import re

import inputs
import machines
import ways
import workloads

EVERY = ["--every", "0.1"]
NEEDED = ("workload.file", "workload.parts", "workload.program", "machine.graph")


class Known:
    """What the configurations of one build are drawn from."""

    def __init__(self, keys, patterns, goal=(), traces=(), programs=None):
        self.keys, self.patterns, self.goal, self.traces, self.programs = keys, patterns, goal, traces, programs or {}

    def __iter__(self):
        return iter(self.patterns)


class Configuration:
    """Arguments of `weft run`, in units that can be left out one by one; and the files that they name."""

    def __init__(self, family, kind, head, units, files, random):
        self.family, self.kind, self.head, self.units, self.files = family, kind, head, units, files
        self.cut = machines.cut(random, family)
        self.windows = {"CUT_AFTER": str(random.choice((1, 1, 2, 3, 5, 8))), "CUT_SKIP": str(random.choice((0, 0, 1, 2, 4, 8, 16)))}
        self.threads, self.rank_draw = random.randint(1, 3), random.random()

    @property
    def arguments(self):
        return self.head + [word for unit in self.units for word in unit]

    @property
    def tables(self):
        return [self.arguments[at + 1] for at, word in enumerate(self.arguments) if word in ("--links", "--nodes")]

    def findings(self, tester, folder):
        """(what, command) of everything that is wrong; and how the run ended."""
        self.write(folder)
        programs = self.kind == "mpi"
        command, base = tester.run(self, folder, "-j", "1")
        found = [(flaw, command) for flaw in base.flaws(programs)]
        for name, way in tester.ways_of(self) if base.code != "timeout" else ():
            command, outcome = way(folder)
            outcome = tester.spoiled(outcome) if name == "-j 2" else outcome
            if name not in ways.REFUSED_WAYS or outcome.code != 2 or not is_refused_way(name, outcome):
                found += ways.beside(base, name, command, outcome, name == "ranks", programs)
        return found, base

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for name, text in self.files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())


def units_of(words):
    """Options with their values. A workload with nodes of its own stays together with what follows it."""
    units, at = [], 0
    while at < len(words):
        alone = words[at] in ("--alone", "--check", "-q")
        units.append(words[at:at + (1 if alone else 2)])
        at += 1 if alone else 2
    return units


def observation(random, kind):
    """What is asked for besides; results do not depend on it. Programs and traces may compute for seconds of simulated time, of which a
    timeline would have billions of rows."""
    words = []
    if random.random() < 0.25 and kind in ("pattern", "parts", "several"):
        words += ["-s", "run.interval_cycles=%d" % random.choice((50, 333, 2000))]
    if random.random() < 0.2:
        words += ["--links", "links.csv"]
    if random.random() < 0.2:
        words += ["--nodes", "nodes.csv"]
    return words


def draw(random, family, weft, known):
    kind, files = random.choice(workloads.KINDS), dict(machines.FILES)
    machine, settings = machines.draw(random, family)
    load = workloads.MAKERS[kind](random, weft, known, files)
    words = settings + known.keys.settings(random, machine, "machine.", 5) + known.keys.settings(random, machine, "workload.", 2)
    words += ["-s", "run.seed=%d" % random.randrange(1000), "-s", "run.stall_cycles=%d" % random.choice((20000, 50000))] + observation(random, kind)
    if family == "torus" and kind == "parts" and random.random() < 0.5:
        load = workloads.partitions(random, load, machines.sides_in(words))
    head = ["-m", machine] + (load if kind == "several" else load[:2])
    return Configuration(family, kind, head, units_of(words) + ([] if kind == "several" else units_of(load[2:])), files, random)


def quoted(words):
    return " ".join(word if word and all(c.isalnum() or c in "-_=./:,@+%" for c in word) else "'%s'" % word for word in words)


class Tester:
    """Runs configurations in every way."""

    def __init__(self, weft, cut, ranks, planted=None):
        self.weft, self.cut, self.ranks, self.planted = weft, cut, ranks, planted

    def spoiled(self, outcome):
        """As it is, or as the tool's own test wants it."""
        return ways.plant(self.planted, outcome) if self.planted else outcome

    def run(self, c, folder, *more, prefix=(), environment=None):
        command = [*prefix, self.weft, "run", *c.arguments, "-o", "r.json", *more]
        return command, ways.execute(command, folder, ["r.json"] + c.tables, environment)

    def cut_run(self, c, folder):
        """A run with `-j 3`, cut otherwise, if the machine can be cut so."""
        command, outcome = self.run(c, folder, "-j", "3", "-s", c.cut)
        return (command, outcome) if outcome.code != 2 or c.cut.split("=")[0] not in outcome.err else self.run(c, folder, "-j", "3")

    def resumed(self, c, folder):
        """A run that is ended behind a checkpoint and continued."""
        state = os.path.join(folder, "state")
        if os.path.exists(state):
            os.remove(state)
        command, outcome = self.run(c, folder, "-j", str(c.threads), "--checkpoint", "state", *EVERY, environment={**c.windows, "LD_PRELOAD": self.cut})
        if outcome.code != ways.CUT_STATUS:
            return command, outcome
        tables = [word for name in c.tables for word in ("--" + name.split(".")[0], name)]
        command = [self.weft, "resume", "state", "-j", str(1 + c.threads % 3), "--check", *tables]
        return command, ways.execute(command, folder, ["r.json"] + c.tables)

    def on_ranks(self, c, folder):
        return self.run(c, folder, "-q", prefix=("mpirun", "-n", "2"), environment=ways.RANKS_ENVIRONMENT)

    def ways_of(self, c):
        yield "-j 2", lambda folder: self.run(c, folder, "-j", "2", "--check")
        yield "-j 3", lambda folder: self.cut_run(c, folder)
        if self.cut:
            yield "resumed", lambda folder: self.resumed(c, folder)
        if c.rank_draw < self.ranks:
            yield "ranks", lambda folder: self.on_ranks(c, folder)

def repair(c, complaint):
    """Whether something that a refusal is about could be left out."""
    for unit in c.units:
        name = unit[-1].split("=")[0]
        if name not in NEEDED and unit[0] in ("-s", "--links", "--nodes") and \
                (complaint.startswith("weft: %s: " % " ".join(unit)) or name in complaint):
            c.units = [u for u in c.units if u is not unit]
            return True
    return False


def minimise(c, tester, folder, what):
    """Leaves out what a finding of the same sort does not need."""
    sort = what.split(":")[0]
    for unit in list(reversed(c.units)):
        kept = c.units
        c.units = [u for u in kept if u is not unit]
        found, _ = c.findings(tester, folder)
        if not any(text.split(":")[0] == sort for text, _ in found):
            c.units = kept


def is_refused_way(name, outcome):
    return re.search(ways.REFUSED_WAYS[name], outcome.complaint()) is not None


def trace_pool(weft, folder, random, count):
    """Traces in GOAL of the skeletons that `weft goal` writes."""
    known, pool = inputs.skeletons(weft), []
    path = os.path.join(folder, "skeleton")
    for _ in range(count):
        if inputs.skeleton(random, weft, known, path):
            with open(path, "rb") as file:
                pool.append(file.read())
    return pool
