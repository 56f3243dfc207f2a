"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from typing import Union


def write_whole(path: Union[str, "os.PathLike[str]"], text: str) -> None:
    """Writes a text beside its place, and moves it there."""
    path = os.path.realpath(path)
    handle, beside = tempfile.mkstemp(prefix=os.path.basename(path) + ".",
                                      dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, 0o666 & ~mask)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
