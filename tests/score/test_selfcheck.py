"""A task that cannot tell right from wrong is named."""

from tests.score.shop import LOOK, PATHS, REFUND, REFUNDED, shop, trial
from trajaudit.score.driver import score_trial
from trajaudit.score.selfcheck import (
    TaskScores,
    check_scores,
    null_trajectory,
    with_golden_world,
)


def test_a_sound_task_has_no_fault() -> None:
    scenario, task = shop({"paths": PATHS})
    golden = score_trial(scenario, task, trial(LOOK, REFUND))
    null = score_trial(scenario, task, null_trajectory(scenario, task))

    assert check_scores({"t": TaskScores(golden, null)}) == []


def test_a_golden_trajectory_that_fails_and_a_null_one_that_passes_are_named() -> None:
    strict, strict_task = shop({"paths": PATHS})
    loose, loose_task = shop({"forbid": ["delete_order"]})
    golden = score_trial(strict, strict_task, trial(REFUND))
    null = score_trial(loose, loose_task, null_trajectory(loose, loose_task))

    faults = check_scores({"t": TaskScores(golden, null)})

    assert len(faults) == 2
    assert "the golden trajectory does not pass; got strict False" in faults[0]
    assert "doing nothing passes (strict and lenient)" in faults[1]


def test_the_golden_end_state_is_kept_with_the_task_that_accepts_it() -> None:
    scenario, task = shop({"golden_state": True})
    golden = trial(LOOK, REFUND, end=REFUNDED)

    known = with_golden_world(scenario, {"t": golden})

    assert score_trial(scenario, task, golden).outcome.final is None
    assert score_trial(known, known.tasks[0], golden).outcome.strict is True
