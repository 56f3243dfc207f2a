"""What each link and each node did: the sections ``each_link`` and ``each_node`` of a result.

There a column is the base64 text of a zlib stream of a little-endian array. Here it is an array of
numpy, where that is installed, or of Python's ``array``; shares, which the file has as whole
numbers, are numbers from 0 to 1. A column is unpacked when it is first asked for.
"""

from __future__ import annotations

import base64
import sys
import zlib
from array import array
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from .errors import BadInput, missing
from .table import Table, import_pandas

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


class _Kind(NamedTuple):
    code: str  # of the array module
    top: int  # the number that stands for 1; 0: it is no share
    shape: str  # letters of sizes, the slowest first; L: rows of the table


_U8, _U16, _U32, _F32 = "B", "H", "I", "f"
_STATES = ("good", "bad", "dead")
_DEAD = (False, True)

_LINK_COLUMNS = {
    "from": _Kind(_U32, 0, "L"),
    "to": _Kind(_U32, 0, "L"),
    "direction": _Kind(_U8, 0, "L"),
    "state": _Kind(_U8, 0, "L"),
    "utilisation": _Kind(_U16, 65535, "L"),
    "vc_utilisation": _Kind(_U16, 65535, "LV"),
    "queue": _Kind(_U16, 65535, "LV"),
    "blocked": _Kind(_U16, 65535, "LV"),
    "timeline": _Kind(_U8, 255, "RL"),
    "vc_timeline": _Kind(_U8, 255, "RLV"),
}
_NODE_COLUMNS = {
    "dead": _Kind(_U8, 0, "L"),
    "sent_packets": _Kind(_U32, 0, "L"),
    "sent_bytes_per_second": _Kind(_F32, 0, "L"),
    "received_packets": _Kind(_U32, 0, "L"),
    "received_bytes_per_second": _Kind(_F32, 0, "L"),
    "source_queueing_cycles": _Kind(_F32, 0, "L"),  # NaN: none of its packets was measured
    "response_cycles": _Kind(_F32, 0, "L"),  # likewise
}

# Names in tables, which are those of `weft run --links` and `--nodes`, where they differ.
_HEADINGS = {"utilisation": "link_utilisation", "vc_utilisation": "utilisation",
             "source_queueing_cycles": "source_queueing_mean_cycles",
             "response_cycles": "response_mean_cycles"}
_NOT_MEASURED = ("link", "node", "place", "from", "to", "direction", "state", "dead", "steady")


def _unpack(text: str, code: str, count: int) -> "array[Any]":
    values = array(code)
    size = count * values.itemsize
    # No more than is expected: a damaged stream could be of any length.
    raw = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), size + 1)
    if len(raw) != size:
        raise ValueError(f"not {size} bytes")
    values.frombytes(raw)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def _nest(values: Sequence[Any], sizes: Sequence[int]) -> Any:
    """The same values in as many levels as there are sizes."""
    if len(sizes) < 2 or not values:
        return values
    step = len(values) // sizes[0]
    return [_nest(values[i * step:(i + 1) * step], sizes[1:]) for i in range(sizes[0])]


def _decode(text: str, kind: _Kind, sizes: Sequence[int]) -> Any:
    count = 1
    for size in sizes:
        count *= size
    values = _unpack(text, kind.code, count)
    if numpy is not None:
        made = numpy.array(values)
        return (made / kind.top if kind.top else made).reshape(sizes)
    return _nest(array("d", (v / kind.top for v in values)) if kind.top else values, sizes)


def _damaged(field: str, how: str) -> BadInput:
    return BadInput(f"{field} {how}; was the file changed?")


def _check_fields(name: str, data: Mapping[str, Any]) -> None:
    """What is no column is of its type."""
    for field in ("count", "rows", "vertices", "switches"):
        if not isinstance(data.get(field, 0), int) or data.get(field, 0) < 0:
            raise _damaged(f"{name}.{field}", "is no number")
    for field in ("dims", "vcs", "directions"):
        if not isinstance(data.get(field, []), list):
            raise _damaged(f"{name}.{field}", "is no list")
    if not all(isinstance(size, int) and size > 0 for size in data.get("dims", [])):
        raise _damaged(f"{name}.dims", "has what is no size")
    if data.get("switches", 0) > data.get("vertices", 0):
        raise _damaged(f"{name}.switches", "are more than there are vertices")


