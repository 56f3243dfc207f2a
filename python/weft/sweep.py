"""Many runs: every combination of some settings, with several seeds."""

from __future__ import annotations

import hashlib
import itertools
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
from typing import overload

from .errors import BadInput, Error
from .handle import Handle, Progress
from .interval import mean_and_interval
from .library import find
from .progress import Bar, Shown, bar_for
from .result import Result
from .run import load
from .settings import Machine, Spec, Study, Workload, specify
from .table import INTERVAL, Row, Table
from .waiting import run_apart

DEFAULT_METRICS = ("fraction_of_peak", "link_utilisation", "response_cycles.mean")


class Point:
    """One run of a sweep: what was set, and its result or why there is none."""

    def __init__(self, parameters: Mapping[str, Any], seed: Optional[int], spec: Spec) -> None:
        self.parameters = dict(parameters)
        self.seed = seed
        self.combination = spec
        self.spec = spec if seed is None else spec.with_settings({"run.seed": seed})
        self.result: Optional[Result] = None
        self.error: Optional[Error] = None

    @property
    def ok(self) -> bool:
        """It has a result and did not fail."""
        return self.error is None and self.result is not None

    def __getitem__(self, name: str) -> Any:
        """A value of the result."""
        if self.result is None:
            raise KeyError(f"there is no result: {self.error}")
        return self.result[name]

    def row(self, metrics: Optional[Sequence[str]] = None) -> Row:
        """The point as a row: parameters, seed, results, ``steady``, ``digest``, ``error``."""
        row: Row = dict(self.parameters)
        if self.seed is not None:
            row["seed"] = self.seed
        if self.result is not None:
            values = (self.result.scalars() if metrics is None else
                      {name: self.result[name] for name in metrics if name in self.result})
            row.update((name, value) for name, value in values.items() if name not in row)
            row.update(seed=self.result["seed"], steady=self.result.steady,
                       digest=self.result.digest)
        row["error"] = None if self.error is None else self.error.text
        return row

    def __repr__(self) -> str:
        words = [f"{name}={value}" for name, value in self.parameters.items()]
        words += [] if self.seed is None else [f"seed {self.seed}"]
        end = self.result.digest if self.ok and self.result else self.error or "not run"
        return f"<{', '.join(words)}: {end}>"


