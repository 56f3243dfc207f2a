#!/usr/bin/env python3
"""tests/random finds what is planted, names the command that shows it, and finds nothing in the same runs otherwise. Prints TAP.

    tests/random/self_check.py WEFT
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
EXPECTED = {"difference": "-j 2: .* differs: after '", "crash": "-j 2: crash: exit status -11", "silence": "-j 2: refusal: not one clear line",
            "invariant": "-j 2: broken: invariant broken"}


def attack(folder, *more):
    command = [os.path.join(HERE, "random_runs.py"), sys.argv[1], "--count", "8", "--ranks", "0", "--keep", folder, *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def say(number, good, name, output):
    if not good:
        print("# " + output.replace("\n", "\n# "))
    print("%s %d - %s" % ("ok" if good else "not ok", number, name))


def main():
    number = 0
    for planted, words in EXPECTED.items():
        with tempfile.TemporaryDirectory() as folder:
            done = attack(folder, "--plant", planted)
            found = re.search(words, done.stdout) and re.search(r"^#     \S*weft run .* -j 2 --check$", done.stdout, re.M)
            number += 1
            say(number, done.returncode == 1 and found and os.listdir(folder), "planted: " + planted, done.stdout + done.stderr)
    with tempfile.TemporaryDirectory() as folder:
        done = attack(folder)
        say(number + 1, done.returncode == 0, "nothing is planted: nothing is found", done.stdout + done.stderr)
    print("1..%d" % (number + 1))


main()
