"""libweft: where it is, and its functions as include/weft.h declares them.

It is looked for, in this order,

1. in the file that WEFT_LIBRARY names;
2. inside the package, where pip puts it;
3. in the prefix into which ``make install`` put the package;
4. in the build folder of the source tree in which the package lies;
5. where the system's loader looks.

It is loaded when it is first used: results can be read without it.
"""

from __future__ import annotations

import ctypes
import os
import threading
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_size_t
from ctypes import c_uint, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Iterator, Optional, Sequence, Tuple, Union

from .errors import LibraryMissing
from .version import __version__

FILE = "libweft.so.0"


class Message(Structure):
    """weft_message"""

    _fields_ = [("cycle", c_uint64), ("source", c_uint32), ("target", c_uint32),
                ("bytes", c_uint64), ("tag", c_uint64)]


class Delivered(Structure):
    """weft_delivery"""

    _fields_ = [("message", Message), ("cycle", c_uint64)]


class Told(Structure):
    """weft_progress"""

    _fields_ = [("share", c_double), ("cycle", c_uint64), ("packets_delivered", c_uint64)]


class Counted(Structure):
    """weft_counters"""

    _fields_ = [("cycle", c_uint64), ("packet_hops", c_uint64), ("events", c_uint64),
                ("packets_pending", c_uint64), ("messages_injected", c_uint64),
                ("messages_delivered", c_uint64)]


class ListedKey(Structure):
    """weft_key"""

    _fields_ = [("name", c_char_p), ("value", c_char_p), ("default_value", c_char_p),
                ("unit", c_char_p), ("choices", POINTER(c_char_p)), ("source", c_char_p),
                ("help", c_char_p)]


class ListedFigure(Structure):
    """weft_figure"""

    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("runs", c_char_p), ("help", c_char_p)]


ON_MACHINE = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
ON_FIGURE = CFUNCTYPE(None, c_void_p, POINTER(ListedFigure))
ON_KEY = CFUNCTYPE(None, c_void_p, POINTER(ListedKey))
ON_PROGRESS = CFUNCTYPE(None, c_void_p, POINTER(Told))
ON_DELIVERY = CFUNCTYPE(None, c_void_p, POINTER(Delivered))

# Name: result, arguments.
_FUNCTIONS = {
    "weft_version": (c_char_p, []),
    "weft_last_error": (c_char_p, []),
    "weft_use_data": (None, [c_char_p]),
    "weft_machines": (c_int, [ON_MACHINE, c_void_p]),
    "weft_figures": (None, [ON_FIGURE, c_void_p]),
    "weft_run_create": (c_int, [c_char_p, c_char_p, POINTER(c_void_p)]),
    "weft_run_create_text": (c_int, [c_char_p, c_size_t, POINTER(c_void_p)]),
    "weft_run_destroy": (None, [c_void_p]),
    "weft_run_set": (c_int, [c_void_p, c_char_p]),
    "weft_run_keys": (c_int, [c_void_p, ON_KEY, c_void_p]),
    "weft_run_check_metric": (c_int, [c_void_p, c_char_p]),
    "weft_run_hash": (c_int, [c_void_p, POINTER(c_uint64)]),
    "weft_run_same_work": (c_int, [c_void_p, c_void_p]),
    "weft_run_execute": (c_int, [c_void_p, c_uint]),
    "weft_run_json": (c_char_p, [c_void_p]),
    "weft_interval": (None, [POINTER(c_double), c_size_t, POINTER(c_double), POINTER(c_double)]),
    "weft_run_on_progress": (None, [c_void_p, ON_PROGRESS, c_void_p]),
    "weft_run_cancel": (None, [c_void_p]),
    "weft_run_counters": (c_int, [c_void_p, POINTER(Counted)]),
    "weft_run_start": (c_int, [c_void_p, c_uint]),
    "weft_run_inject": (c_int, [c_void_p, POINTER(Message)]),
    "weft_run_advance": (c_int, [c_void_p, c_uint64]),
    "weft_run_on_delivery": (None, [c_void_p, ON_DELIVERY, c_void_p]),
    "weft_run_finish": (c_int, [c_void_p]),
    "weft_run_nodes": (c_uint32, [c_void_p]),
    "weft_run_cycles_per_second": (c_double, [c_void_p]),
}

