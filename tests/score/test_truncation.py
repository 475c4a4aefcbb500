"""What was cut is found, and the length of every reply is kept with whether it ended by itself."""

import pytest

from tests.score.trials import step, task_of, trial
from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Fault, Verdict
from trajaudit.score.truncation import tokens_of, truncation


def verdict_of(made: Trajectory) -> Verdict:
    scenario, task = task_of()
    strict, lenient = truncation(scenario, task, made)
    assert strict.passed is lenient.passed
    return strict


def took(tokens: int) -> Usage:
    return Usage(completion_tokens=tokens)


def test_a_reply_that_was_cut_fails_and_is_kept_apart_from_those_that_ended() -> None:
    found = verdict_of(
        trial(
            step(1, "on and on", usage=took(256), finish_reason="length"),
            step(2, "short", usage=took(12), finish_reason="stop"),
            step(3, "who knows", finish_reason="stop"),
        )
    )

    assert found.passed is False
    assert found.fault is Fault.HARNESS
    assert found.detail["cut"] == [256]
    assert found.detail["ended"] == [12]
    assert found.detail["unmeasured"] == 1
    assert found.detail["cut_steps"] == [1]
    assert found.evidence[0].step == 1


def test_a_trial_in_which_nothing_was_cut_passes() -> None:
    found = verdict_of(trial(step(1, "short", usage=took(12), finish_reason="stop")))

    assert found.passed is True
    assert found.detail["longest_completion_tokens"] == 12


@pytest.mark.parametrize("end", ["token_limit", "context_overflow"])
def test_a_trial_that_ran_out_of_tokens_was_cut(end: str) -> None:
    assert verdict_of(trial(step(1, "x"), end_reason=end)).passed is False


@pytest.mark.parametrize(
    ("reply", "thinking", "tokens"), [(100, 0, 100), (100, 80, 100), (100, 100, 100), (20, 80, 100)]
)
def test_thinking_counts_whether_or_not_the_provider_counts_it_in(
    reply: int, thinking: int, tokens: int
) -> None:
    assert tokens_of(Usage(completion_tokens=reply, reasoning_tokens=thinking)) == tokens
