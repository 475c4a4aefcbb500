"""Of a changed function the outermost call is kept through which a test came."""

import json
import pickle
from pathlib import Path
from typing import Any

from tests.audit.verifying.projects import write
from tests.audit.verifying.watched import run_pytest
from trajaudit.audit.verifying.calls_plugin import changed_functions
from trajaudit.audit.verifying.patching import TEST_FILE

CODE = """import functools


class Bag:
    def __init__(self, *things):
        self.things = list(things)

    def total(self, start=0, **weights):
        return start + sum(weigh(one, **weights) for one in self.things)


@functools.lru_cache
def weigh(thing, *, rate=1):
    return thing * rate


def through(callback):
    return callback() + weigh(9)
"""
TESTS = """from bags import Bag, through, weigh


def test_bag():
    assert Bag(1, 2).total(start=1, rate=3) == 10


def test_weigh():
    assert weigh(5) == 5
    assert weigh(5) == 5


def test_through():
    assert through(lambda: 1) == 10
"""


def calls(folder: Path, lines: list[int]) -> Any:
    write(folder / "project", {"bags.py": CODE, "test_bags.py": TESTS})
    sources = [{"path": "bags.py", "text": CODE, "lines": lines}]
    settings = {
        "root": str(folder / "project"),
        "tests": TEST_FILE.pattern,
        "sources": sources,
    }
    done = run_pytest(folder, "calls_plugin", json.dumps(settings))
    assert done.returncode == 0, done.stdout
    return pickle.loads((folder / "home" / "calls").read_bytes())


def test_calls_are_kept_at_the_edge_of_the_project_as_far_as_they_can_be(tmp_path: Path) -> None:
    told = calls(tmp_path, [14])

    seen = [(one["module"], one["function"]) for one in told["seeds"]]
    assert sorted(set(seen)) == [("bags", "Bag.total"), ("bags", "weigh")]
    simple = [one["arguments"] for one in told["seeds"] if one["function"] == "weigh"]
    # The argument of `through` is a function of a test that cannot be kept: the next one inside is.
    assert [pickle.loads(one) for one in simple] == [([5], {"rate": 1}), ([9], {"rate": 1})]
    assert told["wanted"] == [{"module": "bags", "function": "weigh"}]


def test_without_a_changed_function_nothing_is_kept(tmp_path: Path) -> None:
    assert calls(tmp_path, [])["seeds"] == []


def test_changed_lines_name_their_outermost_functions() -> None:
    assert changed_functions(CODE, {14}) == {"weigh"}
    assert changed_functions(CODE, {12, 9}) == {"weigh", "Bag.total"}
    assert changed_functions(CODE, {1, 2}) == set()
    assert changed_functions("A = 1\n" + CODE, {1}) == {
        "Bag.__init__", "Bag.total", "weigh", "through",
    }  # fmt: skip
    assert changed_functions("def (", {1}) == set()
