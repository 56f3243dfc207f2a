#!/usr/bin/env python3
"""Prints where a module goes below a prefix: to a folder at which this Python looks or, if there is
none, to one for PYTHONPATH.

    tools/python_folder.py PREFIX
"""
import site
import sys

prefix = sys.argv[1].rstrip("/")
seen = [folder for folder in site.getsitepackages() if folder.startswith(prefix + "/lib")]
print(seen[0] if seen else prefix + "/lib/python3/dist-packages")
