"""A later log that holds another reference for the same task puts the earlier one in doubt."""

from typing import Any

import pytest

from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.scenario import Task
from trajaudit.score.versions import Version, latest_other, turned

PROMPT = "You want to cancel your flight and get the money back."


def version(name: str, started: str, prompt: str = PROMPT, calls: Any = ()) -> Version:
    accept = {"paths": [{"name": "gold", "calls": calls}]}
    return Version(Task.model_validate({"id": name, "prompt": prompt, "accept": accept}), started)


OLD = version("t", "2025-01-01", calls=["cancel"])
NEW = version("t.v2", "2026-01-01", PROMPT + " Be polite.")


def outcome(*, passed: bool | None) -> Outcome:
    return Outcome(task_id="t", trial=1, final=passed)


def test_the_latest_other_reference_is_taken_and_the_latest_has_none() -> None:
    middle = version("t.v3", "2025-06-01", calls=["pay"])

    assert latest_other(OLD, [OLD, middle, NEW]) is NEW
    assert latest_other(NEW, [OLD, middle, NEW]) is None


def test_another_task_of_the_same_name_or_another_wording_alone_is_no_other_reference() -> None:
    stranger = version("t.v2", "2026-01-01", "Return the shoes that do not fit, please.")
    reworded = version("t.v2", "2026-01-01", PROMPT + " Now.", calls=["cancel"])

    assert latest_other(OLD, [OLD, stranger]) is None
    assert latest_other(OLD, [OLD, reworded]) is None


@pytest.mark.parametrize(
    ("own", "other", "word"),
    [
        (True, False, "fails"),
        (False, True, "passes"),
        (True, True, None),
        (None, True, None),
        (False, None, None),
    ],
)
def test_only_a_verdict_that_turns_is_told(
    own: bool | None,
    other: bool | None,
    word: str | None,
) -> None:
    found = turned(outcome(passed=own), outcome(passed=other), NEW)

    assert (found is None) is (word is None)
    if found is not None:
        assert found.kind.value == "reference_suspect"
        assert found.reason.endswith(f"by which it {word}")
