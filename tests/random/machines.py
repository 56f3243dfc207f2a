"""Random small machines of every family: sizes that are even, odd and degenerate, dead parts, links that make errors."""

FAMILIES = ("torus", "crosspoint", "tofu", "switches", "ideal")
TORUS_DIMS = ("1x1x1", "2x1x1", "1x2x1", "1x1x3", "3x2x1", "2x2x2", "4x3x2", "5x1x3", "3x3x3", "4x4x1", "4x2x2", "1x7x2", "3x5x7", "4x4x4",
              "8x2x1", "6x3x2")
TOFU_DIMS = ("1x1x1", "1x1x2", "2x1x1", "1x2x2", "2x1x2", "3x1x1", "2x2x2", "1x3x2", "3x2x2", "4x1x2")
KAUTZ = ("kautz:2:1", "kautz:2:2", "kautz:2:3", "kautz:3:2", "kautz:3:3", "kautz:4:2", "torus:3x2", "torus:4x4", "mesh:3x3", "mesh:5",
         "hyperx:2x3:1", "full:5:1", "irregular")
SWITCHES = ("dragonfly:1:2:1", "dragonfly:2:3:2:4", "dragonfly:2:4:2", "dragonfly:1:3:1:2", "fattree:4", "fattree:4:2", "fattree:2:3",
            "xgft:2,3:1,2", "xgft:3,2,2:1,2,1", "hyperx:2x3:2", "hyperx:3x3:1", "full:4:2", "full:2:1", "torus:4x4", "torus:3x2x2", "torus:5",
            "torus:2x2x4:xz2", "torus:4x3:-y", "mesh:3x2", "mesh:4x1x2", "leaves")
IDEAL = ("torus:2x3x2", "torus:4x4", "mesh:3x2x2", "torus:7x1x2", "kautz:2:3", "irregular")
FILES = {
    "irregular": "0: 1 2 3\n1: 5 0\n2: 5 # ties\n3:5 4\n4 : 0\n5: 1 2\n",
    "leaves": "# leaves, spines, and a switch without hosts\n0 3: 2 3\n1 2: 2 3\n2 0: 3\n3 1:\n",
}


def some_of(random, items, share):
    return random.choice(items) if random.random() < share else None


def sides_of(dims):
    return [int(side) for side in dims.split("x")]


def sides_in(words):
    """The sides of the machine that settings make."""
    return sides_of(next(word for word in words if word.startswith("machine.dims=")).split("=")[1])


def point(random, sides):
    return "/".join(str(random.randrange(side)) for side in sides)


def listed(random, make, most=3):
    return ",".join(make() for _ in range(random.randint(1, most)))


def link_errors(random, name_link):
    """Links that make errors, always or for a time."""
    settings = []
    if random.random() < 0.25:
        settings.append("machine.link.bit_error_rate=" + random.choice(("1e-7", "1e-6", "1e-5", "1e-4")))
    if random.random() < 0.15:
        start = random.choice((0, 100, 500))
        end = random.choice(("", "", "%d" % (start + random.choice((1, 300, 2000)))))
        settings.append("machine.link.bad_links=" + listed(random, lambda: "%s@%d-%s" % (name_link(), start, end), 2))
        settings.append("machine.link.bad_error_rate=" + random.choice(("1e-4", "1e-2", "0.5", "1")))
    return settings


def box(random, axes, machine, dims, tail, more):
    """Settings of a machine whose nodes have coordinates."""
    sides = sides_of(dims + tail)
    settings = ["machine.dims=" + dims + tail] + more

    def link():
        return "%s:%s%s" % (point(random, sides), random.choice(axes), random.choice("+-"))
    if random.random() < 0.3:
        settings.append("machine.wrap=" + random.choice(("true", "false", ",".join(random.choice(("true", "false")) for _ in range(3)))))
    if random.random() < 0.12:
        settings.append("machine.dead_nodes=" + listed(random, lambda: point(random, sides)))
    if random.random() < 0.12:
        settings.append("machine.dead_links=" + listed(random, link))
    return machine, settings + link_errors(random, link)


