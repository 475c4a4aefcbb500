"""What is true of the verdicts that came with a log: which failures hold, and which passes do."""

from collections.abc import Callable, Sequence

from trajaudit.datamodel.finding import UNDESERVED, FailureKind
from trajaudit.datamodel.verdict import Fault
from trajaudit.report.board import Board, Entry
from trajaudit.report.schema import Recorded, RecordedLine, TrialRef
from trajaudit.stats import wilson

Rule = tuple[str, Callable[[Entry], bool]]


def recorded(board: Board) -> Recorded | None:
    """Return the audit of the log's own verdicts; None where the log has none."""
    entries = board.entries()
    failures = [entry for entry in entries if entry.decision("raw") is False]
    passes = [entry for entry in entries if entry.decision("raw") is True]
    if not failures and not passes:
        return None
    return Recorded(
        failures=len(failures),
        passes=len(passes),
        without=len(entries) - len(failures) - len(passes),
        of_failures=_lines(failures, _OF_FAILURES),
        of_passes=_lines(passes, _OF_PASSES),
    )


def _lines(entries: Sequence[Entry], rules: Sequence[Rule]) -> tuple[RecordedLine, ...]:
    """Put each trial into the first line that is true of it; leave out empty lines."""
    found: dict[str, list[Entry]] = {what: [] for what, _ in rules}
    for entry in entries:
        found[next(what for what, holds in rules if holds(entry))].append(entry)
    return tuple(
        RecordedLine(
            what=what,
            count=len(held),
            share=len(held) / len(entries),
            interval=wilson(len(held), len(entries)),
            trials=tuple(TrialRef(task_id=one.task_id, trial=one.trial) for one in held),
        )
        for what, held in found.items()
        if held
    )


def _passes(entry: Entry) -> bool:
    return entry.decision("final") is True


def _fails(entry: Entry) -> bool:
    return entry.decision("final") is False


def _has(*kinds: FailureKind) -> Callable[[Entry], bool]:
    return lambda entry: any(finding.kind in kinds for finding in entry.findings)


def _blames(*faults: Fault) -> Callable[[Entry], bool]:
    return lambda entry: any(finding.fault in faults for finding in entry.findings)


def _both(*rules: Callable[[Entry], bool]) -> Callable[[Entry], bool]:
    return lambda entry: all(rule(entry) for rule in rules)


def _always(_entry: Entry) -> bool:
    return True


_VALID_PATH = _has(FailureKind.ALTERNATE_VALID_PATH)
_SUSPECT = _has(FailureKind.REFERENCE_SUSPECT, FailureKind.TASK_BROKEN)
_LOST = _has(FailureKind.EARLY_CORRECT_LATE_FAIL, FailureKind.RETRACTED)
_CHEATED = _has(*UNDESERVED)
_OUTSIDE = _blames(Fault.INFRASTRUCTURE, Fault.EVALUATOR)

_OF_FAILURES: tuple[Rule, ...] = (
    ("took a valid path that the reference does not list", _both(_passes, _VALID_PATH)),
    ("hold the right answer, read carefully", _passes),
    ("the reference itself is doubtful", _SUSPECT),
    ("the evaluator's or the infrastructure's fault", _OUTSIDE),
    ("were right at some step, and lost it", _LOST),
    ("failed indeed", _fails),
    ("cannot be decided by rules", _always),
)
_OF_PASSES: tuple[Rule, ...] = (
    ("suspect: something speaks against their integrity", _CHEATED),
    ("suspect: the reference itself is doubtful", _SUSPECT),
    ("suspect: fail a careful reading", _fails),
    ("hold", _passes),
    ("cannot be decided by rules", _always),
)
