"""What was cut is told by the provider or by the end of the trial, never by how a text looks."""

import pytest

from tests.score.trials import step, task_of, trial
from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Fault, Verdict
from trajaudit.score.truncation import truncation


def judged(made: Trajectory) -> list[Verdict]:
    scenario, task = task_of()
    return truncation(scenario, task, made)


def test_messages_that_ended_by_themselves_pass_both_modes() -> None:
    made = trial(
        step(1, "Half a sen", finish_reason="stop"), step(2, '{"cut": ', finish_reason=None)
    )

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed, lenient.fault) == (True, True, None)
    assert lenient.detail["cut_steps"] == []


@pytest.mark.parametrize("reason", ["length", "max_tokens", "model_length", "incomplete"])
def test_a_message_that_was_cut_fails_both_modes_and_is_the_harness_s_fault(reason: str) -> None:
    made = trial(step(1, "All is well."), step(2, "x" * 1000, finish_reason=reason))

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed, lenient.fault) == (False, False, Fault.HARNESS)
    assert lenient.detail["cut_steps"] == [2]
    assert [(item.step, len(item.quote)) for item in lenient.evidence] == [(2, 160)]


def test_a_final_reply_that_was_cut_fails_both_modes() -> None:
    made = trial(step(1, "Fine."), final_reply="The answer is", finish_reason="length")

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed) == (False, False)
    assert "the final reply was cut" in lenient.reason


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("token_limit", False),
        ("context_overflow", False),
        ("step_limit", True),
        ("time_limit", True),
        ("agent_error", True),
        ("replied", True),
    ],
)
def test_only_a_trial_that_ran_out_of_tokens_was_cut(end: EndReason, expected: bool) -> None:
    made = trial(step(1, "Fine."), end_reason=end)

    verdicts = judged(made)

    assert [verdict.passed for verdict in verdicts] == [expected, expected]


def test_a_trial_without_a_message_was_not_cut() -> None:
    strict, lenient = judged(trial())

    assert (strict.passed, lenient.passed) == (True, True)


@pytest.mark.parametrize(
    "reason", ["LENGTH", "length ", "tool_calls", "", "\x1b[31mlength", "ſtop"]
)
def test_a_reason_that_no_provider_gives_cuts_nothing(reason: str) -> None:
    made = trial(step(1, "Fine.", finish_reason=reason))

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed) == (True, True)


def test_a_thousand_cut_steps_are_counted_and_the_evidence_stays_short() -> None:
    made = trial(*(step(n, "x", finish_reason="length") for n in range(1, 1001)))

    _, lenient = judged(made)

    assert (len(lenient.evidence), lenient.detail["cut_steps"]) == (20, list(range(1, 51)))
