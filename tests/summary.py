#!/usr/bin/env python3
"""What a `meson test` came to: a line for each test, and why one failed.

    tests/summary.py FOLDER SUFFIX COUNTS

FOLDER: of the build; SUFFIX: what names of tests end in; COUNTS: a file to which "PASSED FAILED" is added.
"""
import json
import sys

WORDS = {"TIMEOUT": "it ran for longer than its limit and was ended", "ERROR": "it ended badly"}


def starts(text, word):
    return [line for line in text.splitlines() if line.startswith(word)]


def report(test, suffix):
    """Counts the TAP lines of a test; one that ends badly, or says nothing, is one failure more."""
    said, complaints = test.get("stdout", ""), test.get("stderr", "")
    good, bad = len(starts(said, "ok ")), len(starts(said, "not ok "))
    result = test["result"]
    broken = result not in ("OK", "SKIP") and bad == 0 or good == 0 or result == "TIMEOUT"
    name = test["name"].split(" / ")[-1]
    if ":" in name:
        name = name.split(":")[-1]
    bad += broken
    print("%-44s %4d passed %3d failed %5d s" % (name + suffix, good, bad, round(test["duration"])))
    for line in starts(said, "ok "):
        if "# SKIP" in line:
            print(line)
    if broken:
        print("# %s: %s" % (name, WORDS.get(result, "exit status %s" % test["returncode"])))
    if bad:
        for line in [line for line in said.splitlines() if not line.startswith("ok ")][-40:] + complaints.splitlines()[-20:]:
            print(line)
    return good, bad


def main():
    folder, suffix, counts = sys.argv[1:]
    with open(folder + "/meson-logs/testlog.json", encoding="utf-8", errors="replace") as log:
        tests = [json.loads(line) for line in log]
    done = [report(test, suffix) for test in sorted(tests, key=lambda test: test["name"])]
    with open(counts, "a", encoding="utf-8") as out:
        print(sum(good for good, _ in done), sum(bad for _, bad in done), file=out)
    sys.exit(not done)


main()
