"""Sweeps: every combination, in order; failures do not end them; means over seeds."""
import csv
import html
import os
import pathlib
import statistics
import subprocess
import tempfile
import unittest

import weft

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
SMALL = {"machine.dims": "4x4x2", "workload.cycles": 3000}


def small(**options):
    return weft.sweep("bluegene-l", "uniform", set=SMALL, **options)


class Combinations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "small.yaml").write_text("base: bluegene-l\ndims: 2x2x2\n")
        (cls.folder / "ideal8.yaml").write_text("base: ideal\nnodes: 8\n")

    def test_every_combination_runs_and_seeds_change_fastest(self):
        s = small(over={"workload.load": [0.2, 0.4], "machine.router.paths": [1, 2]}, seeds=2)
        self.assertEqual([(p.parameters["workload.load"], p.parameters["machine.router.paths"],
                           p.seed) for p in s],
                         [(load, paths, seed) for load in (0.2, 0.4) for paths in (1, 2)
                          for seed in (1, 2)])
        self.assertEqual(len({p["digest"] for p in s}), 8)
        for p in s:
            self.assertEqual(p["config.workload.load"], p.parameters["workload.load"])
            self.assertEqual(p["seed"], p.seed)

    def test_seeds_are_counted_from_the_runs_own(self):
        s = small(over={"workload.load": [0.3]}, seeds=2, run={"seed": 9})
        self.assertEqual([p["seed"] for p in s], [9, 10])

    def test_a_run_of_a_sweep_is_the_run_alone(self):
        s = small(over={"workload.load": [0.3]}, seeds=[5], workers=1)
        alone = weft.run("bluegene-l", "uniform", set={**SMALL, "workload.load": 0.3}, seed=5)
        self.assertEqual(s[0].result.digest, alone.digest)

    def test_workers_do_not_change_results(self):
        one, many = (small(over={"workload.load": [0.2, 0.3, 0.4]}, workers=n) for n in (1, 3))
        self.assertEqual([r.digest for r in one.results], [r.digest for r in many.results])

    def test_machines_and_patterns_are_swept_too(self):
        s = weft.sweep(over={"machine": ["ideal", "bluegene-l"], "workload": ["uniform"]},
                       set={"workload.cycles": 2000})
        self.assertEqual([p["config.machine.name"] for p in s], ["ideal", "bluegene-l"])
        self.assertEqual(len(s.summary()), 2)

    def test_machines_do_the_same_work(self):
        ran = []
        sizes = {"machine": [str(self.folder / "small.yaml"), str(self.folder / "ideal8.yaml")]}
        with self.assertRaisesRegex(weft.BadInput, "^not the same work: .*small.yaml: .*1 packet "
                                    "of 256 .*; .*ideal8.yaml: .*10 messages of 240 .*workload.as=messages"):
            weft.sweep(workload="alltoall", over=sizes, seeds=2, progress=ran.append)
        self.assertEqual(ran, [])
        s = weft.sweep(workload="alltoall", over=sizes, set={"workload.as": "messages"})
        self.assertEqual(len({p["work.definition"] for p in s}), 1)
        self.assertIn("each sends every other 10 messages of 240 bytes", repr(s[0].result))
        weft.sweep(workload="alltoall", over={"workload.as": ["packets", "messages"],
                                              "machine": [sizes["machine"][1]]})

    def test_settings_are_checked_before_anything_runs(self):
        ran = []
        for over in ({"workload.load": [0.1, "much"]}, {"workload.lod": [1]}, {"workload.load": 1},
                     {"workload.load": []}, {"workload.load": "0.1"}):
            with self.assertRaises((weft.BadInput, TypeError)):
                small(over=over, progress=ran.append)
        for seeds in (0, -1, "12", [1, 1], [], ["1"], [1.5], 2.5, {1: 2}, True):
            with self.assertRaisesRegex(weft.BadInput, "^seeds = "):
                small(over={"workload.load": [0.1]}, seeds=seeds, progress=ran.append)
        for options in ({"threads": 0}, {"threads": "1"}, {"workers": -1}, {"workers": 0}):
            with self.assertRaisesRegex(weft.BadInput, "^(threads|workers) = .*; use 1 to 4096$"):
                small(over={"workload.load": [0.1]}, progress=ran.append, **options)
        self.assertEqual(ran, [])

    def test_no_run_is_there_twice(self):
        for over in ({"workload.load": [0.1, 0.2, "0.1"]}, {"machine.dims": ["4x4x2", (4, 4, 2)]},
                     {"run.seed": [1, 1]}, {"machine": ["ideal", "ideal"]}):
            with self.assertRaisesRegex(weft.BadInput, "is there twice; give each value once"):
                small(over=over)
        for over in ({"run.seed": [1, 2]}, {"run": [{"seed": 1}, {"seed": 2}]}):
            with self.assertRaisesRegex(weft.BadInput, "over run.seed, and seeds"):
                small(over=over, seeds=2)
        self.assertEqual([p["seed"] for p in small(over={"run.seed": [4, 3]})], [4, 3])


