"""Settings: Python values become the texts that the library reads, in the order given."""
import pathlib
import unittest

import weft
from weft.settings import flatten, specify, value_text


class Values(unittest.TestCase):
    def test_values_are_written_as_on_the_command_line(self):
        for key, value, text in (("a", True, "true"), ("a", False, "false"), ("a", 3, "3"),
                                 ("a", 0.1, "0.1"), ("a", 1e-05, "1e-05"), ("a", 8.0, "8"),
                                 ("a", "8x8", "8x8"), ("a", [32, 256], "32,256"),
                                 ("machine.dims", (8, 4, 2), "8x4x2"),
                                 ("workload.hot_dims", [2, 2], "2x2"),
                                 ("a", pathlib.Path("x/y"), "x/y")):
            self.assertEqual(value_text(key, value), text)

    def test_what_is_no_setting_is_refused(self):
        for value in (None, object(), {1}):
            with self.assertRaisesRegex(weft.BadInput, "^a = .*; use a number"):
                value_text("a", value)

    def test_nested_dicts_and_whole_keys_are_the_same(self):
        self.assertEqual(list(flatten({"machine": {"router": {"paths": 2}}, "run.seed": 5})),
                         [("machine.router.paths", "2"), ("run.seed", "5")])


class Specs(unittest.TestCase):
    def test_settings_keep_their_order_and_the_seed_is_last(self):
        spec = specify({"name": "ideal", "nodes": 8}, "uniform", None, {"workload.load": 0.2}, 7,
                       {"run": {"interval_cycles": 10}})
        self.assertEqual(spec.machine, "ideal")
        self.assertEqual(spec.settings, (("machine.nodes", "8"), ("workload.pattern", "uniform"),
                                         ("run.interval_cycles", "10"), ("workload.load", "0.2"),
                                         ("run.seed", "7")))

    def test_a_misspelt_argument_is_an_error_as_in_any_function(self):
        with self.assertRaisesRegex(TypeError, "unexpected argument 'thread'"):
            weft.run("ideal", thread=2)

    def test_a_study_given_as_a_mapping_has_its_own_machine(self):
        with self.assertRaisesRegex(weft.BadInput, "names its machine"):
            specify("ideal", study={"machine": "bluegene-l"})


if __name__ == "__main__":
    unittest.main()
