#!/usr/bin/env python3
"""What is told of each link and node: it adds up to what is told of the whole machine, is the same
on any number of threads and ranks and after a checkpoint, and changes nothing else. Prints TAP.

    tests/detail/run.py WEFT THREADS...
"""
import array
import base64
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib

weft = os.path.realpath(sys.argv[1])
os.environ["WEFT_DATA"] = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
number = 0

OPEN = "-w uniform -s workload.load=0.8 -s workload.warmup_cycles=2000 -s workload.cycles=8000 "
MACHINES = {
    "torus": "-m bluegene-l -s machine.dims=4x3x2 " + OPEN,
    "mesh": "-m bluegene-l -s machine.dims=5x1x3 -s machine.wrap=false " + OPEN,
    "torus with errors": "-m bluegene-l -s machine.dims=4x4x2 -s machine.link.bit_error_rate=1e-5 "
    "-s machine.link.bad_links=1/0/0:x+@0- -s machine.link.bad_error_rate=1e-4 " + OPEN,
    "torus with dead links": "-m bluegene-l -s machine.dims=4x4x4 -s machine.dead_nodes=1/1/1 "
    "-s machine.dead_links=3/3/3:x+ -s machine.node.hints=software " + OPEN,
    "torus with engines": "-m bluegene-p -s machine.dims=4x3x2 " + OPEN,
    "crosspoint": "-m sc5832 -s machine.graph=kautz:3:3 " + OPEN,
    "crosspoint with errors": "-m sc5832 -s machine.graph=kautz:2:3 -s machine.link.bit_error_rate=1e-5 " + OPEN,
    "crosspoint with dead links": "-m sc5832 -s machine.graph=kautz:3:3 -s machine.dead_links=0>35,5>20 "
    "-s machine.dead_nodes=7 " + OPEN,
    "tofu": "-m k-computer -s machine.dims=2x2x2x2x3x2 " + OPEN,
    "dragonfly": "-m dragonfly -s machine.graph=dragonfly:2:4:2 " + OPEN,
    "twisted torus": "-m torus-pod -s machine.graph=torus:2x2x4:xz2 " + OPEN,
    "grid with a side of one": "-m fat-tree -s machine.graph=mesh:4x1x2 -s machine.switch.vcs=2 " + OPEN,
    "ideal": "-m ideal -s machine.nodes=17 -w alltoall -s workload.messages=2",
    "closed": "-m bluegene-l -s machine.dims=4x4x2 -w alltoall -s workload.packets_per_pair=4",
    "overloaded": "-m bluegene-l -s machine.dims=8x2x2 " + OPEN.replace("0.8", "1.4"),
}


def say(good, name, why=""):
    global number
    number += 1
    if not good and why:
        print("# " + why.replace("\n", "\n# "))
    print("%s %d - %s" % ("ok" if good else "not ok", number, name), flush=True)


