"""Results: a mapping with dotted names, tables, sections per link and node, files."""
import array
import base64
import csv
import math
import os
import stat
import struct
import subprocess
import tempfile
import unittest
import zlib
from unittest import mock

import weft
from weft import sections

try:
    import pandas
except ImportError:
    pandas = None

DATA = {"digest": "0123456789abcdef", "seed": 1, "cycles": 100, "sim_seconds": 1e-6,
        "packets_delivered": 5, "packet_hops": 9, "link_utilisation": 0.5,
        "fraction_of_peak": 0.25, "steady": False,
        "response_cycles": {"mean": 12.5, "p99": 40, "max": 41, "count": 5, "histogram": [[1, 2]]},
        "timeline": [{"cycle": 0, "hops_by_vc": {"D0": 3, "D1": 4}}, {"cycle": 10}],
        "config": {"machine": {"name": "ideal", "nodes": 8}, "workload": {"pattern": "uniform"}}}


def packed(code, *values):
    raw = struct.pack("<%d%s" % (len(values), code), *values)
    return base64.b64encode(zlib.compress(raw)).decode()


SHARE = {"type": "u16", "one": 65535, "unit": "share of time"}
LINK_COLUMNS = {
    "from": {"type": "u32", "per": "link", "index_of": "vertices"},
    "to": {"type": "u32", "per": "link", "index_of": "vertices"},
    "direction": {"type": "u8", "per": "link", "index_of": "directions"},
    "state": {"type": "u8", "per": "link", "index_of": "states"},
    "utilisation": {**SHARE, "per": "link", "heading": "link_utilisation"},
    "queue": {**SHARE, "per": "link vc"},
    "timeline": {"type": "u8", "one": 255, "per": "row link"}}
NODE_COLUMNS = {
    "dead": {"type": "bool", "per": "node"}, "sent_packets": {"type": "u32", "per": "node"},
    "response_cycles": {"type": "f32", "per": "node", "heading": "response_mean_cycles"}}
LINKS = {"count": 2, "columns": LINK_COLUMNS, "states": ["good", "bad", "dead"], "vertices": 70001, "switches": 0, "kind": "torus", "dims": [70001],
         "directions": ["x+", "x-"], "vcs": ["d0", "bubble"], "rows": 3, "interval_cycles": 10,
         "from": packed("I", 0, 70000), "to": packed("I", 1, 0), "direction": packed("B", 0, 1),
         "state": packed("B", 0, 2), "utilisation": packed("H", 65535, 0),
         "queue": packed("H", 0, 65535, 13107, 0), "timeline": packed("B", 255, 0, 51, 0, 0, 102)}
NODES = {"count": 2, "columns": NODE_COLUMNS, "sent_packets": packed("I", 7, 8), "dead": packed("B", 0, 1),
         "response_cycles": packed("f", math.nan, 2.25)}


def plain(values):
    """Lists, of arrays of either kind."""
    return [plain(v) for v in values] if hasattr(values, "__len__") else float(values)


