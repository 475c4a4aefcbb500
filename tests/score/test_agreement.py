"""Trials that agree against the reference make it suspect; single ones, or repeats, do not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.score.shop import LOST, PATHS, REFUNDED, shop
from tests.score.shop import trial as shop_trial
from tests.score.trials import call, step, task_of, trial
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Fault
from trajaudit.score.agreement import (
    TrialReading,
    broken_task,
    digest_of,
    reading_of,
    suspect_references,
)
from trajaudit.score.driver import score_trial


def said(*answers: str | None, origin: str = "") -> list[TrialReading]:
    """One trial for each answer; `ok` passes, None is not graded."""
    passed = {"ok": True, None: None}
    return [
        TrialReading(
            trial=number,
            passed=passed.get(answer, False),
            answer=None if answer in passed else answer,
            origin=origin,
        )
        for number, answer in enumerate(answers, start=1)
    ]


def suspects(trials: list[TrialReading]) -> list[int]:
    return [one.trial for one in suspect_references("t", trials)]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["305", "305", "305"], [1, 2, 3]),
        (["305", " 305 ", "ok", "305", "7"], [1, 2, 4]),
        (["305", "305"], []),
        (["305", "305", "305", "ok", "ok", "ok"], []),
        (["305", "306", "307"], []),
        (["305", "305", "305", None, None, None], [1, 2, 3]),
        (["ok", "ok", "ok"], []),
        ([], []),
    ],
)
def test_three_and_a_majority_of_the_graded_trials_have_to_agree(
    answers: list[str | None], expected: list[int]
) -> None:
    assert suspects(said(*answers)) == expected


def test_trials_of_one_origin_have_one_voice() -> None:
    assert suspects(said("305", "305", "305", origin="scripted:careless")) == []


def test_many_models_that_agree_are_as_many_voices_and_are_listed() -> None:
    wrong = [
        TrialReading(trial=number, passed=False, answer="305", origin=model)
        for number, model in enumerate("abc", start=1)
    ]
    trials = [*wrong, TrialReading(trial=4, passed=True, origin="d")]

    found = suspect_references("t", trials)

    assert [one.kind for one in found] == [FailureKind.REFERENCE_SUSPECT] * 3
    assert found[0].fault is Fault.REFERENCE
    assert found[0].reason.startswith("3 of 4 independent trials come to the same other answer")
    assert [e.quote for e in found[0].evidence] == ["t/1: 305 (a)", "t/2: 305 (b)", "t/3: 305 (c)"]


def test_the_same_other_end_state_is_an_agreement_too() -> None:
    scenario, task = shop({"state": [{"path": "$.orders.A-17.refund", "equals": 40}]})
    escalated = ("escalate", {"reason": "lost"})
    readings = []
    for number in (1, 2, 3):
        made = shop_trial(escalated, end=REFUNDED).model_copy(update={"trial": number})
        scores = score_trial(scenario, task, made)
        readings.append(reading_of(scores.outcome, scores.verdicts, made))

    assert {one.end_state for one in readings} == {digest_of(REFUNDED)}
    assert [one.trial for one in suspect_references("t", readings)] == [1, 2, 3]


def test_a_world_that_nobody_touched_is_no_agreement() -> None:
    scenario, task = shop({"state": [{"path": "$.orders.A-17.refund", "equals": 40}]})
    idle = shop_trial(end=LOST)
    scores = score_trial(scenario, task, idle)

    assert reading_of(scores.outcome, scores.verdicts, idle).end_state is None


def test_only_an_answer_that_the_target_calls_wrong_is_read() -> None:
    scenario, task = task_of(target={"number": 315})
    right, wrong = trial(step(1, "315")), trial(step(1, "The answer is 305."))
    read = [
        reading_of(scores.outcome, scores.verdicts, made)
        for made in (right, wrong)
        for scores in [score_trial(scenario, task, made)]
    ]

    assert [(one.passed, one.answer) for one in read] == [(True, None), (False, "305")]


def test_a_golden_trajectory_that_fails_breaks_the_task() -> None:
    scenario, task = shop({"paths": PATHS})
    outcome = score_trial(scenario, task, shop_trial()).outcome

    found = broken_task(outcome)

    assert found is not None
    assert (found.kind, found.fault, found.decided) == ("task_broken", Fault.REFERENCE, True)
    assert broken_task(Outcome(task_id="t", trial=1, final=True)) is None
    assert broken_task(Outcome(task_id="t", trial=1)) is None


@given(st.lists(st.sampled_from(["ok", "a", "b", None]), max_size=12))
def test_the_order_of_trials_plays_no_part(answers: list[str | None]) -> None:
    trials = said(*answers)

    assert sorted(suspects(trials)) == sorted(suspects(trials[::-1]))


def by_models(*said: tuple[str, str]) -> list[TrialReading]:
    """Pairs (model, what it did); `ok` passes."""
    return [
        TrialReading(
            trial=number,
            passed=state == "ok",
            end_state=None if state == "ok" else state,
            model=model,
            task_id="t",
        )
        for number, (model, state) in enumerate(said, start=1)
    ]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([("a", "x"), ("b", "x"), ("c", "x")], [1, 2, 3]),
        ([("a", "x"), ("b", "x"), ("c", "x"), ("d", "y")], [1, 2, 3]),
        ([("a", "x"), ("a", "x"), ("a", "x"), ("a", "x"), ("a", "x")], []),
        ([("a", "x"), ("a", "x"), ("b", "x")], []),
        ([("a", "x"), ("a", "x"), ("a", "x"), ("b", "x")], [1, 2, 3, 4]),
        ([("a", "x"), ("b", "x"), ("c", "x"), ("d", "ok")], []),
        ([("a", "x"), ("b", "x"), ("c", "x"), ("d", "x"), ("e", "ok")], [1, 2, 3, 4, 5]),
    ],
)
def test_where_models_are_known_several_have_to_outweigh_the_passes(
    said: list[tuple[str, str]], expected: list[int]
) -> None:
    assert suspects(by_models(*said)) == expected


def test_trials_without_a_world_agree_by_the_effects_of_their_calls() -> None:
    tools = [{"name": "pay", "parameters": {"type": "object"}}]
    accept = {"paths": [{"name": "gold", "calls": [{"pay": {"to": "A"}}]}]}
    scenario, task = task_of(accept=accept, tools=tools)

    def came_to(to: str, model: str) -> TrialReading:
        made = trial(step(1, "", call("pay", to=to), saw=["ok"]), step(2, "paid"))
        scores = score_trial(scenario, task, made)
        return reading_of(scores.outcome, scores.verdicts, made, "", model)

    did = [came_to("B", "m1"), came_to("B", "m2"), came_to("B", "m3"), came_to("C", "m4")]
    trials = [replace(one, trial=number) for number, one in enumerate(did, start=1)]

    found = suspect_references("t", trials)

    assert len({one.end_state for one in trials}) == 2
    assert [one.trial for one in found] == [1, 2, 3]
    assert came_to("A", "m1").end_state is None


def test_calls_that_are_all_that_is_judged_can_agree_too() -> None:
    accept = {"paths": [{"name": "gold", "calls": [{"pay": {"to": "A"}}]}], "extra_calls": "none"}
    scenario, task = task_of(accept=accept)
    made = trial(step(1, "", call("pay", to="B"), saw=[""]), step(2, ""))
    scores = score_trial(scenario, task, made)

    reading = reading_of(scores.outcome, scores.verdicts, made, "", "m1")

    assert (reading.calls, reading.end_state) == ('pay {"to": "B"}', None)
