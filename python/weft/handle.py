"""A weft_run of the library: made from a Spec, used by one thread at a time, destroyed once."""

from __future__ import annotations

import os
import threading
from ctypes import byref, c_uint64, c_void_p
from types import TracebackType
from typing import Any, List, NamedTuple, Optional, Tuple, Type

from .errors import BadInput, error_of
from .libweft import ON_KEY, ON_PROGRESS, Message, library, last_error
from .result import Result
from .settings import Spec


class Progress(NamedTuple):
    """How far a run has come."""

    share: float  # done, 0 to 1; negative: unknown
    cycle: int
    packets_delivered: int


class Key(NamedTuple):
    """A key of a run."""

    name: str
    value: str  # that the run has
    default: Optional[str]  # None: every machine gives its own
    unit: str
    choices: Tuple[str, ...]  # (): any value of its kind
    source: str  # where the value is from; "": it is the default
    help: str


def _encode(text: Optional[str]) -> Optional[bytes]:
    if text is not None and "\0" in text:
        raise BadInput(f"{text!r} has a NUL character; leave it out")
    return None if text is None else os.fsencode(text)


def _key(told: Any) -> Key:
    k = told.contents
    choices: List[str] = []
    while k.choices and k.choices[len(choices)]:
        choices.append(k.choices[len(choices)].decode())
    return Key(k.name.decode(), k.value.decode(errors="replace"),
               None if k.default_value is None else k.default_value.decode(), k.unit.decode(),
               tuple(choices), k.source.decode(errors="replace"), k.help.decode())


class Handle:
    """The library's run. ``cancel()`` may be called from any thread, at any time."""

    def __init__(self, spec: Spec) -> None:
        self._library = library()
        self._run = c_void_p()
        self._lock = threading.RLock()  # no cancelling while it is destroyed
        self._kept: List[Any] = []  # functions that the library may call
        self.progress = Progress(0.0, 0, 0)
        self._create(spec)
        try:
            for key, value in spec.settings:
                self.check(self._library.weft_run_set(self._run, _encode(f"{key}={value}")))
        except BaseException:
            self.destroy()
            raise
        self.tell("weft_run_on_progress", ON_PROGRESS(self._note_progress))

    def _create(self, spec: Spec) -> None:
        if spec.text is not None:
            text = os.fsencode(spec.text)
            status = self._library.weft_run_create_text(text, len(text), byref(self._run))
        else:
            status = self._library.weft_run_create(_encode(spec.machine), _encode(spec.study),
                                                   byref(self._run))
        self.check(status)

    def _note_progress(self, _: Any, told: Any) -> None:
        p = told.contents
        self.progress = Progress(p.share, p.cycle, p.packets_delivered)

    def tell(self, function: str, told: Any) -> None:
        """Gives the library a function to call, which lives as long as the run."""
        self._kept.append(told)
        getattr(self._library, function)(self._run, told, None)

    def check(self, status: int, has_result: bool = False) -> None:
        """Raises what a status stands for."""
        if status:
            text = last_error()
            raise error_of(status, text, self.result() if has_result else None)

    def keys(self) -> List[Key]:
        """All keys, with the values that they have."""
        found: List[Key] = []
        told = ON_KEY(lambda _, key: found.append(_key(key)))
        self.check(self._library.weft_run_keys(self._run, told, None))
        return found

    def refusal(self, metric: str) -> Optional[BadInput]:
        """Why results have no number of this name; None: they may have one."""
        try:
            self.check(self._library.weft_run_check_metric(self._run, _encode(metric)))
        except BadInput as error:
            return error
        return None

    def check_same_work(self, other: "Handle") -> None:
        """Raises BadInput if the other run would not do the same work."""
        self.check(self._library.weft_run_same_work(self._run, other._run))

    def hash(self) -> int:
        """A number of 64 bits: equal ones mean equal results."""
        found = c_uint64()
        self.check(self._library.weft_run_hash(self._run, byref(found)))
        return found.value

    def execute(self, threads: int) -> Result:
        """Runs it to its end; ``threads`` as count_of() has checked it."""
        self.check(self._library.weft_run_execute(self._run, threads), has_result=True)
        result = self.result()
        assert result is not None
        return result

    def result(self) -> Optional[Result]:
        """What was measured; None: nothing."""
        text = self._library.weft_run_json(self._run)
        return None if text is None else Result.parse(text)

    def call(self, function: str, *arguments: Any) -> Any:
        """Another function of the library, with the run as its first argument."""
        return getattr(self._library, function)(self._run, *arguments)

    def inject(self, message: Message) -> None:
        """Posts a message."""
        self.check(self._library.weft_run_inject(self._run, byref(message)))

    def cancel(self) -> None:
        """Ends what the run is doing, within a second; two Ctrl-C may nest it."""
        with self._lock:
            if self._run:
                self._library.weft_run_cancel(self._run)

    def destroy(self) -> None:
        """Frees it; it must be at rest."""
        with self._lock:
            run, self._run = self._run, c_void_p()
            if run:
                self._library.weft_run_destroy(run)
                self._kept.clear()

    def __enter__(self) -> "Handle":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.destroy()

    def __del__(self) -> None:
        if getattr(self, "_run", None):
            self.destroy()