class Sweep(Sequence[Point]):
    """The runs of a sweep, in order: the last parameter changes fastest, seeds faster still."""

    def __init__(self, points: Iterable[Point], metrics: Optional[Sequence[str]] = None) -> None:
        self.points = list(points)
        self._metrics = metrics

    @overload
    def __getitem__(self, index: int) -> Point: ...

    @overload
    def __getitem__(self, index: slice) -> List[Point]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Point, List[Point]]:
        return self.points[index]

    def __len__(self) -> int:
        return len(self.points)

    @property
    def results(self) -> List[Result]:
        """Those of the runs that did not fail."""
        return [p.result for p in self.points if p.ok and p.result is not None]

    @property
    def failed(self) -> List[Point]:
        """The runs that failed; each has its ``error``."""
        return [p for p in self.points if p.error is not None]

    @property
    def metrics(self) -> List[str]:
        """What is shown if nothing else is asked for."""
        if self._metrics is not None:
            return list(self._metrics)
        return [m for m in DEFAULT_METRICS if any(m in r for r in self.results)]

    def _check(self, metrics: Sequence[str]) -> None:
        for metric in metrics:
            if self.results and not any(metric in r for r in self.results):
                self.results[0][metric]  # which says what there is

    def table(self, *metrics: str) -> Table:
        """A row for each run: parameters, seed, the metrics (none named: all single values),
        ``steady``, ``digest`` and, if it failed, its ``error``."""
        self._check(metrics)
        rows = [p.row(metrics or None) for p in self.points]
        names = dict.fromkeys(name for row in rows for name in row)
        last = [n for n in ("steady", "digest", "error") if n in names]
        first = [n for p in self.points[:1] for n in (*p.parameters, "seed") if n in names]
        values = [n for n in metrics or names if n not in first and n not in last]
        return Table(rows, first + values + last, marked=values)

    def frame(self, *metrics: str) -> Any:
        """``table()`` as a pandas DataFrame; pandas must be installed."""
        return self.table(*metrics).frame()

    def _groups(self) -> Iterator[Tuple[Dict[str, Any], List[Point]]]:
        groups: Dict[Spec, List[Point]] = {}
        for p in self.points:
            groups.setdefault(p.combination, []).append(p)
        for points in groups.values():
            yield points[0].parameters, points

    def summary(self, *metrics: str) -> Table:
        """A row for each combination: parameters, how many ``runs`` have a result, the mean of
        each metric and, as METRIC.interval, half the width of its 95 % interval over the seeds."""
        self._check(metrics)
        chosen = list(metrics) or self.metrics
        several = any(len(points) > 1 for _, points in self._groups())
        rows = []
        for parameters, points in self._groups():
            results = [p.result for p in points if p.ok and p.result is not None]
            row: Row = {**parameters, "runs": len(results)}
            for metric in chosen:
                values = [r[metric] for r in results if metric in r]
                mean, half = mean_and_interval(values) if values else (None, None)
                row[metric] = mean
                if several:
                    row[metric + INTERVAL] = half
            row["steady"] = all(r.steady for r in results)
            row["error"] = next((p.error.text for p in points if p.error), None)
            rows.append(row)
        table = Table(rows, marked=chosen)
        if not any(row["error"] for row in rows) and "error" in table.columns:
            table.columns.remove("error")
        return table

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes ``table()`` as a CSV file, whole or not at all."""
        self.table().save(path)

    def __repr__(self) -> str:
        return f"{self.summary()}\n{len(self)} runs, {len(self.failed)} failed"

    def _repr_html_(self) -> str:
        return f"{self.summary()._repr_html_()}<p>{len(self)} runs, {len(self.failed)} failed</p>"


# ---- what to run ----

def _seeds(seeds: Union[None, int, Iterable[int]]) -> List[Optional[int]]:
    if seeds is None:
        return [None]
    chosen = list(range(1, seeds + 1)) if isinstance(seeds, int) else list(seeds)
    if not chosen:
        raise BadInput(f"seeds = {seeds!r}; use how many, from 1 on, or a list of them")
    return list(chosen)


def _points(base: Spec, over: Mapping[str, Iterable[Any]],
            seeds: Union[None, int, Iterable[int]]) -> List[Point]:
    values = {}
    for key, several in over.items():
        if isinstance(several, (str, bytes, Mapping)):
            raise BadInput(f"over {key} = {several!r}; give a list of values")
        values[key] = list(several)
        if not values[key]:
            raise BadInput(f"over {key}: no values; give a list with some")
    points = []
    for combination in itertools.product(*values.values()):
        parameters = dict(zip(values, combination))
        spec = base.with_settings(parameters)
        points += [Point(parameters, seed, spec) for seed in _seeds(seeds)]
    return points


# ---- results that are kept ----

def _library_hash() -> str:
    file = find()
    content = file.read_bytes() if isinstance(file, Path) else str(file).encode()
    return hashlib.sha256(content).hexdigest()


def _file(folder: Path, handle: Handle, library: str) -> Path:
    """Where the result of a run is: by every value of its configuration, and by the library."""
    values = "\n".join(f"{key.name}={key.value}" for key in handle.keys())
    return folder / (hashlib.sha256((library + values).encode()).hexdigest()[:20] + ".json")


# ---- running ----

class _Crew:
    """Runs points, some at a time."""

    def __init__(self, points: Sequence[Point], threads: int, folder: Optional[Path],
                 metrics: Optional[Sequence[str]]) -> None:
        self._points = points
        self._threads = threads
        self._folder = folder
        self._metrics = metrics or ()
        self._library = _library_hash() if folder else ""
        self._lock = threading.Lock()
        self._running: List[Handle] = []
        self._ended = 0
        self._stopped = False

    def work(self, workers: int) -> None:
        with ThreadPoolExecutor(workers) as pool:
            try:
                for _ in pool.map(self._run, self._points):
                    pass
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for handle in running:
            handle.cancel()

    def _begin(self, handle: Handle) -> bool:
        with self._lock:
            if not self._stopped:
                self._running.append(handle)
            return not self._stopped

    def _end(self, handle: Handle) -> None:
        with self._lock:
            self._running.remove(handle)
            self._ended += 1

    def _run(self, point: Point) -> None:
        try:
            with Handle(point.spec) as handle:
                point.result = self._watched(handle)
        except Error as error:
            point.result, point.error = error.result, error
        # Without a packet, a run has no response time: that is no mistake in a name.
        if point.ok and point.result is not None and point.result.get("packets_delivered"):
            for metric in self._metrics:
                point.result[metric]  # which says what there is

    def _watched(self, handle: Handle) -> Optional[Result]:
        if not self._begin(handle):
            return None
        try:
            return self._result(handle)
        finally:
            self._end(handle)

    def _result(self, handle: Handle) -> Result:
        file = _file(self._folder, handle, self._library) if self._folder else None
        if file and file.is_file():
            return load(file)
        result = handle.execute(self._threads)
        if file:
            result.save(file)
        return result

    def show(self, bar: Bar, shown: Shown) -> None:
        with self._lock:
            shares = [max(handle.progress.share, 0) for handle in self._running]
            ended = self._ended
        total = len(self._points)
        share = (ended + sum(shares)) / total
        if callable(shown):
            shown(Progress(share, 0, 0))
        else:
            bar.show(share, f"{ended} of {total} runs")


def sweep(machine: Optional[Machine] = None, workload: Optional[Workload] = None, *,
          over: Mapping[str, Iterable[Any]], seeds: Union[None, int, Iterable[int]] = None,
          study: Optional[Study] = None, set: Optional[Mapping[str, Any]] = None,
          threads: int = 1, workers: Optional[int] = None, metrics: Optional[Sequence[str]] = None,
          folder: Union[None, str, "os.PathLike[str]"] = None, progress: Shown = None,
          **sections: Mapping[str, Any]) -> Sweep:
    """Runs every combination of some settings.

    over       the values of each key: ``{"workload.load": [0.5, 0.9], "machine.dims": ["8x8x8"]}``;
               ``machine`` and ``workload`` stand for machines and patterns
    seeds      how many seeds for each combination (1, 2, ...), or a list of them
    threads    of each run
    workers    how many runs at a time; as many as there are cores, unless this is set
    metrics    names in the result that are shown; a name that a result does not have ends the sweep
    folder     keeps every result there; a run whose result is there is not repeated, so that the
               same sweep goes on where it was interrupted

    The other arguments are those of ``run()``. All settings are checked before anything runs. A run
    that fails does not end the sweep: its ``Point`` has the ``error``.

    >>> s = weft.sweep("bluegene-l", "uniform", over={"workload.load": [0.3, 0.6, 0.9]}, seeds=3)
    >>> s.summary("response_cycles.mean")
    """
    points = _points(specify(machine, workload, study, set, None, sections), over, seeds)
    for point in points:
        Handle(point.spec).destroy()  # its settings are right
    place = None if folder is None else Path(folder)
    if place:
        place.mkdir(parents=True, exist_ok=True)
    crew = _Crew(points, threads, place, metrics)
    bar = bar_for(progress, "sweep")
    many = workers or max(1, len(os.sched_getaffinity(0)) // threads)
    try:
        run_apart(lambda: crew.work(many), crew.stop, lambda: crew.show(bar, progress))
    finally:
        bar.close()
    return Sweep(points, metrics)
