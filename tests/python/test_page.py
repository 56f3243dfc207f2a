"""What docs/python.md shows: its code runs, from top to bottom, and `>>>` answers what it says."""
import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest

import weft

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "python.md"


def blocks():
    """The page's blocks of code: (language, text)."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


def answer(expression, names):
    """What a prompt would print."""
    try:
        return repr(eval(expression, names))
    except weft.Error as error:
        return f"{type(error).__module__}.{type(error).__name__}: {error}"


class Page(unittest.TestCase):
    def test_its_code_runs_and_answers_as_it_says(self):
        before = os.getcwd()
        names = {}
        asked = 0
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for language, text in blocks():
                    if language == "python":
                        said = io.StringIO()
                        with contextlib.redirect_stdout(said):
                            exec(compile(text, str(PAGE), "exec"), names)
                        if said.getvalue():
                            self.assertIn(said.getvalue().split("\n")[0], text)
                    elif text.startswith(">>> "):
                        question, expected = text[4:].split("\n", 1)
                        self.assertEqual(answer(question, names), expected.rstrip("\n"))
                        asked += 1
            finally:
                os.chdir(before)
        self.assertGreaterEqual(asked, 3)


if __name__ == "__main__":
    unittest.main()
