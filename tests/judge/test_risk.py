"""What people found among the settled trials sends more of their kind to people, or does not."""

from typing import Literal

import pytest

from trajaudit.datamodel.judging import Costs, PanelDecision, Trigger
from trajaudit.judge.risk import Audited, audited, claimable, with_risk

Queue = Literal["none", "resolve", "audit"]


def decision(
    trial: int,
    queue: Queue = "none",
    result: Literal["pass", "fail", "undecided"] = "pass",
) -> PanelDecision:
    return PanelDecision(
        task_id="t",
        trial=trial,
        panel="p",
        rubric="r",
        result=result,
        stage="A",
        queue=queue,
        stratum=f"{result}/ruled",
    )


def test_only_the_random_sample_tells_how_often_a_kind_is_wrong() -> None:
    decisions = [decision(1, "audit"), decision(2, "audit"), decision(3, "resolve"), decision(4)]
    human = {("t", 1): True, ("t", 2): False, ("t", 3): False, ("t", 4): False}

    assert audited(decisions, human) == {"pass/ruled": Audited(looked_at=2, wrong=1)}


def test_a_sample_that_nobody_looked_at_tells_nothing() -> None:
    assert audited([decision(1, "audit")], {}) == {}


@pytest.mark.parametrize(
    ("looked_at", "wrong", "upper"), [(59, 0, 0.05), (93, 1, 0.05), (124, 2, 0.05), (29, 0, 0.1)]
)
def test_as_many_looks_as_a_claim_takes(looked_at: int, wrong: int, upper: float) -> None:
    # Clopper and Pearson at 95 %: 59, 93, 124 looks for 5 %, 29 for 10 %; one less is too few.
    assert Audited(looked_at, wrong).upper_bound() <= upper
    assert Audited(looked_at - 1, wrong).upper_bound() > upper


def test_a_kind_that_is_wrong_too_often_goes_to_people_where_that_is_worth_it() -> None:
    known = {"pass/ruled": Audited(9, 1)}
    given = [decision(1, "audit"), decision(2), decision(3, result="fail")]

    sent = with_risk(given, known, Costs(error=10, review=1))
    kept = with_risk(given, known, Costs(error=6, review=1))

    assert [one.queue for one in sent] == ["audit", "resolve", "none"]
    assert sent[1].triggers == (Trigger.AUDITED_RISK,)
    assert sent[1].priority == pytest.approx(0.15 * 10)
    assert [one.queue for one in kept] == ["audit", "none", "none"]


def test_without_costs_nothing_is_sent_for_its_kind_alone() -> None:
    known = {"pass/ruled": Audited(9, 9)}

    assert with_risk([decision(1)], known, None)[0].queue == "none"


def test_what_is_undecided_comes_before_what_is_only_odd() -> None:
    odd, open_ = with_risk([decision(1, "resolve"), decision(2, "resolve", "undecided")], {}, None)

    assert open_.priority > odd.priority > 0


def test_claims_end_at_the_first_kind_that_fails() -> None:
    known = {"a": Audited(100, 0), "b": Audited(80, 20), "c": Audited(70, 0)}

    assert claimable(known, risk=0.05) == ["a"]
    assert claimable({"a": known["a"], "c": known["c"]}, risk=0.05) == ["a", "c"]
