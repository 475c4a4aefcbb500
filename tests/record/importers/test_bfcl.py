"""A folder of the function-calling leaderboard: questions, accepted answers, results, scores."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.importers.fuzzing import as_lines, assert_survives, fuzzed, mangled, mutated
from trajaudit.audit.imports import import_logs
from trajaudit.audit.intake import ImportOptions
from trajaudit.audit.score import score_run
from trajaudit.record.importers import bfcl
from trajaudit.record.importers.bfcl_gold import accepted
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.python_call import read_calls
from trajaudit.record.importers.sources import open_source

FUNCTION = {
    "name": "area.of",
    "description": "The area.",
    "parameters": {
        "type": "dict",
        "properties": {
            "width": {"type": "float"},
            "unit": {"type": "string"},
            "exact": {"type": "bool"},
        },
        "required": ["width"],
    },
}
GOLD = [{"area.of": {"width": [3, 3.5], "unit": ["m", ""], "exact": ["", True]}}]


def _question(name: str) -> dict[str, Any]:
    asked = [[{"role": "user", "content": "How large?"}]]
    return {"id": name, "question": asked, "function": [FUNCTION]}


def _files(*results: Any, gold: Any = GOLD) -> dict[str, bytes]:
    names = [f"simple_{number}" for number in range(len(results))]
    rows = [{"id": name, "result": one} for name, one in zip(names, results, strict=True)]
    return {
        "gold/BFCL_v4_simple.json": as_lines([_question(name) for name in names]),
        "gold/possible_answer/BFCL_v4_simple.json": as_lines(
            [{"id": name, "ground_truth": gold} for name in names]
        ),
        "result/m1/BFCL_v4_simple_result.json": as_lines(rows),
    }


def _outcomes(tmp_path: Path, files: dict[str, bytes]) -> list[tuple[Any, Any, Any]]:
    for name, data in files.items():
        path = tmp_path / "logs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    run = import_logs([tmp_path / "logs"], ImportOptions(runs_dir=tmp_path / "runs")).run
    score_run(run)
    return [(one.raw, one.strict, one.lenient) for one in run.read_outcomes()]


@pytest.mark.parametrize(
    ("result", "strict", "lenient"),
    [
        ("[area.of(width=3)]", True, True),
        ('[area.of(width=3.5, unit="m", exact=True)]', True, True),
        ('[area.of(width=3, unit="m", exact=true)]', False, True),
        ('[area.of(width="3")]', False, True),
        ('[area.of(width=3, unit="km")]', False, False),
        ('[area.of(width=3, unit="")]', True, True),
        ("[area.of(width=4)]", False, False),
        ("[area.of(width=3), area.of(width=3)]", False, False),
        ("I cannot.", False, False),
        ([{"area.of": '{"width": 3}'}], True, True),
        ([{"area_of": {"width": 3}}], True, True),
    ],
)
def test_a_result_is_compared_with_what_is_accepted(
    tmp_path: Path, result: Any, *, strict: bool, lenient: bool
) -> None:
    assert _outcomes(tmp_path, _files(result)) == [(None, strict, lenient)]


def test_a_score_file_lists_the_failures(tmp_path: Path) -> None:
    files = _files("[area.of(width=3)]", "[area.of(width=4)]")
    failed = [{"accuracy": 0.5}, {"id": "simple_1", "valid": False}]
    files["score/m1/BFCL_v4_simple_score.json"] = as_lines(failed)

    assert _outcomes(tmp_path, files) == [(True, True, True), (False, False, False)]


def test_where_no_tool_fits_no_call_is_right(tmp_path: Path) -> None:
    rows = [{"id": "i0", "result": "None fits."}, {"id": "i1", "result": "[area.of(width=3)]"}]
    files = {
        "gold/BFCL_v4_irrelevance.json": as_lines([_question("i0"), _question("i1")]),
        "result/m1/BFCL_v4_irrelevance_result.json": as_lines(rows),
    }

    assert _outcomes(tmp_path, files) == [(None, True, True), (None, False, False)]


def test_turns_are_judged_by_states_and_come_without_a_path(tmp_path: Path) -> None:
    files = _files(["[area.of(width=3)]", "done"], gold=[["area.of(width=3)"]])

    assert _outcomes(tmp_path, files) == [(None, None, None)]


def test_fields_of_a_mapping_have_accepted_values_of_their_own() -> None:
    found = accepted([{"f": {"o": [{"size": ["L"], "milk": ["", "oat"]}]}}])

    assert found is not None
    [path] = found["paths"]
    assert path["calls"][0]["arguments"]["o"] == {
        "any_of": [{"size": "L"}, {"size": "L", "milk": "oat"}]
    }


def test_a_formula_is_accepted_in_the_spellings_that_the_benchmark_takes_for_one() -> None:
    found = accepted([{"f": {"g": ["3x**2 + 1"], "place": ["New York, NY"]}}])

    assert found is not None
    arguments = found["paths"][0]["calls"][0]["arguments"]
    assert arguments["g"] == {"any_of": ["3x**2 + 1", "3x**2+1", "3x^2 + 1", "3x^2+1"]}
    assert arguments["place"] == {"exact": "New York, NY"}


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[f(a=1, b='x')]", [("f", {"a": 1, "b": "x"})]),
        (
            "f.g(a=[1, -2], b={'k': None}), h()",
            [("f.g", {"a": [1, -2], "b": {"k": None}}), ("h", {})],
        ),
        ("[]", []),
        ("f(1)", None),
        ("f(a=__import__('os'))", None),
        ("f(**x)", None),
        ("no call", None),
        ("(" * 5000, None),
    ],
)
def test_calls_in_the_form_of_python_are_read_and_never_run(
    text: str, calls: list[tuple[str, Any]] | None
) -> None:
    found = read_calls(text)

    assert calls == (
        None if found is None else [(name, json.loads(given)) for name, given in found]
    )


@given(st.text(alphabet="f(a=1,'\"[]{}:.)-\\ ", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    found = read_calls(text)

    assert found is None or all(isinstance(json.loads(given), dict) for _, given in found)


def test_the_model_is_the_folder_above_groups_of_categories(tmp_path: Path) -> None:
    files = _files("[area.of(width=3)]")
    files["result/org/m1/non_live/BFCL_v4_simple_result.json"] = files.pop(
        "result/m1/BFCL_v4_simple_result.json"
    )
    files["score/org/m1/non_live/BFCL_v4_simple_score.json"] = as_lines(
        [{"accuracy": 0.0}, {"id": "simple_0", "valid": False}]
    )
    files["result/m0/m0_result_simple.jsonl"] = b'["[area.of(width=3)]"]\n'
    for name, data in files.items():
        path = tmp_path / "logs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    losses = Losses()

    (trial,) = bfcl.read(open_source(tmp_path / "logs", tmp_path), losses)

    assert (trial.origin.model_id, trial.origin.raw) == ("m1", False)
    told = {one.field: one.example for one in losses.report()}
    assert "m0_result_simple.jsonl" in told["result file"]


@fuzzed
@given(mutated([_question("simple_0"), {"id": "simple_0", "ground_truth": GOLD}]))
def test_broken_gold_survives(broken: Any) -> None:
    files = _files("[area.of(width=3)]")
    for name in list(files)[:2]:
        files[name] = as_lines(broken)
    assert_survives(bfcl.IMPORTER, files)


@fuzzed
@given(mutated([{"id": "simple_0", "result": "[area.of(width=3)]"}]))
def test_broken_results_survive(broken: Any) -> None:
    name = "result/m1/BFCL_v4_simple_result.json"
    assert_survives(bfcl.IMPORTER, {**_files("x"), name: as_lines(broken)})


@fuzzed
@given(mangled(as_lines([{"id": "simple_0", "result": [{"area.of": '{"width": 3}'}]}])))
def test_broken_bytes_of_results_survive(broken: bytes) -> None:
    name = "result/m1/BFCL_v4_simple_result.json"
    assert_survives(bfcl.IMPORTER, {**_files("x"), name: broken})
