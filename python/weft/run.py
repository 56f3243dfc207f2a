"""One run."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Union

from .handle import Handle
from .progress import Shown, bar_for, show_run
from .result import Result
from .settings import Machine, Spec, Study, Workload, specify
from .waiting import run_apart
from .whole import count_of


def _label(spec: Spec) -> str:
    workload = dict(spec.settings).get("workload.pattern")
    name = spec.machine or spec.study or "weft"
    return " ".join(filter(None, (os.path.basename(name), workload)))


def run(machine: Optional[Machine] = None, workload: Optional[Workload] = None, *,
        study: Optional[Study] = None, set: Optional[Mapping[str, Any]] = None, threads: int = 1,
        seed: Optional[int] = None, progress: Shown = None,
        **sections: Mapping[str, Any]) -> Result:
    """Runs a workload on a machine, or a study, and returns what was measured.

    machine    a name of ``weft.machines()``, a file, or a dict of its settings with its ``name``
    workload   a pattern's name, or a dict of the settings ``workload.*`` with its ``pattern``
    study      a file of one run, or the same as a dict; a Result runs again
    set        settings by their keys, as ``-s`` takes them: ``{"machine.dims": "8x8x8"}``
    threads    does not change the result
    seed       short for ``set={"run.seed": seed}``
    progress   None: a bar on a terminal and in a notebook; True, False; or a function, which is
               called with a ``Progress`` ten times per second
    sections   settings by their first word: ``run={"interval_cycles": 1000}``

    Values may be texts as on the command line, numbers, booleans, and lists: ``dims=(8, 8, 8)``.
    Raises ``weft.BadInput`` or ``weft.RunFailed``, both ``weft.Error``. Ctrl-C ends the run within
    a second, and is raised then.

    >>> r = weft.run("bluegene-l", "uniform", set={"machine.dims": "8x8x8", "workload.load": 0.5})
    >>> r["response_cycles.mean"]
    """
    team = count_of("threads", threads)
    spec = specify(machine, workload, study, set, seed, sections)
    handle = Handle(spec)
    bar = bar_for(progress, _label(spec))

    def work() -> Result:
        with handle:
            return handle.execute(team)

    try:
        return run_apart(work, handle.cancel, lambda: show_run(bar, progress, handle.progress))
    finally:
        bar.close()


def load(path: Union[str, "os.PathLike[str]"]) -> Result:
    """Reads a result that ``Result.save()`` or ``weft run -o`` has written."""
    with open(path, "rb") as file:
        content = file.read()
    return Result.parse(content, os.fspath(path))
