#!/usr/bin/env python3
"""Runs the unit tests of the Python module and prints TAP; a skip is printed with its reason.

    tests/python/tap.py [PATTERN]     test_*.py beside it, or those that the pattern matches
"""
import os
import signal
import sys
import unittest

here = os.path.dirname(os.path.realpath(__file__))


class Tap(unittest.TestResult):
    """Prints a line for each test."""

    def say(self, test, ok, more=""):
        doc = test.id().split(".", 1)[-1].replace(".test_", ": ").replace("_", " ")
        print("ok" if ok else "not ok", self.testsRun, "-", doc + more, flush=True)

    def wrong(self, test, error):
        for line in self._exc_info_to_string(error, test).splitlines():
            print("#", line)
        self.say(test, False)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.say(test, True)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.wrong(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self.wrong(test, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say(test, True, f" # SKIP {reason}")


if __name__ == "__main__":
    # A shell ignores Ctrl-C on behalf of what it runs in the background, and so would every Python
    # that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    pattern = sys.argv[1] if len(sys.argv) > 1 else "test_*.py"
    result = Tap()
    unittest.defaultTestLoader.discover(here, pattern).run(result)
    print(f"1..{result.testsRun}")
    sys.exit(not result.wasSuccessful())
