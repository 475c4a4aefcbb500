"""Labelled trials are put to judges with their twins, their notes, and one of each label a task."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import RunText
from trajaudit.audit.labelled import from_gold, from_labels
from trajaudit.errors import UsageError
from trajaudit.record.judges import load_panel

ROOT = Path(__file__).resolve().parents[2]
LOADED = load_panel("default", ROOT, rubric="recovery")
SCENARIO = """\
trajaudit: 1
agent:
  kind: scripted
  tasks:
    one: [{reply: "yes"}]
    two: [{reply: "no"}]
tasks:
  - {id: one, prompt: "Is it?", target: "yes"}
  - {id: two, prompt: "Is it?", target: "yes"}
"""


def test_a_choice_of_trials_keeps_twins_together_and_is_the_same_every_time() -> None:
    every = from_gold(None, LOADED, ROOT)
    some = every.first(7)

    assert len(some.trials) == 6
    assert set(Counter(one.group for one in some.trials).values()) == {2}
    assert some == every.first(7)
    assert [one.item.task_id for one in some.trials] == [
        one.item.task_id for one in every.first(9).trials[:6]
    ]
    assert some.sha256 != every.sha256
    with pytest.raises(UsageError, match="--limit is too small; got 1; twins"):
        every.first(1)


def test_judges_make_notes_only_where_the_panel_wants_them() -> None:
    quick, noting = (
        LOADED.panel.model_copy(update={"commit_first": first}) for first in (False, True)
    )
    loaded = replace(load_panel("default", ROOT, rubric="policy_compliance"), panel=noting)
    policies = [one.item.commission for one in from_gold(None, loaded, ROOT).trials]
    without = from_gold(None, replace(LOADED, panel=quick), ROOT)

    assert all(one is not None and one.policy for one in policies)
    assert [one.item.commission for one in without.trials] == [None] * len(without.trials)


def test_one_trial_of_each_label_is_taken_from_a_task(run_text: RunText, tmp_path: Path) -> None:
    run = run_text(SCENARIO, trials=3).run
    lines = [
        {"task_id": "one", "trial": 1, "label": "pass"},
        {"task_id": "one", "trial": 2, "label": "pass"},
        {"task_id": "one", "trial": 3, "label": "fail"},
        {"task_id": "two", "trial": 2, "label": "fail"},
    ]
    labels = tmp_path / "labels.jsonl"
    labels.write_text("\n".join(map(json.dumps, lines)))

    found = from_labels(run, LOADED, labels)

    assert [(one.item.task_id, one.item.trial, one.label) for one in found.trials] == [
        ("one", 1, "pass"),
        ("one", 3, "fail"),
        ("two", 2, "fail"),
    ]
    assert [one.group for one in found.trials] == ["one", "one", "two"]


def test_a_label_of_no_trial_is_refused(run_text: RunText, tmp_path: Path) -> None:
    run = run_text(SCENARIO, trials=1).run
    labels = tmp_path / "labels.jsonl"
    labels.write_text(json.dumps({"task_id": "one", "trial": 9, "label": "pass"}))

    with pytest.raises(UsageError, match="a label is of no whole trial; got 'one'/9"):
        from_labels(run, LOADED, labels)
    with pytest.raises(UsageError, match="no trial has a person's verdict"):
        from_labels(run, LOADED, None)
