"""What each link and each node did: the sections ``each_link`` and ``each_node`` of a result.

There a column is the base64 text of a zlib stream of a little-endian array, and ``columns`` says
what each is. Here it is an array of numpy, where that is installed, or of Python's ``array``;
shares, which the file has as whole numbers, are numbers from 0 to 1. A column is unpacked when it is
first asked for.
"""

from __future__ import annotations

import base64
import sys
import zlib
from array import array
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .errors import BadInput, missing
from .table import Table, import_pandas

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


_CODES = {"bool": "B", "u8": "B", "u16": "H", "u32": "I", "f32": "f"}  # of the array module


class _Kind(NamedTuple):
    """A column, as the section's ``columns`` describe it."""

    code: str  # of the array module
    top: int  # the number that stands for 1; 0: it is no share
    per: Tuple[str, ...]  # what has a value, the slowest first: ("row", "link", "vc")
    index_of: str  # the list that numbers are of, or "vertices"; "": they are numbers
    truth: bool
    heading: str  # in tables, as those of `weft run --links` and `--nodes` are


def _kind(name: str, told: Any) -> _Kind:
    """Raises if it is no description."""
    kind = _Kind(_CODES[told["type"]], told.get("one", 0), tuple(told["per"].split()),
                 told.get("index_of", ""), told["type"] == "bool", told.get("heading", name))
    typed = (isinstance(kind.top, int) and isinstance(kind.index_of, str)
             and isinstance(kind.heading, str))
    is_index = bool(kind.index_of) or kind.truth
    if not typed or kind.top < 0 or (is_index and (kind.top or kind.code == "f")):
        raise ValueError(name)
    return kind


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
    for field in ("dims", "vcs", "directions", "states"):
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

    def __init__(self, name: str, data: Mapping[str, Any], shape: Mapping[str, Any],
                 steady: Optional[bool]) -> None:
        self._name = name
        self._data = data
        self._item = name.rpartition("_")[2]  # "link" or "node"
        self._kinds = self._read_kinds()
        self._shape = shape
        self._steady = steady
        self._columns: Dict[str, Any] = {}
        _check_fields(name, data)

    def _damaged(self, field: str, how: str) -> BadInput:
        return _damaged(f"{self._name}.{field}", how)

    def _read_kinds(self) -> Dict[str, _Kind]:
        if "columns" not in self._data:
            raise BadInput(f"{self._name}.columns is missing, as in results of older versions; "
                           "run it again")
        try:
            return {name: _kind(name, told) for name, told in self._data["columns"].items()}
        except (AttributeError, KeyError, TypeError, ValueError):
            raise self._damaged("columns", "does not describe columns") from None

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self._data["count"])

    def _sizes(self, kind: _Kind) -> List[int]:
        hosts = self._data.get("vertices", 0) - self._data.get("switches", 0)
        sizes = {"link": self.count, "node": self.count, "vc": len(self._data.get("vcs", ())),
                 "row": self._data.get("rows", 0), "host": hosts}
        return [int(sizes[word]) for word in kind.per]

    def __getitem__(self, name: str) -> Any:
        if name not in self._data:
            raise missing(self._name, name, self._data)
        kind = self._kinds.get(name)
        if kind is None:
            return self._data[name]
        if name not in self._columns:
            try:
                self._columns[name] = _decode(self._data[name], kind, self._sizes(kind))
            except (KeyError, ValueError, TypeError, OverflowError, zlib.error) as error:
                raise self._damaged(name, f"cannot be unpacked ({error})") from None
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def _column(self, name: str) -> Sequence[Any]:
        kind, values = self._kinds[name], self[name].tolist()
        if kind.index_of == "vertices":
            places = {vertex: self.place(vertex) for vertex in set(values)}
            return [places[vertex] for vertex in values]
        words = (False, True) if kind.truth else self._data.get(kind.index_of)
        if words is None:
            return list(values)
        if not isinstance(words, (list, tuple)) or max(values, default=0) >= len(words):
            raise self._damaged(name, f"has {max(values, default=0)}, which stands for nothing")
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

    def _columns_of(self, *per: str) -> List[str]:
        return [name for name, kind in self._kinds.items()
                if kind.per == per and name in self._data]

    def _numbers(self) -> Dict[str, Sequence[Any]]:
        """Which link or node a row is of."""
        if self._item == "link":
            return {"link": range(self.count)}
        return {"node": range(self.count), "place": [self.place(i) for i in range(self.count)]}

    def columns(self) -> Dict[str, Sequence[Any]]:
        """What ``table()`` has: a value for each row; of figures by VC, a column for each VC. Names
        and order are those of ``weft run --links`` and ``--nodes``."""
        measured = {name: self._column(name) for name in self._columns_of(self._item)}
        if not measured:
            return {}  # the count alone may be any number
        found = {**self._numbers(),
                 **{self._kinds[name].heading: values for name, values in measured.items()}}
        for name in self._columns_of(self._item, "vc"):
            values = self[name]
            for i, vc in enumerate(self._data.get("vcs", ())):
                found[f"{self._kinds[name].heading}.{vc}"] = (
                    values[:, i].tolist() if hasattr(values, "shape") else
                    [row[i] for row in values])
        return {**found, "steady": [self._steady] * self.count}

    def _marks(self) -> List[str]:
        """Names in tables of what is no measurement."""
        return ["link", "node", "place", "steady",
                *(kind.heading for kind in self._kinds.values() if kind.index_of or kind.truth)]

    def table(self) -> Table:
        """A row for each link or node. What was not measured, as the response time of a node to
        which no packet came, is None; figures of a run that is not steady are shown with a ``*``.
        """
        columns, marks = self.columns(), self._marks()
        rows = ({name: None if value != value else value for name, value in zip(columns, values)}
                for values in zip(*columns.values()))
        return Table(rows, list(columns), [name for name in columns if name not in marks])

    def frame(self) -> Any:
        """A pandas DataFrame; pandas must be installed. What was not measured is NaN."""
        return import_pandas().DataFrame(self.columns())

    def __repr__(self) -> str:
        names = [name for name in self._kinds if name in self._data]
        return f"<{self._name}, {self.count}: {', '.join(names)}>"


def _section(name: str, result: Mapping[str, Any]) -> Optional[Section]:
    if name not in result:
        return None
    if not isinstance(result[name], Mapping) or "count" not in result[name]:
        raise BadInput(f"{name} is no section; was the file changed?")
    shape = result.get("each_link", {})
    if not isinstance(shape, Mapping):
        raise BadInput("each_link is no section; was the file changed?")
    _check_fields("each_link", shape)
    return Section(name, result[name], shape, result.get("steady"))


def links_of(result: Mapping[str, Any]) -> Optional[Section]:
    """The section ``each_link``; None where there is none."""
    return _section("each_link", result)


def nodes_of(result: Mapping[str, Any]) -> Optional[Section]:
    """The section ``each_node``; None where there is none."""
    return _section("each_node", result)
