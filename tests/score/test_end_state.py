"""The end state counts by value, and what is declared irrelevant does not count."""

from typing import Any

import pytest

from trajaudit.datamodel.accept import StateAssertion
from trajaudit.score.end_state import check_assertions, check_golden

START: dict[str, Any] = {"orders": {"A-17": {"status": "lost"}}, "stock": {"cup": 3}}
END: dict[str, Any] = {
    "orders": {"A-17": {"status": "refunded", "refund": 42.5}},
    "stock": {"cup": 3},
}


def faults(assertion: dict[str, object], *, lenient: bool = False) -> tuple[str, ...]:
    wanted = (StateAssertion.model_validate(assertion),)
    return check_assertions(wanted, START, END, lenient=lenient).faults


@pytest.mark.parametrize(
    "assertion",
    [
        {"path": "$.orders.A-17.status", "equals": "refunded"},
        {"path": "$.orders.A-17.refund", "equals": 42.50},
        {"path": "$.orders.A-17.refund", "approx": 42, "within": 0.5},
        {"path": "$.orders.A-17.status", "any_of": ["lost", "refunded"]},
        {"path": "$.orders.A-17.status", "regex": "refund.*"},
        {"path": "$.orders.A-18", "exists": False},
        {"path": "$.orders.A-17", "exists": True},
        {"unchanged": ["$.stock"]},
    ],
)
def test_a_condition_that_holds_has_no_fault(assertion: dict[str, object]) -> None:
    assert faults(assertion) == ()


@pytest.mark.parametrize(
    "assertion",
    [
        {"path": "$.orders.A-17.status", "equals": "lost"},
        {"path": "$.orders.A-17.refund", "equals": 42.51},
        {"path": "$.orders.A-17.status", "regex": "refund"},
        {"path": "$.orders.A-18.status", "equals": None},
        {"path": "$.orders.A-17", "exists": False},
        {"unchanged": ["$.orders"]},
    ],
)
def test_a_condition_that_does_not_hold_is_named(assertion: dict[str, object]) -> None:
    assert len(faults(assertion)) == 1
    assert len(faults(assertion, lenient=True)) == 1


def test_a_number_kept_as_text_is_tolerated_leniently_only() -> None:
    end: dict[str, Any] = {"orders": {"A-17": {"refund": "42.50"}}}
    wanted = (StateAssertion(path="$.orders.A-17.refund", equals=42.5),)

    assert check_assertions(wanted, START, end).faults
    assert check_assertions(wanted, START, end, lenient=True).tolerances == ("numeric_string",)


def test_equality_with_the_golden_state_ignores_what_is_irrelevant() -> None:
    other = {**END, "log": ["10:31"], "stock": {"cup": 3.0}}

    assert check_golden(END, other, ()).faults == ("$.log differs from the golden end state",)
    assert check_golden(END, other, ("$.log",)).faults == ()
    assert check_golden(END, {**other, "stock": {"cup": 2}}, ("$.log",)).faults
