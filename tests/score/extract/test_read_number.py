"""Numbers, money and percentages, as replies write them."""

from typing import Any

import pytest

from tests.score.extract.judged import judged

RIGHT: list[tuple[str, Any, str]] = [
    ("1,234", 1234, ""),
    ("The total is 1,234.50 dollars.", "1234.5", "How many dollars in total?"),
    ("12,34,567", 1234567, ""),
    ("1 250 000 habitants", 1250000, ""),
    ("Es kostet 1.234,50 Euro.", {"money": "1234.50", "currency": "EUR"}, "Was kostet es?"),
    ("3.2 × 10⁻⁴", "0.00032", "What is the value?"),
    ("$3.2 \\times 10^{-4}$", "0.00032", ""),
    ("6.02*10**23", "6.02e23", ""),
    ("10⁶", 1000000, ""),
    ("(−5)", -5, ""),
    ("x = −5", -5, "Solve for x."),
    ("negative five", -5, ""),
    ("-$5.50", "-5.5", "What is the profit in dollars?"),
    ("１２３", 123, ""),
    ("٤٢", 42, ""),
    ("答案是四十二。", 42, ""),
    ("所以一共有 42 个苹果。", 42, "一共有多少个苹果？"),
    ("大约3.5万人", 35000, "有多少人？"),
    ("百分之三十五", 35, "百分比是多少？"),
    ("负五", -5, ""),
    ("a dozen", 12, "How many eggs?"),
    ("two hundred and five", 205, ""),
    ("1½ cups", "1.5", "How many cups?"),
    ("1 3/4", "1.75", ""),
    ("3/4 of a mile", "0.75", "How many miles?"),
    ("\\frac{3}{4}", "0.75", ""),
    ("\\boxed{\\dfrac{-1}{2}}", "-0.5", ""),
    ("Final answer: \\boxed{1{,}234}", 1234, ""),
    ("2.5k", 2500, "How many users?"),
    ("$1.2M", 1200000, "What is the price in dollars?"),
    ("2 lakh rupees", 200000, "How many rupees?"),
    ("__42__", 42, ""),
    ("### Answer\n\n42", 42, ""),
    ("**Answer:** 42 apples", 42, "How many apples?"),
    ("**Final Answer**\n\n$$\\boxed{42}$$", 42, ""),
    ("The answer is: $42$.", 42, ""),
    ("```\n42\n```", 42, ""),
    ("<answer>42</answer>", 42, ""),
    ("| item | n |\n|---|---|\n| total | 42 |\n\nANSWER: 42", 42, ""),
    ("6 × 7 = 42", 42, ""),
    ("The area is 5 * 5 = 25 cm².", 25, "What is the area?"),
    ("It takes 12 hours with 3 workers.", 12, "How long do 3 workers need?"),
    (
        "You asked about 30 seats; 12 of them are free.",
        12,
        "A hall has 30 seats. How many are free?",
    ),
    ("It is not 24 but 42.", 42, ""),
    ("Not 24. It's 42.", 42, ""),
    ("You might think the answer is 24, but it is 42.", 42, ""),
    ("I first got 24, but the right value is 42.", 42, ""),
    ("24... no wait, 42.", 42, ""),
    ("ANSWER: 24\nCorrection: it should be 42.", 42, ""),
    ("The answer is 24. Sorry, that is wrong: it is 42.", 42, ""),
    ("The answer is 42 because 6 rows hold 7 seats each.", 42, "How many seats?"),
    ("42. This follows from 6 rows of 7 seats.", 42, "How many seats?"),
    ("42\n\nExplanation: 50 - 8 = 42, and 8 seats are sold.", 42, "How many seats are free?"),
    ("ANSWER: 42\n\nLet me know if you want 3 more examples.", 42, ""),
    ("ANSWER: 42\n\nQuestion: What is 3+4?\nANSWER: 7", 42, ""),
    ("<think>It could be 41.</think>42", 42, ""),
    ("reasoning about 41</think>\n42", 42, ""),
    ("[THINK]41?[/THINK]42", 42, ""),
    ('The result is {"answer": 42}.', 42, ""),
    ('{"answer": "42"}', 42, ""),
    ("{'answer': 42, 'unit': None,}", 42, ""),
    ('{"reasoning": "6*7", "final_answer": 42}', 42, ""),
    ("Approximately 42.", 42, ""),
    ("I'm not sure, but I think it's 42.", 42, ""),
    ("2000 m", {"number": 2, "unit": "km"}, "How long is it in km?"),
    ("90 minutes", {"number": "1.5", "unit": "h"}, "How many hours?"),
    ("20 °C", {"number": 68, "unit": "°F"}, "How warm is it in °F?"),
    ("46 USD", {"money": 46, "currency": "USD"}, "What does it cost?"),
    ("$46", {"money": 46, "currency": "USD"}, "What does it cost?"),
    ("46 dollars", {"money": 46, "currency": "USD"}, "What does it cost?"),
    ("4600 cents", {"money": 46, "currency": "USD"}, "What does it cost?"),
    ("35 percent", {"percent": 35}, ""),
    ("35 %", 35, "What percentage is it?"),
    ("5%", "0.05", "What is the probability, as a decimal?"),
    ("3.14", {"number": "3.14159", "tolerance": "0.01"}, "What is pi, roughly?"),
    ("007", 7, "How many?"),
    ("42.0", 42, ""),
    ("+42", 42, ""),
    ("46 US dollars", {"money": 46, "currency": "USD"}, ""),
    ("You had 12 apples and ate 7, leaving 5.", 5, "How many are left?"),
    ("ANSWER: 42 = 40 + 2", 42, ""),
    ("ANSWER: 14 (previously I said 12)", 14, ""),
    ("42? No, 24.", 24, ""),
    ('{"answer": [42]}', 42, ""),
    ("Twelve point five", "12.5", ""),
    ("- ANSWER: 42", 42, ""),
    ("42 is the answer.", 42, ""),
]
WRONG: list[tuple[str, Any, str]] = [
    ("3.14", 314, ""),
    ("314", "3.14", ""),
    ("-5", 5, ""),
    ("5", -5, ""),
    ("120", 12, ""),
    ("12", 120, ""),
    ("1.234", 1234, "What is the value?"),
    ("1,234", "1.234", "What is the value?"),
    ("3,75", 375, ""),
    ("It is 24, not 42.", 42, ""),
    ("42 is wrong; it is 24.", 42, ""),
    ("Rather than 42, the value is 24.", 42, ""),
    ("A common mistake is to say the answer is 42. The answer is 24.", 42, ""),
    ("ANSWER: 42\nWait, that is wrong.\nANSWER: 24", 42, ""),
    ("ANSWER: 42\nActually, it should be 24.", 42, ""),
    ("The answer is 42. Hmm, I made a mistake: it is 24.", 42, ""),
    ("Example: 3+5 gives #### 42. Mine:\n#### 24", 42, ""),
    ("<think>42</think>\n24", 42, ""),
    ('{"answer": 24, "expected": 42}', 42, ""),
    ("~~42~~ 24", 42, ""),
    ("€46", {"money": 46, "currency": "USD"}, "What does it cost?"),
    ("46 pounds sterling", {"money": 46, "currency": "USD"}, "What does it cost?"),
    ("46 cents", {"money": 46, "currency": "USD"}, "What does it cost?"),
    ("5 kg", {"number": 5, "unit": "g"}, ""),
    ("5 miles", {"number": 5, "unit": "km"}, ""),
    ("0.35%", {"percent": 35}, ""),
    ("35%", "0.0035", "What share, as a decimal?"),
    ("3.2e-5", "0.00032", ""),
    ("3.2 × 10^4", "3.2", ""),
    ("3.5 million", "3.5", "How many people?"),
    ("四十二", 40, ""),
    ("3.5万", "3.5", "多少人？"),
    ("$\\frac{1}{2}$", 1, ""),
    ("$1\\frac{3}{4}$", 1, ""),
    ("2^{10}", 2, ""),
    ("One hundred and five", 100, ""),
    ("There are 24 of 42 seats left.", 42, "How many of the 42 seats are left?"),
    ("The year was 1942.", 42, ""),
    ("See RFC-42: the port is 24.", 42, "Which port?"),
    ("3.14", {"number": "3.2", "tolerance": "0.01"}, ""),
]
OPEN: list[tuple[str, Any, str]] = [
    ("Either 42 or 24.", 42, ""),
    ("42 or 24", 42, ""),
    ("Between 24 and 42.", 42, ""),
    ("24-42", 42, ""),
    ("24 to 42 people", 42, "How many people came?"),
    ("It is 42, or maybe 24.", 42, ""),
    ("\\boxed{24} or \\boxed{42}", 42, ""),
]
NONE: list[tuple[str, Any, str]] = [
    ("", 0, ""),
    ("I cannot determine the 42nd term.", 42, ""),
    ("I don't know.", 42, ""),
    ("The answer is not 42.", 42, ""),
    ("It isn't 42.", 42, ""),
    ("Is it 42?", 42, ""),
    ("<think>The answer is 42", 42, ""),
    ("<think>The answer is 42</think>", 42, ""),
    ('{"answer": 42', 42, ""),
    ('```json\n{"answer": 42', 42, ""),
    ("ANSWER: 42\nI take that back, I am not sure any more.", 42, ""),
    ("无法确定。", 42, ""),
]


