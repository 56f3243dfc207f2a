"""Results that are kept in a folder, so that the same run is not repeated.

A result's file is named by all that its run depends on: the library, the settings, and the contents
of the files that these name. The library knows, as for the folders of ``weft sweep``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Callable, Union

from .errors import BadInput
from .handle import Handle
from .result import Result
from .run import load


class Kept:
    """A folder of results."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)

    def result(self, handle: Handle, compute: Callable[[], Result]) -> Result:
        """The result of a run: the one that is there, or else a new one, which is kept."""
        file = self._folder / f"{handle.hash():016x}.json"
        try:
            return load(file)
        except (FileNotFoundError, BadInput):  # there is none, or it is damaged
            result = compute()
        result.save(file)
        return result
