"""docs/scorers.md is complete and true: each scorer, tolerance and kind, each example."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

import trajaudit.score
from tests.score.doc_examples import (
    PAGE,
    Example,
    blocks,
    said,
    sections,
    table,
    unquoted,
)
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.verdict import Fault
from trajaudit.score import SCORERS
from trajaudit.score.criteria import CRITERIA
from trajaudit.score.ladder import TOLERANCES
from trajaudit.score.recovery import Comparison, State

TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = sections(TEXT)
ALL_BLOCKS = [(title, block) for title, body in SECTIONS.items() for block in blocks(body)]
SHOP = next(block for _, block in ALL_BLOCKS if "world" in block and "strict" not in block)
BOOKING = next(block for _, block in ALL_BLOCKS if block.get("name") == "book_room")
EXAMPLES = [(title, block) for title, block in ALL_BLOCKS if "strict" in block]
KEYS = {
    *("tools", "world", "answer_format", "faults", "tolerances", "task", "steps", "reply", "cut"),
    *("end", "faults_hit", "strict", "lenient", "finding", "detail"),
}
FORMAT = "ANSWER: {answer}"
NAMES = SCORERS.keys() | CRITERIA
"""Scorers, and criteria that need more than a trial to be said."""
SOURCES = Path(trajaudit.score.__file__).parent


def name_of(cell: str) -> str:
    return unquoted(cell)


def findings(example: Example) -> set[str]:
    found = example.get("finding", [])
    return {found} if isinstance(found, str) else set(found)


def ids(examples: list[tuple[str, Example]]) -> list[str]:
    return [f"{title}-{number}" for number, (title, _) in enumerate(examples)]


@pytest.mark.parametrize(("scorer", "example"), EXAMPLES, ids=ids(EXAMPLES))
def test_an_example_is_true(scorer: str, example: Example) -> None:
    wanted = {mode: example[mode] for mode in ("strict", "lenient")}

    got = said(scorer, example, SHOP)

    assert {mode: got[mode] for mode in wanted} == wanted
    assert findings(example) - got["finding"] == set()
    assert {key: got["detail"].get(key) for key in example.get("detail", {})} == example.get(
        "detail", {}
    )


@pytest.mark.parametrize("row", table(TEXT, "tolerance"), ids=lambda row: row[0])
def test_a_row_of_the_ladder_is_true(row: list[str]) -> None:
    name, meaning, reference, call, whose = row
    expected = json.loads(unquoted(reference).replace("\n", "\\n"))
    tool, text = BOOKING["name"], "" if call == "none" else unquoted(call)
    if name_of(name).startswith("tool_"):
        tool, text = text, json.dumps(expected)
    path = {"name": "book", "calls": [{BOOKING["name"]: expected}]}
    example: Example = {
        "tools": [BOOKING],
        "task": {"accept": {"paths": [path]}},
        "steps": [{"call": {tool: text}}],
    }

    got = said("accepted_paths", example, {})

    assert meaning == TOLERANCES[name_of(name)][1]
    assert (got["strict"], got["lenient"]) == ("fails", f"passes by {name_of(name)}")
    assert {finding.split(" of the ")[1] for finding in got["finding"]} == {whose}


@pytest.mark.parametrize(
    ("row", "fields"),
    [
        *((row, {"answer_format": FORMAT}) for row in table(TEXT, "found")),
        *((row, {}) for row in table(TEXT, "form")),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_row_of_answers_is_true(row: list[str], fields: dict[str, Any]) -> None:
    name, _, target, reply = row
    task = {"target": yaml.safe_load(unquoted(target))}

    got = said("final_answer", {**fields, "task": task, "reply": unquoted(reply)}, {})

    assert (got["strict"], got["lenient"]) == ("fails", f"passes by {name_of(name)}")


@pytest.mark.parametrize("row", table(TEXT, "stored"), ids=lambda row: row[0])
def test_a_row_of_stored_values_is_true(row: list[str]) -> None:
    name, _, wanted, stored = row
    assertion = {"path": "$.value", "equals": json.loads(unquoted(wanted))}
    task = {"accept": {"state": [assertion]}}
    world = {"value": json.loads(unquoted(stored))}

    got = said("end_state", {"world": world, "task": task, "reply": "Done."}, {})

    assert (got["strict"], got["lenient"]) == ("fails", f"passes by {name_of(name)}")


def test_each_scorer_has_a_section_with_an_example_of_both_modes() -> None:
    shown = {title for title, _ in EXAMPLES}

    assert NAMES - SECTIONS.keys() == set()
    assert shown == set(SCORERS)
    assert {title for title in SECTIONS if "_" in title} - NAMES == set()


def test_each_scorer_is_shown_to_pass_and_to_fail() -> None:
    modes = {(title, example[mode].split()[0]) for title, example in EXAMPLES for mode in MODES}

    lacking = {(name, word) for name in SCORERS for word in ("passes", "fails")} - modes

    assert lacking == {("steps_needed", "fails")}


MODES = ("strict", "lenient")


def test_an_example_has_no_key_that_nothing_reads() -> None:
    assert {key for _, example in EXAMPLES for key in example.keys() - KEYS} == set()


def test_no_strict_verdict_of_an_example_needs_a_tolerance() -> None:
    assert [example for _, example in EXAMPLES if " by " in example["strict"]] == []


def test_every_tolerance_of_the_ladder_is_shown_to_work_and_none_else() -> None:
    rows = {name_of(row[0]) for head in ("tolerance", "stored") for row in table(TEXT, head)}
    used = {name for _, example in EXAMPLES for name in tolerances_of(example)}

    assert TOLERANCES.keys() - rows - used == set()
    assert rows - TOLERANCES.keys() == set()


def test_every_tolerance_of_answers_is_shown_to_work_and_none_else() -> None:
    rows = {name_of(row[0]) for head in ("found", "form") for row in table(TEXT, head)}

    assert rows == set(answer_tolerances())


def test_tolerances_of_one_scorer_are_shown_and_no_example_names_an_unknown_one() -> None:
    used = {name for _, example in EXAMPLES for name in tolerances_of(example)}
    own = set(own_tolerances())

    assert own - used == set()
    assert used - TOLERANCES.keys() - set(answer_tolerances()) - own == set()


def own_tolerances() -> Iterator[str]:
    """Read the names off the scorers that hold one in a constant of their own."""
    for path in SOURCES.glob("*.py"):
        yield from re.findall(r'^TOLERANCE = "(\w+)"$', path.read_text("utf-8"), re.MULTILINE)


def tolerances_of(example: Example) -> list[str]:
    _, _, named = example["lenient"].partition(" by ")
    return named.split(", ") if named else []


def answer_tolerances() -> Iterator[str]:
    """Read the names off the source: tuples of one name, and the forms of announcements."""
    readers = (SOURCES / "extract").glob("read_*.py")
    for path in [SOURCES / "final_answer.py", SOURCES / "extract" / "items.py", *readers]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Tuple) and len(node.elts) == 1:
                yield from _words(node.elts)
    for path in (SOURCES / "extract" / "marker.py", SOURCES / "extract" / "commit.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = {"Marked": 3, "_finish": 1}.get(node.func.id, len(node.args))
                forms = set(_words(node.args[place : place + 1])) - {"declared"}
                yield from (f"found_in_{form}" for form in forms)


def _words(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


KINDS = {name_of(row[0]): row for row in table(SECTIONS["Whose fault it is"], "kind")}


def test_each_kind_of_failure_is_explained_with_its_fault() -> None:
    assert set(KINDS) == {kind.value for kind in FailureKind}
    for _, faults, by, when in KINDS.values():
        assert set(faults.split(", ")) <= {fault.value for fault in Fault}
        assert set(re.findall(r"`(\w+)`", by)) <= SCORERS.keys()
        assert when


def test_the_faults_of_the_examples_are_those_of_the_table() -> None:
    wrong = {
        (kind, fault)
        for scorer, example in EXAMPLES
        for finding in said(scorer, example, SHOP)["finding"]
        for kind, fault in [finding.split(" of the ")]
        if fault not in KINDS[kind][1].split(", ")
    }

    assert wrong == set()


@pytest.mark.parametrize(("head", "values"), [("state", State), ("comparison", Comparison)])
def test_what_recovery_tells_is_explained(head: str, values: object) -> None:
    rows = [name_of(row[0]) for row in table(SECTIONS["recovery"], head)]

    assert rows == list(get_args(values))


def test_each_cause_of_a_lost_answer_is_explained() -> None:
    rows = {name_of(row[0]) for row in table(SECTIONS["early_correct"], "cause")}

    assert rows == set(causes())


def causes() -> Iterator[str]:
    """Read the causes off the docstring of the field that holds them."""
    source = (SOURCES / "early_correct.py").read_text("utf-8")
    [written] = re.findall(r'    cause: str\n    """(.*?)"""', source, re.DOTALL)
    yield from re.findall(r"[a-z]+(?:_[a-z]+)+|[a-z]{5,}", written)


def test_the_scorers_that_decide_are_named() -> None:
    [line] = re.findall(r"scorers decide: (.*?)\.\n", TEXT.replace(" and\n", " and "), re.DOTALL)

    assert set(re.findall(r"`(\w+)`", line)) == CRITERIA
