"""Results that are kept in a folder, so that the same run is not repeated.

A result's file is named by all that its run depends on: the library, every value of the
configuration, and the contents of the files that these values name (traces, graphs, lists of
nodes).
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Dict, Iterator, Union

from .handle import Handle
from .libweft import find

_BETWEEN_WORDS = (r"[\s;,=]+", r"[\s;,=:]+")  # of "nodes:0-31 file file=a.txt", "file:nodes.txt"


def files_named(value: str) -> Iterator[Path]:
    """The files that a value names, by itself or among other words."""
    words = {value}.union(*(re.split(between, value) for between in _BETWEEN_WORDS))
    for word in sorted(words):
        path = Path(os.path.abspath(word))
        if path.is_file():
            yield path
            yield from _beside(path)


def _beside(path: Path) -> Iterator[Path]:
    """The files of an OTF2 trace, of which values name the anchor."""
    if path.suffix == ".otf2":
        yield from path.parent.glob(path.stem + ".def")
        yield from sorted(p for p in path.with_suffix("").rglob("*") if p.is_file())


def _hash(path: Path) -> str:
    total = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            total.update(block)
    return total.hexdigest()


class Kept:
    """A folder of results. Each file is read once: it must not change during a sweep."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._hashes: Dict[Path, str] = {}
        library = find()
        self._library = self._hash(library) if isinstance(library, Path) else library

    def _hash(self, path: Path) -> str:
        if path not in self._hashes:
            self._hashes[path] = _hash(path)
        return self._hashes[path]

    def file(self, handle: Handle) -> Path:
        """Where the result of a run is, or will be."""
        lines = [self._library]
        for key in handle.keys():
            lines.append(f"{key.name}={key.value}")
            lines += [f"{path} {self._hash(path)}" for path in files_named(key.value)]
        name = hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()[:20]
        return self._folder / (name + ".json")
