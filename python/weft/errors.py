"""What goes wrong: one line that says what, and what would be right."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Iterable, Optional

if TYPE_CHECKING:
    from .result import Result

FAILED = 1
BAD_INPUT = 2


class Error(Exception):
    """A failure that Weft explains.

    ``text`` is the line that the command line would print, ``status`` its exit status: 1, the run
    failed, or 2, the input is wrong. ``result`` is what was measured until then, if anything was,
    as in a deadlock.
    """

    status = FAILED

    def __init__(self, text: str, result: Optional["Result"] = None) -> None:
        super().__init__(text)
        self.text = text
        self.result = result


class BadInput(Error, ValueError):
    """The input is wrong, or too large for this computer."""

    status = BAD_INPUT


class RunFailed(Error, RuntimeError):
    """The run failed: a deadlock, or it was cancelled."""


class LibraryMissing(Error, ImportError):
    """There is no libweft, or none that this module can use."""

    status = BAD_INPUT


def error_of(status: int, text: str, result: Optional["Result"] = None) -> Error:
    """The exception for a status of the library."""
    return (BadInput if status == BAD_INPUT else RunFailed)(text, result)


def missing(where: str, name: str, names: Iterable[str]) -> KeyError:
    """The exception for a name that is not there; it has the one that was meant, if that is near."""
    near = difflib.get_close_matches(name, list(names), 1, 0.75)
    return KeyError(f"{where} has no {name}" + (f"; did you mean {near[0]}?" if near else ""))
