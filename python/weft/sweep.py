"""Many runs: every combination of some settings, with several seeds."""

from __future__ import annotations

import html
import itertools
import os
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
from typing import overload

from .errors import BadInput, Error
from .handle import Handle, Progress
from .kept import Kept
from .libweft import interval
from .progress import Bar, Shown, bar_for
from .result import Result
from .settings import Machine, Spec, Study, Workload, flatten, specify
from .table import INTERVAL, Row, Table
from .waiting import run_apart
from .whole import count_of, whole

DEFAULT_METRICS = ("fraction_of_peak", "link_utilisation", "response_cycles.mean")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


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
            row.update(seed=self.result["seed"], steady=self.result.get("steady"),
                       digest=self.result.digest)
        row["error"] = None if self.error is None else self.error.text
        return row

    def __repr__(self) -> str:
        words = [f"{name}={value}" for name, value in self.parameters.items()]
        words += [] if self.seed is None else [f"seed {self.seed}"]
        end = self.result.digest if self.ok and self.result else str(self.error or "not run")
        return f"<{', '.join(words)}: {end.splitlines()[0]}>"  # a deadlock's report has many


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

    def _check(self, metrics: Sequence[str], numbers: bool) -> None:
        """Raises, in words, for a name that is no figure of any result."""
        for metric in metrics:
            found = [r[metric] for r in self.results if metric in r]
            if self.results and not found:
                self.results[0][metric]  # which says what there is
            if any(isinstance(value, (Mapping, list)) for value in found):
                raise BadInput(f"{metric} is no single value; name one, as response_cycles.mean")
            if numbers and not all(map(_is_number, found)):
                raise BadInput(f"{metric} is no number, and has no mean; table() shows it")

    def table(self, *metrics: str) -> Table:
        """A row for each run: parameters, seed, the metrics (none named: all single values),
        ``steady``, ``digest`` and, if it failed, its ``error``."""
        self._check(metrics, numbers=False)
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
        self._check(metrics, numbers=True)
        chosen = list(metrics) or self.metrics
        several = any(len(points) > 1 for _, points in self._groups())
        rows = []
        for parameters, points in self._groups():
            results = [p.result for p in points if p.ok and p.result is not None]
            row: Row = {**parameters, "runs": len(results)}
            for metric in chosen:
                values = [r[metric] for r in results if metric in r]
                mean, half = interval(values) if values else (None, None)
                row[metric] = mean
                if several:
                    row[metric + INTERVAL] = half
            steady = [r["steady"] for r in results if "steady" in r]
            row["steady"] = all(steady) if steady else None  # None: nobody knows
            row["error"] = next((p.error.text for p in points if p.error), None)
            rows.append(row)
        table = Table(rows, marked=chosen)
        if not any(row["error"] for row in rows) and "error" in table.columns:
            table.columns.remove("error")
        return table

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes ``table()`` as a CSV file, whole or not at all."""
        self.table().save(path)

    def _shown(self) -> Tuple[Table, List[str]]:
        """The summary and, below it, the first run that failed for each reason."""
        table = self.summary()
        table.columns = [name for name in table.columns if name != "error"]
        reasons: Dict[str, Point] = {}
        for p in self.failed:
            reasons.setdefault(str(p.error), p)
        return table, [f"{len(self)} runs, {len(self.failed)} failed", *map(repr, reasons.values())]

    def __repr__(self) -> str:
        table, lines = self._shown()
        return "\n".join([str(table), *lines])

    def _repr_html_(self) -> str:
        table, lines = self._shown()
        return table._repr_html_() + "".join(f"<p>{html.escape(line)}</p>" for line in lines)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a sweep; ``sweep`` has the runs that had ended."""

    def __init__(self, sweep: Sweep, of: int, kept: bool) -> None:
        super().__init__(f"{len(sweep)} of {of} runs had ended; " +
                         ("the same call goes on from there" if kept else
                          "they are in the exception's `sweep`, "
                          "and folder= would have kept their results"))
        self.sweep = sweep


# ---- what to run ----

def _own_seed(spec: Spec) -> int:
    with Handle(spec) as handle:
        return next(int(key.value) for key in handle.keys() if key.name == "run.seed")


def _seeds(seeds: Union[None, int, Iterable[int]], spec: Spec) -> List[Optional[int]]:
    if seeds is None:
        return [None]
    many, first = whole(seeds), _own_seed(spec)
    chosen: List[Optional[int]] = list(range(first, first + (many or 0)))
    if isinstance(seeds, Iterable) and not isinstance(seeds, (str, bytes, Mapping)):
        seeds = list(seeds)
        chosen = [whole(seed) for seed in seeds]
    if not chosen or None in chosen:
        raise BadInput(f"seeds = {seeds!r}; use how many, from 1 on, or a list of them")
    if len(frozenset(chosen)) < len(chosen):
        raise BadInput(f"seeds = {seeds!r}: one is there twice; name each once")
    return chosen


