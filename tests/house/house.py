#!/usr/bin/env python3
"""The house: includes point down, siblings do not include each other, nics include no fabric, no two files include each
other in a cycle, no two headers define a type with the same name, and keys in claims exist. Prints TAP.

    tests/house/house.py
"""
import os
import re
import sys

root = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
order = re.search(r"order = \[(.*?)\]", open(os.path.join(root, "meson.build")).read(), re.S).group(1)
floors = re.findall(r"'(\w+)'", order)
# Folders inside these floors are siblings: each holds one machine family, one kind of part, or one
# format of traces.
parted = ("fabric", "node", "trace")

includes = {}
for folder, _, names in os.walk(os.path.join(root, "src")):
    for name in names:
        if name.endswith((".c", ".h")):
            path = os.path.join(folder, name)
            text = open(path).read()
            includes[os.path.relpath(path, os.path.join(root, "src"))] = re.findall(r'^#include "([\w/.]+)"', text, re.M)

number = 0


def say(wrong, what):
    global number
    number += 1
    for line in wrong:
        print("#", line)
    print("not ok" if wrong else "ok", number, "-", what)


def folder_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] in parted and len(parts) > 2 else None


say([f"{f} includes {i}" for f, ii in includes.items() for i in ii
     if "/" in i and floors.index(i.split("/")[0]) > floors.index(f.split("/")[0])],
    "includes point down")
say([f"{f} includes {i}" for f, ii in includes.items() for i in ii
     if folder_of(i) and i.split("/")[0] == f.split("/")[0] and folder_of(f) != folder_of(i)],
    "siblings do not include each other, nor does what they share include them")
# A nic knows a fabric by its face; two of them are the FIFOs of the torus router itself.
router_nics = ("fifo", "mapped")
say([f"{f} includes {i}" for f, ii in includes.items() for i in ii
     if f.startswith("node/") and i.startswith("fabric/") and folder_of(i) and folder_of(f) not in router_nics],
    "nics include no fabric")
say([f"{f} includes {i}" for f, ii in includes.items() for i in ii if i.endswith(".c")],
    "no file includes a .c file")


# ---- circles: between headers, and between a file and what includes its header ----

def unit(path):
    return path.rsplit(".", 1)[0]


edges = {}
for f, ii in includes.items():
    edges.setdefault(unit(f), set()).update(unit(i) for i in ii if unit(i) != unit(f) and i in includes)


def circles():
    found, state = [], {}

    def walk(at, path):
        state[at] = 1
        for to in sorted(edges.get(at, ())):
            if state.get(to) == 1:
                found.append(" -> ".join(path[path.index(to):] + [to]) if to in path else f"{at} -> {to}")
            elif to not in state:
                walk(to, path + [to])
        state[at] = 2

    sys.setrecursionlimit(10000)
    for start in sorted(edges):
        if start not in state:
            walk(start, [start])
    return found


say(circles(), "no circle between files")

types = {}
for path in includes:
    if path.endswith(".h"):
        for name in re.findall(r"^(?:struct|enum|union) (\w+) \{", open(os.path.join(root, "src", path)).read(), re.M):
            types.setdefault(name, []).append(path)
say([f"{name}: {', '.join(paths)}" for name, paths in types.items() if len(paths) > 1],
    "no two types of one name in headers")

# Claims and machine pages name keys, with or without "machine.": those of the tables.
keys = set()
for path in includes:
    text = open(os.path.join(root, "src", path)).read()
    keys |= set(re.findall(r'\{"((?:machine|workload|run|jobs)\.[\w.]+)",[\s\\]+KEY_', text))
    for macro, prefix in re.findall(r'#define (\w+)\([^"{#]*\{[\s\\]*"(machine\.\w+\.)" name', text):
        keys |= {prefix + name for name in re.findall(macro + r'\("(\w+)"', text)}
sections = {key.split(".")[1] for key in keys if key.startswith("machine.") and key.count(".") > 1}
unknown = []
for folder in ("claims", "docs/machines"):
    for name in sorted(os.listdir(os.path.join(root, folder))):
        if not name.endswith((".yaml", ".md")):
            continue
        for line, text in enumerate(open(os.path.join(root, folder, name)), 1):
            for word in re.findall(r"(?<![\w/.-])(?:machine\.)?(\w+\.[a-z]\w*)(?![\w.*/])", text):
                if word.split(".")[0] in sections and "machine." + word not in keys and not word.endswith((".c", ".h", ".md")):
                    unknown.append(f"{folder}/{name}:{line}: {word}")
say(unknown, "claims and pages name keys that exist")
print(f"1..{number}")
sys.exit(0)
