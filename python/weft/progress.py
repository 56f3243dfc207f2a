"""How far it has come: a bar on a terminal or in a notebook, nothing in a pipe or a file."""

from __future__ import annotations

import html
import math
import sys
import time
from typing import Any, Callable, Optional, TextIO, Union

from .handle import Progress

Shown = Union[None, bool, Callable[[Progress], None]]

_WIDTH = 32
_FIRST_SECONDS = 0.5  # what is done by then is never shown


def _estimate(share: float, spent: float) -> str:
    return f"  {math.ceil(spent * (1 - share) / share)} s left" if share > 0.02 else ""


class Bar:
    """A bar; those that can be seen say how."""

    def __init__(self, label: str) -> None:
        self.label = label
        self._start = time.monotonic()

    def show(self, share: float, where: str) -> None:
        """Draws it; a negative share is unknown."""
        spent = time.monotonic() - self._start
        if spent < _FIRST_SECONDS:
            return
        share = min(share, 1.0)
        self.draw(share, where + (_estimate(share, spent) if share >= 0 else f"  {spent:.0f} s"))

    def draw(self, share: float, where: str) -> None:
        """Draws it now."""

    def close(self) -> None:
        """Takes it away."""


class TerminalBar(Bar):
    """A line that is written again and again, as the command line does."""

    def __init__(self, label: str, stream: TextIO) -> None:
        super().__init__(label)
        self._stream = stream
        self._shown = False

    def draw(self, share: float, where: str) -> None:
        filled = int(max(share, 0) * _WIDTH)
        cells = "#" * filled + "." * (_WIDTH - filled)
        bar = f" [{cells}] {100 * share:3.0f} %" if share >= 0 else ""
        self._shown = True  # even if Ctrl-C comes while it is written
        self._stream.write(f"\r{self.label}{bar}  {where}\033[K")
        self._stream.flush()

    def close(self) -> None:
        if self._shown:
            self._stream.write("\r\033[K")
            self._stream.flush()


class NotebookBar(Bar):
    """An element of the page, which is updated."""

    def __init__(self, label: str, display: Callable[..., Any]) -> None:
        super().__init__(label)
        self._display = display
        self._element: Any = None

    def draw(self, share: float, where: str) -> None:
        value = f' value="{share:.3f}"' if share >= 0 else ""
        percent = f"{100 * share:.0f} % " if share >= 0 else ""
        self._put(f"{html.escape(self.label)} <progress max=1{value}></progress> "
                  f"{percent}{html.escape(where.replace('  ', ', '))}")

    def _put(self, page: str) -> None:
        data = {"text/html": page, "text/plain": ""}
        if self._element is None:
            self._element = self._display(data, raw=True, display_id=True)
        else:
            self._element.update(data, raw=True)

    def close(self) -> None:
        if self._element is not None:
            self._put("")


def _notebook_display() -> Optional[Callable[..., Any]]:
    """IPython's display(), if this is a notebook; IPython is never imported for it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display  # type: ignore[import]

    return display  # type: ignore[no-any-return]


def bar_for(shown: Shown, label: str) -> Bar:
    """The bar that can be seen here; False: none; True: one in a pipe, too."""
    if shown is False or callable(shown):
        return Bar(label)
    display = _notebook_display()
    if display is not None:
        return NotebookBar(label, display)
    stream = sys.stderr  # None: it was closed when Python started
    if stream is not None and (shown or stream.isatty()):
        return TerminalBar(label, stream)
    return Bar(label)


def show_run(bar: Bar, shown: Shown, progress: Progress) -> None:
    """Shows the progress of one run, or tells whom the user named."""
    if callable(shown):
        shown(progress)
    elif progress.share < 0:
        bar.show(-1.0, f"{progress.packets_delivered:,} packets delivered".replace(",", " "))
    else:
        bar.show(progress.share, f"cycle {progress.cycle}")
