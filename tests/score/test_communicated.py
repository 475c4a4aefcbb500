"""What the user was told counts as a careful reader reads it, and never as a part of more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.score.trials import call, step, task_of, trial
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.communicated import TOLERANCE, communicated


def verdicts(trajectory: Trajectory, *texts: str) -> tuple[bool | None, bool | None]:
    scenario, task = task_of(accept={"communicate": texts})
    strict, lenient = communicated(scenario, task, trajectory)
    return strict.passed, lenient.passed


def said(*messages: str) -> Trajectory:
    return trial(*(step(number, text) for number, text in enumerate(messages, start=1)))


@pytest.mark.parametrize(
    ("text", "message", "strict", "lenient"),
    [
        ("1234.50", "It costs $1,234.50 in all.", True, True),
        ("1234.50", "It costs 1234.5.", False, True),
        ("1,786", "You get 1786 back.", False, True),
        ("10", "There are 100 of them.", False, False),
        ("10", "It takes 10.5 hours.", False, False),
        ("10", "It leaves at 10:30.", False, False),
        ("5", "On 2024-05-15.", False, False),
        ("4", "It is not 4, but 3.", False, False),
        ("4", "It isn't 4. It is **4** after all.", True, True),
        ("-5", "The balance is -5.", True, True),
        ("5", "The balance is -5.", False, False),
        ("visa", "This is advisable.", False, False),
        ("mastercard", "Two Mastercards are on file.", True, True),
        ("Hard  Disk", "a hard disk", False, True),
        ("8", "<think>8</think> I cannot tell.", False, False),
    ],
)
def test_a_text_is_told_or_not(text: str, message: str, *, strict: bool, lenient: bool) -> None:
    assert verdicts(said(message), text) == (strict, lenient)


def test_any_message_to_the_user_counts_but_none_beside_a_call() -> None:
    beside = trial(step(1, "the total is 7", call("pay"), saw=["ok"]), step(2, "done"))

    assert verdicts(said("It is 7.", "Bye."), "7") == (True, True)
    assert verdicts(beside, "7") == (False, False)
    assert verdicts(trial(step(1, ""), final_reply="7", submitted=True), "7") == (True, True)


def test_a_reading_beyond_the_rule_is_named_and_can_be_switched_off() -> None:
    scenario, task = task_of(accept={"communicate": ["1234.50"]})
    told = said("It is 1,234.5.")

    assert communicated(scenario, task, told)[1].tolerances == (TOLERANCE,)
    off = scenario.model_copy(
        update={"tolerances": scenario.tolerances.model_copy(update={"off": (TOLERANCE,)})}
    )
    assert [one.passed for one in communicated(off, task, told)] == [False, False]


def test_what_only_the_substring_rule_finds_is_told() -> None:
    scenario, task = task_of(accept={"communicate": ["10"]})

    strict, lenient = communicated(scenario, task, said("100"))

    assert (strict.detail["only_as_a_part"], lenient.detail["missing"]) == (["10"], ["10"])


def test_a_task_that_wants_nothing_told_is_not_judged() -> None:
    scenario, task = task_of(accept={"paths": []})

    assert communicated(scenario, task, said("hello")) == []


@given(st.lists(st.text(max_size=12), max_size=3), st.text(max_size=40))
def test_strict_implies_lenient(texts: list[str], message: str) -> None:
    scenario, task = task_of(accept={"communicate": texts})

    found = communicated(scenario, task, said(message))

    assert not found or not found[0].passed or found[1].passed


@given(st.integers(0, 10**9))
def test_a_number_is_told_however_it_is_grouped(number: int) -> None:
    assert verdicts(said(f"The total is ${number:,}."), str(number)) == (True, True)
