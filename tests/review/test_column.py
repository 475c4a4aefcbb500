"""People win over judges, judges over rules; a broken task counts nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.made import decision
from trajaudit.datamodel.review import HumanDecision, ItemState
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.judge.column import is_judgeable, with_panel
from trajaudit.review.column import broken_tasks, of_broken_task, passes_of, with_human

SAID = st.sampled_from([True, False, None])


def outcome(**changed: object) -> Outcome:
    fields = {"task_id": "late", "trial": 1, "strict": False, "lenient": False, "final": False}
    return Outcome.model_validate({**fields, "source": "strict", **changed})


def said(passed: bool | None, *, broken: bool = False, trial: int = 1) -> HumanDecision:
    return HumanDecision(
        task_id="late",
        trial=trial,
        passed=passed,
        task_broken=broken,
        state=ItemState.AGREED,
        item_id="a" * 64,
    )


@given(rules=SAID, panel=st.sampled_from(["pass", "fail", "undecided"]), people=SAID)
def test_what_people_settled_is_final_whatever_rules_and_judges_say(
    rules: bool | None, panel: str, people: bool | None
) -> None:
    before = with_panel(outcome(lenient=rules, final=rules), decision(panel))

    after = with_human(before, said(people))

    if people is None:
        assert after == before
    else:
        assert (after.human, after.final, after.source) == (people, people, "human")
        assert after.status is GradeStatus.GRADED
        assert (after.strict, after.lenient, after.panel) == (False, rules, before.panel)


def test_a_trial_that_rules_could_not_grade_is_graded_by_people() -> None:
    before = outcome(lenient=None, final=None, status="ambiguous", status_detail="two dates")

    after = with_human(before, said(passed=True))

    assert (after.final, after.status, after.status_detail) == (True, GradeStatus.GRADED, "")


@pytest.mark.parametrize("status", ["infra_error", "fault_not_hit"])
def test_what_is_no_trial_of_the_agent_stays_ungraded(status: str) -> None:
    before = outcome(strict=None, lenient=None, final=None, status=status)

    assert with_human(before, said(passed=True)) == before


def test_where_nobody_looked_nothing_changes() -> None:
    assert with_human(outcome(), None) == outcome()


@given(rules=SAID, people=SAID)
def test_of_a_broken_task_nothing_is_final(rules: bool | None, people: bool | None) -> None:
    before = with_human(outcome(lenient=rules, final=rules), said(people))

    after, finding = of_broken_task(before)

    assert (after.human, after.final, after.source) == (None, None, "none")
    assert (after.status, after.lenient) == (GradeStatus.TASK_BROKEN, rules)
    assert (finding.kind.value, finding.fault.value) == ("task_broken", "reference")
    assert finding.decided
    assert not is_judgeable(after)


def test_one_broken_trial_takes_all_labels_of_its_task_along() -> None:
    both = {("late", 1): said(None, broken=True), ("late", 2): said(passed=True, trial=2)}

    assert broken_tasks(both.values()) == {"late"}
    assert passes_of(both) == {}
    assert passes_of({("late", 2): said(passed=True, trial=2)}) == {("late", 2): True}
    assert passes_of({("late", 2): said(None, trial=2)}) == {}
