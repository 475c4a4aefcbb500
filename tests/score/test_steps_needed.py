"""The last steps that changed nothing are named, and fail nobody."""

from typing import Any

from tests.score.test_early_correct import REFUND, world
from tests.score.trials import call, step, task_of, trial
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.driver import score_trial
from trajaudit.score.steps_needed import steps_needed

TOOLS = [{"name": "read", "effect": "read"}, {"name": "write"}]


def needed(made: Trajectory, **fields: Any) -> tuple[object, object] | None:
    """(needed steps, steps with calls after it)."""
    scenario, task = task_of(tools=TOOLS, **fields)
    verdicts = steps_needed(scenario, task, made)
    assert all(verdict.passed for verdict in verdicts)
    return (
        (verdicts[0].detail["needed"], verdicts[0].detail["unneeded_call_steps"])
        if verdicts
        else None
    )


def test_calls_after_the_state_was_right_for_good_are_spare() -> None:
    made = trial(
        step(1, "", call("write")),
        step(2, "", call("read")),
        step(3, "", call("write")),
        step(4, "Done."),
        **world("refunded"),
    )
    assert needed(made, **REFUND) == (1, [3])
    scenario, task = task_of(tools=TOOLS, **REFUND)
    scores = score_trial(scenario, task, made)
    assert scores.outcome.lenient
    [spare] = [f for f in scores.findings if f.kind is FailureKind.UNNEEDED_CALLS]
    assert (spare.steps, spare.decided) == ((3,), False)


def test_a_state_that_was_lost_in_between_is_right_for_good_only_later() -> None:
    made = trial(
        *(step(n, "", call("write")) for n in (1, 2, 3)), **world("refunded", "open", "refunded")
    )
    assert needed(made, **REFUND) == (3, [])


def test_an_answer_counts_from_where_it_stood_for_good() -> None:
    made = trial(
        step(1, "The answer is 315.", call("write")),
        step(2, "Once more.", call("write")),
        step(3, "The answer is 315."),
    )
    assert needed(made, prompt="How many?", target={"number": 315}) == (1, [2])


def test_a_path_needs_its_last_call() -> None:
    accept = {"paths": [{"name": "p", "calls": ["write"]}], "extra_calls": "any"}
    made = trial(step(1, "", call("read")), step(2, "", call("write")), step(3, "", call("read")))
    assert needed(made, prompt="x", accept=accept) == (2, [])


def test_nothing_is_said_of_a_trial_that_failed_or_has_no_steps() -> None:
    assert needed(trial(step(1, "", call("write")), **world("open")), **REFUND) is None
    assert needed(trial(), **REFUND) is None


def test_a_call_that_was_never_carried_out_is_not_spare() -> None:
    asked = call("write").model_copy(update={"executed": False})
    made = trial(step(1, "", call("write")), step(2, "", asked), **world("refunded", "refunded"))

    assert needed(made, **REFUND) == (1, [])


def test_both_criteria_have_to_be_met_for_good() -> None:
    made = trial(
        step(1, "The answer is 315.", call("write")),
        step(2, "", call("write")),
        step(3, "The answer is 315."),
        **world("open", "refunded"),
    )

    assert needed(made, **REFUND, target={"number": 315}) == (2, [])


def test_a_path_is_matched_again_for_the_last_twenty_steps_at_most() -> None:
    accept = {"paths": [{"name": "p", "calls": ["write"]}], "extra_calls": "any"}
    short = trial(step(1, "", call("write")), *(step(n, "", call("read")) for n in range(2, 21)))
    long = trial(step(1, "", call("write")), *(step(n, "", call("read")) for n in range(2, 23)))

    assert needed(short, prompt="x", accept=accept) == (1, [])
    assert needed(long, prompt="x", accept=accept) is None


def test_a_world_that_no_patch_fits_says_nothing_and_is_no_crash() -> None:
    made = trial(step(1, "", call("write")), **world("refunded"))
    [change] = made.world_changes
    odd = change.model_copy(update={"patch": ({"op": "replace", "path": "/no/such", "value": 1},)})
    made = made.model_copy(update={"world_changes": (odd,)})

    assert needed(made, **REFUND) is None
