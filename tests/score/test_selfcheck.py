"""A task that cannot tell right from wrong is named."""

from tests.score.shop import LOOK, PATHS, REFUND, REFUNDED, shop, trial
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.score.driver import score_trial
from trajaudit.score.selfcheck import golden_fault, null_fault, with_golden_world

NOTHING = Trajectory(task_id="t", agent="null", final_reply="")


def test_a_sound_task_has_no_fault() -> None:
    scenario, task = shop({"paths": PATHS})

    assert golden_fault(score_trial(scenario, task, trial(LOOK, REFUND))) is None
    assert null_fault(score_trial(scenario, task, NOTHING).outcome) is None


def test_a_golden_trajectory_that_fails_is_named_with_the_reason() -> None:
    scenario, task = shop({"paths": PATHS})

    fault = golden_fault(score_trial(scenario, task, trial(REFUND)))

    assert fault is not None
    assert fault.startswith("the golden trajectory does not pass; got strict False")
    assert "get_order" in fault


def test_a_task_that_doing_nothing_passes_is_named() -> None:
    scenario, task = shop({"forbid": ["delete_order"]})

    fault = null_fault(score_trial(scenario, task, NOTHING).outcome)

    assert fault == "doing nothing passes (strict and lenient); it has to demand something"


def test_a_task_that_does_not_grade_doing_nothing_is_named() -> None:
    outcome = Outcome(task_id="t", trial=1, status=GradeStatus.AMBIGUOUS)

    fault = null_fault(outcome)

    assert fault is not None
    assert "is not graded; got ambiguous" in fault


def test_the_golden_end_state_is_kept_with_the_task_that_accepts_it() -> None:
    scenario, task = shop({"golden_state": True})
    golden = trial(LOOK, REFUND, end=REFUNDED)

    known = with_golden_world(scenario, {"t": golden})

    assert score_trial(scenario, task, golden).outcome.final is None
    assert score_trial(known, known.tasks[0], golden).outcome.strict is True
