"""Foreign values of any shape."""

import json
import re
from typing import Any

import pytest
from hypothesis import given

from tests.record.importers.fuzzing import odd_json
from trajaudit.datamodel.target import NumberTarget
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    NO_PROMPT,
    as_count,
    as_dict,
    as_list,
    as_number,
    as_text,
    first,
    json_text,
    make_task,
    task_id,
)


@given(odd_json)
def test_every_value_has_a_text_a_number_and_an_id(value: Any) -> None:
    assert isinstance(as_text(value), str)
    assert as_count(value) >= 0
    assert isinstance(as_dict(value), dict)
    assert isinstance(as_list(value), list)
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", task_id(value))


@pytest.mark.parametrize(
    ("value", "number"),
    [(3, 3.0), (0.5, 0.5), (True, None), ("3", None), (float("nan"), None), (10**400, None)],
)
def test_only_finite_numbers_are_numbers(value: Any, number: float | None) -> None:
    assert as_number(value) == number


def test_texts_stay_as_they_are_and_values_become_json() -> None:
    assert as_text("a") == "a"
    assert as_text(None) == ""
    assert as_text({"ä": 10**30}) == '{"ä":' + "1" + "0" * 30 + "}"
    assert json.loads(json_text([1, "x"])) == [1, "x"]


def test_an_id_that_can_be_used_stays_and_others_differ_still() -> None:
    ids = [task_id(one) for one in ("a-1", "a/1", "a:1", "a 1", "../a", "", "x" * 200, "x" * 201)]

    assert ids[0] == "a-1"
    assert len(set(ids)) == len(ids)
    assert task_id("suite", 7) == "suite.7"


def test_the_first_key_that_holds_something_counts() -> None:
    assert first({"a": "", "b": [], "c": 0, "d": 1}, "a", "b", "c", "d") == 0
    assert first({}, "a") is None


def test_a_target_that_cannot_be_expressed_is_dropped_and_counted() -> None:
    losses = Losses()

    good = make_task("t", "2 + 2?", losses, target={"number": 4})
    bad = make_task("t", "2 + 2?", losses, target={"number": "many"}, metadata={"a": 1})

    assert isinstance(good.target, NumberTarget)
    assert bad.target is None
    assert bad.metadata == {"a": 1}
    assert [(one.kind, one.field) for one in losses.report()] == [("dropped", "task.target")]


def test_a_log_without_a_prompt_says_so() -> None:
    losses = Losses()

    assert make_task("t", "", losses).prompt == NO_PROMPT
    assert [(one.kind, one.field) for one in losses.report()] == [("guessed", "task.prompt")]


def test_a_criterion_that_is_too_deep_to_be_read_back_is_dropped() -> None:
    deep: object = 1
    for _ in range(150):
        deep = [deep]
    losses = Losses()

    task = make_task("t", "?", losses, target={"json": deep})

    assert task.target is None
    assert [(one.kind, one.field) for one in losses.report()] == [("dropped", "task.target")]
