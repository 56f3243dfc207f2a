"""The ways to run a configuration, what came out, and what is wrong with that by itself or beside another way."""
import json
import os
import re
import subprocess

TIMEOUT = 30  # seconds; runs take milliseconds
CUT_STATUS = 77  # of cut.c
RANKS_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_mpi_yield_when_idle": "1",
}
BROKEN = re.compile(r"invariant broken|AddressSanitizer|LeakSanitizer|ThreadSanitizer|runtime error:|Segmentation|Assertion|core dumped")
# What is computed, not what comes out of it; and settings of which results do not depend.
COMPUTING = ("engine",)
CUTS = ("bricks", "partitions")
# Some ways are not for all workloads; they are refused by these words.
REFUSED_WAYS = {"resumed": r"checkpoint|leave their process", "ranks": r"mpirun|rank|one process"}
PLANTS = ("difference", "crash", "silence", "invariant")


class Outcome:
    """What a run came to."""

    def __init__(self, code, out, err, files):
        self.code, self.err = code, err
        self.out = "".join(line for line in out.splitlines(True) if not line.startswith("  engine "))
        self.files = files

    def complaint(self):
        """The first line of stderr that is Weft's, without the rank."""
        for line in self.err.splitlines():
            if line.startswith("weft: "):
                return re.sub(r"^weft: rank \d+: ", "weft: ", line)
        return ""

    def flaws(self, programs=False):
        """What is wrong with it, whatever the others say."""
        if self.code == "timeout":
            yield "timeout: it ran for %d s and was ended" % TIMEOUT
        elif self.code < 0 or self.code >= 128:
            yield "crash: exit status %d" % self.code
        if BROKEN.search(self.err):
            yield "broken: " + BROKEN.search(self.err).group(0)
        if self.code == 2 and not is_one_clear_line(self.err):
            yield "refusal: not one clear line"
        if self.code == 1 and not programs and not self.complaint():
            yield "failure: not explained"
        if self.code == 0 and self.err and not programs:
            yield "noise: words on standard error of a run that is done"
        if self.code not in (0, 1, 2, "timeout") and not programs and 0 <= self.code < 128:
            yield "status: %d" % self.code


def is_one_clear_line(err):
    """`weft: WHERE: what is wrong; what would be right`, printable."""
    lines = err.splitlines()
    return len(lines) == 1 and lines[0].startswith("weft: ") and len(lines[0]) < 1000 and lines[0].isprintable() and "; " in lines[0]


def canonical(path):
    """A result without how it was computed, as text."""
    try:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
    except OSError:
        return None
    for name in COMPUTING:
        result.pop(name, None)
    for name in CUTS:
        result.get("config", {}).get("run", {}).pop(name, None)
    return json.dumps(result, sort_keys=True, indent=1)


def contents(folder, names):
    """Files that a run has written, by name; None: it has not."""
    found = {}
    for name in names:
        path = os.path.join(folder, name)
        if name.endswith(".json"):
            found[name] = canonical(path)
        else:
            found[name] = open(path, encoding="utf-8", errors="replace").read() if os.path.exists(path) else None
    return found


def execute(command, folder, names, environment=None):
    """Runs it in the folder, after what an earlier run left there is gone."""
    for name in names:
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False,
                              env={**os.environ, **(environment or {})})
    except subprocess.TimeoutExpired:
        return Outcome("timeout", "", "", {})
    return Outcome(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), contents(folder, names))


def differences(one, other, by_ranks):
    """Where two ways differ. mpirun adds words of its own to stderr, and takes the exit status of any rank."""
    if one.code != other.code:
        yield "exit status %s, not %s" % (other.code, one.code)
        return
    if by_ranks:
        pairs = [("complaint", one.complaint(), other.complaint())]
    else:
        pairs = [("standard output", one.out, other.out), ("standard error", one.err, other.err)]
    pairs += [(name, one.files.get(name), other.files.get(name)) for name in one.files]
    for name, a, b in pairs:
        if a != b:
            yield "%s differs: %s" % (name, first_difference(a or "nothing", b or "nothing"))


def beside(base, name, command, outcome, by_ranks=False, programs=False):
    """(what, command) of all that is wrong with an outcome, by itself and beside the first one."""
    flaws = [] if by_ranks else list(outcome.flaws(programs))
    return [("%s: %s" % (name, text), command) for text in flaws + list(differences(base, outcome, by_ranks))]


def first_difference(a, b):
    before = ""
    for x, y in zip(a.splitlines() + ["(end)"], b.splitlines() + ["(end)"]):
        if x != y:
            return "after '%s': '%s' and '%s'" % (before.strip()[:60], x.strip()[:150], y.strip()[:150])
        before = x
    return "in blanks"


def plant(what, outcome):
    """Spoils an outcome, so that the tool itself can be tested: it must notice."""
    if what == "difference":
        name = next((name for name, text in outcome.files.items() if text), None)
        if name:
            outcome.files[name] = re.sub(r"\d(?=\D*$)", lambda digit: str((int(digit.group(0)) + 1) % 10), outcome.files[name], count=1)
        else:
            outcome.err += "?"
    elif what == "crash":
        outcome.code = -11
    elif what == "silence":
        outcome.code, outcome.err = 2, ""
    elif what == "invariant":
        outcome.code, outcome.err = -6, "weft: invariant broken at nowhere.c:1: it is planted\n"
    return outcome
