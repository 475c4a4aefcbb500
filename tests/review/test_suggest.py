"""A path that people passed gets a name of its own, and the names of those who passed it."""

from tests.review.made import adjudication, review, trajectory
from trajaudit.datamodel.review import HumanDecision, ItemState
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.review.suggest import Suggestion, name_for, unlisted


def verdict(trial: int = 1, scorer: str = "accepted_paths", *, passed: bool = False) -> Verdict:
    return Verdict(
        task_id="late", trial=trial, scorer=scorer, mode="lenient", passed=passed, reason="so"
    )


def decided(trial: int, passed: bool | None) -> HumanDecision:
    return HumanDecision(
        task_id="late", trial=trial, passed=passed, state=ItemState.AGREED, item_id="a" * 64
    )


def test_only_what_people_passed_and_no_path_lists_is_suggested() -> None:
    said = {("late", 1): decided(1, True), ("late", 2): decided(2, False)}
    said[("late", 3)] = decided(3, True)
    verdicts = [
        verdict(1),
        verdict(1, "end_state"),
        verdict(2),
        verdict(3, passed=True),
        verdict(4),
    ]
    people = [review("Bo", reason="fine"), review("Ana", "fail"), review("Cy"), review("Di")]

    found = list(unlisted(said, verdicts, [*people, adjudication("pass", reason="policy")]))

    assert found == [Suggestion("late", 1, "Bo, Cy, Di, cleo", "fine / policy")]


def test_a_name_is_that_of_the_tools_and_no_other_path_has_it() -> None:
    assert name_for(trajectory(), []) == "refund_order"
    taken = ["refund_order", "refund_order (2)"]
    assert name_for(trajectory(), taken) == "refund_order (3)"
    assert name_for(Trajectory(task_id="t"), []) == "without any call"
