"""Replies in which a value stands that is not the answer, and forms that hide the one that is."""

from typing import Any

import pytest

from tests.score.extract.judged import judged

METALS = {"A": "copper", "B": "silver", "C": "gold"}
RANK = "In which place did the team finish?"
ROWS: list[tuple[str, Any, str, str]] = [
    ("7 + 2i", {"number": 7}, "", "incorrect"),
    ("3π", {"number": 3}, "", "incorrect"),
    ("5 + 6", {"number": 6}, "", "ambiguous"),
    ("≤ 9", {"number": 9}, "", "ambiguous"),
    ("9b", {"number": 9}, "", "no_answer"),
    ("They finished fourth.", {"number": 4}, RANK, "correct"),
    ("The team was 13th of 20.", {"number": 13}, RANK, "correct"),
    ("The team was 13th of 20.", {"number": 20}, RANK, "incorrect"),
    (r"$\frac{\frac{3}{4}}{2}$", {"number": "3/8"}, "", "correct"),
    (r"\sqrt{49}", {"number": 7}, "", "correct"),
    (r"\sqrt{49}", {"number": 49}, "", "incorrect"),
    ("Net loss: (2,500)", {"number": -2500}, "", "correct"),
    ("It sank from 9 to 2.", {"number": 2}, "", "correct"),
    ("It sank from 9 to 2.", {"number": 9}, "", "incorrect"),
    ("It is 30, which is 5 less than 35.", {"number": 30}, "", "correct"),
    ("Sum: 30\nMean: 10", {"number": 30}, "What is the sum?", "correct"),
    ("Sum: 30\nMean: 10", {"number": 10}, "What is the sum?", "incorrect"),
    ("<b>30</b>", {"number": 30}, "", "correct"),
    ("It should be noted that 30 came out.", {"number": 30}, "", "correct"),
    ("Normally 30.", {"number": 30}, "", "correct"),
    ("I doubt that it is 30.", {"number": 30}, "", "no_answer"),
    ("Sorry, I can't help with that. There are 2 rules.", {"number": 2}, "", "no_answer"),
    ("See page 30.", {"number": 30}, "", "no_answer"),
    ("It costs AUD 30.", {"money": 30, "currency": "USD"}, "", "incorrect"),
    ("30 pounds", {"money": 30, "currency": "GBP"}, "", "correct"),
    ("Maybe A. Hmm, no, B.", {"choice": "A", "of": METALS}, "", "incorrect"),
    ("B is right, A is a common mistake.", {"choice": "B", "of": METALS}, "", "correct"),
    ("Answer: B. Reason: A is too soft.", {"choice": "A", "of": METALS}, "", "incorrect"),
    ("A? Wrong. B? Right.", {"choice": "B", "of": METALS}, "", "correct"),
    ("A looks fine but C is better.", {"choice": "A", "of": METALS}, "", "incorrect"),
    ("A and B are right; C is not.", {"choices": ["A", "B"], "of": METALS}, "", "correct"),
    ("A and B are right; C is not.", {"choices": ["A", "B", "C"], "of": METALS}, "", "incorrect"),
    ("The roots are 1 and 8, not 9.", {"set": ["1", "8"]}, "", "correct"),
    ("{1, 8, ...}", {"set": ["1", "8"]}, "", "ambiguous"),
    ("y = 8, x = 1", {"tuple": ["1", "8"]}, "Give (x, y).", "correct"),
    ("<1, 8>", {"tuple": ["1", "8"]}, "", "correct"),
    (r"\begin{bmatrix} 1 \\ 8 \end{bmatrix}", {"tuple": ["1", "8"]}, "", "correct"),
    ("|x - 3| < 1", {"interval": "(2,4)"}, "", "correct"),
    ("|x| ≥ 1", {"interval": "(-inf,-1]U[1,inf)"}, "", "correct"),
    ("x ≠ 4", {"interval": "(-inf,4)U(4,inf)"}, "", "correct"),
    ("x > 0 and x ≠ 4", {"interval": "(0,inf)"}, "", "incorrect"),
    ("x < 5, no wait, x ≤ 5", {"interval": "(-inf,5)"}, "", "incorrect"),
    ("between 2 and 5, inclusive", {"interval": "[2,5]"}, "", "correct"),
    ("k!", {"expression": "factorial(k)"}, "", "correct"),
    ("It is 2x, not 3x.", {"expression": "3*x"}, "", "incorrect"),
    (
        "Mozart wrote operas, but the question is about symphonies: Haydn.",
        {"text": "Mozart"},
        "Who is the father of the symphony?",
        "incorrect",
    ),
    ("Most people say Mozart. It was Haydn.", {"text": "Mozart"}, "", "incorrect"),
    ("Yes, that is wrong.", {"bool": True}, "Is the claim wrong?", "correct"),
    ("Yes for small n; in general no.", {"bool": True}, "", "ambiguous"),
    ("晚上8点5分", {"time": "20:05"}, "", "correct"),
    ("**K-7**", {"regex": "K-[0-9]+"}, "", "correct"),
]


@pytest.mark.parametrize(("reply", "target", "question", "outcome"), ROWS)
def test_a_careful_reader_looks_twice(reply: str, target: Any, question: str, outcome: str) -> None:
    assert judged(reply, target, question) == outcome
