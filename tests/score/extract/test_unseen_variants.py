"""Forms of answers that careful authors think of, each with a careful reader's decision."""

import time
from typing import Any

import pytest

from tests.score.extract.judged import judged

METALS = {"A": "copper", "B": "silver", "C": "gold"}
ROWS: list[tuple[str, Any, str, str]] = [
    ("at 9 in the evening", {"time": "21:00"}, "", "correct"),
    ("ten to four pm", {"time": "15:50"}, "", "correct"),
    ("half past three", {"time": "15:30"}, "", "ambiguous"),
    ("half past three in the morning", {"time": "15:30"}, "", "incorrect"),
    ("five past midnight", {"time": "00:05"}, "", "correct"),
    ("下午三点半", {"time": "15:30"}, "", "correct"),
    ("1530", {"time": "15:30"}, "", "correct"),
    ("in 1530", {"time": "15:30"}, "", "no_answer"),
    ("the third of May 2024", {"date": "2024-05-03"}, "", "correct"),
    ("May twenty-third, 2024", {"date": "2024-05-03"}, "", "incorrect"),
    ("二〇二四年五月三日", {"date": "2024-05-03"}, "", "correct"),
    ("3 maggio 2024", {"date": "2024-05-03"}, "", "correct"),
    ("Sept. 3, 2024", {"date": "2024-09-03"}, "", "correct"),
    ("1 hour 30 minutes", {"number": 90, "unit": "min"}, "", "correct"),
    ("5 feet 6 inches", {"number": 66, "unit": "in"}, "", "correct"),
    ("3 euros 20 cents", {"money": "3.20", "currency": "EUR"}, "", "correct"),
    (r"0.\overline{3}", {"number": "1/3"}, "", "correct"),
    (r"0.\overline{3}", {"number": "0.3"}, "", "incorrect"),
    ("2.1(6)", {"number": "13/6"}, "", "correct"),
    ("0.333...", {"number": "1/3"}, "", "correct"),
    ("half a million", {"number": 500_000}, "", "correct"),
    ("1 in 4", {"number": "0.25"}, "What is the probability?", "correct"),
    ("zweiundvierzig", {"number": 42, "locale": "de"}, "", "correct"),
    ("quatre-vingt-dix-sept", {"number": 97, "locale": "fr"}, "", "correct"),
    ("dreitausendzwölf", {"number": 3012, "locale": "de"}, "", "correct"),
    ("more than 7", {"number": 7}, "", "ambiguous"),
    ("18 of the 30 pupils passed.", {"number": 30}, "How many pupils passed?", "incorrect"),
    ("Between A and C, I choose C.", {"choice": "C", "of": METALS}, "", "correct"),
    ("A and B are wrong, so C.", {"choice": "B", "of": METALS}, "", "incorrect"),
    ("A\n\nWait, no. B.", {"choice": "A", "of": METALS}, "", "incorrect"),
    ("I pick option C over option B.", {"choice": "B", "of": METALS}, "", "incorrect"),
    ("A: wrong\nB: correct\nC: wrong", {"choice": "B", "of": METALS}, "", "correct"),
    ("all except B", {"choices": ["A", "C"], "of": METALS}, "", "correct"),
    ("C++", {"text": "C"}, "", "incorrect"),
    ("iPhone 12 Pro", {"text": "iPhone 12"}, "", "incorrect"),
    ("Is it Oslo?", {"text": "Oslo"}, "", "no_answer"),
    ("Bergen, not Oslo", {"text": "Oslo"}, "", "incorrect"),
    ("It was Mozart; no, sorry, Beethoven.", {"text": "Mozart"}, "", "incorrect"),
    ("my.foo_bar", {"text": "foo_bar", "literal": True}, "", "incorrect"),
    ("Yes... actually no.", {"bool": True}, "", "incorrect"),
    ("yes\n\nno", {"bool": True}, "", "ambiguous"),
    ("Of course not.", {"bool": False}, "", "correct"),
    ("It doesn't.", {"bool": False}, "Does it converge?", "correct"),
    ("{1,000, 2,000}", {"set": ["1000", "2000"]}, "", "correct"),
    ("There are no solutions.", {"set": []}, "", "correct"),
    ("(1, 2), not (2, 1)", {"tuple": ["2", "1"]}, "", "incorrect"),
    ("x³ + 1", {"expression": "x**3+1"}, "", "correct"),
    ("y = 2x - 1", {"expression": "y = 2*x+1"}, "", "incorrect"),
]


@pytest.mark.parametrize(("reply", "target", "question", "outcome"), ROWS)
def test_a_careful_reader_decides(reply: str, target: Any, question: str, outcome: str) -> None:
    assert judged(reply, target, question) == outcome


def test_a_pattern_that_backtracks_for_ever_is_matched_in_linear_time() -> None:
    start = time.process_time()

    assert judged("a" * 5000, {"regex": "(a+)+b"}) == "incorrect"
    assert time.process_time() - start < 1


def test_a_pattern_that_only_backtracking_matches_is_not_guessed_at() -> None:
    assert judged("aa", {"regex": r"(a)\1"}) == "ambiguous"


def test_a_schema_that_points_elsewhere_fetches_nothing() -> None:
    schema = {"$ref": "http://127.0.0.1:9/schema.json"}

    assert judged('{"a":1}', {"json": {"a": 1}, "schema": schema}) == "ambiguous"
