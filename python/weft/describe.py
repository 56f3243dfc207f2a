"""What there is: machines, the keys that can be set, and the figures of results."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

from .errors import error_of
from .handle import Handle
from .libweft import ON_FIGURE, ON_MACHINE, last_error, library
from .settings import Machine, Study, specify
from .table import Table


def machines() -> Table:
    """The machines that ``run()`` knows, by name."""
    rows: List[Dict[str, Any]] = []
    told = ON_MACHINE(lambda _, name, text: rows.append({"name": name.decode(),
                                                         "description": text.decode()}))
    status = library().weft_machines(told, None)
    if status:
        raise error_of(status, last_error())
    return Table(rows, ("name", "description"))


def figures(prefix: str = "") -> Table:
    """What a result can hold, as far as names begin with a prefix, in the order of the result.

    Of each: ``name`` (a ``*`` at its end stands for any further letters), ``unit``, the ``runs``
    that have it (none named: all), and ``help``.
    """
    columns = ("name", "unit", "runs", "help")
    rows: List[Dict[str, Any]] = []
    told = ON_FIGURE(lambda _, figure: rows.append(
        {name: getattr(figure.contents, name).decode() for name in columns}))
    library().weft_figures(told, None)
    return Table((row for row in rows if row["name"].startswith(prefix)), columns)


def keys(machine: Optional[Machine] = None, prefix: str = "", *, study: Optional[Study] = None,
         set: Optional[Mapping[str, Any]] = None) -> Table:
    """The keys of a machine or a study that begin with a prefix.

    Of each: ``name``, the ``value`` that a run would have, its ``default`` (none where every
    machine gives its own), ``unit``, ``choices``, the ``source`` of the value, and ``help``.
    """
    with Handle(specify(machine, None, study, set)) as handle:
        found = [key for key in handle.keys() if key.name.startswith(prefix)]
    return Table((key._asdict() for key in found),
                 ("name", "value", "default", "unit", "choices", "source", "help"))
