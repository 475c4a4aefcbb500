"""Options by letter and by content, one or several."""

from typing import Any

import pytest

from tests.score.extract.judged import judged

CITIES = {"A": "Oslo", "B": "Bergen", "C": "Tromsø", "D": "Stavanger"}
B: dict[str, Any] = {"choice": "B", "of": CITIES}
AD: dict[str, Any] = {"choices": ["A", "D"], "of": CITIES}


@pytest.mark.parametrize(
    "reply",
    [
        "I eliminate A, C and D, leaving B.", "A harbour town fits, so B.",
        "B", "b.", "(b)", "[B]", "Ｂ", "B)", "B.", "**B**", "$\\boxed{B}$",
        "\\boxed{\\text{B}}",
        "Bergen", "bergen.", "ANSWER: Bergen", "Option B", "Option B is correct.",
        "The answer is (B).",
        "The answer is option B: Bergen.", "answer: b", "Answer: **B) Bergen**", "答案是B",
        "选B。",
        "正确答案：B", "I would pick B.", "I choose Bergen.", "It must be Bergen.",
        "A is wrong, so B.",
        "It can't be A or C. The answer is B.", "Not A but B.", "B, not A.",
        "I think it is B.",
        "A: no. B: yes.\nSo the answer is B.", '{"answer": "B"}',
        '```json\n{"answer": "B"}\n```',
        "ANSWER: A\nWait, actually it is B.", "I first thought A, but the right one is B.",
        "<think>A?</think>B", "My final choice is B", "B because a harbour town fits.",
        "The correct answer is B - Bergen",
        "Let's see. A has no harbour. B fits.\n\nAnswer: B",
        "So the correct option is B.", "The best choice is **Bergen**.", "$B$", "`B`",
        "Choice: B",
    ],
)  # fmt: skip
def test_the_chosen_option_passes(reply: str) -> None:
    assert judged(reply, B, "Which city?") == "correct"


@pytest.mark.parametrize(
    "reply",
    [
        "A", "C", "Oslo", "The answer is A, not B.", "B is wrong; A is right.",
        "ANSWER: B\nNo, wait.\nANSWER: A",
        "~~B~~ A", "<think>B</think>A", "Rather than B, I choose A.",
        "I ruled out B. The answer is C.",
        "Tromsø, because Bergen is too far south.", "A better reading leads to D.",
        '{"answer": "A", "other": "B"}',
    ],
)  # fmt: skip
def test_another_option_fails(reply: str) -> None:
    assert judged(reply, B, "Which city?") == "incorrect"


@pytest.mark.parametrize(
    "reply",
    [
        "Be careful.", "A", "I am unable to decide", "ANSWER: Unable to decide",
        "None of these.", "Not B.",
        "", "<think>B", "I cannot say.", "Which one is B?", "B) Oslo", "A or B",
        "Either A or B.", "A and B", "A/B",
        "The answer is A or B.",
    ],
)  # fmt: skip
def test_letters_of_prose_and_open_choices_get_no_credit(reply: str) -> None:
    assert judged(reply, B, "Which city?") != "correct"


@pytest.mark.parametrize(
    "reply",
    [
        "A, D", "A and D", "D, A", "AD", "A,D,", "A & D", "A; D", "(A) and (D)",
        "[A, D]", "a, d", "A D",
        "Oslo and Stavanger", "ANSWER: A and D", "The answers are A and D.",
        "The correct options are A and D.",
        "**A** and **D**", '{"answer": ["A", "D"]}', "\\boxed{A, D}",
        "A) Oslo\nD) Stavanger", "- A\n- D",
        "答案：A、D", "选AD", "A and D, but not B.", "ANSWER: A\nWait, also D.\nANSWER: A, D",
    ],
)  # fmt: skip
def test_the_wanted_options_pass(reply: str) -> None:
    assert judged(reply, AD, "Select all that apply.") == "correct"


@pytest.mark.parametrize(
    "reply",
    [
        "A",
        "A, B, D",
        "D",
        "A, B",
        "all of the above",
        "B and C",
        "A or D",
        "None",
        "A, not D",
        "Unable to decide",
    ],
)
def test_more_or_fewer_options_fail(reply: str) -> None:
    assert judged(reply, AD, "Select all that apply.") != "correct"


def test_an_option_of_that_text_is_a_choice() -> None:
    target = {"choice": "E", "of": {**CITIES, "E": "None of these"}}

    assert judged("None of these.", target) == "correct"
    assert judged("A. None of the reasons matters.", target) == "incorrect"


@pytest.mark.parametrize(
    "reply", ["The disc has \\boxed{A = \\pi r^2}, so **D**.", "D", "It follows that A = 3, so D"]
)
def test_a_letter_of_a_formula_is_no_choice(reply: str) -> None:
    assert judged(reply, {"choice": "D", "of": dict.fromkeys("ABCD", "")}) == "correct"
    assert judged(reply, {"choice": "A", "of": dict.fromkeys("ABCD", "")}) == "incorrect"
