"""Attacks on `weft jobs`: random logs in the Standard Workload Format, whole ones and broken ones, policies, machines, failures."""
import os

import configurations
import ways

FAMILY = "jobs"
MACHINES = (("bluegene-l", "machine.dims=16x8x8"), ("bluegene-l", "machine.dims=16x16x16"), ("bluegene-l", "machine.dims=4x4x4", "jobs.cell=2x2x2"),
            ("bluegene-l", "machine.dims=6x4x2", "jobs.cell=1x1x1"), ("bluegene-p", "machine.dims=8x8x8", "jobs.cell=4x2x8"),
            ("k-computer", "machine.dims=4x3x3x2x3x2"), ("k-computer", "machine.dims=3x2x2x2x3x2"),
            ("k-computer", "machine.dims=5x1x2x2x3x2", "machine.wrap=false"), ("k-computer", "machine.dims=2x2x2x2x3x2", "machine.io_plane=false"))
MISSING = -1
FIELDS = 18


def amount(random, most):
    """A number that is missing, odd, or neither."""
    return random.choice((MISSING, 0, 1, most, random.randint(1, most), random.randint(1, most), random.randint(1, most), random.randint(1, most)))


def job(random, number, submitted):
    job = [MISSING] * FIELDS
    job[0], job[1] = number, submitted if random.random() < 0.97 else MISSING
    job[3], job[4] = amount(random, random.choice((10, 1000, 100000))), amount(random, 100)
    job[7], job[8] = random.choice((MISSING, job[4], amount(random, 200))), random.choice((MISSING, job[3], amount(random, 5000)))
    job[10] = random.choice((MISSING, 0, 1, 5))
    return " ".join(str(field) if random.random() < 0.995 else random.choice(("%d.5" % field, "%de0" % field)) for field in job)


def log(random):
    lines, time = [], 0
    if random.random() < 0.8:
        lines.append("; MaxProcs: %d" % random.choice((100, 1, 64, 0, -1, 999999999999)))
    for number in range(random.choice((0, 1, 2, 10, 40))):
        time += random.choice((0, 0, 1, 50, 5000))
        lines.append(job(random, random.choice((number + 1, number + 1, number, 0)), time - random.choice((0, 0, 0, 60))))
    return "\n".join(lines) + random.choice(("\n", "\n", ""))


def broken(random, text):
    """A few letters of it, or whole fields, changed."""
    text = list(text)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text) + 1)
        what = random.randrange(4)
        if what == 0:
            del text[at:at + random.choice((1, 1, 5, 300))]
        elif what == 1:
            text.insert(at, random.choice((" ", "\n", "-", ".", "x", "9" * 30, "1e400", "nan", "\0", ";", "\t", "\r\n", "\u00e9", "inf")))
        elif what == 2:
            text[at:at] = text[at:at + 40]
        elif at < len(text):
            text[at] = chr(random.randrange(1, 256))
    return "".join(text).encode("latin-1")


class Schedule:
    """One log, or generated jobs, on a machine."""

    family = FAMILY

    def __init__(self, random, known):
        machine, *settings = random.choice(MACHINES)
        self.text = log(random)
        self.kind = random.choice(("log", "log", "log", "broken", "generated"))
        if self.kind == "broken":
            self.text = broken(random, self.text)
        settings += ["run.seed=%d" % random.randrange(100)]
        if self.kind == "generated":
            settings.append("jobs.count=%d" % random.choice((1, 2, 30, 200)))
        words = [word for setting in settings for word in ("-s", setting)] + known.keys.settings(random, machine, "jobs.", 5)
        if random.random() < 0.3:
            words += ["-s", "jobs.load=" + random.choice(("0.1", "0.7", "1.5", "20"))]
        if random.random() < 0.2:
            words += ["-s", "jobs.mtbf_hours=" + random.choice(("1", "300", "20000"))]
        self.head, self.units = ["-m", machine], configurations.units_of(words)
        self.log = [] if self.kind == "generated" else ["log.swf"]

    @property
    def words(self):
        return self.head + [word for unit in self.units for word in unit]

    def findings(self, tester, folder):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "log.swf"), "wb") as file:
            file.write(self.text if isinstance(self.text, bytes) else self.text.encode())
        names = ["r.json", "jobs.csv", "gantt.svg", "frames.svg"]
        tables = ["-o", "r.json", "--csv", "jobs.csv", "--gantt", "gantt.svg", "--frames", "frames.svg"]
        command = [tester.weft, "jobs", *self.log, *self.words, *tables]
        base = ways.execute(command, folder, names)
        found = [(flaw, command) for flaw in base.flaws()]
        again = ways.execute(command + ["--check"], folder, names)
        found += ways.beside(base, "again", command + ["--check"], tester.spoiled(again))
        logs = ["-s", "jobs.log=log.swf"] if self.log else []
        command = [tester.weft, "run", *self.words, "-w", "jobs", *logs, "-j", "3", "-q", "-o", "r.json"]
        other = ways.execute(command, folder, ["r.json"])
        if base.code == 0:
            base.files = {"r.json": base.files["r.json"]}
            found += ways.beside(base, "run", command, other, by_ranks=True)
        return found, base