class Failures(unittest.TestCase):
    def test_a_failed_combination_does_not_end_it(self):
        s = small(over={"workload.hot_dims": ["2x2x2", "9x9x9"], "workload": ["hotregion"]})
        self.assertEqual([p.ok for p in s], [True, False])
        self.assertEqual(s.failed, [s[1]])
        self.assertIsInstance(s[1].error, weft.BadInput)
        self.assertIn("hot_dims", s[1].error.text)
        self.assertEqual(s.table()[1]["error"], s[1].error.text)
        self.assertEqual([row["runs"] for row in s.summary()], [1, 0])
        self.assertEqual([row["steady"] for row in s.summary()], [True, None])
        self.assertIn("2 runs, 1 failed", repr(s))
        self.assertIn(f"\n<workload.hot_dims=9x9x9, workload=hotregion: {s[1].error}>", repr(s))
        self.assertIn(f"hotregion: {html.escape(str(s[1].error))}&gt;</p>", s._repr_html_())
        self.assertNotIn("more columns", repr(s))
        with self.assertRaisesRegex(KeyError, "there is no result"):
            s[1]["cycles"]

    def test_metrics_are_checked_before_anything_runs(self):
        ran = []
        for metrics, words in ((["response_cycles.men"], "did you mean 'response_cycles.mean'"),
                               (["nope"], "nope: results have no such number"), ("nope", "nope: "),
                               (["cycles", "diameter"], "diameter: only surveys .* have this figu"),
                               (["digest"], "digest: results have no "),
                               (["cycles", "response_cycles"], "_cyc"),
                               (["config.machine.name"], "config.machine.name: results have no ")):
            with self.assertRaisesRegex(weft.BadInput, words):
                small(over={"workload.load": [0.2]}, metrics=metrics, progress=ran.append)
        self.assertEqual(ran, [])

    def test_a_name_is_a_list_of_one(self):
        self.assertEqual(small(over={"workload.load": [0.2]}, metrics="cycles").metrics, ["cycles"])

    def test_a_metric_of_other_workloads_is_told_of_and_results_are_kept(self):
        with self.assertWarnsRegex(UserWarning, "no run has a detour_share"):
            s = small(over={"workload.load": [0.2]}, metrics=["detour_share"])
        self.assertEqual(len(s.results), 1)
        s = weft.sweep("sc5832", over={"workload": ["uniform", "survey"]}, metrics=["diameter"],
                       set={"machine.graph": "kautz:3:2", "workload.cycles": 1000})
        self.assertEqual([row["diameter"] is None for row in s.summary()], [True, False])

    def test_tables_refuse_what_they_cannot_show(self):
        s = small(over={"workload.load": [0.2]})
        with self.assertRaisesRegex(KeyError, "did you mean response_cycles.mean"):
            s.table("response_cycles.men")
        for show in (s.table, s.summary):
            with self.assertRaisesRegex(weft.BadInput, "response_cycles is no single value"):
                show("response_cycles")
        for metric in ("digest", "config.machine.dims", "config.run.detail"):
            with self.assertRaisesRegex(weft.BadInput, f"{metric} is no number"):
                s.summary(metric)

    def test_a_run_without_packets_has_no_value(self):
        s = small(over={"workload.load": [0, 0.3]}, metrics=["response_cycles.mean"])
        self.assertEqual([row["response_cycles.mean"] is None for row in s.summary()],
                         [True, False])
        self.assertEqual(s.failed, [])
        self.assertIn("packets         none delivered", repr(s[0].result))


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.s = small(over={"workload.load": [0.3, 3.0]}, seeds=3)

    def test_a_tidy_table_has_a_row_for_each_run(self):
        table = self.s.table()
        self.assertEqual(len(table), 6)
        self.assertEqual(table.columns[:2], ["workload.load", "seed"])
        self.assertEqual(table.columns[-3:], ["steady", "digest", "error"])
        self.assertIn("response_cycles.p99", table.columns)
        self.assertEqual(table.columns, list(dict.fromkeys(table.columns)))
        self.assertEqual([row["steady"] for row in table], [True] * 3 + [False] * 3)
        self.assertEqual(self.s.table("cycles").columns,
                         ["workload.load", "seed", "cycles", "steady", "digest", "error"])
        self.assertEqual(self.s.table("config.machine.dims")[0]["config.machine.dims"], "4x4x2")

    def test_a_summary_has_means_and_intervals(self):
        row = self.s.summary("response_cycles.mean")[0]
        values = [p["response_cycles.mean"] for p in self.s[:3]]
        self.assertAlmostEqual(row["response_cycles.mean"], statistics.mean(values))
        self.assertAlmostEqual(row["response_cycles.mean.interval"],
                               4.303 * statistics.stdev(values) / 3 ** 0.5)
        self.assertEqual(row["runs"], 3)

    def test_what_is_not_steady_has_a_star(self):
        lines = str(self.s.summary("response_cycles.mean")).splitlines()
        self.assertRegex(lines[0], "^workload.load  runs +response_cycles.mean  steady$")
        self.assertRegex(lines[1], r"^ +0.3     3 +[0-9.]+ \+- [0-9.]+  yes$")
        self.assertRegex(lines[2], r"^ +3     3 +[0-9.]+ \+- [0-9.]+\*  no$")
        self.assertIn("* not steady", lines[3])
        self.assertRegex(self.s._repr_html_(), r"<td>[0-9.]+ \+- [0-9.]+\*</td><td[^>]*>no</td>")

    def test_it_is_saved_as_csv(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s.csv")
            self.s.save(path)
            with open(path, newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual([row["digest"] for row in rows], [p["digest"] for p in self.s])
        self.assertEqual([row["steady"] for row in rows], ["true"] * 3 + ["false"] * 3)


class Kept(unittest.TestCase):
    def test_results_in_a_folder_are_not_computed_again(self):
        with tempfile.TemporaryDirectory() as folder:
            first = small(over={"workload.load": [0.2, 0.3]}, folder=folder)
            files = {f: os.stat(os.path.join(folder, f)).st_mtime_ns for f in os.listdir(folder)}
            self.assertEqual(len(files), 2)
            again = small(over={"workload.load": [0.2, 0.3, 0.4]}, folder=folder)
            self.assertEqual(len(os.listdir(folder)), 3)
            for name, when in files.items():
                self.assertEqual(os.stat(os.path.join(folder, name)).st_mtime_ns, when)
            self.assertEqual([r["engine"] for r in first.results],
                             [r["engine"] for r in again.results[:2]])
            small(over={"workload.load": [0.2]}, seeds=[9], folder=folder)  # another run
            self.assertEqual(len(os.listdir(folder)), 4)

    def digest_of(self, folder, **settings):
        """With a workload that is in a file."""
        s = weft.sweep("ideal", over={"machine.nodes": [4]}, set=settings, folder=folder)
        self.assertEqual(s.failed, [])
        return s[0]["digest"]

    def test_a_changed_file_is_another_run(self):
        with tempfile.TemporaryDirectory() as folder:
            pairs, kept = (os.path.join(folder, name) for name in ("pairs.txt", "kept"))
            part = {"workload.pattern": "parts",
                    "workload.parts": f"nodes:0-3 pairs file={pairs}"}
            plain = {"workload.pattern": "pairs", "workload.file": pairs}
            for settings, runs in ((plain, 2), (part, 4)):
                digests = []
                for text in ("0 1\n", "0 1\n2 3\n", "0 1\n"):
                    with open(pairs, "w") as file:
                        file.write(text)
                    digests.append(self.digest_of(kept, **settings))
                self.assertNotEqual(digests[0], digests[1])
                self.assertEqual(digests[0], digests[2])
                self.assertEqual(len(os.listdir(kept)), runs)

    def test_a_changed_file_of_a_rank_is_another_run(self):
        with tempfile.TemporaryDirectory() as folder:
            trace, kept = (os.path.join(folder, name) for name in ("t.txt", "kept"))
            ranks = [os.path.join(folder, f"{rank}.ti") for rank in range(2)]
            with open(trace, "w") as file:
                file.write("".join(rank + "\n" for rank in ranks))
            digests = []
            for size in (100, 20000):
                for rank, call in zip(ranks, ("send 1 0", "recv 0 0")):
                    with open(rank, "w") as file:
                        file.write(f"{ranks.index(rank)} init\n{ranks.index(rank)} {call} {size}\n"
                                   f"{ranks.index(rank)} finalize\n")
                digests.append(self.digest_of(kept, **{"workload.pattern": "replay",
                                                       "workload.file": trace}))
            self.assertNotEqual(*digests)

    def test_a_damaged_result_is_computed_again(self):
        with tempfile.TemporaryDirectory() as folder:
            first = small(over={"workload.load": [0.2]}, folder=folder)
            name, = os.listdir(folder)
            with open(os.path.join(folder, name), "w") as file:
                file.write("{")
            again = small(over={"workload.load": [0.2]}, folder=folder)
            self.assertEqual([r.digest for r in again.results], [r.digest for r in first.results])
            self.assertEqual(weft.load(os.path.join(folder, name)).digest, first[0]["digest"])


class CommandLine(unittest.TestCase):
    """A sweep is that of the command line, to the last digit that it writes."""

    def theirs(self, folder, *options):
        subprocess.run([os.environ["WEFT"], "sweep", "-q", "-m", "bluegene-l", "-o", "theirs",
                        "-s", "machine.dims=4x4x2", "-s", "workload.cycles=3000", *options],
                       cwd=folder, check=True, stderr=subprocess.DEVNULL,
                       env={**os.environ, "WEFT_DATA": str(TREE)})
        with open(os.path.join(folder, "weft-theirs.csv"), newline="") as file:
            return list(csv.DictReader(file))

    def test_runs_figures_and_intervals_are_the_same(self):
        seeds, metrics = 12, ("link_utilisation", "response_cycles.mean")
        with tempfile.TemporaryDirectory() as folder:
            theirs = self.theirs(folder, "-w", "uniform", "--over", "workload.load=0.3,3",
                                 "--seeds", str(seeds), "--metric", metrics[0], "--metric",
                                 metrics[1])
        s = small(over={"workload.load": [0.3, 3]}, seeds=seeds, metrics=metrics)
        theirs.sort(key=lambda row: (float(row["workload.load"]), int(row["run.seed"])))
        ours = s.table()
        self.assertEqual([row["digest"] for row in ours], [row["digest"] for row in theirs])
        for mine, row in zip(ours, theirs):
            self.assertEqual(str(mine["steady"]).lower(), row["steady"])
            for metric in metrics:
                self.assertEqual(mine[metric], float(row[metric]))
        for mine, row in zip(s.summary(), theirs[::seeds]):
            for metric in metrics:
                self.assertEqual(f"{mine[metric + '.interval']:.6g}", row[metric + ".interval"])

    def test_where_nobody_knows_of_steady_nothing_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            theirs = self.theirs(folder, "-w", "pingpong", "--over", "workload.message_bytes=8,80")
        s = weft.sweep("bluegene-l", "pingpong", set=SMALL,
                       over={"workload.message_bytes": [8, 80]})
        self.assertEqual([row["digest"] for row in s.table()], [row["digest"] for row in theirs])
        self.assertEqual([row["steady"] for row in theirs], ["", ""])
        for table in (s.table(), s.summary()):
            self.assertEqual(table.column("steady"), [None, None])


if __name__ == "__main__":
    unittest.main()
