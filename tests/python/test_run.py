"""Runs: the same result as the command line's, errors in its words, studies, progress, Ctrl-C."""
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest
from unittest import mock

import weft

WEFT = os.environ["WEFT"]
SMALL = {"machine.dims": "4x4x4", "workload.load": 0.4, "workload.cycles": 5000}
LONG = 'weft.run("bluegene-l", "alltoall", set={"workload.packets_per_pair": 1000000}, '
DEADLOCK = {"machine.dims": "16x1x1", "machine.router.escape": "none",
            "machine.router.dynamic_vcs": 0, "machine.router.in_network_share": 0,
            "run.stall_cycles": 20000, "workload.packets_per_pair": 100}


def python(code, **options):
    """A Python of its own."""
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], text=True, **options)


def interrupt_after(share):
    """A function for a sweep's progress that does as Ctrl-C would."""
    def told(progress):
        if progress.share > share:
            raise KeyboardInterrupt
    return told


class Runs(unittest.TestCase):
    def test_the_result_is_the_command_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = os.path.join(folder, "a.json"), os.path.join(folder, "b.json")
            weft.run("bluegene-l", "uniform", set=SMALL, seed=3).save(ours)
            subprocess.run([WEFT, "run", "-q", "-m", "bluegene-l", "-w", "uniform", "--seed", "3",
                            "-o", theirs, *(f"-s{k}={v}" for k, v in SMALL.items())], check=True)
            a, b = (json.load(open(path)) for path in (ours, theirs))
        for result in (a, b):
            del result["engine"]  # seconds and memory
        self.assertEqual(a, b)
        self.assertEqual(len(a["digest"]), 16)

    def test_threads_do_not_change_it(self):
        digests = {weft.run("bluegene-l", "uniform", set=SMALL, threads=n).digest for n in (1, 2)}
        self.assertEqual(len(digests), 1)

    def test_a_seed_changes_it(self):
        digests = {weft.run("bluegene-l", "uniform", set=SMALL, seed=n).digest for n in (1, 2)}
        self.assertEqual(len(digests), 2)

    def test_settings_may_be_dicts(self):
        a = weft.run({"name": "bluegene-l", "dims": (4, 4, 4)},
                     {"pattern": "uniform", "load": 0.4, "cycles": 5000}, run={"seed": 1})
        self.assertEqual(a.digest, weft.run("bluegene-l", "uniform", set=SMALL).digest)

    def test_a_result_and_its_config_run_again(self):
        r = weft.run("bluegene-l", "uniform", set=SMALL)
        self.assertEqual(weft.run(study=r).digest, r.digest)
        self.assertEqual(weft.run(study=r["config"]).digest, r.digest)
        self.assertNotEqual(weft.run(study=r, seed=2).digest, r.digest)

    def test_a_study_is_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "small.yaml")
            with open(path, "w") as file:
                file.write("machine: bluegene-l\nworkload: {pattern: uniform}\n")
            r = weft.run(study=path, set=SMALL)
            other = weft.run("ideal", study=path, set={"machine.nodes": 8})
        self.assertEqual(r.digest, weft.run("bluegene-l", "uniform", set=SMALL).digest)
        self.assertEqual(other["config.machine.name"], "ideal")

    def test_a_study_may_be_a_dict_of_any_values(self):
        alone = weft.run("bluegene-l", "uniform", set=SMALL)
        r = weft.run(study={"machine": {"name": "bluegene-l", "dims": (4, 4, 4)}, "workload": {
            "pattern": "uniform", "load": 0.4, "cycles": 5e3}, "run": {"detail": False}})
        self.assertEqual(r.digest, alone.digest)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("\N{LATIN SMALL LETTER E WITH ACUTE}.txt", "\N{GRINNING FACE}.txt"):
                path = pathlib.Path(folder, name)
                path.write_text("0 1\n")
                pairs = {"pattern": "pairs", "file": path}
                r = weft.run("ideal", pairs, set={"machine.nodes": 4})
                again = weft.run(study={"machine": {"name": "ideal", "nodes": 4},
                                        "workload": pairs})
                self.assertEqual(again.digest, r.digest)
        with self.assertRaisesRegex(weft.BadInput, "^load = None: a NoneType is no setting"):
            weft.run(study={"machine": "ideal", "workload": {"load": None}})

    def test_several_workloads_at_once(self):
        r = weft.run(study={"machine": {"name": "bluegene-l", "dims": "4x4x4"}, "workloads": [
            {"pattern": "uniform", "on": "0-31", "load": 0.2},
            {"pattern": "permutation", "on": "32-63"}]}, set={"workload.cycles": 5000})
        self.assertEqual(len(r["parts"]), 2)


