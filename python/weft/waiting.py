"""Calls of the library that take long, and Ctrl-C.

Python handles a signal when its main thread next runs Python code, which it does not while it is
inside the library. So long calls are made by another thread, and the caller waits for it
(``run_apart``); short ones that are made often, by the caller itself, with a handler that cancels
the run and remembers the signal (``interruptions_cancel``): the library calls Python back several
times per second, and that is when handlers are run.
"""

from __future__ import annotations

import signal
import threading
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import Any, Callable, Iterator, List, TypeVar

T = TypeVar("T")

_LOOK_SECONDS = 0.1


def _fulfil(future: "Future[Any]", work: Callable[[], Any]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # it belongs to the caller
        future.set_exception(error)


def _outlast(thread: threading.Thread) -> None:
    while thread.is_alive():
        try:
            thread.join()
        except KeyboardInterrupt:
            pass  # it has been cancelled, and ends soon


def run_apart(work: Callable[[], T], cancel: Callable[[], None],
              look: Callable[[], None] = lambda: None) -> T:
    """Does work on another thread; meanwhile calls ``look`` ten times per second on this one.

    Whatever ends the waiting (Ctrl-C, an exception of ``look``) cancels the work, and is raised
    when that has ended.
    """
    future: "Future[T]" = Future()
    thread = threading.Thread(target=_fulfil, args=(future, work), daemon=True)
    try:
        thread.start()
        while wait([future], _LOOK_SECONDS).not_done:
            look()
    except BaseException:
        cancel()
        _outlast(thread)
        raise
    return future.result()


@contextmanager
def interruptions_cancel(cancel: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C calls ``cancel`` within; after it, the handler of before."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    came: List[Any] = []

    def note(*arguments: Any) -> None:
        came.append(arguments)
        cancel()

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            before(*came[0])
