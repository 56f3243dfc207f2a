#!/usr/bin/env python3
"""Random configurations, each run on 1, 2 and 3 threads, cut into other partitions, ended behind a checkpoint and resumed, and on two
ranks: whole results, what is printed, and how a run fails are the same. A run ends with 0, or with a known status and one clear line; a
crash, a report of a sanitizer, a broken invariant or a timeout is a finding. Prints TAP.

    tests/random/random_runs.py WEFT [--count N] [--seconds T] [--seed S] ...

A finding says what is wrong and the command that shows it, in a folder that is kept; --only repeats a configuration.
"""
import argparse
import collections
import concurrent.futures
import os
import random as randoms
import re
import shutil
import subprocess
import sys
import tempfile
import time

import configurations
import job_logs
import keys
import machines
import otf2_traces
import ways
import workloads

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Programs of tests/mpi/programs that are short and end on any number of ranks.
PROGRAMS = ("ring", "allreduce", "alltoallv", "comm_split", "icoll_many", "isend_modes", "wildcards", "cart_sub", "probe", "scan", "jacobi2d",
            "sample_sort")

REPAIRS = 6
FAMILIES = machines.FAMILIES + (job_logs.FAMILY, otf2_traces.FAMILY)


def parse():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("weft")
    p.add_argument("--count", type=int, default=100, help="configurations")
    p.add_argument("--seconds", type=float, default=1e9, help="stop after so long")
    p.add_argument("--seed", default="1")
    p.add_argument("--only", type=int, help="this configuration alone")
    p.add_argument("--families", default=",".join(FAMILIES), help="of machines; jobs: `weft jobs`; otf2: traces")
    p.add_argument("--ranks", type=float, default=0.05, help="share of configurations that run on two ranks, too")
    p.add_argument("--processes", type=int, default=1, help="configurations at the same time")
    p.add_argument("--mpi", action="store_true", help="MPI programs, which are compiled first")
    p.add_argument("--minimise", action="store_true", help="leave out settings that a finding does not need")
    p.add_argument("--keep", help="the folder for findings")
    p.add_argument("--refusals", action="store_true", help="how often there was which complaint")
    p.add_argument("--plant", choices=ways.PLANTS, help="spoil what `-j 2` gives: there must be findings")
    return p.parse_args()


def compile_programs(weft, folder):
    """MPI programs, and the traces of what they do."""
    programs, traces = {}, []
    source = os.path.join(ROOT, "tests/mpi/programs")
    for name in PROGRAMS:
        path = os.path.join(folder, name)
        subprocess.run([weft, "mpicc", "-w", "-O1", os.path.join(source, name + ".c"), "-o", path, "-lm"], check=True)
        programs[name] = path
        for ranks in ("3", "5"):
            done = subprocess.run([weft, "mpirun", "-np", ranks, "-m", "ideal", "-q", "--trace", path + ".json", path], cwd=folder,
                                  capture_output=True, stdin=subprocess.DEVNULL, check=False)
            if done.returncode == 0:
                with open(path + ".ti", "rb") as file:
                    traces.append(file.read())
    return programs, traces


class Attack:
    """Draws configurations, tries them, and keeps what is found."""

    def __init__(self, o, folder):
        self.o, self.folder = o, folder
        self.weft = os.path.realpath(o.weft)
        programs, traces = compile_programs(self.weft, folder) if o.mpi else ({}, [])
        goal = configurations.trace_pool(self.weft, folder, randoms.Random(o.seed), 12)
        patterns = workloads.patterns(self.weft)
        self.known = configurations.Known(keys.Keys(self.weft), patterns, goal, traces, programs)
        self.tester = configurations.Tester(self.weft, self.has("cut.so"), o.ranks, o.plant)
        self.families = [family for family in o.families.split(",") if family != otf2_traces.FAMILY or self.has("otf2_write")]
        self.ends, self.kinds, self.complaints, self.found = collections.Counter(), collections.Counter(), collections.Counter(), []
        self.refused = collections.Counter()
        self.deadline = time.monotonic() + o.seconds

    def has(self, name):
        """The path of what the build made for tests; None: it did not."""
        path = os.path.join(os.path.dirname(self.weft), "tests", name)
        return path if os.path.exists(path) else None

    def draw(self, number):
        random = randoms.Random("%s/%d" % (self.o.seed, number))
        family = random.choice(self.families)
        if family == job_logs.FAMILY:
            return job_logs.Schedule(random, self.known)
        if family == otf2_traces.FAMILY:
            return otf2_traces.Trace(random)
        return configurations.draw(random, family, self.weft, self.known)

    def one(self, number):
        """Tries a configuration; one that is refused again without what is wrong with it, up to a few times."""
        if time.monotonic() > self.deadline:
            return None
        c, folder = self.draw(number), os.path.join(self.folder, "%d" % number)
        found, base = c.findings(self.tester, folder)
        for _ in range(REPAIRS):
            if found or base.code != 2 or not configurations.repair(c, base.complaint()):
                break
            self.refused[c.family] += 1
            found, base = c.findings(self.tester, folder)
        if found and self.o.minimise:
            configurations.minimise(c, self.tester, folder, found[0][0])
            found, base = c.findings(self.tester, folder)
        if not found and self.o.only is None:
            shutil.rmtree(folder)
        return number, c, base, found, folder

    def tell(self, number, c, found, folder):
        print("# configuration %d of seed %s (%s, %s), in %s" % (number, self.o.seed, c.family, c.kind, folder))
        for what, command in found[:6]:
            print("#   %s" % what.replace("\n", " | "))
            print("#     %s" % configurations.quoted(command))
        sys.stdout.flush()

    def go(self):
        numbers = range(self.o.count) if self.o.only is None else [self.o.only]
        with concurrent.futures.ThreadPoolExecutor(self.o.processes) as pool:
            for done in pool.map(self.one, numbers):
                if done is None:
                    continue
                number, c, base, found, folder = done
                self.kinds[c.family, c.kind] += 1
                self.ends[c.family, base.code] += 1
                self.complaints[re.sub(r"\d+", "N", re.sub(r"^.*?: (-\S+ [^:]*: )?", "", base.complaint()))[:150]] += base.code != 0
                if found:
                    self.found.append((c.family, c.kind))
                    self.tell(number, c, found, folder)

    def report(self):
        """A line for each family."""
        for number, family in enumerate(self.families):
            bad = sum(1 for name, _ in self.found if name == family)
            runs = sum(count for (name, _), count in self.kinds.items() if name == family)
            ends = ", ".join("%d with %s" % (count, code) for (name, code), count in sorted(self.ends.items(), key=str) if name == family)
            kinds = ", ".join("%d %s" % (count, kind) for (name, kind), count in sorted(self.kinds.items()) if name == family)
            print("# %s: %s; exit status: %s; refused before: %d" % (family, kinds, ends, self.refused[family]))
            print("%s %d - %s: %d configurations, %d with findings" % ("not ok" if bad else "ok", number + 1, family, runs, bad))
        print("1..%d" % len(self.families))
        for text, count in self.complaints.most_common() if self.o.refusals else ():
            print("# %d %s" % (count, text))


def main():
    o = parse()
    os.environ["WEFT_DATA"] = ROOT
    folder = o.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    attack = Attack(o, os.path.realpath(folder))
    if not attack.families:
        print("1..0 # SKIP otf2: this build has no libotf2")
        sys.exit(0)
    attack.go()
    attack.report()
    if not attack.found and o.only is None:
        shutil.rmtree(folder)
    sys.exit(1 if attack.found else 0)


main()