class Errors(unittest.TestCase):
    def test_bad_input_has_the_command_lines_words(self):
        for arguments, options, text in (
                (("cray",), {}, "machine 'cray' is not known; "
                                "`weft machines` lists those available"),
                (("ideal",), {"set": {"workload.loat": 1}}, "-s workload.loat=1: unknown key "
                 "'workload.loat'; did you mean 'workload.load'?"),
                (("ideal",), {"workload": {"load": "much"}}, "-s workload.load=much: workload.load "
                 "= 'much' is not a number; use one from 0 to 1000"),
                ((), {"study": "/nowhere.yaml"}, "/nowhere.yaml: No such file or directory; "
                                                 "name a file that can be read")):
            with self.assertRaises(weft.BadInput) as caught:
                weft.run(*arguments, **options)
            self.assertEqual(str(caught.exception), text)
            self.assertEqual((caught.exception.text, caught.exception.status), (text, 2))
            self.assertIsInstance(caught.exception, (weft.Error, ValueError))

    def test_a_number_of_threads_is_one(self):
        for threads in (0, -1, "2", 1.5, None, True, 2 ** 40):
            with self.assertRaisesRegex(weft.BadInput, "^threads = .*; use 1 to 4096$"):
                weft.run("ideal", threads=threads)

    def test_nul_characters_are_refused(self):
        for options in ({"machine": "ideal\0"}, {"set": {"workload.pattern": "uniform\0x"}},
                        {"set": {"workload.load\0": 1}}, {"study": "a\0.yaml"},
                        {"study": {"machine": "ideal", "workload": {"pattern": "uniform\0x"}}}):
            with self.assertRaisesRegex(weft.BadInput, "has a NUL character"):
                weft.run(**{"machine": None if "study" in options else "ideal", **options})

    def test_a_deadlock_is_a_failure_with_a_result(self):
        with self.assertRaisesRegex(weft.RunFailed, "^deadlock: .* wait for each other") as caught:
            weft.run("bluegene-l", "alltoall", set=DEADLOCK)
        self.assertEqual(caught.exception.status, 1)
        self.assertIn("deadlock", caught.exception.result)
        self.assertIn("deadlock", repr(caught.exception.result))


class Watching(unittest.TestCase):
    def test_a_function_is_told_and_may_end_the_run(self):
        told = []

        def tell(progress):
            told.append(progress)
            if progress.packets_delivered:
                raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            weft.run("bluegene-l", "alltoall", set={"workload.packets_per_pair": 1000000},
                     progress=tell)
        self.assertTrue(0 < told[-1].share < 1 and told[-1].cycle > 0)

    def test_ctrl_c_ends_a_run(self):
        child = python(f"""
            import weft
            told = lambda p: print(p.cycle, flush=True)
            try:
                {LONG} progress=told)
            except KeyboardInterrupt:
                print("interrupted", weft.run("ideal", set={{"machine.nodes": 4}}).digest)
        """, stdout=subprocess.PIPE)
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        said, _ = child.communicate(timeout=60)
        self.assertRegex(said, "interrupted [0-9a-f]{16}\n$")
        self.assertEqual(child.returncode, 0)

    def test_ctrl_c_ends_a_sweep(self):
        child = python("""
            import weft
            told = lambda p: print(p.share, flush=True)
            try:
                weft.sweep("bluegene-l", "alltoall", set={"workload.packets_per_pair": 1000000},
                           over={"machine.dims": ["8x8x8", "4x4x4"]}, seeds=3, progress=told)
            except KeyboardInterrupt:
                print("interrupted")
        """, stdout=subprocess.PIPE)
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        said, _ = child.communicate(timeout=60)
        self.assertRegex(said, "interrupted\n$")

    def test_an_interrupted_sweep_has_what_had_ended(self):
        for folder, words in ((None, "folder= would have kept"), ("kept", "the same call goes on")):
            with tempfile.TemporaryDirectory() as place, \
                    self.assertRaisesRegex(KeyboardInterrupt, f"^1 of 2 runs .*{words}") as caught:
                weft.sweep("bluegene-l", "alltoall", workers=1,
                           over={"workload.packets_per_pair": [1, 1000000]},
                           set={"machine.dims": "4x4x2"}, progress=interrupt_after(0.5),
                           folder=folder and os.path.join(place, folder))
            self.assertIsInstance(caught.exception, weft.Interrupted)
            self.assertEqual(caught.exception.sweep[0]["config.workload.packets_per_pair"], 1)

    def test_nothing_is_shown_in_a_pipe(self):
        for shown, words in ((None, "^$"), (False, "^$"), (True, r"\[#+\.+\] +\d+ %  cycle")):
            child = python(f"""
                import weft
                weft.progress._FIRST_SECONDS = -1
                weft.run("bluegene-l", "alltoall", progress={shown})
            """, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            out, err = child.communicate(timeout=60)
            self.assertEqual(out, "")
            self.assertRegex(err, words)

    def test_standard_error_may_be_closed(self):
        for shown in (None, True):
            with mock.patch.object(sys, "stderr", None):
                weft.run("ideal", set={"machine.nodes": 4}, progress=shown)

    def test_a_terminal_has_a_bar(self):
        ours, theirs = pty.openpty()
        child = python(f"""
            import weft
            {LONG})
        """, stderr=theirs)
        os.close(theirs)
        said = ""
        while " %  cycle" not in said:
            said += os.read(ours, 4096).decode()
        child.send_signal(signal.SIGINT)
        try:
            while True:
                data = os.read(ours, 4096)
                if not data:
                    break
                said += data.decode()
        except OSError:
            pass  # the other end is closed
        child.wait(timeout=60)
        os.close(ours)
        self.assertRegex(said, r"\rbluegene-l alltoall \[[#.]{32}\] +\d+ %  cycle \d+")
        self.assertIn("\r\033[K", said)  # it is taken away
        self.assertIn("KeyboardInterrupt", said)


if __name__ == "__main__":
    unittest.main()