_package = Path(__file__).resolve().parent


def source_tree(package: Path = _package) -> Optional[Path]:
    """The root of the tree in which the package lies; None: it was installed."""
    root = package.parent.parent
    return root if (root / "include" / "weft.h").is_file() else None


def places(package: Path = _package) -> Iterator[Path]:
    """The files that may be the library, the best first."""
    yield package / "lib" / FILE
    tree = source_tree(package)
    if tree:
        yield tree / "build" / FILE
        return
    # PREFIX/lib/python3/dist-packages/weft: the library is in PREFIX/lib, lib64 or lib/TRIPLET.
    for folder in list(package.parents)[1:5]:
        if folder.name.startswith("lib"):
            for pattern in ("lib*/", "lib*/*/"):
                yield from sorted(folder.parent.glob(pattern + FILE))


def find() -> Union[Path, str]:
    """The library's file, or the name that the system's loader may know."""
    named = os.environ.get("WEFT_LIBRARY")
    if named:
        return Path(os.path.abspath(named))  # without a slash, the loader would look elsewhere
    return next((place for place in places() if place.is_file()), FILE)


def _open(file: Union[Path, str]) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(file))
    except OSError as error:
        if isinstance(file, Path):
            raise LibraryMissing(f"{file} cannot be loaded ({error}); "
                                 "set WEFT_LIBRARY to a libweft.so of this computer") from None
        tree = source_tree()
        remedy = (f"build it: `make` in {tree}" if tree else
                  "install Weft (`make install`, or pip in its source tree)")
        raise LibraryMissing(f"{FILE} was not found; {remedy}, "
                             "or set WEFT_LIBRARY to the file") from None


def _check_version(library: ctypes.CDLL, file: Union[Path, str]) -> None:
    try:
        library.weft_version.restype = c_char_p
        version = library.weft_version().decode()
    except AttributeError:
        raise LibraryMissing(f"{file} is not libweft; set WEFT_LIBRARY to one") from None
    if version != __version__:
        raise LibraryMissing(f"{file} is version {version}, and the module weft is {__version__}; "
                             "install both from one source tree")


def _declare(library: ctypes.CDLL, file: Union[Path, str]) -> None:
    for name, (result, arguments) in _FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise LibraryMissing(f"{file} has no {name}(): it is older than the module weft; "
                                 "build it again") from None
        function.restype = result
        function.argtypes = arguments


def _load() -> ctypes.CDLL:
    file = find()
    library = _open(file)
    _check_version(library, file)
    _declare(library, file)
    tree = source_tree()
    # An installed library knows where its data are, one in a build folder does not.
    if tree and not os.environ.get("WEFT_DATA") and (tree / "machines").is_dir():
        library.weft_use_data(os.fsencode(tree))
    return library


_lock = threading.Lock()
_loaded: Optional[ctypes.CDLL] = None


def library() -> ctypes.CDLL:
    """The library, loaded."""
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _load()
        return _loaded


def version() -> str:
    """The library's version."""
    return str(library().weft_version().decode())


def interval(values: Sequence[float]) -> Tuple[float, float]:
    """The mean, and half the width of its 95 % interval; of a single value nan."""
    mean, half = c_double(), c_double()
    library().weft_interval((c_double * len(values))(*values), len(values), byref(mean),
                            byref(half))
    return mean.value, half.value


def last_error() -> str:
    """The text of this thread's last failure."""
    return str(library().weft_last_error().decode(errors="replace"))