class Section(Mapping[str, Any]):
    """Columns by their names, and whatever else the section says (``dims``, ``directions``, ...).

    ``table()`` has a row for each link or node, ``frame()`` is the same for pandas. ``shape`` is
    the section that has the machine's; ``steady`` is the result's, None where nobody knows.
    """

    def __init__(self, name: str, data: Mapping[str, Any], kinds: Mapping[str, _Kind],
                 shape: Mapping[str, Any], steady: Optional[bool]) -> None:
        self._name = name
        self._data = data
        self._kinds = kinds
        self._shape = shape
        self._steady = steady
        self._columns: Dict[str, Any] = {}
        _check_fields(name, data)

    def _damaged(self, field: str, how: str) -> BadInput:
        return _damaged(f"{self._name}.{field}", how)

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self._data["count"])

    def _sizes(self, kind: _Kind) -> List[int]:
        sizes = {"L": self.count, "V": len(self._data.get("vcs", ())),
                 "R": self._data.get("rows", 0)}
        return [int(sizes[letter]) for letter in kind.shape]

    def __getitem__(self, name: str) -> Any:
        if name not in self._data:
            raise missing(self._name, name, self._data)
        kind = self._kinds.get(name)
        if kind is None:
            return self._data[name]
        if name not in self._columns:
            try:
                self._columns[name] = _decode(self._data[name], kind, self._sizes(kind))
            except (ValueError, TypeError, zlib.error) as error:
                raise self._damaged(name, f"cannot be unpacked ({error})") from None
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def _column(self, name: str) -> Sequence[Any]:
        values: List[Any] = self[name].tolist()
        if name in ("from", "to"):
            places = {vertex: self.place(vertex) for vertex in set(values)}
            return [places[vertex] for vertex in values]
        words = {"direction": self._data.get("directions"), "state": _STATES,
                 "dead": _DEAD}.get(name)
        if words is None:
            return values
        if max(values, default=0) >= len(words):
            raise self._damaged(name, f"has {max(values)}, which stands for nothing")
        return [words[v] for v in values]

    def place(self, vertex: int) -> str:
        """A vertex by its coordinates, ``1/2/3``; by its number, where there are none. Of a machine
        of switches, coordinates are those of switches; without them, a host is ``7``, and a switch,
        which has its number behind the hosts, ``switch 0``."""
        switches, sizes = self._shape.get("switches", 0), self._shape.get("dims")
        first = self._shape["vertices"] - switches if switches else 0
        if vertex < first or not sizes:
            return f"switch {vertex - first}" if switches and vertex >= first else str(vertex)
        rest, words = int(vertex) - first, []
        for size in sizes:
            rest, at = divmod(rest, size)
            words.append(str(at))
        if rest:
            raise _damaged("each_link.dims", f"have no vertex {vertex}")
        return "/".join(words)

    def _columns_of(self, shape: str) -> List[str]:
        return [name for name, kind in self._kinds.items()
                if kind.shape == shape and name in self._data]

    def _numbers(self) -> Dict[str, Sequence[Any]]:
        """Which link or node a row is of."""
        if self._kinds is _LINK_COLUMNS:
            return {"link": range(self.count)}
        return {"node": range(self.count), "place": [self.place(i) for i in range(self.count)]}

    def columns(self) -> Dict[str, Sequence[Any]]:
        """What ``table()`` has: a value for each row; of figures by VC, a column for each VC. Names
        and order are those of ``weft run --links`` and ``--nodes``."""
        measured = {name: self._column(name) for name in self._columns_of("L")}
        if not measured:
            return {}  # the count alone may be any number
        found = {**self._numbers(),
                 **{_HEADINGS.get(name, name): values for name, values in measured.items()}}
        for name in self._columns_of("LV"):
            values = self[name]
            for i, vc in enumerate(self._data.get("vcs", ())):
                found[f"{_HEADINGS.get(name, name)}.{vc}"] = (
                    values[:, i].tolist() if hasattr(values, "shape") else
                    [row[i] for row in values])
        return {**found, "steady": [self._steady] * self.count}

    def table(self) -> Table:
        """A row for each link or node. What was not measured, as the response time of a node to
        which no packet came, is None; figures of a run that is not steady are shown with a ``*``.
        """
        columns = self.columns()
        rows = ({name: None if value != value else value for name, value in zip(columns, values)}
                for values in zip(*columns.values()))
        return Table(rows, list(columns), [name for name in columns if name not in _NOT_MEASURED])

    def frame(self) -> Any:
        """A pandas DataFrame; pandas must be installed. What was not measured is NaN."""
        return import_pandas().DataFrame(self.columns())

    def __repr__(self) -> str:
        names = [name for name in self._kinds if name in self._data]
        return f"<{self._name}, {self.count}: {', '.join(names)}>"


def _section(name: str, result: Mapping[str, Any],
             kinds: Mapping[str, _Kind]) -> Optional[Section]:
    if name not in result:
        return None
    if not isinstance(result[name], Mapping) or "count" not in result[name]:
        raise BadInput(f"{name} is no section; was the file changed?")
    shape = result.get("each_link", {})
    if not isinstance(shape, Mapping):
        raise BadInput("each_link is no section; was the file changed?")
    _check_fields("each_link", shape)
    return Section(name, result[name], kinds, shape, result.get("steady"))


def links_of(result: Mapping[str, Any]) -> Optional[Section]:
    """The section ``each_link``; None where there is none."""
    return _section("each_link", result, _LINK_COLUMNS)


def nodes_of(result: Mapping[str, Any]) -> Optional[Section]:
    """The section ``each_node``; None where there is none."""
    return _section("each_node", result, _NODE_COLUMNS)