def _number(target: Any) -> Any:
    return target if isinstance(target, dict) else {"number": target}


@pytest.mark.parametrize(("reply", "target", "question"), RIGHT)
def test_a_right_value_in_another_form_passes(reply: str, target: Any, question: str) -> None:
    assert judged(reply, _number(target), question) == "correct"


@pytest.mark.parametrize(("reply", "target", "question"), WRONG)
def test_another_value_fails(reply: str, target: Any, question: str) -> None:
    assert judged(reply, _number(target), question) == "incorrect"


@pytest.mark.parametrize(("reply", "target", "question"), OPEN)
def test_an_undecided_reply_is_ambiguous(reply: str, target: Any, question: str) -> None:
    assert judged(reply, _number(target), question) == "ambiguous"


@pytest.mark.parametrize(("reply", "target", "question"), NONE)
def test_a_reply_that_commits_to_nothing_has_no_answer(
    reply: str, target: Any, question: str
) -> None:
    assert judged(reply, _number(target), question) == "no_answer"


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("ANSWER: 4", "no_answer"),
        ("ANSWER: 42\nThe reason is that", "correct"),
        ("So far 42", "no_answer"),
        ("The answer is \\boxed{42}", "correct"),
        ("The answer is \\boxed{4", "no_answer"),
        ("<answer>42</answer> becau", "correct"),
    ],
)
def test_what_was_cut_counts_only_if_it_was_complete(reply: str, outcome: str) -> None:
    assert judged(reply, 42, finish_reason="length") == outcome
