"""Weft, a laboratory for supercomputer interconnects, in Python.

    import weft

    r = weft.run("bluegene-l", "uniform", set={"machine.dims": "8x8x8", "workload.load": 0.5})
    r["response_cycles.mean"]

    s = weft.sweep("bluegene-l", "uniform", over={"workload.load": [0.3, 0.6, 0.9]}, seeds=3)
    s.summary("response_cycles.mean")

It is a thin layer on libweft (no compiler, nothing but Python's standard library); where pandas
and numpy are installed, tables become frames and columns their arrays. docs/python.md tells all.
"""

from .describe import figures, keys, machines
from .errors import BadInput, Error, LibraryMissing, RunFailed
from .handle import Key, Progress
from .libweft import version as libweft_version
from .result import Result
from .run import load, run
from .sections import Section
from .simulation import Counters, Delivery, Simulation
from .sweep import Interrupted, Point, Sweep, sweep
from .table import Table
from .version import __version__

__all__ = [
    "BadInput", "Counters", "Delivery", "Error", "Interrupted", "Key", "LibraryMissing", "Point",
    "Progress", "Result", "RunFailed", "Section", "Simulation", "Sweep", "Table", "__version__",
    "figures", "keys", "libweft_version", "load", "machines", "run", "sweep",
]
