"""What a run measured: the result file, with names and units as the guide lists them."""

from __future__ import annotations

import html
import json
import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from .errors import BadInput, missing
from .files import write_whole
from .sections import Section, links_of, nodes_of
from .table import LEFT, UNSTEADY, Table, cell_text


def flat(value: Any, before: str = "") -> Iterator[Tuple[str, Any]]:
    """Numbers, texts and booleans of nested dicts, by dotted names; lists are left out."""
    for name, item in value.items():
        if isinstance(item, Mapping):
            yield from flat(item, f"{before}{name}.")
        elif not isinstance(item, list):
            yield before + name, item


class Result(Mapping[str, Any]):
    """A mapping over the result: ``r["cycles"]``, ``r["response_cycles"]["mean"]``, or, in one
    step, ``r["response_cycles.mean"]``."""

    def __init__(self, data: Dict[str, Any], text: Optional[str] = None) -> None:
        self._data = data
        self._text = json.dumps(data, indent=2) if text is None else text

    @classmethod
    def parse(cls, content: bytes, place: str = "the result") -> "Result":
        """A result from its JSON text."""
        try:
            text = content.decode()
            data = json.loads(text)
        except (ValueError, RecursionError) as error:  # also of what is no text
            raise BadInput(f"{place}: not a result: {error}; "
                           "give a file of `weft run -o` or save()") from None
        if not isinstance(data, dict) or "digest" not in data:
            raise BadInput(f"{place}: not a result: it has no digest; "
                           "give a file of `weft run -o` or save()")
        return cls(data, text)

    # ---- a mapping ----

    def __getitem__(self, name: str) -> Any:
        value: Any = self._data
        for part in (name,) if name in self._data else name.split("."):
            if not isinstance(value, Mapping) or part not in value:
                names = [*self._data, *(known for known, _ in flat(self._data))]
                raise missing("the result", name, names)
            value = value[part]
        return value

    def __contains__(self, name: object) -> bool:
        try:
            self[name]  # type: ignore[index]
        except (KeyError, AttributeError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    # ---- what one asks for most ----

    @property
    def digest(self) -> str:
        """16 hex digits: equal digests mean equal runs."""
        return str(self["digest"])

    @property
    def steady(self) -> bool:
        """False: an open loop delivered less than it was offered, and its response times only tell
        how long the run was."""
        return self.get("steady") is not False

    @property
    def timeline(self) -> Table:
        """A row for each ``run.interval_cycles``; none if that was not set."""
        return Table(dict(flat(row)) for row in self.get("timeline", ()))

    @property
    def links(self) -> Optional[Section]:
        """What each link did; None: the run did not record it (``run={"detail": True}``)."""
        return links_of(self._data)

    @property
    def nodes(self) -> Optional[Section]:
        """What each node did; None: the run did not record it (``run={"detail": True}``)."""
        return nodes_of(self._data)

    def scalars(self) -> Dict[str, Any]:
        """All single values by dotted names, except for ``config`` and sections of arrays."""
        left_out = ("config.", "each_link.", "each_node.", "jobs.runs.", "part_of_node.")
        return {name: v for name, v in flat(self._data) if not name.startswith(left_out)}

    # ---- a file ----

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes it as ``weft run -o`` does, whole or not at all; ``weft.load()`` reads it."""
        write_whole(path, self._text)

    # ---- as it is shown ----

    def _title(self) -> str:
        machine = self.get("config.machine.name", "a machine")
        size = next((self[k] for k in ("config.machine.dims", "config.machine.graph",
                                       "config.machine.nodes") if k in self), "")
        return (f"{os.path.basename(str(machine))} {size}: "
                f"{self.get('config.workload.pattern', 'a run')}, seed {self.get('seed')}")

    def _response(self) -> str:
        star = "" if self.steady else "*"
        mean, p99, most = (self["response_cycles." + name] for name in ("mean", "p99", "max"))
        rate = self["cycles"] / self["sim_seconds"] if self["sim_seconds"] else 0
        micro = f" = {1e6 * mean / rate:.4g} us" if rate else ""
        return f"mean {mean:.1f}{star} cycles{micro}, 99 % {p99}{star}, max {most}{star}"

    def _split(self) -> str:
        star = "" if self.steady else "*"
        waiting, network = (self[name + "_cycles.mean"] for name in ("source_queueing", "network"))
        return f"mean {waiting:.1f}{star} cycles at the source, {network:.1f}{star} in the network"

    def _figures(self) -> List[Tuple[str, str]]:
        """Of a run that delivered nothing, such as a survey: whatever it found."""
        none = [("packets", "none delivered")] if self.get("cycles") else []
        return none + [(name, cell_text(value)) for name, value in self.scalars().items()
                       if value and name not in ("version", "seed", "digest")
                       and not name.startswith(("engine.", "work."))]

    def _lines(self) -> List[Tuple[str, str]]:
        if not self.get("packets_delivered") and "deadlock" not in self and self._figures():
            return self._figures()
        lines = [("time", f"{self['cycles']} cycles = {1e6 * self['sim_seconds']:.6g} us")]
        if "work.text" in self:
            lines.append(("work", str(self["work.text"])))
        lines.append(("packets",
                      f"{self['packets_delivered']} delivered, {self['packet_hops']} hops"))
        if "fraction_of_peak" in self:
            lines.append(("of peak", f"{100 * self['fraction_of_peak']:.2f} %"))
        lines.append(("links busy", f"{100 * self['link_utilisation']:.2f} %"))
        if self.get("response_cycles.count"):
            lines.append(("response", self._response()))
        if "network_cycles.mean" in self and "source_queueing_cycles.mean" in self:
            lines.append(("of it", self._split()))
        if "deadlock" in self:
            lines.append(("deadlock", str(self["deadlock"]).strip().split("\n")[0]))
        return lines + [("digest", self.digest)]

    def __repr__(self) -> str:
        width = max(12, *(len(name) for name, _ in self._lines()))
        lines = [self._title()] + [f"  {name:<{width}} {text}" for name, text in self._lines()]
        return "\n".join(lines + ([] if self.steady else ["  " + UNSTEADY]))

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th{LEFT}>{html.escape(name)}</th>"
                       f"<td{LEFT}>{html.escape(text)}</td></tr>" for name, text in self._lines())
        note = "" if self.steady else f"<p>{html.escape(UNSTEADY)}</p>"
        title = html.escape(self._title())
        return f"<table><caption{LEFT}>{title}</caption>{rows}</table>{note}"
