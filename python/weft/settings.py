"""What to run: a machine or a study, and settings, as Python values.

A setting is a key with its value, by its whole name or in nested dicts:

    {"machine.dims": (8, 8, 8), "workload": {"load": 0.5, "packet_bytes": [32, 256]}}
"""

from __future__ import annotations

import json
import os
from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from .errors import BadInput

Machine = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Workload = Union[str, Mapping[str, Any]]
Study = Union[str, "os.PathLike[str]", Mapping[str, Any]]


class Spec(NamedTuple):
    """What a run is created from."""

    machine: Optional[str]
    study: Optional[str]  # a file
    text: Optional[str]  # of a study
    settings: Tuple[Tuple[str, str], ...]  # keys and values, in the order in which they are set

    def with_settings(self, more: Mapping[str, Any]) -> "Spec":
        """The same with further settings; ``machine`` names another machine."""
        machine, settings = self.machine, dict(more)
        if "machine" in settings and not isinstance(settings["machine"], Mapping):
            machine = os.fspath(settings.pop("machine"))
            if self.text is not None:
                raise BadInput("a study given as a mapping names its machine; change it there")
        if "workload" in settings and not isinstance(settings["workload"], Mapping):
            settings["workload.pattern"] = settings.pop("workload")
        return self._replace(machine=machine, settings=self.settings + tuple(flatten(settings)))


def value_text(key: str, value: Any) -> str:
    """A value as the library reads it."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item() if getattr(value, "ndim", 0) == 0 else value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ("x" if key.endswith("dims") else ",").join(value_text(key, v) for v in value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2 ** 53:
        value = int(value)  # keys of whole numbers take 8, not 8.0
    if isinstance(value, (str, int, float, os.PathLike)):
        return str(os.fspath(value) if isinstance(value, os.PathLike) else value)
    raise BadInput(f"{key} = {value!r}: a {type(value).__name__} is no setting; "
                   "use a number, a text, True, False or a list of them")


def flatten(settings: Mapping[str, Any], before: str = "") -> Iterator[Tuple[str, str]]:
    """Settings in nested dicts as pairs of a whole key and the value's text."""
    for name, value in settings.items():
        key = f"{before}{name}"
        if isinstance(value, Mapping):
            yield from flatten(value, key + ".")
        else:
            yield key, value_text(key, value)


def _plain(key: str, value: Any) -> Any:
    """What a study says of a key, as dicts, lists of them, and texts."""
    if isinstance(value, Mapping):
        return {str(name): _plain(str(name), item) for name, item in value.items()}
    if isinstance(value, (list, tuple)) and any(isinstance(item, Mapping) for item in value):
        return [_plain(key, item) for item in value]
    text = value_text(key, value)
    if "\0" in key + text:
        raise BadInput(f"{key}: {text!r}, in the study, has a NUL character; leave it out")
    return text


def _study_text(study: Mapping[str, Any]) -> str:
    """A study as YAML, of which JSON is a part. Of a result, its ``config``."""
    content = study["config"] if "config" in study else study
    return json.dumps(_plain("study", content), ensure_ascii=False)


def specify(machine: Optional[Machine] = None, workload: Optional[Workload] = None,
            study: Optional[Study] = None, settings: Optional[Mapping[str, Any]] = None,
            seed: Optional[int] = None,
            sections: Optional[Mapping[str, Mapping[str, Any]]] = None) -> Spec:
    """A Spec from what the user gave."""
    given: List[Mapping[str, Any]] = []
    if isinstance(machine, Mapping):
        given.append({"machine": {k: v for k, v in machine.items() if k != "name"}})
        machine = machine.get("name")
    if workload is not None:
        given.append({"workload": workload})
    for name, values in (sections or {}).items():
        if not isinstance(values, Mapping):
            raise TypeError(f"unexpected argument {name!r}; settings are given as "
                            "set={KEY: VALUE}, workload={...} or run={...}")
        given.append({name: values})
    given.append(settings or {})
    if seed is not None:
        given.append({"run.seed": seed})
    if isinstance(study, Mapping):
        spec = Spec(None, None, _study_text(study), ())
    else:
        spec = Spec(None, None if study is None else os.fspath(study), None, ())
    for part in given if machine is None else [{"machine": machine}, *given]:
        spec = spec.with_settings(part)
    return spec
