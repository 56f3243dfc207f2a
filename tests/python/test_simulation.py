"""Co-simulation: messages arrive once, in an order that does not depend on steps or threads."""
import signal
import subprocess
import sys
import textwrap
import threading
import unittest
from unittest import mock

import weft

TORUS = {"machine.dims": "4x4x4"}


def deliver(threads, step):
    with weft.Simulation("bluegene-l", set=TORUS, threads=threads) as machine:
        for node in range(1, 64):
            machine.inject(node, 0, 100 * node, cycle=node % 7, tag=2 ** 64 - node)
        found = []
        while machine.counters.messages_delivered < 63:
            found += machine.advance(machine.now + step)
        return found, machine.finish().digest


class Simulations(unittest.TestCase):
    def test_messages_arrive_once_and_as_they_were_sent(self):
        found, _ = deliver(1, 1000)
        self.assertEqual(sorted((d.source, d.target, d.bytes, d.posted, d.tag) for d in found),
                         [(n, 0, 100 * n, n % 7, 2 ** 64 - n) for n in range(1, 64)])
        self.assertEqual([d.cycle for d in found], sorted(d.cycle for d in found))

    def test_neither_threads_nor_steps_change_anything(self):
        self.assertEqual(deliver(1, 1000), deliver(2, 7777))

    def test_a_machine_tells_what_it_is(self):
        with weft.Simulation("bluegene-l", set=TORUS) as machine:
            self.assertEqual(machine.nodes, 64)
            self.assertAlmostEqual(machine.cycles_per_second, 175e6)
            self.assertEqual(machine.advance(10), [])
            machine.inject(0, 1, 32)
            self.assertEqual(machine.counters,
                             weft.Counters(10, 0, machine.counters.events, 0, 1, 0))

    def test_what_cannot_be_is_refused(self):
        with weft.Simulation("ideal", set={"machine.nodes": 4}) as machine:
            machine.advance(100)
            for message, words in (((0, 9, 8), "use nodes 0 to 3"), ((1, 1, 8), "to itself"),
                                   ((0, 1, -8), "use whole numbers from 0 on"),
                                   ((0, 2 ** 32, 8), "use whole numbers from 0 on"),
                                   ((0, 1.5, 8), "use whole numbers from 0 on")):
                with self.assertRaisesRegex(weft.BadInput, words):
                    machine.inject(*message)
            with self.assertRaisesRegex(weft.BadInput, "when cycle 100 is next"):
                machine.inject(0, 1, 8, cycle=50)
            for until in (50, -1, 2 ** 64, 1000.5, "1000", float("nan"), None):
                with self.assertRaisesRegex(weft.BadInput, "time cannot go from cycle 100"):
                    machine.advance(until)
        with self.assertRaisesRegex(weft.BadInput, "the simulation has ended"):
            machine.advance(200)
        machine.close()
        with self.assertRaisesRegex(weft.BadInput, "^threads = 0; use 1 to 4096"):
            weft.Simulation("ideal", threads=0)

    def test_a_cycle_may_be_a_float_that_is_whole(self):
        with weft.Simulation("ideal", set={"machine.nodes": 4}) as machine:
            machine.advance(1e3)
            self.assertEqual(repr(machine.now), "1000")

    def test_a_deadlock_is_explained_at_the_end(self):
        machine = weft.Simulation("bluegene-l", set={
            "machine.dims": "16x1x1", "machine.router.escape": "none",
            "machine.router.dynamic_vcs": 0, "machine.router.in_network_share": 0,
            "run.stall_cycles": 20000})
        for node in range(16):
            machine.inject(node, (node + 7) % 16, 100000)
        with self.assertRaisesRegex(weft.RunFailed, "^deadlock: "):
            machine.advance(10 ** 7)
        with self.assertRaisesRegex(weft.RunFailed, "wait for each other") as caught:
            machine.finish()
        self.assertIn("deadlock", caught.exception.result)

    def test_ctrl_c_may_come_while_another_is_handled(self):
        machine = weft.Simulation("ideal", set={"machine.nodes": 4})
        handle = machine._handle
        with mock.patch.object(handle, "_library") as library:
            again = lambda run: handle.cancel() if library.weft_run_cancel.call_count < 2 else None
            library.weft_run_cancel.side_effect = again
            thread = threading.Thread(target=handle.cancel, daemon=True)
            thread.start()
            thread.join(10)
            self.assertEqual((library.weft_run_cancel.call_count, thread.is_alive()), (2, False))
        machine.close()

    def test_ctrl_c_ends_a_step(self):
        child = subprocess.Popen([sys.executable, "-c", textwrap.dedent("""
            import weft
            machine = weft.Simulation("bluegene-l")
            for a in range(512):
                for b in range(512):
                    if a != b:
                        machine.inject(a, b, 1000000)
            try:
                print("going", flush=True)
                machine.advance(10 ** 12)
            except KeyboardInterrupt:
                print("interrupted", "packets_delivered" in machine.finish())
        """)], stdout=subprocess.PIPE, text=True)
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.communicate(timeout=60)[0], "interrupted True\n")


if __name__ == "__main__":
    unittest.main()
