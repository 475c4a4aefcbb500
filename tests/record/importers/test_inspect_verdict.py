"""The verdict and the target of an Inspect sample: pass, fail or neither, and typed."""

from pathlib import Path
from typing import Any

import pytest

from tests.record.importers import inspect_logs as logs
from trajaudit.record.importers import inspect
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source


def _read(path: Path) -> list[ForeignTrial]:
    return list(inspect.read(open_source(path, path.parent), Losses()))


def _of(folder: Path, **more: Any) -> ForeignTrial:
    (trial,) = _read(logs.write(folder / "log.eval", logs.members(logs.sample(**more))))
    return trial


@pytest.mark.parametrize(
    ("value", "raw", "score"),
    [
        ("C", True, 1.0),
        ("I", False, 0.0),
        ("P", None, 0.5),
        ("N", None, 0.0),
        (True, True, 1.0),
        (1, True, 1.0),
        (0.0, False, 0.0),
        (0.25, None, 0.25),
        ("no", False, 0.0),
        (float("nan"), None, None),
        ([1, 1], None, None),
    ],
)
def test_letters_and_numbers_are_pass_fail_or_neither(
    tmp_path: Path, value: object, raw: bool | None, score: float | None
) -> None:
    origin = _of(tmp_path, scores={"match": {"value": value}}).origin

    assert (origin.raw, origin.raw_score) == (raw, score)


def test_amounts_are_no_pass_even_where_they_are_one(tmp_path: Path) -> None:
    metrics = {"mean": {"value": 6.5}}
    header = {**logs.HEADER, "results": {"scores": [{"name": "match", "metrics": metrics}]}}
    one = logs.sample(scores={"match": {"value": 1}})
    path = logs.write(tmp_path / "log.eval", logs.members(one, header=header))

    assert _read(path)[0].origin.raw is None


def test_of_several_scores_the_first_is_the_verdict_and_all_are_kept(tmp_path: Path) -> None:
    scores = {"match": {"value": "I"}, "parts": {"value": {"tone": 1, "facts": 0}}}

    origin = _of(tmp_path, scores=scores).origin

    assert (origin.raw, origin.basis) == (False, ("match",))
    assert origin.checks == {"match": False, "parts.tone": True, "parts.facts": False}
    assert "first of 3" in origin.raw_detail


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({"target": "1,250.5"}, {"number": "1250.5"}),
        ({"target": "007"}, {"text": "007"}),
        ({"target": [" bike", "bicycle"]}, {"text": "bike", "any_of": ["bicycle"]}),
        ({"target": "B", "choices": ["red", "blue"]}, {"choice": "B"}),
        ({"target": "blue", "choices": ["red", "blue"]}, {"choice": "B"}),
        ({"target": ["A", "B"], "choices": ["red", "blue"]}, {"choices": ["A", "B"]}),
        ({"target": "x" * 80, "scores": {"model_graded_qa": {"value": "C"}}}, {"rubric": "x" * 80}),
    ],
)
def test_targets_are_typed(tmp_path: Path, more: dict[str, Any], wanted: dict[str, Any]) -> None:
    target = _of(tmp_path, **more).task.target

    assert target is not None
    told = target.model_dump(mode="json")
    assert {name: told[name] for name in wanted} == wanted
