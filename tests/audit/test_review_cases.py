"""Paths that people passed are offered to the scenario, in their names, one after the other."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tests.conftest import RunText
from trajaudit.audit.review_cases import lessons, paths_to_list
from trajaudit.datamodel.review import Adjudication, Place, Review, ReviewVerdict
from trajaudit.errors import RunDirError, UsageError
from trajaudit.record.reviews import ReviewLedger
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import load_scenario

SHOP = """\
trajaudit: 1
name: made/made
tools:
  - {name: look, effect: read, mock: {static: found}}
  - {name: refund, mock: {static: done}}
  - {name: escalate, mock: {static: noted}}
  - {name: credit, mock: {static: noted}}
  - {name: erase, mock: {static: gone}}
agent:
  kind: scripted
  tasks:
    a: [{call: {look: {}}}, {call: {escalate: {}}}, {reply: done}]
    b: [{call: {escalate: {}}}, {call: {credit: {}}}, {reply: done}]
    c: [{call: {refund: {}}}, {reply: done}]
    d: [{call: {erase: {}}}, {reply: done}]
tasks:
"""
TASK = """\
  - id: {id}
    prompt: Refund it.
    accept:
      forbid: [erase]
      paths:
        - name: refund
          calls: [refund]
"""
TODAY = date(2026, 11, 29)
NOW = "2026-11-29T10:00:00.000+00:00"
Reviewed = Callable[[dict[str, str]], tuple[RunDir, Path]]


@pytest.fixture
def reviewed(run_text: RunText, tmp_path: Path) -> Reviewed:
    """Run the shop; people say these verdicts, `task/trial: verdict`, Ana and Bo the same."""

    def run(said: dict[str, str]) -> tuple[RunDir, Path]:
        text = SHOP + "".join(TASK.format(id=name) for name in "abcd")
        made = run_text(text, trials=2).run
        for place, verdict in said.items():
            task, trial = place.split("/")
            ReviewLedger(made).append(
                *(review(made, who, task, int(trial), verdict) for who in ("Ana", "Bo"))
            )
        return made, tmp_path / "scenarios" / "made" / "made.yaml"

    return run


def review(run: RunDir, who: str, task: str, trial: int, verdict: str) -> Review:
    return Review(
        review_id=f"{who}-{task}-{trial}",
        item_id=f"{task}{trial}".ljust(64, "0"),
        places=(Place(run_id=run.run_id, task_id=task, trial=trial),),
        reviewer=who,
        verdict=ReviewVerdict(verdict),
        reason="policy 4" if who == "Ana" else "",
        opened=NOW,
        saved=NOW,
        seconds=9,
    )


def test_paths_are_listed_in_the_names_of_those_who_passed_them(reviewed: Reviewed) -> None:
    run, path = reviewed({"a/1": "pass", "b/2": "pass", "c/1": "pass"})
    before = path.read_text()

    found = paths_to_list(run, TODAY)

    assert [(one.task_id, one.trial, one.name, one.by) for one in found] == [
        ("a", 1, "look, then escalate", "Ana, Bo"),
        ("b", 2, "escalate, then credit", "Ana, Bo"),
    ]
    assert path.read_text() == before
    for one in found:
        assert one.promoted is not None
        one.promoted.write()
    tasks = {task.id: task.accept for task in load_scenario(path).scenario.tasks}
    provenance = {
        name: [one.provenance for one in accept.paths if one.provenance]
        for name, accept in tasks.items()
        if accept is not None
    }
    accepted = "accepted by Ana, Bo on 2026-11-29: policy 4"
    assert provenance == {
        "a": [f"run {run.run_id}, trial a/1, {accepted}"],
        "b": [f"run {run.run_id}, trial b/2, {accepted}"],
        "c": [],
        "d": [],
    }


def test_the_same_path_of_another_trial_is_listed_once(reviewed: Reviewed) -> None:
    run, _ = reviewed({"a/1": "pass", "a/2": "pass"})

    first, second = paths_to_list(run, TODAY)

    assert first.promoted is not None
    assert second.promoted is None
    assert "the path is accepted already" in second.refused


def test_what_people_failed_or_the_task_forbids_is_not_listed(reviewed: Reviewed) -> None:
    run, _ = reviewed({"a/1": "fail", "d/1": "pass"})

    [one] = paths_to_list(run, TODAY)

    assert (one.task_id, one.promoted) == ("d", None)
    assert "the path cannot be accepted; forbidden_actions" in one.refused


def test_an_adjudicator_is_named_as_well(reviewed: Reviewed) -> None:
    run, _ = reviewed({})
    one = review(run, "Ana", "a", 1, "pass")
    other = review(run, "Bo", "a", 1, "fail")
    decided = Adjudication(
        adjudication_id="d1",
        item_id=one.item_id,
        places=one.places,
        adjudicator="Cy",
        reviews=(one.review_id, other.review_id),
        verdict=ReviewVerdict.PASS,
        reason="so says the policy",
        opened=NOW,
        saved=NOW,
        seconds=5,
    )
    ReviewLedger(run).append(one, other, decided)

    [found] = paths_to_list(run, TODAY)

    assert found.by == "Ana, Cy"
    assert found.promoted is not None
    assert "policy 4 / so says the policy" in found.promoted.entry


def test_a_scenario_that_changed_since_the_run_is_refused(reviewed: Reviewed) -> None:
    run, path = reviewed({"a/1": "pass"})
    path.write_text(path.read_text() + "# more\n")

    with pytest.raises(RunDirError, match="changed since the run began"):
        paths_to_list(run, TODAY)


def test_lessons_name_cases_and_tasks_that_are_broken(reviewed: Reviewed) -> None:
    run, _ = reviewed({"a/1": "pass", "b/1": "task_broken", "c/1": "pass", "d/1": "fail"})

    found = lessons([run])

    assert found.settled == 3
    assert [(one.task_id, one.reasons) for one in found.broken] == [("b", ("policy 4",))]
    [case] = found.cases
    assert (case.task_id, case.trial, case.sort, case.scorer) == (
        "a",
        1,
        "false_denial",
        "accepted_paths",
    )
    assert case.reproduces


def test_a_run_without_verdicts_teaches_nothing(reviewed: Reviewed) -> None:
    run, _ = reviewed({})
    (run.path / "outcomes.jsonl").unlink()

    with pytest.raises(UsageError, match="was not scored"):
        lessons([run])
