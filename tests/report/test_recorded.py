"""Which of the log's own verdicts hold?"""

from io import StringIO

import pytest
from rich.console import Console

from tests.report import sample
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Fault, GradeStatus
from trajaudit.report.schema import Recorded, Summary
from trajaudit.report.terminal import print_summary

Found = tuple[FailureKind, Fault]


def _summary(*rows: tuple[bool | None, bool | None, Found | None]) -> Summary:
    """One task a row: what the log said, what we say, and what was found."""
    names = tuple(f"t{number}" for number in range(1, len(rows) + 1))
    made = sample.Run(sample.config(tasks=names, trials=1, isolation="none"))
    for name, (raw, final, found) in zip(names, rows, strict=True):
        status = GradeStatus.GRADED if final is not None else GradeStatus.NOT_APPLICABLE
        made.outcomes.append(
            Outcome(task_id=name, trial=1, raw=raw, lenient=final, final=final, status=status)
        )
        if found is not None:
            made.findings.append(sample.finding(name, 1, *found, "why"))
    return sample.summary(made)


def _recorded(*rows: tuple[bool | None, bool | None, Found | None]) -> Recorded:
    found = _summary(*rows).recorded
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("final", "found", "line"),
    [
        (
            True,
            (FailureKind.ALTERNATE_VALID_PATH, Fault.REFERENCE),
            "took a valid path that the reference does not list",
        ),
        (
            True,
            (FailureKind.FORMAT_MISMATCH, Fault.AGENT),
            "hold the right answer, read carefully",
        ),
        (
            False,
            (FailureKind.REFERENCE_SUSPECT, Fault.REFERENCE),
            "the reference itself is doubtful",
        ),
        (
            None,
            (FailureKind.SANDBOX_FAILED, Fault.INFRASTRUCTURE),
            "the evaluator's or the infrastructure's fault",
        ),
        (
            False,
            (FailureKind.EARLY_CORRECT_LATE_FAIL, Fault.AGENT),
            "were right at some step, and lost it",
        ),
        (False, (FailureKind.WRONG_ANSWER, Fault.AGENT), "failed indeed"),
        (None, None, "cannot be decided by rules"),
    ],
)
def test_a_failure_of_the_log_is_told_by_what_it_really_is(
    final: bool | None, found: Found | None, line: str
) -> None:
    told = _recorded((False, final, found))

    assert [one.what for one in told.of_failures] == [line]
    assert told.of_passes == ()


@pytest.mark.parametrize(
    ("final", "found", "line"),
    [
        (
            True,
            (FailureKind.TEST_TAMPERING, Fault.AGENT),
            "suspect: something speaks against their integrity",
        ),
        (
            True,
            (FailureKind.REFERENCE_SUSPECT, Fault.REFERENCE),
            "suspect: the reference itself is doubtful",
        ),
        (False, (FailureKind.WRONG_ANSWER, Fault.AGENT), "suspect: fail a careful reading"),
        (True, None, "hold"),
        (None, None, "cannot be decided by rules"),
    ],
)
def test_a_pass_of_the_log_is_told_by_what_it_really_is(
    final: bool | None, found: Found | None, line: str
) -> None:
    told = _recorded((True, final, found))

    assert [one.what for one in told.of_passes] == [line]


def test_every_trial_with_a_verdict_is_in_exactly_one_line() -> None:
    told = _recorded(
        (False, True, None),
        (False, False, None),
        (False, False, None),
        (True, True, None),
        (None, True, None),
    )

    assert (told.failures, told.passes, told.without) == (3, 1, 1)
    assert [(one.count, round(one.share, 2)) for one in told.of_failures] == [(1, 0.33), (2, 0.67)]
    assert [str(ref) for one in told.of_failures for ref in one.trials] == ["t1/1", "t2/1", "t3/1"]


def test_a_run_without_verdicts_of_a_log_says_nothing_of_them() -> None:
    assert _summary((None, True, None)).recorded is None


def test_the_terminal_shows_both_halves() -> None:
    shown = StringIO()

    print_summary(
        _summary((False, True, None), (True, False, None)), console=Console(file=shown, width=120)
    )

    assert "The log calls 1 trial a failure; of these" in shown.getvalue()
    assert "The log calls 1 trial a pass; of these" in shown.getvalue()
    assert "suspect: fail a careful reading" in shown.getvalue()
