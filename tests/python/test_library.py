"""The library is found where the module says, and what does not fit is refused in words; machines
and keys; the code is Python 3.8's; bars in notebooks."""
import ast
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import weft
from weft import libweft, progress

TREE = pathlib.Path(__file__).resolve().parent.parent.parent


def importing(code, **environment):
    """What a Python with this environment prints."""
    kept = {k: v for k, v in os.environ.items() if k not in ("WEFT_LIBRARY", "WEFT_DATA")}
    done = subprocess.run([sys.executable, "-c", "import weft\n" + code], text=True,
                          env={**kept, **environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.stdout + done.stderr.strip().split("\n")[-1]


class Finding(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def put(self, path):
        place = pathlib.Path(self.folder.name, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
        return place.resolve()

    def found(self, package):
        folder = self.put(package + "/__init__.py").parent
        return next((p for p in libweft.places(folder) if p.is_file()), None)

    def test_pips_library_is_inside_the_package(self):
        file = self.put("lib/python3.9/site-packages/weft/lib/libweft.so.0")
        self.put("lib/libweft.so.0")
        self.assertEqual(self.found("lib/python3.9/site-packages/weft"), file)

    def test_an_installed_library_is_in_the_prefix(self):
        for lib in ("lib", "lib64", "lib/x86_64-linux-gnu"):
            file = self.put(f"{lib.replace('/', '-')}/{lib}/libweft.so.0")
            package = f"{lib.replace('/', '-')}/lib/python3/dist-packages/weft"
            self.assertEqual(self.found(package), file)

    def test_a_trees_library_is_in_its_build_folder(self):
        self.put("tree/include/weft.h")
        self.assertIsNone(self.found("tree/python/weft"))
        file = self.put("tree/build/libweft.so.0")
        self.assertEqual(self.found("tree/python/weft"), file)

    def test_the_environment_comes_first(self):
        with mock.patch.dict(os.environ, WEFT_LIBRARY="/some/file"):
            self.assertEqual(libweft.find(), pathlib.Path("/some/file"))
        folder, file = os.path.split(os.path.realpath(os.environ["WEFT_LIBRARY"]))
        for name in (file, "./" + file):  # a file, whatever the system's loader thinks of it
            said = importing(f"import os; os.chdir({folder!r})\n"
                             "print(weft.libweft_version(), end='')", WEFT_LIBRARY=name)
            self.assertEqual(said, weft.__version__)

    def test_what_cannot_be_loaded_is_named(self):
        said = importing("weft.machines()", WEFT_LIBRARY="/nowhere/libweft.so")
        self.assertRegex(said, r"^weft.errors.LibraryMissing: /nowhere/libweft.so cannot be loaded "
                               r"\(.*\); set WEFT_LIBRARY to a libweft.so of this computer$")

    def test_another_library_is_refused(self):
        libc = next(line.split()[-1] for line in open("/proc/self/maps") if "/libc" in line)
        said = importing("weft.machines()", WEFT_LIBRARY=libc)
        self.assertEqual(said, f"weft.errors.LibraryMissing: {libc} is not libweft; "
                               "set WEFT_LIBRARY to one")

    def test_another_version_is_refused(self):
        said = importing("weft.libweft.__version__ = '9.9'\nweft.machines()",
                         WEFT_LIBRARY=os.environ["WEFT_LIBRARY"])
        self.assertRegex(said, r"libweft.so.0 is version 0\..*, and the module weft is 9.9; "
                               r"install both from one source tree$")

    def test_results_are_read_without_a_library(self):
        path = self.put("r.json")
        path.write_text('{"digest": "0123"}')
        self.assertEqual(importing(f"print(weft.load({str(path)!r}).digest, end='')",
                                   WEFT_LIBRARY="/nowhere"), "0123")

    def test_data_are_those_of_the_environment(self):
        said = importing("weft.machines()", WEFT_LIBRARY=os.environ["WEFT_LIBRARY"],
                         WEFT_DATA="/nowhere")
        self.assertIn("/nowhere/machines: no such folder", said)

    def test_data_are_the_trees(self):
        said = importing("print(len(weft.machines()) > 5, end='')",
                         WEFT_LIBRARY=os.environ["WEFT_LIBRARY"])
        self.assertEqual(said, "True")


class Declarations(unittest.TestCase):
    header = (TREE / "include" / "weft.h").read_text()

    def test_every_function_of_the_header_is_declared(self):
        names = set(re.findall(r"^WEFT_API .*?\b(weft_\w+)\(", self.header, re.M))
        self.assertEqual(set(libweft._FUNCTIONS), names)

    def test_structures_have_the_headers_fields(self):
        for ours, theirs in ((libweft.Told, "weft_progress"), (libweft.Counted, "weft_counters"),
                             (libweft.Message, "weft_message"), (libweft.ListedKey, "weft_key"),
                             (libweft.Delivered, "weft_delivery")):
            body = re.search(r"struct %s \{(.*?)\} %s;" % (theirs, theirs), self.header,
                             re.S).group(1)
            body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
            names = [name for line in body.split(";")
                     for name in re.findall(r"(\w+)\s*(?=,|$)", line.strip())]
            words = {"from": "source", "to": "target"}  # `from` is a word of Python
            self.assertEqual([name for name, _ in ours._fields_], [words.get(n, n) for n in names])

    def test_versions_are_one(self):
        version = re.search(r'#define WEFT_VERSION "(.*)"', self.header).group(1)
        self.assertEqual((weft.__version__, weft.libweft_version()), (version, version))

    def test_the_code_is_python_3_8s(self):
        for file in (TREE / "python").glob("*/*.py"):
            ast.parse(file.read_text(), feature_version=(3, 8))


class Listing(unittest.TestCase):
    def test_machines(self):
        names = weft.machines().column("name")
        self.assertIn("bluegene-l", names)
        self.assertEqual(names, sorted(names))

    def test_figures(self):
        table = weft.figures("response_cycles.")
        self.assertEqual(table[0]["name"], "response_cycles.mean")
        self.assertEqual((table[0]["unit"], table[0]["runs"]), ("cycles", "runs of traffic"))
        self.assertEqual(table[1]["help"], table[0]["help"])
        names = weft.figures().column("name")
        self.assertEqual((names[0], names[-1]), ("version", "engine.packet_hops_per_cpu_second"))

    def test_keys(self):
        table = weft.keys("bluegene-l", "workload.", set={"workload.load": 0.7})
        row = next(row for row in table if row["name"] == "workload.load")
        self.assertEqual((row["value"], row["default"]), ("0.7", "0.5"))
        self.assertTrue(all(row["name"].startswith("workload.") for row in table))
        choices = next(row["choices"] for row in table if row["name"] == "workload.as")
        self.assertEqual(choices, ("auto", "packets", "messages"))
        dims = weft.keys("bluegene-l", "machine.dims")[0]
        self.assertEqual((dims["value"], dims["default"]), ("8x8x8", None))
        self.assertIn("workload.load", str(table))


class Element:
    """What a notebook's display() returns."""

    def __init__(self, shown):
        self.shown = shown

    def update(self, data, raw):
        self.shown.append(data["text/html"])


class Notebook(unittest.TestCase):
    def test_a_notebook_has_an_element_that_is_updated_and_taken_away(self):
        shown = []

        def display(data, raw, display_id):
            shown.append(data["text/html"])
            return Element(shown)

        shell = types.SimpleNamespace(kernel=object())
        ipython = types.SimpleNamespace(get_ipython=lambda: shell)
        modules = {"IPython": ipython, "IPython.display": types.SimpleNamespace(display=display)}
        with mock.patch.dict(sys.modules, modules), mock.patch.object(progress, "_FIRST_SECONDS",
                                                                      -1):
            bar = progress.bar_for(None, "a <run>")
            for share in (0.25, 0.75):
                bar.show(share, "cycle 5")
            bar.close()
        self.assertEqual([re.sub(", [0-9]+ s left", "", page) for page in shown], [
            'a &lt;run&gt; <progress max=1 value="0.250"></progress> 25 % cycle 5',
            'a &lt;run&gt; <progress max=1 value="0.750"></progress> 75 % cycle 5', ""])

    def test_ipython_in_a_terminal_is_a_terminal(self):
        shell = types.SimpleNamespace()
        ipython = types.SimpleNamespace(get_ipython=lambda: shell)
        with mock.patch.dict(sys.modules, {"IPython": ipython}):
            self.assertIsInstance(progress.bar_for(True, ""), progress.TerminalBar)
            self.assertIs(type(progress.bar_for(False, "")), progress.Bar)


if __name__ == "__main__":
    unittest.main()
