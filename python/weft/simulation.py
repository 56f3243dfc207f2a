"""Co-simulation: a machine that Python drives with its own messages."""

from __future__ import annotations

from ctypes import byref
from types import TracebackType
from typing import Any, List, Mapping, NamedTuple, Optional, Type

from .errors import BadInput
from .handle import Handle
from .libweft import ON_DELIVERY, Counted, Message
from .result import Result
from .settings import Machine, Study, specify
from .waiting import interruptions_cancel, run_apart
from .whole import count_of, whole


class Delivery(NamedTuple):
    """A message that has arrived."""

    cycle: int  # when its last byte had arrived and been read
    source: int
    target: int
    bytes: int
    tag: int
    posted: int  # the cycle for which it was injected


class Counters(NamedTuple):
    """Where a simulation stands."""

    cycle: int  # everything before it has been run
    packet_hops: int
    events: int
    packets_pending: int
    messages_injected: int
    messages_delivered: int


class Simulation:
    """A machine, built and idle, at cycle 0.

    >>> with weft.Simulation("bluegene-l", set={"machine.dims": "4x4x4"}) as machine:
    ...     machine.inject(source=0, target=9, bytes=4096)
    ...     for delivery in machine.advance(10000):
    ...         print(delivery.cycle, delivery.target)
    ...     result = machine.finish()

    Messages are injected for now or later, ``advance()`` runs the network and returns what was
    delivered, in an order that does not depend on threads or on the lengths of steps.
    """

    def __init__(self, machine: Optional[Machine] = None, *, study: Optional[Study] = None,
                 set: Optional[Mapping[str, Any]] = None, threads: int = 1,
                 seed: Optional[int] = None, **sections: Mapping[str, Any]) -> None:
        team = count_of("threads", threads)
        handle = Handle(specify(machine, None, study, set, seed, sections))
        self._handle: Optional[Handle] = handle
        self._told: List[Delivery] = []
        handle.tell("weft_run_on_delivery", ON_DELIVERY(self._note))
        run_apart(lambda: handle.check(handle.call("weft_run_start", team)), handle.cancel)
        self.now = 0
        self.nodes = handle.call("weft_run_nodes")
        self.cycles_per_second = float(handle.call("weft_run_cycles_per_second"))

    def _note(self, _: Any, told: Any) -> None:
        d = told.contents
        m = d.message
        self._told.append(Delivery(d.cycle, m.source, m.target, m.bytes, m.tag, m.cycle))

    def _open(self) -> Handle:
        if self._handle is None:
            raise BadInput("the simulation has ended; make another")
        return self._handle

    def inject(self, source: int, target: int, bytes: int, *, cycle: Optional[int] = None,
               tag: int = 0) -> None:
        """Posts a message between two nodes, now or at a later cycle.

        ``tag``, a number below 2**64, comes back with its delivery.
        """
        given = (self.now if cycle is None else cycle, source, target, bytes, tag)
        values = [v for v, top in zip(map(whole, given), (64, 32, 32, 64, 64))
                  if v is not None and 0 <= v < 1 << top]
        if len(values) < len(given):
            raise BadInput(f"a message of cycle {given[0]}, from {source} to {target}, {bytes} "
                           f"bytes, tag {tag}; use whole numbers from 0 on")
        self._open().inject(Message(*values))

    def advance(self, until: int) -> List[Delivery]:
        """Runs everything before cycle ``until``; returns what was delivered in that time.

        If it raises ``RunFailed``, by a deadlock, ``finish()`` explains it.
        """
        handle = self._open()
        cycle = whole(until)
        if cycle is None or not self.now <= cycle < 1 << 64:
            raise BadInput(f"time cannot go from cycle {self.now} to {until}; "
                           "advance to a later cycle, a whole number")
        self._told = []
        with interruptions_cancel(handle.cancel):
            status = handle.call("weft_run_advance", cycle)
            handle.check(status)
        self.now = cycle
        return self._told

    @property
    def counters(self) -> Counters:
        """What has happened so far."""
        counted = Counted()
        handle = self._open()
        handle.check(handle.call("weft_run_counters", byref(counted)))
        return Counters(*(getattr(counted, name) for name in Counters._fields))

    def finish(self) -> Result:
        """Ends it: what was measured so far is the result."""
        handle = self._open()
        self._handle = None
        with handle:
            handle.check(handle.call("weft_run_finish"), has_result=True)
            result = handle.result()
        assert result is not None
        return result

    def close(self) -> None:
        """Ends it without a result; once it has ended, nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.destroy()

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()
