"""Inputs are made of calls, signatures and examples, and always the same ones."""

import json
import pickle
from pathlib import Path
from typing import Any

from tests.audit.verifying.projects import write
from tests.audit.verifying.watched import prepared, run_program
from trajaudit.audit.verifying.inputs_program import Inventor, literals

CODE = '''def cut(text, *, width=10):
    """Cut.

    >>> cut("a long text", width=3)
    'a l'
    """
    return text[:width]


def typed(n: int, name: str = "x", flags: list[int] | None = None) -> str:
    return name * n


def unknown(thing):
    return thing
'''


def inputs(
    folder: Path, seeds: list[tuple[str, Any]], wanted: list[str], most: int = 40
) -> tuple[list[Any], list[dict[str, Any]]]:
    """Return calls (function, positional, named) and what is shown of them."""
    write(folder / "project", {"cutting.py": CODE})
    calls = {
        "path": [str(folder / "project")],
        "seeds": [
            {"module": "cutting", "function": name, "arguments": pickle.dumps(arguments)}
            for name, arguments in seeds
        ],
        "wanted": [{"module": "cutting", "function": name} for name in wanted],
        "lost": [],
    }
    prepared(folder, {"calls": pickle.dumps(calls), "sources": json.dumps([CODE]).encode()})
    run_program(folder, "inputs_program", str(most), "1")
    made = pickle.loads((folder / "home" / "inputs").read_bytes())["calls"]
    shown = json.loads((folder / "home" / "shown").read_text())["inputs"]
    return [(one["function"], *pickle.loads(one["arguments"])) for one in made], shown


def test_calls_of_tests_come_first_and_are_varied(tmp_path: Path) -> None:
    calls, shown = inputs(tmp_path, [("cut", (["a b"], {"width": 2}))], ["cut"])

    assert calls[0] == ("cut", ["a b"], {"width": 2})
    assert shown[0] == {"function": "cut", "arguments": "'a b', width=2", "made_up": False}
    assert len(calls) == 40
    assert len({repr(one) for one in calls}) == 40
    assert all(one["made_up"] for one in shown[1:])
    assert {type(given[0]) for _, given, _ in calls} == {str}


def test_the_same_inputs_come_every_time(tmp_path: Path) -> None:
    seeds = [("cut", (["a b"], {"width": 2})), ("unknown", ([{"a": [1, 2.5]}], {}))]

    assert inputs(tmp_path, seeds, []) == inputs(tmp_path, seeds, [])


def test_without_a_call_examples_and_signatures_help(tmp_path: Path) -> None:
    calls, _ = inputs(tmp_path, [], ["cut", "typed", "unknown"], most=4)

    assert calls[0] == ("cut", ["a long text"], {"width": 3})
    assert {name for name, _, _ in inputs(tmp_path, [], ["typed", "unknown"])[0]} == {"typed"}


def test_without_anything_there_is_none(tmp_path: Path) -> None:
    assert inputs(tmp_path, [], ["unknown"]) == ([], [])


def test_constants_of_the_sources_are_tried_with_their_neighbours() -> None:
    known = literals(["if n > 41:\n    x = 'word'\n", "def ("])

    assert {40, 41, 42, "word"} <= set(known)
    made = {Inventor(known, seed).changed("a") for seed in range(60)}
    assert "word" in made


def test_a_changed_value_keeps_its_type() -> None:
    for value in (3, "a", b"a", [1], (1, 2), {"a": 1}, {1, 2}, True, None):
        for seed in range(30):
            made = Inventor([], seed).changed(pickle.loads(pickle.dumps(value)))
            assert type(made) is type(value) or {type(made), type(value)} == {int, float}
