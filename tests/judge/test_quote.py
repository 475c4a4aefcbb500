"""Only words that stand in a step, whole, are evidence."""

import pytest

from trajaudit.datamodel.judging import Citation
from trajaudit.judge.quote import is_supported, step_of

TEXTS = {
    0: "Task [S0]:\nRefund 10 EUR.",
    1: '[S1] result of pay: {"paid": "-12.50"}\n[S1] final answer: I refunded 10 EUR.\n'
    "    Naïve\n    words: 退款完成了。\nThe trial ended: replied",
}
MARKS = ("final answer:", "[S1] final answer:", "refunded 99 EUR", "10 … refunded")


@pytest.mark.parametrize(
    "quote",
    [
        "refunded 10 EUR",
        "10 EUR.",
        "10",
        "REFUNDED  10 eur",
        "[S1] final answer: I refunded",
        'result of pay: {"paid": "-12.50"}',
        "I … 10 EUR",
        "Naïve words",
        "naïv",
        "退款完成",
        "12.50",
        "final answer: I refunded 10 EUR. Naïve wor",
    ],
)
def test_whole_words_of_a_step_are_found(quote: str) -> None:
    found = is_supported(Citation(step=1, quote=quote), TEXTS)

    assert found is (quote != "naïv")


@pytest.mark.parametrize(
    "quote",
    ["", ".", "e", "lie", "0 EUR", "1", "2.50", "12", "efunded 1", "…", "[S1]", "S1", *MARKS],
)
def test_parts_of_words_and_marks_of_the_view_are_no_evidence(quote: str) -> None:
    assert not is_supported(Citation(step=1, quote=quote), TEXTS)


def test_true_is_no_number_of_a_step() -> None:
    assert step_of(True) is None
    assert step_of("[S3]") == "3"
