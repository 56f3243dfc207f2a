"""Whole numbers, however Python has them: 8, 8.0, or numpy's."""

from __future__ import annotations

from typing import Any, Optional

from .errors import BadInput

_MOST_THREADS = 4096


def whole(value: Any) -> Optional[int]:
    """The number; None: it is something else."""
    if isinstance(value, (str, bytes, bool)):
        return None
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number == value else None


def count_of(name: str, value: Any) -> int:
    """How many threads, or runs at a time."""
    number = whole(value)
    if number is None or not 1 <= number <= _MOST_THREADS:
        raise BadInput(f"{name} = {value!r}; use 1 to {_MOST_THREADS}")
    return number
