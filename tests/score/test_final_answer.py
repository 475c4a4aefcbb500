"""The final answer: strict and lenient verdicts, and the laws that hold for any reply."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from trajaudit.datamodel.scenario import Scenario, Task, Tolerances
from trajaudit.datamodel.target import Target
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, GradeStatus, Verdict
from trajaudit.score.extract.glyph import plain
from trajaudit.score.final_answer import final_answer, judge_reply, read_answer

_TARGET: TypeAdapter[Target] = TypeAdapter(Target)
_FORMAT = "ANSWER: {answer}"
KINDS: list[Any] = [
    {"number": 42},
    {"money": 42, "currency": "USD"},
    {"percent": 42},
    {"text": "Paris"},
    {"text": "AB-12", "literal": True},
    {"choice": "B", "of": {"A": "Oslo", "B": "Bergen"}},
    {"choices": ["A", "B"], "of": {"A": "Oslo", "B": "Bergen", "C": "Bodø"}},
    {"set": ["1", "2"]},
    {"tuple": ["1", "2"]},
    {"list": [1, 2]},
    {"interval": "(0,1]"},
    {"expression": "x**2-1"},
    {"bool": True},
    {"date": "2024-03-05"},
    {"time": "15:30"},
    {"json": {"a": 1}},
    {"regex": "[a-z]+"},
]
_PIECES = (
    "not", "the", "answer", "is", "42", "24", "A", "B", "yes", "no", "Paris", "wait,",
    "actually", "ANSWER:", "\\boxed{42}", "=", "$", "(", ")", "[", "]", "{", "}", '"', "\n",
    "<think>", "</think>", "or", "and", "~~", "**", "#", "3.14", "-5", "½", "百分之", '{"answer":',
    ",", "|", "±", "∪", "x^2", "2024-03-05", "15:30", "pm",
)  # fmt: skip
WORDS = st.lists(
    st.sampled_from(_PIECES),
    max_size=40,
).map(" ".join)
REPLIES = st.one_of(st.text(max_size=300), WORDS)


def verdicts(reply: str | None, target: Any, **given: Any) -> list[Verdict]:
    off = given.pop("off", ())
    answer_format = given.pop("answer_format", _FORMAT)
    task = Task(id="t", prompt="How many?", target=_TARGET.validate_python(target))
    scenario = Scenario(
        trajaudit=1, answer_format=answer_format, tasks=(task,), tolerances=Tolerances(off=off)
    )
    trajectory = Trajectory(task_id="t", final_reply=reply, final_seq=7, final_step=2, **given)
    return final_answer(scenario, task, trajectory)


def test_a_sentence_passes_only_the_lenient_reading() -> None:
    strict, lenient = verdicts("There are 42 seats.", {"number": 42})

    assert (strict.passed, strict.label, strict.fault) == (False, "format_mismatch", Fault.AGENT)
    assert (lenient.passed, lenient.reading) == (True, "42")
    assert lenient.tolerances == ("found_in_prose",)
    assert lenient.evidence == (Evidence(seq=7, step=2, quote="There are 42 seats."),)


def test_the_declared_format_passes_both_without_any_tolerance() -> None:
    strict, lenient = verdicts("6 rows of 7.\nANSWER: 42", {"number": 42})

    assert strict.passed
    assert lenient.passed
    assert strict.tolerances == lenient.tolerances == ()


@pytest.mark.parametrize(
    ("reply", "strict"),
    [
        ("ANSWER: 42", True),
        ("ANSWER:42 \t", True),
        ("ANSWER: 1\nANSWER: 42", True),
        ("ANSWER: 42\nDone.", True),
        ("ANSWER: 42.", False),
        (" ANSWER: 42", False),
        ("Answer: 42", False),
        ("ANSWER: 42.0", False),
        ("**ANSWER: 42**", False),
        ("<think>\nANSWER: 42\n</think>", False),
        ("ANSWER: 42\nNo wait, that is wrong. It is 24.", False),
    ],
)
def test_strict_wants_the_line_character_by_character(reply: str, strict: bool) -> None:
    assert verdicts(reply, {"number": 42})[0].passed is strict


def test_without_a_format_the_whole_reply_is_the_answer() -> None:
    assert [one.passed for one in verdicts(" 42\n", {"number": 42}, answer_format=None)] == [
        True,
        True,
    ]
    assert [one.passed for one in verdicts("It is 42.", {"number": 42}, answer_format=None)] == [
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("ANSWER: 24", "wrong_answer"),
        ("ANSWER: 42\nWait.\nANSWER: 24", "early_correct_late_fail"),
        ("ANSWER: 42\nI take that back, I am not sure any more.", "retracted"),
        ("<think>It is 42", "truncated"),
        ('{"answer": 4', "truncated"),
        ("I cannot determine this.", "refused"),
        ("", "no_answer"),
    ],
)
def test_a_failure_says_of_which_kind_it_is(reply: str, label: str) -> None:
    assert [one.label for one in verdicts(reply, {"number": 42})] == [label, label]


def test_an_undecided_reply_is_not_graded_as_wrong() -> None:
    lenient = verdicts("42 or 24", {"number": 42})[1]

    assert (lenient.passed, lenient.status) == (None, GradeStatus.AMBIGUOUS)


def test_only_a_submission_counts_where_one_is_asked_for() -> None:
    target = {"number": 42, "requires_submit": True}

    working = verdicts("Total should be 42", target, end_reason="step_limit")
    handed_in = verdicts("42", target, submitted=True)

    assert [(one.passed, one.label) for one in working] == [(False, "truncated")] * 2
    assert handed_in[1].passed


def test_a_broken_sandbox_is_nobodys_wrong_answer() -> None:
    both = verdicts(None, {"number": 42}, end_reason="infra_error")

    assert [(one.passed, one.status) for one in both] == [(None, GradeStatus.INFRA_ERROR)] * 2


def test_a_tolerance_that_is_switched_off_no_longer_helps() -> None:
    lenient = verdicts("ANSWER: forty-two", {"number": 42}, off=("number_words",))[1]

    assert (lenient.passed, lenient.label) == (False, "format_mismatch")
    assert "number_words" in lenient.reason


def test_rubrics_are_for_judges_and_patches_for_tests() -> None:
    judged = verdicts("42", {"rubric": "helpful"})

    assert [one.status for one in judged] == [GradeStatus.NEEDS_JUDGE] * 2
    assert verdicts("42", {"patch": {"repository": "r", "gold": "g", "tests": "t"}}) == []


def test_a_message_can_be_read_without_records() -> None:
    reading = read_answer("So the total is 42.", _TARGET.validate_python(42))

    assert (reading.status, reading.plain) == ("value", "42")


@settings(max_examples=300, deadline=None)
@given(REPLIES, st.sampled_from(KINDS), st.sampled_from([None, "stop", "length"]))
def test_strict_implies_lenient_and_nothing_raises(
    reply: str, target: Any, finish_reason: str | None
) -> None:
    strict, lenient = verdicts(reply, target, finish_reason=finish_reason)

    assert not strict.passed or lenient.passed


@settings(max_examples=150, deadline=None)
@given(
    st.integers(-10_000, 10_000),
    st.lists(
        st.sampled_from(
            [
                "Each row has 7 seats.",
                "This took 3 steps.",
                "Thanks for asking!",
                "The hall was built in 1987.",
                "Let me know if you need 5 more.",
                "谢谢。",
                "Sources: chapter 12.",
            ]
        ),
        max_size=4,
    ),
)
def test_irrelevant_prose_after_a_committed_answer_changes_nothing(
    value: int, prose: list[str]
) -> None:
    reply = "\n".join([f"ANSWER: {value}", *prose])

    assert [one.passed for one in verdicts(reply, {"number": value})] == [True, True]


@settings(max_examples=150, deadline=None)
@given(
    st.integers(-(10**9), 10**9), st.sampled_from(["wide", "fence", "bold", "lower", "math", "box"])
)
def test_variants_of_form_agree(value: int, form: str) -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) for char in str(value))
    replies = {
        "wide": f"答案：{wide}",
        "fence": f"```\n{value}\n```",
        "bold": f"The answer is **{value}**.",
        "lower": f"answer: {value}",
        "math": f"The answer is ${value}$.",
        "box": f"\\boxed{{{value}}}",
    }

    assert verdicts(replies[form], {"number": value})[1].passed
    assert not verdicts(replies[form], {"number": value + 1})[1].passed
    assert not verdicts(replies[form], {"number": value * 10 + 3})[1].passed


@settings(max_examples=200, deadline=None)
@given(st.integers(-(10**6), 10**6), st.integers(0, 4))
def test_normalising_keeps_the_value(digits: int, places: int) -> None:
    written = f"{'-' if digits < 0 else ''}{abs(digits) // 10**places}"
    if places:
        written += f".{abs(digits) % 10**places:0{places}}"
    wanted = {"number": written}

    assert verdicts(f"It is {written}.", wanted)[1].passed
    for other in (digits, -digits, digits * 10):
        if abs(other) != abs(digits) / 10**places and other != 0:
            assert not verdicts(f"It is {other}.", wanted)[1].passed


@given(st.text(max_size=200))
def test_plain_characters_keep_their_places(text: str) -> None:
    assert len(plain(text)) == len(text)


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "1 ",
        "answer: ",
        "{",
        "\\boxed{",
        "<think></think>",
        "$",
        "- ",
        "42 or ",
        "\n",
        "**",
        "> a\n",
    ],
)
def test_a_huge_hostile_reply_costs_no_more_than_its_length(unit: str) -> None:
    small, large = _cost(unit * (250_000 // len(unit))), _cost(unit * (1_000_000 // len(unit)))

    # Four times the length; a reader that goes back for every unit would need sixteen times.
    assert large < 8 * small + 0.5


def _cost(reply: str) -> float:
    target = _TARGET.validate_python({"number": 42})
    start = time.process_time()
    judge_reply(reply, target, answer_format=_FORMAT)
    return time.process_time() - start