def torus(random):
    machine = random.choice(("bluegene-l", "bluegene-l", "bluegene-l", "bluegene-p", "bluegene-p", "bluegene-l-sim2003"))
    classes = ";".join(random.choice(("nodes:0-%d" % random.randrange(9), "nodes:%d,%d" % (random.randrange(4), random.randrange(9)),
                                      "2x1x1@0/0/0", "2x2x1@0/0/1", "1x1x1")) for _ in range(random.choice((1, 1, 2, 3))))
    more = ["machine.tree.classes=" + classes] if random.random() < 0.08 and machine != "bluegene-p" else []
    return box(random, "xyz", machine, random.choice(TORUS_DIMS), "", more)


def swap(random, sides):
    """A node, board or group that is out of service for a time, or fails."""
    unit = random.choice((sides + [2, 3, 2], sides + [3], sides))
    start = random.choice((0, 300, 1000, 3000))
    end = random.choice(("", "%d" % (start + random.choice((1, 200, 1000, 4000)))))
    return "%s%s@%d-%s" % (random.choice(("", "", "", "fail:")), point(random, unit), start, end)


def tofu(random):
    dims, more = random.choice(TOFU_DIMS), []
    sides = sides_of(dims)
    if random.random() < 0.3:
        more.append("machine.io_plane=" + random.choice(("true", "false")))
    if random.random() < 0.08:
        more.append("machine.dead_boards=%s/%d" % (point(random, sides), random.randrange(3)))
    if random.random() < 0.05:
        more.append("machine.dead_groups=" + point(random, sides))
    if random.random() < 0.15:
        more.append("machine.swap=" + listed(random, lambda: swap(random, sides)))
    return box(random, "xyzabc", "k-computer", dims, "x2x3x2", more)


def crosspoint(random):
    settings = ["machine.graph=" + random.choice(KAUTZ)]

    def link():
        return "%d>%d" % (random.randrange(7), random.randrange(7))
    if random.random() < 0.12:
        settings.append("machine.dead_nodes=" + listed(random, lambda: str(random.randrange(7))))
    if random.random() < 0.12:
        settings.append("machine.dead_links=" + listed(random, link))
    if not settings[0].endswith(("kautz:2:1", "kautz:2:2", "kautz:2:3")) or random.random() < 0.2:
        settings.append("machine.link.control_bytes=%d" % random.choice((24, 31, 40)))
    return "sc5832", settings + link_errors(random, link)


def switches(random):
    graph = random.choice(SWITCHES)
    machine = "dragonfly" if graph.startswith("dragonfly") else "fat-tree" if graph[0] in "fx" else "torus-pod"
    if random.random() < 0.2:
        machine = random.choice(("dragonfly", "fat-tree", "torus-pod"))
    return machine, ["machine.graph=" + graph] + (["machine.switch.vcs=%d" % random.randint(1, 8)] if random.random() < 0.6 else [])


def ideal(random):
    topology = some_of(random, IDEAL, 0.5)
    return "ideal", ["machine.topology=" + topology, "machine.nodes=0"] if topology else ["machine.nodes=%d" % random.choice((1, 2, 3, 5, 8, 17))]


def draw(random, family):
    """A machine: its name, and settings as arguments."""
    machine, settings = {"torus": torus, "tofu": tofu, "crosspoint": crosspoint, "switches": switches, "ideal": ideal}[family](random)
    return machine, [word for setting in settings for word in ("-s", setting)]


def cut(random, family):
    """A setting that cuts a machine into partitions; of it, no result depends."""
    if family == "torus":
        return "run.bricks=" + "x".join(random.choice("1123") for _ in range(3))
    if family == "tofu":
        return "run.bricks=" + "x".join(random.choice("112") for _ in range(3)) + random.choice(("x1x1x1", "x2x1x1", "x1x3x2", "x2x3x2"))
    return "run.partitions=%d" % random.choice((1, 2, 3, 5, 7))
