"""Adapter of the cases that `trajaudit review cases` writes: a trial, or only its reply."""

from typing import Any

from tests.cases.outcome import Adapter, Outcome
from trajaudit.review.case_replay import replay


def replayed(given: dict[str, Any], expected: dict[str, Any]) -> Outcome:
    """The verdict of the rules against what people said, lenient unless the case is strict."""
    outcome = replay(given)
    said_by_rules = outcome.strict if expected.get("mode") == "strict" else outcome.lenient
    wanted = expected["verdict"] == "correct" if "verdict" in expected else expected["passed"]
    said = {True: "correct", False: "incorrect", None: "open"}[said_by_rules]
    return Outcome(
        said,
        accepted=said_by_rules is wanted,
        credited=said_by_rules is True,
        credit_allowed=bool(wanted),
    )


ADAPTERS: dict[str, Adapter] = {"score_trial": replayed}