def _values(key: str, several: Iterable[Any]) -> List[Any]:
    """The values of a key, each of which makes runs of its own."""
    if isinstance(several, (str, bytes, Mapping)) or not isinstance(several, Iterable):
        raise BadInput(f"over {key} = {several!r}; give a list of values")
    values, known = list(several), set()
    if not values:
        raise BadInput(f"over {key}: no values; give a list with some")
    for value in values:
        text = tuple(flatten({key: value}))
        if text in known:
            raise BadInput(f"over {key}: {value!r} is there twice; give each value once")
        known.add(text)
    return values


def _points(base: Spec, over: Mapping[str, Iterable[Any]],
            seeds: Union[None, int, Iterable[int]]) -> List[Point]:
    values = {key: _values(key, several) for key, several in over.items()}
    points = []
    for combination in itertools.product(*values.values()):
        parameters = dict(zip(values, combination))
        if seeds is not None and "run.seed" in dict(flatten(parameters)):
            raise BadInput("over run.seed, and seeds; use one of them")
        spec = base.with_settings(parameters)
        points += [Point(parameters, seed, spec) for seed in _seeds(seeds, spec)]
    return points


def _check(points: Sequence[Point], metrics: Sequence[str]) -> None:
    """All settings are right, and each metric is one that some run can have."""
    refusals: Dict[str, List[Optional[BadInput]]] = {metric: [] for metric in metrics}
    for point in points:
        with Handle(point.spec) as handle:
            for metric in metrics:
                refusals[metric].append(handle.refusal(metric))
    for several in refusals.values():
        if several[0] and all(several):
            raise several[0]


def _check_work(points: Sequence[Point]) -> None:
    """Points that differ in their machines alone do the same work."""
    first: Dict[Tuple[Any, ...], Point] = {}
    for point in points:
        others = {name: v for name, v in point.parameters.items() if name != "machine"}
        before = first.setdefault((tuple(flatten(others)), point.seed), point)
        if before.spec.machine != point.spec.machine:
            with Handle(before.spec) as a, Handle(point.spec) as b:
                a.check_same_work(b)


# ---- running ----

class _Crew:
    """Runs points, some at a time."""

    def __init__(self, points: Sequence[Point], threads: int, kept: Optional[Kept]) -> None:
        self._points = points
        self._threads = threads
        self._kept = kept
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

    def _watched(self, handle: Handle) -> Optional[Result]:
        if not self._begin(handle):
            return None
        try:
            return self._result(handle)
        finally:
            self._end(handle)

    def _result(self, handle: Handle) -> Result:
        def compute() -> Result:
            return handle.execute(self._threads)

        return compute() if self._kept is None else self._kept.result(handle, compute)

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


def _told(sweep: Sweep) -> Sweep:
    """Warns of metrics that some runs could have had, but none has."""
    for metric in sweep.metrics:
        if sweep.results and not any(metric in r for r in sweep.results):
            warnings.warn(f"no run has a {metric}", stacklevel=3)
    return sweep


def sweep(machine: Optional[Machine] = None, workload: Optional[Workload] = None, *,
          over: Mapping[str, Iterable[Any]], seeds: Union[None, int, Iterable[int]] = None,
          study: Optional[Study] = None, set: Optional[Mapping[str, Any]] = None,
          threads: int = 1, workers: Optional[int] = None,
          metrics: Union[None, str, Sequence[str]] = None,
          folder: Union[None, str, "os.PathLike[str]"] = None, progress: Shown = None,
          **sections: Mapping[str, Any]) -> Sweep:
    """Runs every combination of some settings.

    over       the values of each key: ``{"workload.load": [0.5, 0.9], "machine.dims": ["8x8x8"]}``;
               ``machine`` and ``workload`` stand for machines and patterns
    seeds      how many seeds for each combination (1, 2, ...; or from ``run.seed`` on, if that is
               set), or a list of them
    threads    of each run
    workers    how many runs at a time; as many as there are cores, unless this is set
    metrics    names of numbers in the result that are shown, or one name
    folder     keeps every result there; a run whose result is there is not repeated, so that the
               same sweep goes on where it was interrupted; a run is another one if a file that its
               settings name has changed

    The other arguments are those of ``run()``. All settings and metrics are checked before anything
    runs. A run that fails does not end the sweep: its ``Point`` has the ``error``. Ctrl-C is raised
    as ``weft.Interrupted``, whose ``sweep`` has the runs that had ended.

    >>> s = weft.sweep("bluegene-l", "uniform", over={"workload.load": [0.3, 0.6, 0.9]}, seeds=3)
    >>> s.summary("response_cycles.mean")
    """
    team = count_of("threads", threads)
    many = (max(1, len(os.sched_getaffinity(0)) // team) if workers is None else
            count_of("workers", workers))
    names = [metrics] if isinstance(metrics, str) else list(metrics or ())
    points = _points(specify(machine, workload, study, set, None, sections), over, seeds)
    _check(points, names)
    _check_work(points)
    crew = _Crew(points, team, None if folder is None else Kept(folder))
    bar = bar_for(progress, "sweep")
    try:
        run_apart(lambda: crew.work(many), crew.stop, lambda: crew.show(bar, progress))
    except KeyboardInterrupt:
        ended = Sweep((p for p in points if p.ok), names or None)
        raise Interrupted(ended, len(points), folder is not None) from None
    finally:
        bar.close()
    return _told(Sweep(points, names or None))
