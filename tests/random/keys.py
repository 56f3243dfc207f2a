"""Random settings from the keys that `weft keys` lists, so that a new key is drawn from without a change here."""
import re
import subprocess

# What another module sets, what names a file or a program, and what depends on the computer.
SET_ELSEWHERE = re.compile(
    r"machine\.(dims|wrap|nodes|topology|graph|dead_\w+|swap|link\.bad_links|routing\.rule)$"
    r"|workload\.(pattern|as|file|list|program|arguments|trace|matrix|date|tag_output|compute|parts|mapping|grid|cycles"
    r"|warmup_cycles|most_cycles|drain_cycles|precision|load|messages|message_bytes|packets_per_pair|bytes_per_pair|rates"
    r"|stack_bytes|piece_bytes|packet_bytes|hot_dims)$"
    r"|run\.|jobs\.(log|box|planes|coordinate|cell|count)$")
# A whole number that is drawn from these, and not around the machine's value.
SMALL = {"workload.groups": 4, "workload.hops": 5, "workload.processes": 9, "workload.processes_per_node": 4, "workload.pairs": 6}


class Key:
    """A key, its value on the machine, and its choices if it has some."""

    def __init__(self, name, value, meaning):
        self.name, self.value = name, value
        choices = re.search(r"\[([^][]+)\]$", meaning)
        self.choices = re.split(r",\s*", choices.group(1)) if choices else None

    def draw(self, random):
        """A value, which may be out of range; None: there is no rule for such a key."""
        if self.choices:
            return random.choice(self.choices)
        if self.value in ("true", "false"):
            return random.choice(("true", "false"))
        if self.name in SMALL:
            return str(random.randint(0, SMALL[self.name]))
        if re.fullmatch(r"-?\d+", self.value):
            return str(self.whole(random, int(self.value)))
        if re.fullmatch(r"-?\d*\.?\d+(e-?\d+)?", self.value):
            return "%.4g" % (float(self.value) * random.choice((0, 0.1, 0.5, 0.9, 1.1, 2, 5)))
        return "auto" if self.value == "auto" else None

    @staticmethod
    def whole(random, value):
        if value == 0:
            return random.choice((1, 2, 3, 7, 64, 500, 1000))
        near = (value - 1, value + 1, value // 2, value // 4, value * 2, value * 3, value // 7, 1, 0)
        return random.choice(near)


def parse(text):
    """The keys of a listing: a line with name, value and unit, then lines of meaning."""
    keys, lines = [], text.splitlines()
    for at, line in enumerate(lines):
        found = re.match(r"((?:machine|workload|run|jobs)\.\S+) +(\S*)", line)
        if not found:
            continue
        meaning = []
        for more in lines[at + 1:]:
            if not more.startswith("    "):
                break
            meaning.append(more.strip())
        keys.append(Key(found.group(1), found.group(2).rstrip("*"), " ".join(meaning)))
    return keys


class Keys:
    """The keys of each machine, asked for once."""

    def __init__(self, weft):
        self.weft, self.known = weft, {}

    def of(self, machine):
        if machine not in self.known:
            listing = subprocess.run([self.weft, "keys", "-m", machine], capture_output=True, text=True, check=True)
            self.known[machine] = [key for key in parse(listing.stdout) if not SET_ELSEWHERE.match(key.name)]
        return self.known[machine]

    def settings(self, random, machine, prefix, most):
        """Up to `most` settings of keys that begin so; mostly few, since each may be refused."""
        keys = [key for key in self.of(machine) if key.name.startswith(prefix)]
        settings = []
        for key in random.sample(keys, min(len(keys), random.choice((0, 0, 1, 1, 2, most)))):
            value = key.draw(random)
            if value is not None:
                settings += ["-s", "%s=%s" % (key.name, value)]
        return settings