class Mapping(unittest.TestCase):
    def setUp(self):
        self.r = weft.Result(DATA)

    def test_names_may_be_dotted(self):
        self.assertEqual(self.r["response_cycles.mean"], 12.5)
        self.assertEqual(self.r["response_cycles"]["mean"], 12.5)
        self.assertEqual(self.r.get("response_cycles.p50", "none"), "none")
        self.assertIn("config.machine.name", self.r)
        self.assertNotIn("cycles.mean", self.r)
        self.assertNotIn(3, self.r)
        self.assertEqual(dict(self.r), DATA)

    def test_a_wrong_name_is_told_the_right_one(self):
        with self.assertRaisesRegex(KeyError, "has no response_cycle.mean; did you mean "
                                              "response_cycles.mean?"):
            self.r["response_cycle.mean"]
        with self.assertRaisesRegex(KeyError, "has no bananas'$"):
            self.r["bananas"]

    def test_scalars_are_flat_and_leave_out_lists_and_config(self):
        scalars = weft.Result({**DATA, "each_link": LINKS, "nodes": 3}).scalars()
        self.assertEqual(scalars["response_cycles.mean"], 12.5)
        self.assertEqual(scalars["nodes"], 3)  # of a survey
        self.assertFalse([n for n in scalars if n.startswith(("config", "each_link", "timeline"))])
        self.assertNotIn("response_cycles.histogram", scalars)

    def test_packed_arrays_are_no_scalars(self):
        jobs = {"runs": {"count": 1, "held": "eJw="}, "log": {"lines": 7}}
        scalars = weft.Result({**DATA, "jobs": jobs, "part_of_node": {"part": "eJw="}}).scalars()
        self.assertEqual(scalars["jobs.log.lines"], 7)
        self.assertFalse([n for n in scalars if n.startswith(("jobs.runs", "part_of_node"))])

    def test_a_timeline_is_a_table(self):
        table = self.r.timeline
        self.assertEqual(table, [{"cycle": 0, "hops_by_vc.D0": 3, "hops_by_vc.D1": 4},
                                 {"cycle": 10}])
        self.assertEqual(table.columns, ["cycle", "hops_by_vc.D0", "hops_by_vc.D1"])
        self.assertEqual(table.column("hops_by_vc.D0"), [3, None])
        self.assertEqual(weft.Result({"digest": "0"}).timeline, [])

    def test_it_is_shown_with_a_star_where_it_is_not_steady(self):
        self.assertIn("mean 12.5* cycles = 0.125 us, 99 % 40*", repr(self.r))
        self.assertIn("* not steady", repr(self.r))
        self.assertIn(">mean 12.5* cycles", self.r._repr_html_())
        split = weft.Result({**DATA, "source_queueing_cycles": {"mean": 4.5},
                             "network_cycles": {"mean": 8}})
        self.assertIn("mean 4.5* cycles at the source, 8.0* in the network", repr(split))
        steady = weft.Result({**DATA, "steady": True})
        self.assertNotIn("*", repr(steady))
        self.assertEqual((self.r.steady, steady.steady), (False, True))

    def test_a_survey_shows_what_it_found(self):
        r = weft.run("sc5832", "survey", set={"machine.graph": "kautz:3:3"})
        self.assertRegex(repr(r), r"sc5832 kautz:3:3: survey, seed 1\n(.*\n)*  diameter +3\n")
        self.assertNotIn("packets", repr(r))