def run(text, *more, prefix=()):
    """A result, from a run that must succeed."""
    command = [*prefix, weft, "run", *text.split(), *more, "-q", "-o", "r.json"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit("# %s\n# %s\nnot ok - run" % (" ".join(command), done.stderr))
    with open("r.json") as file:
        return json.load(file)


def unpack(section, name, kind):
    numbers = array.array(kind)
    numbers.frombytes(zlib.decompress(base64.b64decode(section[name])))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def near(a, b, tolerance=1e-4):
    return abs(a - b) <= tolerance * max(1, abs(a), abs(b))


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def flaws_of_links(r, rows):
    """What is wrong with links.csv beside its result."""
    between = [x for x in rows if "host" not in x["direction"] and x["state"] != "dead"]
    links = {x["link"]: x for x in between}
    if not near(mean(float(x["link_utilisation"]) for x in links.values()), r["link_utilisation"]):
        yield "mean link utilisation"
    if not near(max(float(x["link_utilisation"]) for x in links.values()), r["busiest_link_utilisation"]):
        yield "busiest link"
    for name in links:
        own = [x for x in between if x["link"] == name]
        if sum(float(x["utilisation"]) for x in own) > float(links[name]["link_utilisation"]) + 0.01:
            yield "VCs of link %s" % name
    for vc in r["vc_occupancy"]:
        own = [x for x in between if x["vc"] == vc]
        if r["each_link"]["kind"] in ("torus", "tofu"):
            if not near(mean(float(x["queue"]) for x in own), r["vc_occupancy"][vc]):
                yield "queue of " + vc
            if not near(mean(float(x["blocked"]) for x in own), r["vc_unavailable_share"][vc]):
                yield "blocked time of " + vc
        if any(not 0 <= float(x[y]) <= 1 for x in own for y in ("queue", "blocked")):
            yield "shares of " + vc
    for x in rows:
        if x["state"] == "dead" and (float(x["link_utilisation"]) or int(x["packets"])):
            yield "dead link %s carried something" % x["link"]


def flaws_of_nodes(r, rows):
    living = [x for x in rows if x["dead"] == "false"]
    rate = mean(float(x["received_bytes_per_second"]) for x in rows)
    if not near(rate, r["payload_bytes_per_node_second"]):
        yield "received bytes"
    received = [float(x["received_bytes_per_second"]) for x in living]
    if not near(sum(received) ** 2 / (len(received) * sum(y * y for y in received)), r["received_fairness"]):
        yield "fairness"
    if max(int(x["response_max_cycles"] or 0) for x in rows) != r["response_cycles"]["max"]:
        yield "longest response"
    sums = sum(float(x["response_mean_cycles"] or 0) for x in rows)
    if not sums > 0:
        yield "mean responses"
    if any(x["dead"] == "true" and int(x["received_packets"]) for x in rows):
        yield "a dead node received"


def flaws_of_sections(r, rows):
    links, nodes = r["each_link"], r["each_node"]
    count, vcs = links["count"], max(1, len(links["vcs"]))
    if count * vcs != len(rows):
        yield "count"
    shares = unpack(links, "utilisation", "H")
    for i, share in enumerate(shares):
        if abs(share / 65535 - min(1, float(rows[i * vcs]["link_utilisation"]))) > 1e-4:
            yield "utilisation of link %d" % i
    if not links["vcs"] and "vc_utilisation" in links:
        yield "VCs that there are not"
    for name, column in () if not links["vcs"] else (("vc_utilisation", "utilisation"), ("queue", "queue"), ("blocked", "blocked")):
        for x, share in zip(rows, unpack(links, name, "H")):
            if abs(share / 65535 - float(x[column])) > 1e-4:
                yield "%s of link %s" % (name, x["link"])
    if max(max(unpack(links, "from", "I")), max(unpack(links, "to", "I"))) >= links["vertices"]:
        yield "ends"
    timeline = unpack(links, "timeline", "B")
    if len(timeline) != links["rows"] * count or links["vcs"] and len(unpack(links, "vc_timeline", "B")) != len(timeline) * vcs:
        yield "size of the timeline"
    counted = [i for i in range(count) if "host" not in rows[i * vcs]["direction"] and rows[i * vcs]["state"] != "dead"]
    for row in range(links["rows"]):
        here = mean(timeline[row * count + i] for i in counted) / 255
        if abs(here - r["timeline"][row]["link_utilisation"]) > 0.005:
            yield "row %d of the timeline" % row
    if len(unpack(nodes, "received_packets", "I")) != nodes["count"]:
        yield "nodes"


def flaws_of_split(r):
    if "network_cycles" in r:
        parts = r["source_queueing_cycles"]["mean"] + r["network_cycles"]["mean"]
        if not near(parts, r["response_cycles"]["mean"]) or r["network_cycles"]["mean"] <= 0:
            yield "the parts of the response"
        if r["source_queueing_cycles"]["count"] != r["response_cycles"]["count"]:
            yield "packets of both parts"


def switches_of_hosts(r):
    links = r["each_link"]
    return dict(enumerate(unpack(links, "switch_of_host", "I"))) if links["switches"] else {}


def by_links(r):
    links = r["each_link"]
    hosts = links["vertices"] - links["switches"] if links["switches"] else 0
    return {a: b for a, b in zip(unpack(links, "from", "I"), unpack(links, "to", "I")) if a < hosts}


def check_machine(name, text):
    plain = run(text)
    r = run(text, "-s", "run.interval_cycles=500", "--links", "l.csv", "--nodes", "n.csv")
    rows, nodes = table("l.csv"), table("n.csv")
    say(plain["digest"] == r["digest"] and plain["link_utilisation"] == r["link_utilisation"], name + ": changes nothing")
    for what, flaws in (
        ("links add up", flaws_of_links(r, rows)),
        ("nodes add up", flaws_of_nodes(r, nodes)),
        ("the result's sections say what the tables say", flaws_of_sections(r, rows)),
        ("the parts of the response add up", flaws_of_split(r)),
    ):
        found = list(flaws)
        say(not found, "%s: %s" % (name, what), ", ".join(found[:5]))
    for threads in sys.argv[2:]:
        other = run(text, "-s", "run.interval_cycles=500", "-s", "run.detail=true", "-j", threads)
        say(other["each_link"] == r["each_link"] and other["each_node"] == r["each_node"], "%s: the same on %s threads" % (name, threads))
    if "each_link" in plain:
        say(plain["each_link"]["utilisation"] == r["each_link"]["utilisation"] or "host" in str(r["each_link"]["directions"]),
            name + ": utilisations without run.detail, too")
        say(switches_of_hosts(plain) == by_links(r), name + ": hosts are at the switches that their links lead to")


def check_states():
    r = run(MACHINES["torus with dead links"])
    links = r["each_link"]
    states, ends = unpack(links, "state", "B"), list(zip(unpack(links, "from", "I"), unpack(links, "to", "I")))
    dead = {ends[i] for i in range(links["count"]) if states[i] == 2}
    say((63, 60) in dead and (60, 63) in dead and (21, 22) in dead and len(dead) == 14, "dead links are where they are",
        str(sorted(dead)))
    links = run(MACHINES["torus with errors"])["each_link"]
    bad = [i for i, x in enumerate(unpack(links, "state", "B")) if x == 1]
    say(len(bad) == 1 and unpack(links, "from", "I")[bad[0]] == 1, "a bad link is where it is")
    links = run(MACHINES["crosspoint with dead links"])["each_link"]
    states, ends = unpack(links, "state", "B"), list(zip(unpack(links, "from", "I"), unpack(links, "to", "I")))
    dead = {ends[i] for i in range(links["count"]) if states[i] == 2}
    say((0, 35) in dead and (5, 20) in dead and all(7 in x for x in dead - {(0, 35), (5, 20)}), "those of a graph, too", str(dead))


def check_blocked():
    """Where too much is offered, some buffer fills up, and its sender waits."""
    for machine in ("sc5832 -s machine.graph=kautz:2:4", "k-computer -s machine.dims=2x2x2x2x3x2",
                    "dragonfly -s machine.graph=dragonfly:2:4:2"):
        r = run("-m %s -w hotspot -s workload.load=3 -s workload.warmup_cycles=2000 -s workload.cycles=8000" % machine, "-s", "run.detail=true")
        say(max(unpack(r["each_link"], "blocked", "H")) > 3000 and max(unpack(r["each_link"], "queue", "H")) > 3000, "a hot spot blocks links: " + machine,
            "%d, %d" % (max(unpack(r["each_link"], "blocked", "H")), max(unpack(r["each_link"], "queue", "H"))))


def check_lengths():
    """Packets of one size keep a link busy for the same time, wherever they go; those of all links are all hops."""
    for machine, size in (("bluegene-l -s machine.dims=4x3x2", 256), ("sc5832 -s machine.graph=kautz:2:3", 128),
                          ("k-computer -s machine.dims=2x1x1x2x3x2", 1024), ("dragonfly -s machine.graph=dragonfly:2:4:2", 16)):
        r = run("-m %s -w alltoall -s workload.as=packets -s workload.packets_per_pair=4 -s workload.packet_bytes=%d" % (machine, size), "--links", "l.csv")
        rows = [x for x in table("l.csv") if "host" not in x["direction"] and int(x["packets"])]
        times = [float(x["utilisation"]) / int(x["packets"]) for x in rows]
        say(max(times) / min(times) < 1.0001 and sum(int(x["packets"]) for x in rows) == r["packet_hops"],
            "packets take the same time on any link: " + machine, "%g to %g" % (min(times), max(times)))


def window(text, warmup, cycles):
    """Rows of links and nodes that were measured in [warmup, warmup + cycles)."""
    text = text.replace("warmup_cycles=2000", "warmup_cycles=%d" % warmup).replace("workload.cycles=8000", "workload.cycles=%d" % cycles)
    run(text, "--links", "l.csv", "--nodes", "n.csv")
    return table("l.csv"), table("n.csv")


def check_windows():
    """Two windows, one behind the other, have together what one over both of them has: nothing at their edges is lost or counted twice."""
    first, second = 2003, 3998
    for name in ("torus", "torus with errors", "crosspoint", "crosspoint with errors", "tofu", "dragonfly", "overloaded"):
        whole, begin, rest = (window(MACHINES[name], *x) for x in ((0, first + second), (0, first), (first, second)))
        wrong = [
            (column, a["link"])
            for a, b, c in zip(whole[0], begin[0], rest[0])
            for column in ("link_utilisation", "utilisation", "queue", "blocked")
            if abs(float(a[column]) * (first + second) - float(b[column]) * first - float(c[column]) * second) > 0.02
        ]
        for kind, columns in ((0, ("packets",)), (1, ("sent_packets", "received_packets"))):
            wrong += [(y, a) for a, b, c in zip(whole[kind], begin[kind], rest[kind]) for y in columns if int(a[y]) != int(b[y]) + int(c[y])]
        say(not wrong and any(int(x["packets"]) for x in begin[0]), name + ": windows add up", str(wrong[:3]))


def check_steady():
    """A run of which a part is not steady is not; where nobody can say, nothing is said."""
    r = run("-m bluegene-l -s machine.dims=4x3x2 -w uniform --on 0-5 -w uniform --on 6-11 -s workload.load=1.5 -s workload.cycles=4000",
            "--links", "l.csv", "--nodes", "n.csv")
    say(r["steady"] is False and not r["parts"]["part_2"]["steady"] and {x["steady"] for x in table("l.csv") + table("n.csv")} == {"false"},
        "parts that are not steady are marked")
    r = run(MACHINES["closed"], "--links", "l.csv")
    say("steady" not in r and {x["steady"] for x in table("l.csv")} == {""}, "a closed run is not judged")
    r = run("-m bluegene-l -s machine.dims=4x1x1 -w uniform --on 0-1 -s workload.load=0.5 -s workload.cycles=4000", "-s", "run.detail=true")
    times = unpack(r["each_node"], "response_cycles", "f")
    say(times[0] > 0 and times[2] != times[2], "a node without packets has no time")


def check_sizes():
    large = "-m bluegene-l -s machine.dims=17x16x16 -w uniform -s workload.load=0.01 -s workload.warmup_cycles=0 -s workload.cycles=300"
    say("each_link" not in run(large), "a large machine's links are not in the result")
    say("timeline" not in run(large, "-s", "run.detail=true")["each_link"], "unless it is asked for")
    for text in ("-m bluegene-l -s machine.dims=1x1x1 -w pingpong -s workload.as=messages", "-m bluegene-l -s machine.dims=2x1x1 -w alltoall"):
        done = subprocess.run([weft, "run", *text.split(), "-q", "-o", "r.json", "--links", "l.csv", "--nodes", "n.csv"],
                              stderr=subprocess.PIPE, text=True)
        say(done.returncode in (0, 2) and (done.returncode == 2 or os.path.exists("l.csv")), "odd sizes: " + text, done.stderr)


def check_checkpoint():
    text = "-m bluegene-l -s machine.dims=8x8x4 -s run.interval_cycles=1000 " + OPEN.replace("8000", "100000")
    whole = run(text, "-s", "run.detail=true")
    process = subprocess.Popen([weft, "run", *text.split(), "-q", "-o", "r.json", "--links", "l.csv", "--checkpoint", "c", "--every", "0.05"])
    while not os.path.exists("c") and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    code = process.wait()
    if code == 0:
        print("# the run had ended before it was interrupted")
    else:
        subprocess.run([weft, "resume", "c", "-q", "-o", "r.json", "--links", "l.csv", "--nodes", "n.csv"], check=True)
    with open("r.json") as file:
        r = json.load(file)
    say(r["each_link"] == whole["each_link"] and r["each_node"] == whole["each_node"], "the same after a checkpoint")


def check_ranks():
    if not shutil.which("mpirun") or "MPI" not in subprocess.run([weft, "version"], stdout=subprocess.PIPE, text=True).stdout:
        return
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                      OMPI_MCA_btl_vader_single_copy_mechanism="none")
    for name in ("torus", "crosspoint", "tofu", "dragonfly", "ideal"):
        more = ("-s", "run.detail=true", "-s", "run.interval_cycles=700")
        one = run(MACHINES[name], *more)
        two = run(MACHINES[name], *more, prefix=("mpirun", "-n", "2"))
        say(two["engine"]["ranks"] == 2 and one["each_link"] == two["each_link"] and one["each_node"] == two["each_node"], name + ": the same on 2 ranks")


