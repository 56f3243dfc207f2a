"""Builds the wheel of the Python module, for pip (PEP 517, and PEP 660 for `pip install -e`).

It needs nothing but Python: no download, no other backend. The wheel holds the package, libweft
and the data, and works without the source tree. The library is built by `make` first, unless
WEFT_LIBRARY names one.
"""

import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent
TREE = FOLDER.parent
LIBRARY = "libweft.so.0"
METADATA = """\
Metadata-Version: 2.1
Name: weft
Version: {version}
Summary: A laboratory for supercomputer interconnects
License: BSD-3-Clause
Requires-Python: >=3.8
Description-Content-Type: text/markdown

`weft.run()` simulates a supercomputer's network packet by packet, `weft.sweep()` does so for many
settings, and results are mappings, tables and frames. docs/python.md in the source tree tells all.
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: weft_wheel
Root-Is-Purelib: false
Tag: {tag}
"""


def _version():
    text = (FOLDER / "weft" / "version.py").read_text(encoding="utf-8")
    return re.search(r'__version__ = "(.*)"', text).group(1)


def _tag():
    return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def _make():
    """Brings the tree's library up to date."""
    if not (TREE / "include" / "weft.h").is_file():
        raise SystemExit("weft: the source tree is not above this folder; use pip 21.3 or later, "
                         "or `pip install .` in the tree's root")
    # What pip sets for its own isolation would hide Meson's modules from Meson.
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "BUILD")}
    if subprocess.run(["make", "--no-print-directory", "build"], cwd=TREE, env=environment,
                      check=False).returncode:
        raise SystemExit(f"weft: libweft cannot be built; run `make` in {TREE}, which says why "
                         "and installs what is missing")
    return TREE / "build" / LIBRARY


def _library():
    named = os.environ.get("WEFT_LIBRARY")
    if named and not Path(named).is_file():
        raise SystemExit(f"weft: WEFT_LIBRARY={named}: no such file; "
                         "name a libweft.so, or unset it")
    return Path(named) if named else _make()


def _package():
    """The files of the package, by their names in the wheel."""
    for file in sorted((FOLDER / "weft").iterdir()):
        if file.suffix == ".py" or file.name == "py.typed":
            yield f"weft/{file.name}", file.read_bytes()
    yield f"weft/lib/{LIBRARY}", _library().read_bytes()
    for folder in ("machines", "studies"):
        for file in sorted((TREE / folder).glob("*.yaml")):
            yield f"weft/share/weft/{folder}/{file.name}", file.read_bytes()


def _link():
    """What makes the package in the tree importable."""
    _library()
    yield "weft.pth", f"{FOLDER}\n".encode()


def _described(files):
    """The files, and those that describe them."""
    info = f"weft-{_version()}.dist-info"
    described = [(f"{info}/METADATA", METADATA.format(version=_version()).encode()),
                 (f"{info}/WHEEL", WHEEL.format(tag=_tag()).encode()),
                 (f"{info}/LICENSE", (TREE / "LICENSE").read_bytes())]
    record = []
    for name, content in [*files, *described]:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}\n")
        yield name, content
    yield f"{info}/RECORD", "".join([*record, f"{info}/RECORD,,\n"]).encode()


def _write(folder, files):
    name = f"weft-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in _described(files):
            entry = zipfile.ZipInfo(path)  # of 1980: the same files make the same wheel
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517."""
    return _write(wheel_directory, _package())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 660."""
    return _write(wheel_directory, _link())


def build_sdist(sdist_directory, config_settings=None):
    """PEP 517 asks for it; Weft's source is its tree."""
    raise UnsupportedOperation("there is no source distribution; use the tree")


class UnsupportedOperation(Exception):
    """What PEP 517 wants raised."""