class Files(unittest.TestCase):
    def test_what_is_saved_is_loaded_and_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.json")
            r = weft.run("ideal", set={"machine.nodes": 4})
            r.save(path)
            self.assertEqual(dict(weft.load(path)), dict(r))
            self.assertEqual(os.listdir(folder), ["r.json"])

    def test_what_is_no_result_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.json")
            for text, why in ((b"{", "not a result: Expecting"), (b"[]", "it has no digest"),
                              (b"{}", "it has no digest"), (b"\x7fELF\xff", "not a result: .*utf-8"),
                              (100000 * b"[", "not a result")):
                with open(path, "wb") as file:
                    file.write(text)
                with self.assertRaisesRegex(weft.BadInput, f"^{path}: .*{why}"):
                    weft.load(path)
        with self.assertRaises(FileNotFoundError):
            weft.load("/nowhere.json")

    def test_a_save_that_fails_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "r.json"))
            with self.assertRaises(OSError):
                weft.Result(DATA).save(os.path.join(folder, "r.json"))
            self.assertEqual(os.listdir(folder), ["r.json"])

    def test_files_have_the_users_mode_and_nobody_changes_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.json")
            mask = os.umask(0o027)
            try:  # threads of a sweep save at the same time, and the mask is the process's
                with mock.patch.object(os, "umask", side_effect=AssertionError):
                    weft.Result(DATA).save(path)
            finally:
                os.umask(mask)
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)

    def test_a_device_is_written_to_and_not_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipe")
            os.mkfifo(path)
            reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            try:
                weft.Table([{"a": 1}]).save(path)
                self.assertEqual(os.read(reader, 100), b"a\n1\n")
            finally:
                os.close(reader)
            self.assertTrue(stat.S_ISFIFO(os.stat(path).st_mode))

    def test_a_table_is_saved_as_csv(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.csv")
            weft.Table([{"a": 1, "b": 'x "y", z'}, {"a": True, "c": [1, 2]}]).save(path)
            with open(path) as file:
                self.assertEqual(file.read(), 'a,b,c\n1,"x ""y"", z",\ntrue,,"1,2"\n')


class Sections(unittest.TestCase):
    def setUp(self):
        self.r = weft.Result({**DATA, "each_link": LINKS, "each_node": NODES})

    def check_columns(self):
        links = self.r.links
        self.assertEqual(plain(links["from"]), [0, 70000])
        self.assertEqual(plain(links["utilisation"]), [1, 0])
        with self.assertRaisesRegex(KeyError, "has no utilization; did you mean utilisation?"):
            links["utilization"]
        self.assertEqual(plain(links["queue"]), [[0, 1], [0.2, 0]])
        self.assertEqual(plain(links["timeline"]), [[1, 0], [0.2, 0], [0, 0.4]])
        self.assertEqual(links["dims"], [70001])
        times = plain(self.r.nodes["response_cycles"])
        self.assertTrue(math.isnan(times[0]))
        self.assertEqual(times[1], 2.25)

    def test_columns_are_arrays(self):
        self.check_columns()

    def test_columns_need_no_numpy(self):
        numpy, sections.numpy = sections.numpy, None
        try:
            self.check_columns()
            self.assertIsInstance(self.r.links["from"], array.array)
        finally:
            sections.numpy = numpy

    def test_a_table_has_a_row_for_each(self):
        self.assertEqual(self.r.links.table(), [
            {"link": 0, "from": "0", "to": "1", "direction": "x+", "state": "good",
             "link_utilisation": 1.0, "queue.d0": 0.0, "queue.bubble": 1.0, "steady": False},
            {"link": 1, "from": "70000", "to": "0", "direction": "x-", "state": "dead",
             "link_utilisation": 0.0, "queue.d0": 0.2, "queue.bubble": 0.0, "steady": False}])
        self.assertEqual(self.r.nodes.table()[1],
                         {"node": 1, "place": "1", "dead": True, "sent_packets": 8,
                          "response_mean_cycles": 2.25, "steady": False})

    def test_a_node_without_packets_has_no_time(self):
        table = self.r.nodes.table()
        self.assertEqual(table.column("response_mean_cycles"), [None, 2.25])
        self.assertEqual(max(table, key=lambda node: node["response_mean_cycles"] or 0)["node"], 1)
        self.assertRegex(str(table), r"\n +0  0 +no +7\* +no\n +1  1 +yes +8\* +2.25\*  no\n")
        with tempfile.TemporaryDirectory() as folder:
            table.save(os.path.join(folder, "nodes.csv"))
            with open(os.path.join(folder, "nodes.csv")) as file:
                self.assertEqual(file.read().split("\n")[1:3],
                                 ["0,0,false,7,,false", "1,1,true,8,2.25,false"])

    def test_what_is_not_steady_has_a_star(self):
        shown = str(self.r.links.table())
        self.assertIn("* not steady", shown)
        self.assertRegex(shown, r"\n   0  0      1   x\+ +good +1\* ")
        steady = weft.Result({**DATA, "steady": True, "each_link": LINKS}).links.table()
        self.assertNotIn("*", str(steady))
        self.assertEqual(steady.column("steady"), [True, True])

    def test_vertices_have_coordinates_where_there_are_some(self):
        for shape, places in (({"dims": [3, 2]}, ["0/0", "2/0", "1/1"]), ({}, ["0", "2", "4"]),
                              ({"dims": [2, 2], "vertices": 7, "switches": 4}, ["0", "2", "1/0"]),
                              ({"vertices": 6, "switches": 3}, ["0", "2", "switch 1"])):
            links = weft.Result({**DATA, "each_link": {"count": 0, "columns": {}, **shape}}).links
            self.assertEqual([links.place(v) for v in (0, 2, 4)], places)

    def test_a_shape_that_cannot_be_is_damage(self):
        for shape in ({"dims": [0, 0, 0]}, {"dims": [2, "x"]}, {"dims": [-1]}, {"dims": [3]},
                      {"dims": [], "switches": 70002}):
            for name in ("each_link", "each_node"):
                r = weft.Result({**DATA, "each_link": {**LINKS, **shape}, "each_node": {
                    **NODES, "count": 4, **{k: packed("B", 0, 0, 0, 0) for k in ("dead",)}}})
                with self.assertRaisesRegex(weft.BadInput, "^each_.* was the file changed"):
                    (r.links if name == "each_link" else r.nodes).table()

    def test_where_there_is_none_there_is_none(self):
        self.assertIsNone(weft.Result(DATA).links)
        self.assertIsNone(weft.Result({**DATA, "nodes": 972}).nodes)  # a survey's

    def test_results_of_older_versions_are_refused(self):
        links = {name: value for name, value in LINKS.items() if name != "columns"}
        with self.assertRaisesRegex(weft.BadInput, "^each_link.columns is missing, .* run it again"):
            weft.Result({**DATA, "each_link": links}).links

    def test_a_column_that_only_the_result_knows_is_read(self):
        links = {**LINKS, "warm": packed("H", 65535, 0),
                 "columns": {**LINK_COLUMNS, "warm": {**SHARE, "per": "link"}}}
        table = weft.Result({**DATA, "each_link": links}).links.table()
        self.assertEqual(table.column("warm"), [1.0, 0.0])

    def test_damaged_columns_are_named(self):
        for wrong in ("!", packed("B", 1), base64.b64encode(b"abc").decode()):
            r = weft.Result({**DATA, "each_link": {**LINKS, "to": wrong}})
            with self.assertRaisesRegex(weft.BadInput, "each_link.to cannot be unpacked"):
                r.links["to"]


class Damage(unittest.TestCase):
    """Whatever is changed in a section, it is read, or refused in words."""

    VALUES = (None, -1, 0, 3, 10 ** 15, "", "x", [], [1], {}, True, 0.5, packed("B", 255, 255),
              packed("I", 9, 9), base64.b64encode(zlib.compress(bytes(10 ** 6))).decode())

    def read(self, name, section):
        r = weft.Result({**DATA, name: section})
        found = r.links if name == "each_link" else r.nodes
        found.table()
        for field in found:
            found[field]

    def each_damage(self):
        for name, section in (("each_link", LINKS), ("each_node", NODES)):
            for value in self.VALUES:
                yield name, value
                for field in section:
                    yield name, {**section, field: value}
            for field in section:
                yield name, {k: v for k, v in section.items() if k != field}
            for column, told in section["columns"].items():
                for value in (*self.VALUES, "u8", "u32", "f32", "link", "row link", "host node"):
                    for damage in (value, *({**told, key: value} for key in (
                            "type", "one", "per", "index_of", "heading"))):
                        yield name, {**section, "columns": {**section["columns"], column: damage}}

    def check_all(self):
        refused = 0
        for name, section in self.each_damage():
            try:
                self.read(name, section)
            except weft.BadInput as error:
                old = isinstance(section, dict) and set(section) & {"count", "columns"} == {"count"}
                remedy = "run it again" if old else "was the file changed\\?"
                self.assertRegex(error.text, f"^{name}.*; {remedy}$")
                refused += 1
        self.assertGreater(refused, 200)

    def test_it_is_read_or_refused(self):
        self.check_all()

    def test_so_it_is_without_numpy(self):
        numpy, sections.numpy = sections.numpy, None
        try:
            self.check_all()
        finally:
            sections.numpy = numpy


class RealSections(unittest.TestCase):
    """What the library writes is what is read here."""

    def run_on(self, machine, **settings):
        return weft.run(machine, "uniform", run={"detail": True, "interval_cycles": 1000},
                        set={"workload.warmup_cycles": 1000, "workload.cycles": 4000,
                             **{"machine." + name: value for name, value in settings.items()}})

    def check(self, r):
        count, vcs = r.links.count, len(r.links["vcs"])
        whole = sum(plain(r.links["utilisation"])) / count
        self.assertAlmostEqual(whole, r["link_utilisation"], places=4)
        self.assertEqual([len(row) for row in r.links["queue"]], [vcs] * count)
        self.assertEqual([len(row) for row in r.links["timeline"]], [count] * r.links["rows"])
        self.assertEqual(len(r.links.table()), count)
        self.assertLess(max(plain(r.links["to"])), r.links["vertices"])
        known = r.links._kinds.keys() | {"kind", "count", "vertices", "switches", "dims", "wrap",
                                         "directions", "vcs", "states", "columns", "rows",
                                         "interval_cycles"}
        self.assertLessEqual(set(r.links), known)
        self.assertEqual(set(r.nodes), r.nodes._kinds.keys() | {"count", "columns"})
        self.assertEqual(len(r.nodes.table()), r.nodes.count)

    def test_a_torus(self):
        r = self.run_on("bluegene-l", dims="4x3x2")
        self.check(r)
        first = r.links.table()[0]
        self.assertEqual((first["direction"], first["from"], first["to"]),
                         ("x+", "0/0/0", "1/0/0"))
        self.assertEqual(r.nodes.table()[13]["place"], "1/0/1")

    def same(self, table, theirs, names):
        self.assertEqual([[row[name] for name in names] for row in table],
                         [[row[name] for name in names] for row in theirs])

    def test_tables_are_those_of_the_command_line(self):
        for machine, size, pattern in (
                ("bluegene-l", "dims=3x2x2", "uniform"), ("bluegene-l", "dims=3x2x2", "pingpong"),
                ("torus-pod", "graph=torus:3x2", "uniform"),
                ("dragonfly", "graph=dragonfly:1:2:1", "uniform")):
            with tempfile.TemporaryDirectory() as folder:
                files = {name: os.path.join(folder, name) for name in ("links", "nodes", "r.json")}
                subprocess.run([os.environ["WEFT"], "run", "-q", "-m", machine, "-w", pattern,
                                "-s", "machine." + size, "-s", "workload.cycles=2000",
                                "--links", files["links"] + ".csv",
                                "--nodes", files["nodes"] + ".csv", "-o", files["r.json"]],
                               check=True)
                r = weft.load(files["r.json"])
                links, nodes = (list(csv.DictReader(open(files[name] + ".csv")))
                                for name in ("links", "nodes"))
            vcs = len(r.links["vcs"])
            steady = {"true": True, "false": False, "": None}
            for row in links + nodes:
                row.update({k: int(row[k]) for k in ("link", "node") if k in row},
                           steady=steady[row["steady"]])
            self.same(r.links.table(), links[::vcs],
                      ("link", "from", "to", "direction", "state", "steady"))
            self.same(r.nodes.table(), nodes, ("node", "place", "steady"))
            for name in ("response_mean_cycles", "source_queueing_mean_cycles"):
                self.assertEqual([value is None for value in r.nodes.table().column(name)],
                                 [row[name] == "" for row in nodes])
            self.assertLessEqual(set(r.nodes.table().columns), set(nodes[0]))
            self.assertLessEqual({name.split(".")[0] for name in r.links.table().columns},
                                 set(links[0]))

    def test_dead_links_and_nodes(self):
        r = self.run_on("bluegene-l", dims="4x4x4", dead_nodes="1/1/1", **{
            "node.hints": "software"})
        self.assertEqual(r.nodes["dead"].tolist().count(1), 1)
        self.assertIn("dead", [row["state"] for row in r.links.table()])

    def test_a_machine_without_vcs(self):
        r = self.run_on("ideal", nodes=4)
        self.assertEqual(r.links["vcs"], [])
        self.assertEqual(r.links.table().columns[-2:], ["link_utilisation", "steady"])

    def test_other_families(self):
        self.check(self.run_on("sc5832", graph="kautz:3:3"))
        self.check(self.run_on("k-computer", dims="2x2x2x2x3x2"))

    def test_a_machine_of_switches(self):
        r = self.run_on("dragonfly", graph="dragonfly:2:4:2")
        self.assertEqual(len(r.links.table()), r.links.count)
        self.assertEqual(r.nodes.count, r.links["vertices"] - r.links["switches"])

    def test_without_detail_there_is_utilisation_only(self):
        r = weft.run("bluegene-l", "uniform", set={"workload.cycles": 1000})
        self.assertIn("utilisation", r.links)
        self.assertNotIn("queue", r.links)
        self.assertIsNone(r.nodes)


@unittest.skipUnless(pandas, "no pandas")
class Frames(unittest.TestCase):
    def test_tables_are_frames(self):
        frame = weft.Result(DATA).timeline.frame()
        self.assertEqual(list(frame.columns), ["cycle", "hops_by_vc.D0", "hops_by_vc.D1"])
        self.assertEqual(frame["cycle"].sum(), 10)

    def test_sections_are_frames(self):
        frame = weft.Result({**DATA, "each_link": LINKS}).links.frame()
        self.assertEqual(frame["direction"].tolist(), ["x+", "x-"])
        times = weft.Result({**DATA, "each_node": NODES}).nodes.frame()["response_mean_cycles"]
        self.assertEqual(times.isna().tolist(), [True, False])
        self.assertEqual(times.max(), 2.25)
        self.assertAlmostEqual(frame["queue.d0"].mean(), 0.1)

    def test_sweeps_are_frames(self):
        s = weft.sweep("ideal", "uniform", over={"workload.load": [0.2, 0.4]}, seeds=2,
                       set={"machine.nodes": 8, "workload.cycles": 2000})
        frame = s.frame()
        self.assertEqual(len(frame), 4)
        means = frame.groupby("workload.load")["response_cycles.mean"].mean()
        self.assertAlmostEqual(means[0.4], s.summary("response_cycles.mean")[1][
            "response_cycles.mean"])


@unittest.skipIf(pandas, "pandas is installed")
class NoFrames(unittest.TestCase):
    def test_a_frame_says_what_is_missing(self):
        with self.assertRaisesRegex(ImportError, "frames need pandas"):
            weft.Result(DATA).timeline.frame()


if __name__ == "__main__":
    unittest.main()
