"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import Union


def write_whole(path: Union[str, "os.PathLike[str]"], text: str) -> None:
    """Writes a text beside its place, and moves it there; to a device, directly."""
    if os.path.exists(path) and not os.path.isfile(path):
        _write(path, "w", text)
        return
    place = os.path.realpath(path)
    beside = f"{place}.{secrets.token_hex(4)}"
    try:
        _write(beside, "x", text)
        os.replace(beside, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def _write(path: Union[str, "os.PathLike[str]"], mode: str, text: str) -> None:
    with open(path, mode, encoding="utf-8", newline="") as file:
        file.write(text)
