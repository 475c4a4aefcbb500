"""Mutants change one line of code, and nothing that is only text."""

from trajaudit.score.patch.mutants import Mutant, mutants, planted

SOURCE = """def pay(balance, amount):
    # a < b
    if amount < 0 and balance:
        raise ValueError("amount < 0")
    balance = balance - amount
    return balance
"""


def texts(line: int) -> list[str]:
    return [one.text.strip() for one in mutants(SOURCE, [line], 20)]


def test_conditions_are_negated_and_operators_swapped() -> None:
    assert texts(3) == [
        "if not (amount < 0 and balance):",
        "if amount >= 0 and balance:",
        "if amount < 0 or balance:",
    ]


def test_statements_are_left_out_and_values_not_returned() -> None:
    assert texts(5) == ["pass", "balance = balance + amount"]
    assert texts(6) == ["return None"]


def test_literals_and_comments_stay() -> None:
    assert texts(2) == []
    assert texts(4) == ["pass"]
    assert texts(1) == []


def test_every_line_gets_one_before_any_gets_two() -> None:
    lines = [one.line for one in mutants(SOURCE, [3, 5, 6], 4)]

    assert lines == [3, 5, 6, 3]


def test_lines_beyond_the_end_have_none() -> None:
    assert mutants("a = 1", [7], 5) == []


def test_planting_keeps_everything_else() -> None:
    mutant = Mutant(2, "pass")

    assert planted("a\r\nb\r\nc", mutant) == "a\r\npass\r\nc"
    assert planted("a\nb", mutant) == "a\npass"
