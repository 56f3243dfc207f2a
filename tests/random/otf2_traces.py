"""Attacks on the reader of OTF2: traces of tests/mpi/otf2.py whose events are changed before they are written, or whose files are changed
afterwards. They are replayed, or refused with one line."""
import os
import shutil
import struct
import subprocess
import sys

import ways

FAMILY = "otf2"
HERE = os.path.dirname(os.path.realpath(__file__))
PARTS = ("ring", "blocking", "exchange", "persistent", "wildcard", "collectives", "in_place", "later", "communicators", "tests", "sides")
MACHINES = (["-m", "ideal"], ["-m", "bluegene-l", "-s", "machine.dims=3x2x1"], ["-m", "sc5832", "-s", "machine.graph=kautz:2:2"],
            ["-m", "k-computer", "-s", "machine.dims=1x1x1x2x3x2"], ["-m", "fat-tree", "-s", "machine.graph=fattree:4:2"])
# Numbers of an anchor file of format 3 without names: where, and how they are packed.
ANCHOR_NUMBERS = ((7, "<B"), (12, "<Q"), (20, "<Q"), (28, "<B"), (29, "<B"), (30, "<Q"), (38, "<Q"), (49, "<I"), (53, "<Q"), (61, "<I"), (65, "<I"))
ANCHOR_VALUES = (0, 1, 2, 3, 5, 6, 7, 8, 100, 255, 1000, 1 << 18, 1 << 20, 1 << 24, 1 << 31, 1 << 32, 1 << 40, 1 << 62, 1 << 63, (1 << 64) - 1)
PROPERTY = b"A::B\0value\0"
NUMBERS = ("0", "1", "2", "5", "6", "-", "17", "100", "4294967295", "2147483648", "18446744073709551615", "99999999999")


def changed_lines(random, lines):
    """Events that are left out, doubled, moved or have another number; those of a location stay in the order of time."""
    lines = list(lines)
    for _ in range(random.choice((0, 1, 1, 2, 5))):
        at, what = random.randrange(1, len(lines)), random.randrange(5)
        if what == 0:
            del lines[at:at + random.choice((1, 1, 3))]
        elif what == 1:
            lines.insert(at, lines[at])
        else:
            words = lines[at].split()
            if words[0].isdigit() and len(words) > 3:
                place = random.randrange(3, len(words))
                words[place] = random.choice(NUMBERS)
            elif len(words) > 1:
                words[1] = random.choice(NUMBERS[:5])
            lines[at] = " ".join(words)
        if len(lines) < 3:
            break
    return lines


def changed_files(random, folder):
    """Some bytes of some files of the trace are others, or gone."""
    files = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)
    for _ in range(random.choice((1, 1, 2, 4))):
        path = random.choice(files)
        if not os.path.exists(path):
            continue
        with open(path, "rb") as file:
            data = bytearray(file.read())
        what = random.randrange(12)
        if what == 0:
            os.remove(path)
            continue
        if what == 1:
            data = data[:random.randrange(len(data) + 1)]
        elif what == 2:
            data += data[:random.randrange(200)]
        elif data:
            for _ in range(random.choice((1, 1, 2, 8))):
                data[random.randrange(len(data))] = random.choice((0, 1, 255, 128, random.randrange(256)))
        with open(path, "wb") as file:
            file.write(data)


def changed_anchor(random, folder):
    """Numbers of the anchor file are others, or it has properties and says how many, or not; by these, libotf2 takes memory, counts
    on for minutes, or writes where it must not."""
    path = os.path.join(folder, "traces.otf2")
    with open(path, "rb") as file:
        data = bytearray(file.read())
    for _ in range(random.choice((1, 1, 2, 3))):
        at, form = random.choice(ANCHOR_NUMBERS)
        value = (random.choice(ANCHOR_VALUES) + random.choice((0, 0, 1, -1))) % (1 << 8 * struct.calcsize(form))
        struct.pack_into(form, data, at, value)
    if random.random() < 0.2:
        struct.pack_into("<I", data, 49, random.choice((1, 2, 3, 1000, 0x40000000, 0x80000000, 0x80000002, 0xffffffff)))
        data[53:53] = PROPERTY * random.choice((0, 1, 2, 3, 20))
    if random.random() < 0.1:
        data[1] = 0x23  # the other byte order
    with open(path, "wb") as file:
        file.write(data)


class Trace:
    """A trace that is replayed on a machine."""

    family = FAMILY

    def __init__(self, random):
        self.random = random
        self.kind = self.random.choice(("whole", "events", "events", "files", "files", "files", "anchor", "anchor"))
        self.parts = ",".join(self.random.sample(PARTS, self.random.choice((1, 1, 2, 3))))
        self.machine, self.units = self.random.choice(MACHINES), []

    def write(self, tester, folder):
        """Whether there is a trace: the writer refuses some changes."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        maker = os.path.join(os.path.dirname(HERE), "mpi", "otf2.py")
        subprocess.run([sys.executable, maker, os.path.join(folder, "t"), self.parts], check=True)
        with open(os.path.join(folder, "t.events"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        if self.kind == "events":
            lines = changed_lines(self.random, lines)
        done = subprocess.run([os.path.join(os.path.dirname(tester.weft), "tests", "otf2_write"), "o"], cwd=folder, capture_output=True,
                              input="\n".join(lines).encode() + b"\n", check=False)
        if self.kind == "files" and done.returncode == 0:
            changed_files(self.random, os.path.join(folder, "o"))
        if self.kind == "anchor" and done.returncode == 0:
            changed_anchor(self.random, os.path.join(folder, "o"))
        return done.returncode == 0

    def findings(self, tester, folder):
        if not self.write(tester, folder):
            return [], ways.Outcome("not written", "", "", {})
        command = [tester.weft, "run", *self.machine, "-w", "replay", "-s", "workload.file=o/traces.otf2", "-o", "r.json"]
        base = ways.execute(command, folder, ["r.json"])
        found = [(flaw, command) for flaw in base.flaws()]
        for threads in ("2", "3"):
            other = ways.execute(command + ["-j", threads], folder, ["r.json"])
            found += ways.beside(base, "-j " + threads, command + ["-j", threads], tester.spoiled(other) if threads == "2" else other)
        return found, base
