"""Rows of named values: a list of dicts that shows itself, and becomes a CSV file or a frame."""

from __future__ import annotations

import csv
import html
import io
import itertools
import math
import os
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

from .files import write_whole

Row = Dict[str, Any]

_SHOWN_ROWS = 60
_SHOWN_WIDTH = 160
LEFT = ' style="text-align: left"'
INTERVAL = ".interval"  # ends the name of a column: half the width of a 95 % interval
UNSTEADY = "* not steady: more was offered than was delivered"


def cell_text(value: Any) -> str:
    """A value as tables show it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.5g}" if abs(value) < 1e5 else f"{value:.0f}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return str(value)


class Table(List[Row]):
    """A list of rows, each a dict.

    ``columns`` are the names, in order. Where a row has ``steady: False``, values of the columns
    in ``marked`` are shown with a ``*``; a column NAME.interval is shown behind NAME, as +-.
    """

    def __init__(self, rows: Iterable[Row] = (), columns: Optional[Sequence[str]] = None,
                 marked: Iterable[str] = ()) -> None:
        super().__init__(rows)
        self.columns = list(columns) if columns is not None else self._names()
        self.marked = frozenset(marked)

    def _names(self) -> List[str]:
        return list(dict.fromkeys(name for row in self for name in row))

    def column(self, name: str) -> List[Any]:
        """The values of a column; None where a row has none."""
        if name not in self.columns:
            raise KeyError(f"there is no column {name!r}; columns are {', '.join(self.columns)}")
        return [row.get(name) for row in self]

    def frame(self) -> Any:
        """A pandas DataFrame; pandas must be installed."""
        return import_pandas().DataFrame(list(self), columns=self.columns)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a CSV file, whole or not at all."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_csv(row.get(name)) for name in self.columns] for row in self)
        write_whole(path, text.getvalue())

    def _cell(self, row: Row, name: str) -> str:
        text, half = cell_text(row.get(name)), row.get(name + INTERVAL)
        if half is not None and not math.isnan(half):
            text += f" +- {half:.2g}" if half < 99.5 else f" +- {half:.0f}"
        return text + "*" if text and name in self.marked and row.get("steady") is False else text

    def _headings(self) -> List[str]:
        return [name for name in self.columns
                if not name.endswith(INTERVAL) or name[:-len(INTERVAL)] not in self.columns]

    def _shown(self) -> List[List[str]]:
        names = self._headings()
        return [[self._cell(row, name) for name in names] for row in self[:_SHOWN_ROWS]]

    def _notes(self) -> List[str]:
        notes = []
        if len(self) > _SHOWN_ROWS:
            notes.append(f"... {len(self)} rows")
        if self.marked and any(row.get("steady") is False for row in self):
            notes.append(UNSTEADY)
        return notes

    def __str__(self) -> str:
        names = self._headings()
        cells = [names] + self._shown()
        widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
        left = [not _is_numeric(self, name) for name in names]
        fit = _fitting(widths)
        lines = ["  ".join(text.ljust(width) if is_left else text.rjust(width)
                           for text, width, is_left in zip(line[:fit], widths, left)).rstrip()
                 for line in cells]
        rest = names[fit:]
        more = [f"... {len(rest)} more columns, from {rest[0]} on"] if rest else []
        return "\n".join(lines + more + self._notes())

    def __repr__(self) -> str:
        return str(self) if self else "no rows"

    def _repr_html_(self) -> str:
        names = self._headings()
        # Notebooks put all cells to the right.
        sides = ["" if _is_numeric(self, name) else LEFT for name in names]
        head = "".join(f"<th{side}>{html.escape(n)}</th>" for n, side in zip(names, sides))
        body = "".join(
            "<tr>" + "".join(f"<td{side}>{html.escape(cell)}</td>"
                             for cell, side in zip(line, sides)) + "</tr>"
            for line in self._shown())
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self._notes())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def _fitting(widths: Sequence[int]) -> int:
    """How many columns fit into a line; at least one."""
    used = list(itertools.accumulate(width + 2 for width in widths))
    return max(1, sum(end <= _SHOWN_WIDTH + 2 for end in used))


def _csv(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def _is_numeric(table: Table, name: str) -> bool:
    values = [row[name] for row in table if row.get(name) is not None]
    return bool(values) and all(isinstance(v, (int, float)) and not isinstance(v, bool)
                                for v in values)


def import_pandas() -> Any:
    """pandas, or an error that says what to do without."""
    try:
        import pandas  # type: ignore[import]
    except ImportError:
        raise ImportError("frames need pandas, which is not installed; "
                          "without it, use the rows (list, dict) or save() a CSV file") from None
    return pandas
