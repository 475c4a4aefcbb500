"""Remembers what was asked."""

import functools


def remembered(ask):
    """Return a function that asks only once for each question."""
    answers = {}

    @functools.wraps(ask)
    def answer(currency, **how):
        if currency not in answers:
            answers[currency] = ask(currency, **how)
        return answers[currency]

    answer.forget = answers.clear
    return answer
