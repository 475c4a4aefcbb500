"""The step that set the course of a wrong answer is named as the one to look at first."""

from tests.score.trials import call, step, task_of, trial
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.decisive import decisive_step
from trajaudit.score.driver import score_trial

PLANNED = step(1, "I count first.")
TALKED = trial(PLANNED, step(2, "It may be 7, or 17."), step(3, "The answer is 7."))
ACTED = trial(PLANNED, step(2, "", call("count"), saw=["7"]), step(3, "The answer is 7."))
CODED = trial(PLANNED, step(2, "```python\nprint(7)\n```"), step(3, "The answer is 7."))


def named(trajectory: Trajectory, wrong: str | None = "7") -> int | None:
    found = decisive_step(trajectory, wrong)
    return None if found is None else found.step


def test_the_first_step_that_acts_set_the_course() -> None:
    assert named(ACTED) == 2
    assert named(CODED) == 2


def test_in_mere_talk_it_is_the_first_that_states_the_wrong_value() -> None:
    assert named(TALKED) == 2
    assert named(trial(PLANNED, step(2, "17 or 7.5"), step(3, "It is 7."))) == 3
    assert named(TALKED, None) is None


def test_a_single_step_needs_no_suggestion() -> None:
    assert named(trial(step(1, "It is 7."))) is None


def test_the_finding_of_a_wrong_answer_points_there_too() -> None:
    scenario, task = task_of(target={"number": 8})

    [finding] = [f for f in score_trial(scenario, task, ACTED).findings if f.decided]

    assert (finding.kind.value, finding.steps) == ("wrong_answer", (2, 3))