def refuses(expected, *arguments):
    done = subprocess.run([weft, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    say(done.returncode == 2 and done.stderr == "weft: %s\n" % expected and not done.stdout, "refuses: " + " ".join(arguments), done.stderr)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in MACHINES.items():
        check_machine(name, text)
    check_states()
    check_blocked()
    check_lengths()
    check_windows()
    check_steady()
    check_sizes()
    if len(sys.argv) > 3:  # with ASan, one number of threads, without what takes long
        check_checkpoint()
        check_ranks()
    torus = MACHINES["torus"].split()
    refuses("--links and --nodes name the same file; use different ones", "run", *torus, "--links", "a.csv", "--nodes", "a.csv")
    refuses("--links needs run.detail, which is set to false; leave run.detail out", "run", *torus, "--links", "a.csv",
            "-s", "run.detail=false")
    refuses("--nodes: workload.pattern = jobs sends nothing over links; leave --nodes out", "run", "-m", "bluegene-l", "-w", "jobs",
            "--nodes", "a.csv")
    refuses("--links: workload.pattern = survey sends nothing over links; leave --links out", "run", "-m", "sc5832", "-w", "survey",
            "--links", "a.csv")
    refuses("--links needs a value; give it as --links FILE.csv", "run", *torus, "--links", "-q")
    refuses("-o and --links name the same file; use different ones", "run", *torus, "-o", "a", "--links", "./a")
    refuses("-s run.interval_cycles=4294967296: run.interval_cycles = 4294967296 is too long for run.detail; use at most 4294967295",
            "run", *torus, "--links", "a.csv", "-s", "run.interval_cycles=4294967296")
    say(not os.path.exists("a") and not os.path.exists("a.csv"), "and writes nothing")
    print("1..%d" % number)
