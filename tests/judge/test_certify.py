"""A judge is admitted by lower bounds; what it did not decide is neither right nor wrong."""

from typing import Literal

import pytest

from tests.judge.made import vote
from trajaudit.datamodel.judging import PanelDecision, ReplyStatus
from trajaudit.judge.certify import (
    LEAST_PAIRS,
    Bar,
    Case,
    Said,
    error_correlation,
    said_by,
    said_together,
    standing,
)

Word = Literal["pass", "fail"]


def case(label: Word, verdict: Word | None, group: str = "", why: str = "decided") -> Case:
    return Case(label, group, Said(verdict, why if verdict is None else "decided"))


def right(n: int) -> list[Case]:
    both: tuple[Word, Word] = ("pass", "fail")
    return [case(label, label, str(at)) for at in range(n) for label in both]


def test_both_orders_have_to_agree_on_pass_or_fail() -> None:
    assert said_by([vote("a", 1), vote("a", 2)]) == Said("pass")
    assert said_by([vote("a", 1, "fail"), vote("a", 2, "fail")]) == Said("fail")
    assert said_by([vote("a", 1), vote("a", 2, "fail")]) == Said(None, "flipped")
    assert said_by([vote("a", 1), vote("a", 2, "abstain")]) == Said(None, "abstained")
    assert said_by([vote("a", 1), vote("a", 2, None)]) == Said(None, "unusable")
    assert said_by([]) == Said(None, "not_heard")
    gone = vote("a", 2, None, status=ReplyStatus.PROVIDER_FAILED)
    assert said_by([vote("a", 1), gone]) == Said(None, "not_heard")


def test_the_panel_has_a_verdict_only_where_nobody_has_to_look() -> None:
    made = PanelDecision(
        task_id="t", trial=1, panel="p", rubric="r", result="pass", stage="A", queue="none"
    )

    assert said_together(made) == Said("pass")
    assert said_together(made.model_copy(update={"queue": "resolve"})) == Said(None, "to_a_person")
    undecided = made.model_copy(update={"result": "undecided"})
    assert said_together(undecided) == Said(None, "to_a_person")
    assert said_together(None) == Said(None, "not_heard")


@pytest.mark.parametrize(("n", "admitted"), [(13, False), (14, True)])
def test_a_faultless_judge_is_admitted_from_fourteen_trials_a_label_on(
    n: int, *, admitted: bool
) -> None:
    found = standing("m", "f", right(n), Bar())

    # 0.05^(1/13) = 0.794 and 0.05^(1/14) = 0.807
    assert found.passes.lower == pytest.approx(0.05 ** (1 / n))
    assert found.admitted is admitted


def test_a_judge_that_passes_everything_is_not_admitted_however_many_passes_there_are() -> None:
    agreeable = [case("pass", "pass")] * 500 + [case("fail", "pass")] * 50

    found = standing("m", "f", agreeable, Bar())

    assert (found.passes.lower or 0) > 0.99
    assert (found.fails.hits, found.fails.of, found.fails.lower) == (0, 50, 0.0)
    assert not found.admitted


def test_what_was_not_decided_lowers_no_share_and_is_counted() -> None:
    open_ones = [case("pass", None, "x", "abstained"), case("fail", None, "x", "flipped")]

    with_open = standing("m", "f", [*right(20), *open_ones], Bar())
    without = standing("m", "f", right(20), Bar())

    assert (with_open.passes, with_open.fails) == (without.passes, without.fails)
    assert (with_open.decided, with_open.due) == (40, 42)
    assert with_open.statuses == {"abstained": 1, "decided": 40, "flipped": 1}


def test_a_judge_that_decided_nothing_has_no_figures() -> None:
    found = standing("m", "f", [case("pass", None, "x", "unusable")] * 30, Bar())

    assert (found.passes.lower, found.fails.lower, found.kappa) == (None, None, None)
    assert not found.admitted


def test_the_bar_and_its_confidence_can_be_chosen() -> None:
    assert standing("m", "f", right(10), Bar(least=0.7)).admitted
    assert not standing("m", "f", right(14), Bar(confidence=0.99)).admitted


def test_kappa_is_over_what_was_decided_and_has_an_interval() -> None:
    cases = [*right(18), case("pass", "fail", "y"), case("fail", "pass", "y")]

    found = standing("m", "f", cases, Bar())

    # 36 of 38 agree where chance alone gives half: (36/38 - 1/2)/(1/2)
    assert found.kappa == pytest.approx(2 * 36 / 38 - 1)
    assert found.kappa is not None
    assert found.kappa_low is not None
    assert found.kappa_high is not None
    assert found.kappa_low < found.kappa <= found.kappa_high


def test_errors_that_come_together_correlate_and_too_few_trials_tell_nothing() -> None:
    wrong = case("pass", "fail")
    same = [*right(LEAST_PAIRS // 2), wrong]

    assert error_correlation([same, same]) == pytest.approx(1.0)
    assert error_correlation([same[:20], same[:20]]) is None
    assert error_correlation([right(30), right(30)]) is None
